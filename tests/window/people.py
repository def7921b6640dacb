"""A text with names among words of their gender and their role: it is small, and a model trained on
it solves analogies.
"""

from __future__ import annotations

import random
from pathlib import Path

KINDS = {
    "male": ["he", "his", "him", "sir", "beard"],
    "female": ["she", "her", "hers", "lady", "gown"],
}
ROLES = {
    "royal": ["throne", "crown", "palace", "reign", "sceptre"],
    "common": ["street", "work", "farm", "market", "tool"],
    "young": ["toy", "school", "play", "small", "cradle"],
}
NAMES = {
    ("male", "royal"): "king",
    ("female", "royal"): "queen",
    ("male", "common"): "man",
    ("female", "common"): "woman",
    ("male", "young"): "boy",
    ("female", "young"): "girl",
}
WORDS = {
    *NAMES.values(),
    *(word for table in (KINDS, ROLES) for words in table.values() for word in words),
}


def write_corpus(path: Path) -> None:
    """Write a text in which each name occurs among words of its kind and of its role, which is all
    that distinguishes names.
    """
    choose = random.Random(1)
    with path.open("w") as file:
        for _ in range(8000):
            kind, role = choose.choice(list(KINDS)), choose.choice(list(ROLES))
            words = [
                NAMES[kind, role],
                *choose.sample(KINDS[kind], 3),
                *choose.sample(ROLES[role], 3),
            ]
            choose.shuffle(words)
            print(*words, file=file)
