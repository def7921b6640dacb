"""Public corpora open by name in scripts, sessions and commands; nothing downloads unasked."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from workbench.cli import main
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.corpus.catalogue import CATALOGUE, CatalogueEntry, download, public_entry
from workbench.corpus.catalogue import entry as entries
from workbench.session.corpus import opening
from workbench.session.corpus.reading import read_corpus


@pytest.fixture(autouse=True)
def _own_downloads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def folder(*parts: str) -> Path:
        path = tmp_path.joinpath(*parts)
        path.mkdir(parents=True, exist_ok=True)
        return path

    monkeypatch.setattr(entries, "cache_folder", folder)


def fake_fetch(entry: CatalogueEntry, run: JobControl | None = None, again: bool = False) -> Path:
    """A corpus in the state after a download."""
    with zipfile.ZipFile(entry.place, "w") as archive:
        archive.writestr("wikitext-2/wiki.train.tokens", "the cat sat\n" * 50)
        archive.writestr("wikitext-2/wiki.test.tokens", "not this one\n")
    return entry.place


def test_what_was_not_downloaded_is_not_read() -> None:
    with pytest.raises(
        UserError,
        match=r"WikiText-2 hasn’t been downloaded yet\. .*workbench corpora get wikitext-2",
    ):
        read_corpus(["wikitext-2"])
    fake_fetch(CATALOGUE["wikitext-2"])
    corpus = read_corpus(["wikitext-2"])
    assert (corpus.name, corpus.tokens) == ("WikiText-2", 150)
    assert public_entry(["./wikitext-2"]) is None


def test_what_is_downloaded_is_opened_and_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(download, "fetch", fake_fetch)
    result = opening.open_files(["wikitext-2"], None, JobControl())
    assert result.corpus is not None
    assert (result.corpus.name, result.corpus.tokens) == ("WikiText-2", 150)
    last = opening.find_remembered(result.to_json())
    assert last is not None
    assert last.paths == (str(CATALOGUE["wikitext-2"].place),)
    assert last.options is not None
    assert opening.reopen(last, JobControl()).corpus.digest == result.corpus.digest


def test_the_command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["corpora"]) == 0
    output = capsys.readouterr().out
    assert all(key in output for key in ("small-world", "python-docs", *CATALOGUE))
    assert "workbench corpora get KEY" in output
    monkeypatch.setattr(download, "fetch", fake_fetch)
    assert main(["corpora", "get", "wikitext-2"]) == 0
    assert "wikitext-2-v1.zip" in capsys.readouterr().out
    assert main(["corpora", "--json"]) == 0
    public = {each["key"]: each for each in json.loads(capsys.readouterr().out)["public"]}
    assert public["wikitext-2"]["downloaded"] == str(CATALOGUE["wikitext-2"].place)
    assert public["text8"]["downloaded"] is None
    assert public["simple-wikipedia"]["checksum"] is None
    for wrong in (["corpora", "get"], ["corpora", "get", "nothing"], ["corpora", "list", "text8"]):
        assert main(wrong) == 2
