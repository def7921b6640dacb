"""The application's style sheet."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QLibraryInfo, QVersionNumber

from workbench.core.folders import resources
from workbench.core.paths import cache_folder
from workbench.ui.base.colours import Palette, mix_colours
from workbench.ui.base.scaling import TYPE_LARGE, TYPE_SMALL, TYPE_TITLE, scaled_length

_EDITORS = ("QLineEdit", "QAbstractSpinBox", "QComboBox", "QPlainTextEdit")
_PRIMARY = tuple(f'QPushButton[role="{role}"]' for role in ("primary", "start"))

# Suffixes of selectors that aren’t pseudo-states.
_STATES = {"any": "", "invalid": '[invalid="true"]'}

# Filled in by ``style_sheet``.
_SHEET = """
QToolTip {{ background: {c.raised}; color: {c.text}; border: 1px solid {c.line}; padding: 6px; }}
QLabel[role="title"] {{ font-size: {title}px; font-weight: 600; }}
QLabel[role="large"] {{ font-size: {large}px; }}
QLabel[role="muted"] {{ color: {c.muted}; }}
QLabel[role="small"] {{ color: {c.muted}; font-size: {small}px; }}
QLabel[role="heading"] {{ color: {c.muted}; font-size: {small}px; font-weight: 600; }}
QLabel[role="error"] {{ color: {c.danger}; }}
QLabel[role="hot"] {{ color: {c.danger}; }}
QLabel[role="warning"] {{ color: {c.warning}; }}
QLabel[role="good"] {{ color: {c.good}; }}
QWidget[role="bar"] {{ background: {c.ground}; }}
QWidget[role="surface"] {{ background: {c.surface}; }}
QLabel[role="strong"] {{ font-weight: 600; }}
QFrame[role="card"] {{ background: {c.surface}; border: 1px solid {c.line}; border-radius: 10px; }}
QFrame[role="hairline"] {{ background: {c.line}; border: none; }}
QPushButton, QToolButton, QLineEdit, QMenu, QTabBar, QAbstractItemView {{ icon-size: {px[16]}px; }}
QPushButton, QToolButton {{ background: {c.surface}; color: {c.text}; border: 1px solid {c.line};
    border-radius: 6px; padding: 5px 12px; }}
QToolButton {{ padding: 4px; }}
QToolButton[popupMode="1"], QToolButton[popupMode="2"] {{ padding-right: {px[22]}px; }}
QPushButton:hover, QToolButton:hover {{ background: {c.hover}; }}
QPushButton:pressed, QToolButton:pressed, QToolButton:checked, QPushButton:checked {{
    background: {c.accent_soft}; }}
QPushButton:focus {{ border: 2px solid {c.accent}; padding: 4px 11px; }}
QToolButton:focus {{ border: 2px solid {c.accent}; padding: 3px; }}
QPushButton {{ outline: none; }}
QPushButton:disabled, QToolButton:disabled {{ color: {c.muted}; background: {c.raised}; }}
{primary[any]} {{ background: {c.accent}; color: {c.on_accent}; border-color: {c.accent}; font-weight: 600; }}
{primary[hover]} {{ background: {warm}; }}
{primary[pressed]} {{ background: {deep}; }}
{primary[disabled]} {{ background: {c.raised}; color: {c.muted}; border-color: {c.line}; }}
{primary[focus]} {{ border: 2px solid {c.text}; }}
QPushButton[role="primary"] {{ font-size: {large}px; padding: 8px 16px; }}
QPushButton[role="primary"]:focus {{ padding: 7px 15px; }}
QPushButton[role="quiet"], QToolButton[role="quiet"] {{ border-color: transparent; background: transparent; }}
QPushButton[role="quiet"]:hover, QToolButton[role="quiet"]:hover {{ background: {c.hover}; }}
QPushButton[role="quiet"]:pressed, QToolButton[role="quiet"]:pressed, QPushButton[role="quiet"]:checked,
QToolButton[role="quiet"]:checked {{ background: {c.accent_soft}; }}
QPushButton[role="quiet"]:focus, QToolButton[role="quiet"]:focus {{ border: 2px solid {c.accent}; }}
QWidget[role="segments"] {{ background: {c.raised}; border: 1px solid {c.line}; border-radius: 8px; }}
QToolButton[role="segment"] {{ border: 1px solid transparent; background: transparent; color: {c.muted};
    border-radius: 6px; padding: 3px 8px; }}
QToolButton[role="segment"]:hover {{ color: {c.text}; }}
QToolButton[role="segment"]:checked {{ background: {c.surface}; color: {c.text}; border-color: {c.edge}; }}
QToolButton[role="segment"]:focus {{ border: 1px solid {c.accent}; }}
QToolButton[role="mark"] {{ border: none; background: transparent; padding: 0px; border-radius: 4px; }}
QToolButton[role="mark"]:hover {{ background: {c.hover}; }}
QToolButton[role="mark"]:focus {{ border: 1px solid {c.accent}; }}
QPushButton[role="link"] {{ border: 2px solid transparent; background: transparent; color: {c.accent};
    padding: 2px; text-align: left; border-radius: 4px; }}
QPushButton[role="link"]:hover {{ text-decoration: underline; }}
QPushButton[role="link"]:focus {{ border-color: {c.accent}; }}
QPushButton::menu-indicator, QToolButton::menu-indicator {{ {image[chevron-down muted]};
    subcontrol-position: right center; right: 4px; width: {px[14]}px; height: {px[14]}px; }}
{editors[any]} {{ background: {c.surface}; color: {c.text}; border: 1px solid {c.edge}; border-radius: 6px;
    padding: 3px 7px; selection-background-color: {c.accent}; selection-color: {c.on_accent}; }}
{editors[any]} {{ placeholder-text-color: {c.muted}; }}
{editors[focus]} {{ border: 2px solid {c.accent}; padding: 2px 6px; }}
{editors[disabled]} {{ color: {c.muted}; background: {c.raised}; border-color: {c.line}; }}
{editors[invalid]} {{ border-color: {c.danger}; }}
QComboBox::drop-down {{ border: none; width: {px[20]}px; }}
QComboBox::down-arrow {{ {image[chevron-down muted]}; width: {px[14]}px;
    height: {px[14]}px; }}
QComboBox {{ combobox-popup: 0; }}
QComboBox QAbstractItemView {{ border: 1px solid {c.edge}; outline: none;
    selection-background-color: {c.accent_soft}; selection-color: {c.text}; }}
QComboBox QAbstractItemView::item {{ padding: 4px 8px; }}
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button {{ subcontrol-origin: padding; border: none;
    width: {px[16]}px; background: transparent; }}
QAbstractSpinBox::up-button {{ subcontrol-position: top right; }}
QAbstractSpinBox::down-button {{ subcontrol-position: bottom right; }}
QAbstractSpinBox::up-arrow {{ {image[chevron-up muted]}; width: {px[11]}px;
    height: {px[11]}px; }}
QAbstractSpinBox::down-arrow {{ {image[chevron-down muted]}; width: {px[11]}px;
    height: {px[11]}px; }}
QCheckBox {{ spacing: 8px; border: 2px solid transparent; border-radius: 4px; }}
QCheckBox[role="bare"] {{ spacing: 0px; }}
QCheckBox:focus {{ border-color: {c.accent}; }}
QCheckBox:disabled {{ color: {c.muted}; }}
QCheckBox::indicator, QAbstractItemView::indicator {{ width: {px[15]}px; height: {px[15]}px;
    border: 1px solid {c.edge};
    border-radius: 4px; background: {c.surface}; }}
QCheckBox::indicator:checked, QAbstractItemView::indicator:checked {{
    background: {c.accent}; border-color: {c.accent}; {image[check on_accent]}; }}
QRadioButton {{ spacing: 8px; border: 2px solid transparent; border-radius: 4px; }}
QRadioButton:focus {{ border-color: {c.accent}; }}
QRadioButton[role="framed"]:focus {{ border-color: transparent; }}
QRadioButton::indicator {{ width: {radio}px; height: {radio}px; border: 1px solid {rim};
    border-radius: {radius}px; background: {c.surface}; }}
QRadioButton::indicator:checked {{ background: {c.accent}; border-color: {c.accent};
    {image[dot on_accent]}; }}
QRadioButton::indicator:checked:disabled {{ background: {c.muted}; border-color: {c.muted}; }}
QAbstractItemView {{ background: {c.surface}; border: none; outline: none;
    selection-background-color: {c.accent_soft}; selection-color: {c.text}; }}
QListView::item {{ border: none; border-left: 3px solid transparent; }}
QListView::item:hover {{ background: {c.hover}; color: {c.text}; }}
QListView::item:selected {{ background: {c.accent_soft}; color: {c.text}; border-left-color: {c.accent}; }}
QListView[role="popup"] {{ border: 1px solid {c.line}; }}
QListView[role="popup"]::item {{ padding: 4px 8px; }}
QFrame[role="popup"] {{ background: {c.surface}; border: 1px solid {c.line}; }}
QAbstractItemView[role="plain"], QListView[role="pages"] {{ background: transparent; }}
QListView[role="pages"]::item {{ padding: 5px 8px; }}
QTableView {{ gridline-color: transparent; border: 1px solid transparent; border-radius: 4px; }}
QTableView:focus {{ border-color: {c.accent}; }}
QTableView[role="plain"] {{ border: none; selection-background-color: transparent; }}
QTableView::item {{ padding: 0px 5px; }}
QHeaderView {{ background: {c.surface}; border: none; }}
QHeaderView::section {{ background: {c.surface}; color: {c.muted}; border: none; border-bottom: 1px solid {c.line};
    padding: {px[8]}px {heading_side}px 4px; font-size: {small}px; }}
QHeaderView::up-arrow {{ {image[chevron-up muted]}; }}
QHeaderView::down-arrow {{ {image[chevron-down muted]}; }}
QHeaderView::up-arrow, QHeaderView::down-arrow {{ subcontrol-position: top center; width: {px[10]}px;
    height: {px[10]}px; }}
QDialogButtonBox {{ button-layout: 3; }}
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
QTabBar[role="narrow"]::tab {{ padding: 7px 10px; }}
QTabBar::tab:selected {{ color: {c.text}; border-bottom: 2px solid {c.accent}; }}
QTabBar::tab:hover {{ color: {c.text}; }}
QTabBar::tab:focus {{ color: {c.accent}; }}
QTabBar::tear {{ width: 0px; border: none; image: none; }}
QTabBar::scroller {{ width: {px[26]}px; }}
QTabBar QToolButton {{ background: {c.ground}; border: none; border-radius: 4px; padding: 0px; }}
QTabBar QToolButton:disabled {{ background: {c.ground}; }}
QTabBar QToolButton:hover {{ background: {c.hover}; }}
QTabBar QToolButton::left-arrow {{ {image[chevron-left text]}; }}
QTabBar QToolButton::left-arrow:disabled {{ {image[chevron-left line]}; }}
QTabBar QToolButton::right-arrow {{ {image[chevron-right text]}; }}
QTabBar QToolButton::right-arrow:disabled {{ {image[chevron-right line]}; }}
QTabBar QToolButton::left-arrow, QTabBar QToolButton::right-arrow {{ width: {px[16]}px;
    height: {px[16]}px; }}
QSlider::groove:horizontal {{ height: 3px; border-radius: 1px; background: {c.line}; }}
QSlider::handle:horizontal {{ width: 13px; height: 13px; margin: -5px 0px; border-radius: 6px;
    background: {c.muted}; }}
QSlider::handle:horizontal:hover, QSlider::handle:horizontal:focus {{ background: {c.accent}; }}
QScrollArea {{ border: none; background: transparent; }}
QAbstractScrollArea::corner {{ border: none; background: transparent; }}
QScrollBar {{ background: transparent; border: none; margin: 0px; }}
QScrollBar:vertical {{ width: 10px; }}
QScrollBar:horizontal {{ height: 10px; }}
QScrollBar::handle {{ background: {c.point}; border-radius: 3px; margin: 2px; }}
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
QMenu::indicator:checked {{ {image[check text]}; }}
"""


def style_sheet(colours: Palette) -> str:
    """The application's style sheet: hairlines, no nested frames, visible focus.

    Widgets choose a look by the dynamic property ``role``: "title", "large", "strong", "muted",
    "small", "heading", "error", "warning" on labels; "primary", "start" (the same, as large as the widgets
    beside it), "quiet", "link" on buttons; "bare" on a check box without text; "pages" on a list of
    pages. ``invalid`` marks an editor with an invalid value.
    """
    # An even length: half of it is the radius of the circle.
    radio = 2 * (scaled_length(14) // 2)
    return _SHEET.format(
        c=colours,
        px=_Lookup(scaled_length),
        image=_Lookup(lambda key: _sheet_image(key.split()[0], getattr(colours, key.split()[1]))),
        title=scaled_length(TYPE_TITLE),
        large=scaled_length(TYPE_LARGE),
        small=scaled_length(TYPE_SMALL),
        # Cells have 3 px less padding than headings, because Qt adds 3 px to the text of cells.
        # Before 6.9, Qt adds 5 px on each side of a heading.
        heading_side=8 if QLibraryInfo.version() >= QVersionNumber(6, 9) else 3,
        # The rim of the circle is thin and round, so that only part of most pixels has its colour.
        rim=mix_colours(colours.edge, colours.text, 0.2),
        radio=radio,
        radius=radio // 2 + 1,
        warm=mix_colours(colours.accent, colours.text, 0.12),
        deep=mix_colours(colours.accent, colours.text, 0.25),
        editors=_Lookup(partial(_selectors, _EDITORS)),
        primary=_Lookup(partial(_selectors, _PRIMARY)),
    )


def _selectors(widgets: Sequence[str], state: str) -> str:
    suffix = _STATES.get(state, f":{state}")
    return ", ".join(f"{widget}{suffix}" for widget in widgets)


class _Lookup:
    """Lets a template call a function by ``{name[argument]}``."""

    def __init__(self, find: Callable[[Any], object]) -> None:
        self._find = find

    def __getitem__(self, key: int | str) -> object:
        return self._find(key)


@cache
def _svg(name: str) -> str:
    return (resources() / "icons" / f"{name}.svg").read_text(encoding="utf-8")


@cache
def coloured_icon(name: str, colour: str) -> Path:
    """A file with a coloured icon, for style sheets, which can only refer to files."""
    path = cache_folder("icons") / f"{name}-{colour.removeprefix('#')}.svg"
    text = _svg(name).replace("#000000", colour)
    if not path.is_file() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")
    return path


def _sheet_image(name: str, colour: str) -> str:
    return f'image: url("{coloured_icon(name, colour).as_posix()}")'
