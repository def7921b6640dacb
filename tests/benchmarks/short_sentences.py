"""Make a text of short sentences from longer texts: ``python tests/benchmarks/short_sentences.py
TEXT [TEXT ...] --output FILE [--tokens 4300000]``.

Takes passages of 2,000 tokens, the same number from each text if it has enough, in a random order
that is always the same, and cuts each into sentences of 10 tokens on average, one per line.
Subsampling leaves about seven tokens of a sentence, so that hardly any window of 5 is complete.
Tokens are separated by spaces.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

_PASSAGE = 2000
# Shape and scale of a gamma distribution: 10 tokens on average, standard deviation 5.
_SHAPE, _SCALE = 4.0, 2.5


def passages(texts: list[Path], tokens: int, random: np.random.Generator) -> list[list[str]]:
    """Passages with about ``tokens`` tokens in total, in random order."""
    cut = []
    for path in texts:
        words = path.read_text(encoding="utf-8").split()
        cut.append([words[start : start + _PASSAGE] for start in range(0, len(words), _PASSAGE)])
    sample: list[list[str]] = []
    # The shortest text first, so that longer ones can make up for its missing passages.
    for texts_left, parts in zip(range(len(cut), 0, -1), sorted(cut, key=len), strict=True):
        share = (-(-tokens // _PASSAGE) - len(sample)) // texts_left
        sample += [parts[number] for number in random.permutation(len(parts))[:share]]
    return [sample[number] for number in random.permutation(len(sample))]


def write(texts: list[Path], output: Path, tokens: int) -> None:
    random = np.random.default_rng(1)
    with output.open("w", encoding="utf-8") as file:
        for words in passages(texts, tokens, random):
            begin = 0
            while begin < len(words):
                end = begin + max(3, round(random.gamma(_SHAPE, _SCALE)))
                file.write(" ".join(words[begin:end]) + "\n")
                begin = end


def main() -> None:
    parser = argparse.ArgumentParser(description="A text of short sentences from longer texts.")
    parser.add_argument("texts", nargs="+", type=Path)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--tokens", type=int, default=4_300_000)
    options = parser.parse_args()
    write(options.texts, options.output, options.tokens)


if __name__ == "__main__":
    main()
