"""Reading options of the open corpus, with their preview, and reading it again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from workbench.core.language import tr
from workbench.corpus.corpus import Corpus, CorpusOptions
from workbench.counts.counts_corpus import CountedCorpus
from workbench.session.corpus.opening import RememberedCorpus, find_remembered
from workbench.session.session import Session
from workbench.ui import kit
from workbench.ui.base.theme import Theme
from workbench.ui.panels.corpus.files import CorpusFiles
from workbench.ui.panels.corpus.preview import CorpusPreview
from workbench.ui.widgets.inputs.corpus_options import CorpusOptionsBar


class CorpusReading(QObject):
    """The choices, their preview and the list of files, wherever a panel places them.

    options : choices for any text; their first row has the buttons for the preview and for reading
    again
    files, files_button : choices for the files, and the button that shows them
    preview : the effect of the choices on the open text
    edited : the choices have changed

    Widgets are named ``prefix.<widget>``; ``named`` does it for the buttons.
    """

    edited = Signal()

    def __init__(
        self,
        session: Session,
        theme: Theme,
        prefix: str,
        named: Callable[..., Any],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._corpus: Corpus | None = None
        # Values of a session file, until they are shown.
        self._restored: Mapping[str, Any] | None = None
        self._declined = False  # whether the user closed the preview
        self.options = CorpusOptionsBar(
            f"{prefix}.option", CorpusOptions(), theme, session.settings
        )
        self.options.changed.connect(self._options_edited)
        self.preview = CorpusPreview(session, theme, f"{prefix}.preview")
        self.preview.hide()
        self.preview_button = kit.button(tr("Preview"), role="quiet", checkable=True)
        named(
            self.preview_button,
            "show_preview",
            tr("Preview these options"),
            tr("Preview the first lines and the effect on the vocabulary"),
        )
        self.preview_button.toggled.connect(self._preview_toggled)
        self._again = kit.button(tr("Read again"), pressed=self._read_again)
        named(
            self._again,
            "again",
            tr("Read the corpus again"),
            tr("Read the open files again with these options"),
        )
        self.files = CorpusFiles(theme, f"{prefix}.of_files")
        self.files.changed.connect(self._choices_changed)
        self.files.hide()
        self.files_button = kit.button(tr("Files and encoding"), role="quiet", checkable=True)
        named(
            self.files_button,
            "files",
            tr("Files and encoding"),
            tr("Included files, their encoding and warnings"),
        )
        self.files_button.toggled.connect(self.files.setVisible)
        kit.add(self.options.reading, self.preview_button, self._again)

    @property
    def editors(self) -> list[QWidget]:
        """The editors of all options."""
        return [*(field.editor for field in self.options.fields.values()), *self.files.editors]

    def saved_options(self) -> dict[str, Any]:
        """Values chosen for the open corpus but not applied yet, valid or not."""
        corpus = self._corpus
        if corpus is None:
            return {}
        values = {**self.options.values(), **self.files.values()}
        read_with = corpus.options.to_dict()
        changed = {name: value for name, value in values.items() if value != read_with[name]}
        return {"digest": corpus.digest, "values": changed} if changed else {}

    def restore_options(self, kept: Mapping[str, Any]) -> None:
        """Restore ``saved_options``; as they come from a file, they may contain any values."""
        # Without any, and without a corpus, options last chosen for the next corpus can be shown.
        self._restored = kept if kept or self._corpus is not None else None
        if self._corpus is not None:
            self._show_restored(self._corpus)

    def _show_restored(self, corpus: Corpus) -> bool:
        """Show the values of a session file if they are of this corpus."""
        if self._restored is None or self._restored.get("digest", corpus.digest) != corpus.digest:
            return False
        values, self._restored = self._restored.get("values"), None
        shown = corpus.options.to_dict()
        for name, value in values.items() if isinstance(values, Mapping) else ():
            if name in shown and isinstance(value, type(shown[name])):
                shown[name] = value
        self.options.put(CorpusOptions().to_dict(), shown)
        self.files.put(shown)
        return True

    def forget_corpus(self) -> None:
        """Reset after the corpus was closed."""
        self._corpus = None

    def show_corpus(self, corpus: Corpus) -> None:
        """Show the options of another corpus."""
        first, self._corpus = self._corpus is None, corpus
        of_text = not isinstance(corpus, CountedCorpus)
        self.options.setVisible(of_text)
        self.preview.setVisible(self.preview_button.isChecked() and of_text)
        last = self._last_request
        if last is not None:
            self.files.show_corpus(corpus, last.paths)
        else:
            self.files.show_corpus(corpus, ())
        self.files_button.setVisible(bool(corpus.files) and not corpus.metadata.get("sample"))
        self.files.setVisible(self.files_button.isChecked() and not corpus.metadata.get("sample"))
        # A panel that is new, in this window, after a start or in a session from a file, shows the
        # options last chosen for this corpus but not applied yet; otherwise those with which it was
        # read.
        if of_text and not self._show_restored(corpus):
            unread = self._session.corpora.readings.choice(corpus.digest) if first else None
            self.options.show_options(unread or corpus.options)
            self.files.put((unread or corpus.options).to_dict())

    def hide_options(self) -> None:
        """Hide the options, as there is no corpus."""
        widgets: tuple[QWidget, ...] = (
            self.options,
            self.files_button,
            self.files,
            self._again,
            self.preview,
        )
        for widget in widgets:
            widget.hide()

    def update_offer(self) -> None:
        """Offer to read again if the options differ from those of the open corpus."""
        options, corpus = self._new_request(), self._corpus
        text = None if isinstance(corpus, CountedCorpus) else corpus
        differs = (
            text is not None
            and options is not None
            and options.effective() != text.options.effective()
        )
        self._again.setVisible(
            differs and self._last_request is not None and self.options.missing.isHidden()
        )
        self.preview.show_options(text, options)

    @property
    def _last_request(self) -> RememberedCorpus | None:
        """Request that opens the current corpus again."""
        return find_remembered(self._session.corpora.source)

    def _new_request(self) -> CorpusOptions | None:
        """Options to read the open files with, or None while one of them is invalid."""
        options = self.options.options()
        if options is None:
            return None
        return self.files.complete_options(options)

    def _options_edited(self) -> None:
        options = self.options.options()
        if self._corpus is not None and options is not None and not self._declined:
            # Phrases don’t appear in a preview.
            here = options.reading().effective().lasting()
            if here != self._corpus.options.reading().effective().lasting():
                self.preview_button.setChecked(True)
        self._choices_changed()

    def _choices_changed(self) -> None:
        options = self._new_request()
        # An unavailable choice isn't selected.
        if options is not None and self._corpus is not None and self.options.missing.isHidden():
            read_so = options.effective().lasting() == self._corpus.options.effective().lasting()
            if read_so:
                self._session.corpora.readings.choose(self._corpus.digest, None)
            else:
                self._session.corpora.readings.choose(self._corpus.digest, options)
        self.edited.emit()
        self.update_offer()

    def _preview_toggled(self, shown: bool) -> None:
        # After the user has closed it, it shouldn't reappear by itself.
        self._declined = not shown
        self.preview.setVisible(shown)

    def _read_again(self) -> None:
        last, options = self._last_request, self._new_request()
        if last is None or options is None:
            return
        if self._corpus is not None:
            self._session.corpora.readings.choose(self._corpus.digest, None)
        if last.sample:
            self._session.corpora.open_sample(last.sample, options)
        else:
            self._session.corpora.open(last.paths, options)
