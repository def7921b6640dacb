"""The random user of ``use.py``, who chooses one action after another as the window responds."""

from __future__ import annotations

import gc
import logging
import random
import shutil
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TextIO

from hands import Hands
from holding import files, held_memory, wait_while
from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QTimer, qInstallMessageHandler
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QFileDialog,
    QMenu,
    QMenuBar,
    QPushButton,
    QTabBar,
    QWidget,
)
from shiboken6 import isValid
from watching import Errors, Watch

from workbench.session.runs.run_record import State
from workbench.ui.base.action import submenu
from workbench.ui.shell.application import make_application
from workbench.ui.shell.window import Window

# Seconds after which the user stops a training, and no longer waits for other work.
_PATIENCE = 4.0
_REST = 3.0
_RUNS = 8
_LEFT = Qt.MouseButton.LeftButton


class Person:
    """Acts by a timer in the window’s event loop, also while a menu or a dialog runs its own
    loop.
    """

    def __init__(
        self,
        seed: int,
        folder: Path,
        home: Path,
        corpora: Sequence[Path],
        actions: int,
        every: int,
        tell: Callable[[Mapping[str, Any]], None],
        pause: Path | None = None,
        log: TextIO | None = None,
        *,
        patient: bool = False,
    ) -> None:
        self.rng = random.Random(seed)
        self.folder, self.home, self.corpora = folder, home, corpora
        self.actions, self.every, self.tell, self.pause, self.log = actions, every, tell, pause, log
        self.patient = patient
        self.exports = folder / "exports"
        self.exports.mkdir()
        self.session_file = folder / "kept.workbench"
        self.errors, self.watch = Errors(), Watch()
        self.action_number = 0
        self.action_counts: Counter[str] = Counter()
        self.notes: list[dict[str, Any]] = []
        self.types: list[Counter[str]] = []
        self._since = self._began = time.monotonic()
        self._waits = False
        self._noting = False
        self._rests = 0.0
        self._steps = 0
        self._over = False
        self._used: Window | None = None
        self.hands = Hands(self.rng, self._words, self._pick)
        # Possible actions with their frequencies, in thousandths.
        self.deeds: tuple[tuple[int, Callable[[], str]], ...] = (
            (380, self._use),
            (130, self._panel),
            (55, self._train),
            (50, self._training),
            (45, self._run_menu),
            (45, self._delete),
            (20, self._bring_back),
            (45, self._search),
            (40, self._ask),
            (45, self._menu),
            (20, self._theme),
            (20, self._resize),
            (30, self._open),
            (12, self._save),
            (12, self._open_session),
            (25, self._export),
            (26, self._keys),
        )

    # -- start and end

    def begin(self) -> None:
        application = make_application()
        application.setAttribute(Qt.ApplicationAttribute.AA_DontUseNativeDialogs)
        logging.getLogger("workbench").addHandler(self.errors)
        self._former = qInstallMessageHandler(self.errors.from_qt)
        self.heart = QTimer()
        self.heart.timeout.connect(self._beat)
        self.heart.start(50)
        self._go_on()

    def _go_on(self) -> None:
        # A repeating timer would stop while its action runs an event loop. A lambda instead of the
        # method, because PySide only keeps a weak reference to a method of an object that isn’t a
        # QObject.
        QTimer.singleShot(5, lambda: self._step())

    def _beat(self) -> None:
        self.watch.mark()

    @property
    def windows(self) -> list[Window]:
        """Visible windows of the program, starting with the one in use."""
        widgets = [
            one
            for one in QApplication.topLevelWidgets()
            if isinstance(one, Window) and one.isVisible()
        ]
        return sorted(widgets, key=lambda one: one is not self._used)

    @property
    def window(self) -> Window:
        self._used = (self.windows or [self._used])[0]
        assert self._used is not None, "there is no window"
        return self._used

    def _step(self) -> None:
        """Take one action if the window has responded to the previous one."""
        if self._over:
            return
        self._go_on()
        if not self.windows:
            return
        session = self.window.session
        if not self.watch.is_alive():
            if session.corpora.current is None or session.corpora.opening is not None:
                return
            self.watch.paused = True
            self.watch.start()
            # Events of the panels may ask for the next step.
            self._steps += 1
            self._see_everything()
            self._steps -= 1
            self._beat()
            self.watch.paused = False
            self._begin_noting()
        if self._steps or not self._answered():
            return
        self._steps += 1
        try:
            self.watch.paused = True
            self._since += wait_while(self.pause)
            self._beat()
            self.watch.paused = False
            if self._noting:
                self._note()
            elif self.action_number < self.actions:
                self._act()
            else:
                self._close()
        finally:
            self._steps -= 1

    def _see_everything(self) -> None:
        """Show every panel and the preferences once, because what is built once isn’t growth."""
        window = self.window
        workspace = window.layouts.workspace
        for key in window.docks:
            window.raise_panel(key)
            QApplication.processEvents()
        window.layouts.show_workspace(workspace)
        preferences = window.open_preferences()
        for page in preferences.pages:
            preferences.show_page(page)
        preferences.close()

    def _close(self) -> None:
        self._over = True
        self.heart.stop()
        self.watch.end()
        self.window.close()
        qInstallMessageHandler(self._former)

    def _answered(self) -> bool:
        """Whether there is nothing to wait for: no quick work and, one time in ten, no long work,
        unless patience has run out.
        """
        if QApplication.activePopupWidget() or QApplication.activeModalWidget():
            return True
        wait = time.monotonic() - self._since
        if self.patient:
            # Animations and paused jobs never end by themselves.
            return wait > 5 * _PATIENCE or (
                not self.window.session.jobs.active and self.window.idle
            )
        busy = [
            job for job in self.window.session.jobs.active if not job.title.startswith("Training ")
        ]
        return not busy or wait > (_PATIENCE if self._waits else 0.1)

    def _act(self) -> None:
        self.action_number += 1
        training = self.window.session.training.current
        long = (
            training is not None
            and training.run is not None
            and training.run.phase_seconds() > _PATIENCE
        )
        # A menu or a dialog is handled in a separate step while its own event loop runs.
        self._steps -= 1
        try:
            action = self.hands.answer() or (self._training() if long else self._deed())
        finally:
            self._steps += 1
        self.watch.doing = action
        self.action_counts[action.split(" ")[0]] += 1
        if self.log is not None:
            print(
                self.action_number,
                round(time.monotonic() - self._began, 2),
                action,
                file=self.log,
                flush=True,
            )
        self._waits = self.rng.random() < 0.1
        self._since = time.monotonic()
        if self.action_number % self.every == 0:
            self._begin_noting()

    def _deed(self) -> str:
        deed = self.rng.choices(
            [deed for _, deed in self.deeds], [often for often, _ in self.deeds]
        )[0]
        self.watch.doing = deed.__name__.strip("_")
        return f"{deed.__name__.strip('_')} {deed()}"

    # -- actions

    def _use(self) -> str:
        return self.hands.use(self.window)

    def _panel(self) -> str:
        bars = [bar for bar in self.window.findChildren(QTabBar) if bar.isVisible() and bar.count()]
        if not bars:
            return ""
        bar = self.rng.choice(bars)
        at = self.rng.randrange(bar.count())
        QTest.mouseClick(bar, _LEFT, Qt.KeyboardModifier.NoModifier, bar.tabRect(at).center())
        return bar.tabText(at)

    def _train(self) -> str:
        """Choose an algorithm, change parameters of its first preset, and click Train."""
        session = self.window.session
        if session.training.current is not None or session.corpora.current is None:
            return ""
        self.window.raise_panel("train")
        choice, start = (
            self._child(QWidget, "train.algorithm"),
            self._child(QPushButton, "train.start"),
        )
        choice.setCurrentIndex(self.rng.randrange(choice.count()))
        preset = self._child(QWidget, "train.preset")
        preset.setCurrentIndex(0)
        form = [
            one
            for one in self._panel_widgets("train.param.")
            if one.isVisible() and one.isEnabled()
        ]
        for widget in self.rng.sample(form, min(2, len(form))):
            QTest.keyClick(widget, self.rng.choice((Qt.Key.Key_Up, Qt.Key.Key_Down)))
        QTest.mouseClick(start, _LEFT)
        return choice.currentText()

    def _training(self) -> str:
        session = self.window.session
        record = session.training.current
        if record is None:
            return ""
        end = self.rng.choice(("pause", "stop", "stop", "cancel"))
        if end == "cancel":
            session.training.cancel(record)
        else:
            QTest.keyClick(
                self.window,
                Qt.Key.Key_P if end == "pause" else Qt.Key.Key_Period,
                Qt.KeyboardModifier.ControlModifier,
            )
            # A user who pauses resumes after a while; here, the next action may be anything else.
            if record.state is State.PAUSED:
                QTimer.singleShot(300, self.window, lambda: session.training.resume(record))
        return end

    def _run_menu(self) -> str:
        view = self._child(QAbstractItemView, "train.runs")
        model = view.model()
        if not model.rowCount() or not view.isVisible():
            return ""
        index = model.index(self.rng.randrange(model.rowCount()), 0)
        view.scrollTo(index)
        if self.rng.random() < 0.5:
            QTest.mouseClick(
                view.viewport(),
                _LEFT,
                Qt.KeyboardModifier.NoModifier,
                view.visualRect(index).center(),
            )
            return "show"
        view.customContextMenuRequested.emit(view.visualRect(index).center())
        return "menu"

    def _delete(self) -> str:
        session = self.window.session
        while len(session.runs) > _RUNS or (session.runs and self.rng.random() < 0.3):
            session.runs.delete(self.rng.choice(session.runs))
        return ""

    def _bring_back(self) -> str:
        self.window.session.runs.undelete()
        return ""

    def _search(self) -> str:
        field = self._child(QWidget, "window.search")
        QTest.keyClicks(
            field, (self._words() or ["a"])[self.rng.randrange(len(self._words()) or 1)][:6]
        )
        QTest.keyClick(field, Qt.Key.Key_Return)
        return ""

    def _ask(self) -> str:
        words = self._words()
        if len(words) < 3:
            return ""
        for name in "abc":
            field = self._child(QWidget, f"analogy.{name}")
            if field.isVisible():
                field.selectAll()
                QTest.keyClicks(field, self.rng.choice(words))
                QTest.keyClick(field, Qt.Key.Key_Return)
        return ""

    def _menu(self) -> str:
        bar = self.window.findChild(QMenuBar)
        menus = [menu for action in bar.actions() if (menu := submenu(action)) is not None]
        menu = self.rng.choice(menus)
        menu.popup(self.window.mapToGlobal(self.window.rect().center()))
        return menu.title()

    def _theme(self) -> str:
        choice = self.rng.choice(("light", "dark", "system"))
        self.window.context.theme.choose(choice)
        return choice

    def _resize(self) -> str:
        width, height = self.rng.choice(
            ((1440, 900), (1280, 720), (1000, 700), (1920, 1080), (900, 600))
        )
        self.window.resize(width, height)
        if self.rng.random() < 0.4:
            self.window.reset_layout()
        return f"{width} × {height}"

    def _open(self) -> str:
        session = self.window.session
        if self.rng.random() < 0.4:
            session.corpora.open_sample("small-world")
            return "sample"
        self._trigger("Open files…")
        return "files"

    def _save(self) -> str:
        self._trigger("Save session as…")
        return ""

    def _open_session(self) -> str:
        if self.session_file.exists():
            self._trigger("Open session…")
        return ""

    def _export(self) -> str:
        shutil.rmtree(self.exports)
        self.exports.mkdir()
        buttons = [
            one
            for one in self.window.findChildren(QWidget)
            if one.objectName().endswith(".export") and one.isVisible() and one.isEnabled()
        ]
        if not buttons:
            return ""
        button = self.rng.choice(buttons)
        QTest.mouseClick(button, _LEFT)
        return button.objectName()

    def _keys(self) -> str:
        name, key, modifier = self.rng.choice(
            (
                ("undo", Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier),
                (
                    "redo",
                    Qt.Key.Key_Z,
                    Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier,
                ),
                ("back", Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier),
                ("forward", Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier),
                ("palette", Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier),
                ("leave", Qt.Key.Key_Escape, Qt.KeyboardModifier.NoModifier),
            )
        )
        QTest.keyClick(self.window, key, modifier)
        return name

    # -- helpers of actions

    def _child(self, kind: type, name: str) -> Any:
        widget: Any = self.window.findChild(kind, name)
        assert widget is not None, name
        return widget

    def _panel_widgets(self, prefix: str) -> list[QWidget]:
        return sorted(
            (
                one
                for one in self.window.findChildren(QWidget)
                if one.objectName().startswith(prefix)
            ),
            key=lambda one: one.objectName(),
        )

    def _trigger(self, text: str) -> None:
        action = next(
            (one for one in self.window.findChildren(QAction) if one.text() == text), None
        )
        assert action is not None, text
        if action.isEnabled():
            action.trigger()

    def _words(self) -> list[str]:
        embeddings = self.window.session.active.embeddings
        corpus = self.window.session.corpora.current
        words = (
            embeddings.words
            if embeddings is not None
            else corpus.words
            if corpus is not None
            else ()
        )
        return [word for word in words[:200] if word.isascii()]

    def _pick(self, dialog: QFileDialog) -> Path | None:
        """A file for a dialog: a path in the export folder for saving, or a suitable file to
        open.
        """
        title = dialog.windowTitle()
        if "session" in title.lower():
            return self.session_file
        if dialog.acceptMode() == QFileDialog.AcceptMode.AcceptSave:
            suffix = (
                dialog.selectedNameFilter().partition("*.")[2].partition(")")[0].partition(" ")[0]
            )
            return self.exports / f"export-{self.action_number}{'.' + suffix if suffix else ''}"
        if title in ("Open files", "Open a folder of text"):
            return self.rng.choice(self.corpora)
        return None

    # -- notes

    def _begin_noting(self) -> None:
        self._noting = True
        self._since = self._rests = time.monotonic()

    def _note(self) -> None:
        """Close everything that is open and wait for computations, then record the process’s
        resources.
        """
        session = self.window.session
        popup = QApplication.activePopupWidget()
        above = [
            one
            for one in QApplication.topLevelWidgets()
            if one.isVisible() and not isinstance(one, (Window, QMenu))
        ]
        if popup is not None:
            popup.close()
            return
        modal = QApplication.activeModalWidget()
        if modal is not None or [
            one for one in above if one.isWindow() and one.objectName() != "window"
        ]:
            for one in [modal] if modal is not None else above:
                one.close()
            if time.monotonic() - self._since < _PATIENCE:
                return
        for other in self.windows[1:]:
            other.close()
        while len(session.runs) > _RUNS:
            session.runs.delete(session.runs[0])
        for record in session.runs:
            if not record.state.over:
                session.training.cancel(record)
        now = time.monotonic()
        if session.jobs.active and now - self._since < 10 * _PATIENCE:
            self._rests = now
            return
        # Like a user’s pause between actions; the program returns memory when nothing has been
        # computed for a while.
        if now - self._rests < _REST:
            return
        shutil.rmtree(self.exports)
        self.exports.mkdir()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        gc.collect()
        everything = [QApplication.instance(), *QApplication.topLevelWidgets()]
        note = {
            "actions": self.action_number,
            **held_memory(),
            "widgets": len(QApplication.allWidgets()),
            "qobjects": sum(
                1 + len(one.findChildren(QObject)) for one in everything if isValid(one)
            ),
            "files": files(self.home) - files(self.home / "store" / "trash"),
            "trash": files(self.home / "store" / "trash"),
            "temporary": files(self.folder / "temporary"),
        }
        self.notes.append(note)
        self.types.append(
            Counter(f"{type(one).__module__}.{type(one).__qualname__}" for one in gc.get_objects())
        )
        self.tell(note)
        self._noting = False
        self._beat()
