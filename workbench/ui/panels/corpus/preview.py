"""Preview of the reading options: first lines, tokens, and the effect on the vocabulary."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QTimer
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.corpus.corpus import OF_FILES, Corpus, CorpusOptions
from workbench.corpus.ingest.preview import TokenPreview, preview
from workbench.corpus.ingest.text_sample import TextSample, take_sample
from workbench.corpus.tokenise.tokenisers import MissingPackagesError
from workbench.session.corpus.opening import find_remembered
from workbench.session.session import Session
from workbench.ui import kit
from workbench.ui.base.scaling import set_scaled_size
from workbench.ui.base.text import count, memory, plural
from workbench.ui.base.theme import SPACE_1, Theme
from workbench.ui.panels.corpus.token_text import TokenText
from workbench.ui.widgets.layout.result_view import Request, ResultJob

# Typing should not start a reading at every letter.
_QUIET_MS = 120
_LOWEST, _HIGHEST = 140, 340


class _FixedColumn(QVBoxLayout):
    """Leaves wrapping to itself: a surrounding column would take the preferred height of the text
    as its minimum, and squeeze the widgets above.
    """

    def hasHeightForWidth(self) -> bool:
        return False


class CorpusPreview(QWidget):
    """The first lines with their tokens, removed ones struck through, and the effect on the
    vocabulary.

    Works while it is visible, in a job of the session named ``prefix``. Widgets are named
    ``prefix.<widget>``.
    """

    def __init__(self, session: Session, theme: Theme, prefix: str) -> None:
        super().__init__()
        self._session = session
        self._prefix = prefix
        self._corpus: Corpus | None = None
        self._options: CorpusOptions | None = None
        self._sample: tuple[object, TextSample] | None = None
        self._found: TokenPreview | None = None
        self._stale = False
        self._reading = ResultJob(session.jobs, prefix)
        self._reading.on_failed(self._show_error)
        self.effect = self._label("effect", tr("Effect on the vocabulary"))
        self.words = self._label("words", tr("Words gained and lost"), "small")
        self.problem = self._label("problem", tr("Reason for the missing preview"), "error")
        self.text = TokenText(theme)
        self.text.setObjectName(f"{prefix}.text")
        self.text.setAccessibleName(tr("First lines, token by token"))
        set_scaled_size(self.text, least_height=72)
        set_scaled_size(self, least_height=_LOWEST)
        set_scaled_size(self, most_height=_HIGHEST)
        lines = (self.effect, self.words, self.problem, kit.stretch(self.text), kit.stretch())
        column = kit.arrange(_FixedColumn(), *lines, gap=SPACE_1, margins=(0, 0, 0, SPACE_1))
        kit.fill(self, column)
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(_QUIET_MS)
        self._soon.timeout.connect(self._start_preview)

    def _label(self, local: str, accessible: str, role: str = "") -> QLabel:
        label = kit.label(role=role, name=f"{self._prefix}.{local}", wrap=True)
        label.setAccessibleName(accessible)
        label.hide()
        return label

    def show_options(self, corpus: Corpus | None, options: CorpusOptions | None) -> None:
        """Preview ``corpus`` read with ``options``; if they are None, being invalid, the preview
        stays.
        """
        if (
            corpus is None
            or options is None
            or (corpus is self._corpus and options == self._options)
        ):
            return
        self._corpus, self._options = corpus, options
        self._stale = True
        if self.isVisible():
            self._soon.start()

    @property
    def is_waiting(self) -> bool:
        """Whether the preview doesn’t reflect the latest options yet."""
        return self._stale or self._reading.busy

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._stale:
            self._soon.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._soon.stop()

    # -- jobs

    def _start_preview(self) -> None:
        corpus, options = self._corpus, self._options
        if corpus is None or options is None:
            return
        self._stale = False
        last = find_remembered(self._session.corpora.source)
        paths = (
            last.paths if last is not None and last.paths else [file.path for file in corpus.files]
        )
        of_files = tuple(getattr(options, name) for name in OF_FILES)
        source = (corpus.digest, tuple(paths), of_files)
        kept = None
        if self._sample is not None and self._sample[0] == source:
            kept = self._sample[1]

        def work(run: JobControl) -> tuple[TextSample, TokenPreview]:
            sample = kept or take_sample(paths, options, run)
            return sample, preview(sample, corpus.options, options, run)

        def show_result(found: tuple[TextSample, TokenPreview]) -> None:
            self._sample = (source, found[0])
            self._found = found[1]
            self._show_error(None)
            self._draw_preview()

        if self._found is None:
            self.effect.setText(tr("Reading the first lines…"))
            self.effect.show()
        # Each is a new one: the files may have changed.
        title = tr("Previewing the text")
        self._reading.ask(Request((object(),), title, work, show_result, quiet=True))

    # -- display

    def _show_error(self, error: UserError | None) -> None:
        # A missing package is explained beside the choice.
        missing = isinstance(error, MissingPackagesError)
        if missing:
            self.setMinimumHeight(0)
            self.setMaximumHeight(self.effect.sizeHint().height() + SPACE_1)
        else:
            self.setMinimumHeight(_LOWEST)
            self.setMaximumHeight(_HIGHEST)
        self.problem.setVisible(error is not None and not missing)
        self.text.setVisible(error is None)
        self.effect.setVisible(error is None or missing)
        if error is not None:
            self.words.hide()
            self.effect.setText(tr("No preview: a package is missing."))
            self.problem.setText(str(error))

    def _draw_preview(self) -> None:
        found = self._found
        if found is None:
            return
        before, after = found.before, found.after
        if found.whole:
            size = tr("the whole text ({size})", size=memory(found.size))
        else:
            size = tr("the first {size}", size=memory(found.size))
        size_text = tr(
            "On {size}: {tokens} · {types}",
            size=size,
            tokens=_change_text(before.tokens, after.tokens, _count_tokens),
            types=_change_text(before.types, after.types, _count_types),
        )
        nothing = before.tokens and not after.tokens
        if nothing:
            self.effect.setText(tr("{effect} – no tokens left to train on", effect=size_text))
        else:
            self.effect.setText(size_text)
        gained = [
            f"{name} {', '.join(f'{word} ({number:,})' for word, number in words)}"
            for name, words in ((tr("Gained:"), found.gained), (tr("Lost:"), found.lost))
            if words
        ]
        lines = gained or [tr("The words stay the same.")]
        self.words.setText("\n".join([*lines, *found.notes]))
        self.words.show()
        self.text.show_lines(found.lines)


def _count_tokens(number: int) -> str:
    return plural(number, "token")


def _count_types(number: int) -> str:
    return plural(number, "type")


def _change_text(before: int, after: int, counted: Callable[[int], str]) -> str:
    if before == after:
        return counted(after)
    return f"{count(before)} → {counted(after)}"
