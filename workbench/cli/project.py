"""``workbench project``: words laid out by UMAP, PCA or word axes, as a table or a drawing."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from workbench.analysis.axes import WordAxis, axes_plane
from workbench.analysis.projection import UmapParams, pca, umap
from workbench.analysis.quality import Quality, quality
from workbench.cli import output
from workbench.cli.drawing import write_png, write_svg
from workbench.cli.parsing import Parser, add_params, given
from workbench.cli.vectors import read_vectors
from workbench.core.atomic import replacing
from workbench.core.errors import UserError
from workbench.core.run import Phase, Run
from workbench.core.tables import cell_text
from workbench.vectors.embeddings import Embeddings, Floats

_DRAWINGS = (".svg", ".png")
_SUFFIXES = (".csv", ".tsv", ".json", ".npz", *_DRAWINGS)


@dataclass(frozen=True)
class _Wanted:
    """What is asked of a projection."""

    method: str
    dims: int
    axes: tuple[WordAxis, WordAxis] | None
    params: UmapParams
    judged: bool


@dataclass(frozen=True, eq=False)
class _Map:
    """Words and their positions float32[n, dims], with how far they can be trusted where that was asked."""

    words: tuple[str, ...]
    positions: Floats
    quality: Quality | None


def project_(parser: Parser, arguments: Sequence[str]) -> int:
    parser.add_argument("vectors", metavar="V.vec")
    parser.add_argument("--output", type=Path, required=True, metavar="map.csv", help=f"one of {', '.join(_SUFFIXES)}")
    parser.add_argument(
        "--method", choices=("umap", "pca", "axes"), default="umap", help="of vectors at length 1; default umap"
    )
    parser.add_argument("--dims", type=int, choices=(2, 3), default=2, help="dimensions of umap and pca (default 2)")
    for option, text in (("--across", "from left to right"), ("--up", "from below to above")):
        parser.add_argument(option, nargs=2, metavar=("LOW", "HIGH"), help=f"for axes: two words, {text}")
    parser.add_argument("--quality", action="store_true", help="tell trustworthiness and continuity as well")
    add_params(parser, UmapParams, "umap")
    args = parser.parse_all(arguments)
    params = UmapParams.from_mapping(given(args, UmapParams))
    suffix = args.output.suffix.lower()
    if suffix not in _SUFFIXES:
        raise UserError(
            f"Maps are written as {', '.join(_SUFFIXES)}, not as “{args.output.name}”.",
            "End the name in .csv or .png.",
        )
    if (args.method == "axes") != bool(args.across and args.up) or bool(args.across) != bool(args.up):
        raise UserError(
            "Word axes need --method axes with --across LOW HIGH and --up LOW HIGH.",
            "For example: --method axes --across man woman --up poor rich.",
        )
    if args.dims == 3 and (args.method == "axes" or suffix in _DRAWINGS):
        raise UserError("Word axes and drawings are flat.", "Leave out --dims 3.")
    axes = (WordAxis(*args.across), WordAxis(*args.up)) if args.method == "axes" else None
    wanted = _Wanted(args.method, args.dims, axes, params, args.quality)
    output.prove_outputs([args.output], [args.vectors])
    found = output.working(lambda run: _project(args.vectors, wanted, args.output, run))
    told = f"{args.output}: {output.number(len(found.words), 'word')}."
    if found.quality is not None:
        told += f" Trustworthiness {found.quality.trustworthiness:.3f}, continuity {found.quality.continuity:.3f}"
        told += f" ({found.quality.k} neighbours)."
    output.tell(told)
    return 0


def _project(source: str, wanted: _Wanted, path: Path, run: Run) -> _Map:
    embeddings = read_vectors(source, run)
    run.enter(Phase.TRAINING)
    positions = _positions(embeddings, wanted, run)
    size = len(positions)
    judged = quality(embeddings.unit[:size], positions, run=run) if wanted.judged else None
    found = _Map(tuple(embeddings.words[:size]), positions, judged)
    suffix = path.suffix.lower()
    if suffix == ".json":
        output.write_json(path, _document(found, wanted))
    elif suffix in _DRAWINGS:
        with replacing(path) as part:
            (write_svg if suffix == ".svg" else write_png)(part, found.words, positions, wanted.axes)
    elif suffix == ".npz":
        with replacing(path) as part, part.open("wb") as file:
            np.savez(file, words=np.array(found.words, dtype=np.str_), positions=np.asarray(positions, np.float32))
    else:
        with replacing(path) as part, part.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, delimiter="," if suffix == ".csv" else "\t")
            writer.writerow(["word", *"xyz"[: positions.shape[1]]])
            writer.writerows([cell_text(word), *(f"{x:.6g}" for x in place)] for word, place in _lines(found))
    return found


def _positions(embeddings: Embeddings, wanted: _Wanted, run: Run) -> Floats:
    if wanted.axes is not None:
        return axes_plane(embeddings, *wanted.axes, slice(wanted.params.limit)).positions
    if wanted.method == "pca":
        return pca(embeddings.unit[: wanted.params.limit], wanted.dims)
    return umap(embeddings.unit, wanted.params, run, dims=wanted.dims)


def _document(found: _Map, wanted: _Wanted) -> dict[str, object]:
    document: dict[str, object] = {"method": wanted.method}
    if wanted.method == "umap":
        document["parameters"] = wanted.params.to_dict()
    if wanted.axes is not None:
        across, up = wanted.axes
        document["axes"] = {"across": [across.low, across.high], "up": [up.low, up.high]}
    if found.quality is not None:
        document["quality"] = {
            "trustworthiness": found.quality.trustworthiness,
            "continuity": found.quality.continuity,
            "neighbours": found.quality.k,
            "words": len(found.quality.rows),
        }
    document["words"] = [[word, *(float(f"{x:.6g}") for x in place)] for word, place in _lines(found)]
    return document


def _lines(found: _Map) -> list[tuple[str, list[float]]]:
    return list(zip(found.words, found.positions.tolist(), strict=True))
