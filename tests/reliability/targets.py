"""Targets of fuzzing: every registered vector format, every kind of text, and every file that the
workbench keeps.

A target has seeds, each a few valid files, and gets the path of a copy in which one file was
damaged. It may refuse the copy, but only with a UserError; data that it accepts must be valid.
"""

from __future__ import annotations

import bz2
import contextlib
import gzip
import io
import json
import lzma
import os
import shutil
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

import numpy as np
import scipy.sparse as sp
from short_texts import SHORT_TEXTS

from workbench.core.errors import UserError
from workbench.core.paths import cache_folder, settings_folder
from workbench.session.corpus.recent_files import recent_files
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.formats.read_only import spacy
from workbench.vectors.formats.safetensors_io import write_tensors


@dataclass(frozen=True)
class Seed:
    """Files by path in a folder; ``main`` is the one to open, "" for the folder itself."""

    main: str
    files: Mapping[str, bytes]


@dataclass(frozen=True)
class Target:
    """``feed`` opens a path and checks the result; ``tidy`` cleans up from time to time."""

    key: str
    seeds: Callable[[], list[Seed]]
    feed: Callable[[Path], None]
    tidy: Callable[[], None] = field(default=lambda: None)


def embeddings(sparse: bool = False) -> Embeddings:
    """Twelve words with everything that a file can contain."""
    random = np.random.default_rng(1)
    words = ["the", "of", "naïve", "don't", "東京", "שלום", "a_b", "1984", "=x", "é", "zoo", "w"]
    size, dim = len(words), 4
    vectors = random.normal(size=(size, dim)).astype(np.float32)
    counts = np.arange(size, 0, -1, dtype=np.int64) * 7
    metadata = {
        "algorithm": "sgns",
        "parameters": {"dim": dim, "epochs": 2},
        "corpus": {"name": "c", "digest": "ab"},
    }
    if sparse:
        return Embeddings(words, sp.csr_matrix(np.maximum(vectors, 0)), counts, metadata=metadata)
    return Embeddings(
        words,
        vectors,
        counts,
        contexts=vectors[::-1].copy(),
        biases=vectors[:, 0].copy(),
        metadata=metadata,
        state={"passes": np.array(2.0)},
    )


def subword_embeddings() -> Embeddings:
    """Embeddings with vectors of n-grams, as in fastText."""
    plain = embeddings()
    random = np.random.default_rng(2)
    table = random.normal(size=(64, 4)).astype(np.float32)
    metadata = {
        "algorithm": "fasttext",
        "parameters": {"dim": 4, "min_n": 3, "max_n": 5, "buckets": 64},
    }
    return Embeddings(
        plain.words,
        plain.vectors,
        plain.counts,
        contexts=plain.contexts,
        ngram_vectors=table,
        word_rows=random.normal(size=(len(plain), 4)).astype(np.float32),
        metadata=metadata,
    )


def _files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


# -- vectors


def _format_seeds(key: str) -> list[Seed]:
    from workbench.vectors.formats import FORMATS, save_vectors

    kind = FORMATS[key]
    seeds = []
    for model in (embeddings(), embeddings(sparse=True), subword_embeddings()):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            main = f"seed{kind.suffixes[0]}"
            try:
                save_vectors(model, folder / main, key)
            except UserError:
                continue
            seeds.append(Seed(main, _files(folder)))
    assert seeds, f"{key} wrote none of the seeds"
    return seeds


def _read_only_seeds(key: str) -> list[Seed]:
    """Files of the formats that aren't written."""
    words, table = ["cat", "dog", "New York"], np.ones((3, 4), np.float32)
    array = io.BytesIO()
    np.save(array, table)
    lines = "\n".join(words).encode()
    if key == "sparse-rows":
        return [Seed("s.txt", {"s.txt": b"3 9\ncat 1:0.5 8:2\ndog 1:1e-2\nNew York 0:3\n"})]
    if key == "array-with-words":
        return [Seed("s.npy", {"s.npy": array.getvalue(), "s.vocab": lines})]
    if key == "staticvectors":
        with tempfile.TemporaryDirectory() as name:
            write_tensors(Path(name) / "t", {"vectors": table}, {})
            model = (Path(name) / "t").read_bytes()
        tokens = json.dumps({"tokens": {word: row for row, word in enumerate(words)}}).encode()
        files = {"model.safetensors": model, "vocab.json": tokens, "config.json": b"{}"}
        return [Seed("m", {f"m/{name}": data for name, data in files.items()})]
    keys = b"".join(
        b"\xcf" + int(key).to_bytes(8, "big") + bytes([row])
        for row, key in enumerate(spacy.hashes(words).tolist())
    )
    files = {
        "vectors": array.getvalue(),
        "key2row": b"\x83" + keys,
        "strings.json": json.dumps(words).encode(),
        "vectors.cfg": b'{"mode": "default"}',
    }
    return [Seed("m", {f"m/vocab/{name}": data for name, data in files.items()})]


def _feed_format(key: str) -> Callable[[Path], None]:
    from workbench.vectors.formats import load_vectors, sniff, source

    def feed(path: Path) -> None:
        with contextlib.suppress(UserError):
            sniff(path)
        if path.exists():
            _sound(load_vectors(path, key))
            _sound(source(key).read(path, 3))

    return feed


def _sound(model: Embeddings) -> None:
    vectors = model.vectors if isinstance(model.vectors, np.ndarray) else model.vectors.data
    assert np.isfinite(vectors).all(), "a vector is not finite"
    assert len(set(model.words)) == len(model.words) > 0, "a word stands twice"
    assert all(isinstance(word, str) for word in model.words)
    for name in ("contexts", "biases", "counts", "raw", "word_rows"):
        table = getattr(model, name)
        assert table is None or len(table) == len(model), f"{name} is of another length"
    "".join(model.words).encode()
    json.dumps(dict(model.metadata), allow_nan=False)


# -- texts

_SENTENCES = (
    "The king saw the queen, and the naïve child didn't.",
    "東京は日本の首都です。 שלום עולם 1984 été =1+2 <b>bold</b> a_b",
    "",
    "- one, two; three: four.  New York is in New York State.",
)
_TEXT = "\n".join(_SENTENCES * 6)
_WIKI = (
    '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" '
    'xml:lang="en"><siteinfo><sitename>W'
    "</sitename></siteinfo><page><title>King</title><ns>0</ns><id>1</id><revision><id>2</id><text "
    "bytes='9'>'''King''' "
    "is a [[man|male]] {{cite|a={{b}}}} ruler.&lt;ref>x&lt;/ref> == Head == * item {| class=x |} "
    "</text></revision>"
    "</page><page><title>Queen</title><ns>0</ns><id>3</id><revision><id>4</id><text>The queen "
    "[[File:a.png|thumb]] "
    "rules.</text></revision></page></mediawiki>"
)
_HTML = (
    "<!doctype html><html><head><meta "
    "charset='utf-8'><title>T</title><style>p{}</style><script>var a='<p>';</script>"
    "</head><body><h1>The king</h1><p>The queen &amp; the child &#8217; &nbsp;</p><!-- c "
    "--><ul><li>one<li>two</ul>"
)


def _zip_archive(files: Mapping[str, bytes], stored_names: tuple[str, ...] = ()) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content, zipfile.ZIP_STORED if name in stored_names else None)
    return out.getvalue()


def _tar_archive(files: Mapping[str, bytes]) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for name, content in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return out.getvalue()


_TEI = (
    "<TEI><teiHeader><p>about</p></teiHeader><text><body><p>The king and the queen-<lb/>dom "
    "<choice><sic>ar</sic><corr>are</corr></choice> old.<note>A note.</note></p></body></text>"
    "</TEI>"
)
_ALTO = (
    '<alto><TextBlock><TextLine><String CONTENT="The"/><SP/><String CONTENT="king"/></TextLine>'
    "</TextBlock></alto>"
)
_CONLLU = (
    "# newpar\n1\tThe\tthe\tDET\t_\t_\t2\tdet\t_\t_\n2\tking\tking\tNOUN\t_\t_\t0\troot\t_\t_\n\n"
)
_VERTICAL = "<doc>\n<s>\nThe\tDT\tthe\nking\tNN\tking\n</s>\n</doc>\n"
_SUBTITLES = "1\n00:00:01,000 --> 00:00:02,000\n<i>The king</i>\n\n"
_CHAT = "@UTF8\n@Begin\n*ANN:\tthe <old> [/] king &-um .\n%mor:\tx\n*BOB:\ta queen .\n@End\n"
_GRID = (
    'File type = "ooTextFile"\nObject class = "TextGrid"\n0\n2\n<exists>\n1\n"IntervalTier"\n'
    '"words"\n0\n2\n2\n0\n1\n"the king"\n1\n2\n"queen"\n'
)
_ENTITIES = "-DOCSTART- -X- O O\n\nThe DT I-NP O\nking NN I-NP I-PER\n\n"
_LATEX = (
    r"\documentclass{book}\begin{document}\section{The king} A \emph{queen}\footnote{A note.} "
    r"na\"ive $x$.\end{document}"
)
_WORD = (
    '<w:document xmlns:w="w"><w:body><w:p><w:r><w:t>The king</w:t></w:r></w:p></w:body>'
    "</w:document>"
)
_OPEN = (
    '<o:document-content xmlns:o="o" xmlns:t="t"><o:body><t:p>The king<t:note><t:note-body>'
    "<t:p>A note.</t:p></t:note-body></t:note></t:p></o:body></o:document-content>"
)


def _epub() -> bytes:
    container = (
        '<?xml version="1.0"?><container version="1.0" '
        'xmlns="urn:oasis:names:tc:opendocument:xmlns:container">'
        '<rootfiles><rootfile full-path="O/content.opf" '
        'media-type="application/oebps-package+xml"/>'
        "</rootfiles></container>"
    )
    package = (
        '<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0" '
        'unique-identifier="i">'
        "<metadata "
        'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>T</dc:title></metadata>'
        "<manifest><item "
        'id="a" '
        'href="a.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref '
        'idref="a"/></spine></package>'
    )
    page = "<body><h1>The king</h1><p>The queen &amp; a child.</p></body>"
    chapter = f"<html xmlns='http://www.w3.org/1999/xhtml'>{page}</html>"
    files = {
        "mimetype": b"application/epub+zip",
        "META-INF/container.xml": container.encode(),
        "O/content.opf": package.encode(),
        "O/a.xhtml": chapter.encode(),
    }
    return _zip_archive(files, ("mimetype",))


def _texts() -> dict[str, tuple[str, bytes]]:
    """For each kind of text, a file name and its content."""
    plain = _TEXT.encode()
    table = [
        ("id", "text", "year"),
        *((str(n), line, "1984") for n, line in enumerate(_SENTENCES * 4)),
    ]
    csv_text = "\r\n".join(
        ",".join('"' + cell.replace('"', '""') + '"' for cell in row) for row in table
    )
    tabs = "\n".join("\t".join(row) for row in table)
    lines = "\n".join(json.dumps({"text": line, "n": [1, {"a": None}]}) for line in _SENTENCES * 4)
    return {
        "txt": ("a.txt", plain),
        "utf-16": ("a.txt", b"\xff\xfe" + _TEXT.encode("utf-16-le")),
        "utf-32": ("a.txt", b"\x00\x00\xfe\xff" + _TEXT.encode("utf-32-be")),
        "latin-1": ("a.txt", "Été à la forêt, où l'âme naïve rêve.\n".encode("latin-1") * 8),
        "gzip": ("a.txt.gz", gzip.compress(plain)),
        "bzip2": ("a.txt.bz2", bz2.compress(plain)),
        "xz": ("a.txt.xz", lzma.compress(plain)),
        "zip": (
            "a.zip",
            _zip_archive({"a.txt": plain, "b/c.txt": plain[:300], "d.md": b"# one two"}),
        ),
        "tar": ("a.tar", _tar_archive({"a.txt": plain, "b/c.txt": plain[:300]})),
        "tgz": ("a.tgz", gzip.compress(_tar_archive({"a.txt": plain, "b/c.txt": plain[:300]}))),
        "csv": ("a.csv", csv_text.encode()),
        "tsv": ("a.tsv", tabs.encode()),
        "jsonl": ("a.jsonl", lines.encode()),
        "json": ("a.json", f"[{lines.replace(chr(10), ', ')}]".encode()),
        "html": ("a.html", _HTML.encode() * 3),
        "epub": ("a.epub", _epub()),
        "wikipedia": ("a.xml", _WIKI.encode()),
        "tei": ("a.tei", _TEI.encode()),
        "alto": ("a.alto", _ALTO.encode()),
        "conllu": ("a.conllu", _CONLLU.encode() * 4),
        "vertical": ("a.vert", _VERTICAL.encode() * 4),
        "subtitles": ("a.srt", _SUBTITLES.encode()),
        "chat": ("a.cha", _CHAT.encode()),
        "textgrid": ("a.textgrid", _GRID.encode()),
        "conll2003": ("a.conll", _ENTITIES.encode() * 4),
        "latex": ("a.tex", _LATEX.encode()),
        "docx": ("a.docx", _zip_archive({"word/document.xml": _WORD.encode()})),
        "odt": (
            "a.odt",
            _zip_archive(
                {"mimetype": b"m", "content.xml": _OPEN.encode(), "META-INF/manifest.xml": b""}
            ),
        ),
        "wikipedia-bz2": ("a.xml.bz2", bz2.compress(_WIKI.encode())),
        **{f"short-{name}": (f"a.{name}", text.encode() * 4) for name, text in SHORT_TEXTS.items()},
    }


def _feed_text(path: Path) -> None:
    from workbench.corpus.loader import open_corpus

    corpus = open_corpus([path])
    assert corpus.tokens > 0
    assert int(corpus.counts.sum()) == corpus.tokens
    assert corpus.ids.min() >= 0
    assert corpus.ids.max() < corpus.types == len(set(corpus.words))
    assert corpus.sentences[0] == 0
    assert corpus.sentences[-1] == corpus.tokens


def _forget_corpora() -> None:
    shutil.rmtree(cache_folder("corpora"), ignore_errors=True)


# -- what the workbench keeps


def _settings_seeds() -> list[Seed]:
    values = {
        "theme": "dark",
        "recent": [["/a/b.txt"], {"paths": ["/c"], "options": {"column": "text"}}],
        "corpus": {"paths": ["/a/b.txt"], "options": {"tokeniser": "words", "lowercase": True}},
        "corpus.readings": [{"paths": ["a.txt"], "options": {"phrases": 2}}],
        "corpus.choices": [{"digest": "d", "options": {"phrases": 2}}],
        "runs.looked_at": {"d": "20261120-112527-031415-9f2c"},
        "corpus.options": {"phrases": 2},
        "train.algorithm": "sgns",
        "train.values": {"sgns": {"preset": "classroom", "values": {"dim": 50, "sample": 0.001}}},
        "map.sets": [{"name": "royal", "words": ["king", "queen"]}],
        "window.layout": {"docks": ["map"], "geometry": "AAAA", "state": "AAAA"},
    }
    return [Seed("settings.json", {"settings.json": json.dumps(values).encode()})]


def _feed_settings(path: Path) -> None:
    from workbench.models.base import MODELS
    from workbench.session.corpus.opening import find_remembered
    from workbench.session.settings.last_params import LastParams
    from workbench.session.settings.settings_file import Settings

    os.replace(path, settings_folder() / "settings.json")
    settings = Settings()
    assert isinstance(recent_files(settings), list)
    find_remembered(settings.all().get("corpus"))
    choices = LastParams(settings)
    for key in ("sgns", "glove"):
        choices.preset(MODELS[key], "")
        choices.values(MODELS[key])
    settings.put({"theme": "light"})


def _run_seeds() -> list[Seed]:
    from workbench.session.runs.run_record import RunRecord, State
    from workbench.session.runs.store import Store

    with tempfile.TemporaryDirectory() as name:
        store = Store(Path(name))
        record = RunRecord(
            "20261120-112527-031415-9f2c",
            "SGNS 1",
            "sgns",
            {"dim": 4, "epochs": 2},
            "c",
            "ab",
            "2026-11-20T11:25:27+00:00",
            state=State.DONE,
            summary={**embeddings().metadata, "vocabulary": 12, "dim": 4},
        )
        store.save(record, embeddings())
        return [Seed("", _files(Path(name)))]


def _feed_run(path: Path) -> None:
    from workbench.session.runs.store import Store

    store = Store(path)
    records, problems = store.load()
    assert len(records) + len(problems) == 1, "a run was lost"
    for record in records:
        try:
            _sound(store.vectors(record.identifier))
        except UserError:
            records, _ = store.load()
            assert not records, "a damaged run was left in its place"


def _interrupted_seeds() -> list[Seed]:
    from workbench.vectors.formats import save_vectors

    model = embeddings()
    corpus = {"name": "c", "digest": "ab", "options": {}}
    columns = {name: [0.1, 0.4] for name in ("progress", "loss", "seconds", "error")}
    interruption = {
        "name": "SGNS 1",
        "colour": 1,
        "progress": 0.4,
        "source": {"paths": ["/a.txt"]},
        "trace": columns,
    }
    metadata = {
        **model.metadata,
        "corpus": corpus,
        "stopped": True,
        "created": "2026-11-20",
        "interrupted": interruption,
    }
    metadata["parameters"] = {"dim": 4, "epochs": 5}
    with tempfile.TemporaryDirectory() as name:
        path = Path(name, "20261120-112527-031415-9f2c.npz")
        save_vectors(replace(model, metadata=metadata), path, "npz")
        return [Seed("", {f"interrupted/{path.name}": path.read_bytes()})]


def _feed_interrupted(path: Path) -> None:
    from workbench.session.runs.store import Store

    store = Store(path)
    entries, problems = store.journal.find_interrupted()
    assert len(entries) + len(problems) == 1, "an interrupted training was lost"
    for entry in entries:
        assert entry.remaining_passes >= 1
        _, model = store.journal.take_interrupted(entry)
        _sound(model)


def _session_seeds() -> list[Seed]:
    from workbench.core.job_control import JobControl
    from workbench.session.files.session_file import Contents, save_session
    from workbench.session.runs.store import Store

    contents = Contents(
        corpora=(
            {"name": "c", "digest": "ab", "paths": ["/a.txt"], "options": {"lowercase": True}},
        ),
        open="ab",
        shown="20261120-112527-031415-9f2c",
        selection=("the", "of"),
        analogy={"a": "the", "b": "of", "c": "w", "answer": "zoo"},
        settings={"map.sets": [{"name": "s", "words": ["the"]}], "map.method": "umap"},
        panels={
            "map": {
                "layouts": [
                    {"run": "x", "method": "umap", "positions": np.zeros((3, 2), np.float32)}
                ]
            }
        },
    )
    with tempfile.TemporaryDirectory() as name:
        (seed,) = _run_seeds()
        for local, content in seed.files.items():
            Path(name, local).parent.mkdir(parents=True, exist_ok=True)
            Path(name, local).write_bytes(content)
        store = Store(Path(name))
        save_session(Path(name, "s.workbench"), store, store.load()[0], contents, JobControl())
        return [Seed("s.workbench", {"s.workbench": Path(name, "s.workbench").read_bytes()})]


def _feed_session(path: Path) -> None:
    from workbench.core.job_control import JobControl
    from workbench.session.corpus.opening import parse_remembered
    from workbench.session.files.session_file import open_session, read_contents
    from workbench.session.runs.store import Store

    store = Store(path.parent / "store")
    try:
        read_contents(path)
        session = open_session(path, store, JobControl())
        for corpus in session.contents.corpora:
            parse_remembered(dict(corpus))
        json.dumps(dict(session.contents.settings))
    finally:
        records, problems = store.load()
        assert not problems, "a damaged run came into the store"
        for record in records:
            _sound(store.vectors(record.identifier))
        strays = [one.name for one in path.parent.iterdir() if one.name not in (path.name, "store")]
        assert not strays, f"files beside it: {strays}"


def _corpus_seeds() -> list[Seed]:
    from workbench.corpus.loader import open_corpus

    with tempfile.TemporaryDirectory() as name:
        text = Path(name, "a.txt")
        text.write_text(_TEXT, encoding="utf-8")
        corpus = open_corpus([text])
        assert corpus.folder is not None
        return [
            Seed(
                "",
                {
                    f"{corpus.digest}/{name}": content
                    for name, content in _files(corpus.folder).items()
                },
            )
        ]


def _feed_corpus(path: Path) -> None:
    from workbench.corpus.loader import load_corpus

    for folder in list(path.iterdir()):
        place = cache_folder("corpora") / folder.name
        shutil.rmtree(place, ignore_errors=True)
        folder.replace(place)
        corpus = load_corpus(folder.name)
        assert int(corpus.counts.sum()) == corpus.tokens


def targets() -> dict[str, Target]:
    """All targets by key, with vector formats from their registry."""
    from workbench.vectors.formats import FORMATS
    from workbench.vectors.formats.read_only import READ_ONLY

    found = [
        Target(f"vectors:{kind.key}", partial(seeds, kind.key), _feed_format(kind.key))
        for kinds, seeds in ((FORMATS, _format_seeds), (READ_ONLY, _read_only_seeds))
        for kind in kinds
    ]
    for key, (name, content) in _texts().items():
        seed = Seed(name, {name: content})
        found.append(Target(f"text:{key}", lambda seed=seed: [seed], _feed_text, _forget_corpora))  # type: ignore[misc]
    found += [
        Target("kept:settings", _settings_seeds, _feed_settings),
        Target("kept:run", _run_seeds, _feed_run),
        Target("kept:interrupted", _interrupted_seeds, _feed_interrupted),
        Target("kept:session", _session_seeds, _feed_session),
        Target("kept:corpus", _corpus_seeds, _feed_corpus, _forget_corpora),
    ]
    return {target.key: target for target in found}
