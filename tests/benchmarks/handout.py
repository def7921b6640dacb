"""The largest handout in a headless Chromium: bytes of the file, and time of a word’s neighbours.

    python tests/benchmarks/handout.py [--json FILE]

The model has 20,000 words and 100 dimensions, drawn at random, and its text two million words by
Zipf’s law, so that the page has contexts and the fit, too. Needs Chromium.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from results import keep, table

from workbench import read_corpus
from workbench.core.job_control import JobControl
from workbench.corpus.corpus import CorpusOptions
from workbench.session.export import ExportSource
from workbench.session.export.handout import MOST_WORDS, HandoutOptions, make_handout
from workbench.vectors.embeddings import Embeddings

sys.path.insert(0, str(Path(__file__).parents[1] / "helpers"))
from browser import Browser

_DIM = 100
_TOKENS = 2_000_000
_ASKED = 200
_NEIGHBOURS = 20
# Milliseconds of each word, for its list and for choosing it with everything that is then shown.
_TIMES = """
(() => {
  const time = (act) => {
    const start = performance.now();
    act();
    return performance.now() - start;
  };
  const words = [...Array(%d).keys()].map((at) => at * 97);
  return {
    list: words.map((word) => time(() => handout.vectors.nearest(word, %d))),
    card: words.map((word) => time(() => handout.tell("word", word))),
  };
})()
"""


def write_handout(folder: Path) -> Path:
    random = np.random.default_rng(1)
    words = [f"word{number}" for number in range(MOST_WORDS)]
    weights = 1 / np.arange(3, MOST_WORDS + 3)
    drawn = random.choice(MOST_WORDS, size=_TOKENS - MOST_WORDS, p=weights / weights.sum())
    ids = np.concatenate([np.arange(MOST_WORDS), drawn]).reshape(-1, 20)
    text = folder / "text.txt"
    text.write_text("\n".join(" ".join(words[at] for at in line) for line in ids.tolist()))
    corpus = read_corpus([text], CorpusOptions(tokeniser="whitespace"))
    centres = random.normal(size=(200, _DIM))
    inputs, contexts = (
        centres[random.integers(200, size=MOST_WORDS)] + random.normal(size=(MOST_WORDS, _DIM))
        for _ in range(2)
    )
    counts = np.bincount(ids.ravel())
    order = np.argsort(-counts, kind="stable")
    ordered = [words[at] for at in order.tolist()]
    vectors = Embeddings(
        ordered, inputs.astype(np.float32), counts[order], contexts.astype(np.float32)
    )
    options = HandoutOptions(MOST_WORDS, corpus, read=False)
    made = make_handout(ExportSource("largest", vectors), options, JobControl())
    path = folder / "largest.html"
    path.write_text(made.html, encoding="utf-8", newline="")
    print(*made.notes, sep="\n", file=sys.stderr)
    return path


def measured(folder: Path) -> dict[str, Any]:
    path = write_handout(folder)
    (folder / "browser").mkdir()
    with Browser(folder / "browser") as browser:
        page = browser.open(path)
        times = page.value(_TIMES % (_ASKED, _NEIGHBOURS))
        version = browser.send("Browser.getVersion")["product"]
        assert page.problems() == []
    return {"bytes": path.stat().st_size, "browser": version, **times}


def markdown(results: dict[str, Any]) -> str:
    rows = [["file, MB", f"{results['bytes'] / 1e6:.2f}", "", ""]]
    for key, name in (("list", "neighbours of a word, ms"), ("card", "word chosen and shown, ms")):
        times = results[key]
        figures = (times[0], statistics.median(times), max(times))
        rows.append([name, *(f"{figure:.1f}" for figure in figures)])
    return table(["20,000 words × 100 dimensions", "first", "median", "maximum"], rows)


def main() -> None:
    parser = argparse.ArgumentParser(description="The largest handout in a browser.")
    parser.add_argument("--json")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        results = keep(arguments.json, measured(Path(folder)))
    print(markdown(results))


if __name__ == "__main__":
    main()
