"""model2vec writes and reads, and so do safetensors and tokenizers, as the static table of
sentence-transformers does, which needs torch: ``python model2vec_peer.py TASK FOLDER``.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from exchange import give, run
from model2vec import StaticModel
from model2vec.quantization import quantize_embeddings
from safetensors.numpy import load_file, save_file
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import WhitespaceSplit

WORDS = ["[PAD]", "[UNK]", "the", "Zürich", "東京", "don't", "x-y", "1984", "naïve", "мир"]
TABLE = np.random.default_rng(4).normal(size=(len(WORDS), 6)).astype(np.float32)


def tokenizer() -> Tokenizer:
    found = Tokenizer(WordLevel({word: at for at, word in enumerate(WORDS)}, unk_token="[UNK]"))
    found.pre_tokenizer = WhitespaceSplit()
    found.add_special_tokens(["[PAD]", "[UNK]"])
    return found


def write(folder: Path) -> None:
    for kind in ("float32", "float16", "int8"):
        table = quantize_embeddings(TABLE, kind)
        StaticModel(table, tokenizer(), normalize=False).save_pretrained(str(folder / kind))
        give(folder, kind, WORDS, table.astype(np.float32))
    mapping = np.array([0, 1, 2, 2, 3, 3, 4, 4, 5, 5])
    weights = np.linspace(0.5, 1.5, len(WORDS)).astype(np.float32)
    model = StaticModel(
        TABLE[:6], tokenizer(), normalize=False, weights=weights, token_mapping=mapping
    )
    model.save_pretrained(str(folder / "mapped"))
    give(folder, "mapped", WORDS, TABLE[mapping] * weights[:, None])
    static = folder / "static" / "0_StaticEmbedding"
    static.mkdir(parents=True)
    save_file({"embedding.weight": TABLE}, static / "model.safetensors")
    tokenizer().save(str(static / "tokenizer.json"))
    kind = "sentence_transformers.models.StaticEmbedding"
    modules = [{"idx": 0, "name": "0", "path": "0_StaticEmbedding", "type": kind}]
    (folder / "static" / "modules.json").write_text(json.dumps(modules))
    give(folder, "static", WORDS, TABLE)


def read(folder: Path) -> None:
    """The vectors of the lines of ``texts.txt`` by ours.model2vec."""
    texts = (folder / "texts.txt").read_text(encoding="utf-8").splitlines()
    model = StaticModel.from_pretrained(str(folder / "ours.model2vec"))
    give(folder, "model2vec", texts, model.encode(texts))
    # A static table of sentence-transformers is the mean of the rows of its tokenizer’s numbers.
    known = Tokenizer.from_file(str(folder / "ours.model2vec" / "tokenizer.json"))
    table = load_file(folder / "ours.model2vec" / "model.safetensors")["embeddings"]
    means = [table[known.encode(text, add_special_tokens=False).ids].mean(axis=0) for text in texts]
    give(folder, "static", texts, means)


run({each.__name__: each for each in (write, read)})
