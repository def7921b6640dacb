"""spaCy reads vectors and saves them: ``python spacy_peer.py TASK FOLDER``."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import spacy
from exchange import TABLE, WORDS, give, run


def converted(folder: Path, name: str) -> spacy.vocab.Vocab:
    command = [sys.executable, "-m", "spacy", "init", "vectors", "xx", name, "nlp"]
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return spacy.load(folder / "nlp").vocab


def read(folder: Path) -> None:
    vocabulary = converted(folder, "ours.vec")
    has = [vocabulary.has_vector(word) for word in WORDS]
    give(folder, "ours.vec", WORDS, [vocabulary.get_vector(word) for word in WORDS], has=has)


def write(folder: Path) -> None:
    vectors = spacy.vectors.Vectors(shape=TABLE.shape)
    nlp = spacy.blank("xx")
    nlp.vocab.vectors = vectors
    for word, vector in zip(WORDS, TABLE, strict=True):
        nlp.vocab.set_vector(word, vector)
    nlp.to_disk(folder / "pipeline")
    assert np.array_equal(nlp.vocab.get_vector(WORDS[0]), TABLE[0])


def differ(folder: Path) -> None:
    """What the guide says that spaCy does otherwise."""
    vocabulary = converted(folder, "repeated.vec")
    assert vocabulary.get_vector("a").tolist() == [3, 4]
    assert vocabulary.get_vector("A").tolist() == [0, 0]
    vocabulary = converted(folder, "shorter.vec")
    assert vocabulary.vectors.shape == (2, 2)
    assert vocabulary.has_vector("zero")


run({each.__name__: each for each in (read, write, differ)})
