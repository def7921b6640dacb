"""``--counts``: a folder of counts or a file of pairs instead of a text, for the commands that
train.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from workbench.cli.parsing import LateText, given_params
from workbench.core.errors import UserError
from workbench.corpus.corpus import CorpusOptions
from workbench.counts.counts_corpus import CountedCorpus
from workbench.counts.pair_files import open_counts_or_pairs
from workbench.models.base import MODELS, Model
from workbench.session.corpus.counts_params import check_kind


def add_counts(parser: argparse.ArgumentParser) -> None:
    """Add the option to a parser."""
    parser.add_argument(
        "--counts",
        type=Path,
        metavar="PLACE",
        help=LateText(
            lambda: (
                "train from these counts instead of a corpus: a folder, which may be larger than "
                f"memory ({', '.join(kind.key for kind in MODELS if kind.from_counts)}), or a file "
                "of pairs (word, context, count; .tsv, .csv, .mtx, GloVe’s .bin), whose contexts "
                "may have a vocabulary of their own "
                f"({', '.join(kind.key for kind in MODELS if kind.own_contexts)})"
            )
        ),
    )


def counts_asked(known: argparse.Namespace, kind: type[Model]) -> CountedCorpus | None:
    """The counts to train from, None if a text is named. Raises UserError, also for options that
    only apply to a text.
    """
    counted = text_or_counts(known)
    if counted is not None:
        check_kind(counted, kind)
    return counted


def text_or_counts(known: argparse.Namespace) -> CountedCorpus | None:
    """The counts that are named in place of a text, None if a text is named. Raises UserError if
    both are named, or neither.
    """
    if known.counts is None:
        if not known.corpus:
            raise UserError(
                "No corpus given.",
                "Give files, folders or a bundled corpus, or counts with --counts.",
            )
        return None
    conflicting = [CorpusOptions.spec(name).option for name in given_params(known, CorpusOptions)]
    if known.corpus:
        conflicting = [known.corpus[0]]
    if conflicting:
        raise UserError(
            f"{', '.join(conflicting)} can’t be used with --counts, which needs no text.",
            "Leave one of them out.",
        )
    return open_counts_or_pairs(known.counts)
