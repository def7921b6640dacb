"""Every text of the window as JSON, with its place; run by ``test_language.py``.

All texts that a user can read or have read aloud: labels, tooltips, accessible names and
descriptions, placeholders, titles of tabs and columns, entries of menus and lists, entries of the
command palette, and the pages of the preferences; with nothing open, and with a model trained on a
small text.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator

from corpora import markov_corpus
from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QModelIndex, QObject, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDoubleSpinBox,
    QLineEdit,
    QMenu,
    QSpinBox,
    QTabBar,
    QTableView,
    QTreeView,
    QWidget,
)
from umaps import keep_start
from waiting import keep_priorities, wait_until

from workbench.analysis.associations.word_sets import BUNDLED as BUNDLED_SETS
from workbench.analysis.associations.word_sets import bundled_path as bundled_sets
from workbench.analysis.associations.word_sets import load_tests
from workbench.analysis.evaluation.similarity import BUNDLED, load_pairs
from workbench.analysis.evaluation.similarity import bundled_path as bundled_pairs
from workbench.analysis.projection.umap import UmapParams
from workbench.core.folders import resources
from workbench.core.language import languages
from workbench.core.params import Value, special_value
from workbench.core.paths import cache_folder, log_folder, settings_folder, store_folder
from workbench.corpus.catalogue import CATALOGUE
from workbench.corpus.corpus import CorpusOptions
from workbench.corpus.samples import SAMPLES
from workbench.models.base import MODELS
from workbench.session.lessons import bundled_lessons
from workbench.session.session import Session
from workbench.session.training.request import TrainingSpec
from workbench.ui.base.action import Choices
from workbench.ui.base.panel import PanelContext
from workbench.ui.base.panel_kind import PANELS
from workbench.ui.base.session_timer import Bridge
from workbench.ui.base.theme import Theme
from workbench.ui.commands.palette_entries import window_offers
from workbench.ui.commands.registry import GROUPS, declared_actions
from workbench.ui.panels.map import layout_jobs
from workbench.ui.preferences.dialog import PreferencesDialog
from workbench.ui.shell.application import make_application
from workbench.ui.shell.window import TITLE, Window
from workbench.ui.widgets.inputs import form

_SECONDS = 150
# Number of consecutive checks that must find the window idle.
_CALM = 5
_TEXTS = (
    "text",
    "title",
    "windowTitle",
    "toolTip",
    "statusTip",
    "whatsThis",
    "accessibleName",
    "accessibleDescription",
    "placeholderText",
    "prefix",
    "suffix",
    "specialValueText",
)
_ROWS = 12
_NOWHERE = QModelIndex()
_ROLES = (
    Qt.ItemDataRole.DisplayRole,
    Qt.ItemDataRole.ToolTipRole,
    Qt.ItemDataRole.AccessibleTextRole,
)
_ACROSS, _DOWN = Qt.Orientation.Horizontal, Qt.Orientation.Vertical

PlacedText = tuple[str, str]


def _preferences_texts(application: QApplication, window: Window) -> dict[tuple[str, str], None]:
    dialog = PreferencesDialog(window)
    dialog.show()
    for page in dialog.pages:
        dialog.show_page(page)
        _settle(application, window)
    texts = dict.fromkeys(_window_texts(application, dialog))
    dialog.close()
    _settle(application, window)
    return texts


def main() -> int:
    keep_priorities()
    # Run as plain Python, UMAP takes most of the time and adds no text.
    layout_jobs.cached_layout = keep_start
    form.special_value = _special_value
    application = make_application()
    session = Session()
    context = PanelContext(session, Bridge(session), Theme(application, "light"))
    window = Window(context, remembering=False)
    window.resize(1600, 1000)
    window.show()
    texts = dict.fromkeys(_declarations())
    for key in tuple(PANELS.keys()):
        window.raise_panel(key)
        _settle(application, window)
    texts.update(dict.fromkeys(_window_texts(application, window)))
    session.corpora.current = markov_corpus(600)
    session.corpora.changed.emit()
    record = session.training.start(
        TrainingSpec(
            "sgns", MODELS["sgns"].params_type.from_mapping({"dim": 4, "epochs": 2, "min_count": 1})
        )
    )
    _until(application, lambda: record.state.over)
    assert record.has_vectors, record.error
    session.active.show(record)
    words = session.corpora.current.words
    session.selection.select(words[:3])
    for key in tuple(PANELS.keys()):
        window.raise_panel(key)
        shelf = getattr(window.docks[key].panel, "instruments", None)
        for instrument in shelf.all if shelf is not None else (None,):
            if instrument is not None:
                shelf.show_instrument(instrument.local)
            _settle(application, window)
    texts.update(dict.fromkeys(_window_texts(application, window)))
    for offer in window_offers(window.commands):
        texts.update(
            {
                (f"palette {offer.key}", text): None
                for text in (offer.text, offer.home, offer.description)
            }
        )
        texts[f"palette {offer.key}", offer.why_not] = None
    texts.update(_preferences_texts(application, window))
    data = {
        *words,
        record.name,
        session.corpora.current.name,
        TITLE,
        *map(str, _untranslated_texts(window)),
    }
    json.dump(
        {"said": [each for each in texts if each[1].strip()], "data": sorted(data)}, sys.stdout
    )
    sys.stdout.flush()
    window.close()
    session.close()
    return 0


def _special_value(value: Value, doc: str) -> str:
    """A part of a description, in the brackets of the pseudo-language if the description is."""
    found = special_value(value, doc)
    return f"⟦{found}⟧" if found and doc.startswith("⟦") else found


def _untranslated_texts(window: Window) -> Iterator[object]:
    """Texts that are the same in every language: names and values of settings, encodings, papers,
    corpora and languages; lessons, which are files of their own; and folders of this run.
    """
    for model in MODELS:
        yield from (model.citation, *(preset.name for preset in model.presets))
        for spec in model.params_type.specs():
            yield spec.name
    for params in (CorpusOptions, UmapParams):
        for spec in params.specs():
            yield spec.name
    for lesson in bundled_lessons():
        yield from (lesson.title, lesson.about)
    for key in BUNDLED:
        note = load_pairs(bundled_pairs(key)).note
        yield from (note, " ".join(note.split()).partition(". ")[0].rstrip("."))
    for key in BUNDLED_SETS:
        sets = load_tests(bundled_sets(key))
        for test in sets.tests:
            yield from filter(None, (test.title, test.source, sets.source))
            for each in test.sets:
                yield from (each.name, *each.words)
    for key in "xyab":
        example = window.findChild(QLineEdit, f"evaluate.associations.{key}")
        assert example is not None
        yield example.placeholderText()
    yield from ("English", *languages().values())
    yield from (corpus.title for corpus in (*SAMPLES.values(), *CATALOGUE.values()))
    encodings = window.findChild(QComboBox, "corpus.of_files.encoding")
    assert encodings is not None
    yield from (encodings.itemText(at) for at in range(encodings.count()))
    yield from (store_folder(), cache_folder(), settings_folder(), log_folder(), resources())


def _declarations() -> Iterator[PlacedText]:
    """Declarations of actions, groups, panels and algorithms."""
    for each in declared_actions(PANELS):
        action = each.action
        yield f"action {action.key}", action.text
        yield f"action {action.key}", action.description
        if isinstance(action, Choices):
            yield f"action {action.key}", action.prompt
            yield f"action {action.key}", action.empty
    for home in (*GROUPS, *PANELS):
        yield f"title of {home.key}", home.title
    for model in MODELS:
        for spec in model.params_type.specs():
            for text in (spec.doc, spec.unit, spec.grows):
                yield f"parameter {model.key}.{spec.name}", text


def _window_texts(application: QApplication, top: QWidget) -> Iterator[PlacedText]:
    """Texts of everything in a window, even if hidden. Qt’s own buttons of docks and tabs are
    left out: their texts are in Qt’s catalogues.
    """
    for widget in (top, *application.allWidgets()):
        if (widget is top or top.isAncestorOf(widget)) and not widget.objectName().startswith(
            ("qt_dock", "Scroll")
        ):
            yield from _of(widget)


def _of(widget: QWidget) -> Iterator[PlacedText]:
    where = _path(widget)
    # What a user types into a field isn’t a text of the window; the value of a spin box is.
    is_field = widget.metaObject().indexOfProperty("placeholderText") >= 0 or isinstance(
        widget, QAbstractSpinBox
    )
    for name in _TEXTS:
        if name == "text" and (is_field or isinstance(widget, QSpinBox | QDoubleSpinBox)):
            continue
        value = widget.property(name)
        if isinstance(value, str):
            yield f"{where}.{name}", value
    for action in widget.actions():
        yield from _of_action(action, where)
    if isinstance(widget, QMenu):
        widget.aboutToShow.emit()
        for action in widget.actions():
            yield from _of_action(action, where)
    if isinstance(widget, QTabBar):
        for at in range(widget.count()):
            yield f"{where}.tab", widget.tabText(at)
            yield f"{where}.tab", widget.tabToolTip(at)
    if isinstance(widget, QComboBox):
        yield from _of_model(widget.model(), f"{where}.item")
    elif isinstance(widget, QAbstractItemView) and widget.model() is not None:
        yield from _of_model(widget.model(), f"{where}.cell")
        headers = [_ACROSS] if isinstance(widget, QTableView | QTreeView) else []
        yield from _of_headers(widget.model(), headers, where)


def _of_action(action: QAction, where: str) -> Iterator[PlacedText]:
    for text in (action.text(), action.toolTip()):
        yield f"{where} action {action.objectName()}", text


def _of_model(model: QAbstractItemModel, where: str) -> Iterator[PlacedText]:
    for row in range(min(model.rowCount(_NOWHERE), _ROWS)):
        for column in range(_columns(model)):
            for role in _ROLES:
                value = model.index(row, column).data(role)
                if isinstance(value, str):
                    yield f"{where} {model.headerData(column, _ACROSS)}", value


def _of_headers(
    model: QAbstractItemModel, ways: list[Qt.Orientation], where: str
) -> Iterator[PlacedText]:
    for way in ways:
        for section in range(
            _columns(model) if way == _ACROSS else min(model.rowCount(_NOWHERE), _ROWS)
        ):
            for role in _ROLES:
                value = model.headerData(section, way, role)
                if isinstance(value, str):
                    yield f"{where}.header", value


def _columns(model: QAbstractItemModel) -> int:
    # A list model has one column, but its ``columnCount`` is private.
    return 1 if isinstance(model, QAbstractListModel) else model.columnCount(_NOWHERE)


def _path(widget: QWidget) -> str:
    """Object name of a widget; without one, that of its nearest named parent with the widget’s
    class.
    """
    ancestor: QObject | None = widget
    while ancestor is not None and not ancestor.objectName():
        ancestor = ancestor.parent()
    holder = ancestor.objectName() if ancestor is not None else ""
    return holder if ancestor is widget else f"{holder}>{type(widget).__name__}"


def _settle(application: QApplication, window: Window) -> None:
    calm = 0

    def still() -> bool:
        nonlocal calm
        busy = not window.idle or any(not job.quiet for job in window.session.jobs.active)
        calm = 0 if busy else calm + 1
        return calm >= _CALM

    _until(application, still)


def _until(application: QApplication, condition: Callable[[], bool]) -> None:
    def turn() -> None:
        application.processEvents()
        time.sleep(0.01)

    wait_until(turn, condition, _SECONDS)


if __name__ == "__main__":
    sys.exit(main())
