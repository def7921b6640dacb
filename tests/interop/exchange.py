"""Words and numbers that real packages and this program exchange, and how the scripts in ``peers``
hand them over. Needs only numpy, because those scripts run without this program.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np

# Spaces that aren't ASCII, marks and joiners, what looks like a number or a token, and words of
# several scripts.
WORDS = [
    *("the", "Zürich", "東京", "don't", "x-y", "1984", "naïve", "e\u0301", "\u00e9", "мир"),
    *("a\u00a0b", "a\u3000b", "a\u200bb", "nan", "inf", "1e5", "-0.5", "+", "0", "😀", "👩‍🔬"),
    *("</s>", "<unk>", "#tag", "a,b", '"', "\\x41", "C++", "straße", "ﬁ"),
]
# Sizes of numbers from 10⁻⁶ to 10⁶ in columns, then a subnormal, the largest numbers, both zeros, a
# row of zeros, and one of whole numbers.
TABLE = (np.random.default_rng(9).normal(size=(len(WORDS), 13)) * 10.0 ** np.arange(-6, 7)).astype(
    np.float32
)
TABLE[3, :4] = (1e-45, -3.4028235e38, -0.0, 1.1754942e-38)
TABLE[5] = 0
TABLE[6] = np.arange(13)
# Words that no model here has been trained on.
UNSEEN = [
    *("kingly", "zebra", "Zürcher", "東京人", "queens king", "<>", "q", "unkingliness", "😀😀"),
]
TEXT = (
    "the old king saw the young queen in Zürich\nthe queen saw the king and the old queen\n"
    "東京 is not a word of kings but of queens\n"
) * 30

Tasks = Mapping[str, Callable[[Path], None]]


def give(folder: Path, name: str, words: list[str], vectors: object, **more: object) -> None:
    """Save what a package says that a file contains."""
    arrays = {key: np.asarray(value) for key, value in more.items()}
    np.savez(
        folder / f"{name}.peer.npz",
        words=np.array(words),
        vectors=np.asarray(vectors, dtype=np.float32),
        **arrays,
    )


def run(tasks: Tasks) -> None:
    """Do the task that the command names, in its folder."""
    tasks[sys.argv[1]](Path(sys.argv[2]))
