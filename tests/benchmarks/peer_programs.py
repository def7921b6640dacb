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


def _options(values: dict[str, object]) -> list[str]:
    """Options of a program, each with its value."""
    return [text for name, value in values.items() for text in (name, str(value))]


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
        *_options(
            {
                "-train": task.lines,
                "-output": task.vectors,
                "-binary": 1,
                "-cbow": int(task.algorithm.startswith("cbow")),
                "-hs": int(hierarchical),
                "-negative": "0" if hierarchical else str(settings["negative"]),
                "-size": settings["dim"],
                "-window": settings["window"],
                "-sample": settings["sample"],
                "-alpha": settings["learning_rate"],
                "-min-count": 5,
                "-iter": task.epochs,
                "-threads": 2,
                "-debug": 0,
            }
        ),
    ]
    seconds, peak = _time_steps([(command, None, None)])
    return Outcome(seconds, peak)


def fasttext(task: Task) -> Outcome:
    settings = task.settings
    output = task.folder / "fasttext"
    command = [
        str(task.fasttext),
        "cbow" if task.algorithm.endswith("cbow") else "skipgram",
        *_options(
            {
                "-input": task.lines,
                "-output": output,
                "-dim": settings["dim"],
                "-ws": settings["window"],
                "-neg": settings["negative"],
                "-t": settings["sample"],
                "-lr": settings["learning_rate"],
                "-minn": settings["min_n"],
                "-maxn": settings["max_n"],
                "-bucket": settings["buckets"],
                "-minCount": 5,
                "-epoch": task.epochs,
                "-thread": 2,
                "-seed": task.seed,
                "-verbose": 0,
            }
        ),
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
                    *_options(
                        {
                            "-vocab-file": vocabulary,
                            "-window-size": settings["window"],
                            "-memory": 4,
                            "-verbose": 0,
                            "-overflow-file": folder / "overflow",
                        }
                    ),
                ],
                task.lines,
                cells,
            ),
            (
                [
                    str(programs / "shuffle"),
                    *_options(
                        {
                            "-memory": 4,
                            "-verbose": 0,
                            "-seed": task.seed,
                            "-temp-file": folder / "temporary",
                        }
                    ),
                ],
                cells,
                shuffled_cells,
            ),
        ]
    )
    command = [
        str(programs / "glove"),
        *_options(
            {
                "-input-file": shuffled_cells,
                "-vocab-file": vocabulary,
                "-save-file": output,
                "-vector-size": settings["dim"],
                "-x-max": settings["x_max"],
                "-alpha": settings["alpha"],
                "-eta": settings["learning_rate"],
                "-iter": task.epochs,
                "-threads": 2,
                "-binary": 0,
                "-verbose": 0,
                "-seed": task.seed,
            }
        ),
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
