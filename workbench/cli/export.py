"""``workbench counts`` and ``convert``: writing what other programs read."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from workbench.cli import output
from workbench.cli.parsing import Errors, Parser, add_params, given
from workbench.core.atomic import replacing
from workbench.core.errors import UserError
from workbench.core.params import param
from workbench.core.run import Phase, Run
from workbench.corpus.corpus import CorpusOptions
from workbench.counts.cooccurrence import cooccurrence
from workbench.models.base import ModelParams
from workbench.session.training import describe_corpus, read_corpus
from workbench.vectors.formats import load_vectors, save_vectors
from workbench.vectors.results import RESULTS, Choice, choice_of, made


@dataclass(frozen=True)
class CountParams(ModelParams):
    """How co-occurrences are counted."""

    window: int = param(
        5, "Words on each side that count as context.", symbol="L", low=1, high=1000, source="word2vec.c -window 5"
    )
    window_weighting: str = param(
        "dynamic",
        "What a context at distance δ counts: (L − δ + 1)/L, 1, 1/δ, or L − δ + 1.",
        choices=("dynamic", "fixed", "harmonic", "linear"),
        source="word2vec.c",
    )
    threads: int = param(0, "Threads; 0 takes the usable cores, at most 8.", low=0, high=256)


def counts_(parser: Parser, arguments: Sequence[str]) -> int:
    parser.add_argument("corpus", nargs="+", metavar="CORPUS", help="files, archives, folders, or a bundled corpus")
    parser.add_argument("--output", type=Path, required=True, metavar="counts.npz")
    add_params(parser, CorpusOptions, "corpus")
    add_params(parser, CountParams, "counting")
    args = parser.parse_all(arguments)
    errors = Errors()
    options = errors.made(CorpusOptions, given(args, CorpusOptions))
    params = errors.made(CountParams, given(args, CountParams))
    errors.tell()
    if args.output.suffix.lower() != ".npz":
        raise UserError(f"Counts are written as .npz, not as “{args.output.name}”.", "End the name in .npz.")
    output.prove_outputs([args.output], args.corpus)
    cells, size = output.working(lambda run: _count(args.corpus, options, params, args.output, run))
    print(f"{args.output}: {size:,} words, {cells:,} cells.")
    return 0


def _count(paths: Sequence[str], options: CorpusOptions, params: CountParams, path: Path, run: Run) -> tuple[int, int]:
    run.enter(Phase.READING)
    corpus = read_corpus(paths, options, run)
    vocabulary = corpus.vocabulary(params.min_count, params.max_vocab)
    matrix = cooccurrence(corpus, vocabulary, params.window, params.window_weighting, threads=params.threads, run=run)
    run.enter(Phase.SAVING)
    metadata = {"parameters": params.to_dict(), "corpus": describe_corpus(corpus)}
    with replacing(path) as part, part.open("wb") as file:
        # The names that scipy.sparse.load_npz looks for, and beside them what the rows mean.
        np.savez(
            file,
            data=matrix.data,
            indices=matrix.indices,
            indptr=matrix.indptr,
            shape=np.array(matrix.shape),
            format=np.array(b"csr"),
            words=np.array(list(vocabulary.words), dtype=np.str_),
            counts=vocabulary.counts,
            metadata=np.array(json.dumps(metadata, ensure_ascii=False)),
        )
    return matrix.nnz, len(vocabulary)


def convert_(parser: Parser, arguments: Sequence[str]) -> int:
    parser.add_argument("input", metavar="IN")
    parser.add_argument("output", type=Path, metavar="OUT")
    parser.add_argument("--from", dest="from_", default="", metavar="FORMAT", help="in place of what the file shows")
    parser.add_argument("--to", default="", metavar="FORMAT", help="in place of what the suffix says")
    parser.add_argument("--limit", type=int, default=0, metavar="N", help="only the first N words (0: all)")
    group = parser.add_argument_group("other vectors", "made in this order; without them the vectors stay as they are")
    group.add_argument("--result", choices=RESULTS, help="word vectors, their sum with the context vectors, or both")
    group.add_argument(
        "--all-but-the-top", type=int, metavar="D", help="take away the mean, then the D principal directions"
    )
    group.add_argument("--normalise", action=argparse.BooleanOptionalAction, help="bring every vector to length 1")
    args = parser.parse_all(arguments)
    key = output.format_for_output(args.output, args.to)
    if args.limit < 0:
        raise UserError(f"--limit must be 0 or more, not {args.limit}.", "Leave it out for all words.")
    output.prove_outputs([args.output], [args.input], output.folder_files(args.output, key))

    def work(run: Run) -> int:
        embeddings = load_vectors(args.input, args.from_, args.limit)
        run.check()
        now = choice_of(embeddings)
        choice = Choice(
            now.result if args.result is None else args.result,
            now.normalise if args.normalise is None else args.normalise,
            now.all_but_the_top if args.all_but_the_top is None else args.all_but_the_top,
        )
        embeddings = made(embeddings, choice, run)
        save_vectors(embeddings, args.output, key)
        return len(embeddings)

    size = output.working(work)
    print(f"{args.output}: {size:,} words.")
    return 0
