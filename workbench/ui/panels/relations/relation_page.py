"""The page of a relation: its pairs, the agreement of their offsets, and the answers of the mean
offset.
"""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from workbench.analysis.analogy.offsets import Applied, Relation
from workbench.core.language import tr
from workbench.core.table_export import to_csv
from workbench.ui import kit
from workbench.ui.base.elided import ElidedLabel
from workbench.ui.base.panel import Panel
from workbench.ui.base.plain_text import safe_tip
from workbench.ui.base.text import count, mark_unknown, plural, true_minus
from workbench.ui.base.theme import SPACE_1, SPACE_2, SPACE_4, set_property
from workbench.ui.panels.relations.offsets_view import OffsetsView
from workbench.ui.panels.relations.pair_list import PairList, pair_description
from workbench.ui.widgets.inputs.word_field import WordField
from workbench.ui.widgets.layout.result_view import ResultView
from workbench.ui.widgets.tables.score_list import ScoreFlow


class RelationPage(QWidget):
    """Draws one :class:`Relation`, or shows what to do instead."""

    title = tr("Offsets of a relation")

    def __init__(self, panel: Panel) -> None:
        super().__init__()
        theme = panel.theme
        self.name = ""
        self.relation: Relation | None = None
        self.applied: Applied | None = None
        self.pairs = PairList(theme)
        self.view = OffsetsView(theme)
        self.fact = ElidedLabel(lines=2)
        self.readout = kit.with_role(kit.ElidedLabel(lines=2), "muted")
        self.word = WordField()
        self.word.setPlaceholderText(tr("a word"))
        kit.set_scaled_size(self.word, most_width=132)
        self.answers = ScoreFlow(theme)
        self.problem = kit.label(
            tr("Type a word to apply the relation to it."), role="muted", wrap=True
        )
        self.pairs.pointed.connect(self._point_at)
        self.view.pointed.connect(self._point_at)
        self._build(panel)
        self.result.on_clear(self._clear)
        self.notice = self.result.notice

    def _build(self, panel: Panel) -> None:
        list_heading = _heading(tr("PAIRS, OUTLIERS FIRST"), _LIST_TIP)
        self._plane_heading = _heading(tr("OFFSETS FROM ONE ORIGIN"), _VIEW_TIP)
        left = kit.column(list_heading, kit.stretch(self.pairs), gap=SPACE_1)
        right = kit.column(self._plane_heading, kit.stretch(self.view), gap=SPACE_1)
        sides = kit.row(kit.stretch(left, 5), kit.stretch(right, 6), gap=SPACE_4)
        question = kit.row(
            kit.label(tr("Apply to")),
            self.word,
            kit.label(tr("+ mean  =")),
            kit.stretch(kit.set_scaled_size(self.answers, least_width=120)),
            kit.stretch(self.problem),
        )
        self.answers.hide()
        page = kit.column(self.fact, kit.stretch(sides), self.readout, question, gap=SPACE_1)
        job, notice = f"{panel.key}.offsets", f"{panel.key}.relation"
        self.result = ResultView(panel, job, notice, kit.box(page))
        kit.fill(self, kit.column(kit.stretch(self.result), margins=(0, SPACE_2, 0, 0)))

    def put(self, relation: Relation, name: str) -> None:
        """Show another relation."""
        self.name, self.relation = name, relation
        self.pairs.put(relation)
        self.view.put(relation)
        self.view.headings = (name, facts(relation))
        self.fact.put(facts(relation))
        self._plane_heading.put(
            tr(
                "OFFSETS FROM ONE ORIGIN, {explained:.0%} IN THIS PLANE",
                explained=relation.explained,
            )
        )
        self.fact.setToolTip(safe_tip(f"{facts(relation)}\n{_facts_tip(relation)}"))
        self._point_at(-1)

    def _clear(self) -> None:
        """Forget the relation, in whose place a message is shown."""
        self.relation = None
        self.pairs.put(None)
        self.view.put(None)

    @property
    def lack(self) -> str:
        """The title of the message in place of the page, "" if there is none."""
        return self.result.lack

    def answer(self, applied: Applied) -> None:
        """Show the answers of the mean offset for a word."""
        self.applied = applied
        self.answers.set_scores(
            [one.word for one in applied.answers], [one.score for one in applied.answers]
        )
        held, description = "", ""
        if applied.left_out:
            held = tr(" without its own pair")
        if applied.answers:
            description = tr(
                "{word} + mean offset = {answer}", word=applied.word, answer=applied.answers[0].word
            )
        self.answers.setToolTip(
            safe_tip(
                tr(
                    "{word} + mean of {offsets}{held} (3CosAvg)",
                    word=applied.word,
                    offsets=plural(applied.averaged, "offset"),
                    held=held,
                )
            )
        )
        self.answers.setAccessibleDescription(description)
        self.word.mark(True)
        self.problem.hide()
        self.answers.show()

    def no_answer(self, text: str, *, is_error: bool = False) -> None:
        self.applied = None
        self.answers.set_scores((), ())
        self.answers.hide()
        self.problem.setText(text)
        role = "error" if is_error else "muted"
        set_property(self.problem, "role", role)
        self.problem.show()

    def mark(self, place: int) -> None:
        """Mark a pair as picked in the list and the figure, −1 for none."""
        self.pairs.mark(place)
        self.view.mark(place)

    def _point_at(self, place: int | None) -> None:
        if place is None:
            place = -1
        self.view.set_pointed(place)
        if self.relation is None:
            return
        if 0 <= place < len(self.relation.offsets):
            self.readout.put(pair_description(self.relation.offsets[place], self.relation.top))
        else:
            self.readout.put(
                tr("Click a pair to solve it as an analogy with the most typical other pair.")
            )

    # -- export

    def table(self) -> str:
        """One line per pair, in the order of the list, as CSV."""
        if self.relation is None:
            return ""
        rows = [self.relation.offsets[at] for at in self.pairs.order]
        return to_csv(
            [
                "first",
                "second",
                "cosine with mean",
                "mean cosine with others",
                "length",
                "rank by others",
                "x",
                "y",
            ],
            [[o.a, o.b, o.cosine, o.agreement, o.length, o.rank or None, *o.place] for o in rows],
        )


_LIST_TIP = tr(
    "Bar and number: cosine of the pair’s offset with the mean of all offsets. ✓ or #: "
    "rank of the second word among the answers to first word + mean offset of the other "
    "pairs (3CosAvg, Drozd et al. 2016)."
)
_VIEW_TIP = tr(
    "Each line is an offset b − a of unit vectors, drawn on their two leading principal "
    "directions about the origin. The thick arrow is their mean. Offsets that agree point "
    "the same way."
)


def facts(relation: Relation) -> str:
    """The numbers of a relation on one line."""
    right = sum(one.rank == 1 for one in relation.offsets)
    parts = [plural(len(relation.offsets), "pair")]
    if relation.left_out:
        parts[0] += tr(" ({count} left out)", count=count(len(relation.left_out)))
    parts.append(
        tr(
            "mean cosine {agreement}, shuffled {shuffled}",
            agreement=_two_digits(relation.agreement),
            shuffled=_two_digits(relation.shuffled),
        )
    )
    parts.append(
        tr("pairing consistency {consistency}", consistency=_two_digits(relation.consistency))
    )
    parts.append(tr("{right} correct by the others’ mean", right=count(right)))
    return " · ".join(parts)


@mark_unknown
def _two_digits(value: float) -> str:
    return true_minus(f"{value:.2f}")


def _facts_tip(relation: Relation) -> str:
    left_out = ", ".join(f"{a} → {b}" for a, b in relation.left_out[:6])
    more = " …" if len(relation.left_out) > 6 else ""
    lines = [
        tr(
            "Mean cosine: mean over all pairs of different offsets. Shuffled: the same "
            "after the second words are permuted, so only the two word classes can explain "
            "it."
        ),
        tr(
            "Pairing consistency (Fournier, Dupoux and Dunbar 2020): how often the cosine "
            "of two true offsets exceeds that of two shuffled offsets. {consistency:.3f} ± "
            "{spread:.3f} over {permutations} permutations that move every second word, "
            "seed {seed}. 0.5 is chance.",
            consistency=relation.consistency,
            spread=relation.spread,
            permutations=relation.permutations,
            seed=relation.seed,
        ),
    ]
    if left_out:
        lines.append(
            tr(
                "Left out because a word is unknown or a vector is zero: {left_out}{more}",
                left_out=left_out,
                more=more,
            )
        )
    return "\n".join(lines)


def _heading(text: str, tip: str) -> kit.ElidedLabel:
    heading = kit.with_role(kit.ElidedLabel(text, tells=False), "heading")
    heading.setToolTip(safe_tip(tip))
    heading.setIndent(SPACE_2)
    return heading
