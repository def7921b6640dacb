"""fastText’s own package writes and reads: ``python fasttext_peer.py TASK FOLDER``."""

from __future__ import annotations

from pathlib import Path

import fasttext
from exchange import TEXT, UNSEEN, give, run

MODELS = {
    "skip-gram": {"minn": 3, "maxn": 6},
    "cbow": {"model": "cbow", "minn": 2, "maxn": 4},
    "single letters": {"minn": 1, "maxn": 3},
    "no n-grams": {"maxn": 0},
    "all shorter": {"minn": 0, "maxn": 2},
    "hierarchical": {"loss": "hs", "minn": 3, "maxn": 6},
}


def say(folder: Path, name: str, model: object) -> None:
    words, counts = model.get_words(include_freq=True)
    give(
        folder,
        name,
        words,
        [model.get_word_vector(word) for word in words],
        counts=counts,
        unseen=[model.get_word_vector(word) for word in UNSEEN],
    )


def write(folder: Path) -> None:
    text = folder / "text.txt"
    text.write_text(TEXT, encoding="utf-8")
    options = {"dim": 8, "minCount": 2, "epoch": 2, "bucket": 2000, "thread": 1, "verbose": 0}
    for name, own in MODELS.items():
        model = fasttext.train_unsupervised(str(text), **options, **own)
        model.save_model(str(folder / f"{name}.bin"))
        say(folder, name, model)
    labelled = folder / "labelled.txt"
    labelled.write_text(
        "".join(f"__label__{number % 2} {line}\n" for number, line in enumerate(TEXT.splitlines())),
        encoding="utf-8",
    )
    known = folder / "known.vec"
    known.write_text("2 8\nking 1 2 3 4 5 6 7 8\nemperor 8 7 6 5 4 3 2 1\n", encoding="utf-8")
    for name, own in (
        ("labels in the text", None),
        ("supervised", {}),
        ("word n-grams", {"wordNgrams": 2}),
        ("pretrained vectors", {"pretrainedVectors": str(known)}),
        ("supervised with both", {"wordNgrams": 2, "minn": 2, "maxn": 4}),
    ):
        if own is None:
            model = fasttext.train_unsupervised(str(labelled), **options, minn=3, maxn=6)
        else:
            model = fasttext.train_supervised(str(labelled), **options, **own)
        model.save_model(str(folder / f"{name}.bin"))
        say(folder, name, model)
    model.quantize()
    model.save_model(str(folder / "quantised.ftz"))
    model.save_model(str(folder / "quantised.bin"))


def read(folder: Path) -> None:
    say(folder, "ours", fasttext.load_model(str(folder / "ours.fasttext")))


run({each.__name__: each for each in (write, read)})
