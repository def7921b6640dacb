"""Facts about a word as name and value pairs, and as rows of its parts."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel, QWidget

from workbench.analysis.neighbours.shared_contexts import Contexts
from workbench.analysis.neighbours.word_facts import (
    Inspection,
    ModelFacts,
    TextFacts,
    TrainingFacts,
)
from workbench.core.language import percent, tr, trc
from workbench.ui import kit
from workbench.ui.base.plain_text import safe_tip
from workbench.ui.base.scaling import set_text_role
from workbench.ui.base.text import count, decimal, plural, short_number, true_minus
from workbench.ui.base.theme import SPACE_1, SPACE_3
from workbench.ui.widgets.tables.row_list import ListRow

_MOST = 8
_RULES = {"word2vec": tr("word2vec’s rule"), "paper": tr("the paper’s rule")}


_Fact = tuple[str, str, str]


def facts_of(found: Inspection, model: str) -> list[_Fact]:
    """Name, value, and explanation of each fact."""
    facts = [(trc("noun", "Count"), tr("not in the open corpus"), "")]
    if found.text is not None:
        facts = _facts_of_text(found.text)
    if found.training is not None:
        facts += _facts_of_training(found.training)
    if found.model is not None:
        of_all = found.text is not None and found.model.size == found.text.types
        facts += _facts_of_model(found.model, model, of_all)
    # Allow a line break before a number, but not between it and its sign.
    return [(name, value.replace(" %", "\u00a0%"), tip) for name, value, tip in facts]


def _facts_of_text(text: TextFacts) -> list[_Fact]:
    return [
        (
            trc("noun", "Count"),
            tr(
                "{count} of {tokens} tokens",
                count=count(text.count),
                tokens=short_number(text.tokens),
            ),
            tr("Of {tokens} tokens", tokens=count(text.tokens)),
        ),
        (
            tr("Rank"),
            tr("{rank} of {types}", rank=count(text.rank), types=count(text.types)),
            tr("1 = most frequent word in the corpus"),
        ),
        (
            tr("Share"),
            percent(decimal(100 * text.share, 3)),
            tr("Once in {count} tokens", count=count(round(1 / text.share))),
        ),
    ]


def _facts_of_training(training: TrainingFacts) -> list[_Fact]:
    facts = []
    if training.sample is not None and training.kept is not None:
        rule = _RULES.get(training.formula, training.formula)
        kept = percent(decimal(100 * training.kept, 3))
        if training.sample > 0:
            facts.append(
                (
                    tr("Kept"),
                    tr("{kept} at t = {decimal}", kept=kept, decimal=decimal(training.sample, 2)),
                    tr("By subsampling, {rule}", rule=rule),
                )
            )
        else:
            facts.append(
                (
                    tr("Kept"),
                    tr("{kept}: no subsampling", kept=kept),
                    tr("This run keeps every token (t = 0)"),
                )
            )
    if training.exponent is not None and training.noise is not None:
        value = tr(
            "{share}% at α = {alpha}",
            share=decimal(100 * training.noise, 3),
            alpha=decimal(training.exponent, 3),
        )
        facts.append((tr("Noise"), value, tr("Probability of being drawn as a negative sample")))
    return facts


def _facts_of_model(found: ModelFacts, model: str, of_all: bool) -> list[_Fact]:
    """of_all : the vocabulary of the model is that of the open corpus"""
    vector = tr(
        "{decimal}, larger than {value:.0f}%",
        decimal=decimal(found.norm, 3),
        value=100 * found.shorter,
    )
    tip = tr(
        "Euclidean norm in {model}: {value:.1f}% of its words have a smaller norm",
        model=model,
        value=100 * found.shorter,
    )
    if not found.norm:
        vector = tr("0: no vector")
        tip = tr("Zero in {model}: there are no data for this word", model=model)
    facts = [(tr("Norm"), vector, tip)]
    if not of_all:
        tip = tr("Rank in the vocabulary of {model}", model=model)
        facts.append(
            (
                tr("In model"),
                tr(
                    "rank {rank} of {size}",
                    rank=count(found.rank),
                    size=count(found.size),
                ),
                tip,
            )
        )
    return facts


def context_rows(contexts: Contexts) -> list[ListRow]:
    """Each context with its PMI and its count in the word's windows, or its total count if only
    that is known.
    """
    return [
        ListRow(
            one.word,
            (
                decimal(one.count, 3) if contexts.counted else count(one.times),
                true_minus(f"{one.pmi:.1f}"),
            ),
            key=one.word,
            tip=tr(
                "{word}: count {weighted}, PMI {pmi} nats",
                word=one.word,
                weighted=decimal(one.count, 4),
                pmi=decimal(one.pmi, 3),
            )
            if contexts.counted
            else tr(
                "{word}: {times} in the window, weighted {weighted}, PMI {pmi} nats",
                word=one.word,
                times=plural(one.times, "time"),
                weighted=decimal(one.count, 4),
                pmi=decimal(one.pmi, 3),
            ),
        )
        for one in contexts.shown
    ]


def path_rows(found: Inspection) -> list[ListRow]:
    """The decisions from the root down; a click on a row picks the most frequent word on the other
    side.
    """
    if found.path is None:
        return []
    return [
        ListRow(
            str(branch.code),
            (short_number(branch.tokens),),
            branch.share,
            branch.other,
            branch.other,
            tr(
                "Step {step}: {tokens} tokens are below this node, {value:.1f}% of them on "
                "the chosen side ({code}). The most frequent word on the other side is "
                "“{other}”.",
                step=step,
                tokens=count(branch.tokens),
                value=100 * branch.share,
                code=branch.code,
                other=branch.other,
            ),
        )
        for step, branch in enumerate(found.path.branches, start=1)
    ]


def path_summary(found: Inspection) -> str:
    """Code of the word, and its length against the entropy limit."""
    if found.path is None:
        return ""
    steps = plural(len(found.path.branches), "step")
    return tr(
        "{code}: {steps}; the word’s share of the tokens corresponds to {bits:.1f} bits",
        code=found.path.code,
        steps=steps,
        bits=found.path.bits,
    )


class WordFacts(QWidget):
    """List of facts, one below another."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setAccessibleName(tr("Facts about the word"))
        self._rows: list[tuple[QLabel, QLabel]] = [
            (
                kit.label(role="muted"),
                set_text_role(kit.label(wrap=True, selectable=True), tabular=True),
            )
            for _ in range(_MOST)
        ]
        rows = [(kit.at_top(name_label), value) for name_label, value in self._rows]
        kit.fill(self, kit.grid(*rows, gap=SPACE_3, row_gap=SPACE_1, shares=(0, 1)))

    @property
    def visible_facts(self) -> dict[str, str]:
        """The names and values shown."""
        return {name.text(): value.text() for name, value in self._rows if name.text()}

    def set_facts(self, found: Inspection, model: str) -> None:
        """Show the facts of another word."""
        facts = facts_of(found, model)
        for number, (name, value) in enumerate(self._rows):
            there = number < len(facts)
            for label, text in (
                (name, facts[number][0] if there else ""),
                (value, facts[number][1] if there else ""),
            ):
                if label.text() != text:
                    label.setText(text)
                label.setVisible(there)
            if there:
                name.setToolTip(safe_tip(facts[number][2]))
                value.setToolTip(safe_tip(facts[number][2]))
