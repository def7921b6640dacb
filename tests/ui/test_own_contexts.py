"""Every panel on runs whose contexts aren't words: it shows what it can, and says what it can't."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot
from ui.test_played_panels import Player, type_into
from ui.windows import shown_panel

from workbench.core.job_control import JobControl
from workbench.corpus.samples import open_sample
from workbench.models.base import MODELS
from workbench.session.corpus.counts_params import adapt_values
from workbench.session.session import Session
from workbench.session.training.request import TrainingSpec
from workbench.ui.base.elided import ElidedLabel
from workbench.ui.base.panel import Panel, PanelContext
from workbench.ui.base.panel_kind import PANELS
from workbench.vectors.own_contexts import no_product_of_words

KINDS = ("svd", "ppmi")
SETTINGS = {"min_count": 30, "threads": 1}


def write_pairs(path: Path) -> None:
    """Pairs of the words of Small World with contexts that look like those of a parser."""
    corpus = open_sample("small-world", JobControl(), None)
    words = corpus.vocabulary(30).words
    random = np.random.default_rng(1)
    lines = ["word\tcontext\tcount\n"]
    for number, word in enumerate(words):
        for context in random.choice(60, 12, replace=False):
            lines.append(f"{word}\tc{context}/obj\t{100 + number % 7 + context % 5}\n")
    path.write_text("".join(lines), "utf-8")


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Empty folders, in which the first test of each kind leaves a store with its runs."""
    return {kind: tmp_path_factory.mktemp(kind) / "home" for kind in ("text", "pairs")}


@pytest.fixture(params=["text", "pairs"])
def session(
    request: pytest.FixtureRequest,
    home: Path,
    trained: dict[str, Path],
    tmp_path: Path,
    qapp: QApplication,
    qtbot: QtBot,
) -> Iterator[Session]:
    """A text whose runs have sides as contexts, or a file of pairs with its runs."""
    kept = trained[request.param]
    if kept.exists():
        shutil.copytree(kept, home, dirs_exist_ok=True)
    new_session = Session()

    def until(condition: Callable[[], object]) -> None:
        def reached() -> bool:
            new_session.pump()
            return bool(condition())

        qtbot.waitUntil(reached)

    if request.param == "text":
        new_session.corpora.open_sample("small-world")
    else:
        write_pairs(tmp_path / "pairs.tsv")
        new_session.corpora.open([str(tmp_path / "pairs.tsv")], None, True)
    until(lambda: new_session.corpora.current is not None)
    if not kept.exists():
        corpus = new_session.corpora.current
        for algorithm in KINDS:
            kind = MODELS[algorithm]
            own = {"dim": 8} if algorithm == "svd" else {}
            sides = {"contexts": "side"} if request.param == "text" else {}
            params = adapt_values(corpus, kind, {**SETTINGS, **own, **sides})
            run = new_session.training.start(TrainingSpec(algorithm, params))
            until(lambda run=run: run.state.over and run.has_vectors)
        shutil.copytree(home, kept, ignore=shutil.ignore_patterns("cache"))
    until(lambda: len(new_session.runs) == len(KINDS))
    yield new_session
    new_session.close()


def test_every_panel_shows_or_says(
    context: PanelContext, session: Session, qtbot: QtBot, caplog: pytest.LogCaptureFixture
) -> None:
    for key in [kind.key for kind in PANELS]:
        session.active.show(None)
        session.selection.select([])
        with shown_panel(key, context, qtbot) as panel:
            show_all_runs(panel, qtbot)
        failed = [record for record in caplog.records if record.levelname == "ERROR"]
        assert [record.getMessage() for record in failed] == [], key


def show_all_runs(panel: Panel, qtbot: QtBot) -> None:
    """Look at each run on each page of a panel."""
    session, player = panel.session, Player(panel, qtbot)
    for run in list(session.runs):
        session.active.show(run)
        qtbot.waitUntil(lambda: session.active.embeddings is not None)
        embeddings = session.active.embeddings
        assert embeddings is not None
        assert embeddings.own_contexts is not None
        session.selection.select(["king", "queen"])
        type_into(panel, qtbot)
        for _ in player.pages():
            player.rest()


def test_panels_that_compare_words_with_contexts_say_that_the_model_cant(
    context: PanelContext, session: Session, qtbot: QtBot
) -> None:
    session.active.show(session.runs[0])
    qtbot.waitUntil(lambda: session.active.embeddings is not None)
    embeddings = session.active.embeddings
    assert embeddings is not None
    missing = no_product_of_words(embeddings)
    assert missing is not None
    with shown_panel("teach", context, qtbot) as teach:
        qtbot.waitUntil(lambda: missing.message in shown_text(teach))
    if session.corpora.text is None:
        return
    with shown_panel("pair", context, qtbot) as pair:
        qtbot.waitUntil(lambda: missing.message in shown_text(pair))
    with shown_panel("matrix", context, qtbot) as matrix:
        qtbot.waitUntil(lambda: "words as contexts, unlike in the run" in shown_text(matrix))


def shown_text(panel: Panel) -> str:
    """All labels that a person sees."""
    labels = panel.findChildren(QLabel)
    return "\n".join(
        label.whole if isinstance(label, ElidedLabel) else label.text()
        for label in labels
        if label.isVisible()
    )
