"""Scores of runs on evaluation sets, cached in one file per run."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from workbench.analysis.evaluation.leaderboard import EvaluationSet, Score
from workbench.core.atomic import replacing
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.paths import cache_folder
from workbench.core.table_export import Cell
from workbench.session.runs.facts import ScoreColumn, best_known, score_column

# Scores by run and name of the column, and the columns that have scores.
KnownScores = tuple[dict[str, dict[str, Cell]], list[ScoreColumn]]


class ScoreStore:
    """Scores by run and by key of the set. Damaged files count as empty; scores that couldn’t be
    written are kept for this session.

    Methods may be called from one thread at a time.
    """

    def __init__(self) -> None:
        self._folder = cache_folder("scores")
        self._known: dict[str, dict[str, Score]] = {}

    def of(self, identifier: str) -> Mapping[str, Score]:
        """Scores of a run, by key of the set."""
        if identifier not in self._known:
            self._known[identifier] = self._read(identifier)
        return self._known[identifier]

    def put(self, identifier: str, key: str, score: Score) -> None:
        """Save one score, and keep scores that another window may have written meanwhile."""
        scores = {**self._read(identifier), **self.of(identifier), key: score}
        self._known[identifier] = scores
        try:
            with replacing(self._folder / f"{identifier}.json") as part:
                values = {name: one.to_json() for name, one in scores.items()}
                part.write_text(json.dumps(values, indent=1), encoding="utf-8")
        except UserError:
            return

    def _read(self, identifier: str) -> dict[str, Score]:
        try:
            values = json.loads((self._folder / f"{identifier}.json").read_text(encoding="utf-8"))
            return {str(key): Score.from_json(value) for key, value in values.items()}
        except (OSError, ValueError, RecursionError, AttributeError):
            return {}


def known_scores(
    identifiers: Sequence[str], sets: Sequence[EvaluationSet], run: JobControl
) -> KnownScores:
    """Scores of these runs on these sets, as cells of a table; sets that couldn’t be read are left
    out.
    """
    found: dict[str, ScoreColumn] = {}
    for one in sets:
        run.check()
        try:
            key = one.key()
        except UserError:
            continue
        found[key] = score_column(key, one.title)
    kept = ScoreStore()
    scores: dict[str, dict[str, Cell]] = {}
    for identifier in identifiers:
        run.check()
        known = best_known(kept.of(identifier), found)
        if known:
            scores[identifier] = known
    used = {name for known in scores.values() for name in known}
    return scores, list({one.key: one for one in found.values() if one.key in used}.values())
