"""What is known of a word, as pairs of a name and a value, and as rows of its parts."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from workbench.analysis.contexts import Contexts
from workbench.analysis.inspection import Inspection
from workbench.ui.measures import lettered
from workbench.ui.text import MINUS, count, decimal, plural, short
from workbench.ui.theme import SPACE_1, SPACE_3
from workbench.ui.widgets.row_list import Row

_MOST = 8
_RULES = {"word2vec": "word2vec’s rule", "paper": "the paper’s rule"}


def facts_of(found: Inspection, model: str) -> list[tuple[str, str, str]]:
    """Name, value, and what is said of it at more length."""
    facts: list[tuple[str, str, str]] = []
    text, training = found.text, found.training
    if text is not None:
        facts += [
            ("Count", f"{count(text.count)} of {short(text.tokens)} tokens", f"Of {count(text.tokens)} tokens"),
            ("Rank", f"{count(text.rank)} of {count(text.types)}", "1 is the most frequent word of the corpus"),
            ("Share", f"{decimal(100 * text.share, 3)} %", f"Once in {count(round(1 / text.share))} tokens"),
        ]
    else:
        facts.append(("Count", "not in the open corpus", ""))
    if training is not None and training.sample is not None and training.kept is not None:
        rule = _RULES.get(training.formula, training.formula)
        kept = f"{decimal(100 * training.kept, 3)} %"
        if training.sample > 0:
            facts.append(("Kept", f"{kept} at t = {decimal(training.sample, 2)}", f"By subsampling, {rule}"))
        else:
            facts.append(("Kept", f"{kept}: no subsampling", "This run keeps every token (t = 0)"))
    if training is not None and training.exponent is not None and training.noise is not None:
        value = f"{decimal(100 * training.noise, 3)} % at α = {decimal(training.exponent, 3)}"
        facts.append(("Noise", value, "Probability of being drawn as a negative sample"))
    if found.model is not None:
        vector = f"{decimal(found.model.norm, 3)}, longer than {100 * found.model.shorter:.0f} %"
        told = f"Euclidean length in {model}: {100 * found.model.shorter:.1f} % of its words have shorter vectors"
        facts.append(("Length", vector, told))
        if text is None or found.model.size != text.types:
            told = f"Rank in the vocabulary of {model}"
            facts.append(("In model", f"rank {count(found.model.rank)} of {count(found.model.size)}", told))
    return facts


def context_rows(contexts: Contexts) -> list[Row]:
    """A context with how often it stands in the word's windows, and its PMI."""
    return [
        Row(
            one.word,
            (count(one.times), f"{one.pmi:.1f}".replace("-", MINUS)),
            key=one.word,
            tip=f"{one.word}: {plural(one.times, 'time')} in the window, weighted {decimal(one.count, 4)}, "
            f"PMI {decimal(one.pmi, 3)} nats",
        )
        for one in contexts.shown
    ]


def ngram_rows(found: Inspection) -> list[Row]:
    """The parts of the vector, greatest first; their shares sum to its length."""
    most = max((abs(part.share) for part in found.ngrams), default=0.0) or 1.0
    return [
        Row(
            part.text,
            (f"{part.share:.2f}".replace("-", MINUS),),
            part.share / most,
            "itself" if part.bucket < 0 else "",
            tip=f"{part.text} adds {decimal(part.share, 3)} to the length of the vector"
            + (f" (bucket {count(part.bucket)})" if part.bucket >= 0 else ""),
        )
        for part in sorted(found.ngrams, key=lambda part: -part.share)
    ]


def path_rows(found: Inspection) -> list[Row]:
    """The decisions from the root down; a row is picked by the most frequent word on the other side."""
    if found.path is None:
        return []
    return [
        Row(
            str(branch.code),
            (short(branch.tokens),),
            branch.share,
            branch.other,
            branch.other,
            f"Step {step}: {count(branch.tokens)} tokens are below this node, {100 * branch.share:.1f} % of them on "
            f"the side taken ({branch.code}); “{branch.other}” is the most frequent word on the other",
        )
        for step, branch in enumerate(found.path.branches, start=1)
    ]


def path_summary(found: Inspection) -> str:
    """The code, and its length beside what it approaches."""
    if found.path is None:
        return ""
    steps = plural(len(found.path.branches), "step")
    return f"{found.path.code}: {steps}, where the word’s share of the tokens is worth {found.path.bits:.1f} bits"


class WordFacts(QWidget):
    """The facts, one under another."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setAccessibleName("Facts about the word")
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(SPACE_3)
        grid.setVerticalSpacing(SPACE_1)
        grid.setColumnStretch(1, 1)
        self._rows: list[tuple[QLabel, QLabel]] = []
        for line in range(_MOST):
            name_label, value = QLabel(), QLabel()
            name_label.setProperty("role", "muted")
            lettered(value, tabular=True)
            value.setWordWrap(True)
            value.setTextFormat(Qt.TextFormat.PlainText)
            value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            grid.addWidget(name_label, line, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(value, line, 1)
            self._rows.append((name_label, value))

    @property
    def shown(self) -> dict[str, str]:
        """Names and values that are shown."""
        return {name.text(): value.text() for name, value in self._rows if name.text()}

    def put(self, found: Inspection, model: str) -> None:
        """Show what is known of another word."""
        facts = facts_of(found, model)
        for number, (name, value) in enumerate(self._rows):
            there = number < len(facts)
            for label, text in ((name, facts[number][0] if there else ""), (value, facts[number][1] if there else "")):
                if label.text() != text:
                    label.setText(text)
                label.setVisible(there)
            if there:
                name.setToolTip(facts[number][2])
                value.setToolTip(facts[number][2])
