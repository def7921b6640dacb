"""Colours, type and spacing: the one visual language of every panel, light and dark."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache

from PySide6.QtCore import QByteArray, QObject, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QGuiApplication, QIcon, QPainter, QPalette, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication, QWidget

from workbench.core.paths import cache_folder, resources

# Spacing and type sizes in device-independent pixels.
SPACE_1, SPACE_2, SPACE_3, SPACE_4, SPACE_5 = 4, 8, 12, 16, 24
TYPE_SMALL, TYPE_BODY, TYPE_LARGE, TYPE_TITLE = 12, 13, 15, 20


@dataclass(frozen=True)
class Palette:
    """Colours by role, as #RRGGBB. ``runs`` are in the order of Okabe and Ito (2008), each in a
    variant whose contrast against ``surface`` is at least 3.
    """

    dark: bool
    ground: str
    surface: str
    raised: str
    hover: str
    text: str
    muted: str
    line: str
    accent: str
    on_accent: str
    accent_soft: str
    danger: str
    warning: str
    good: str
    unobserved: str
    point: str
    runs: tuple[str, ...]
    diverging: tuple[str, str, str]


LIGHT = Palette(
    dark=False,
    ground="#FBFBFA",
    surface="#FFFFFF",
    raised="#F3F4F4",
    hover="#EAECEF",
    text="#1F2328",
    muted="#59636E",
    line="#D1D9E0",
    accent="#2F6FDE",
    on_accent="#FFFFFF",
    accent_soft="#DCE8FC",
    danger="#C0362C",
    warning="#9A6700",
    good="#1A7F37",
    unobserved="#E4E6E8",
    point="#8A94A0",
    runs=("#0072B2", "#C25500", "#008A63", "#B0558A", "#A07800", "#2A8FC9", "#6B6B6B", "#7A4FC2"),
    diverging=("#2166AC", "#F4F4F2", "#B2182B"),
)

DARK = Palette(
    dark=True,
    ground="#15171B",
    surface="#1D2025",
    raised="#262A30",
    hover="#2E333A",
    text="#E6E8EB",
    muted="#9AA4AE",
    line="#30363D",
    accent="#7AA8F8",
    on_accent="#15171B",
    accent_soft="#26364F",
    danger="#FF8A80",
    warning="#E3B341",
    good="#56D364",
    unobserved="#2B3036",
    point="#6F7985",
    runs=("#56B4E9", "#E69F00", "#2FC79A", "#DD8FBC", "#F0E442", "#5AA0D8", "#B8B8B8", "#B79CF2"),
    diverging=("#67A9CF", "#2A2D32", "#EF8A62"),
)


class Theme(QObject):
    """Which palette is in force; follows the system unless told otherwise.

    ``changed`` is emitted after the application's palette and style sheet have been replaced, so
    that views which paint themselves can repaint.
    """

    changed = Signal()

    def __init__(self, application: QApplication, choice: str = "system") -> None:
        super().__init__(application)
        self._application = application
        self._choice = choice
        self.palette = LIGHT
        application.setStyle("Fusion")
        application.setFont(body_font())
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._apply)
        self._apply()

    @property
    def choice(self) -> str:
        """ "system", "light" or "dark"."""
        return self._choice

    def choose(self, choice: str) -> None:
        self._choice = choice
        self._apply()

    @contextmanager
    def undressed(self) -> Iterator[None]:
        """While many widgets are made: the style sheet is worked out once in the end, not again with every parent
        that a widget is given, which takes half of the making of a window. Sizes are not known before the end.
        """
        self._application.setStyleSheet("")
        try:
            yield
        finally:
            self._application.setStyleSheet(style_sheet(self.palette))

    def run_colour(self, index: int) -> QColor:
        """The colour of a run, the same in every panel."""
        return QColor(self.palette.runs[index % len(self.palette.runs)])

    def icon(self, name: str, role: str = "text") -> QIcon:
        """An icon of ``resources/icons`` in the colour of a palette role, muted where disabled."""
        return _icon(name, getattr(self.palette, role), self.palette.line)

    def _apply(self) -> None:
        system_dark = QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark
        self.palette = DARK if self._choice == "dark" or (self._choice == "system" and system_dark) else LIGHT
        self._application.setPalette(_qt_palette(self.palette))
        self._application.setStyleSheet(style_sheet(self.palette))
        self.changed.emit()


def body_font(size: int = TYPE_BODY, *, bold: bool = False, tabular: bool = False) -> QFont:
    """The system's font at a size of the scale; ``tabular`` asks for figures of equal width."""
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
    font.setPixelSize(size)
    if bold:
        font.setWeight(QFont.Weight.DemiBold)
    if tabular and hasattr(font, "setFeature"):
        font.setFeature(QFont.Tag("tnum"), 1)
    return font


def set_property(widget: QWidget, name: str, value: object) -> None:
    """Set a dynamic property that the style sheet looks at, and let the widget take the new look."""
    if widget.property(name) == value:
        return
    widget.setProperty(name, value)
    widget.style().unpolish(widget)
    widget.style().polish(widget)


@cache
def _svg(name: str) -> str:
    return (resources() / "icons" / f"{name}.svg").read_text(encoding="utf-8")


@cache
def _icon(name: str, colour: str, disabled: str) -> QIcon:
    icon = QIcon()
    for mode, ink in ((QIcon.Mode.Normal, colour), (QIcon.Mode.Disabled, disabled)):
        renderer = QSvgRenderer(QByteArray(_svg(name).replace("#000000", ink).encode()))
        for scale in (1, 2, 3):
            pixmap = QPixmap(16 * scale, 16 * scale)
            pixmap.fill(Qt.GlobalColor.transparent)
            painter = QPainter(pixmap)
            renderer.render(painter, QRectF(0, 0, 16 * scale, 16 * scale))
            painter.end()
            pixmap.setDevicePixelRatio(scale)
            icon.addPixmap(pixmap, mode)
    return icon


def _sheet_image(name: str, colour: str) -> str:
    """The place of an icon in a colour, for a style sheet, which can only name files."""
    path = cache_folder("icons") / f"{name}-{colour.removeprefix('#')}.svg"
    text = _svg(name).replace("#000000", colour)
    if not path.is_file() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")
    return f'image: url("{path.as_posix()}")'


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


def style_sheet(colours: Palette) -> str:
    """The application's style sheet: hairlines, no nested frames, visible focus.

    Widgets ask for a look by the dynamic property ``role``: "title", "large", "muted", "small",
    "heading", "error", "warning" on labels; "primary", "quiet", "link" on buttons. ``invalid`` marks
    an editor whose value does not do.
    """
    c = colours
    edits = ("QLineEdit", "QAbstractSpinBox", "QComboBox", "QPlainTextEdit")
    every = ", ".join(edits)
    focused = ", ".join(f"{kind}:focus" for kind in edits)
    disabled = ", ".join(f"{kind}:disabled" for kind in edits)
    invalid = ", ".join(f'{kind}[invalid="true"]' for kind in edits)
    return f"""
    QToolTip {{ background: {c.raised}; color: {c.text}; border: 1px solid {c.line}; padding: 6px; }}
    QLabel[role="title"] {{ font-size: {TYPE_TITLE}px; font-weight: 600; }}
    QLabel[role="large"] {{ font-size: {TYPE_LARGE}px; }}
    QLabel[role="muted"] {{ color: {c.muted}; }}
    QLabel[role="small"] {{ color: {c.muted}; font-size: {TYPE_SMALL}px; }}
    QLabel[role="heading"] {{ color: {c.muted}; font-size: {TYPE_SMALL}px; font-weight: 600; }}
    QLabel[role="error"] {{ color: {c.danger}; }}
    QLabel[role="warning"] {{ color: {c.warning}; }}
    QWidget[role="bar"] {{ background: {c.ground}; }}
    QWidget[role="surface"] {{ background: {c.surface}; }}
    QFrame[role="hairline"] {{ background: {c.line}; border: none; }}
    QPushButton, QToolButton {{ background: {c.surface}; color: {c.text}; border: 1px solid {c.line};
        border-radius: 6px; padding: 5px 12px; }}
    QToolButton {{ padding: 4px; }}
    QToolButton[popupMode="1"], QToolButton[popupMode="2"] {{ padding-right: 22px; }}
    QPushButton:hover, QToolButton:hover {{ background: {c.hover}; }}
    QPushButton:pressed, QToolButton:pressed, QToolButton:checked, QPushButton:checked {{
        background: {c.accent_soft}; }}
    QPushButton:focus {{ border: 2px solid {c.accent}; padding: 4px 11px; }}
    QToolButton:focus {{ border: 2px solid {c.accent}; padding: 3px; }}
    QPushButton:disabled, QToolButton:disabled {{ color: {c.muted}; background: {c.raised}; }}
    QPushButton[role="primary"] {{ background: {c.accent}; color: {c.on_accent}; border-color: {c.accent};
        font-weight: 600; font-size: {TYPE_LARGE}px; padding: 8px 16px; }}
    QPushButton[role="primary"]:hover {{ background: {_mixed(c.accent, c.text, 0.12)}; }}
    QPushButton[role="primary"]:pressed {{ background: {_mixed(c.accent, c.text, 0.25)}; }}
    QPushButton[role="primary"]:disabled {{ background: {c.raised}; color: {c.muted}; border-color: {c.line}; }}
    QPushButton[role="primary"]:focus {{ border: 2px solid {c.text}; padding: 7px 15px; }}
    QPushButton[role="quiet"], QToolButton[role="quiet"] {{ border-color: transparent; background: transparent; }}
    QPushButton[role="quiet"]:hover, QToolButton[role="quiet"]:hover {{ background: {c.hover}; }}
    QPushButton[role="quiet"]:pressed, QToolButton[role="quiet"]:pressed, QPushButton[role="quiet"]:checked,
    QToolButton[role="quiet"]:checked {{ background: {c.accent_soft}; }}
    QPushButton[role="quiet"]:focus, QToolButton[role="quiet"]:focus {{ border: 2px solid {c.accent}; }}
    QToolButton[role="mark"] {{ border: none; background: transparent; padding: 0px; border-radius: 4px; }}
    QToolButton[role="mark"]:hover {{ background: {c.hover}; }}
    QToolButton[role="mark"]:focus {{ border: 1px solid {c.accent}; }}
    QPushButton[role="link"] {{ border: 2px solid transparent; background: transparent; color: {c.accent};
        padding: 2px; text-align: left; border-radius: 4px; }}
    QPushButton[role="link"]:hover {{ text-decoration: underline; }}
    QPushButton[role="link"]:focus {{ border-color: {c.accent}; }}
    QPushButton::menu-indicator, QToolButton::menu-indicator {{ {_sheet_image("chevron-down", c.muted)};
        subcontrol-position: right center; right: 4px; width: 14px; height: 14px; }}
    {every} {{ background: {c.surface}; color: {c.text}; border: 1px solid {c.line}; border-radius: 6px;
        padding: 3px 7px; selection-background-color: {c.accent}; selection-color: {c.on_accent}; }}
    {focused} {{ border: 2px solid {c.accent}; padding: 2px 6px; }}
    {disabled} {{ color: {c.muted}; background: {c.raised}; }}
    {invalid} {{ border-color: {c.danger}; }}
    QComboBox::drop-down {{ border: none; width: 20px; }}
    QComboBox::down-arrow {{ {_sheet_image("chevron-down", c.muted)}; width: 14px; height: 14px; }}
    QComboBox QAbstractItemView {{ border: 1px solid {c.line}; padding: 4px; outline: none;
        selection-background-color: {c.accent_soft}; selection-color: {c.text}; }}
    QAbstractSpinBox::up-button, QAbstractSpinBox::down-button {{ subcontrol-origin: padding; border: none;
        width: 16px; background: transparent; }}
    QAbstractSpinBox::up-button {{ subcontrol-position: top right; }}
    QAbstractSpinBox::down-button {{ subcontrol-position: bottom right; }}
    QAbstractSpinBox::up-arrow {{ {_sheet_image("chevron-up", c.muted)}; width: 11px; height: 11px; }}
    QAbstractSpinBox::down-arrow {{ {_sheet_image("chevron-down", c.muted)}; width: 11px; height: 11px; }}
    QCheckBox {{ spacing: 8px; border: 2px solid transparent; border-radius: 4px; }}
    QCheckBox:focus {{ border-color: {c.accent}; }}
    QCheckBox:disabled {{ color: {c.muted}; }}
    QCheckBox::indicator, QAbstractItemView::indicator {{ width: 15px; height: 15px;
        border: 1px solid {_mixed(c.line, c.text, 0.3)};
        border-radius: 4px; background: {c.surface}; }}
    QCheckBox::indicator:checked, QAbstractItemView::indicator:checked {{
        background: {c.accent}; border-color: {c.accent}; {_sheet_image("check", c.on_accent)}; }}
    QAbstractItemView {{ background: {c.surface}; border: none; outline: none;
        selection-background-color: {c.accent_soft}; selection-color: {c.text}; }}
    QListView[role="popup"] {{ border: 1px solid {c.line}; }}
    QListView[role="popup"]::item {{ padding: 4px 8px; border-radius: 4px; }}
    QFrame[role="popup"] {{ background: {c.surface}; border: 1px solid {c.line}; }}
    QAbstractItemView[role="plain"] {{ background: transparent; }}
    QTableView {{ gridline-color: transparent; }}
    QTableView::item {{ padding: 0px 8px; }}
    QHeaderView {{ background: {c.surface}; border: none; }}
    QHeaderView::section {{ background: {c.surface}; color: {c.muted}; border: none; border-bottom: 1px solid {c.line};
        padding: 4px 8px; font-size: {TYPE_SMALL}px; }}
    QHeaderView::up-arrow {{ {_sheet_image("chevron-up", c.muted)}; }}
    QHeaderView::down-arrow {{ {_sheet_image("chevron-down", c.muted)}; }}
    QHeaderView::up-arrow, QHeaderView::down-arrow {{ subcontrol-position: top center; width: 10px; height: 10px; }}
    QProgressBar {{ background: {c.raised}; border: none; border-radius: 3px; max-height: 6px; min-height: 6px; }}
    QProgressBar::chunk {{ background: {c.accent}; border-radius: 3px; }}
    QDockWidget {{ color: {c.muted}; }}
    QMainWindow {{ background: {c.ground}; }}
    QMainWindow::separator {{ background: {c.line}; width: 1px; height: 1px; margin: 2px; }}
    QMainWindow::separator:hover {{ background: {c.accent}; }}
    QSplitter::handle {{ background: {c.line}; }}
    QSplitter::handle:horizontal {{ width: 1px; margin: 0px 8px; }}
    QSplitter::handle:vertical {{ height: 1px; margin: 8px 0px; }}
    QTabBar {{ background: transparent; }}
    QTabBar::tab {{ background: transparent; color: {c.muted}; padding: 7px 14px; border: none;
        border-bottom: 2px solid transparent; }}
    QTabBar::tab:selected {{ color: {c.text}; font-weight: 600; border-bottom: 2px solid {c.accent}; }}
    QTabBar::tab:hover {{ color: {c.text}; }}
    QTabBar::tab:focus {{ color: {c.accent}; }}
    QSlider::groove:horizontal {{ height: 3px; border-radius: 1px; background: {c.line}; }}
    QSlider::handle:horizontal {{ width: 13px; height: 13px; margin: -5px 0px; border-radius: 6px;
        background: {c.muted}; }}
    QSlider::handle:horizontal:hover, QSlider::handle:horizontal:focus {{ background: {c.accent}; }}
    QScrollArea {{ border: none; background: transparent; }}
    QScrollBar {{ background: transparent; border: none; margin: 0px; }}
    QScrollBar:vertical {{ width: 10px; }}
    QScrollBar:horizontal {{ height: 10px; }}
    QScrollBar::handle {{ background: {_mixed(c.line, c.text, 0.08)}; border-radius: 3px; margin: 2px; }}
    QScrollBar::handle:vertical {{ min-height: 28px; }}
    QScrollBar::handle:horizontal {{ min-width: 28px; }}
    QScrollBar::handle:hover {{ background: {c.muted}; }}
    QScrollBar::add-line, QScrollBar::sub-line {{ width: 0px; height: 0px; }}
    QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
    QStatusBar {{ background: {c.ground}; border-top: 1px solid {c.line}; }}
    QStatusBar::item {{ border: none; }}
    QMenuBar {{ background: transparent; border: none; }}
    QMenuBar::item {{ background: transparent; padding: 6px 10px; border-radius: 4px; }}
    QMenuBar::item:selected {{ background: {c.hover}; }}
    QMenu {{ background: {c.surface}; border: 1px solid {c.line}; padding: 4px; }}
    QMenu::item {{ padding: 5px 24px 5px 28px; border-radius: 4px; }}
    QMenu::item:selected {{ background: {c.accent_soft}; color: {c.text}; }}
    QMenu::item:disabled {{ color: {c.muted}; }}
    QMenu::separator {{ background: {c.line}; height: 1px; margin: 4px 8px; }}
    QMenu::indicator {{ width: 14px; height: 14px; left: 8px; }}
    QMenu::indicator:checked {{ {_sheet_image("check", c.text)}; }}
    """


def _mixed(colour: str, other: str, share: float) -> str:
    """``colour`` with a share of another, as #RRGGBB."""
    first, second = QColor(colour), QColor(other)
    channels = zip(first.getRgb()[:3], second.getRgb()[:3], strict=True)  # type: ignore[index]
    return "#" + "".join(f"{round(a + (b - a) * share):02X}" for a, b in channels)
