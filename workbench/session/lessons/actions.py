"""Actions of lesson steps: one declaration per directive, which parses its line."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.core.params import Value
from workbench.corpus.samples import SAMPLES
from workbench.models.base import MODELS
from workbench.models.params import ModelParams

LABEL = re.compile(r"[a-z][a-z0-9-]*")
_BRACED = re.compile(r"\{([a-z][a-z0-9-]*)\}")
_WIDGET = re.compile(r"[a-z]+(\.[a-zA-Z0-9_-]+)+")
_ANALOGY = re.compile(r"(\S+) [-−] (\S+) \+ (\S+)")
_PANELS = Path(__file__).resolve().parents[2] / "ui" / "panels"


@dataclass(frozen=True)
class LessonAction:
    """``line`` is its line in the lesson's file, from 1."""

    line: int

    @property
    def labels(self) -> tuple[str, ...]:
        """Labels of the runs that the action uses."""
        return ()


@dataclass(frozen=True)
class Open(LessonAction):
    """Open a corpus. ``corpus`` is the key of a bundled one, or an absolute path."""

    corpus: str


@dataclass(frozen=True)
class SettingsAction(LessonAction):
    """Values for the form of an algorithm."""

    algorithm: str
    values: Mapping[str, Value]


@dataclass(frozen=True)
class Train(LessonAction):
    """Train a run. ``named`` is its name in the header of the lesson, or ""."""

    label: str
    algorithm: str
    values: Mapping[str, Value]
    named: str = field(default="", compare=False)

    @property
    def labels(self) -> tuple[str, ...]:
        return (self.label,)

    @property
    def params(self) -> ModelParams:
        return MODELS[self.algorithm].params_type.from_mapping(dict(self.values))

    @property
    def title(self) -> str:
        """The name of the run in the list."""
        return self.named or self.label.replace("-", " ")


@dataclass(frozen=True)
class View(LessonAction):
    label: str

    @property
    def labels(self) -> tuple[str, ...]:
        return (self.label,)


@dataclass(frozen=True)
class Compare(LessonAction):
    first: str
    second: str

    @property
    def labels(self) -> tuple[str, ...]:
        return self.first, self.second


@dataclass(frozen=True)
class Show(LessonAction):
    panel: str


@dataclass(frozen=True)
class Select(LessonAction):
    words: tuple[str, ...]


@dataclass(frozen=True)
class Ask(LessonAction):
    a: str
    b: str
    c: str


@dataclass(frozen=True)
class LinesAction(LessonAction):
    word: str
    near: str


@dataclass(frozen=True)
class Put(LessonAction):
    """Put a value into a control. ``value`` may contain the label of a run in braces."""

    widget: str
    value: str

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(_BRACED.findall(self.value))


@dataclass(frozen=True)
class Press(LessonAction):
    widget: str


@dataclass(frozen=True)
class Highlight(LessonAction):
    widget: str


@dataclass(frozen=True)
class FigureAction(LessonAction):
    """Picture of a ``widget``, a panel or a part of one, for the report, with a caption."""

    widget: str
    caption: str


@dataclass(frozen=True)
class LinePlace:
    """The context of a line: everything that the line may refer to."""

    line: int
    folder: Path


@dataclass(frozen=True)
class Directive:
    """Declaration of a directive: ``form`` is its syntax, ``example`` a valid line, ``doc`` its
    effect.
    """

    name: str
    form: str
    example: str
    doc: str
    read: Callable[[str, LinePlace], LessonAction]


A = TypeVar("A", bound=LessonAction)
DIRECTIVES: dict[str, Directive] = {}


def directive(
    form: str, example: str, doc: str
) -> Callable[[Callable[[str, LinePlace], A]], Callable[[str, LinePlace], A]]:
    """Declare a function that reads the text after the name of a directive. The function has the
    name of the directive.
    """

    def declare(read: Callable[[str, LinePlace], A]) -> Callable[[str, LinePlace], A]:
        name = read.__name__.strip("_")
        DIRECTIVES[name] = Directive(name, form, example, doc, read)
        return read

    return declare


def read_action(line: str, place: LinePlace) -> LessonAction:
    """One line of a “do” block. Raises UserError."""
    name, _, rest = line.strip().partition(" ")
    found = DIRECTIVES.get(name)
    if found is None:
        raise UserError(
            tr("Unknown directive “{name}”.", name=name),
            tr("Choose one of: {names}.", names=", ".join(DIRECTIVES)),
        )
    return found.read(rest.strip(), place)


@directive(
    "open CORPUS",
    "open small-world",
    "Opens a bundled corpus by its key, or a text file in the lesson’s folder by its name. All "
    "later steps train and measure on this corpus.",
)
def open_(rest: str, place: LinePlace) -> Open:
    if not rest:
        raise UserError(
            tr("“open” needs a corpus."),
            tr("Write one of: {names}. Or name a text file.", names=", ".join(SAMPLES)),
        )
    if rest in SAMPLES:
        return Open(place.line, rest)
    path = (place.folder / rest).resolve()
    if not path.is_file():
        raise UserError(
            tr(
                "“{rest}” is neither a bundled corpus nor a file in the lesson’s folder.",
                rest=rest,
            ),
            tr(
                "Write one of: {names}. Or copy the text file to the lesson’s folder.",
                names=", ".join(SAMPLES),
            ),
        )
    return Open(place.line, str(path))


@directive(
    "settings ALGORITHM name=value …",
    "settings sgns window=2 dim=50",
    "Chooses an algorithm in the Train panel and fills in its form. Settings that aren’t named "
    "keep their defaults. Doesn’t start a training.",
)
def settings(rest: str, place: LinePlace) -> SettingsAction:
    return SettingsAction(place.line, *_algorithm(rest))


@directive(
    "train LABEL: ALGORITHM name=value …",
    "train near: sgns window=1 dim=50 epochs=3 seed=1 threads=1",
    "Trains with these settings, waits until the training has finished, and activates the run. "
    "Measures and other directives refer to the run by its label. Reuses a run with the same "
    "settings. If a claim depends on the run, set seed=1 and threads=1, so that every reader "
    "gets the same numbers.",
)
def train(rest: str, place: LinePlace) -> Train:
    label, colon, what = rest.partition(":")
    if not colon or not LABEL.fullmatch(label.strip()):
        raise UserError(
            tr(
                "“train” needs a label (lowercase letters, digits and hyphens) followed by a colon."
            ),
            tr("Write, for example: train near: sgns window=1."),
        )
    return Train(place.line, label.strip(), *_algorithm(what))


@directive("view LABEL", "view near", "Activates a run that was trained before.")
def view(rest: str, place: LinePlace) -> View:
    if not LABEL.fullmatch(rest):
        raise UserError(
            tr("“view” needs the label of one run."), tr("Write, for example: view near.")
        )
    return View(place.line, rest)


@directive(
    "compare LABEL LABEL",
    "compare near far",
    "Chooses two runs in the Compare panel. Add “show compare” to show the panel.",
)
def compare(rest: str, place: LinePlace) -> Compare:
    labels = rest.split()
    if (
        len(labels) != 2
        or labels[0] == labels[1]
        or not all(LABEL.fullmatch(label) for label in labels)
    ):
        raise UserError(
            tr("“compare” needs the labels of two runs."),
            tr("Write, for example: compare near far."),
        )
    return Compare(place.line, *labels)


@directive("show PANEL", "show neighbours", "Brings a panel to the front, by its key.")
def show(rest: str, place: LinePlace) -> Show:
    _check_panel(rest)
    return Show(place.line, rest)


@directive(
    "select WORD …", "select king queen", "Selects words everywhere; the last one is in focus."
)
def select(rest: str, place: LinePlace) -> Select:
    return Select(place.line, tuple(rest.split()))


@directive("ask A - B + C", "ask king - man + woman", "Solves an analogy in the analogy bar.")
def ask(rest: str, place: LinePlace) -> Ask:
    found = _ANALOGY.fullmatch(rest)
    if found is None:
        raise UserError(
            tr("“ask” needs an analogy of the form a - b + c, with spaces."),
            tr("Write: ask king - man + woman."),
        )
    return Ask(place.line, *found.groups())


@directive(
    "lines WORD [NEAR]",
    "lines king throne",
    "Shows the lines of the text that contain a word, or that word near a second one.",
)
def lines(rest: str, place: LinePlace) -> LinesAction:
    words = rest.split()
    if len(words) not in (1, 2):
        raise UserError(tr("“lines” needs one or two words."), tr("Write: lines king throne."))
    return LinesAction(place.line, words[0], words[1] if len(words) == 2 else "")


@directive(
    "set WIDGET VALUE",
    "set matrix.source The most frequent",
    "Puts a value into a control of a panel, as if you typed or chose it: a choice by its text, "
    "a number, on or off, or words. The label of a run in braces, as in {near}, stands for the "
    "name of the run in the list. A control is named by its panel and its own name, as the page "
    "“Write a lesson” lists them.",
)
def set_(rest: str, place: LinePlace) -> Put:
    widget, _, value = rest.partition(" ")
    _check_widget(widget, "set")
    return Put(place.line, widget, value.strip())


@directive("press WIDGET", "press compare.models.compare", "Clicks a button.")
def press(rest: str, place: LinePlace) -> Press:
    _check_widget(rest, "press")
    return Press(place.line, rest)


@directive(
    "highlight WIDGET",
    "highlight neighbours.list",
    "Draws a line around a control or a panel until the next step, so that the reader knows "
    "where to look.",
)
def highlight(rest: str, place: LinePlace) -> Highlight:
    if rest not in _panels():
        _check_widget(rest, "highlight")
    return Highlight(place.line, rest)


@directive(
    "figure WIDGET Caption",
    "figure neighbours The neighbours of king.",
    "Saves a picture of a panel, or of one of its controls, for the report, as soon as the panel "
    "is ready.",
)
def figure(rest: str, place: LinePlace) -> FigureAction:
    widget, _, caption = rest.partition(" ")
    if widget not in _panels():
        _check_widget(widget, "figure")
    return FigureAction(place.line, widget, caption.strip())


def _algorithm(text: str) -> tuple[str, dict[str, Value]]:
    """The key of the algorithm, and the given parameters. Raises UserError."""
    try:
        words = shlex.split(text)
    except ValueError:
        raise UserError(
            tr("A closing quotation mark is missing."), tr("Add the closing quotation mark.")
        ) from None
    if not words:
        raise UserError(
            tr("The algorithm is missing."),
            tr("Choose one of: {names}.", names=", ".join(MODELS.keys())),
        )
    kind = MODELS[words[0]]
    given: dict[str, object] = {}
    for word in words[1:]:
        name, equals, value = word.partition("=")
        if not equals:
            raise UserError(
                tr("“{word}” isn’t a setting.", word=word), tr("Write name=value, without spaces.")
            )
        given[name] = value
    params = kind.params_type.from_mapping(given)
    return kind.key, {name: params.to_dict()[name] for name in given}


def _panels() -> set[str]:
    """Keys of the panels, which are the names of their packages: this layer can't import the
    window.
    """
    return {path.parent.name for path in _PANELS.glob("*/panel.py")}


def _check_panel(name: str) -> None:
    if name not in _panels():
        raise UserError(
            tr("Unknown panel “{name}”.", name=name),
            tr("Choose one of: {names}.", names=", ".join(sorted(_panels()))),
        )


def _check_widget(name: str, verb: str) -> None:
    if not _WIDGET.fullmatch(name):
        raise UserError(
            tr("“{verb}” needs a control.", verb=verb),
            tr("Write the panel and the control, for example: neighbours.word."),
        )
    _check_panel(name.partition(".")[0])
