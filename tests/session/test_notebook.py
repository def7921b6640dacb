"""The notebook of a run: its format, its cells when they are run, and names that are markup."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest

from workbench.core.job_control import JobControl, Trace
from workbench.corpus.corpus import Corpus
from workbench.corpus.loader import open_corpus
from workbench.session.export import SHARES, ExportSource, share
from workbench.session.training.train_api import train

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")
pytest.importorskip("matplotlib")


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    path = tmp_path_factory.mktemp("text") / "animals.txt"
    path.write_text("the cat sat on the mat\nthe dog sat on the log\n" * 200, encoding="utf-8")
    return open_corpus([path])


@pytest.fixture(scope="module")
def source(corpus: Corpus) -> ExportSource:
    vectors = train(corpus, "svd", dim=4, min_count=1)
    return ExportSource("a <b>run</b> of *cats*\n# and dogs", vectors, words=("cat", "dog"))


def test_the_notebook_is_valid_and_has_no_markup_of_names(source: ExportSource) -> None:
    text = SHARES["notebook"].make(source, JobControl())["repeat.ipynb"]
    book = nbformat.reads(text, as_version=4)
    nbformat.validate(book)
    title = "".join(book.cells[0].source)
    assert "\\<b\\>run" in title
    assert "\\*cats\\*" in title
    assert len(title.split("\n\n")[0].splitlines()) == 1
    assert json.loads(text)["nbformat_minor"] == 5
    assert len({cell.id for cell in book.cells}) == len(book.cells)


def test_the_axis_of_the_loss_names_the_loss_of_the_algorithm(corpus: Corpus) -> None:
    vectors = train(corpus, "glove", dim=4, epochs=2, min_count=1)
    trace = Trace(np.array([0.5, 1.0]), np.array([2.0, 1.0]), np.zeros(2), np.zeros(2))
    text = SHARES["notebook"].make(ExportSource("one", vectors, trace=trace), JobControl())
    code = "".join(json.loads(text["repeat.ipynb"])["cells"][3]["source"])
    assert "squared error" in code
    assert "nats" not in code


def test_the_cells_repeat_the_run(
    source: ExportSource, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (path,) = share(source, tmp_path / "shared", ["notebook"])
    book = nbformat.read(path, as_version=4)
    monkeypatch.setenv("MPLBACKEND", "module://matplotlib_inline.backend_inline")
    # The kernel of this Python, whatever is installed for the user.
    kernels = tmp_path / "kernels" / "kernels" / "python3"
    kernels.mkdir(parents=True)
    command = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    (kernels / "kernel.json").write_text(
        json.dumps({"argv": command, "display_name": "Python 3", "language": "python"})
    )
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path / "kernels"))
    # Both would otherwise write into the home.
    monkeypatch.setenv("MPLCONFIGDIR", str(tmp_path / "matplotlib"))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    nbclient.NotebookClient(
        book, timeout=300, resources={"metadata": {"path": str(tmp_path)}}
    ).execute()
    printed = [
        output.text
        for cell in book.cells
        if cell.cell_type == "code"
        for output in cell.outputs
        if output.output_type == "stream" and output.name == "stdout"
    ]
    assert "The vectors are those of the run." in "".join(printed)
    assert "cat · " in "".join(printed)
    pictures = [
        output
        for cell in book.cells
        if cell.cell_type == "code"
        for output in cell.outputs
        if "image/png" in output.get("data", {})
    ]
    assert pictures
