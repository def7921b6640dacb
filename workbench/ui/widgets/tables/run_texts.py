"""Texts about runs in lists and tables: their states and phases, and their tooltips."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from workbench.core.language import tr
from workbench.models.base import MODELS
from workbench.session.runs import final_loss
from workbench.session.runs.run_record import RunRecord, State
from workbench.session.training.train_api import WARNINGS
from workbench.ui.base.plain_text import RichText, rich_tip
from workbench.ui.base.text import decimal

# By values of ``State`` and ``Phase``, and "diverged".
DOINGS = {
    "waiting": tr("waiting"),
    "reading": tr("reading"),
    "counting": tr("counting"),
    "compiling": tr("compiling"),
    "training": tr("training"),
    "saving": tr("saving"),
    "paused": tr("paused"),
    "done": tr("done"),
    "stopped": tr("stopped"),
    "cancelled": tr("cancelled"),
    "failed": tr("failed"),
    "diverged": tr("diverged"),
}


def describe(record: RunRecord) -> RichText:
    """Tooltip of a run: algorithm, corpus, loss, and error."""
    if record.algorithm in MODELS:
        title = MODELS[record.algorithm].title
    else:
        title = tr("Vectors from a file")
    lines = [f"{title} · {record.corpus_name}" if record.corpus_name else title]
    final = record.closing_loss
    if final is not None:
        lines.append(
            tr(
                "Loss: {decimal} ({what})",
                decimal=decimal(final.value, 4),
                what=final_loss.title(final),
            )
        )
    origin = record.summary.get("continued")
    if isinstance(origin, Mapping):
        parent = origin.get("name") or Path(str(origin.get("file", ""))).name
        lines.append(tr("Continued from {name}.", name=parent))
    if record.state == State.STOPPED and record.error is None:
        lines.append(
            tr("Stopped early. The model was saved with everything it had learned by then.")
        )
    warnings = record.summary.get(WARNINGS)
    lines += [str(sentence) for sentence in warnings] if isinstance(warnings, list) else []
    if record.note:
        lines.append(record.note)
    if record.error is not None:
        lines += [record.error.message, record.error.hint]
    return rich_tip(record.name, *lines, width=280)
