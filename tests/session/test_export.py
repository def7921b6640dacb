"""Exports of a run: scripts that repeat it, commands, sentences, a page."""

from __future__ import annotations

import ast
import errno
import hashlib
import os
import re
import shlex
import subprocess
import sys
import zipfile
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tables import dense

from workbench import read_corpus, train
from workbench.analysis.evaluation.leaderboard import Score
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl, Trace
from workbench.corpus.corpus import CorpusOptions
from workbench.corpus.text_export import write_text
from workbench.models.base import MODELS
from workbench.session.export import SHARES, ExportSource, markup, references, share, texts
from workbench.session.export.export_sources import of_file
from workbench.session.export.methods_text import paragraph
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.formats import load_vectors, save_vectors
from workbench.vectors.postprocessing import Postprocessing, apply_postprocessing

ROOT = Path(__file__).resolve().parents[2]
TEXT = (
    "the old king saw the young queen\nthe queen saw the king\nDon't go, said the old queen\n" * 12
)


def test_members_of_an_archive_are_read_from_it(tmp_path: Path) -> None:
    path = tmp_path / "tales.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name in ("a.txt", "b/c.txt"):
            archive.writestr(name, TEXT)
    corpus = read_corpus([path])
    metadata = known(
        corpus={"files": [file.path for file in corpus.files], "digest": corpus.digest}
    )
    recipe = subject(metadata).recipe
    assert recipe is not None
    assert recipe.sources == [str(path)]
    # The source is still the archive after the archive is gone.
    path.unlink()
    assert recipe.sources == [str(path)]


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "it's “a” text.txt"
    path.write_text(TEXT, encoding="utf-8")
    return path


def known(
    algorithm: str = "sgns", corpus: dict[str, Any] | None = None, **values: Any
) -> dict[str, Any]:
    """Provenance as a training records it."""
    kind = MODELS[algorithm]
    return {
        "algorithm": algorithm,
        "parameters": kind.params_type.from_mapping(values).to_dict(),
        "corpus": {
            "name": "Tales",
            "tokens": 1000,
            "types": 90,
            "digest": "ab",
            "files": ["tales.txt"],
            "options": {},
        }
        | (corpus or {}),
        "seed": 1,
        "version": "0.1.0",
        "versions": {"workbench": "0.1.0", "numpy": "2.0"},
        "seconds": {"training": 2.5},
        "loss": {"last": 1.25},
        "created": "2026-01-02T03:04:05+00:00",
    }


def subject(
    metadata: dict[str, Any] | None = None, words: tuple[str, ...] = ("a", "b", "c"), **more: Any
) -> ExportSource:
    table = np.random.default_rng(4).normal(size=(len(words), 3)).astype(np.float32)
    return ExportSource(
        "SGNS 3",
        Embeddings(words, table, metadata=known() if metadata is None else metadata),
        **more,
    )


def command(script: str, program: str) -> list[str]:
    """Arguments of a command in a shell script, without comments."""
    lines = script[script.index("set -e") + 6 :].replace("\\\n", " ").splitlines()
    (found,) = [line for line in lines if line.startswith(program + " ")]
    return shlex.split(found)


# -- the script


@pytest.mark.parametrize(
    ("algorithm", "values", "options"),
    [
        (
            "sgns",
            {"threads": 1, "dim": 4, "epochs": 2, "min_count": 2},
            {"lowercase": False, "tokeniser": "whitespace"},
        ),
        ("sgns", {"threads": 1, "dim": 4, "epochs": 1, "min_count": 2, "start": "counts"}, {}),
        ("glove", {"threads": 1, "dim": 4, "epochs": 1, "min_count": 2, "start": "counts"}, {}),
        (
            "svd",
            {"dim": 3, "min_count": 1, "result": "w+c"},
            {"phrases": 1, "phrase_threshold": 0.5},
        ),
        ("ppmi", {"min_count": 1}, {}),
    ],
)
def test_the_script_gives_the_same_vectors(
    algorithm: str, values: dict[str, Any], options: dict[str, Any], text: Path, tmp_path: Path
) -> None:
    vectors = train(read_corpus([text], CorpusOptions(**options)), algorithm, **values)
    if algorithm == "sgns":
        vectors = apply_postprocessing(vectors, Postprocessing("w+c", True, 1))
    save_vectors(vectors, tmp_path / "run.npz")
    share(of_file(tmp_path / "run.npz"), tmp_path / "out", ["script"])
    process = subprocess.run(
        [sys.executable, "repeat.py"],
        cwd=tmp_path / "out",
        capture_output=True,
        text=True,
        check=True,
    )
    assert process.stdout == "The vectors are those of the run.\n"
    again = load_vectors(tmp_path / "out" / f"{algorithm}.npz")
    assert list(again.words) == list(vectors.words)
    assert np.array_equal(dense(again.vectors), dense(vectors.vectors))


def test_the_script_notices_another_text(text: Path, tmp_path: Path) -> None:
    corpus = read_corpus([text])
    metadata = known(corpus={"files": [str(text)], "digest": corpus.digest})
    script = texts(subject(metadata), ["script"])["repeat.py"]
    # Everything before the training.
    reading = script[: script.index("vectors = train(")]
    exec(compile(reading, "repeat.py", "exec"), {})
    text.write_text(TEXT + "changed\n")
    with pytest.raises(SystemExit, match="isn’t the text"):
        exec(compile(reading, "repeat.py", "exec"), {})


def test_the_last_sentence_of_the_script_agrees_with_its_first_lines() -> None:
    alone = texts(subject(known(threads=1)), ["script"])["repeat.py"]
    assert "several threads" not in alone
    assert "says why" not in alone
    racing = texts(subject(known(threads=2)), ["script"])["repeat.py"]
    assert "several threads" in racing
    assert "start of this script says why" in racing


def test_a_continued_run_goes_on_from_its_parent(text: Path, tmp_path: Path) -> None:
    first = {"passes": 2.0, "epochs": 2.0, "seconds": 1.0, "file": str(tmp_path / "first.npz")}
    metadata = {**known(epochs=3, learning_rate=0.01), "continued": first}
    with pytest.raises(UserError, match="The run continues another run whose vectors are"):
        texts(subject(metadata), ["script"])
    found = texts(subject(metadata, parent_file=first["file"]), ["script"])["repeat.py"]
    assert "train_on(start, corpus, 3, 0.01)" in found
    ast.parse(found)


@settings(max_examples=60)
@given(st.text(max_size=40), st.lists(st.text(min_size=1, max_size=30), max_size=3))
def test_no_name_breaks_out_of_what_is_written(name: str, files: list[str]) -> None:
    """Names of runs, corpora and files may contain line ends, quotes, $(commands) or tags."""
    metadata = known(corpus={"name": name, "files": files})
    one = ExportSource(name, subject(metadata).embeddings)
    found = texts(one)
    for script in ("repeat.py", "train_with_gensim.py"):
        tree = ast.parse(found[script].replace("\0", ""))
        assert all(
            isinstance(node, (ast.Import, ast.ImportFrom, ast.Assign, ast.If, ast.Expr))
            for node in tree.body
        )
        calls = {ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
        assert calls <= {
            "read_corpus",
            "CorpusOptions",
            "train",
            "save_vectors",
            "np.ascontiguousarray",
            "np.ascontiguousarray(vectors.vectors, dtype='<f4').tobytes",
            "hashlib.blake2b",
            "hashlib.blake2b(numbers, digest_size=16).hexdigest",
            "print",
            "SystemExit",
            "Word2Vec",
            "model.wv.save_word2vec_format",
        }
    for script in ("word2vec.sh", "fasttext.sh"):
        lines = found[script][: found[script].index("set -e")].splitlines()
        assert all(line.startswith("#") for line in lines)
    assert_safe_page(found["report.html"])


# -- commands


def test_the_command_of_word2vec() -> None:
    metadata = known(
        "cbow", dim=50, window=8, negative=10, sample=1e-4, epochs=3, threads=2, min_count=7
    )
    script = texts(subject(metadata), ["word2vec"])["word2vec.sh"]
    words = command(script, "./word2vec")
    assert dict(zip(words[1::2], words[2::2], strict=True)) == {
        "-train": "corpus.txt",
        "-output": "word2vec.bin",
        "-binary": "1",
        "-cbow": "1",
        "-size": "50",
        "-window": "8",
        "-negative": "10",
        "-hs": "0",
        "-sample": "0.0001",
        "-alpha": "0.05",
        "-iter": "3",
        "-min-count": "7",
        "-threads": "2",
    }
    assert "workbench text tales.txt --output corpus.txt" in script


@pytest.mark.parametrize(
    ("key", "values", "remark"),
    [
        ("word2vec", {"init_scale": 0.01}, "multiplied the initial vectors, by 0.01"),
        ("word2vec", {"start": "counts"}, "started from a factorisation of its counts"),
        ("methods", {"start": "counts"}, "initial vectors were a truncated singular value"),
        ("word2vec", {"window_weighting": "fixed"}, "“fixed”"),
        ("word2vec", {"ns_exponent": 0.5}, "noise distribution is 0.75, that of the run 0.5"),
        ("word2vec", {"max_vocab": 7}, "doesn’t limit the vocabulary to 7 words"),
        ("word2vec", {"result": "w+c"}, "saves only W"),
        ("fasttext", {}, "noise distribution is 0.5, that of the run 0.75"),
        ("fasttext", {"sample_formula": "paper"}, "subsample with"),
        ("gensim", {"window_weighting": "harmonic"}, "“harmonic”"),
        ("gensim", {"normalise": True}, "Postprocessing of the trained vectors"),
    ],
)
def test_what_differs_is_said(key: str, values: dict[str, Any], remark: str) -> None:
    plain = " ".join("".join(texts(subject(), [key]).values()).replace("\n# ", " ").split())
    script = " ".join(
        "".join(texts(subject(known(**values)), [key]).values()).replace("\n# ", " ").split()
    )
    assert remark in script
    assert not values or remark not in plain


def test_the_commands_of_fasttext_and_glove() -> None:
    metadata = known("fasttext", min_n=2, max_n=5, buckets=1000)
    words = command(texts(subject(metadata), ["fasttext"])["fasttext.sh"], "./fasttext")
    assert words[1] == "skipgram"
    options = dict(zip(words[2::2], words[3::2], strict=True))
    assert (options["-minn"], options["-maxn"], options["-bucket"], options["-neg"]) == (
        "2",
        "5",
        "1000",
        "5",
    )
    script = texts(subject(known("glove", x_max=10.0, symmetric=False)), ["glove"])["glove.sh"]
    words = command(script, "./glove")
    options = dict(zip(words[1::2], words[2::2], strict=True))
    assert (options["-x-max"], options["-model"], options["-eta"]) == ("10", "2", "0.05")
    assert command(script, "./cooccur")[-4:] == ["<", "corpus.txt", ">", "cooccurrence.bin"]
    assert "-symmetric 0" in script.replace("\\\n    ", "")


def test_the_arguments_for_gensim_are_its_own() -> None:
    models = pytest.importorskip("gensim.models")
    import inspect

    for algorithm, kind in (
        ("cbow", models.Word2Vec),
        ("fasttext", models.FastText),
        ("skipgram-hs", models.Word2Vec),
    ):
        tree = ast.parse(texts(subject(known(algorithm)), ["gensim"])["train_with_gensim.py"])
        (call,) = [
            node.value
            for node in tree.body
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)
        ]
        parameters = set(inspect.signature(kind).parameters)
        assert {argument.arg for argument in call.keywords} <= parameters


@pytest.mark.parametrize("kind", list(SHARES), ids=lambda kind: kind.key)
@pytest.mark.parametrize("algorithm", MODELS.keys())
def test_every_kind_of_every_algorithm(kind: Any, algorithm: str) -> None:
    """Each export is complete, or a sentence says why it isn’t available."""
    one = subject(known(algorithm))
    reason = kind.why_not(one)
    if reason is not None:
        assert reason.endswith(".")
        with pytest.raises(UserError):
            texts(one, [kind.key])
        return
    for name, content in kind.make(one, JobControl()).items():
        assert content.endswith("\n")
        if name.endswith(".py"):
            ast.parse(content)
        # A handout has a script; its own tests look at it in a browser.
        if name.endswith(".html") and not kind.alone:
            assert_safe_page(content)
    assert kind.summary.endswith(".")


def test_vectors_that_do_not_say_how_they_were_trained() -> None:
    one = subject({})
    assert list(texts(one)) == ["report.html"]
    for metadata in (
        {"algorithm": "sgns"},
        {**known(), "parameters": {"dim": "many"}},
        {**known(), "corpus": 3},
    ):
        assert subject(metadata).recipe is None


# -- sentences


def test_the_paragraph_says_that_windows_reach_across_left_out_words() -> None:
    words = {"options": {"stop_words": "and or"}}
    methods = paragraph(subject(known("ppmi", words, min_count=1)))
    assert (
        "Windows reached across words that were left out before: "
        "words that the reading options exclude." in methods
    )
    methods = paragraph(subject(known("sgns", {}, min_count=5, max_vocab=0, sample=1e-3)))
    assert "left out before: rare words, subsampled words." in methods
    assert "left out" not in paragraph(subject(known("ppmi", {}, min_count=1, max_vocab=0)))


def test_the_paragraph() -> None:
    metadata = known(
        "svd",
        {"options": {"lowercase": False, "sentences": "paragraphs", "phrases": 2}},
        result="w+c",
    )
    methods = paragraph(
        subject({**metadata, "stopped": True, "vectors": Postprocessing("w", True, 3).to_dict()})
    )
    assert "Levy & Goldberg 2014; Levy et al. 2015" in methods
    assert "Tales (1,000 tokens of 90 types)" in methods
    assert "not lowercased" in methods
    assert "ends of paragraphs" in methods
    assert "joined into phrases in 2 passes" in methods
    assert (
        "leading 3 principal components were removed; then every vector was scaled to unit length"
        in methods
    )
    assert "word and context vectors were added" not in methods
    assert "stopped early" in methods


def test_citations_become_entries() -> None:
    (jelly,) = references.parse(
        "Lund & Burgess 1996, Producing Spaces (Behavior Research Methods & Computers 28)"
    )
    assert jelly.key == "lund1996producing"
    assert "@article{lund1996producing," in jelly.entry
    assert r"journal = {Behavior Research Methods \& Computers}" in jelly.entry
    assert "volume = {28}" in jelly.entry
    (swivel,) = references.parse(
        "Shazeer, Doherty, Evans & Waterson 2016, Swivel: What’s Missing (arXiv 1602.02215)"
    )
    assert "author = {Shazeer and Doherty and Evans and Waterson}" in swivel.entry
    assert "eprint = {1602.02215}" in swivel.entry
    (glove,) = references.parse("Pennington, Socher & Manning 2014, GloVe, section 3.1")
    assert glove.title == "GloVe"


@pytest.mark.parametrize("algorithm", MODELS.keys())
def test_every_citation_is_understood(algorithm: str) -> None:
    citation = MODELS[algorithm].citation
    works = references.parse(citation)
    assert len(works) == citation.count(";") + 1
    for work in works:
        assert re.fullmatch(r"[a-z]+\d{4}[a-z0-9]+", work.key)
        assert work.entry.count("{") == work.entry.count("}")
        assert 1900 < int(work.year) < 2030


# -- the page


class Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        if tag not in ("meta", "br", "line", "polyline", "!doctype"):
            self.open.append(tag)
        assert all(
            not name.startswith("on") and name not in ("src", "href", "srcset") for name, _ in attrs
        )

    def handle_endtag(self, tag: str) -> None:
        if tag not in ("line", "polyline"):
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def assert_safe_page(text: str) -> str:
    """Check that the page is well-formed and doesn’t run or load anything; return its text."""
    page = Page()
    page.feed(text)
    page.close()
    assert page.open == []
    assert page.seen <= {
        "html",
        "head",
        "meta",
        "title",
        "style",
        "body",
        "main",
        "h1",
        "h2",
        "h3",
        "p",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "figure",
        "figcaption",
        "svg",
        "line",
        "text",
        "polyline",
        "section",
        "div",
        "ol",
        "ul",
        "li",
        "span",
        "i",
    }
    assert not any(character in text for character in "\0\x1b\x7f")
    return " ".join(page.words)


def test_the_report() -> None:
    trace = Trace(np.array([0.1, 0.5, 1.0]), np.array([3.0, 2.0, 1.5]), np.zeros(3), np.zeros(3))
    words = ("<script>alert(1)</script>", "b&b", "=c\0", "d")
    scores = (
        ("Questions", Score(0.5, 0.4, 0.6, 0.9, 200)),
        ("None known", Score(np.nan, np.nan, np.nan, 0.0, 0)),
    )
    one = ExportSource("a <b>", subject(known(), words).embeddings, trace, scores, words[:2])
    page = texts(one, ["report"])["report.html"]
    visible_text = assert_safe_page(page)
    assert "<script>" not in page
    for phrase in (
        "a <b>",
        "<script>alert(1)</script>",
        "Questions",
        "0.400 to 0.600",
        "3 at the start, 1.5 at the last point",
        "tales.txt",
    ):
        assert phrase in visible_text
    final = {"value": 1.25, "kind": "last epoch", "error": 0.02, "epochs": 1.0}
    source = ExportSource(
        "a", subject({**known(), "final_loss": final}, words).embeddings, trace, scores, words[:2]
    )
    visible_text = assert_safe_page(texts(source, ["report"])["report.html"])
    assert "3 at the start, 1.250 ± 0.02 at the end (mean over the last epoch)" in visible_text
    assert "per pair (nats) was 1.250 ± 0.02 (mean over the last epoch)." in visible_text
    assert (
        one.digest
        == hashlib.blake2b(dense(one.embeddings.vectors).tobytes(), digest_size=16).hexdigest()
    )
    assert "prefers-color-scheme:dark" in page.replace(" ", "")


@settings(max_examples=50)
@given(
    st.lists(st.floats(-1e12, 1e12), min_size=2, max_size=50),
    st.sampled_from([1e-300, 1e-9, 1.0]),
    st.booleans(),
)
def test_any_curve_stays_in_its_figure(values: list[float], scale: float, still: bool) -> None:
    y = np.full(len(values), values[0]) if still else np.array(values) * scale
    figure = markup.curve(np.linspace(0, 100, len(y)), y, "x", "y", "t")
    (points,) = re.findall(r'points="([^"]*)"', figure)
    places = np.array([pair.split(",") for pair in points.split()], dtype=float)
    assert np.isfinite(places).all()
    assert (places >= 0).all()
    assert (places[:, 0] <= markup.WIDTH).all()
    assert (places[:, 1] <= markup.HEIGHT).all()


# -- files


def test_what_is_written(tmp_path: Path) -> None:
    paths = share(subject(), tmp_path / "new")
    assert {path.name for path in paths} == {path.name for path in (tmp_path / "new").iterdir()}
    assert {
        "repeat.py",
        "word2vec.sh",
        "fasttext.sh",
        "train_with_gensim.py",
        "methods.md",
        "references.bib",
    } <= {path.name for path in paths}
    # Files that are already in the folder are kept.
    (tmp_path / "diary.txt").write_text("dear")
    share(subject(), tmp_path, ["methods"])
    assert (tmp_path / "diary.txt").read_text() == "dear"
    with pytest.raises(UserError, match="Couldn’t create"):
        share(subject(), tmp_path / "no" / "such")


@pytest.mark.parametrize("room", [0, 1, 5])
def test_a_full_disk_leaves_the_place_as_it_was(
    room: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = tmp_path / "old"
    share(subject(), old)
    before = {path: path.read_text() for path in old.iterdir()}
    whole, left = Path.write_text, [0]

    def limited_write(path: Path, text: str, **options: Any) -> int:
        left[0] -= 1
        if left[0] >= 0:
            return whole(path, text, **options)
        whole(path, text[: len(text) // 2], **options)
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "write_text", limited_write)
    for folder in (old, tmp_path / "new"):
        left[0] = room
        with pytest.raises(UserError, match="No space left"):
            share(replace(subject(), name="another"), folder)
    assert {path: path.read_text() for path in old.iterdir()} == before
    assert list(tmp_path.iterdir()) == [old]


@pytest.mark.parametrize("block", [1, 2, 7, 1000])
def test_the_text_as_it_was_read(
    block: int, text: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workbench.corpus.text_export._BLOCK", block)
    corpus = read_corpus([text])
    write_text(corpus, tmp_path / "out.txt")
    wanted = TEXT.lower().replace(",", "").replace("\n", " \n").replace(" \n", "\n")
    assert (tmp_path / "out.txt").read_text(encoding="utf-8") == wanted
