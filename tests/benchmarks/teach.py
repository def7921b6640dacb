"""How well words that were removed from a text are learned from a few of their lines.

    python tests/benchmarks/teach.py CORPUS [--algorithms sgns,svd] [--words N] [--lines 1,3,10]
        [--seeds N] [--tokens N] [--min-count N] [--set NAME=VALUE ...] [--json FILE]

For each seed, N words are chosen, and all lines that contain one of them are removed before a model
is trained. Each word is then taught by some of its own lines. The same word of a model that was
trained on the whole text is the reference: the share of its ten nearest words that come back, and
the cosine after the two spaces were aligned (orthogonal Procrustes on all other words). The last
row is the same comparison between two trainings on the whole text: no method can do better.
Baselines: the mean of the context words’ vectors, and à la carte (Khodak et al. 2018): that mean,
multiplied by the matrix that best maps it to the vectors of the known words.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from results import keep, table

from workbench.analysis.influence.removal import line_edges, without_lines
from workbench.analysis.neighbours.nearest import nearest
from workbench.analysis.projection.procrustes import Alignment, align
from workbench.analysis.rows.still_model import StillModel, hold_still
from workbench.analysis.teach.teaching import Teacher
from workbench.core.arrays import Doubles, Ints
from workbench.core.job_control import JobControl
from workbench.corpus.corpus import Corpus
from workbench.counts.count_tables import effective_table, plain_table
from workbench.models.base import MODELS
from workbench.session.corpus.reading import read_corpus
from workbench.session.training.train_api import train
from workbench.vectors.embeddings import Embeddings

_NEAREST = 10
_METHODS = ("taught", "à la carte", "mean of contexts")
Figures = dict[tuple[str, int], list[tuple[float, float]]]


def part_of(corpus: Corpus, tokens: int) -> Corpus:
    """The first lines of a corpus, with about this many tokens."""
    edges = line_edges(corpus)
    if not 0 < tokens < corpus.tokens:
        return corpus
    beyond = np.arange(int(np.searchsorted(edges, tokens)), len(edges) - 1)
    return without_lines(corpus, edges, beyond)


def in_lines(corpus: Corpus) -> Corpus:
    """The corpus with its lines as sentences: a text without line ends would be one."""
    import dataclasses

    return dataclasses.replace(corpus, sentences=line_edges(corpus), folder=None)


def lines_with(corpus: Corpus, edges: Ints, words: Sequence[str]) -> dict[str, Ints]:
    """The numbers of the lines that contain each word."""
    index = {word: row for row, word in enumerate(corpus.words)}
    found = {}
    for word in words:
        places = np.flatnonzero(np.asarray(corpus.ids) == index[word])
        found[word] = np.unique(np.searchsorted(edges, places, side="right") - 1)
    return found


def choose_words(corpus: Corpus, number: int, least: int, random: np.random.Generator) -> list[str]:
    """Words of which at least ``least`` occurrences are known, without the 100 most frequent."""
    last = int(np.searchsorted(-corpus.counts, -least, side="right"))
    rows = np.sort(random.choice(np.arange(100, last), min(number, last - 100), replace=False))
    return [corpus.words[row] for row in rows]


class AlaCarte:
    """Mean context vectors of known words, and the map to their vectors."""

    def __init__(self, still: StillModel, corpus: Corpus) -> None:
        counting = still.counting
        vocabulary = corpus.vocabulary(counting.min_count, counting.max_vocab)
        if counting.sample:
            counts = effective_table(corpus, vocabulary, counting)
        else:
            counts = plain_table(
                corpus, vocabulary, counting.window, counting.window_weighting, True
            )
        self._vectors = np.asarray(still.embeddings.vectors, dtype=np.float64)
        means = counts @ self._vectors / np.maximum(still.margins.rows, 1e-9)[:, None]
        frequent = np.asarray(still.counts) >= 30
        self._map = np.linalg.lstsq(means[frequent], self._vectors[frequent], rcond=None)[0]

    def mean(self, counts: Doubles) -> Doubles:
        return np.asarray(counts @ self._vectors / counts.sum())

    def vector(self, counts: Doubles) -> Doubles:
        return np.asarray(self.mean(counts) @ self._map)


class Reference:
    """A model of the whole text, seen from another model’s space and vocabulary."""

    def __init__(self, whole: Embeddings, base: Embeddings) -> None:
        self._whole, self._base = whole, base
        self._alignment: Alignment = align(
            whole, base, [word for word in base.words if word in whole.index]
        )
        known = set(base.words)
        self._strange = [word for word in whole.words if word not in known]

    def compare(self, word: str, vector: Doubles) -> tuple[float, float]:
        """Share of the nearest words that are found, and the cosine."""
        strange = [other for other in self._strange if other != word]
        expected = {one.word for one in nearest(self._whole, word, _NEAREST, strange)}
        leave_out = [word] if word in self._base.index else []
        found = {one.word for one in nearest(self._base, vector, _NEAREST, leave_out)}
        unit = np.asarray(self._whole.unit)[self._whole.row(word)].astype(np.float64)
        turned = unit @ self._alignment.rotation
        cosine = float(turned @ vector / np.linalg.norm(vector) / np.linalg.norm(turned))
        return len(expected & found) / _NEAREST, cosine


def study(
    corpus: Corpus, algorithm: str, seed: int, options: argparse.Namespace, params: dict[str, Any]
) -> Figures:
    random = np.random.default_rng(seed)
    sizes = [int(part) for part in options.lines.split(",")]
    edges = line_edges(corpus)
    words = choose_words(corpus, options.words, int(1.3 * max(sizes)), random)
    where = lines_with(corpus, edges, words)
    gone = np.unique(np.concatenate(list(where.values())))
    held_out = without_lines(corpus, edges, gone)
    trained = {
        (name, number): train(text, algorithm, seed=number, **params)
        for name, text, number in (
            ("base", held_out, seed),
            ("whole", corpus, seed + 100),
            ("whole", corpus, seed + 200),
        )
    }
    base, whole = trained["base", seed], trained["whole", seed + 100]
    still = hold_still(base, held_out)
    teacher, baseline, reference = Teacher(still), AlaCarte(still, held_out), Reference(whole, base)
    again = Reference(whole, trained["whole", seed + 200])
    figures: Figures = defaultdict(list)
    for word in words:
        other = np.asarray(trained["whole", seed + 200].vectors)
        row = trained["whole", seed + 200].row(word)
        figures["trained again", 0].append(again.compare(word, other[row].astype(np.float64)))
        for size in sizes:
            taken = random.choice(where[word], min(size, len(where[word])), replace=False)
            lines = [_text(corpus, edges, line) for line in taken.tolist()]
            taught = teacher.teach(word, lines, n=1)
            vectors = (
                taught.vector,
                baseline.vector(taught.counts),
                baseline.mean(taught.counts),
            )
            for method, vector in zip(_METHODS, vectors, strict=True):
                figures[method, size].append(reference.compare(word, vector))
    return figures


def _text(corpus: Corpus, edges: Ints, line: int) -> str:
    return " ".join(corpus.words[i] for i in corpus.ids[edges[line] : edges[line + 1]].tolist())


def rows_of(algorithm: str, seeds: Sequence[Figures]) -> list[dict[str, Any]]:
    """Mean over words, then over seeds with its standard deviation."""
    rows = []
    for method, size in seeds[0]:
        means = np.array([np.mean(figures[method, size], axis=0) for figures in seeds])
        deviations = means.std(axis=0, ddof=1) if len(seeds) > 1 else np.full(2, np.nan)
        rows.append(
            {
                "algorithm": algorithm,
                "method": method,
                "lines": size,
                "words": len(seeds[0][method, size]),
                "neighbours": float(means[:, 0].mean()),
                "neighbours_sd": float(deviations[0]),
                "cosine": float(means[:, 1].mean()),
                "cosine_sd": float(deviations[1]),
            }
        )
    return rows


def markdown(document: Mapping[str, Any]) -> str:
    head = ["algorithm", "method", "lines", "neighbours", "±", "cosine", "±"]
    rows = [
        [
            row["algorithm"],
            row["method"],
            row["lines"] or "all",
            f"{100 * row['neighbours']:.0f}%",
            f"{100 * row['neighbours_sd']:.0f}",
            f"{row['cosine']:.2f}",
            f"{row['cosine_sd']:.2f}",
        ]
        for row in document["rows"]
    ]
    return table(head, rows)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus")
    parser.add_argument("--algorithms", default="sgns,glove,svd")
    parser.add_argument("--words", type=int, default=50)
    parser.add_argument("--lines", default="1,3,10,30,100")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--tokens", type=int, default=0)
    parser.add_argument("--min-count", type=int, default=5)
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--json")
    options = parser.parse_args()
    corpus = in_lines(part_of(read_corpus([options.corpus], None, JobControl()), options.tokens))
    rows: list[dict[str, Any]] = []
    for algorithm in options.algorithms.split(","):
        taken = {spec.name for spec in MODELS[algorithm].params_type.specs()}
        given = dict(part.split("=", 1) for part in options.set)
        params = {name: value for name, value in given.items() if name in taken}
        params["min_count"] = options.min_count
        figures = [
            study(corpus, algorithm, seed, options, params) for seed in range(1, options.seeds + 1)
        ]
        rows += rows_of(algorithm, figures)
        document = keep(options.json, {"rows": rows, "settings": vars(options)})
        print(markdown(document), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
