"""The first start: the window as it is, one button pointed out, and one line on what it does."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMainWindow, QWidget

from workbench.core.language import tr
from workbench.core.setting import Setting
from workbench.corpus.samples import SAMPLES, first_sample
from workbench.session.corpus.opening import OPEN_CORPUS
from workbench.session.runs.run_record import RunRecord
from workbench.session.session import Session
from workbench.ui.base.panel import PanelContext
from workbench.ui.shell.messages.bubble import Bubble, BubbleButton

# Whether the welcome has been shown.
WELCOMED = Setting("welcome.seen", bool, False)
# In the panel with the settings, and in the header, which is visible in every workspace.
_BUTTONS = ("train.start", "window.train")
_SOON, _TITLE = tr("In a moment: press Train"), tr("Press Train")
# An analogy whose answer is known, by the name of a bundled corpus.
_QUESTIONS = {
    SAMPLES["small-world"].title: "king − man + woman",
    SAMPLES["kleine-welt"].title: "könig − mann + frau",
}
_KEYS = tr("Or Ctrl+Return")
_AFTER = tr(
    "These words were learned from the text alone. Take a short tour to see what you can "
    "do with them."
)


class Welcome(QObject):
    """Points at the button Train until it is pressed, or until the user closes the welcome, which
    takes neither focus nor keys.

    After the first training, the tour is offered once, until another panel is in ``front``, which
    the offer would cover.
    """

    def __init__(
        self,
        window: QMainWindow,
        context: PanelContext,
        tour: Callable[[], None],
        front: Callable[[], str],
    ) -> None:
        super().__init__(window)
        self._window = window
        self._context = context
        self._session = context.session
        self._tour = tour
        self._front = front
        self.bubble = Bubble("welcome", context.theme)
        self.bubble.left.connect(self._dismiss)
        self._session.training.finished.connect(self._training_finished)
        context.bridge.tick.connect(self._update_visibility)
        self._listening = True
        # Whether opening a text has ever started.
        self._has_begun = False
        self._said = ("", "")

    def release(self) -> None:
        """Close the welcome and disconnect from the session."""
        if self._listening:
            self._listening = False
            self._context.bridge.tick.disconnect(self._update_visibility)
            self._session.training.finished.disconnect(self._training_finished)
        self.bubble.leave()

    def _dismiss(self) -> None:
        self._session.settings[WELCOMED] = True
        self.release()

    def _update_visibility(self) -> None:
        """Point at the button once it can be pressed, until something is trained."""
        bubble = self.bubble
        if self._session.runs:
            if bubble.target is not None:
                bubble.leave()
            return
        button, corpora = self._button(), self._session.corpora
        self._has_begun |= corpora.opening is not None or corpora.error is not None
        if button is None:
            return
        if self._has_begun and corpora.opening is None and not button.isEnabled():
            # No text is open, for example because the disk is full.
            if bubble.target is not None:
                bubble.leave()
            return
        title, text = _TITLE if button.isEnabled() else _SOON, self._promise()
        if (title, text) != self._said or bubble.target is not button:
            self._said = title, text
            bubble.show_text(
                title,
                text,
                [BubbleButton("tour", tr("Take the short tour"), self._start_tour, "link")],
                _KEYS,
            )
            bubble.point_at(button, focus=False)
            # If the window closes before, the welcome appears again at the next start.
            if button.isEnabled():
                self._session.settings[WELCOMED] = True
        else:
            bubble.keep_place()

    def _button(self) -> QWidget | None:
        """The visible button, or None."""
        found = (self._window.findChild(QWidget, name) for name in _BUTTONS)
        return next((button for button in found if button and button.isVisible()), None)

    def _promise(self) -> str:
        """The views that a training fills."""
        corpus = self._session.corpora.current
        name = SAMPLES[first_sample()].title if corpus is None else corpus.name
        if name in _QUESTIONS:
            return tr(
                "You’ll see the words of {name} settle on the map as the model learns, and "
                "{question} find its answer.",
                name=name,
                question=_QUESTIONS[name],
            )
        return tr(
            "You’ll see the words of {name} settle on the map as the model learns.", name=name
        )

    def _start_tour(self) -> None:
        self._dismiss()
        self._tour()

    def _training_finished(self, record: RunRecord) -> None:
        if record.has_vectors or record.embeddings is not None:
            self.release()
            front = self._front()
            self._context.bridge.offer(
                _AFTER,
                tr("Take the short tour"),
                self._tour,
                holds=lambda: self._front() in (front, ""),
            )


def is_first_start(session: Session) -> bool:
    """Whether the welcome hasn't been shown, and nothing was opened or trained. Called before the
    session is restored.
    """
    settings = session.settings
    return not settings[WELCOMED] and not session.runs and not settings[OPEN_CORPUS]
