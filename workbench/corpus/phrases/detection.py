"""Phrases: pairs of words that co-occur more often than by chance, joined into one word.

M13b section 4: a pair is scored by the frequencies of the pair and its words, and joined if the
score exceeds a threshold; several passes make longer phrases. Pairs are joined greedily from the
left, as in word2phrase: a token that was joined to the one before it is not joined to the one after
it in the same pass. No pair crosses the end of a sentence.

Each pass counts the result of the previous one: words, pairs, and the number of tokens N. The
spelling identifies a word: a joined pair that spells a word of the corpus is that word.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from workbench.core.arrays import Doubles, Ints
from workbench.core.job_control import JobControl, Phase
from workbench.core.language import tr
from workbench.corpus.cache import load, scratch_folder, settle
from workbench.corpus.corpus import Corpus, CorpusOptions, SourceFile
from workbench.corpus.phrases.bigram_counts import count_pairs
from workbench.corpus.phrases.phrase_merge import (
    IdText,
    PhrasePairs,
    first_places,
    join,
    joined_text,
)

# Key of the phrases in the metadata of a joined corpus.
PHRASES = "phrases"


@dataclass(frozen=True, eq=False)
class PhraseTable:
    """The pairs whose score exceeded the threshold, best first.

    words : n strings, the joined words; left, right : n strings, their parts
    counts : int64[n], number of occurrences of the pair, the basis of its score
    joined : int64[n], number of times it was joined; lower if pairs overlap
    scores : float64[n]
    passes : int64[n], from 1
    """

    words: Sequence[str]
    left: Sequence[str]
    right: Sequence[str]
    counts: Ints
    joined: Ints
    scores: Doubles
    passes: Ints

    def __len__(self) -> int:
        return len(self.words)


def phrases_of(corpus: Corpus) -> PhraseTable | None:
    """The phrases that were joined in a corpus, or None without phrase detection."""
    found = corpus.metadata.get(PHRASES)
    if not isinstance(found, Mapping):
        return None
    left, right = found["left"], found["right"]
    delimiter = corpus.options.phrase_delimiter
    return PhraseTable(
        words=[a + delimiter + b for a, b in zip(left, right, strict=True)],
        left=left,
        right=right,
        counts=np.array(found["counts"], dtype=np.int64),
        joined=np.array(found["joined"], dtype=np.int64),
        scores=np.array(found["scores"], dtype=np.float64),
        passes=np.array(found["passes"], dtype=np.int64),
    )


# -- scores


def _word2phrase(pairs: Ints, left: Ints, right: Ints, tokens: int, discount: int) -> Doubles:
    # Rounded only once: the products are exact up to 2⁵³.
    return (pairs - discount) * float(tokens) / (left * right.astype(np.float64))


def _npmi(pairs: Ints, left: Ints, right: Ints, tokens: int, discount: int) -> Doubles:
    information = np.log(pairs * float(tokens) / (left * right.astype(np.float64)))
    return information / -np.log(pairs / tokens)


_SCORES: Mapping[str, Callable[[Ints, Ints, Ints, int, int], Doubles]] = {
    "word2phrase": _word2phrase,
    "npmi": _npmi,
}


def scores(score: str, pairs: Ints, left: Ints, right: Ints, tokens: int, discount: int) -> Doubles:
    """The scores of pairs: float64[n].

    score : "word2phrase", (n(ab) − δ)·N / (n(a)·n(b)), M13b equation 6 times N as in word2phrase.c;
    or "npmi", log(p(ab) / (p(a)·p(b))) / −log p(ab) with p = n/N (Bouma 2009), without a
    discount
    pairs, left, right : int64[n], n(ab), n(a) and n(b)
    tokens, discount : N and δ
    """
    return _SCORES[score](pairs, left, right, tokens, discount)


# -- joining


def join_phrases(corpus: Corpus, options: CorpusOptions, run: JobControl | None = None) -> Corpus:
    """The corpus with its phrases joined, as a separate corpus in the cache, complete or absent.

    Only the phrase settings of ``options`` are used. The metadata contains the phrases
    (``phrases_of``). If there are none, the corpus itself is returned with an empty list of
    phrases. Raises UserError if the cache cannot be written, and Cancelled.
    """
    run = run or JobControl()
    with scratch_folder() as scratch:
        joined = _join_passes(corpus, options, scratch, run)
    joined_corpus = load(joined.digest, run, check=False) if joined.digest else corpus
    metadata = {**corpus.metadata, PHRASES: joined.phrases}
    return replace(
        joined_corpus, name=corpus.name, options=options, files=joined.files, metadata=metadata
    )


@dataclass(frozen=True)
class _Joined:
    """The phrases of all passes as JSON, the files, and the digest of the joined corpus; "" if
    nothing was joined.
    """

    phrases: dict[str, list[Any]]
    files: tuple[SourceFile, ...]
    digest: str


def _join_passes(corpus: Corpus, options: CorpusOptions, scratch: Path, run: JobControl) -> _Joined:
    text = IdText(corpus.ids, corpus.sentences, list(corpus.words), corpus.counts)
    table: list[dict[str, Any]] = []
    thresholds = options.thresholds()
    folder = None
    for number, threshold in enumerate(thresholds, start=1):
        run.enter(
            Phase.READING,
            tr(
                "Detecting phrases, pass {number} of {passes}",
                number=number,
                passes=len(thresholds),
            ),
        )
        pairs = _find(text, options, threshold, run)
        if len(pairs.keys):
            folder = scratch / str(number)
            folder.mkdir()
            joined = join(text, pairs, folder, run, partial(_advance, run, 1, len(text.ids)))
            table += _rows(text, pairs, joined, number, options.phrase_delimiter)
            text = joined_text(text, pairs, joined, folder)
        elif options.phrase_fall == 1.0:
            break
    files = _files(corpus, text.sentences)
    digest = ""
    if folder is not None:
        run.advance(None, tr("Ranking words by frequency"))
        meta = {
            "name": corpus.name,
            "options": options.to_dict(),
            "files": [asdict(file) for file in files],
            "metadata": dict(corpus.metadata),
        }
        # Words of equal frequency are in order of appearance.
        order = np.lexsort((first_places(text, run), -text.counts))
        order = order[: np.count_nonzero(text.counts)]
        words, counts = text.words, text.counts
        # Release the mapped files before they are moved.
        del text
        digest = settle(folder, order, words, counts, meta, run)
    return _Joined(_columns(table), files, digest)


def _find(text: IdText, options: CorpusOptions, threshold: float, run: JobControl) -> PhrasePairs:
    """The pairs of a text to join."""
    tokens, types, least = len(text.ids), len(text.words), options.phrase_min_count
    # A pair never occurs more often than its words.
    keys, counts = count_pairs(
        text.ids, text.sentences, text.counts >= least, run, partial(_advance, run, 0, tokens)
    )
    often = counts >= least
    keys, counts = keys[often], counts[often]
    left, right = keys // types, keys % types
    scored = scores(
        options.phrase_score, counts, text.counts[left], text.counts[right], tokens, least
    )
    good = scored > threshold
    left, right = left[good].tolist(), right[good].tolist()
    spelled = [
        text.words[a] + options.phrase_delimiter + text.words[b]
        for a, b in zip(left, right, strict=True)
    ]
    numbers = _numbers(text.words, spelled)
    return PhrasePairs(keys[good], counts[good], scored[good], numbers)


def _numbers(words: list[str], spelled: list[str]) -> Ints:
    """The numbers of words by spelling; new words are appended to ``words``."""
    wanted = set(spelled)
    known = {word: number for number, word in enumerate(words) if word in wanted}
    numbers = np.empty(len(spelled), dtype=np.int64)
    for place, word in enumerate(spelled):
        number = known.get(word)
        if number is None:
            number = known[word] = len(words)
            words.append(word)
        numbers[place] = number
    return numbers


def _files(corpus: Corpus, sentences: Ints) -> tuple[SourceFile, ...]:
    """The files with their remaining numbers of tokens. A file ends with a sentence, and the number
    of sentences stays the same.
    """
    if any(file.tokens < 0 for file in corpus.files):
        return corpus.files
    ends = np.cumsum([0, *(file.tokens for file in corpus.files)])
    left = np.diff(sentences[np.searchsorted(corpus.sentences, ends)])
    return tuple(
        replace(file, tokens=int(tokens)) for file, tokens in zip(corpus.files, left, strict=True)
    )


# -- messages


def _advance(run: JobControl, half: int, tokens: int, done: int) -> None:
    """Report progress of a pass, which reads the text twice: to count, and to join."""
    rate = (half * tokens + done) / max(run.phase_seconds(), 1e-9) / 2
    run.advance((half + done / max(tokens, 1)) / 2, rate=rate, unit=tr("tokens"))


def _rows(
    text: IdText, pairs: PhrasePairs, joined: Ints, number: int, delimiter: str
) -> list[dict[str, Any]]:
    types = len(text.counts)
    columns = zip(
        (pairs.keys // types).tolist(),
        (pairs.keys % types).tolist(),
        pairs.counts.tolist(),
        joined.tolist(),
        pairs.scores.tolist(),
        strict=True,
    )
    return [
        {
            "left": text.words[a],
            "right": text.words[b],
            "counts": n,
            "joined": j,
            "scores": s,
            "passes": number,
        }
        for a, b, n, j, s in columns
    ]


def _columns(rows: list[dict[str, Any]]) -> dict[str, list[Any]]:
    """The table as JSON, best first; equal scores by frequency."""
    rows = sorted(rows, key=lambda row: (-row["scores"], -row["counts"]))
    return {
        name: [row[name] for row in rows]
        for name in ("left", "right", "counts", "joined", "scores", "passes")
    }
