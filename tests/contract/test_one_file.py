"""An algorithm, a vector format and a panel are one file each: with nothing else changed, every
part of the program offers them under their own names.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from corpora import markov_corpus
from guide.pages import install_examples
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot
from ui.toy import look_at, open_corpus
from ui.windows import shown_panel, shown_window

from workbench import read_corpus, train
from workbench.__main__ import main
from workbench.analysis.neighbours.word_facts import tree_path
from workbench.analysis.step.settings import steppable_algorithms
from workbench.analysis.theory.pair_counts import PairCountSettings, count_pairs
from workbench.analysis.theory.pair_scores import PairScores
from workbench.analysis.theory.target_fit import fit
from workbench.analysis.theory.targets import TargetSettings, theory_target
from workbench.cli import manual
from workbench.core.errors import UserError
from workbench.core.registry import Registry
from workbench.corpus.corpus import CorpusOptions
from workbench.models.base import MODELS, Model
from workbench.session.corpus.scaling_forecast import CostParams, cost_of
from workbench.session.export import SHARES, ExportSource, texts
from workbench.session.session import Session
from workbench.ui.base.panel import Panel, PanelContext
from workbench.ui.base.panel_kind import PANELS, PanelKind
from workbench.ui.panels.step.panel import StepPanel
from workbench.ui.panels.theory.panel import TheoryPanel
from workbench.ui.panels.train.panel import TrainPanel
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.formats import FORMATS, Format, load_vectors, save_vectors

# Products with the directions approximate the log counts.
PROJECTION = "workbench/models/count/log_projection.py"
WIDE = "workbench/models/predict/wide_windows.py"
FORMAT = "workbench/vectors/formats/colon_rows.py"
KIND, PANEL = (f"workbench/ui/panels/tally/{name}.py" for name in ("__init__", "panel"))
FILES = {
    PROJECTION: '''"""Random projection of the logarithms of counts."""

from dataclasses import dataclass

import numpy as np

from workbench.core.job_control import JobControl, Phase
from workbench.core.params import param, redeclare
from workbench.corpus.corpus import Corpus
from workbench.counts.cooccurrence import cooccurrence
from workbench.models.base import Estimate, Model, Preset{imports}
from workbench.models.params import VectorParams
from workbench.models.params import SharedParams
from workbench.vectors.embeddings import Embeddings


@dataclass(frozen=True)
class ProjectionParams(VectorParams):
    dim: int = redeclare(SharedParams, "dim", 2000)
    window: int = redeclare(SharedParams, "window", 2)
    density: float = param(
        0.5,
        "Share of the numbers of a direction that aren't 0.",
        label="Filled share",
        symbol="s",
        low=0.0,
        low_open=True,
        high=1.0,
        source="a half",
        basic=True,
    )


class LogProjection(Model):
    key = "log-projection"
    title = "Projection of log counts"
    short = "LP"
    family = "count"
    summary = "Projects the logarithms of counts on sparse directions."
    citation = "Achlioptas 2003, Database-friendly Random Projections (JCSS 66)"
    order = 26
    params_type = ProjectionParams
    presets = (Preset("classroom", {{"min_count": 1}}, "for Small World"),)
    params: ProjectionParams
{declared}
    def estimate(self, corpus: Corpus) -> Estimate:
        vocabulary = corpus.vocabulary(self.params.min_count, self.params.max_vocab)
        memory = 8 * len(vocabulary) * self.params.dim
        return Estimate(len(vocabulary), vocabulary.tokens, memory, 12.0)

    def fit(self, corpus: Corpus, run: JobControl) -> Embeddings:
        params = self.params
        vocabulary = corpus.vocabulary(params.min_count, params.max_vocab)
        run.enter(Phase.TRAINING, "Projecting")
        counts = cooccurrence(corpus, vocabulary, params.window, "dynamic", run=run)
        counts.data = np.log(counts.data)
        shape = len(vocabulary), params.dim
        random = np.random.default_rng(1)
        signs = random.choice((-1.0, 1.0), shape) * (random.random(shape) < params.density)
        directions = (signs / np.sqrt(params.density * params.dim)).astype(np.float32)
        vectors = np.asarray(counts @ directions, dtype=np.float32)
        return Embeddings(vocabulary.words, vectors, vocabulary.counts, contexts=directions)

    @classmethod
    def warm(cls) -> None:
        pass
''',
    WIDE: '''"""Skip-gram with wide windows."""

from dataclasses import dataclass

from workbench.core.params import redeclare
from workbench.models.base import Architecture
from workbench.models.predict.sgns import SGNS, SGNSParams


@dataclass(frozen=True)
class WideParams(SGNSParams):
    window: int = redeclare(SGNSParams, "window", 20, "wide")


class WideWindows(SGNS):
    key = "wide-windows"
    title = "Skip-gram with wide windows"
    short = "Wide"
    order = 11
    params_type = WideParams
    architecture = Architecture("skipgram", "ns", steps="Skip-gram, wide windows")
    presets = ()
''',
    FORMAT: '''"""A word, a colon and its numbers a line."""

from pathlib import Path

import numpy as np

from workbench.vectors.embeddings import Embeddings
from workbench.vectors.formats.base import Format


class ColonRows(Format):
    key = "colon-rows"
    title = "Colon rows"
    suffixes = (".colon",)
    order = 61

    @classmethod
    def holds(cls, embeddings: Embeddings) -> str | None:
        return None

    @classmethod
    def detect(cls, head: bytes, path: Path) -> bool:
        return head.startswith(b"::")

    @classmethod
    def read(cls, path: Path, limit: int = 0) -> Embeddings:
        rows = [line.split(":") for line in path.read_text("utf-8")[2:].splitlines()]
        vectors = [list(map(float, numbers.split())) for _, numbers in rows]
        return Embeddings([word for word, _ in rows], np.array(vectors, dtype=np.float32))

    @classmethod
    def write(cls, path: Path, embeddings: Embeddings) -> None:
        rows = zip(embeddings.words, np.asarray(embeddings.vectors).tolist(), strict=True)
        lines = (f"{word}:{' '.join(map(str, numbers))}" for word, numbers in rows)
        path.write_text("::" + "\\n".join(lines), "utf-8")
''',
    KIND: '''"""The number of words of the corpus."""

from workbench.ui.base.action import Action
from workbench.ui.base.panel_kind import PanelKind


class TallyKind(PanelKind):
    key = "tally"
    title = "Tally"
    area = "right"
    order = 31
    commands = (
        Action(
            key="tally.again", text="Count the tally again",
            description="Count the words again.", run=lambda panel: panel.count(),
        ),
    )
''',
    PANEL: '''"""A label with the number."""

from PySide6.QtWidgets import QLabel, QVBoxLayout

from workbench.ui.base.panel import Panel, PanelContext
from workbench.ui.panels.tally import TallyKind


class TallyPanel(TallyKind, Panel):
    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        self.number = QLabel()
        QVBoxLayout(self.body).addWidget(self.number)
        self.follow(self.session.corpora.changed, self.count)
        self.count()

    def count(self) -> None:
        if self.session.corpora.current is None:
            self.show_empty("No words yet", "Open a text to see how many words it has.")
            return
        self.number.setText(str(self.session.corpora.current.types))
        self.show_body()
''',
}
DECLARED = '    theory_target = TheoryTarget("logx", "product", "constant")\n'


def file_texts(declared: bool) -> dict[str, str]:
    """The files; ``declared`` : whether the projection declares what its products approximate."""
    fields = {"imports": "", "declared": ""}
    if declared:
        fields = {"imports": ", TheoryTarget", "declared": DECLARED}
    return {**FILES, PROJECTION: FILES[PROJECTION].format(**fields)}


@pytest.fixture(params=[True, False], ids=["with a target", "without"])
def kind(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[type[Model]]:
    """The projection, registered as at the next start of the program."""
    # Loads the registry before the file exists, so that monkeypatch restores the original classes.
    assert MODELS.keys()
    with install_examples(tmp_path / "added", PROJECTION, texts=file_texts(request.param)):
        found = Registry[Model]("workbench.models", Model, "algorithm")
        monkeypatch.setattr(MODELS, "_classes", found._classes)
        yield MODELS["log-projection"]


@pytest.fixture
def wide(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Model]]:
    assert MODELS.keys()
    with install_examples(tmp_path / "added", WIDE, texts=FILES):
        found = Registry[Model]("workbench.models", Model, "algorithm")
        monkeypatch.setattr(MODELS, "_classes", found._classes)
        yield MODELS["wide-windows"]


@pytest.fixture
def session(home: Path) -> Iterator[Session]:
    new_session = Session()
    yield new_session
    new_session.close()


def train_kind(kind: type[Model], **values: object) -> Embeddings:
    return train(markov_corpus(20_000), kind.key, min_count=1, **values)


def declares(kind: type[Model]) -> bool:
    return not kind.theory_target.missing


def test_the_command_line_lists_an_algorithm_and_trains_it(
    kind: type[Model], home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["list", "--json"]) == 0
    algorithms = {one["key"]: one for one in json.loads(capsys.readouterr().out)["algorithms"]}
    parameters = {one["name"]: one for one in algorithms[kind.key]["parameters"]}
    assert (parameters["density"]["default"], parameters["dim"]["default"]) == (0.5, 2000)
    with pytest.raises(SystemExit):
        main(["train", "--algorithm", kind.key, "--help"])
    help_text = capsys.readouterr().out
    assert "--density" in help_text
    assert "Share of the numbers" in help_text
    path = tmp_path / "made.npz"
    command = [
        "train",
        "small-world",
        "--algorithm",
        kind.key,
        "--dim",
        "20",
        "--output",
        str(path),
    ]
    assert main([*command, "--density", "2"]) == 2
    assert "--density must be a number above 0 and up to 1, not “2”" in capsys.readouterr().err
    assert main([*command, "--density", "0.25"]) == 0
    assert load_vectors(path).metadata["parameters"]["density"] == 0.25


def test_the_guide_has_its_tables_and_its_target(kind: type[Model]) -> None:
    parts = manual.parts()
    assert "[Projection of log counts](algorithms/log-projection.md)" in parts["algorithms"]
    assert '<a id="log-projection-density"></a>`density`' in parts["parameters"]
    target = "approximates log X" if declares(kind) else "doesn’t declare a target"
    assert target in parts[kind.key]


def test_its_products_meet_the_target_that_it_declares(kind: type[Model]) -> None:
    if not declares(kind):
        with pytest.raises(UserError, match="doesn’t declare a target"):
            theory_target(kind.key)
        return
    vectors = train_kind(kind)
    settings = TargetSettings.of(vectors.metadata["parameters"])
    counting = PairCountSettings.of(vectors.metadata["parameters"])
    pairs = count_pairs(markov_corpus(20_000), counting, 0, vectors)
    own = theory_target(kind.key)
    found = fit(pairs, settings, own.target, own, PairScores(vectors, pairs, own.score))
    assert found.plain.r2 > 0.9
    assert found.plain.slope == pytest.approx(1, abs=0.05)


def test_exports_say_what_cannot_be_repeated_elsewhere(kind: type[Model]) -> None:
    source = ExportSource("LP 1", train_kind(kind, dim=20))
    files = texts(source)
    assert "'log-projection'" in files["repeat.py"]
    assert "density=0.5" in files["repeat.py"]
    assert "Projection of log counts (Achlioptas 2003)" in files["methods.md"]
    assert "density s = 0.5" in files["methods.md"]
    for key in ("word2vec", "fasttext", "glove", "gensim"):
        reason = SHARES[key].why_not(source)
        assert reason is not None
        assert "not LP" in reason


def test_a_variant_of_a_published_algorithm_is_exported_and_stepped_as_such(
    wide: type[Model],
) -> None:
    vectors = train_kind(wide, dim=8, epochs=1, threads=1)
    found = texts(ExportSource("Wide 1", vectors))
    assert "-window 20" in found["word2vec.sh"]
    assert "skipgram" in found["fasttext.sh"]
    assert "window=20" in found["train_with_gensim.py"]
    assert "glove.sh" not in found
    assert steppable_algorithms()[wide.key].title == "Skip-gram, wide windows"
    assert theory_target(wide.key).target == "xstar"
    assert tree_path(vectors, 0) is None


def test_the_cost_of_a_pass_grows_with_what_the_algorithm_reads(
    wide: type[Model], tmp_path: Path
) -> None:
    text = tmp_path / "text.txt"
    random = np.random.default_rng(3)
    words = np.array([f"w{number}" for number in range(300)])
    tokens = words[np.minimum(random.zipf(1.3, 120_000) - 1, 299)]
    text.write_text("\n".join(" ".join(line) for line in tokens.reshape(-1, 20)), "utf-8")
    from workbench.core.job_control import JobControl

    corpus = read_corpus([text], CorpusOptions())
    found = cost_of(corpus, CostParams(dim=4, window=1), JobControl(), (wide.key,))
    assert set(found.model.stages[wide.key].rates) == {"kept_tokens"}
    assert "Train from counts" in next(
        limit.remedy for limit in found.limits if limit.name == wide.key
    )


def test_the_form_shows_its_labels_defaults_and_hints(
    kind: type[Model], context: PanelContext, qtbot: QtBot
) -> None:
    with shown_panel("train", context, qtbot) as panel:
        assert isinstance(panel, TrainPanel)
        open_corpus(panel.session, markov_corpus(20_000))
        assert panel.algorithm.findText("Projection of log counts") >= 0
        panel.choose(kind.key)
        estimate = panel.findChild(QLabel, "train.estimate")
        assert estimate is not None
        field = panel.form.fields["density"]
        assert (field.label.text(), field.value()) == ("Filled share", 0.5)
        assert "Share of the numbers of a direction" in field.editor.toolTip()
        assert panel.form.fields["window"].label.text() == "Window"
        # The time follows, corrected by earlier trainings on this machine.
        text = "40 words · 1 MB of memory · "
        qtbot.waitUntil(lambda: text in estimate.text().replace("\u00a0", " "))


def test_the_step_and_theory_panels_say_what_they_lack(
    kind: type[Model], context: PanelContext, qtbot: QtBot
) -> None:
    corpus = markov_corpus(20_000)
    with shown_panel("step", context, qtbot) as step, shown_panel("theory", context, qtbot) as fits:
        assert isinstance(step, StepPanel)
        assert isinstance(fits, TheoryPanel)
        open_corpus(step.session, corpus)
        look_at(step.session, train_kind(kind, dim=20))
        assert step.controls.algorithm.findText("Projection of log counts") < 0
        assert not step.controls.from_run
        if not declares(kind):
            notice = fits.findChild(QLabel, "theory.fit.notice")
            assert notice is not None
            qtbot.waitUntil(lambda: "doesn’t declare a target" in notice.text())


def test_a_vector_format_is_one_file(
    home: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with install_examples(tmp_path / "added", FORMAT, texts=FILES):
        found = Registry[Format]("workbench.vectors.formats", Format, "format")
        monkeypatch.setattr(FORMATS, "_classes", found._classes)
        vectors = Embeddings(["king", "queen"], np.array([[1, 2], [3, 4]], dtype=np.float32))
        save_vectors(vectors, tmp_path / "made.npz")
        command = ["convert", str(tmp_path / "made.npz"), str(tmp_path / "made.colon")]
        assert main(command) == 0
        # The format is detected by the start of the file, not by its name.
        (tmp_path / "made.colon").rename(tmp_path / "made.x")
        again = load_vectors(tmp_path / "made.x")
        assert list(again.words) == ["king", "queen"]
        assert np.array_equal(again.vectors, vectors.vectors)
        capsys.readouterr()
        assert main(["list", "--json"]) == 0
        formats = json.loads(capsys.readouterr().out)["formats"]
        assert {"key": "colon-rows", "title": "Colon rows", "suffixes": [".colon"]} in formats
        assert "| Colon rows | `colon-rows` | `.colon` |" in manual.parts()["vector-formats"]


def test_a_panel_is_one_package(
    tmp_path: Path, context: PanelContext, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    with install_examples(tmp_path / "added", KIND, PANEL, texts=FILES):
        found = Registry[PanelKind](
            "workbench.ui.panels", PanelKind, "panel", within_packages=False
        )
        monkeypatch.setattr(PANELS, "_classes", found._classes)
        with shown_window(context, qtbot) as window:
            open_corpus(context.session, markov_corpus(2000))
            panels = [entry.text for entry in window.commands.entries("view.shown")]
            assert "Tally" in panels
            assert window.commands.text("tally.again") == "Count the tally again"
            window.commands.run("tally.again")
            panel = window.findChild(Panel, "panel.tally")
            assert panel is not None
            assert panel.number.text() == "40"
