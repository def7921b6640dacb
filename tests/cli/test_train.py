from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from session.fakes import Gate, StepModel
from tables import dense

from workbench.__main__ import main
from workbench.analysis.theory.loss_floor import FloorCost, loss_floor
from workbench.cli import output
from workbench.cli import train as train_module
from workbench.core.job_control import JobControl
from workbench.corpus.corpus import Corpus, CorpusOptions
from workbench.models.base import MODELS
from workbench.session.corpus.reading import read_corpus
from workbench.session.training.memory_check import Shortage
from workbench.vectors.formats import load_vectors

Capture = pytest.CaptureFixture[str]

STEP = ["--algorithm", "step", "--min-count", "1"]


def refusal(capsys: Capture, *arguments: str) -> str:
    """The one line on stderr of a command that must fail with exit code 2."""
    assert main(list(arguments)) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert "Traceback" not in err
    return err


@pytest.mark.usefixtures("gate")
def test_train_writes_vectors_and_a_report(text: Path, capsys: Capture) -> None:
    words = ["train", "text.txt", *STEP, "--dim", "3", "--epochs", "2", "--seed", "9"]
    assert main([*words, "--output", "v.npz", "--report", "r.json"]) == 0
    out, err = capsys.readouterr()
    assert out.startswith(
        "v.npz: 5 words, 3 dimensions, nats 0.0400 (objective of the final model), trained in "
    )
    assert err == ""

    vectors = load_vectors("v.npz")
    assert vectors.words[0] == "the"
    assert vectors.vectors.shape == (5, 3)
    assert vectors.contexts is not None
    metadata = vectors.metadata
    assert metadata["algorithm"] == "step"
    assert metadata["parameters"]["dim"] == 3
    assert metadata["seed"] == 9
    assert metadata["corpus"]["tokens"] == 110
    assert metadata["corpus"]["files"] == [str(text)]
    assert metadata["stopped"] is False
    assert metadata["versions"].keys() >= {"workbench", "python", "numpy", "numba", "scipy"}

    report = json.loads(Path("r.json").read_text())
    assert report.keys() == {
        "algorithm",
        "parameters",
        "corpus",
        "seconds",
        "tokens_per_second",
        "loss",
        "loss_errors",
        "final_loss",
        "floor",
        "peak_rss_bytes",
        "singular_values",
        "versions",
    }
    assert report["algorithm"] == "step"
    assert report["parameters"] == metadata["parameters"]
    assert report["corpus"].keys() >= {"files", "tokens", "types", "digest"}
    assert report["seconds"].keys() == {"read", "count", "compile", "train", "save"}
    assert report["seconds"]["train"] > 0
    assert report["seconds"]["save"] > 0
    assert report["tokens_per_second"] == pytest.approx(110 * 2 / report["seconds"]["train"])
    assert report["final_loss"] == metadata["final_loss"]
    assert report["final_loss"] == {
        "value": 1 / 25,
        "kind": "objective",
        "error": 0.0,
        "epochs": 1.0,
    }
    assert report["floor"] == {"value": None, "gap": None, "state": "none"}
    assert len(report["loss_errors"]) == 25
    progress = [at for at, _ in report["loss"]]
    assert len(progress) == 25
    assert progress == sorted(progress)
    assert progress[-1] == 1.0
    assert 10e6 < report["peak_rss_bytes"] < 64e9


@pytest.mark.usefixtures("gate", "text")
def test_an_algorithm_without_iterations_reports_neither_loss_nor_rate() -> None:
    arguments = ["train", "text.txt", "--algorithm", "table", "--min-count", "1"]
    assert main([*arguments, "--steps", "1", "--output", "v.npz", "--report", "r.json"]) == 0
    assert json.loads(Path("r.json").read_text())["tokens_per_second"] is None


@pytest.mark.usefixtures("gate", "text")
def test_only_tokens_that_are_trained_on_count_for_the_rate() -> None:
    """The text has 110 tokens; words that occur fewer than 20 times are left out."""
    arguments = ["train", "text.txt", "--algorithm", "step", "--min-count", "20", "--epochs", "3"]
    assert main([*arguments, "--output", "v.npz", "--report", "r.json"]) == 0
    report, vectors = json.loads(Path("r.json").read_text()), load_vectors("v.npz")
    assert vectors.counts is not None
    tokens = int(vectors.counts.sum())
    assert 0 < tokens < 110
    assert vectors.metadata["tokens_per_pass"] == tokens
    assert report["tokens_per_second"] == pytest.approx(3 * tokens / report["seconds"]["train"])


def test_the_loss_that_is_printed_is_the_objective_of_the_vectors(
    folder: Path, capsys: Capture
) -> None:
    random = np.random.default_rng(4)
    text = "\n".join(
        " ".join(f"w{word}" for word in random.zipf(1.6, 12).clip(max=60)) for _ in range(900)
    )
    (folder / "t.txt").write_text(text)
    values = [
        "--algorithm",
        "pmi-mf",
        "--dim",
        "8",
        "--min-count",
        "1",
        "--epochs",
        "5",
        "--threads",
        "1",
    ]
    outputs = []
    for seed in ("1", "2"):
        arguments = [
            "train",
            "t.txt",
            *values,
            "--weighting",
            "constant",
            "--seed",
            seed,
            "--output",
            "v.npz",
        ]
        assert main(arguments) == 0
        outputs.append(capsys.readouterr().out)
        vectors = load_vectors("v.npz")
        ids = {word: row for row, word in enumerate(vectors.words)}
        counts = np.zeros((len(ids), len(ids)))
        for line in text.splitlines():
            row = [ids[word] for word in line.split()]
            for at, word in enumerate(row):
                for distance in range(1, 6):
                    if at + distance < len(row):
                        weight = (6 - distance) / 5
                        counts[word, row[at + distance]] += weight
                        counts[row[at + distance], word] += weight
        seen = counts > 0
        expected = np.outer(counts.sum(1), counts.sum(0)) / counts.sum()
        assert vectors.contexts is not None
        products = vectors.inputs.astype(np.float64) @ vectors.contexts.T.astype(np.float64)
        exact = 0.5 * np.square(products[seen] - np.log(counts[seen] / expected[seen]))
        assert vectors.metadata["final_loss"]["value"] == pytest.approx(exact.mean(), rel=1e-5)
        assert f"{exact.mean():.4f} (objective of the final model)" in outputs[-1]


@pytest.mark.usefixtures("gate", "text")
def test_options_can_be_anywhere_and_several_files_are_one_corpus(folder: Path) -> None:
    (folder / "more.txt").write_text("frog frog\n")
    assert main(["train", *STEP, "text.txt", "--dim", "2", "more.txt", "--output", "v.npz"]) == 0
    metadata = load_vectors("v.npz").metadata
    assert metadata["corpus"]["tokens"] == 112
    assert len(metadata["corpus"]["files"]) == 2


@pytest.mark.usefixtures("gate")
def test_corpus_options_go_with_every_algorithm(folder: Path) -> None:
    (folder / "t.txt").write_text("A-b a-B\na-b\n")
    options = ["--tokeniser", "whitespace", "--no-lowercase", "--sentences", "none"]
    assert main(["train", "t.txt", *STEP, *options, "--output", "v.npz"]) == 0
    vectors = load_vectors("v.npz")
    assert sorted(vectors.words) == ["A-b", "a-B", "a-b"]
    assert vectors.metadata["corpus"]["options"] == {
        **CorpusOptions().to_dict(),
        "tokeniser": "whitespace",
        "sentences": "none",
        "lowercase": False,
    }


@pytest.mark.usefixtures("gate")
def test_phrases_are_joined_before_the_algorithm(folder: Path, capsys: Capture) -> None:
    (folder / "t.txt").write_text("new york times\nin new york\n" * 4)
    phrases = ["--phrases", "2", "--phrase-min-count", "3", "--phrase-score", "npmi"]
    phrases += ["--phrase-threshold", "0.7", "--phrase-fall", "0.6"]
    assert main(["train", "t.txt", *STEP, *phrases, "--output", "v.npz", "--report", "r.json"]) == 0
    assert sorted(load_vectors("v.npz").words) == ["in_new_york", "new_york_times"]
    corpus = json.loads(Path("r.json").read_text())["corpus"]
    assert (corpus["tokens"], corpus["options"]["phrases"]) == (8, 2)
    capsys.readouterr()
    message = refusal(
        capsys,
        "train",
        "t.txt",
        *STEP,
        "--phrases",
        "1",
        "--phrase-threshold",
        "-3",
        "--output",
        "v.npz",
    )
    assert "--phrase-threshold must be a number of at least -1" in message


@pytest.mark.parametrize("command", ["train", "grid", "text", "counts"])
def test_options_of_a_text_without_effect_are_refused(capsys: Capture, command: str) -> None:
    given = {
        "train": ["t.txt", "--output", "v.npz"],
        "grid": ["t.txt", "--output", "g", "--dim", "2,3"],
        "text": ["t.txt", "--output", "t.jsonl"],
        "counts": ["t.txt", "--output", "c.npz"],
    }
    options = ["--pattern", r"\S+", "--phrase-score", "npmi"]
    message = refusal(capsys, command, *given[command], *options)
    assert "--pattern has no effect without --tokeniser regex." in message
    assert "--phrase-score has no effect without --phrases 1 or more." in message


@pytest.mark.usefixtures("gate", "text")
def test_presets_are_a_start_that_options_change() -> None:
    assert (
        main(["train", "text.txt", *STEP, "--preset", "quick", "--dim", "2", "--output", "v.npz"])
        == 0
    )
    parameters = load_vectors("v.npz").metadata["parameters"]
    assert (parameters["steps"], parameters["dim"]) == (30, 2)


@pytest.mark.usefixtures("gate", "text")
def test_switches_have_two_forms() -> None:
    for switch, value in (("--verbose", True), ("--no-verbose", False)):
        assert main(["train", "text.txt", *STEP, switch, "--output", "v.npz"]) == 0
        assert load_vectors("v.npz").metadata["parameters"]["verbose"] is value


@pytest.mark.usefixtures("gate", "text")
def test_errors_are_on_one_line(capsys: Capture, folder: Path) -> None:
    def train(*arguments: str) -> str:
        return refusal(capsys, "train", *arguments)

    output = ["--output", "v.npz"]
    lacking = train("text.txt", "--algorithm", "table", "--negative", "5", *output)
    assert lacking.startswith(
        "table doesn’t have the option --negative. Choose from: --min-count, "
    )
    assert "--dim" in lacking
    assert "--tokeniser" in lacking
    # Options can’t be abbreviated.
    assert "doesn’t have the option --epoch." in train("text.txt", *STEP, "--epoch", "3", *output)
    several = train("text.txt", *STEP, "--dim", "0", "--steps", "many", "--sentences", "x", *output)
    for part in ("dim must be", "steps must be", "sentences must be"):
        assert part in several
    assert "Unknown preset “x” of step" in train("text.txt", *STEP, "--preset", "x", *output)
    assert "Choose one of: quick" in train("text.txt", *STEP, "--preset", "x", *output)
    assert "Unknown algorithm “x”" in train("text.txt", "--algorithm", "x", *output)
    assert "Choose one of: step, table" in train("text.txt", "--algorithm", "x", *output)
    assert "--output" in train("text.txt", *STEP)
    assert "No corpus given" in train(*STEP, *output)
    assert "--encoding or --column can’t be used with the bundled corpus" in train(
        "small-world", *STEP, "--encoding", "koi8-r", "--column", "text", *output
    )
    assert "absent.txt" in train("absent.txt", *STEP, *output)
    assert "format" in train("text.txt", *STEP, "--output", "v.xyz")
    assert "doesn’t exist" in train("text.txt", *STEP, "--output", "no/v.vec")
    assert "twice" in train("text.txt", *STEP, "--output", "text.txt")
    assert "twice" in train("text.txt", *STEP, "--output", "v.npz", "--report", "v.npz")
    assert "doesn’t exist" in train("text.txt", *STEP, *output, "--report", "no/r.json")
    assert "--min-count" in train("text.txt", "--algorithm", "step", "--min-count", "1000", *output)
    assert "Step cannot" in train("text.txt", *STEP, "--failing", "user", *output)
    assert "memory" in train("text.txt", *STEP, "--failing", "memory", *output)
    assert sorted(path.name for path in folder.iterdir()) == ["text.txt"]
    Path("some.vec").write_text("2 2\na 1 2\nb 3 4\n")
    assert "contains vectors" in train("some.vec", *STEP, *output)


@pytest.mark.usefixtures("text")
def test_the_output_is_checked_before_the_corpus_is_read(
    gate: Gate, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(train_module, "read_corpus", lambda *_: pytest.fail("read too early"))
    refusal(capsys, "train", "text.txt", *STEP, "--output", "no/v.vec")
    assert gate.fits == []


@pytest.mark.usefixtures("gate", "text")
def test_a_defect_is_not_hidden() -> None:
    with pytest.raises(RuntimeError, match="a defect"):
        main(["train", "text.txt", *STEP, "--failing", "defect", "--output", "v.npz"])


@pytest.mark.usefixtures("text")
def test_ctrl_c_cancels_and_leaves_no_file(
    gate: Gate, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    presses: list[bool] = []

    def update(bar: object, run: JobControl) -> None:
        """Ctrl-C arrives while the main thread updates the progress bar."""
        if gate.steps > 2 and not presses:
            presses.append(True)
            raise KeyboardInterrupt

    monkeypatch.setattr(output._Bar, "update", update)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    assert main(["train", "text.txt", *STEP, "--steps", "100000", "--output", "v.npz"]) == 130
    assert [path.name for path in folder.iterdir()] == ["text.txt"]


@pytest.mark.usefixtures("gate", "text")
def test_progress_is_only_shown_on_a_terminal(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    assert main(["train", "text.txt", *STEP, "--output", "v.npz"]) == 0
    out, err = capsys.readouterr()
    assert "%" in err
    assert out.count("\n") == 1


@pytest.mark.usefixtures("gate", "text")
def test_help_shows_the_parameters_of_the_algorithm(capsys: Capture) -> None:
    with pytest.raises(SystemExit) as exit_info:
        main(["train", "--algorithm", "step", "--help"])
    assert exit_info.value.code == 0
    out = capsys.readouterr().out
    assert "--steps" in out
    assert "--no-lowercase" in out


def test_the_library_trains_from_paths(
    gate: Gate, text: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from workbench import train
    from workbench.core.errors import ParameterError, UserError

    vectors = train("text.txt", "step", dim=3, min_count=1, tokeniser="whitespace")
    assert vectors.vectors.shape == (5, 3)
    assert vectors.metadata["corpus"]["options"]["tokeniser"] == "whitespace"
    again = train([text], "step", dim=3, min_count=1)
    np.testing.assert_array_equal(again.vectors, vectors.vectors)
    with pytest.raises(ParameterError, match="dim must be"):
        train(text, "step", dim=0)
    with pytest.raises(ParameterError, match="unheard"):
        train(text, "step", unheard=0)
    with pytest.raises(UserError, match="Unknown algorithm"):
        train(text, "unheard")

    corpora: list[Corpus] = []
    fit: Callable[..., object] = StepModel.fit
    monkeypatch.setattr(
        StepModel,
        "fit",
        lambda self, corpus, run: (corpora.append(corpus), fit(self, corpus, run))[1],
    )
    run = JobControl()
    train(text, "step", min_count=1, run=run)
    train(corpora[0], "step", min_count=1)
    assert corpora[1] is corpora[0]
    assert len(run.trace) == 25


# -- continued training


@pytest.mark.usefixtures("gate", "text")
def test_vectors_are_trained_on_and_the_report_names_them(capsys: Capture, tmp_path: Path) -> None:
    assert (
        main(["train", "text.txt", *STEP, "--dim", "3", "--epochs", "2", "--output", "v.npz"]) == 0
    )
    arguments = [
        "train",
        "text.txt",
        "--continue",
        "v.npz",
        "--epochs",
        "3",
        "--output",
        "w.npz",
        "--report",
        "r.json",
    ]
    assert main(arguments) == 0
    capsys.readouterr()
    report = json.loads(Path("r.json").read_text())
    assert report["algorithm"] == "step"
    assert report["continued"]["file"] == str(Path("v.npz").absolute())
    assert report["continued"]["passes"] == 2.0
    assert report["parameters"]["epochs"] == 3
    # The rate falls linearly from 0.5; this is its value after two of five epochs.
    assert report["parameters"]["learning_rate"] == pytest.approx(0.3)
    metadata = load_vectors("w.npz").metadata
    assert metadata["passes"] == 5.0
    assert metadata["continued"] == report["continued"]
    np.testing.assert_array_equal(load_vectors("w.npz").vectors, load_vectors("v.npz").vectors)
    assert main([*arguments, "--learning-rate", "0.01"]) == 0
    assert json.loads(Path("r.json").read_text())["parameters"]["learning_rate"] == 0.01


@pytest.mark.usefixtures("gate", "text")
def test_continued_training_reads_the_corpus_with_the_same_options(folder: Path) -> None:
    options = ["--tokeniser", "whitespace", "--no-lowercase"]
    (folder / "t.txt").write_text("A-b a-B\na-b\n" * 3)
    assert main(["train", "t.txt", *STEP, *options, "--output", "v.npz"]) == 0
    assert (
        main(["train", "t.txt", "--continue", "v.npz", "--epochs", "1", "--output", "w.npz"]) == 0
    )
    assert sorted(load_vectors("w.npz").words) == ["A-b", "a-B", "a-b"]
    # Explicit options take precedence and make another corpus.
    other = [
        "train",
        "t.txt",
        "--continue",
        "v.npz",
        "--epochs",
        "1",
        "--lowercase",
        "--output",
        "x.npz",
    ]
    assert main(other) == 2
    assert not Path("x.npz").exists()


@pytest.mark.usefixtures("gate", "text")
def test_errors_of_continued_training_are_one_line(capsys: Capture, folder: Path) -> None:
    assert main(["train", "text.txt", *STEP, "--output", "v.npz"]) == 0
    assert main(["train", "text.txt", *STEP, "--output", "v.vec"]) == 0
    (folder / "other.txt").write_text("frog frog toad\n")
    capsys.readouterr()
    start = ["train", "text.txt", "--output", "w.npz", "--continue"]
    assert "--epochs 5" in refusal(capsys, *start, "v.npz")
    assert "--dim, --preset can’t be used" in refusal(
        capsys, *start, "v.npz", "--epochs", "1", "--dim", "3", "--preset", "quick"
    )
    assert "epochs must be" in refusal(capsys, *start, "v.npz", "--epochs", "0")
    assert "trained with step" in refusal(
        capsys, *start, "v.npz", "--epochs", "1", "--algorithm", "table"
    )
    assert "training state wasn’t saved" in refusal(capsys, *start, "v.vec", "--epochs", "1")
    before = Path("v.npz").read_bytes()
    same = ["train", "text.txt", "--continue", "v.npz", "--epochs", "1", "--output", "v.npz"]
    assert "both read and written" in refusal(capsys, *same)
    assert Path("v.npz").read_bytes() == before
    assert "no such" in refusal(capsys, *start, "none.npz", "--epochs", "1").lower()
    other = ["train", "other.txt", "--continue", "v.npz", "--epochs", "1", "--output", "w.npz"]
    assert "isn’t the corpus of the run" in refusal(capsys, *other)
    assert not Path("w.npz").exists()


@pytest.mark.usefixtures("gate", "text")
def test_a_divergence_ends_with_2_and_the_vectors_from_before(capsys: Capture) -> None:
    arguments = [
        "train",
        "text.txt",
        *STEP,
        "--failing",
        "diverge",
        "--output",
        "v.npz",
        "--report",
        "r.json",
    ]
    line = refusal(capsys, *arguments)
    assert "diverged at 44%" in line
    assert "The vectors are in v.npz." in line
    vectors = load_vectors("v.npz")
    assert np.isfinite(dense(vectors.vectors)).all()
    report = json.loads(Path("r.json").read_text())
    assert vectors.metadata["diverged"] == report["diverged"]
    # Ten of 25 steps were made.
    tokens_read = 0.4 * report["parameters"]["epochs"] * vectors.metadata["tokens_per_pass"]
    assert report["tokens_per_second"] == pytest.approx(tokens_read / report["seconds"]["train"])
    assert report["loss_errors"] == [0.0] * len(report["loss"])


@pytest.mark.usefixtures("gate", "text")
def test_notes_about_the_format_are_printed(capsys: Capture) -> None:
    options = [*STEP, "--dim", "3", "--tokeniser", "regex", "--pattern", r"(\w)\w*"]
    assert main(["train", "text.txt", *options, "--output", "v.model2vec"]) == 0
    out, err = capsys.readouterr()
    assert "it can’t use the regular expression" in err
    assert "regular expression" not in out


@pytest.mark.usefixtures("gate", "text")
def test_warnings_about_the_result_are_printed(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workbench.vectors.crowding._LEAST", 1)
    monkeypatch.setattr("workbench.vectors.crowding._CROWDED", 1e9)
    assert main(["train", "text.txt", *STEP, "--dim", "3", "--output", "v.npz"]) == 0
    out, err = capsys.readouterr()
    assert "point the same way" in err
    assert "point the same way" not in out


@pytest.mark.usefixtures("gate", "text")
def test_trainings_too_large_for_memory_need_an_option(
    capsys: Capture, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "workbench.cli.train.shortage", lambda kind, params, corpus: Shortage(8 << 30, 1 << 30, ())
    )
    arguments = ["train", "text.txt", *STEP, "--output", "v.npz"]
    assert "Or add --ignore-memory to start anyway." in refusal(capsys, *arguments)
    assert gate.fits == []
    assert not Path("v.npz").exists()
    assert main([*arguments, "--ignore-memory"]) == 0
    assert Path("v.npz").exists()


def test_the_floor_is_printed_with_its_gap_and_reported(text: Path, capsys: Capture) -> None:
    words = ["train", "text.txt", "--algorithm", "sgns-mf", "--min-count", "1", "--dim", "8"]
    words += ["--tolerance", "0", "--iterations", "200"]
    assert main([*words, "--output", "v.npz", "--report", "r.json"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    report = json.loads(Path("r.json").read_text())
    floor = report["floor"]
    assert floor["state"] == "known"
    assert floor["gap"] == pytest.approx(report["final_loss"]["value"] - floor["value"])
    assert f", floor {floor['value']:,.4f}, gap {floor['gap']:,.4f}, trained in " in out
    assert load_vectors("v.npz").metadata["floor"] == floor
    params = MODELS["sgns-mf"].params_type.from_mapping(report["parameters"])
    corpus = read_corpus([text], CorpusOptions(), JobControl())
    assert floor["value"] == pytest.approx(loss_floor(corpus, MODELS["sgns-mf"], params))


@pytest.mark.usefixtures("text")
def test_a_costly_floor_is_computed_on_request(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "workbench.session.runs.loss_floor.floor_cost", lambda *_: FloorCost(41.0, False)
    )
    words = ["train", "text.txt", "--algorithm", "skipgram-softmax", "--min-count", "1"]
    words += ["--dim", "3", "--output", "v.npz", "--report", "r.json"]
    assert main(words) == 0
    out, err = capsys.readouterr()
    assert "floor" not in out
    assert err == "The floor of the loss takes about 41 s to compute: --floor computes it.\n"
    report = json.loads(Path("r.json").read_text())
    assert report["floor"] == {"value": None, "gap": None, "state": "costly", "seconds": 41.0}
    assert main([*words, "--floor"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert ", floor " in out


@pytest.mark.parametrize("algorithm", ["sgns", "glove"])
def test_training_starts_from_the_counts(algorithm: str, text: Path) -> None:
    words = ["train", text.name, "--min-count", "1", "--dim", "4", "--threads", "1"]
    words += ["--algorithm", algorithm]
    begun = [*words, "--start", "counts", "--learning-rate", "0", "--epochs", "1"]
    assert main([*begun, "--output", "counts.npz"]) == 0
    assert main([*words, "--learning-rate", "0", "--epochs", "1", "--output", "random.npz"]) == 0
    counted, random = load_vectors("counts.npz"), load_vectors("random.npz")
    assert counted.metadata["parameters"]["start"] == "counts"
    assert random.metadata["parameters"]["start"] == "random"
    assert not np.allclose(dense(counted.vectors), dense(random.vectors))
    further = ["train", text.name, "--continue", "counts.npz", "--epochs", "1"]
    assert main([*further, "--learning-rate", "0", "--output", "further.npz"]) == 0
    np.testing.assert_array_equal(load_vectors("further.npz").inputs, counted.inputs)


def test_a_continuation_keeps_its_start(capsys: Capture, text: Path) -> None:
    words = ["train", text.name, "--min-count", "1", "--dim", "4", "--epochs", "1"]
    assert main([*words, "--output", "v.npz"]) == 0
    capsys.readouterr()
    refused = refusal(
        capsys,
        "train",
        text.name,
        "--continue",
        "v.npz",
        "--start",
        "counts",
        "--epochs",
        "1",
        "--output",
        "w.npz",
    )
    assert "--start" in refused


def test_help_names_the_algorithms_that_only_it_imports(capsys: Capture) -> None:
    with pytest.raises(SystemExit):
        main(["train", "--help"])
    shown = capsys.readouterr().out
    assert "algorithm: sgns, " in " ".join(shown.split())
    assert "larger than memory (svd, glove" in " ".join(shown.split())
    assert "or a file of pairs" in " ".join(shown.split())
    assert "a vocabulary of their own (ppmi, svd" in " ".join(shown.split())
