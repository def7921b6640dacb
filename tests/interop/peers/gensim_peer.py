"""gensim writes and reads: ``python gensim_peer.py TASK FOLDER``."""

from __future__ import annotations

import os
from pathlib import Path

import gensim
import numpy as np
from exchange import TABLE, TEXT, UNSEEN, WORDS, give, run
from gensim.models import FastText, KeyedVectors, Word2Vec
from gensim.models.fasttext import (
    load_facebook_model,
    load_facebook_vectors,
    save_facebook_model,
)
from gensim.scripts.word2vec2tensor import word2vec2tensor

LINES = [line.split() for line in TEXT.splitlines()]
MODELS = {
    "default": {},
    "few buckets": {"bucket": 100},
    "single letters": {"min_n": 1, "max_n": 2},
    "no n-grams": {"max_n": 0},
    "hierarchical": {"hs": 1, "negative": 0},
    "cbow": {"sg": 0},
}


def write(folder: Path) -> None:
    vectors = KeyedVectors(TABLE.shape[1])
    vectors.add_vectors(WORDS, TABLE)
    vectors.save_word2vec_format(str(folder / "v.vec"))
    vectors.save_word2vec_format(str(folder / "v.bin"), binary=True)
    vectors.save_word2vec_format(str(folder / "v.glove"), write_header=False)
    give(folder, "v", WORDS, TABLE)
    word2vec2tensor(str(folder / "v.vec"), str(folder / "v"))
    vectors.save(str(folder / "v.kv"))
    spaced = KeyedVectors(TABLE.shape[1])
    spaced.add_vectors(["New York", "b"], TABLE[:2])
    spaced.save_word2vec_format(str(folder / "spaced.vec"))
    spaced.save_word2vec_format(str(folder / "spaced.bin"), binary=True)
    give(folder, "spaced", ["New York", "b"], TABLE[:2])
    half = np.clip(TABLE, -6e4, 6e4).astype(np.float16)
    vectors = KeyedVectors(TABLE.shape[1], dtype=np.float16)
    vectors.add_vectors(WORDS, half)
    vectors.save_word2vec_format(str(folder / "half.vec"))
    # Of its text, which has four digits.
    text = (folder / "half.vec").read_text(encoding="utf-8").splitlines()[1:]
    give(folder, "half", WORDS, [[float(each) for each in line.split(" ")[1:]] for line in text])
    Word2Vec(LINES, vector_size=8, min_count=1, epochs=1).save(str(folder / "m.model"))


def write_fasttext(folder: Path) -> None:
    for name, options in MODELS.items():
        model = FastText(
            LINES,
            **{"sg": 1, "vector_size": 8, "min_count": 2, "epochs": 2, "bucket": 2000, **options},
        )
        save_facebook_model(model, str(folder / f"{name}.bin"))
        keyed = model.wv
        keyed.save(str(folder / f"{name}.kv"))
        words = keyed.index_to_key
        unseen = [np.zeros(8)] * len(UNSEEN)
        if keyed.max_n:
            unseen = [keyed[word] for word in UNSEEN]
        counts = [keyed.get_vecattr(word, "count") for word in words]
        give(folder, name, words, keyed.vectors, counts=counts, unseen=unseen)


def recipe(folder: Path) -> None:
    """Run what the message about a file says."""
    os.chdir(folder)
    exec(Path("recipe.txt").read_text(encoding="utf-8"), {"gensim": gensim, "numpy": np})


def read(folder: Path) -> None:
    for name, options in (
        ("ours.vec", {}),
        ("ours.bin", {"binary": True}),
        ("ours.glove", {"no_header": True}),
    ):
        found = KeyedVectors.load_word2vec_format(str(folder / name), **options)
        give(folder, name, found.index_to_key, found.vectors)


def read_fasttext(folder: Path) -> None:
    path = str(folder / "ours.fasttext")
    for name, keyed in (
        ("vectors", load_facebook_vectors(path)),
        ("model", load_facebook_model(path).wv),
    ):
        words = keyed.index_to_key
        counts = [keyed.get_vecattr(word, "count") for word in words]
        unseen = [keyed[word] for word in UNSEEN]
        give(folder, name, words, keyed.vectors, counts=counts, unseen=unseen)


def differ(folder: Path) -> None:
    """What the guide says that gensim does otherwise."""
    keyed = KeyedVectors.load_word2vec_format(str(folder / "repeated.vec"))
    assert keyed.index_to_key == ["a", "b", None]
    assert keyed.vectors.tolist() == [[1, 2], [5, 6], [0, 0]]
    for name, binary in (("spaced.vec", False), ("latin.vec", False)):
        try:
            KeyedVectors.load_word2vec_format(str(folder / name), binary=binary)
        except ValueError:
            continue
        raise SystemExit(f"gensim reads {name}")
    assert KeyedVectors.load_word2vec_format(str(folder / "longer.vec")).index_to_key == ["a"]


run({each.__name__: each for each in (write, write_fasttext, recipe, read, read_fasttext, differ)})
