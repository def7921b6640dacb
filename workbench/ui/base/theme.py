"""Appearance of the window: colours, text sizes, icons, animation."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from PySide6.QtCore import QObject, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QGuiApplication, QIcon, QPalette
from PySide6.QtWidgets import QAbstractItemView, QApplication, QStyle, QWidget
from shiboken6 import isValid

from workbench.core.language import percent, tr
from workbench.core.setting import Option, Setting
from workbench.session.settings.settings_file import Settings
from workbench.ui.base.colours import DARK, LIGHT, Palette, high_contrast_palette, mix_colours
from workbench.ui.base.scaling import (
    SPACE_1,
    SPACE_2,
    SPACE_3,
    SPACE_4,
    SPACE_5,
    TEXT_SIZES,
    TYPE_BODY,
    TYPE_LARGE,
    TYPE_SMALL,
    TYPE_TITLE,
    body_font,
    set_text_factor,
    update_scaled_sizes,
)
from workbench.ui.base.style_sheet import coloured_icon, style_sheet

__all__ = [
    "DARK",
    "LIGHT",
    "MOTION",
    "SPACE_1",
    "SPACE_2",
    "SPACE_3",
    "SPACE_4",
    "SPACE_5",
    "TEXT_SIZE",
    "TEXT_SIZES",
    "THEME",
    "TYPE_BODY",
    "TYPE_LARGE",
    "TYPE_SMALL",
    "TYPE_TITLE",
    "Palette",
    "Theme",
    "body_font",
    "set_property",
]

_SYSTEM, _LIGHT, _DARK = tr("System default"), tr("Light"), tr("Dark")
THEME = Setting(
    "theme",
    str,
    "system",
    choices={
        "system": Option(_SYSTEM, tr("Colours: {theme}.", theme=_SYSTEM.lower())),
        "light": Option(_LIGHT, tr("Colours: {theme}.", theme=_LIGHT.lower())),
        "dark": Option(_DARK, tr("Colours: {theme}.", theme=_DARK.lower())),
    },
    label=tr("Theme"),
    hint=tr("Colours of all windows."),
)
# In percent.
TEXT_SIZE = Setting(
    "text_size",
    int,
    100,
    choices={
        size: Option(
            percent(str(size)), tr("Show all text at {size}% of its default size.", size=size)
        )
        for size in TEXT_SIZES
    },
    label=tr("Text size"),
    hint=tr("Size of text, controls and rows."),
)
# "system" follows the desktop's setting for less motion, if Qt knows it.
MOTION = Setting(
    "motion",
    str,
    "system",
    choices={
        "system": Option(_SYSTEM, tr("Follow the system’s reduced-motion setting.")),
        "on": Option(tr("On"), tr("Animate points when a map changes.")),
        "off": Option(tr("Off"), tr("No animation.")),
    },
    label=tr("Animation"),
    hint=tr("Motion of points when a map changes."),
)
# The property of a window that has the style sheet.
_DRESSED = "dressed"


class Theme(QObject):
    """Active palette, text size and motion; follows the system unless set otherwise.

    ``changed`` is emitted after the application's palette and style sheet have been replaced, so
    that views can repaint; if the text size changes, ``text_changed`` is emitted before, so that
    views can measure their text again.
    """

    changed = Signal()
    text_changed = Signal()

    def __init__(
        self,
        application: QApplication,
        choice: str = "system",
        text_size: int = 100,
        motion: str = "system",
    ) -> None:
        super().__init__(application)
        self._application = application
        self._choice = choice
        self._text_size = _possible(text_size)
        self.motion_choice = motion
        self._contrast = False
        self.palette = LIGHT
        self._dressed = False
        # Qt applies a style to every widget again, even if it is already set.
        if application.style().name() != "fusion":
            application.setStyle("Fusion")
        set_text_factor(self._text_size / 100)
        application.setFont(body_font())
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._apply)
        self._apply()

    def follow_settings(self, settings: Settings) -> None:
        """Follow changes of the settings."""
        settings.changes(THEME).connect(self.choose)
        settings.changes(TEXT_SIZE).connect(self.choose_text_size)
        settings.changes(MOTION).connect(self.choose_motion)

    @property
    def choice(self) -> str:
        """ "system", "light" or "dark"."""
        return self._choice

    def choose(self, choice: str) -> None:
        self._choice = choice
        self._apply()

    @property
    def text_size(self) -> int:
        """Text size in percent, one of TEXT_SIZES."""
        return self._text_size

    def choose_text_size(self, percent: int) -> None:
        """Set the nearest available text size, with immediate effect."""
        self.choose_text_and_contrast(percent, self._contrast)

    def text_size_after(self, steps: int) -> int:
        """The text size so many steps larger or smaller, limited to the last one."""
        at = TEXT_SIZES.index(self._text_size) + steps
        return TEXT_SIZES[min(max(at, 0), len(TEXT_SIZES) - 1)]

    def choose_text_and_contrast(self, percent: int, high: bool) -> None:
        """Set the text size, and the palette's normal colours or those with high contrast for a
        projector.

        Both at once, because applying the style sheet to all windows takes long.
        """
        percent = _possible(percent)
        sized, coloured = percent != self._text_size, high != self._contrast
        if not sized and not coloured:
            return
        self._text_size, self._contrast = percent, high
        if sized:
            set_text_factor(percent / 100)
            self._application.setFont(body_font())
        if coloured:
            self._colour()
        # At once, as the sizes of all texts are measured next.
        self._dress_all(self._dressed_windows())
        if sized:
            update_scaled_sizes(QApplication.allWidgets())
            self.text_changed.emit()
            for widget in QApplication.allWidgets():
                if isinstance(widget, QAbstractItemView):
                    widget.doItemsLayout()
                widget.updateGeometry()
        self.changed.emit()

    @property
    def motion(self) -> bool:
        """Whether changes may be animated."""
        if self.motion_choice != "system":
            return self.motion_choice == "on"
        return (
            self._application.style().styleHint(QStyle.StyleHint.SH_Widget_Animation_Duration) > 0
        )

    def choose_motion(self, choice: str) -> None:
        """ "system", "on" or "off"."""
        self.motion_choice = choice
        self.changed.emit()

    def dress(self, window: QWidget) -> None:
        """Give a window the style sheet, once its initial widgets exist; widgets added later
        inherit it.

        The style sheet is set on windows, not on the application: otherwise, Qt would evaluate it
        again for every widget with each new parent, which takes three quarters of the time to
        create a panel. Sizes of widgets outside of windows are unknown.
        """
        window.setProperty(_DRESSED, True)
        window.setStyleSheet(style_sheet(self.palette))
        update_scaled_sizes([window, *window.findChildren(QWidget)])

    def icon(self, name: str, role: str = "text") -> QIcon:
        """An icon of ``resources/icons`` in the colour of a palette role, paler if disabled; drawn
        for each requested size and pixel ratio.
        """
        ink = getattr(self.palette, role)
        return _icon(name, ink, mix_colours(self.palette.muted, self.palette.surface, 0.4))

    def _apply(self) -> None:
        before = self.palette
        self._colour()
        if self.palette != before or not self._dressed:
            self._dressed = True
            self._dress_next(self._dressed_windows())
        self.changed.emit()

    def _colour(self) -> None:
        system_dark = QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark
        palette = LIGHT
        if self._choice == "dark" or (self._choice == "system" and system_dark):
            palette = DARK
        if self._contrast:
            self.palette = high_contrast_palette(palette)
        else:
            self.palette = palette
        self._application.setPalette(_qt_palette(self.palette))

    def _dressed_windows(self) -> list[QWidget]:
        """All windows with a style sheet, the active one first."""
        active = QApplication.activeWindow()
        windows = [one for one in QApplication.topLevelWidgets() if one.property(_DRESSED)]
        return sorted(windows, key=lambda one: (one is not active, not one.isVisible()))

    def _dress_next(self, windows: Sequence[QWidget]) -> None:
        """Give the new colours to the first window at once, and to each other one after the events
        that have come in the meantime: Qt takes 0.4 s for the widgets of a main window.
        """
        if not windows:
            return
        first, *others = windows
        if isValid(first):
            self._dress_all([first])
        if others:
            QTimer.singleShot(0, self, lambda: self._dress_next(others))

    def _dress_all(self, windows: Sequence[QWidget]) -> None:
        # Replacing a style sheet takes 0.4 s for 4000 widgets; removing it first, 0.7 s.
        sheet = style_sheet(self.palette)
        for window in windows:
            if window.styleSheet() != sheet:
                window.setStyleSheet(sheet)
                # Qt gives widgets back the fonts that they had before the style sheet.
                update_scaled_sizes([window, *window.findChildren(QWidget)])


def _possible(percent: int) -> int:
    return min(TEXT_SIZES, key=lambda size: abs(size - percent))


def set_property(widget: QWidget, name: str, value: object) -> None:
    """Set a dynamic property that the style sheet uses, and update the widget's look."""
    if widget.property(name) == value:
        return
    widget.setProperty(name, value)
    widget.style().unpolish(widget)
    widget.style().polish(widget)


@cache
def _icon(name: str, colour: str, disabled: str) -> QIcon:
    icon = QIcon()
    for mode, ink in ((QIcon.Mode.Normal, colour), (QIcon.Mode.Disabled, disabled)):
        icon.addFile(coloured_icon(name, ink).as_posix(), QSize(), mode)
    return icon


def _qt_palette(colours: Palette) -> QPalette:
    palette = QPalette()
    role = QPalette.ColorRole
    for where, colour in (
        (role.Window, colours.ground),
        (role.WindowText, colours.text),
        (role.Base, colours.surface),
        (role.AlternateBase, colours.raised),
        (role.Text, colours.text),
        (role.Button, colours.surface),
        (role.ButtonText, colours.text),
        (role.ToolTipBase, colours.raised),
        (role.ToolTipText, colours.text),
        (role.PlaceholderText, colours.muted),
        (role.Highlight, colours.accent),
        (role.HighlightedText, colours.on_accent),
        (role.Link, colours.accent),
        (role.Light, colours.surface),
        (role.Midlight, colours.raised),
        (role.Mid, colours.line),
        (role.Dark, colours.line),
        (role.Shadow, colours.line),
    ):
        palette.setColor(where, QColor(colour))
    for where in (role.Text, role.WindowText, role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, where, QColor(colours.muted))
    return palette
