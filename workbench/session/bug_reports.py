"""Bug reports: unexpected errors, counted, in a report without private data."""

from __future__ import annotations

import time
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from workbench.core import logs, version_info
from workbench.core.logs import without_home, without_private_text
from workbench.session.session import Session

# Lines of the log in a report.
_LAST = 60


@dataclass
class Defect:
    """One bug, however often it occurred. ``trace`` contains files, lines and messages, without
    quotations.
    """

    kind: str
    said: str
    trace: str
    where: str
    times: int = 1

    @property
    def signature(self) -> tuple[str, str]:
        """The identity of a bug: the kind of exception and the line that raised it."""
        return self.kind, self.where


def defect(kind: type[BaseException], error: BaseException | None, trace: object) -> Defect:
    """Make a Defect of an exception, with quotations removed from messages and the user's paths
    shortened.
    """
    trace_text = traceback.TracebackException(kind, error or kind(), trace, lookup_lines=True)  # type: ignore[arg-type]
    frames = trace_text.stack
    last = frames[-1] if frames else None
    where = f"{Path(last.filename).name}:{last.lineno} {last.name}" if last is not None else ""
    return Defect(
        kind.__name__,
        without_private_text("".join(trace_text.format_exception_only()).strip()),
        _stacks(trace_text),
        where,
    )


def _stacks(trace_text: traceback.TracebackException) -> str:
    """The stacks of an exception and of the exceptions that caused it, the earliest first."""
    parts = []
    seen: set[int] = set()
    chain: traceback.TracebackException | None = trace_text
    while chain is not None and id(chain) not in seen:
        seen.add(id(chain))
        stack = "".join(chain.stack.format())
        parts.append(
            without_home(stack) + without_private_text("".join(chain.format_exception_only()))
        )
        chain = chain.__cause__ or (None if chain.__suppress_context__ else chain.__context__)
    return "\nThen:\n".join(reversed(parts)).rstrip()


class DefectTally:
    """The bugs that occurred since the program started, the earliest first."""

    def __init__(self) -> None:
        self.defects: list[Defect] = []

    def take(self, found: Defect) -> tuple[Defect, bool]:
        """Count a defect. Return the counted Defect, and whether it is new."""
        for known in self.defects:
            if known.signature == found.signature:
                known.times += 1
                return known, False
        self.defects.append(found)
        return found, True


def report(session: Session | None, defects: Sequence[Defect], crash: str = "") -> str:
    """Information that a person may send to the maintainers of the workbench: versions, system,
    problem, last actions, the end of the log. No words of corpora, no names of files, no path that
    names the user.

    crash : the stacks that faulthandler wrote when an earlier process crashed
    """
    parts = [
        f"{version_info.TITLE}: bug report, {time.strftime('%Y-%m-%d %H:%M')}",
        version_info.version_report(),
    ]
    for found in defects:
        often = "" if found.times == 1 else f" ({found.times} times)"
        parts.append(f"Error{often}\n{found.trace}")
    if crash:
        parts.append(f"Threads at the crash\n{without_home(crash).strip()}")
    if session is not None:
        parts.append(f"Open corpus and runs\n{_open(session)}")
    parts.append("Recent actions\n" + (", ".join(logs.recent_actions()) or "nothing"))
    lines = [
        without_private_text(f"{e.time} {e.level} {e.source}: {e.text.partition(chr(10))[0]}")
        for e in logs.read_entries(_LAST)
    ]
    parts.append("End of the log\n" + ("\n".join(lines) or "empty"))
    return "\n\n".join(parts) + "\n"


def _open(session: Session) -> str:
    corpus = session.corpora.current
    if corpus is None:
        text = "no corpus"
    else:
        text = f"a corpus of {corpus.tokens:,} tokens and {corpus.types:,} words"
    runs = [
        f"{record.algorithm or 'vectors from a file'}, {record.state.value}"
        for record in session.runs
    ]
    shown = session.active.run
    if shown is None:
        looked = "no active run"
    else:
        looked = f"active run: {shown.algorithm or 'vectors from a file'}"
    return "\n".join([text, looked, f"{len(runs)} runs: {'; '.join(runs[-10:]) or 'none'}"])
