"""Actions on runs, for lists, keys and the palette."""

from __future__ import annotations

from functools import partial

from PySide6.QtGui import QGuiApplication

from workbench.core.language import tr, trn
from workbench.session.runs.run_record import RunRecord
from workbench.ui.base.action import Action
from workbench.ui.commands.registry import ActionGroup
from workbench.ui.commands.run_availability import (
    needs_finished,
    needs_one_run,
    needs_one_trained_here,
    needs_running,
    needs_vectors,
)
from workbench.ui.commands.run_commands import DOINGS
from workbench.ui.commands.run_targets import RunTarget
from workbench.ui.dialogs.run_command import command_of
from workbench.ui.dialogs.save_vectors import ask_vectors


def _show(target: RunTarget) -> None:
    target.session.active.show(target.one)


def _run_to_rename(target: RunTarget) -> RunRecord | None:
    """The run to rename: the chosen one, or the active one."""
    if target.records:
        return target.one
    return target.session.active.run


def _needs_run_to_rename(target: RunTarget) -> str:
    if _run_to_rename(target) is not None:
        return ""
    return needs_one_run(target)


def _rename(target: RunTarget) -> None:
    """Rename in a visible list of runs, or else in a small dialog."""
    edit = getattr(target.widget, "edit_run", None)
    record = _run_to_rename(target)
    if record is None or (callable(edit) and edit(record)):
        return
    from workbench.ui.dialogs.name import ask_name

    ask_name(
        target.widget,
        tr("Rename run"),
        record.name,
        lambda name: target.session.runs.rename(record, name),
    )


def _copy(target: RunTarget) -> None:
    if target.one is not None:
        QGuiApplication.clipboard().setText(command_of(target.one, target.session))
        target.session.message.emit(tr("Copied the command that trains this run again."), "", False)


def _other_vectors(target: RunTarget) -> None:
    if target.one is not None:
        from workbench.ui.dialogs.vectors import VectorsDialog

        VectorsDialog(target.session, target.one, target.widget.window()).show()


def _save(target: RunTarget) -> None:
    if target.one is not None:
        ask_vectors(target.widget.window(), target.session, target.one)


def _share(target: RunTarget) -> None:
    if target.one is not None:
        from workbench.ui.dialogs.share import ShareDialog

        ShareDialog(target.session, target.one, target.widget.window()).show()


def _hand_out(target: RunTarget) -> None:
    if target.one is not None:
        from workbench.ui.dialogs.handout import HandoutDialog

        HandoutDialog(target.session, target.one, target.widget.window()).show()


def _train_on(target: RunTarget) -> None:
    if target.one is not None:
        target.session.requests.continue_run.emit(target.one)


def _delete(target: RunTarget) -> None:
    """Delete runs, and offer to undo this."""
    session = target.session
    gone, change = session.runs.delete_all(target.records)
    if change is not None:
        message = trn(
            "“{name}” was deleted.", "{number} runs were deleted.", len(gone), name=gone[0].name
        )
        back, holds = partial(session.undo.revert, change), partial(session.undo.is_applied, change)
        target.context.bridge.offer(message, tr("Undo"), back, holds)


def _cancel(target: RunTarget) -> None:
    target.session.training.queue.cancel(target.records)


class RunActions(ActionGroup):
    key = "run"
    title = tr("Runs")
    order = 40
    subject = "run"
    actions = (
        Action(
            key="run.show",
            text=tr("Show"),
            description=tr("Show this run in all panels."),
            run=_show,
            place=10,
            why_not=needs_vectors,
        ),
        Action(
            key="run.rename",
            text=tr("Rename"),
            description=tr("Change the name of the run."),
            run=_rename,
            keys=("F2",),
            place=11,
            why_not=_needs_run_to_rename,
        ),
        Action(
            key="run.copy_command",
            text=tr("Copy as command"),
            description=tr("Copy the command that trains this run again."),
            run=_copy,
            place=12,
            why_not=needs_one_trained_here,
        ),
        Action(
            key="run.vectors",
            text=tr("Derive vectors…"),
            description=tr(
                "Create a new run from these vectors: W + C, concatenated [W; C], or scaled to "
                "unit length."
            ),
            run=_other_vectors,
            place=20,
            why_not=needs_vectors,
            synonyms=tr("unit length, post-processing"),
        ),
        Action(
            key="run.save",
            text=tr("Save vectors…"),
            description=tr("Save the vectors in a format that other programs can read."),
            run=_save,
            place=21,
            why_not=needs_vectors,
        ),
        Action(
            key="run.share",
            text=tr("Share…"),
            description=tr(
                "Create a script, commands or a report that others can use to reproduce the run."
            ),
            run=_share,
            place=22,
            why_not=needs_vectors,
        ),
        Action(
            key="run.hand_out",
            text=tr("Handout…"),
            description=tr("Save the run as a page for phones that needs no network."),
            run=_hand_out,
            place=23,
            why_not=needs_vectors,
            synonyms=tr("handout, HTML page for phones"),
        ),
        Action(
            key="run.train_on",
            text=tr("Continue training…"),
            description=tr("Train for more epochs and save the result as a new run."),
            run=_train_on,
            place=24,
            why_not=needs_vectors,
            synonyms=tr("continue training"),
        ),
        Action(
            key="run.delete",
            text=tr("Delete"),
            description=tr("Delete the run. You can undo this."),
            run=_delete,
            keys=("Del",),
            place=30,
            why_not=needs_finished,
        ),
        Action(
            key="run.cancel",
            text=tr("Cancel and discard"),
            description=tr("Stop training now and discard the result."),
            run=_cancel,
            place=31,
            why_not=needs_running,
            synonyms=tr("cancel training, discard training, stop training and discard"),
        ),
        *DOINGS,
    )
