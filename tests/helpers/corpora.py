"""Corpora built by hand, for tests that need no file."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from workbench.corpus.corpus import Corpus, SourceFile


def make_corpus(sentences: Iterable[Sequence[str]], name: str = "by hand") -> Corpus:
    """A corpus of these sentences (lists of words), in memory; ids are ranks, as in a corpus that
    is read.
    """
    token_lists = [list(sentence) for sentence in sentences]
    # Counter keeps the order of appearance and most_common is stable, so ties keep that order.
    ranking = Counter(word for sentence in token_lists for word in sentence).most_common()
    rank = {word: row for row, (word, _) in enumerate(ranking)}
    ids = np.array([rank[word] for sentence in token_lists for word in sentence], dtype=np.int32)
    offsets = np.concatenate([[0], np.cumsum([len(sentence) for sentence in token_lists])]).astype(
        np.int64
    )
    words = [word for word, _ in ranking]
    digest = hashlib.blake2b(
        ids.tobytes() + offsets.tobytes() + "\n".join(words).encode(), digest_size=16
    )
    return Corpus(
        name=name,
        ids=ids,
        sentences=offsets,
        words=words,
        counts=np.array([count for _, count in ranking], dtype=np.int64),
        digest=digest.hexdigest(),
    )


def markov_corpus(tokens: int, words: int = 40, sentence: int = 50, seed: int = 1) -> Corpus:
    """Sentences of a Markov chain over ``words`` words, whose pairs differ in association.

    The words fall into five groups that the chain rarely leaves, and each word has favourites
    within its own group, so that PMI spreads to both sides of 0 even over a window of several
    words.
    """
    random = np.random.default_rng(seed)
    group = np.arange(words) % 5
    follow = np.empty((words, words))
    for word in range(words):
        own = group == group[word]
        follow[word] = 0.15 * random.dirichlet(np.full(words, 0.5))
        follow[word, own] += 0.85 * random.dirichlet(np.full(int(own.sum()), 0.5))
    cumulative = np.cumsum(follow, axis=1)
    draws = random.random(tokens)
    chain = np.empty(tokens, dtype=np.int64)
    state = 0
    for place in range(tokens):
        state = min(int(np.searchsorted(cumulative[state], draws[place])), words - 1)
        chain[place] = state
    names = [f"w{number:02d}" for number in range(words)]
    sequence = [names[state] for state in chain]
    return make_corpus(
        (sequence[i : i + sentence] for i in range(0, tokens, sentence)), name="Markov chain"
    )


def planted_corpus(
    groups: int = 8, documents: int = 8, sentences: int = 20, turn: int = 4, seed: int = 0
) -> Corpus:
    """Files of several groups (years from 1800 on) in which the word “mover” occurs among the words
    a0 to a14 before group number ``turn``, and among b0 to b14 from then on; “still” always occurs
    among c0 to c14.
    """
    random = np.random.default_rng(seed)
    companies = [[f"{letter}{number}" for number in range(15)] for letter in "abcdef"]
    others = [f"z{number}" for number in range(40)]
    lines: list[list[str]] = []
    files = []
    for group in range(groups):
        for document in range(documents):
            before = sum(map(len, lines))
            for _ in range(sentences):
                company = int(random.integers(0, len(companies)))
                words = [*random.choice(companies[company], 6), *random.choice(others, 4)]
                line = [str(words[place]) for place in random.permutation(len(words))]
                if random.random() < 0.5:
                    place = int(random.integers(0, len(line)))
                    if company == (0 if group < turn else 1):
                        line[place] = "mover"
                    if company == 2:
                        line[place] = "still"
                lines.append(line)
            path = f"/texts/{'ab'[document % 2]}/doc_{1800 + group}_{document}.txt"
            files.append(SourceFile(path, 1, "UTF-8", sum(map(len, lines)) - before))
    return replace(make_corpus(lines, "planted"), files=tuple(files))
