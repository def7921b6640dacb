"""Panels show the choices in a session file at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

import pytest
from pytestqt.qtbot import QtBot
from session.fakes import small_corpus

from workbench.corpus.corpus import CorpusOptions
from workbench.session.session import Session
from workbench.ui.base.panel import Panel, PanelContext
from workbench.ui.panels.compare.panel import ComparePanel
from workbench.ui.panels.corpus.panel import CorpusPanel
from workbench.ui.panels.evaluate.panel import EvaluatePanel
from workbench.ui.panels.loss.panel import LossPanel
from workbench.ui.panels.map.panel import MapPanel
from workbench.ui.panels.matrix.panel import MatrixPanel
from workbench.ui.panels.time.panel import TimePanel

P = TypeVar("P", bound=Panel)


@pytest.fixture
def panels(context: PanelContext, qtbot: QtBot) -> Iterator[list[Panel]]:
    panels: list[Panel] = []
    yield panels
    for panel in panels:
        panel.release()


def restore(session: Session, panels: list[Panel], **settings: object) -> None:
    """Restore settings in a window with these panels, as opening a session file does."""
    session.settings.put({name.replace("__", "."): value for name, value in settings.items()})
    session.files.restored.emit({})
    for panel in panels:
        panel.restore_session_state({})


def test_choices_of_panels_follow_at_once(
    context: PanelContext, session: Session, qtbot: QtBot, panels: list[Panel]
) -> None:
    session.corpora.current = small_corpus()

    def make(kind: type[P]) -> P:
        panel = kind(context)
        qtbot.addWidget(panel)
        panels.append(panel)
        return panel

    loss, matrix, time = make(LossPanel), make(MatrixPanel), make(TimePanel)
    corpus, compare, chart = make(CorpusPanel), make(ComparePanel), make(MapPanel)
    scores = make(EvaluatePanel)
    other = next(one for one in scores.instruments.all if one is not scores.instruments.current)
    options = CorpusOptions(tokeniser="characters", strip_accents=True)
    restore(
        session,
        panels,
        loss__x="seconds",
        loss__smooth=7,
        matrix__kinds=["pmi", "xstar"],
        matrix__shared=True,
        time__stretched=False,
        corpus__options=options.to_dict(),
        evaluate__shown=other.local,
        compare__seeds=9,
        map__colour="frequency",
        map__method="pca",
    )
    assert (loss.abscissa.currentData(), loss.smooth.value()) == ("seconds", 7)
    assert [head.choice[0] for head in matrix.heads.visible_heads] == ["pmi", "xstar"]
    assert matrix.shared.isChecked()
    assert not time.stretched.isChecked()
    # The reading options of one text aren’t a choice for others: a session file of 0.1.0 that
    # contains some changes nothing.
    assert corpus.reading.options.options() == CorpusOptions()
    assert scores.instruments.current is other
    assert [one.number.value() for one in compare.instruments.all if one.local == "seeds"] == [9]  # type: ignore[attr-defined]
    assert (chart.colours.choice, chart.bar.chosen_method) == ("frequency", "pca")
    # Unusable values are replaced by the defaults.
    restore(
        session,
        panels,
        loss__x=5,
        loss__smooth="a",
        matrix__kinds=5,
        corpus__options=[],
        map__colour=3,
    )
    assert (loss.abscissa.currentIndex(), loss.smooth.value()) == (0, 0)
    assert [head.choice[0] for head in matrix.heads.visible_heads] == ["ppmi"]
    assert corpus.reading.options.options() == CorpusOptions()
    assert chart.colours.choice == "regions"
