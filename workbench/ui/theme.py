"""Colours, type and spacing: the one visual language of every panel, light and dark."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

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
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._apply)
        self._apply()

    @property
    def choice(self) -> str:
        """ "system", "light" or "dark"."""
        return self._choice

    def choose(self, choice: str) -> None:
        self._choice = choice
        self._apply()

    def run_colour(self, index: int) -> QColor:
        """The colour of a run, the same in every panel."""
        return QColor(self.palette.runs[index % len(self.palette.runs)])

    def _apply(self) -> None:
        system_dark = QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark
        self.palette = DARK if self._choice == "dark" or (self._choice == "system" and system_dark) else LIGHT
        self._application.setStyle("Fusion")
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
        (role.Mid, colours.line),
    ):
        palette.setColor(where, QColor(colour))
    for where in (role.Text, role.WindowText, role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, where, QColor(colours.muted))
    return palette


def style_sheet(colours: Palette) -> str:
    """The application's style sheet: hairlines, no nested frames, visible focus.

    Widgets ask for a look by dynamic properties: ``role`` = "title", "muted", "heading", "error",
    "value" on labels; "primary", "quiet", "danger" on buttons.
    """
    c = colours
    return f"""
    QWidget {{ font-size: {TYPE_BODY}px; }}
    QToolTip {{ background: {c.raised}; color: {c.text}; border: 1px solid {c.line}; padding: 6px; }}
    QLabel[role="title"] {{ font-size: {TYPE_TITLE}px; font-weight: 600; }}
    QLabel[role="large"] {{ font-size: {TYPE_LARGE}px; }}
    QLabel[role="muted"] {{ color: {c.muted}; }}
    QLabel[role="heading"] {{ color: {c.muted}; font-size: {TYPE_SMALL}px; font-weight: 600; }}
    QLabel[role="error"] {{ color: {c.danger}; }}
    QLabel[role="warning"] {{ color: {c.warning}; }}
    QPushButton, QToolButton {{ background: {c.surface}; color: {c.text}; border: 1px solid {c.line};
        border-radius: 6px; padding: 5px 12px; }}
    QPushButton:hover, QToolButton:hover {{ background: {c.hover}; }}
    QPushButton:pressed, QToolButton:pressed, QToolButton:checked, QPushButton:checked {{
        background: {c.accent_soft}; }}
    QPushButton:focus, QToolButton:focus {{ border: 2px solid {c.accent}; padding: 4px 11px; }}
    QPushButton:disabled, QToolButton:disabled {{ color: {c.muted}; background: {c.raised}; }}
    QPushButton[role="primary"] {{ background: {c.accent}; color: {c.on_accent}; border-color: {c.accent};
        font-weight: 600; padding: 7px 16px; }}
    QPushButton[role="primary"]:disabled {{ background: {c.raised}; color: {c.muted}; border-color: {c.line}; }}
    QPushButton[role="primary"]:focus {{ border: 2px solid {c.text}; padding: 6px 15px; }}
    QPushButton[role="quiet"], QToolButton[role="quiet"] {{ border-color: transparent; background: transparent; }}
    QPushButton[role="quiet"]:hover, QToolButton[role="quiet"]:hover {{ background: {c.hover}; }}
    QPushButton[role="quiet"]:focus, QToolButton[role="quiet"]:focus {{ border: 2px solid {c.accent}; }}
    QLineEdit, QSpinBox, QDoubleSpinBox, QComboBox, QPlainTextEdit {{ background: {c.surface}; color: {c.text};
        border: 1px solid {c.line}; border-radius: 6px; padding: 4px 8px; selection-background-color: {c.accent};
        selection-color: {c.on_accent}; }}
    QLineEdit:focus, QSpinBox:focus, QDoubleSpinBox:focus, QComboBox:focus {{
        border: 2px solid {c.accent}; padding: 3px 7px; }}
    QLineEdit[invalid="true"], QSpinBox[invalid="true"], QDoubleSpinBox[invalid="true"] {{ border-color: {c.danger}; }}
    QAbstractItemView {{ background: {c.surface}; border: none; outline: none; }}
    QHeaderView::section {{ background: {c.surface}; color: {c.muted}; border: none; border-bottom: 1px solid {c.line};
        padding: 4px 8px; }}
    QProgressBar {{ background: {c.raised}; border: none; border-radius: 3px; max-height: 6px; min-height: 6px; }}
    QProgressBar::chunk {{ background: {c.accent}; border-radius: 3px; }}
    QDockWidget {{ color: {c.muted}; }}
    QDockWidget::title {{ background: {c.ground}; padding: 6px 12px; }}
    QMainWindow::separator {{ background: {c.line}; width: 1px; height: 1px; }}
    QMainWindow::separator:hover {{ background: {c.accent}; }}
    QTabBar::tab {{ background: transparent; color: {c.muted}; padding: 7px 14px; border: none;
        border-bottom: 2px solid transparent; }}
    QTabBar::tab:selected {{ color: {c.text}; border-bottom: 2px solid {c.accent}; }}
    QTabBar::tab:hover {{ color: {c.text}; }}
    QScrollArea {{ border: none; background: transparent; }}
    QStatusBar {{ background: {c.ground}; border-top: 1px solid {c.line}; }}
    QStatusBar::item {{ border: none; }}
    QMenu {{ background: {c.surface}; border: 1px solid {c.line}; padding: 4px; }}
    QMenu::item {{ padding: 5px 24px 5px 12px; border-radius: 4px; }}
    QMenu::item:selected {{ background: {c.accent_soft}; color: {c.text}; }}
    """
