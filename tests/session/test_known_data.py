"""Known vectors, test sets and texts in other languages, downloaded from a server on this machine
that has their formats in miniature.
"""

from __future__ import annotations

import dataclasses
import gzip
import hashlib
import io
import json
import tarfile
import threading
import zipfile
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tables import dense

from workbench.analysis.analogy.questions import load_questions
from workbench.analysis.evaluation.similarity import load_pairs
from workbench.cli import main
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.corpus import catalogue
from workbench.corpus.catalogue import DATA, CatalogueEntry, Kind, download
from workbench.corpus.catalogue import entry as entries
from workbench.corpus.catalogue.unpack import unpacked_set
from workbench.session.corpus import opening
from workbench.session.corpus.known_vectors import VectorChoice, keep_vectors, open_known
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.formats import load_vectors, save_vectors

WORDS = ["king", "queen", "man", "woman", "Käse"]
VECTORS = np.random.default_rng(3).normal(size=(5, 4)).astype(np.float32)


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, bytes]]:
    """Contents by path; ``""`` is the address of the server."""
    contents: dict[str, bytes] = {}

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            content = contents.get(self.path)
            if content is None:
                self.send_error(404)
                return
            self.send_response(200)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = False
    contents[""] = f"http://127.0.0.1:{server.server_address[1]}".encode()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()

    def folder(*parts: str) -> Path:
        path = tmp_path.joinpath("cache", *parts)
        path.mkdir(parents=True, exist_ok=True)
        return path

    monkeypatch.setattr(entries, "cache_folder", folder)
    monkeypatch.setattr(download, "_wait", lambda seconds, run: run.check())
    yield contents
    server.shutdown()
    server.server_close()
    thread.join()


def offer(
    served: dict[str, bytes], monkeypatch: pytest.MonkeyPatch, key: str, *contents: bytes
) -> CatalogueEntry:
    """An entry of the catalogue that points to this machine, with the sizes and checksums of
    ``contents`` and everything else as published.
    """
    real = DATA[key]
    address = served[""].decode()
    files = []
    for file, content in zip(real.files, contents, strict=True):
        served[f"/{file.name}"] = content
        kind = file.checksum.partition(":")[0]
        changes: dict[str, Any] = {
            "url": f"{address}/{file.name}",
            "size": len(content),
            "mirrors": (),
        }
        if kind and not file.member:
            data = b"blob %d\0" % len(content) + content if kind == "git" else content
            digest = hashlib.new("sha1" if kind == "git" else kind, data).hexdigest()
            changes["checksum"] = f"{kind}:{digest}"
        files.append(dataclasses.replace(file, **changes))
    first = files[0]
    entry = dataclasses.replace(
        real,
        url=first.url,
        size=first.size,
        checksum=first.checksum,
        mirrors=(),
        more=tuple(files[1:]),
    )
    known: Mapping[str, CatalogueEntry] = {**DATA, key: entry}
    monkeypatch.setattr(catalogue, "DATA", known)
    monkeypatch.setattr(
        catalogue, "CATALOGUE", {k: one for k, one in known.items() if one.kind == Kind.TEXT}
    )
    return entry


def zipped(members: Mapping[str, bytes]) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return target.getvalue()


def tarred(members: Mapping[str, bytes]) -> bytes:
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w:gz") as archive:
        for name, content in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return target.getvalue()


def text_vectors(header: bool = True) -> bytes:
    rows = [
        f"{word} {' '.join(map(repr, row.tolist()))}"
        for word, row in zip(WORDS, VECTORS, strict=True)
    ]
    return "\n".join([*(["5 4"] if header else []), *rows, ""]).encode()


def binary_vectors(folder: Path) -> bytes:
    path = folder / "made.bin"
    save_vectors(Embeddings(WORDS, VECTORS), path)
    return path.read_bytes()


@pytest.mark.parametrize("form", ["gensim", "google", "glove", "fasttext"])
def test_known_vectors_are_downloaded_and_kept(
    served: dict[str, bytes], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, form: str
) -> None:
    key, content = {
        "gensim": ("glove-wiki-gigaword-50", gzip.compress(text_vectors())),
        "google": ("word2vec-google-news-300", gzip.compress(binary_vectors(tmp_path))),
        "glove": ("glove-840b", zipped({"glove.840B.300d.txt": text_vectors(header=False)})),
        "fasttext": ("fasttext-de", gzip.compress(text_vectors())),
    }[form]
    entry = offer(served, monkeypatch, key, content)
    opened = opening.open_files([key], None, JobControl())
    ((name, found),) = opened.vectors
    assert name == entry.title
    assert list(found.words) == WORDS
    assert np.array_equal(dense(found.vectors), VECTORS)
    assert found.metadata["licence"] == entry.licence
    # The server isn’t asked again.
    served.pop(f"/{entry.file}")
    assert np.array_equal(dense(open_known(entry).vectors), VECTORS)
    first = open_known(entry, VectorChoice(2, True))
    assert list(first.words) == WORDS[:2]
    assert np.array_equal(dense(first.vectors), VECTORS[:2].astype(np.float16).astype(np.float32))
    # As they were kept last.
    assert len(open_known(entry)) == 2


def test_the_checksum_of_each_file_is_recorded(
    served: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    parts = [b"one", b"two", b"three"]
    entry = offer(served, monkeypatch, "potion-base-2M", *parts)
    assert not entry.checksum
    place = download.fetch(entry)
    record = json.loads((place.parent / "recorded.json").read_text("utf-8"))
    assert record["files"] == {
        file.name: f"sha256:{hashlib.sha256(part).hexdigest()}"
        for file, part in zip(entry.files, parts, strict=True)
    }
    assert download.recorded_checksum(entry) == record["files"]["model.safetensors"]


def test_a_model_of_several_files_is_opened(
    served: dict[str, bytes], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = tmp_path / "made"
    save_vectors(Embeddings(WORDS[:4], VECTORS[:4]), folder, "model2vec")
    parts = [
        (folder / name).read_bytes()
        for name in ("model.safetensors", "tokenizer.json", "config.json")
    ]
    entry = offer(served, monkeypatch, "potion-base-8M", *parts)
    assert np.allclose(dense(open_known(entry).vectors)[:4], VECTORS[:4])
    assert sorted(path.name for path in entry.place.iterdir()) == [
        "config.json",
        "model.safetensors",
        "tokenizer.json",
    ]


@pytest.mark.parametrize(
    ("key", "content", "pairs"),
    [
        (
            "simlex-999",
            zipped(
                {
                    "SimLex-999/README.txt": b"about",
                    "SimLex-999/SimLex-999.txt": b"word1\tword2\tPOS\tSimLex999\tconc(w1)\tconc(w2)"
                    b"\tconcQ\tAssoc(USF)\tSimAssoc333\tSD(SimLex)\n"
                    b"old\tnew\tA\t1.58\t2.72\t2.81\t2\t7.25\t1\t0.41\n"
                    b"smart\tintelligent\tA\t9.2\t1.75\t2.46\t1\t7.11\t1\t0.67\n"
                    b"hard\tdifficult\tA\t8.77\t3.76\t2.21\t2\t5.94\t1\t1.19\n",
                }
            ),
            [("old", "new", 1.58), ("smart", "intelligent", 9.2), ("hard", "difficult", 8.77)],
        ),
        (
            "men",
            tarred(
                {
                    "MEN/licence.txt": b"CC BY 2.0",
                    "MEN/MEN_dataset_natural_form_full": b"sun sunlight 50.000000\n"
                    b"automobile car 50.000000\nriver water 49.000000\n",
                }
            ),
            [("sun", "sunlight", 50), ("automobile", "car", 50), ("river", "water", 49)],
        ),
        (
            "ws-353-sim",
            b",word1,word2,similarity\n0,tiger,cat,7.35\n1,tiger,tiger,10.0\n2,plane,car,6.77\n",
            [("tiger", "cat", 7.35), ("tiger", "tiger", 10), ("plane", "car", 6.77)],
        ),
        (
            "mturk-771",
            b",word1,word2,similarity\n0,access,gateway,3.79\n1,account,explanation,2\n"
            b"2,account,invoice,3.75\n",
            [
                ("access", "gateway", 3.79),
                ("account", "explanation", 2),
                ("account", "invoice", 3.75),
            ],
        ),
        (
            "rw",
            zipped(
                {
                    "rw/rw.txt": b"squishing\tsquirt\t5.90\t7\t7\t6\t1\t4\t8\t9\t3\t6\t8\n"
                    b"undated\tundatable\t5.80\t10\t9\t6\t0\t8\t5\t4\t6\t3\t7\n"
                    b"circumvents\tbeat\t3.80\t7\t7\t0\t5\t2\t4\t3\t6\t1\t3\n"
                    b"deploring\tcensure\t7.20\t8\t7\t6\t9\t8\t7\t6\t8\t7\t6\n"
                    b"aphonia\tloss\t4.50\t5\t4\t6\t3\t4\t5\t6\t4\t5\t3\n"
                }
            ),
            [
                ("squishing", "squirt", 5.9),
                ("undated", "undatable", 5.8),
                ("circumvents", "beat", 3.8),
                ("deploring", "censure", 7.2),
                ("aphonia", "loss", 4.5),
            ],
        ),
    ],
)
def test_test_sets_are_unpacked_and_read(
    served: dict[str, bytes],
    monkeypatch: pytest.MonkeyPatch,
    key: str,
    content: bytes,
    pairs: list[tuple[str, str, float]],
) -> None:
    found = load_pairs(unpacked_set(offer(served, monkeypatch, key, content)))
    assert [
        (*words, score) for words, score in zip(found.words, found.scores, strict=True)
    ] == pairs


def test_analogies_are_read(served: dict[str, bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    google = offer(
        served,
        monkeypatch,
        "google-questions",
        b": capital-common-countries\nAthens Greece Baghdad Iraq\nAthens Greece Bern Switzerland\n",
    )
    assert len(load_questions(unpacked_set(google))) == 2
    bats = zipped(
        {
            "BATS_3.0/1_Inflectional_morphology/I01 [noun - plural_reg].txt": b"album\talbums\n"
            b"area\tareas\n",
            "BATS_3.0/4_Lexicographic_semantics/L01 [hypernyms - animals].txt": b"allosaurus\t"
            b"dinosaur/reptile\nant\tinsect/animal\n",
            "BATS_3.0/metadata.json": b"{}",
        }
    )
    path = unpacked_set(offer(served, monkeypatch, "bats", bats))
    questions = load_questions(path)
    assert path.is_dir()
    assert len(questions) == 4
    assert questions.answers(2) == ("insect", "animal")


def test_leipzig_and_treebanks_are_read(
    served: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    leipzig = tarred(
        {
            "deu_news_2023_10K/deu_news_2023_10K-sentences.txt": "1\tDer König lacht.\n"
            "2\tDie Königin lacht auch.\n".encode(),
            "deu_news_2023_10K/deu_news_2023_10K-words.txt": b"1\tnicht\t5\n",
        }
    )
    offer(served, monkeypatch, "leipzig-deu-10k", leipzig)
    corpus = opening.open_files(["leipzig-deu-10k"], None, JobControl()).corpus
    assert corpus is not None
    assert set(corpus.words) == {"der", "könig", "lacht", "die", "königin", "auch"}
    row = "1\t{}\t{}\tNOUN\tNN\t_\t0\troot\t_\t_\n\n"
    parts = [
        row.format(*pair).encode()
        for pair in (("Häuser", "Haus"), ("Kinder", "Kind"), ("Tage", "Tag"))
    ]
    entry = offer(served, monkeypatch, "ud-de-gsd", *parts)
    treebank = opening.open_files(["ud-de-gsd"], None, JobControl()).corpus
    assert treebank is not None
    assert treebank.name == entry.title
    assert set(treebank.words) == {"häuser", "kinder", "tage"}
    posts = [{"topic": "sci.space", "set": "train", "data": "The moon.", "id": "7"}]
    lines = "".join(json.dumps(post) + "\n" for post in posts)
    offer(served, monkeypatch, "20-newsgroups", gzip.compress(lines.encode()))
    newsgroups = opening.open_files(["20-newsgroups"], None, JobControl()).corpus
    assert newsgroups is not None
    assert set(newsgroups.words) == {"the", "moon"}


def test_a_wrong_checksum_of_a_repository_is_refused(
    served: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = offer(served, monkeypatch, "google-questions", b": a\nb c d e\n")
    served["/questions-words.txt"] = b"<html>Not found</html>"
    with pytest.raises(UserError, match="checksum of Google’s analogies doesn’t match"):
        download.fetch(entry)
    assert not entry.here


def test_a_full_disk_is_reported_before_the_download(
    served: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = offer(served, monkeypatch, "glove-twitter-25", gzip.compress(text_vectors()))
    entry = dataclasses.replace(entry, size=10**18)
    with pytest.raises(UserError, match=r"Not enough disk space: .* needs 1,000,000,000,000 MB"):
        keep_vectors(entry, VectorChoice())
    assert not entry.place.parent.joinpath(entry.file).exists()


def test_an_archive_without_the_expected_files_is_refused(
    served: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = offer(served, monkeypatch, "ws-353", zipped({"other.txt": b"a b 1\n"}))
    with pytest.raises(UserError, match="doesn’t contain the expected files"):
        unpacked_set(entry)


@pytest.mark.parametrize("key", ["leipzig-deu-10k", "fasttext-de", "simlex-de"])
def test_a_page_in_place_of_data_without_a_checksum_is_not_kept(
    key: str, served: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = offer(served, monkeypatch, key, b"<html>Please log in to this network</html>")
    assert not entry.checksum
    with pytest.raises(UserError, match="sent another file in place of"):
        download.fetch(entry)
    assert not entry.here


def test_vectors_that_cannot_be_read_are_downloaded_again(
    served: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = gzip.compress(text_vectors())
    entry = offer(served, monkeypatch, "fasttext-de", whole[:-20])
    with pytest.raises(UserError, match="Couldn’t read the download of fastText in German"):
        keep_vectors(entry, VectorChoice())
    entry = offer(served, monkeypatch, "fasttext-de", whole)
    assert list(open_known(entry).words) == WORDS


def test_a_download_is_kept_if_memory_is_short(
    served: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = offer(served, monkeypatch, "fasttext-de", gzip.compress(text_vectors()))
    with monkeypatch.context() as small:
        small.setattr("workbench.vectors.formats.text_rows.free_memory", lambda: 10)
        with pytest.raises(UserError, match="Not enough memory: the 5 words"):
            keep_vectors(entry, VectorChoice())
    assert entry.here
    # The server isn’t asked again.
    served.pop(f"/{entry.file}")
    assert list(open_known(entry).words) == WORDS


def test_space_is_needed_for_the_file_that_is_kept(
    served: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """At most that of all words, however many are chosen."""
    content = gzip.compress(text_vectors())
    entry = offer(served, monkeypatch, "fasttext-de", content)
    needed: list[int] = []
    monkeypatch.setattr(
        "workbench.session.corpus.known_vectors.prove_disk",
        lambda entry, folder, size: needed.append(size),
    )
    for words in (0, 4, 1):
        keep_vectors(entry, VectorChoice(words), again=True)
    assert needed[0] == needed[1] == 6 * len(content)
    assert 3 * len(content) < needed[2] <= needed[0]


def test_commands_download_and_use_data_by_name(
    served: dict[str, bytes],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    key = "glove-wiki-gigaword-50"
    assert main(["neighbours", key, "king"]) == 2
    assert f"workbench corpora get {key}" in capsys.readouterr().err
    offer(served, monkeypatch, key, gzip.compress(text_vectors()))
    assert main(["corpora", "get", key, "--words", "4", "--half"]) == 0
    output = capsys.readouterr().out
    assert "licence PDDL 1.0" in output
    assert "list.json in github.com/RaRe-Technologies/gensim-data" in output
    assert main(["neighbours", key, "king", "--json"]) == 0
    assert {word for word, _ in json.loads(capsys.readouterr().out)["neighbours"]} == set(
        WORDS[1:4]
    )
    offer(
        served,
        monkeypatch,
        "ws-353-sim",
        b",word1,word2,similarity\n0,king,queen,9\n1,man,woman,8\n2,king,woman,3\n",
    )
    assert main(["evaluate", key, "--similarity", "ws-353-sim"]) == 2
    capsys.readouterr()
    assert main(["corpora", "get", "ws-353-sim"]) == 0
    assert main(["evaluate", "--similarity", "ws-353-sim", "--", key]) in (0, 2)
    assert main(["corpora", "get", "men", "--half"]) == 2
    assert "for vectors only" in capsys.readouterr().err
    assert main(["corpora", "--kind", "similarity", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert listed["bundled"] == []
    assert {each["kind"] for each in listed["public"]} == {"similarity"}


def test_everything_is_listed_with_its_licence_and_the_origin_of_its_checksum() -> None:
    for key, entry in DATA.items():
        assert entry.key == key
        assert all((entry.title, entry.summary, entry.licence, entry.source, entry.file))
        for file in entry.files:
            assert all(url.startswith("https://") for url in (file.url, *file.mirrors)), file
            # Of several files, either all or none have one.
            assert bool(file.checksum) == bool(entry.checksum_source)
            if file.checksum:
                kind, _, digits = file.checksum.partition(":")
                assert len(digits) == {"md5": 32, "sha1": 40, "sha256": 64, "git": 40}[kind]
                int(digits, 16)
        assert len({file.name for file in entry.files}) == len(entry.files)


def test_vectors_of_a_file_with_the_name_of_an_entry_are_that_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    save_vectors(Embeddings(WORDS, VECTORS), tmp_path / "glove-840b.npz")
    (tmp_path / "glove-840b.npz").rename(tmp_path / "glove-840b")
    assert catalogue.data_entry("glove-840b", Kind.VECTORS) is None
    assert len(load_vectors("glove-840b", "npz")) == 5
