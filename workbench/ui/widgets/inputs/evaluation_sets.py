"""The sets that runs are scored on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from workbench.analysis.evaluation.leaderboard import (
    ANALOGIES,
    SIMILARITY,
    EvaluationSet,
)
from workbench.analysis.evaluation.similarity import BUNDLED, bundled_path
from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.core.setting import Setting, Strings, strings
from workbench.session.session import Session
from workbench.session.settings.session_settings import (
    ANALOGY_CANDIDATES,
    ANALOGY_METHOD,
    LEFT_OUT_SETS,
    PAIR_COLUMNS,
)
from workbench.ui.base.text import plural
from workbench.ui.widgets.inputs.file_choice import known_files
from workbench.ui.widgets.inputs.run_choice import ManyChoice

# Files opened by the user.
QUESTION_FILES = Setting[Strings]("question_files", strings, ())
PAIR_FILES = Setting[Strings]("similarity_files", strings, ())


def offered_sets(session: Session) -> list[EvaluationSet]:
    """Question files and sets of pairs: the corpus's own, bundled ones, and those opened before."""
    sample = ""
    if session.corpora.current is not None:
        sample = str(session.corpora.current.metadata.get("sample", ""))
    own = session.corpora.questions_path
    files = {str(own): tr("Analogies")} if own is not None else {}
    files |= {path: Path(path).stem for path in known_files(session, QUESTION_FILES)}
    sets = [question_set(session, Path(path), title) for path, title in files.items()]
    pairs = {
        **own_sets(sample),
        **{path: Path(path).stem for path in known_files(session, PAIR_FILES)},
    }
    return sets + [pair_set(session, Path(path), title) for path, title in pairs.items()]


def question_set(session: Session, path: Path, title: str) -> EvaluationSet:
    """A question file, evaluated with the method chosen for all pages."""
    method = session.settings[ANALOGY_METHOD]
    return EvaluationSet(ANALOGIES, path, title, method, session.settings[ANALOGY_CANDIDATES])


def pair_set(session: Session, path: Path, title: str) -> EvaluationSet:
    """A set of word pairs, with the column of the scores that was chosen for all pages."""
    column = session.settings[PAIR_COLUMNS].get(str(path), "")
    return EvaluationSet(SIMILARITY, path, title, column=column)


class SetsChoice(ManyChoice):
    """The sets that runs are scored on; unticked ones are remembered."""

    def __init__(self, session: Session, key_of: Callable[[EvaluationSet], str]) -> None:
        super().__init__()
        self._session = session
        self._key_of = key_of
        self.refresh()

    @property
    def sets(self) -> dict[str, EvaluationSet]:
        """The chosen sets by their keys; files that can't be read are left out."""
        found = {}
        for one in offered_sets(self._session):
            if str(one.path) not in self._session.settings[LEFT_OUT_SETS]:
                try:
                    found[self._key_of(one)] = one
                except (UserError, OSError):
                    continue
        return found

    def refresh(self) -> None:
        text = plural(len(self.sets), "set")
        if text != self.text():
            self.setText(text)

    def fill(self) -> None:
        super().fill()
        for one in offered_sets(self._session):
            path = str(one.path)
            self.box(
                one.title,
                path not in self._session.settings[LEFT_OUT_SETS],
                lambda on, path=path: self._toggle(path, on),  # type: ignore[misc]
            )

    def _toggle(self, path: str, on: bool) -> None:
        settings = self._session.settings
        left_out = [left for left in settings[LEFT_OUT_SETS] if left != path]
        if not on:
            left_out.append(path)
        settings[LEFT_OUT_SETS] = tuple(left_out)
        self.refresh()
        self.changed.emit()


def own_sets(sample: str) -> dict[str, str]:
    """The bundled sets, title by path; the open corpus's own first."""
    keys = sorted(BUNDLED, key=lambda key: key != (sample or "general"))
    return {str(bundled_path(key)): BUNDLED[key] for key in keys}
