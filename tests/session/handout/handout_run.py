"""A small trained run whose words are markup, for tests of its handout."""

from __future__ import annotations

from typing import Any

import numpy as np

from workbench import train
from workbench.core.job_control import JobControl, Trace
from workbench.corpus.corpus import Corpus
from workbench.session.export import ExportSource
from workbench.session.export.handout import HandoutOptions, make_handout

EVIL = (
    "<img/src=x/onerror=hacked=1>",
    "</script><script>hacked=2</script>",
    "<!--<script>",
    "&lt;b&gt;",
    "'\"><svg/onload=hacked=3>",
    "{{7*7}}",
)
WORDS = 60


def text() -> str:
    """Sentences of words of two kinds, which rarely meet, and the words that are markup."""
    random = np.random.default_rng(7)
    plain = [f"w{number:02}" for number in range(WORDS)]
    kinds = [plain[0::2] + list(EVIL[:4]), plain[1::2] + list(EVIL[4:])]
    lines = []
    for _ in range(2_500):
        words = kinds[int(random.integers(2))]
        weights = 1 / np.arange(3, len(words) + 3)
        chosen = random.choice(len(words), size=9, p=weights / weights.sum())
        lines.append(" ".join(words[at] for at in chosen))
    return "\n".join(lines)


def trained(corpus: Corpus, algorithm: str = "sgns", **parameters: object) -> ExportSource:
    settings = {"dim": 12, "epochs": 4, "threads": 1, "min_count": 1, "seed": 3} | parameters
    known: dict[str, Any] = {
        name: value
        for name, value in settings.items()
        if name in ("dim", "min_count", "threads", "seed") or algorithm == "sgns"
    }
    embeddings = train(corpus, algorithm, **known)
    trace = Trace(np.array([0.1, 0.5, 1.0]), np.array([4.0, 3.0, 2.5]), np.zeros(3), np.zeros(3))
    return ExportSource("</title><b>Run “1” & 2", embeddings, trace)


def page_of(subject: ExportSource, corpus: Corpus | None, words: int = 0) -> str:
    """The HTML of a handout of all words."""
    options = HandoutOptions(words or len(subject.embeddings), corpus, read=False)
    return make_handout(subject, options, JobControl()).html
