"""Compare maps of the same vectors, side by side: ours, umap-learn with and without cached kernels,
openTSNE and PaCMAP.

    python tests/benchmarks/umap_peer.py VECTORS [--words 2000 20000 200000] [--seeds 5]
        [--peers FOLDER] [--layouts NAME …] [--json FILE]

Each layout runs in a process of its own, which measures its time after its imports, its time with
them, and its peak memory. openTSNE and PaCMAP are installed in FOLDER, a virtual environment that
is created if it is missing; without it, they are left out. Quality is measured on up to 2,000
random words: trustworthiness and continuity with 15 neighbours, and the share of the nearest words
in the space, by cosine, that are also the nearest on the map.

Below the table are the goals, each with its figure and whether it is met: our layout against that
of umap-learn with cached kernels, its time and memory, its quality within the range of
umap-learn's seeds or above it, and whether one processor gives the same bytes as all of them.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

PACKAGES = ("openTSNE==1.0.4", "pacmap==0.9.1")
NEAREST = (5, 15, 50)
# The defaults of umap-learn, for all layouts.
LEARNED: dict[str, Any] = {"n_neighbors": 15, "min_dist": 0.1}
_SAMPLE = 2000
_ROOT = Path(__file__).resolve().parents[2]


def _ours(unit: np.ndarray, seed: int) -> Callable[[], np.ndarray]:
    from workbench.analysis.projection.umap import UmapParams, umap
    from workbench.core.jit import load_numba

    load_numba()
    return lambda: umap(unit, UmapParams(limit=len(unit), seed=seed, **LEARNED))


def _umap_learn(unit: np.ndarray, seed: int) -> Callable[[], np.ndarray]:
    import umap

    model = umap.UMAP(metric="cosine", random_state=seed, n_jobs=1)
    return lambda: model.fit_transform(unit)


def _cached(unit: np.ndarray, seed: int) -> Callable[[], np.ndarray]:
    from workbench.core.jit import load_umap_learn

    model = load_umap_learn().UMAP(metric="cosine", random_state=seed, n_jobs=1)
    return lambda: model.fit_transform(unit)


def _in_helper(unit: np.ndarray, seed: int) -> Callable[[], np.ndarray]:
    from workbench.analysis.projection import umap_learn_task as task
    from workbench.analysis.projection.principal_axes import pca
    from workbench.analysis.projection.umap import UmapParams, stretched
    from workbench.analysis.projection.umap_learn import _settings
    from workbench.core.jit import load_umap_learn
    from workbench.core.job_control import JobControl

    load_umap_learn()
    settings = _settings(UmapParams(seed=seed, **LEARNED), len(unit))

    def lay_out() -> np.ndarray:
        start = stretched(pca(unit))
        near = task._neighbours(unit, settings["n_neighbors"], "cosine", JobControl())
        return np.asarray(task._model(settings, near, start, {}).fit_transform(start))

    return lay_out


def _opentsne(unit: np.ndarray, seed: int) -> Callable[[], np.ndarray]:
    from openTSNE import TSNE

    model = TSNE(metric="cosine", random_state=seed, n_jobs=os.cpu_count() or 1)
    return lambda: np.asarray(model.fit(unit))


def _pacmap(unit: np.ndarray, seed: int) -> Callable[[], np.ndarray]:
    import pacmap

    # Unit vectors have the same order by Euclidean distance as by cosine.
    model = pacmap.PaCMAP(random_state=seed)
    return lambda: np.asarray(model.fit_transform(unit))


# By name: the layout, and whether it needs the environment of the peers.
LAYOUTS: dict[str, tuple[Callable[[np.ndarray, int], Callable[[], np.ndarray]], bool]] = {
    "ours": (_ours, False),
    "umap-learn, kernels not cached": (_umap_learn, False),
    "umap-learn, kernels cached": (_cached, False),
    "umap-learn, cached, exact neighbours": (_in_helper, False),
    "openTSNE": (_opentsne, True),
    "PaCMAP": (_pacmap, True),
}


def lay_out(name: str, source: str, target: str, seed: int) -> None:
    """In the process of one layout: print its figures as JSON."""
    if "ONE_PROCESSOR" in os.environ:
        os.sched_setaffinity(0, [min(os.sched_getaffinity(0))])
    began = time.perf_counter()
    unit = np.load(source)
    work = LAYOUTS[name][0](unit, seed)
    ready = time.perf_counter()
    positions = work()
    done = time.perf_counter()
    np.save(target, np.asarray(positions, dtype=np.float32))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    if sys.platform != "darwin":
        peak *= 1024
    figures = {"seconds": done - ready, "with_imports": done - began, "peak_bytes": peak}
    print(json.dumps(figures))


def measure_quality(unit: np.ndarray, positions: np.ndarray) -> dict[str, float]:
    from workbench.analysis.projection.quality import quality

    found = quality(unit, positions, limit=_SAMPLE)
    figures = {"trustworthiness": found.trustworthiness, "continuity": found.continuity}
    rows = np.random.default_rng(0).permutation(len(unit))[:_SAMPLE]
    shared = dict.fromkeys(NEAREST, 0.0)
    for row in rows.tolist():
        space = -(unit @ unit[row])
        plane = ((positions - positions[row]) ** 2).sum(axis=1)
        space[row] = plane[row] = np.inf
        for k in NEAREST:
            near = np.argpartition(space, k)[:k]
            shared[k] += len(np.intersect1d(near, np.argpartition(plane, k)[:k])) / k / len(rows)
    return figures | {f"shared_{k}": share for k, share in shared.items()}


def run_layout(
    name: str, python: str, unit: np.ndarray, seed: int, folder: Path, alone: bool = False
) -> dict[str, Any]:
    """The figures of one layout; ``alone``: on one processor."""
    source, target = folder / "unit.npy", folder / "positions.npy"
    np.save(source, unit)
    environment = {**os.environ, "PYTHONPATH": str(_ROOT)}
    if alone:
        environment |= {"ONE_PROCESSOR": "1", "OPENBLAS_NUM_THREADS": "1"}
    words = [python, __file__, "--layout", name, str(source), str(target), str(seed)]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{name} failed:\n{done.stderr}")
    figures: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    figures["digest"] = hashlib.sha256(target.read_bytes()).hexdigest()
    if alone:
        return figures
    return figures | measure_quality(unit, np.load(target))


def peers_python(folder: Path) -> str:
    """The interpreter of the peers' environment, which is created if it is missing."""
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    if not python.exists():
        venv.create(folder, with_pip=True)
        words = [str(python), "-m", "pip", "install", "--quiet", *PACKAGES]
        subprocess.run(words, check=True)
    return str(python)


def _spread(values: list[float], form: str) -> str:
    low, high = f"{min(values):{form}}", f"{max(values):{form}}"
    return low if low == high else f"{low}–{high}"


def markdown(results: dict[str, Any]) -> str:
    from results import table

    rows = []
    for one in results["layouts"]:
        turns = one["turns"]
        times = [_spread([turn[key] for turn in turns], ".1f") for key in _TIMES]
        quality = [_spread([turn[key] for turn in turns], ".3f") for key in _QUALITY]
        peak = max(turn["peak_bytes"] for turn in turns) / 1e6
        rows.append((f"{one['words']:,}", one["name"], *times, f"{peak:,.0f} MB", *quality))
    heads = ("words", "layout", "seconds", "with imports", "memory", "trustworthiness")
    whole = table((*heads, "continuity", *(f"shared at {k}" for k in NEAREST)), rows)
    met = table(("words", "goal", "figure", "met"), goals(results))
    return f"{whole}\n\n{met}"


def goals(results: dict[str, Any]) -> list[tuple[str, str, str, str]]:
    """The number of words, the goal, its figure and whether it is met, for each size at which both
    layouts were measured.
    """
    found = []
    turns = {(one["words"], one["name"]): one["turns"] for one in results["layouts"]}
    for words in dict.fromkeys(one["words"] for one in results["layouts"]):
        ours, theirs = turns.get((words, _OURS)), turns.get((words, _THEIRS))
        if ours is None or theirs is None:
            continue
        of = f"{words:,}"
        ratio = _median(theirs, "seconds") / _median(ours, "seconds")
        found.append((of, "4 times as fast as umap-learn", f"{ratio:.1f} times", ratio >= 4))
        memory = max(one["peak_bytes"] for one in ours) / max(one["peak_bytes"] for one in theirs)
        if words >= _LARGE:
            found.append((of, "half of its memory", f"{memory:.0%}", memory <= 0.5))
        for key in _QUALITY:
            mean = statistics.fmean(one[key] for one in ours)
            worst, best = (pick(one[key] for one in theirs) for pick in (min, max))
            figure = f"{mean:.3f} (umap-learn {worst:.3f}–{best:.3f})"
            name = key.replace("_", " at ")
            found.append((of, f"{name} within its seeds’ range, or above", figure, mean >= worst))
        for one in results["layouts"]:
            alone = one.get("one_processor")
            if one["words"] == words and one["name"] == _OURS and alone:
                same = alone == ours[0]["digest"]
                found.append((of, "the same bytes on one processor", "equal" * same, same))
    return [(of, goal, figure, "yes" if met else "no") for of, goal, figure, met in found]


def _median(turns: list[dict[str, Any]], key: str) -> float:
    return statistics.median(turn[key] for turn in turns)


_OURS, _THEIRS = "ours", "umap-learn, kernels cached"
# From this number of words on, memory is a goal: below, libraries take most of it.
_LARGE = 100_000
_TIMES = ("seconds", "with_imports")
_QUALITY = ("trustworthiness", "continuity", *(f"shared_{k}" for k in NEAREST))


def main() -> None:
    if sys.argv[1:2] == ["--layout"]:
        lay_out(sys.argv[2], sys.argv[3], sys.argv[4], int(sys.argv[5]))
        return
    parser = argparse.ArgumentParser(description="Maps of the same vectors by several programs.")
    parser.add_argument("vectors")
    parser.add_argument("--words", type=int, nargs="+", default=[2000, 20_000, 200_000])
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--peers", type=Path)
    parser.add_argument("--layouts", nargs="+", choices=LAYOUTS, default=list(LAYOUTS))
    parser.add_argument("--json")
    options = parser.parse_args()
    from results import keep, machine

    from workbench.vectors.formats import load_vectors

    embeddings = load_vectors(options.vectors)
    layouts: list[dict[str, Any]] = []
    results: dict[str, Any] = {"layouts": layouts}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ.setdefault("WORKBENCH_HOME", str(folder / "home"))
        for count in options.words:
            unit = np.asarray(embeddings.unit[embeddings.rows_with_vector(count)], np.float32)
            for layout, (_, is_peer) in LAYOUTS.items():
                if layout not in options.layouts or (is_peer and options.peers is None):
                    continue
                python = peers_python(options.peers) if is_peer else sys.executable
                if not is_peer and "not cached" not in layout:
                    # Compiles the kernels that the measured processes find.
                    run_layout(layout, python, unit[:100], 0, folder)
                turns = [
                    run_layout(layout, python, unit, seed, folder) for seed in range(options.seeds)
                ]
                layouts.append({"words": len(unit), "name": layout, "turns": turns})
                if layout == _OURS and hasattr(os, "sched_setaffinity"):
                    alone = run_layout(layout, python, unit, 0, folder, alone=True)
                    layouts[-1]["one_processor"] = alone["digest"]
                results = keep(options.json, results)
    print(f"{machine()}\n\n{markdown(results)}")


if __name__ == "__main__":
    main()
