"""Regions of a real text: their number, size and purity on the map, how alike the contexts of their
words are, and whether they survive trainings with other seeds.

    python tests/benchmarks/regions.py CORPUS … [--words 5000] [--seeds 2] [--min-count 20]
                                       [--json FILE]

Each text is trained with SGNS's preset of the form, once for the map and once for each further
seed. The map has the window's settings. Texts that don't exist are passed over with a message. The
goals of a text with enough tokens are at least 8 coarse and 20 middle regions, none with more than
a fifth of the words, and for the middle level a purity of .85 and a lift of 1.7.
"""

from __future__ import annotations

import argparse
import statistics
import time
from pathlib import Path
from typing import Any

import numpy as np
from results import keep, machine, table

from workbench.analysis.projection.communities import nested_communities
from workbench.analysis.projection.context_lift import (
    context_lift,
    mean_cosine,
    supported_levels,
)
from workbench.analysis.projection.quality import quality
from workbench.analysis.projection.region_names import count_contexts, name_regions, short_name
from workbench.analysis.projection.region_survival import region_survival
from workbench.analysis.projection.regions import Regions, purity, regions_of, words_around
from workbench.analysis.projection.umap import UmapParams, umap
from workbench.core.job_control import JobControl
from workbench.corpus.corpus import Corpus
from workbench.corpus.loader import open_corpus
from workbench.models.predict.sgns import SGNS, SGNSParams
from workbench.vectors.embeddings import Embeddings

_LEVELS = ("coarse", "middle", "fine")
_NEIGHBOURS, _MINIMUM = 30, 0.25
# Least numbers of coarse and middle regions, largest share of the words in one, and least purity
# and lift of the middle level.
_MANY, _LARGEST, _PURE, _LIFT = (8, 20), 0.2, 0.85, 1.7


def measure(corpus: Corpus, words: int, seeds: int, min_count: int) -> dict[str, Any]:
    """Figures of one text: of its map, and of each level."""
    run = JobControl()
    models = [_train(corpus, seed, min_count) for seed in range(1, seeds + 2)]
    embeddings = models[0]
    size = min(words, len(embeddings))
    unit = embeddings.unit[:size]
    counts = np.asarray(embeddings.counts[:size], dtype=np.float64)
    began = time.perf_counter()
    communities = nested_communities(unit, run)
    found_s = time.perf_counter() - began
    positions = umap(unit, UmapParams(n_neighbors=_NEIGHBOURS, min_dist=_MINIMUM, limit=size), run)
    contexts = count_contexts(corpus, embeddings, size, run)
    around = words_around(positions)
    judged = quality(unit, positions, run=run)
    levels = []
    for name, regions in zip(_LEVELS, regions_of(communities, positions), strict=False):
        survival = region_survival(
            embeddings.words[:size], regions.labels, regions.number, models[1:]
        )
        named = name_regions(unit, regions, contexts, counts=counts)
        levels.append(
            {
                "level": name,
                "regions": regions.number,
                "largest": float(regions.sizes.max() / size),
                "purity": purity(regions.labels, around),
                "lift": context_lift(contexts, regions.labels),
                "agreement": _agreement(regions, embeddings, models[1:], name),
                "survive": float((survival.survived / max(survival.seeds, 1)).mean()),
                "stay": float(np.nanmean(survival.mean_shares)) if seeds else float("nan"),
                "names": [
                    short_name([embeddings.words[row] for row in region.words]) for region in named
                ],
            }
        )
    return {
        "tokens": corpus.tokens,
        "words": size,
        "median_count": float(np.median(counts)),
        "mean_cosine": mean_cosine(unit),
        "supported": supported_levels(communities, contexts, counts),
        "found_s": found_s,
        "trustworthiness": judged.trustworthiness,
        "continuity": judged.continuity,
        "levels": levels,
    }


def _train(corpus: Corpus, seed: int, min_count: int) -> Embeddings:
    return SGNS(SGNSParams(min_count=min_count, seed=seed)).fit(corpus, JobControl())


def _agreement(
    regions: Regions, embeddings: Embeddings, models: list[Embeddings], level: str
) -> float:
    """Mean Jaccard index of each region and the most similar community of another seed."""
    words = embeddings.words[: len(regions.labels)]
    found = []
    for other in models:
        labels = nested_communities(other.unit[: len(words)])[_LEVELS.index(level)]
        group = {word: int(label) for word, label in zip(other.words, labels, strict=False)}
        theirs = np.array([group.get(word, -1) for word in words])
        for region in range(regions.number):
            mine = regions.labels == region
            near = np.unique(theirs[mine & (theirs >= 0)])
            shared = [
                (mine & (theirs == one)).sum() / (mine | (theirs == one)).sum() for one in near
            ]
            found.append(max(shared, default=0.0))
    return statistics.fmean(found) if found else float("nan")


def lacks(text: dict[str, Any]) -> list[str]:
    """The goals that a text misses."""
    coarse, middle = text["levels"][:2] if len(text["levels"]) > 1 else (None, None)
    if coarse is None or middle is None:
        return ["two levels"]
    goals = {
        f"{_MANY[0]} coarse regions": coarse["regions"] >= _MANY[0],
        f"{_MANY[1]} middle regions": middle["regions"] >= _MANY[1],
        "at most a fifth of the words in a region": coarse["largest"] <= _LARGEST,
        f"purity {_PURE}": middle["purity"] >= _PURE,
        f"lift {_LIFT}": middle["lift"] >= _LIFT,
    }
    return [goal for goal, met in goals.items() if not met]


def markdown(results: dict[str, Any]) -> str:
    rows = []
    for name, text in results["texts"].items():
        for level in text["levels"]:
            rows.append(
                (
                    f"{name}, {text['words']:,} words",
                    level["level"],
                    str(level["regions"]),
                    f"{level['largest']:.0%}",
                    f"{level['purity']:.2f}",
                    f"{level['lift']:.2f}",
                    f"{level['agreement']:.2f}",
                    f"{level['survive']:.0%}",
                    f"{level['stay']:.0%}",
                )
            )
    heads = ("text", "level", "regions", "largest", "purity", "lift", "Jaccard", "survive", "stay")
    return table(heads, rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("corpora", nargs="+", metavar="CORPUS")
    parser.add_argument("--words", type=int, default=5000)
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--min-count", type=int, default=20)
    parser.add_argument("--json")
    options = parser.parse_args()
    texts: dict[str, Any] = {}
    for path in map(Path, options.corpora):
        if not path.exists():
            print(f"{path} doesn’t exist, so it isn’t measured.")
            continue
        corpus = open_corpus([path], unwrap=True)
        found = measure(corpus, options.words, options.seeds, options.min_count)
        texts[path.name] = found
        print(f"\n{path.name}: {found['tokens']:,} tokens, {found['supported']} levels.")
        print(
            f"Communities {found['found_s']:.1f} s; trustworthiness "
            f"{found['trustworthiness']:.3f}, continuity {found['continuity']:.3f}; median count "
            f"{found['median_count']:.0f}, mean cosine {found['mean_cosine']:.2f}."
        )
        for level in found["levels"][:2]:
            print(f"{level['level']}: {' · '.join(level['names'])}")
        missed = lacks(found)
        print(f"Missed: {', '.join(missed)}." if missed else "All goals are met.")
    if not texts:
        return
    results = keep(options.json, {"texts": texts})
    print(f"\n{machine()}\n\n{markdown(results)}")


if __name__ == "__main__":
    main()
