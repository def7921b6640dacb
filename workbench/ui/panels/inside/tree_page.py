"""The softmax tree of the active model: the path to a word with its probabilities, and a picture of
the tree.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from workbench.analysis.theory.tree_view import TreeView, has_nodes, look_at_tree
from workbench.core.language import percent, tr
from workbench.core.table_export import Cell, to_csv
from workbench.ui import kit
from workbench.ui.base.exporter import Exporter
from workbench.ui.base.panel import Panel
from workbench.ui.base.panel_state import PanelState, choice
from workbench.ui.base.text import decimal, plural, short_number, true_minus
from workbench.ui.export.export_actions import Export
from workbench.ui.panels.inside.tree_picture import TreePicture
from workbench.ui.widgets.layout.panel_tab import Instrument
from workbench.ui.widgets.tables.row_list import ListRow, RowList

# Rank of the word whose path is shown if no word is selected.
_SOME = 20
# Range of the first level until the depth of the tree is known.
_DEEPEST = 99
_WIDEST = 720


@dataclass(frozen=True)
class TreeState(PanelState):
    """word : whose path is shown; given : the word that predicts it; begin : first level shown
    levels : number of levels
    """

    word: str = choice("")
    given: str = choice("")
    begin: int = choice(0, low=0)
    levels: int = choice(5, low=1, high=10)


class TreePage(Instrument):
    """The path to the selected or typed word, and its prediction from a context word."""

    local = "tree"
    state_kind = TreeState
    view_state: TreeState

    def __init__(self, panel: Panel) -> None:
        super().__init__(panel)
        self.word = self.named(
            QLineEdit(),
            "word",
            tr("Word whose path is shown"),
            tr("Word whose path is shown. Press Return to show it."),
        )
        self.word.setPlaceholderText(tr("word"))
        self.given = self.named(
            QLineEdit(),
            "given",
            tr("Context word of the prediction"),
            tr("Press Return to compute the probability."),
        )
        self.given.setPlaceholderText(tr("no word"))
        self.begin = self.named(
            kit.IntBox.of(0, _DEEPEST, 0, tracking=True),
            "begin",
            tr("First level shown"),
            tr("Number of steps from the root to the first level shown"),
        )
        self.begin.setPrefix(tr("from level "))
        self.levels = self.named(
            kit.IntBox.of(1, 10, 5, suffix=tr(" levels"), tracking=True),
            "levels",
            tr("Levels shown"),
            tr("Number of tree levels shown"),
        )
        for number in (self.begin, self.levels):
            kit.set_scaled_size(number, width=112)
        self.picture = self.named(
            TreePicture(self.theme), "picture", tr("The upper levels of the tree")
        )
        self.path = RowList(self.theme, f"{self.key}.path", tr("Decisions on the path to the word"))
        # A label that wraps needs its height for a width, which a column in a scroll area sets too
        # late.
        self.fact = self.named(kit.ElidedLabel(lines=3), "fact", tr("Summary of the path"))
        self.saved = self.picture.offer_files(
            self.session, tr("The softmax tree"), "tree", self.table
        )
        kit.add(
            self.controls,
            kit.label(tr("Path to"), role="muted"),
            kit.stretch(self.word),
            kit.label(tr("given"), role="muted"),
            kit.stretch(self.given),
            self.begin,
            self.levels,
            kit.export_button(self, self._current_export),
        )
        # Lines no wider than is easy to read.
        fact, path = _narrow_row(self.fact), _narrow_row(self.path)
        kit.fill(self.content, kit.column(kit.stretch(self.picture, 3), fact, kit.stretch(path, 4)))
        self._connect()

    def _connect(self) -> None:
        for field, name in ((self.word, "word"), (self.given, "given")):
            self.bind(field, name, by=[field.returnPressed])
        self.bind(self.begin, "begin")
        self.bind(self.levels, "levels")
        self.picture.picked.connect(lambda word: self.session.selection.select([word]))
        self.picture.entered.connect(self._begin_at_node)
        self.picture.moved.connect(lambda step: self.begin.setValue(self.begin.value() + step))
        self.picture.deeper.connect(lambda step: self.levels.setValue(self.levels.value() + step))
        self.path.picked.connect(lambda word: self.session.selection.select([word]))
        self.panel.follow(self.session.selection.changed, self._selection_changed)
        self.panel.follow(self.session.active.changed, self.refresh)

    def _selection_changed(self) -> None:
        word = self.session.selection.focus
        if word is None or word == self.view_state.word:
            return
        # The previous word predicts the new one.
        given = self.view_state.word
        if len(self.session.selection.words) > 1:
            given = self.session.selection.words[-2]
        self.view_state = self.view_state.replace(word=word, given=given or self.view_state.given)

    def state_changed(self, before: TreeState, after: TreeState) -> None:
        self.refresh()

    def refresh(self) -> None:
        if not self.isVisible():
            return
        if not self.view_state.word and self.session.selection.focus is not None:
            self._name_word(self.session.selection.focus)
        self._look_at_tree()

    def _name_word(self, word: str) -> None:
        """Choose a word in place of none."""
        with self.bound.showing():
            self.view_state = self.view_state.replace(word=word)

    def _look_at_tree(self) -> None:
        embeddings = self.session.active.trained
        if embeddings is None:
            return
        if embeddings.counts is None:
            self.show_message(
                tr("These vectors have no word counts"),
                tr("The tree is built from counts. Train a model to see its tree."),
                self.panel.first_step(),
            )
            return
        if not self.view_state.word.strip():
            # Any word, so that there is a path to see before a word is selected.
            self._name_word(embeddings.words[min(_SOME, len(embeddings) - 1)])
        word, given = self.view_state.word.strip(), self.view_state.given.strip()
        begin, levels = self.view_state.begin, self.view_state.levels
        self.work_quietly(
            (embeddings, word, given, begin, levels),
            tr("The path to “{word}”", word=word),
            lambda run: look_at_tree(embeddings, word, given, begin, levels),
            self._show_tree,
        )

    def _show_tree(self, view: TreeView) -> None:
        with self.bound.showing():
            self.begin.setRange(0, max(len(view.turns) - 1, 0))
            self.begin.setValue(view.begin)
        self.picture.put(view)
        embeddings = self.session.active.trained
        known = view.probability is not None
        product, rows = 1.0, []
        for number, turn in enumerate(view.turns, start=1):
            taken = turn.probability if turn.probability is not None else turn.share
            product *= taken
            numbers = [short_number(turn.tokens), percent(true_minus(f"{100 * turn.share:.1f}"))]
            if known:
                numbers.append(true_minus(f"{taken:.3f}"))
            numbers.append(decimal(product, 3))
            tip = tr(
                "Step {number}, node {node}: branch {branch}, away from “{other}”",
                number=number,
                node=turn.node,
                branch=turn.branch,
                other=turn.other,
            )
            text = tr("{branch}   node {node}", branch=turn.branch, node=turn.node)
            rows.append(
                ListRow(
                    text,
                    tuple(numbers),
                    taken,
                    tr("not {other}", other=turn.other),
                    turn.other,
                    tip,
                )
            )
        heads = [tr("branch"), tr("tokens"), tr("share"), tr("product")]
        if known:
            heads.insert(3, "σ")
        self.path.put(tuple(heads), rows)
        self.fact.put(_path_summary(view, embeddings is not None and has_nodes(embeddings)))

    def _begin_at_node(self, node: int) -> None:
        """Start the picture at a node on the path to the word."""
        view = self.picture.view
        if view is not None:
            nodes = [turn.node for turn in view.turns]
            if node in nodes:
                self.begin.setValue(nodes.index(node))

    # -- export

    def exporters(self) -> Sequence[Exporter]:
        return (self.saved,)

    def _current_export(self) -> Export | None:
        if self.picture.view is None:
            return None
        return self.saved

    def table(self) -> str:
        """The path as CSV, one decision per line."""
        view = self.picture.view
        rows: list[list[Cell]] = []
        if view is not None:
            for number, turn in enumerate(view.turns, start=1):
                numbers = turn.tokens, turn.share, turn.probability
                rows.append([number, turn.node, turn.branch, *numbers, turn.other])
        return to_csv(
            ["step", "node", "branch", "tokens", "share", "probability", "other side"], rows
        )


def _narrow_row(widget: QWidget) -> QHBoxLayout:
    kit.set_scaled_size(widget, most_width=_WIDEST)
    return kit.row(kit.stretch(widget), kit.stretch())


def _path_summary(view: TreeView, nodes: bool) -> str:
    steps = plural(len(view.turns), "step")
    bits = -math.log2(view.share)
    text = tr(
        "{word}: {code}, {steps}. The word’s share of the tokens corresponds to {bits:.1f} bits.",
        word=view.word,
        code=view.code,
        steps=steps,
        bits=bits,
    )
    if view.probability is not None:
        return tr(
            "{text} P({word} | {given}) = {probability}, {times} times the word’s share of "
            "the corpus.",
            text=text,
            word=view.word,
            given=view.given,
            probability=decimal(view.probability, 4),
            times=decimal(view.probability / view.share, 3),
        )
    if nodes:
        return tr(
            "{text} Enter a context word to see the probability of each decision.",
            text=text,
        )
    return tr(
        "{text} The product of the shares is {product}. Only hierarchical softmax learns "
        "node vectors.",
        text=text,
        product=decimal(view.share, 3),
    )
