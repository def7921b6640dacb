"""Every panel reports if it shows a run that was trained on another text than the open one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QComboBox, QLabel, QPushButton
from pytestqt.qtbot import QtBot
from session.fakes import small_corpus
from ui.windows import shown_panel, shown_window

from workbench.core.job_control import Trace
from workbench.corpus.corpus import Corpus, CorpusOptions, SourceFile
from workbench.models.base import MODELS
from workbench.session.runs.run_record import RunRecord, State, new_identifier, now
from workbench.session.session import Session
from workbench.ui.base.origin_mark import told_origin
from workbench.ui.base.panel import Panel, PanelContext
from workbench.ui.base.panel_kind import PANELS
from workbench.vectors.embeddings import Embeddings

# Panels that show no run, or only runs of the open text. Some name the text of each run, and
# Evaluate has its own choice of runs of the open corpus.
# Groups uses vectors only for one of its methods, and only those of a run of the open text.
_OF_NO_RUN = {
    "collocations",
    "corpus",
    "evaluate",
    "groups",
    "learn",
    "lessons",
    "runs",
    "train",
    "weights",
}


def run_of(session: Session, corpus: Corpus, name: str, source: dict[str, object]) -> RunRecord:
    rng = np.random.default_rng(len(name))
    words = list(corpus.words)
    parameters = (
        MODELS["sgns"].params_type.from_mapping({"dim": 4, "min_count": 1, "window": 2}).to_dict()
    )
    corpus_facts = {
        "name": corpus.name,
        "digest": corpus.digest,
        "options": corpus.options.to_dict(),
        "files": [file.path for file in corpus.files],
    }
    known = {
        "algorithm": "sgns",
        "parameters": parameters,
        "corpus": corpus_facts,
        "stopped": False,
    }
    vectors, contexts = rng.normal(size=(2, len(words), 4)).astype(np.float32)
    embeddings = Embeddings(words, vectors, contexts=contexts, counts=corpus.counts, metadata=known)
    curve = np.linspace(1.0, 0.5, 5)
    record = RunRecord(
        identifier=new_identifier(),
        name=name,
        algorithm="sgns",
        parameters=parameters,
        corpus_name=corpus.name,
        corpus_digest=corpus.digest,
        created=now(),
        state=State.DONE,
        embeddings=embeddings,
        saved_trace=Trace(curve, curve, curve, np.zeros(5)),
        summary={**known, "vocabulary": len(words), "dim": 4, "source": source},
    )
    session.runs.append(record)
    session.runs.changed.emit()
    return record


@pytest.fixture
def session(home: Path) -> Iterator[Session]:
    """A session with the real algorithms."""
    new_session = Session()
    yield new_session
    new_session.close()


@pytest.fixture
def own(session: Session) -> RunRecord:
    file = SourceFile("/texts/own.txt", 44, "UTF-8")
    session.corpora.current = replace(small_corpus("own"), name="own", files=(file,))
    session.corpora.changed.emit()
    run_of(session, session.corpora.current, "Mine before", {"paths": [file.path]})
    return run_of(session, session.corpora.current, "Mine", {"paths": ["/texts/own.txt"]})


@pytest.fixture
def foreign(session: Session, own: RunRecord) -> RunRecord:
    return run_of(
        session,
        replace(small_corpus("other"), name="jane"),
        "Theirs",
        {"paths": ["/texts/jane.txt"]},
    )


@pytest.fixture(params=PANELS.keys())
def panel(
    request: pytest.FixtureRequest, own: RunRecord, context: PanelContext, qtbot: QtBot
) -> Iterator[Panel]:
    with shown_panel(str(request.param), context, qtbot) as new_panel:
        yield new_panel


def origin_text(panel: Panel) -> str:
    found = panel.findChild(QLabel, f"{panel.key}.origin.text")
    assert found is not None
    return str(found.accessibleName()) if found.isVisible() else ""


def test_what_was_trained_on_another_text_is_marked_and_what_was_trained_on_this_is_not(
    panel: Panel, own: RunRecord, foreign: RunRecord, qtbot: QtBot
) -> None:
    session = panel.session
    session.active.show(own)
    qtbot.waitUntil(lambda: panel.idle)
    panel.context.bridge.tick.emit()
    assert origin_text(panel) == ""
    session.active.show(foreign)
    session.requests.comparison.emit([own, foreign])
    qtbot.waitUntil(lambda: panel.idle)
    if panel.key in _OF_NO_RUN:
        panel.context.bridge.tick.emit()
        assert origin_text(panel) == ""
        return
    qtbot.waitUntil(lambda: "jane" in origin_text(panel))
    assert "Theirs" in origin_text(panel) or "of the" in origin_text(panel)
    # After a return to the open text’s run, no note stays, unless the panel has another run chosen.
    session.runs.delete(foreign)
    session.active.show(own)
    qtbot.waitUntil(lambda: not origin_text(panel))


@pytest.mark.parametrize("key", ["map", "neighbours"])
def test_the_way_to_the_text_is_a_click(
    key: str,
    session: Session,
    own: RunRecord,
    context: PanelContext,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert session.corpora.current is not None
    otherwise = replace(
        session.corpora.current, digest="0" * 32, options=CorpusOptions(sentences="punctuation")
    )
    record = run_of(
        session,
        otherwise,
        "Read by stops",
        {"paths": ["/texts/own.txt"], "options": otherwise.options.to_dict()},
    )
    requests: list[tuple[object, ...]] = []
    monkeypatch.setattr(
        session.corpora,
        "reopen",
        lambda wanted: requests.append((wanted.paths, wanted.digest, wanted.options)),
    )
    with shown_panel(key, context, qtbot) as panel:
        session.active.show(record)
        qtbot.waitUntil(lambda: bool(origin_text(panel)))
        assert origin_text(panel) == "Read by stops was trained on own with other reading options"
        button = panel.findChild(QPushButton, f"{key}.origin.open")
        assert button is not None
        assert button.text() == "Use the run’s options"
        tip = panel.origin.text.toolTip()
        assert "punctuation" in tip
        assert "lines" in tip
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        assert requests == [(("/texts/own.txt",), "0" * 32, otherwise.options)]


def test_a_narrow_panel_says_it_in_few_words(
    session: Session, own: RunRecord, foreign: RunRecord, context: PanelContext, qtbot: QtBot
) -> None:
    foreign.name = "A run with a name of many words"
    with shown_panel("neighbours", context, qtbot) as panel:
        session.active.show(foreign)
        panel.resize(900, 500)
        qtbot.waitUntil(
            lambda: (
                panel.origin.text.text() == "A run with a name of many words was trained on jane"
            )
        )
        assert panel.origin.open.text() == "Open jane"
        panel.resize(260, 500)
        qtbot.waitUntil(lambda: panel.origin.text.text() == "Trained on jane")
        assert panel.origin.open.text() == "Open"
        assert origin_text(panel) == "A run with a name of many words was trained on jane"


def test_a_bar_says_it_beside_its_answers(
    session: Session,
    own: RunRecord,
    foreign: RunRecord,
    context: PanelContext,
    qtbot: QtBot,
) -> None:
    """The note doesn’t move anything that the bar shows."""
    with shown_window(context, qtbot) as window:
        dock = window.docks["analogy"]
        panel = dock.panel
        session.active.show(own)
        qtbot.waitUntil(lambda: panel.idle and panel.isVisible())
        # The bar gets its height only after the window has sized its docks.
        qtbot.waitUntil(lambda: dock.height() <= panel.sizeHint().height() + 40)
        places: list[QPoint] = []

        def is_at_rest() -> bool:
            places.append(panel.body.mapTo(dock, panel.body.rect().topLeft()))
            return len(places) > 50 and len({place.toTuple() for place in places[-50:]}) == 1

        qtbot.waitUntil(is_at_rest)
        place = places[-1]
        session.active.show(foreign)
        qtbot.waitUntil(panel.origin.isVisible)
        qtbot.waitUntil(lambda: panel.idle)
        places.clear()
        qtbot.waitUntil(is_at_rest)
        assert places[-1] == place == QPoint(0, 0)
        assert panel.origin.text.accessibleName() == "Theirs was trained on jane"
        row = panel.origin.parentWidget()
        assert row is not None
        assert row.rect().contains(panel.origin.geometry())


def test_lists_of_runs_say_which_are_of_another_text(
    session: Session, own: RunRecord, foreign: RunRecord, context: PanelContext, qtbot: QtBot
) -> None:
    """Runs of the open text come first, regardless of their age."""
    newer = (
        run_of(session, session.corpora.current, "Newer", {})
        if session.corpora.current is not None
        else own
    )
    with shown_panel("compare", context, qtbot) as panel:
        session.active.show(own)
        box = panel.findChild(QComboBox, "compare.models.first")
        assert box is not None
        assert [box.itemText(row) for row in range(box.count())] == [
            "own",
            "Newer",
            "Mine",
            "Mine before",
            "jane",
            "Theirs · on jane",
        ]
        second = panel.findChild(QComboBox, "compare.models.second")
        assert second is not None
        # The default comparison is with a run of the same text.
        assert second.currentText() in {"Mine", "Mine before", newer.name} - {box.currentText()}


def test_runs_of_unknown_corpora_have_no_name_among_the_names() -> None:
    runs = [
        RunRecord(str(at), f"run {at}", "", {}, name, f"digest {at}", "")
        for at, name in enumerate(("novels", "", "letters"))
    ]
    sentence, _ = told_origin(runs, runs, small_corpus())
    assert sentence.endswith(": letters, novels, an unknown corpus")


def test_an_unknown_corpus_is_named_once_in_the_window(
    session: Session, own: RunRecord, context: PanelContext, qtbot: QtBot
) -> None:
    rng = np.random.default_rng(0)
    words = [f"word{number}" for number in range(20)]
    vectors = rng.normal(size=(20, 4)).astype(np.float32)
    record = RunRecord(
        identifier=new_identifier(),
        name="Opened",
        algorithm="",
        parameters={},
        corpus_name="",
        corpus_digest="",
        created=now(),
        state=State.DONE,
        embeddings=Embeddings(words, vectors),
    )
    session.runs.append(record)
    with shown_window(context, qtbot) as window:
        window.resize(1440, 900)
        window.layouts.show_workspace("explore")
        session.active.show(record)
        panels = [dock.panel for dock in window.docks.values() if dock.panel is not None]
        qtbot.waitUntil(lambda: all(panel.idle for panel in panels))
        context.bridge.tick.emit()
        shown = [panel.key for panel in panels if panel.isVisible()]
        assert {"map", "neighbours", "analogy"} <= set(shown)
        says = [panel.key for panel in panels if panel.origin.isVisible()]
        assert says == ["map"]
        assert "unknown corpus" in window.docks["map"].panel.origin.text.accessibleName()
