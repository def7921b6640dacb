"""Columns of the leaderboard, and the sentences below it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from workbench.analysis.evaluation.leaderboard import (
    ANALOGIES,
    EvaluationSet,
    LeaderboardEntry,
    ranks,
)
from workbench.core.language import tr, trn
from workbench.core.table_export import Cell
from workbench.models.base import MODELS
from workbench.session.runs.facts import parameters_of
from workbench.ui.base.text import count
from workbench.ui.panels.evaluate.score_texts import score_text, score_tip, share_text
from workbench.ui.widgets.tables.data_table import TableColumn
from workbench.ui.widgets.tables.runs_columns import heading, parameter_text

_CORPUS_SPARE, _ALGORITHM_SPARE, _SETTING_SPARE = 1, 2, 3


def leaderboard_columns(
    entries: Sequence[LeaderboardEntry],
    sets: Mapping[str, EvaluationSet],
    colours: Mapping[str, int],
    ranking: str,
) -> list[TableColumn]:
    """Rank by the set ``ranking``, run, score and coverage for each set, and the parameters in
    which runs differ.
    """
    is_analogies = sets[ranking].kind == ANALOGIES
    columns = [
        TableColumn(
            tr("Rank"),
            ranks(entries, ranking),
            tr(
                "Rank by the score on {title}. Runs that cover too little of the set have no rank.",
                title=sets[ranking].title,
            ),
            tips=[score_tip(entry.scores.get(ranking), is_analogies) for entry in entries],
            number=True,
        ),
        TableColumn(
            tr("Run"),
            [entry.name for entry in entries],
            dots=[colours.get(entry.identifier) for entry in entries],
        ),
    ]
    for key, one in sets.items():
        found = [entry.scores.get(key) for entry in entries]
        analogies = one.kind == ANALOGIES
        how = _asked_how(one) if analogies else tr("Spearman’s ρ with the human scores")
        places = ranks(entries, key)
        several = sum(place is not None for place in places) > 1
        columns.append(
            TableColumn(
                one.title,
                [getattr(score, "value", None) for score in found],
                tr(
                    "{how} of {name}, with the 95% interval in brackets. The best is bold.",
                    how=how,
                    name=one.path.name,
                ),
                texts=[score_text(score, analogies) for score in found],
                brief=[score_text(score, analogies, brief=True) for score in found],
                tips=[score_tip(score, analogies) for score in found],
                number=True,
                key=key,
                strong=[several and place == 1 for place in places],
                aside=[score is not None and not score.is_ranked for score in found],
            )
        )
        columns.append(
            TableColumn(
                tr("{title} known", title=one.title),
                [getattr(score, "covered", None) for score in found],
                tr(
                    "Share of the set whose words are in the run’s vocabulary. Scores on "
                    "less than 10% of the set, or on fewer than 30 items, are grey, "
                    "unranked and last."
                ),
                key=f"{key}.known",
                texts=[share_text(score) for score in found],
                tips=[score_tip(score, analogies) for score in found],
                number=True,
            )
        )
    titles, shorts = [], []
    for entry in entries:
        title = short = tr("from a file")
        if entry.algorithm in MODELS:
            title, short = MODELS[entry.algorithm].title, MODELS[entry.algorithm].short
        titles.append(title)
        shorts.append(short)
    # Scores and their intervals take precedence over settings.
    columns.append(
        TableColumn(tr("Algorithm"), titles, texts=shorts, tips=titles, spare=_ALGORITHM_SPARE)
    )
    corpora = [entry.corpus or None for entry in entries]
    if len(set(corpora)) > 1:
        columns.append(TableColumn(tr("Corpus"), corpora, spare=_CORPUS_SPARE))
    # Parameters that all runs share are only exported.
    for name in parameters_of(entries, ())[0]:
        values: list[Cell] = [entry.parameters.get(name) for entry in entries]
        tip = tr("{name}: varies", name=name)
        columns.append(
            TableColumn(
                heading(name, entries), values, tip, text=parameter_text, spare=_SETTING_SPARE
            )
        )
    return columns


def _asked_how(one: EvaluationSet) -> str:
    method = {"3cosadd": "3CosAdd", "3cosmul": "3CosMul"}.get(one.method, one.method)
    if one.restrict:
        return tr(
            "Share of analogies solved, {method}, top {number} words",
            method=method,
            number=count(one.restrict),
        )
    return tr("Share of analogies solved, {method}, all words", method=method)


def leaderboard_note(
    entries: Sequence[LeaderboardEntry],
    sets: Sequence[str],
    *,
    brief: bool = False,
    gone: Sequence[str] = (),
) -> str:
    """Sentences on the numbers beside the scores, on scores without a rank, and on columns without
    room.

    brief : whether the table shows the scores without these numbers; gone : names of the columns
    that don't fit
    """
    scores = [entry.scores[key] for entry in entries for key in sets if key in entry.scores]
    sentences = []
    shown = [] if brief else scores
    if any(score.runs > 1 and math.isfinite(score.deviation) for score in shown):
        sentences.append(tr("± is the sample standard deviation over the seeds, not an interval."))
    if any(score.runs == 1 and math.isfinite(score.low) for score in shown):
        sentences.append(
            tr(
                "In brackets: the 95% interval of one run over questions (Clopper–Pearson) or word "
                "pairs (bootstrap)."
            )
        )
    unranked = sum(not score.is_ranked for score in scores)
    if unranked:
        sentences.append(
            trn(
                "{number:,} grey score has no rank: the run knows less than 10% of the set, or "
                "fewer than 30 items.",
                "{number:,} grey scores have no rank: the runs know less than 10% of the set, or "
                "fewer than 30 items.",
                unranked,
            )
        )
    if gone:
        sentences.append(
            tr("Without room here, but in the exported table: {names}.", names=", ".join(gone))
        )
    return " ".join(sentences)
