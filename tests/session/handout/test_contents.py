"""What a handout contains, against the program's own answers and numbers computed by hand."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from session.handout.handout_run import EVIL, page_of, trained

from workbench.analysis.neighbours.shared_contexts import (
    ContextSettings,
    contexts_in_text,
    shared_in_text,
)
from workbench.analysis.theory.pair_counts import PairCountSettings, count_pairs
from workbench.analysis.theory.pair_scores import PairScores
from workbench.analysis.theory.target_fit import fit
from workbench.analysis.theory.targets import TargetSettings, declared_target
from workbench.cli import main
from workbench.core.errors import Cancelled, UserError
from workbench.core.job_control import JobControl
from workbench.core.language import languages
from workbench.core.text.visible import visible
from workbench.corpus.corpus import Corpus
from workbench.session.classes import page_lesson, page_trainer
from workbench.session.export import ExportSource, share, texts
from workbench.session.export.handout import (
    MOST_WORDS,
    Handout,
    HandoutOptions,
    expected_size,
    make_handout,
    most_words,
)
from workbench.session.export.handout_page import document, page_texts, questions
from workbench.session.export.handout_page.quantised import FINE, quantise
from workbench.session.export.handout_page.section import PageSection
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.formats import save_vectors

ROOT = Path(__file__).resolve().parents[3]
SCRIPTS = ROOT / "resources" / "handout"
NONE = 2**32 - 1


class Blocks(HTMLParser):
    """Texts of scripts and style sheets, by tag and type, and attributes of all tags."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.blocks: list[tuple[str, str]] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self._inside = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attributes)))
        self._inside = tag + str(dict(attributes).get("type", ""))

    def handle_data(self, data: str) -> None:
        if data.strip():
            self.blocks.append((self._inside, data))


def data_of(html: str) -> dict[str, Any]:
    (text,) = [text for kind, text in Blocks(html).blocks if kind == "scriptapplication/json"]
    found: dict[str, Any] = json.loads(text)
    return found


def arrays_of(html: str, key: str) -> dict[str, np.ndarray]:
    (section,) = [one for one in data_of(html)["sections"] if one["key"] == key]
    return {
        name: np.frombuffer(base64.b64decode(one["bytes"]), dtype=one["type"]).reshape(one["shape"])
        for name, one in section["arrays"].items()
    }


def section_data(html: str, key: str) -> dict[str, Any]:
    (section,) = [one for one in data_of(html)["sections"] if one["key"] == key]
    found: dict[str, Any] = section["data"]
    return found


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 40), st.integers(1, 60), st.integers(0, 2**32 - 1), st.sampled_from([8, 16]))
def test_cosines_of_quantised_vectors_stay_within_the_bound(
    words: int, dim: int, seed: int, bits: int
) -> None:
    random = np.random.default_rng(seed)
    rows = random.normal(size=(words, dim)) * random.choice([1e-3, 1, 50], size=(words, dim))
    rows[random.random(words) < 0.1] = 0
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    unit = (rows / np.where(lengths > 0, lengths, 1)).astype(np.float32)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(f"{quantise.__module__}.FINE", 0 if bits == 8 else FINE)
        found = quantise(unit)
    assert found.bits == bits
    wide = unit.astype(np.float64)
    restored = found.values.astype(np.float64) * found.scales.astype(np.float64)[:, None]
    largest = np.abs(wide @ wide.T - restored @ restored.T).max()
    assert largest <= found.bound + 1e-12
    # The bound of the docstring: each number is off by at most half a scale.
    peak = np.abs(wide).max(axis=1, initial=0)
    steps = 127 if bits == 8 else 32_767
    assert (found.errors <= peak / steps * np.sqrt(dim) / 2 * (1 + 1e-4) + 1e-9).all()


def test_equal_vectors_stay_equal_and_words_without_a_vector_have_none() -> None:
    unit = np.array([[0.6, 0.8], [0, 0], [0.6, 0.8]], dtype=np.float32)
    found = quantise(unit)
    assert (found.values[0] == found.values[2]).all()
    assert found.scales[0] == found.scales[2]
    assert not found.values[1].any()


def test_contexts_are_those_of_the_program(
    html: str, subject: ExportSource, corpus: Corpus
) -> None:
    data, arrays = data_of(html), arrays_of(html, "contexts")
    names, model = data["words"], subject.embeddings
    counting = ContextSettings().as_counted(model)
    for row in (0, 7, 30, len(model) - 1):
        expected = contexts_in_text(corpus, model.words[row], counting, n=10)
        assert arrays["least"][row] == expected.least
        known = arrays["contexts"][row] != NONE
        assert known.sum() == len(expected.shown)
        shown = [names[number] for number in arrays["contexts"][row][known]]
        assert shown == [visible(one.word) for one in expected.shown]
        np.testing.assert_allclose(
            arrays["pmi"][row][known], [one.pmi for one in expected.shown], rtol=1e-6, atol=1e-6
        )
        assert arrays["times"][row][known].tolist() == [one.times for one in expected.shown]
        for at, one in enumerate(expected.shown):
            product = model.inputs[row].astype(float) @ model.contexts[model.index[one.word]]
            assert arrays["products"][row][at] == pytest.approx(product, rel=1e-5, abs=1e-6)


def test_shared_contexts_are_those_of_the_program(
    html: str, subject: ExportSource, corpus: Corpus
) -> None:
    arrays, model = arrays_of(html, "contexts"), subject.embeddings
    number = {word: row for row, word in enumerate(model.words)}
    for row in (1, 12, 40):
        for place in (0, 3, 9):
            other = int(arrays["near"][row, place])
            expected = shared_in_text(corpus, model, model.words[row], model.words[other], n=5)
            assert arrays["totals"][row, place] == pytest.approx(expected.total, abs=1e-6)
            assert arrays["numbers"][row, place] == expected.number
            parts = arrays["parts"][row, place][: len(expected.shown)]
            np.testing.assert_allclose(parts, [one.part for one in expected.shown], atol=1e-6)
            # Equal parts may come in another order.
            for at, one in enumerate(expected.shown):
                found = arrays["shared"][row, place]
                same = np.isclose(arrays["parts"][row, place], one.part, atol=1e-6)
                assert number[one.word] in found[same], (row, place, at)


def test_the_fit_is_that_of_the_theory(html: str, subject: ExportSource, corpus: Corpus) -> None:
    data = section_data(html, "fit")
    parameters = subject.metadata["parameters"]
    own = declared_target("sgns")
    pairs = count_pairs(corpus, PairCountSettings.of(parameters), 2000, subject.embeddings)
    scores = PairScores(subject.embeddings, pairs, own.score)
    found = fit(pairs, TargetSettings.of(parameters), own.target, own, scores)
    assert data["pairs"] == found.pairs
    assert data["all"]["r2"] == found.weighted.r2
    assert data["all"]["slope"] == found.weighted.slope
    assert [band["pairs"] for band in data["bands"]] == [band.pairs for band in found.bands]
    assert arrays_of(html, "fit")["histogram"].sum() == found.pairs


def test_the_loss_and_the_training_are_told(html: str, subject: ExportSource) -> None:
    data, arrays = section_data(html, "training"), arrays_of(html, "training")
    assert arrays["losses"].tolist() == subject.trace.loss.tolist()
    facts = dict(data["facts"])
    assert facts["dimensions"] == 12
    assert facts["digest"] == subject.digest
    assert data["methods"].startswith("We trained vectors of 66 words with 12 dimensions")
    values = {setting["name"]: setting["value"] for setting in data["settings"]}
    assert values["dim"] == 12
    assert values["max_vocab"]["en"] == "no limit"
    assert values["window_weighting"] == {"en": "dynamic", "de": "dynamisch"}
    assert set(data["settings"][0]["label"]) == {"en", *languages()}


def test_the_policy_allows_the_script_and_the_styles_and_nothing_else(html: str) -> None:
    page = Blocks(html)
    (policy,) = [
        attributes["content"]
        for tag, attributes in page.tags
        if tag == "meta" and attributes.get("http-equiv") == "Content-Security-Policy"
    ]
    assert policy is not None
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == "'none'"
    for rule, kind in (("script-src", "script"), ("style-src", "style")):
        (text,) = [text for inside, text in page.blocks if inside == kind]
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert rules[rule] == f"'sha256-{digest}'"
    assert {tag for tag, _ in page.tags} == {
        "html", "head", "meta", "title", "style", "body", "noscript", "script",
    }  # fmt: skip
    for _, attributes in page.tags:
        assert not {"src", "href", "onload", "onerror"} & attributes.keys()
    assert "http:" not in html.replace("http://www.w3.org/2000/svg", "")
    assert "https:" not in html


def test_foreign_words_are_data_only(html: str) -> None:
    shown = data_of(html)["words"]
    for word in EVIL:
        assert word in shown
    assert html.count("<script") == 2
    assert html.count("</script") == 2
    assert "<img" not in html
    assert "<!--" not in html


def test_hidden_characters_of_words_are_visible() -> None:
    """Marks of direction would turn the text around them."""
    table = np.eye(3, dtype=np.float32)
    names = ["a", "\u202egnp.exe", "b\x1b[31m\0"]
    html = page_of(ExportSource("run", Embeddings(names, table)), None)
    assert data_of(html)["words"] == ["a", "\\u202egnp.exe", "b\\x1b[31m\\x00"]
    assert not any(letter in html for letter in "\u202e\x1b\0")


def test_every_text_is_used_and_every_used_text_exists(html: str) -> None:
    known = data_of(html)["texts"]
    scripts = "".join(path.read_text(encoding="utf-8") for path in sorted(SCRIPTS.glob("*.js")))
    used = set(re.findall(r'handout\.text\(\s*"(\w+)"', scripts))
    texts_here = {*known["en"], *page_lesson._TEXTS, *page_trainer._TEXTS}
    assert used <= texts_here
    facts = {key for key, _ in section_data(html, "training")["facts"]}
    named = set(re.findall(r'"(\w+)"', scripts)) | facts
    assert texts_here - named == {"noscript"}
    assert set(known) == {"en", *languages()}
    for texts_of in known.values():
        assert texts_of.keys() == known["en"].keys()


def test_texts_are_translated() -> None:
    for name in languages():
        section = questions.odd_section([])
        html = document.write_page("", {"words": []}, [section], page_texts.SHARED)
        found = data_of(html)["texts"]
        assert found[name]["odd"] != found["en"]["odd"]


def test_a_section_of_others_brings_its_data_and_scripts() -> None:
    """The seam: more sections need nothing but a view with the same key."""
    more = PageSection(
        "hand_in",
        ("odd.js",),
        {"questions": ["<1>"]},
        {"numbers": np.arange(3, dtype=np.int16)},
        {"hand_in": "Hand in"},
    )
    html = document.write_page("One", {"words": []}, [more], page_texts.SHARED)
    assert section_data(html, "hand_in") == {"questions": ["<1>"]}
    assert arrays_of(html, "hand_in")["numbers"].tolist() == [0, 1, 2]
    assert data_of(html)["texts"]["en"]["hand_in"] == "Hand in"


def test_without_the_text_there_are_no_contexts(subject: ExportSource) -> None:
    made = make_handout(subject, HandoutOptions(66, None, read=False), JobControl())
    keys = [section["key"] for section in data_of(made.html)["sections"]]
    assert keys == ["vectors", "explore", "walk", "analogies", "odd", "training"]
    assert len(made.notes) == 1
    assert made.notes[0].endswith(".")


def test_the_text_is_found_where_the_run_was_trained(subject: ExportSource) -> None:
    made = make_handout(subject, HandoutOptions(66), JobControl())
    assert made.notes == []
    assert section_data(made.html, "contexts")["words"] == 66


def test_the_first_words_only(subject: ExportSource, corpus: Corpus) -> None:
    html = page_of(subject, corpus, 20)
    assert len(arrays_of(html, "explore")["places"]) == 20
    assert section_data(html, "vectors")["words"] == 20
    # Contexts may be other words, which have no vectors on the page.
    assert len(data_of(html)["words"]) > 20


def test_a_continued_algorithm_without_contexts_or_target(corpus: Corpus) -> None:
    html = page_of(trained(corpus, "svd"), corpus)
    assert section_data(html, "vectors")["words"] == 66


@pytest.mark.parametrize("words", [0, 1, -3, MOST_WORDS + 1])
def test_too_few_or_too_many_words_are_refused(subject: ExportSource, words: int) -> None:
    with pytest.raises(UserError, match="contains 2 to 20,000 words, not"):
        make_handout(subject, HandoutOptions(words), JobControl())


def source(vectors: Any, words: int = 0) -> ExportSource:
    names = [f"w{number}" for number in range(words or vectors.shape[0])]
    return ExportSource("run", Embeddings(names, vectors))


def test_vectors_that_no_page_can_contain() -> None:
    from scipy.sparse import csr_matrix

    sparse = source(csr_matrix(np.eye(4, dtype=np.float32)))
    assert "too large for a page" in str(Handout.why_not(sparse))
    wide = source(np.ones((2, 1_000_001), dtype=np.float32))
    assert "too large" in str(Handout.why_not(wide))
    empty = source(np.zeros((5, 3), dtype=np.float32))
    assert "two words with vectors" in str(Handout.why_not(empty))
    with pytest.raises(UserError):
        make_handout(empty, HandoutOptions(5), JobControl())
    assert most_words(source(np.ones((2, 400), dtype=np.float32))) == 5_000


def test_two_words_are_enough() -> None:
    html = page_of(source(np.eye(2, dtype=np.float32)), None)
    assert arrays_of(html, "explore")["places"].shape == (2, 2)


def test_it_is_made_alone(subject: ExportSource, tmp_path: Path) -> None:
    """A kind that takes long isn't among the files that are made without a choice."""
    assert "handout.html" not in texts(subject)
    assert [path.name for path in share(subject, tmp_path / "a", ["handout"])] == ["handout.html"]


def test_cancelling(subject: ExportSource, corpus: Corpus) -> None:
    run = JobControl()
    run.cancel()
    with pytest.raises(Cancelled):
        make_handout(subject, HandoutOptions(66, corpus), run)


def test_the_expected_size_is_near_the_real_one(html: str) -> None:
    assert 0.5 < expected_size(66, 12) / len(html.encode()) < 2


# -- the command line


@pytest.fixture
def vectors(subject: ExportSource, tmp_path: Path, home: Path) -> Path:
    path = tmp_path / "v.npz"
    save_vectors(subject.embeddings, path)
    return path


def test_the_command(vectors: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "page.html"
    assert main(["share", str(vectors), "--as", "handout", "--to", str(path)]) == 0
    assert re.fullmatch(rf"{re.escape(str(path))}: 0\.\d MB\.\n", capsys.readouterr().out)
    assert section_data(path.read_text(encoding="utf-8"), "contexts")["words"] == 66


def test_another_kind_as_one_file(vectors: Path, tmp_path: Path) -> None:
    path = tmp_path / "r.html"
    assert main(["share", str(vectors), "--as", "report", "--to", str(path)]) == 0
    assert path.read_text(encoding="utf-8").startswith("<!doctype html>")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--as", "nothing"], "Unknown type of export"),
        (["--as", "methods"], "consists of 2 files"),
        (["--as", "handout", "--only", "script"], "exclude each other"),
        (["--as", "report", "--most-words", "9"], "has no effect on report"),
        (["--most-words", "9"], "needs --as handout"),
        (["--lesson", "window"], "needs --as handout"),
        (["--as", "report", "--lesson", "window"], "has no effect on report"),
        (["--as", "handout", "--lesson", "nothing"], "No lesson or file is named"),
        (["--as", "handout", "--most-words", "30000"], "contains 2 to 20,000 words, not 30,000"),
        (["--as", "handout", "--most-words", "many"], "--most-words"),
    ],
    ids=" ".join,
)
def test_bad_input_in_one_sentence(
    words: list[str],
    message: str,
    vectors: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["share", str(vectors), "--to", str(tmp_path / "p"), *words]) == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "p").exists()


def test_a_place_that_cannot_be_written(
    vectors: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "missing" / "page.html"
    assert main(["share", str(vectors), "--as", "handout", "--to", str(path)]) == 2
    assert capsys.readouterr().err.count("\n") <= 2


def test_a_full_disk_leaves_no_file(
    vectors: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    import errno
    import os

    def full(*_: object, **__: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("workbench.session.export._write", full)
    path = tmp_path / "page.html"
    assert main(["share", str(vectors), "--as", "handout", "--to", str(path)]) == 2
    assert "disk" in capsys.readouterr().err.lower()
    assert sorted(tmp_path.glob("*")) == [tmp_path / "home", vectors]
