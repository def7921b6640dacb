"""Facts about one word: in the text, in training, in the model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from workbench.analysis.neighbours.nearest import Neighbour, nearest
from workbench.analysis.word_tree import grow_tree
from workbench.core.errors import UnknownWord, UserError
from workbench.core.language import tr
from workbench.corpus.corpus import Corpus
from workbench.corpus.suggestions import unknown_words
from workbench.counts.sampling import keep_probabilities, noise_distribution
from workbench.models.base import architecture_of
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.subwords import SubwordPart, compose, subwords_of


@dataclass(frozen=True)
class TextFacts:
    """A word in the corpus: ``rank`` from 1 of ``types``, ``share`` of the ``tokens``."""

    count: int
    rank: int
    types: int
    tokens: int

    @property
    def share(self) -> float:
        return self.count / self.tokens


@dataclass(frozen=True)
class TrainingFacts:
    """Effects of a run's sampling on a word, by the run's own parameters.

    sample, formula : the threshold t and rule of subsampling; ``kept``: the share of its tokens
    that remain. None if the run does not subsample
    exponent, noise : α and the probability of being drawn as a negative sample; None without
    negative sampling
    """

    sample: float | None
    formula: str
    kept: float | None
    exponent: float | None
    noise: float | None


@dataclass(frozen=True)
class ModelFacts:
    """A word in a model: ``rank`` from 1 of ``size``; the length of its vector, and the share of
    words whose vector is shorter.
    """

    rank: int
    size: int
    norm: float
    shorter: float


@dataclass(frozen=True)
class Branch:
    """One decision on the way to a word in a Huffman tree.

    code : 0 or 1
    tokens : number of the corpus's tokens below the node
    share : their share on the branch taken
    other : the most frequent word on the other branch
    """

    code: int
    tokens: int
    share: float
    other: str


@dataclass(frozen=True)
class TreePath:
    """A word's path through the tree. ``bits``: −log₂ of the word's share, which the length of the
    path approximates.
    """

    code: str
    branches: tuple[Branch, ...]
    bits: float


@dataclass(frozen=True, eq=False)
class Inspection:
    """All facts about a word; None (or empty) without a corpus or model that contains it."""

    word: str
    text: TextFacts | None
    training: TrainingFacts | None
    model: ModelFacts | None
    neighbours: tuple[Neighbour, ...]
    ngrams: tuple[SubwordPart, ...]
    path: TreePath | None
    problem: str


def inspect_word(
    corpus: Corpus | None, embeddings: Embeddings | None, word: str, n: int = 10
) -> Inspection:
    """Facts about ``word`` in a corpus and a model, with ``n`` neighbours.

    Raises UnknownWord if neither contains the word, nor, for a model with n-grams, can compose it.
    """
    text = None if corpus is None else text_facts(corpus, word)
    row = _row(embeddings, word)
    problem = ""
    if embeddings is None or row is None:
        ngrams = _ngrams(embeddings, word)
        if text is None and not ngrams:
            known = corpus if embeddings is None else embeddings
            raise unknown_words([word], () if known is None else known.words)
        if embeddings is not None:
            problem = tr("“{word}” isn’t in the vocabulary of this model.", word=word)
        return Inspection(word, text, None, None, (), ngrams, None, problem)
    name = embeddings.words[row]
    norm = float(embeddings.norms[row])
    shorter = float(np.count_nonzero(embeddings.norms < norm)) / max(len(embeddings) - 1, 1)
    try:
        near = nearest(embeddings, name, n)
    except UserError as error:
        near, problem = (), error.message
    return Inspection(
        name,
        text,
        training_facts(embeddings, row),
        ModelFacts(row + 1, len(embeddings), norm, shorter),
        near,
        _ngrams(embeddings, name),
        tree_path(embeddings, row),
        problem,
    )


def text_facts(corpus: Corpus, word: str) -> TextFacts | None:
    """Facts about a word in the corpus; None for an unknown word."""
    try:
        row = corpus.words.index(word)
    except ValueError:
        return None
    return TextFacts(int(corpus.counts[row]), row + 1, corpus.types, corpus.tokens)


def training_facts(embeddings: Embeddings, row: int) -> TrainingFacts | None:
    """The kept share (M13b, section 2.3) and the noise probability (section 2.2) of a row; None
    if frequencies or parameters are unknown or the run has neither.
    """
    parameters = _parameters(embeddings)
    counts = embeddings.counts
    if counts is None:
        return None
    sample, exponent = _number(parameters.get("sample")), _number(parameters.get("ns_exponent"))
    formula = str(parameters.get("sample_formula", "word2vec"))
    kept = noise = None
    if sample is not None:
        kept = float(keep_probabilities(counts, sample, formula)[row])
    if exponent is not None:
        noise = float(noise_distribution(counts, exponent)[row])
    if kept is None and noise is None:
        return None
    return TrainingFacts(sample, formula, kept, exponent, noise)


def tree_path(embeddings: Embeddings, row: int) -> TreePath | None:
    """The path from the root to a word in the run's Huffman tree; None for a run without a
    tree.
    """
    architecture = architecture_of(embeddings.metadata.get("algorithm"))
    if architecture is None or architecture.output != "hs" or embeddings.counts is None:
        return None
    grown = grow_tree(embeddings)
    nodes, codes = grown.tree.path(row)
    below = [*grown.tokens[nodes[1:]].tolist(), int(embeddings.counts[row])]
    branches = []
    for node, code, taken in zip(nodes.tolist(), codes.tolist(), below, strict=True):
        tokens, other = int(grown.tokens[node]), int(grown.children[node, 1 - code])
        beside = -1 - other if other < 0 else int(grown.first[other])
        branches.append(Branch(code, tokens, taken / tokens, embeddings.words[beside]))
    total = float(embeddings.counts.sum())
    return TreePath(
        "".join(map(str, codes.tolist())),
        tuple(branches),
        -float(np.log2(embeddings.counts[row] / total)),
    )


def _row(embeddings: Embeddings | None, word: str) -> int | None:
    try:
        if embeddings is not None:
            return embeddings.row(word)
        return None
    except UnknownWord:
        return None


def _ngrams(embeddings: Embeddings | None, word: str) -> tuple[SubwordPart, ...]:
    if embeddings is None or subwords_of(embeddings) is None:
        return ()
    return compose(embeddings, word).parts


def _parameters(embeddings: Embeddings) -> Mapping[str, Any]:
    found = embeddings.metadata.get("parameters")
    if isinstance(found, Mapping):
        return found
    return {}


def _number(value: object) -> float | None:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return float(value)
    return None
