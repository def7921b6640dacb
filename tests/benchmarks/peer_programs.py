"""Other programs, run with the settings of a row of ``peers.py``."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

# The interpreter that has the packages of the scripts.
PYTHON = sys.executable


@dataclass(frozen=True)
class Task:
    """One training. corpus and lines are the same text, with lines of at most 1,000 tokens."""

    corpus: str
    lines: Path
    folder: Path
    seed: int
    epochs: int
    algorithm: str
    settings: dict[str, Any]
    vectors: Path
    fasttext: str | None
    glove: str | None
    word2vec: str | None = None


@dataclass(frozen=True)
class Outcome:
    """seconds : of training; peak_bytes : peak memory; vectors : their file, if not the usual;
    counting : seconds of counting and shuffling before
    """

    seconds: float
    peak_bytes: int
    vectors: Path | None = None
    counting: float = 0.0


def gensim(task: Task) -> Outcome:
    return _script("gensim_peer.py", task)


def scikit_learn(task: Task) -> Outcome:
    return _script("scikit_peer.py", task)


def _script(name: str, task: Task) -> Outcome:
    """Run a script in this folder: settings as JSON in, seconds and peak memory as JSON out."""
    settings = {
        "corpus": task.corpus,
        "lines": str(task.lines),
        "seed": task.seed,
        "epochs": task.epochs,
        "algorithm": task.algorithm,
        "vectors": str(task.vectors),
        **task.settings,
    }
    command = [PYTHON, str(Path(__file__).with_name(name)), json.dumps(settings)]
    result = json.loads(
        subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()[-1]
    )
    return Outcome(result["seconds"], result["peak_bytes"])


def word2vec(task: Task) -> Outcome:
    """Run word2vec.c, which takes no seed: every run starts alike, but its threads race."""
    settings = task.settings
    hierarchical = task.algorithm.endswith("-hs")
    command = [
        str(task.word2vec),
        "-train",
        str(task.lines),
        "-output",
        str(task.vectors),
        "-binary",
        "1",
        "-cbow",
        str(int(task.algorithm.startswith("cbow"))),
        "-hs",
        str(int(hierarchical)),
        "-negative",
        "0" if hierarchical else str(settings["negative"]),
        "-size",
        str(settings["dim"]),
        "-window",
        str(settings["window"]),
        "-sample",
        str(settings["sample"]),
        "-alpha",
        str(settings["learning_rate"]),
        "-min-count",
        "5",
        "-iter",
        str(task.epochs),
        "-threads",
        "2",
        "-debug",
        "0",
    ]
    seconds, peak = _time_steps([(command, None, None)])
    return Outcome(seconds, peak)


def fasttext(task: Task) -> Outcome:
    settings = task.settings
    output = task.folder / "fasttext"
    command = [
        str(task.fasttext),
        "cbow" if task.algorithm.endswith("cbow") else "skipgram",
        "-input",
        str(task.lines),
        "-output",
        str(output),
        "-dim",
        str(settings["dim"]),
        "-ws",
        str(settings["window"]),
        "-neg",
        str(settings["negative"]),
        "-t",
        str(settings["sample"]),
        "-lr",
        str(settings["learning_rate"]),
        "-minn",
        str(settings["min_n"]),
        "-maxn",
        str(settings["max_n"]),
        "-bucket",
        str(settings["buckets"]),
        "-minCount",
        "5",
        "-epoch",
        str(task.epochs),
        "-thread",
        "2",
        "-seed",
        str(task.seed),
        "-verbose",
        "0",
    ]
    seconds, peak = _time_steps([(command, None, None)])
    return Outcome(seconds, peak, output.with_suffix(".vec"))


def glove(task: Task) -> Outcome:
    """Run vocab_count, cooccur, shuffle and glove in turn; the time of the second and third is that
    of counting, which doesn't count where only training counts for the workbench.
    """
    settings, folder = task.settings, task.folder
    programs = Path(str(task.glove))
    vocabulary, cells, shuffled_cells = (
        folder / "vocab.txt",
        folder / "cells.bin",
        folder / "shuffled.bin",
    )
    output = folder / "glove"
    words = [str(programs / "vocab_count"), "-min-count", "5", "-verbose", "0"]
    _time_steps([(words, task.lines, vocabulary)])
    counting, _ = _time_steps(
        [
            (
                [
                    str(programs / "cooccur"),
                    "-vocab-file",
                    str(vocabulary),
                    "-window-size",
                    str(settings["window"]),
                    "-memory",
                    "4",
                    "-verbose",
                    "0",
                    "-overflow-file",
                    str(folder / "overflow"),
                ],
                task.lines,
                cells,
            ),
            (
                [
                    str(programs / "shuffle"),
                    "-memory",
                    "4",
                    "-verbose",
                    "0",
                    "-seed",
                    str(task.seed),
                    "-temp-file",
                    str(folder / "temporary"),
                ],
                cells,
                shuffled_cells,
            ),
        ]
    )
    command = [
        str(programs / "glove"),
        "-input-file",
        str(shuffled_cells),
        "-vocab-file",
        str(vocabulary),
        "-save-file",
        str(output),
        "-vector-size",
        str(settings["dim"]),
        "-x-max",
        str(settings["x_max"]),
        "-alpha",
        str(settings["alpha"]),
        "-eta",
        str(settings["learning_rate"]),
        "-iter",
        str(task.epochs),
        "-threads",
        "2",
        "-binary",
        "0",
        "-verbose",
        "0",
        "-seed",
        str(task.seed),
    ]
    seconds, peak = _time_steps([(command, None, None)])
    return Outcome(seconds, peak, output.with_suffix(".txt"), counting)


def _time_steps(steps: list[tuple[list[str], Path | None, Path | None]]) -> tuple[float, int]:
    """Run commands with their input and output files; returns the total seconds and the peak memory
    in bytes.
    """
    start = time.perf_counter()
    for command, source, target in steps:
        with (
            open(source or "/dev/null", "rb") as stdin,
            open(target or "/dev/null", "wb") as stdout,
        ):
            subprocess.run(
                command, check=True, stdin=stdin, stdout=stdout, stderr=subprocess.DEVNULL
            )
    # The maximum over all children so far, which is right for a program that needs more than
    # earlier ones.
    return time.perf_counter() - start, resource.getrusage(
        resource.RUSAGE_CHILDREN
    ).ru_maxrss * 1024
