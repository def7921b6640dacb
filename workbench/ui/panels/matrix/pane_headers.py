"""Headers of the matrix panes: choice of the matrix and of the run."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QRectF, Signal
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.analysis.matrix.board import Board
from workbench.analysis.matrix.values import KINDS, MatrixResult
from workbench.analysis.theory.targets import declared_target
from workbench.core.language import tr
from workbench.core.setting import Strings
from workbench.models.base import MODELS, TheoryTarget
from workbench.session.runs.run_record import RunRecord
from workbench.session.session import Session
from workbench.ui import kit
from workbench.ui.base.plain_text import safe_tip
from workbench.ui.base.run_marks import run_icon
from workbench.ui.base.scaling import scaled_length
from workbench.ui.base.theme import SPACE_1, Theme
from workbench.ui.widgets.inputs.run_choice import (
    add_heading,
    grouped_runs,
    run_text,
    usable,
)

MOST = 4
_WIDEST, _NARROW, _DOT_ALONE = 380, 250, 54
# Matrix of a further pane: the first of these that no pane shows yet.
_NEXT = ("target", "model", "residual", "ppmi", "logcount")

# Views of a model's scores.
_SCORES = ("model", "score")


def scores_view(own: TheoryTarget) -> str:
    """The view whose values are on the scale of a target: the products, if these are the scores."""
    return "model" if own.score == "product" else "score"


class PaneHeader(QWidget):
    """Choice of matrix and run for a pane. Emits ``changed`` and ``closed``."""

    changed = Signal()
    closed = Signal()

    def __init__(self, session: Session, theme: Theme, number: int, parent: QWidget) -> None:
        super().__init__(parent)
        self._session = session
        self._theme = theme
        # Identifier (None for a heading), text and colour of each entry.
        self._offered: list[tuple[str | None, str, int]] = []
        self.kind = kit.ChoiceBox.of(
            {key: kind.title for key, kind in KINDS.items()},
            tips=[kind.label for kind in KINDS.values()],
            letters=3,
        )
        self.run = kit.ChoiceBox.of({}, letters=3)
        self.close_ = kit.text_button("", role="mark", pressed=self.closed)
        for widget, name, said in (
            (self.kind, "kind", tr("Matrix in view {}")),
            (
                self.run,
                "run",
                tr("Run of view {}, whose settings also define how pairs are counted"),
            ),
            (self.close_, "close", tr("Remove view {}")),
        ):
            widget.setObjectName(f"matrix.pane{number}.{name}")
            widget.setAccessibleName(said.format(number))
            widget.setToolTip(safe_tip(said.format(number)))
        for box in (self.kind, self.run):
            box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            box.currentIndexChanged.connect(lambda _: self.changed.emit())
        choices = (kit.stretch(self.kind), kit.stretch(self.run), self.close_)
        kit.fill(self, kit.row(*choices, gap=SPACE_1, margins=(0, 0, 0, SPACE_1)))
        theme.changed.connect(self._colour_runs)
        self._colour_runs()

    def place_in(self, room: QRectF) -> None:
        area = room.toRect()
        widest = scaled_length(_WIDEST)
        area.setWidth(min(area.width(), widest))
        # In narrow headers, only the colour identifies the run.
        if area.width() < scaled_length(_NARROW):
            self.run.setMaximumWidth(scaled_length(_DOT_ALONE))
        else:
            self.run.setMaximumWidth(widest)
        if area != self.geometry():
            self.setGeometry(area)

    @property
    def choice(self) -> tuple[str, str]:
        """Key of the kind, and identifier of the run, "" for the active run."""
        return str(self.kind.currentData()), str(self.run.currentData() or "")

    def choose(self, kind: str, run: str) -> None:
        """Set the choice without a signal."""
        for box, value in ((self.kind, kind), (self.run, run)):
            box.blockSignals(True)
            box.setCurrentIndex(max(box.findData(value), 0))
            box.blockSignals(False)

    @property
    def record(self) -> RunRecord | None:
        """Chosen run; None if there is no active run."""
        wanted = self.choice[1]
        if not wanted:
            return self._session.active.run
        return next(
            (record for record in usable(self._session) if record.identifier == wanted), None
        )

    def title(self, shown: str = "") -> str:
        """Title of the matrix (``shown`` or its kind), and name of the run."""
        record = self.record
        return (shown or self.kind.currentText()) + (
            f" · {record.name}" if record is not None else ""
        )

    def offer_runs(self) -> bool:
        """Offer the current runs; returns whether the chosen run no longer exists, so that the
        active one replaces it.
        """
        shown = self._session.active.run
        first = tr("{name} (active)", name=shown.name) if shown is not None else tr("No run")
        offers: list[tuple[str | None, str, int]] = [
            ("", first, shown.colour if shown is not None else -1)
        ]
        for group in grouped_runs(self._session, usable(self._session)):
            if group.title:
                offers.append((None, group.title, -1))
            for record in group.runs:
                text = run_text(self._session, record)
                offers.append((record.identifier, text, record.colour))
        if offers == self._offered:
            return False
        self._offered = offers
        before = self.run.currentData() or ""
        self.run.blockSignals(True)
        self.run.clear()
        for identifier, name, _ in offers:
            if identifier is None:
                add_heading(self.run, name)
            else:
                self.run.addItem(name, identifier)
        self.run.setCurrentIndex(max(self.run.findData(before), 0))
        self.run.blockSignals(False)
        self._colour_runs()
        return (self.run.currentData() or "") != before

    def _colour_runs(self) -> None:
        self.close_.setIcon(self._theme.icon("close", "muted"))
        for at, (_, _, colour) in enumerate(self._offered):
            if colour >= 0:
                self.run.setItemIcon(at, run_icon(colour, self._theme.palette))


class PaneHeaders(QWidget):
    """Up to four headers, children of ``parent``, which places them. ``changed``: the choice has
    changed.
    """

    changed = Signal()

    def __init__(self, session: Session, theme: Theme, parent: QWidget) -> None:
        super().__init__()
        self.all = [PaneHeader(session, theme, number + 1, parent) for number in range(MOST)]
        self.number = 1
        for at, head in enumerate(self.all):
            head.changed.connect(partial(self._take_choice, at))
            head.closed.connect(lambda at=at: self.remove_pane(at))
        self.set_choices([("ppmi", "")])

    def _take_choice(self, at: int) -> None:
        """Apply the choice for a pane; a lesson may also choose for a pane that isn't shown yet."""
        if at >= self.number:
            self.set_choices([head.choice for head in self.all[: at + 1]])
        self.changed.emit()

    @property
    def visible_heads(self) -> list[PaneHeader]:
        return self.all[: self.number]

    @property
    def kinds(self) -> Strings:
        """Keys of the kinds of the panes."""
        return tuple(head.choice[0] for head in self.visible_heads)

    @property
    def runs(self) -> Strings:
        """Identifiers of the runs of the panes, "" for the active one; () if all are active."""
        runs = tuple(head.choice[1] for head in self.visible_heads)
        return runs if any(runs) else ()

    def titles(self, board: Board | None) -> list[str]:
        """Titles of the panes."""
        names = [""] * self.number
        if board is not None and board.panes:
            names = [pane.title if isinstance(pane, MatrixResult) else "" for pane in board.panes]
        return [head.title(name) for head, name in zip(self.visible_heads, names, strict=False)]

    def set_choices(self, choices: list[tuple[str, str]]) -> None:
        """Set one to four panes without a signal."""
        self.number = min(max(len(choices), 1), MOST)
        for head, (kind, run) in zip(self.all, choices, strict=False):
            head.choose(kind, run)
        for at, head in enumerate(self.all):
            head.setVisible(at < self.number)
            head.close_.setVisible(self.number > 1)

    def add_pane(self) -> None:
        """Add a pane with the first kind that isn't shown."""
        choices = [head.choice for head in self.visible_heads]
        there = {kind for kind, _ in choices}
        if len(choices) < MOST:
            self.set_choices(
                [
                    *choices,
                    (next((kind for kind in _NEXT if kind not in there), "pmi"), choices[-1][1]),
                ]
            )
            self.changed.emit()

    @property
    def compared_with(self) -> str:
        """What a pane beside the scores of a run can show next: "pmi" in place of its own target,
        "target" in place of other counts; "" without scores, or if they have no target.
        """
        heads = {head.choice[0]: head for head in self.visible_heads}
        scores = next((heads[kind] for kind in _SCORES if kind in heads), None)
        if scores is None or "residual" in heads or len(heads) < 2:
            return ""
        record = scores.record
        if record is None or declared_target(record.algorithm).missing:
            return ""
        if record.algorithm not in MODELS:
            return ""
        return "pmi" if "target" in heads else "target"

    def compare_scores(self) -> None:
        """Show ``compared_with`` in the pane of the target, or of other counts."""
        wanted, choices = self.compared_with, [head.choice for head in self.visible_heads]
        if not wanted:
            return
        run = next(run for kind, run in choices if kind in _SCORES)
        at = next(at for at, (kind, _) in enumerate(choices) if kind not in _SCORES)
        own = [(kind, run) for kind, run in choices if kind in _SCORES]
        scores = ("model", run)
        if wanted == "target":
            record = next(head.record for head in self.visible_heads if head.choice[0] in _SCORES)
            assert record is not None
            scores = (scores_view(declared_target(record.algorithm)), run)
        choices[at] = (wanted, run)
        choices[choices.index(own[0])] = scores
        self.set_choices(choices)
        self.changed.emit()

    def remove_pane(self, at: int) -> None:
        choices = [head.choice for head in self.visible_heads]
        if len(choices) > 1:
            self.set_choices(choices[:at] + choices[at + 1 :])
            self.changed.emit()

    def offer_runs(self) -> bool:
        """Update the list of runs; returns whether a pane lost its run."""
        lost = [head.offer_runs() for head in self.all]
        return any(lost)
