"""Phrases by lists of words, dictionaries and fractions, reading a text in the order of
word2phrase.c.
"""

import itertools
import math
from collections import Counter
from fractions import Fraction


def score(kind, pair, left, right, tokens, discount):
    if kind == "word2phrase":
        return Fraction((pair - discount) * tokens, left * right)
    joint = pair / tokens
    return math.log(joint / ((left / tokens) * (right / tokens))) / -math.log(joint)


def find(sentences, kind, threshold, min_count):
    """{(a, b): (count, score)} for the pairs above the threshold."""
    words = Counter(word for sentence in sentences for word in sentence)
    pairs = Counter(pair for sentence in sentences for pair in itertools.pairwise(sentence))
    tokens = sum(words.values())
    phrases = {}
    for (a, b), count in pairs.items():
        if count < min_count:
            continue
        value = score(kind, count, words[a], words[b], tokens, min_count)
        if value > threshold:
            phrases[a, b] = (count, float(value))
    return phrases


def join(sentences, pairs, delimiter="_"):
    """The sentences with pairs joined from the left, and how often each pair was joined."""
    joins: Counter[tuple[str, str]] = Counter()
    result = []
    for sentence in sentences:
        out = []
        place = 0
        while place < len(sentence):
            pair = tuple(sentence[place : place + 2])
            if pair in pairs:
                out.append(delimiter.join(pair))
                joins[pair] += 1
                place += 2
            else:
                out.append(sentence[place])
                place += 1
        result.append(out)
    return result, joins


def passes(sentences, kind, thresholds, min_count, delimiter="_"):
    """The sentences after all passes, and [(a, b, count, joined, score, pass)]."""
    rows = []
    for number, threshold in enumerate(thresholds, start=1):
        phrases = find(sentences, kind, threshold, min_count)
        sentences, joins = join(sentences, phrases, delimiter)
        rows += [
            (a, b, count, joins[a, b], value, number) for (a, b), (count, value) in phrases.items()
        ]
    return sentences, rows
