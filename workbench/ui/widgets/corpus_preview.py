"""What the chosen options would make of the open text, before it is read again: its first lines and its words."""

from __future__ import annotations

import html

from PySide6.QtCore import QTimer
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QLabel, QTextBrowser, QVBoxLayout, QWidget

from workbench.core.errors import UserError
from workbench.core.run import Run
from workbench.corpus.corpus import OF_FILES, Corpus, CorpusOptions
from workbench.corpus.preview import Line, Mark, Preview, Sample, preview, take_sample
from workbench.corpus.tokenisers import Missing
from workbench.session.opening import remembered
from workbench.session.session import Session
from workbench.ui.text import count, memory, plural
from workbench.ui.theme import SPACE_1, Palette, Theme

# Typing should not start a reading at every letter.
_QUIET_MS = 120
# Of text set at once, so that the window does not wait for it.
_MOST_LETTERS = 5000
_LOWEST, _HIGHEST = 140, 340


class CorpusPreview(QWidget):
    """The first lines with their tokens, those that are left out struck through, and the effect on the vocabulary.

    Works while it is visible, in a job of the session named ``prefix``. Widgets are named ``prefix.<widget>``.
    """

    def __init__(self, session: Session, theme: Theme, prefix: str) -> None:
        super().__init__()
        self._session = session
        self._theme = theme
        self._prefix = prefix
        self._corpus: Corpus | None = None
        self._options: CorpusOptions | None = None
        self._sample: tuple[object, Sample] | None = None
        self._found: Preview | None = None
        self._stale = False
        self.effect = self._label("effect", "Effect on the vocabulary")
        self.words = self._label("words", "Words gained and lost")
        self.words.setProperty("role", "small")
        self.problem = self._label("problem", "Why there is no preview")
        self.problem.setProperty("role", "error")
        self.text = QTextBrowser()
        self.text.setObjectName(f"{prefix}.text")
        self.text.setAccessibleName("First lines, token by token")
        self.text.setOpenLinks(False)
        self.text.setFrameShape(QFrame.Shape.NoFrame)
        self.text.setMinimumHeight(72)
        self.setMinimumHeight(_LOWEST)
        self.setMaximumHeight(_HIGHEST)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, SPACE_1)
        column.setSpacing(SPACE_1)
        for widget in (self.effect, self.words, self.problem):
            column.addWidget(widget)
        column.addWidget(self.text, 1)
        column.addStretch()
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(_QUIET_MS)
        self._soon.timeout.connect(self._start)
        theme.changed.connect(self._draw)

    def _label(self, local: str, accessible: str) -> QLabel:
        label = QLabel()
        label.setObjectName(f"{self._prefix}.{local}")
        label.setAccessibleName(accessible)
        label.setWordWrap(True)
        label.hide()
        return label

    def show_options(self, corpus: Corpus | None, options: CorpusOptions | None) -> None:
        """Preview ``corpus`` read by ``options``; what stands there stays while they are None, being wrong."""
        if corpus is None or options is None or (corpus is self._corpus and options == self._options):
            return
        self._corpus, self._options = corpus, options
        self._stale = True
        if self.isVisible():
            self._soon.start()

    @property
    def waiting(self) -> bool:
        """Whether what is shown is not yet of the last options."""
        return self._stale or self._session.jobs.busy(self._prefix)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._stale:
            self._soon.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._soon.stop()

    # -- work

    def _start(self) -> None:
        corpus, options = self._corpus, self._options
        if corpus is None or options is None:
            return
        self._stale = False
        last = remembered(self._session.settings.get("corpus"))
        paths = last.paths if last is not None and last.paths else [file.path for file in corpus.files]
        of_files = tuple(getattr(options, name) for name in OF_FILES)
        source = (corpus.digest, tuple(paths), of_files)
        kept = self._sample[1] if self._sample is not None and self._sample[0] == source else None

        def work(run: Run) -> tuple[Sample, Preview]:
            sample = kept or take_sample(paths, options, run)
            return sample, preview(sample, corpus.options, options, run)

        def done(found: tuple[Sample, Preview]) -> None:
            self._sample = (source, found[0])
            self._found = found[1]
            self._tell(None)
            self._draw()

        if self._found is None:
            self.effect.setText("Reading the first lines…")
            self.effect.show()
        self._session.jobs.start("Previewing the text", work, done, self._tell, key=self._prefix, quiet=True)

    # -- showing

    def _tell(self, error: UserError | None) -> None:
        # What is missing is explained beside the choice.
        missing = isinstance(error, Missing)
        self.setMinimumHeight(0 if missing else _LOWEST)
        self.setMaximumHeight(self.effect.sizeHint().height() + SPACE_1 if missing else _HIGHEST)
        self.problem.setVisible(error is not None and not missing)
        self.text.setVisible(error is None)
        self.effect.setVisible(error is None or missing)
        if error is not None:
            self.words.hide()
            self.effect.setText("There is no preview without it.")
            self.problem.setText(str(error))

    def _draw(self) -> None:
        found = self._found
        if found is None:
            return
        before, after = found.before, found.after
        size = f"all of its {memory(found.size)}" if found.whole else f"the first {memory(found.size)}"
        self.effect.setText(
            f"On {size}: {_change(before.tokens, after.tokens, 'token')} · {_change(before.types, after.types, 'type')}"
            + ("" if after.tokens or not before.tokens else " – nothing is left to train on")
        )
        told = [
            f"{name} {', '.join(f'{word} ({number:,})' for word, number in words)}"
            for name, words in (("Gained:", found.gained), ("Lost:", found.lost))
            if words
        ]
        self.words.setText("\n".join(told) or "The words stay the same.")
        self.words.show()
        bar = self.text.verticalScrollBar()
        place = bar.value()
        self.text.setHtml(_page(found.lines, self._theme.palette))
        bar.setValue(place)


def _change(before: int, after: int, noun: str) -> str:
    if before == after:
        return plural(after, noun)
    return f"{count(before)} → {plural(after, noun)}"


def _page(lines: tuple[Line, ...], palette: Palette) -> str:
    parts, letters = [], 0
    for line in lines:
        parts.append(_line(line, palette))
        letters += len(line.text)
        if letters > _MOST_LETTERS:
            break
    return "".join(parts)


def _line(line: Line, palette: Palette) -> str:
    """Tokens as they will be spelled, on a ground of their own; what is no token in between, as it is."""
    parts = [_plain(line.text[: line.marks[0].begin if line.marks else len(line.text)])]
    tints = (palette.accent_soft, palette.hover)
    tint = 0
    ends = [*line.marks[1:], Mark(len(line.text), len(line.text), "", "")]
    for mark, following in zip(line.marks, ends, strict=True):
        written = line.text[mark.begin : mark.end]
        if mark.why:
            parts.append(f"<s title='{_plain(mark.why)}'>{_plain(written)}</s>")
        else:
            told = f" title='{_plain(f'written {written}')}'" if written != mark.word else ""
            style = f"color:{palette.text}; background-color:{tints[tint]}"
            parts.append(f"<span style='{style}'{told}>{_plain(mark.word)}</span>")
        # Tokens without anything between them are told apart by their ground.
        tint = 1 - tint if following.begin == mark.end else 0
        parts.append(_plain(line.text[mark.end : following.begin]))
    kept = any(not mark.why for mark in line.marks)
    end = f" <span style='color:{palette.accent}' title='The sentence ends here'>¶</span>" if line.ends and kept else ""
    cut = " …" if line.cut else ""
    return f"<p style='color:{palette.muted}; margin:0 0 3px 0'>{''.join(parts)}{cut}{end}</p>"


def _plain(text: str) -> str:
    return html.escape(text, quote=True)
