"""The question files that panels offer: that of the open sample, and those opened before."""

from __future__ import annotations

from pathlib import Path

from workbench.core.language import tr
from workbench.session.session import Session
from workbench.session.settings import exists

_KEPT = "question_files"
_MOST = 8


def question_files(session: Session) -> dict[str, str]:
    """Names by path: the sample's own file first, then those opened before that are still there, the latest first."""
    kept = session.settings.get(_KEPT)
    known = [path for path in kept if isinstance(path, str) and exists(path)] if isinstance(kept, list) else []
    offers = {path: Path(path).name for path in known}
    own, corpus = session.questions_path, session.corpus
    if own is not None and corpus is not None:
        offers = {str(own): tr("{name}’s questions", name=corpus.name), **offers}
    return offers


def choose_question_file(session: Session, path: Path) -> str:
    """Remember a file as opened last; its path as :func:`question_files` gives it."""
    wanted = str(path.absolute())
    kept = session.settings.get(_KEPT)
    others = [known for known in kept if known != wanted] if isinstance(kept, list) else []
    session.settings.set(_KEPT, [wanted, *others][:_MOST])
    return wanted
