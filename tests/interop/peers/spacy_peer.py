"""spaCy reads vectors and saves them: ``python spacy_peer.py TASK FOLDER``."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import spacy
from exchange import TABLE, WORDS, give, run


def read(folder: Path) -> None:
    command = [sys.executable, "-m", "spacy", "init", "vectors", "xx", "ours.vec", "nlp"]
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    vocabulary = spacy.load(folder / "nlp").vocab
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


run({each.__name__: each for each in (read, write)})
