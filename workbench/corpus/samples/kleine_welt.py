"""Kleine Welt: Small World in German, smaller, from tables and templates of its own.

German inflects articles and nouns, so the tables contain places and things with their articles, in
the nominative and in the accusative, and the templates use people in the nominative only.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from workbench.core.folders import resources
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.corpus.samples import small_world

TITLE = "Kleine Welt"
# The relations of its questions: table and the two columns of each pair.
_RELATIONS = {
    "hauptstadt-land": ("countries", "capital", "country"),
    "familie": ("people", "male", "female"),
    "gram1-gegenteil": ("opposites", "plain", "opposite"),
    "gram2-komparativ": ("degrees", "positive", "comparative"),
    "gram3-superlativ": ("degrees", "positive", "superlative"),
    "gram4-land-sprache": ("countries", "country", "nationality"),
    "gram5-mehrzahl": ("nouns", "singular", "plural"),
    "gram6-dritte-person": ("verbs", "base", "third"),
    "gram7-vergangenheit": ("verbs", "third", "past"),
    "gram8-partizip": ("verbs", "base", "perfect"),
}


def folder() -> Path:
    """Folder of the tables, the templates and the question file."""
    return resources() / "kleine_welt"


def write(path: Path, run: JobControl | None = None) -> None:
    """Write the corpus to ``path``, one sentence per line, completely or not at all."""
    small_world.write_world(path, folder(), tr("Writing {title}", title=TITLE), run)


def digest() -> str:
    """A hash of everything that determines the text."""
    made_from = hashlib.blake2b(small_world.digest(folder()).encode(), digest_size=8)
    return made_from.hexdigest()


def relations() -> dict[str, list[tuple[str, str]]]:
    """The pairs of each relation."""
    return small_world.pairs_of(_RELATIONS, folder())


def questions() -> str:
    """The question file, as that of Small World."""
    return small_world.questions_of(relations(), {"familie": "mann könig frau königin"})
