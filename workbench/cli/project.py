"""``workbench project``: words laid out by any projection, as a table or a drawing."""

from __future__ import annotations

import argparse
import csv
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from workbench.analysis.projection.before_after import BeforeAfter, quality_of_both
from workbench.analysis.projection.communities import nested_communities
from workbench.analysis.projection.context_lift import ALIKE, mean_cosine, supported_levels
from workbench.analysis.projection.methods import PROJECTIONS, Projection
from workbench.analysis.projection.other_space import NEAREST, RotatedWords
from workbench.analysis.projection.quality import Quality, quality
from workbench.analysis.projection.region_names import (
    NamedRegion,
    count_contexts,
    name_regions,
    short_name,
)
from workbench.analysis.projection.regions import Regions, regions_of
from workbench.analysis.projection.space import MapAxes, Projected, Space
from workbench.analysis.projection.umap import UmapParams
from workbench.analysis.projection.word_axes import KnownPairs, WordAxis, known_pairs
from workbench.analysis.projection.word_groups import (
    WordGroups,
)
from workbench.cli import output
from workbench.cli.map_drawing import Drawing, DrawnRegions, write_png, write_svg
from workbench.cli.parsing import Parser, given_params
from workbench.cli.project_onto import KnownMap, place_on_map, place_others_on_map, read_map
from workbench.cli.project_options import (
    add_projection_options,
    check_needs,
    read_axis,
    read_groups,
)
from workbench.cli.vectors import read_vectors, report_file_warnings
from workbench.core.arrays import Singles
from workbench.core.atomic import replacing
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl, Phase
from workbench.core.table_export import cell_text
from workbench.corpus.suggestions import unknown_words
from workbench.session.corpus.known_vectors import vectors_by_name
from workbench.session.corpus.reading import read_corpus
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.formats import load_vectors
from workbench.vectors.row_order import ALPHABETICAL, order_of
from workbench.vectors.undecoded import NAMELESS, REPEATED

# Levels of regions, from coarse to fine, as named in files.
_LEVELS = ("coarse", "middle", "fine")
_DRAWINGS = (".svg", ".png")
_SUFFIXES = (".csv", ".tsv", ".json", ".npz", *_DRAWINGS)


@dataclass(frozen=True)
class _Wanted:
    """Options of a projection."""

    projection: type[Projection]
    dims: int
    axes: MapAxes | None
    analogy: tuple[str, str, str, str] | None
    other: str | None
    groups: WordGroups | None
    params: UmapParams
    judged: bool
    regions: Path | None
    text: tuple[str, ...]
    onto: Path | None = None
    place: tuple[str, ...] = ()
    source: str | None = None


@dataclass(frozen=True, eq=False)
class _Regions:
    """Levels of regions, as many as the text supports, from coarse to fine, and their names.

    alike : whether the vectors point in similar directions, as after too few epochs
    """

    levels: tuple[Regions, ...]
    names: tuple[list[NamedRegion], ...]
    alike: bool

    @property
    def drawn_level(self) -> int:
        """The level that is drawn: the middle one if there is one."""
        return min(1, len(self.levels) - 1)


@dataclass(frozen=True, eq=False)
class _Map:
    """Words and their positions float32[n, dims], with their quality if that was requested: of the
    map, or of those of both models.

    without_vector : number of words left out because their vector is zero
    unsorted : these are the first words of an alphabetical list
    added : number of last words that were added to an existing map
    """

    words: tuple[str, ...]
    positions: Singles
    quality: tuple[Quality, ...]
    regions: _Regions | None = None
    axes: tuple[KnownPairs | None, ...] = ()
    without_vector: int = 0
    unsorted: bool = False
    pair: BeforeAfter | None = None
    rotated: RotatedWords | None = None
    added: int = 0

    @property
    def drawn_axes(self) -> MapAxes | None:
        """The axes, from known pairs."""
        return _drawn_axes(self.axes)


def _add_options(parser: Parser, arguments: Sequence[str]) -> type[UmapParams]:
    """Returns the type of the projection’s settings."""
    parser.add_argument("vectors", metavar="V.vec", help="file of vectors")
    parser.add_argument(
        "--output",
        type=Path,
        required=True,
        metavar="map.csv",
        help=f"file to write, with one of these suffixes: {', '.join(_SUFFIXES)}",
    )
    params_type = add_projection_options(parser, arguments)
    parser.add_argument(
        "--quality", action="store_true", help="also print trustworthiness and continuity"
    )
    parser.add_argument(
        "--regions",
        type=Path,
        metavar="regions.tsv",
        help="also write the regions of the map with names in up to three levels, as .tsv or .json",
    )
    parser.add_argument(
        "--text",
        nargs="+",
        default=[],
        metavar="CORPUS",
        help="corpus of the vectors: its contexts decide whether there is enough text for "
        "regions, and describe them",
    )
    return params_type


def _read_options(args: argparse.Namespace, params_type: type[UmapParams]) -> _Wanted:
    """The checked options. Raises UserError if they contradict each other."""
    params = params_type.from_mapping(given_params(args, params_type))
    projection = PROJECTIONS[args.method]
    suffix = args.output.suffix.lower()
    if suffix not in _SUFFIXES:
        raise UserError(
            f"Can’t write a map to “{args.output.name}”.",
            f"Use one of these suffixes: {', '.join(_SUFFIXES)}.",
        )
    if (args.method == "axes") != bool(args.across or args.up):
        raise UserError(
            "Word axes need --method axes with --across LOW HIGH, --up LOW HIGH, or both.",
            "For example: --method axes --across man woman --up poor rich.",
        )
    check_needs(args, projection)
    if args.dims not in projection.dims:
        raise UserError(f"{projection.title} has only two dimensions.", "Leave out --dims 3.")
    if args.dims == 3 and suffix in _DRAWINGS:
        raise UserError("Pictures have only two dimensions.", "Leave out --dims 3.")
    _check_regions(args, suffix)
    axes = None
    if args.method == "axes":
        axes = (
            read_axis("--across", args.across) if args.across else None,
            read_axis("--up", args.up) if args.up else None,
        )
    return _Wanted(
        projection,
        args.dims,
        axes,
        tuple(args.analogy) if args.analogy else None,
        args.other,
        read_groups(args.groups, args.section) if args.groups else None,
        params,
        args.quality,
        args.regions,
        tuple(args.text),
        args.onto,
        tuple(args.place),
        args.source,
    )


def project_command(parser: Parser, arguments: Sequence[str]) -> int:
    params_type = _add_options(parser, arguments)
    args = parser.parse_all(arguments)
    wanted = _read_options(args, params_type)
    outputs = [path for path in (args.output, args.regions) if path is not None]
    inputs = [args.vectors, *filter(None, [args.other, args.onto, args.source]), *args.text]
    output.prove_outputs(outputs, inputs)
    found = output.run_with_progress(lambda run: _project(args.vectors, wanted, args.output, run))
    _print_result(found, wanted, args.output)
    return 0


def _print_result(found: _Map, wanted: _Wanted, path: Path) -> None:
    summary = f"{path}: {output.number(len(found.words), 'word')}."
    if found.quality:
        trust = " and ".join(f"{one.trustworthiness:.3f}" for one in found.quality)
        kept = " and ".join(f"{one.continuity:.3f}" for one in found.quality)
        summary += f" Trustworthiness {trust}, continuity {kept}"
        summary += f" ({found.quality[0].k} neighbours)."
    output.print_line(summary)
    if found.rotated is not None:
        output.print_line(
            f"Aligned by {output.number(found.rotated.shared, 'shared word')}. In a test, "
            f"{found.rotated.found:.0%} of them land among the {NEAREST} words nearest to their "
            "own place."
        )
    if found.unsorted:
        output.print_line(
            "The rows are in alphabetical order, so these words aren’t the most frequent."
        )
    if found.without_vector:
        left_out = output.number(found.without_vector, "word")
        output.print_line(f"Left out because the vector is zero: {left_out}.")
    if wanted.axes is not None:
        for option, typed, known in zip(("--across", "--up"), wanted.axes, found.axes, strict=True):
            if typed is not None and known is not None:
                _print_left_out(option, typed, known)
    if found.regions is not None and (wanted.regions or not found.regions.levels):
        output.print_line(f"{wanted.regions or path}: {_summary(found.regions)}")


def _summary(regions: _Regions) -> str:
    if not regions.levels:
        remedy = "Train for more epochs." if regions.alike else "Try fewer words or more epochs."
        return f"too little text for regions. {remedy}"
    numbers = [
        f"{level.number} {name}" for name, level in zip(_LEVELS, regions.levels, strict=False)
    ]
    return f"{', '.join(numbers)} regions."


def _print_left_out(option: str, typed: WordAxis, known: KnownPairs) -> None:
    if known.axis is None or not known.left_out:
        return
    parts = [f"{len(known.axis.pairs)} of {output.number(len(typed.pairs), 'pair')} used"]
    if known.unknown:
        parts.append(f"not in the vocabulary: {', '.join(known.unknown)}")
    if known.without_vector:
        parts.append(f"without a vector: {', '.join(known.without_vector)}")
    output.print_line(f"{option}: {'; '.join(parts)}.")


def _known_axes(embeddings: Embeddings, axes: MapAxes) -> tuple[KnownPairs | None, ...]:
    """The axes of the pairs that the vectors contain. Raises UnknownWord if none are left."""
    found = tuple(None if axis is None else known_pairs(embeddings, axis) for axis in axes)
    for known in filter(None, found):
        if known.axis is None and known.unknown:
            raise unknown_words(known.unknown[:1], embeddings.words)
        if known.axis is None:
            raise UserError(
                f"The vector of “{known.without_vector[0]}” is zero.", "Choose another word."
            )
    return found


def _drawn_axes(known: Sequence[KnownPairs | None]) -> MapAxes | None:
    """The axes across and up, None for one that wasn’t given; None without any."""
    if not known:
        return None
    across, up = (None if one is None else one.axis for one in known)
    return across, up


def _check_regions(args: argparse.Namespace, suffix: str) -> None:
    """Raise UserError if the options contradict each other."""
    drawn = suffix in _DRAWINGS and args.method != "axes"
    if args.text and args.regions is None and not drawn:
        raise UserError("--text needs --regions or a drawing.", "Add --regions regions.tsv.")
    if args.regions is None:
        return
    if args.dims == 3:
        raise UserError("Regions need a map with two dimensions.", "Leave out --dims 3.")
    if args.regions.suffix.lower() not in (".tsv", ".json"):
        raise UserError(
            f"Can’t write regions to “{args.regions.name}”.",
            "Use the suffix .tsv or .json.",
        )


def _place_onto(
    embeddings: Embeddings, rows: npt.NDArray[np.intp], wanted: _Wanted, run: JobControl
) -> KnownMap:
    """The words of the map ``wanted.onto``, and those that are placed on it."""
    assert wanted.onto is not None
    known, params = read_map(wanted.onto), wanted.params
    if wanted.source is None:
        new = [] if wanted.place else rows.tolist()
        return place_on_map(embeddings, new, wanted.place, known, params, run)
    other = read_vectors(wanted.source, run)
    new = [] if wanted.place else other.rows_with_vector(params.limit).tolist()
    name = Path(wanted.source).name
    return place_others_on_map(embeddings, other, new, wanted.place, known, params, run, name)


def _read_shown(source: str, wanted: _Wanted, run: JobControl) -> Embeddings:
    """The vectors, without those that the map can’t show; one more tells that there are others."""
    elsewhere = (wanted.axes, wanted.analogy, wanted.other, wanted.groups, wanted.onto)
    if wanted.text or any(one is not None for one in elsewhere):
        return read_vectors(source, run)
    path = vectors_by_name(source) or source
    found = load_vectors(path, limit=wanted.params.limit + 1)
    if {REPEATED, NAMELESS} & set(found.metadata):
        found = load_vectors(path)
    # Only now: the first rows have other warnings than the file.
    report_file_warnings(path, found, run)
    return found


def _project(source: str, wanted: _Wanted, path: Path, run: JobControl) -> _Map:
    embeddings = _read_shown(source, wanted, run)
    run.enter(Phase.TRAINING)
    axes: tuple[KnownPairs | None, ...] = ()
    if wanted.axes is not None:
        axes = _known_axes(embeddings, wanted.axes)
    limit = wanted.params.limit
    rows = embeddings.rows_with_vector(limit)
    unit = embeddings.unit_of(rows)
    words = tuple(embeddings.words[row] for row in rows.tolist())
    rotated, added = None, 0
    judged: tuple[Quality, ...] = ()
    if wanted.onto is None:
        projected, judged = _projected(embeddings, rows.tolist(), axes, wanted, run)
    else:
        all_placed = _place_onto(embeddings, rows, wanted, run)
        words, projected = all_placed.words, Projected(all_placed.positions)
        rotated, added = all_placed.rotated, all_placed.added
    positions = projected.positions
    regions = None
    suffix = path.suffix.lower()
    whole = not axes and projected.pair is None and wanted.onto is None
    if wanted.regions is not None or (suffix in _DRAWINGS and whole):
        regions = _find_regions(embeddings, rows, unit, positions, wanted, run)
    if projected.pair is not None:
        words = projected.pair.words
    dead = min(limit, len(embeddings)) - len(rows)
    cut = limit < len(embeddings) and order_of(embeddings) == ALPHABETICAL
    found = _Map(words, positions, judged, regions, axes, dead, cut, projected.pair, rotated, added)
    if wanted.regions is not None and regions is not None:
        _write_regions(wanted.regions, found.words, regions)
    _write_map(path, found, wanted, source)
    return found


def _write_map(path: Path, found: _Map, wanted: _Wanted, source: str) -> None:
    """Write the map in the form that the suffix of ``path`` names."""
    suffix, positions = path.suffix.lower(), found.positions
    if suffix == ".json":
        output.write_json(path, _document(found, wanted))
    elif suffix in _DRAWINGS:
        with replacing(path) as part:
            write = {".svg": write_svg, ".png": write_png}[suffix]
            titles = (Path(source).name, Path(wanted.other or "").name)
            regions_drawn = _drawn_regions(found)
            write(
                part,
                Drawing(
                    found.words,
                    positions,
                    found.drawn_axes,
                    regions_drawn,
                    found.pair,
                    titles,
                    found.added,
                ),
            )
    elif suffix == ".npz":
        with replacing(path) as part, part.open("wb") as file:
            np.savez(
                file,
                words=np.array(found.words, dtype=np.str_),
                positions=np.asarray(positions, np.float32),
                **_pair_arrays(found.pair),
            )
    else:
        with replacing(path) as part, part.open("w", encoding="utf-8", newline="") as file:
            delimiter = "," if suffix == ".csv" else "\t"
            writer = csv.writer(file, delimiter=delimiter)
            after = [] if found.pair is None else ["x after", "y after", "in"]
            writer.writerow(["word", *"xyz"[: positions.shape[1]], *after])
            writer.writerows(
                [cell_text(word), *(f"{x:.6g}" for x in place), *end]
                for (word, place), end in zip(_position_rows(found), _ends(found), strict=True)
            )


def _find_regions(
    embeddings: Embeddings,
    rows: npt.NDArray[np.intp],
    unit: Singles | sp.csr_matrix,
    positions: Singles,
    wanted: _Wanted,
    run: JobControl,
) -> _Regions:
    table, counts = None, None
    if wanted.text:
        corpus = read_corpus(wanted.text, None, run, unwrap=True)
        limit = min(wanted.params.limit, len(embeddings))
        table = count_contexts(corpus, embeddings, limit, run)
        table = replace(table, rows=table.rows[rows])
    if embeddings.counts is not None:
        counts = np.asarray(embeddings.counts[rows], dtype=np.float64)
    levels = nested_communities(unit, run)
    supported = supported_levels(levels, table, counts)
    regions: tuple[Regions, ...] = regions_of(levels, positions, supported) if supported else ()
    names = tuple(name_regions(unit, level, table, counts=counts) for level in regions)
    return _Regions(regions, names, mean_cosine(unit) > ALIKE)


def _drawn_regions(found: _Map) -> DrawnRegions | None:
    """The regions of the level that is drawn, with their names."""
    regions = found.regions
    if regions is None or not regions.levels:
        return None
    names = [
        short_name([found.words[row] for row in region.words])
        for region in regions.names[regions.drawn_level]
    ]
    return DrawnRegions(regions.levels[regions.drawn_level], names)


def _projected(
    embeddings: Embeddings,
    rows: Sequence[int],
    axes: Sequence[KnownPairs | None],
    wanted: _Wanted,
    run: JobControl,
) -> tuple[Projected, tuple[Quality, ...]]:
    """The layout, and its quality if that was requested: of both layouts of two models."""
    other, groups = None, None
    if wanted.other:
        other = read_vectors(wanted.other, run)
    if wanted.analogy is not None:
        for word in wanted.analogy:
            embeddings.row(word)
    if wanted.groups is not None:
        words = [embeddings.words[row] for row in rows]
        groups = wanted.groups.numbers(embeddings, words)
    space = Space(
        embeddings,
        rows,
        wanted.dims,
        axes=_drawn_axes(axes),
        analogy=wanted.analogy,
        groups=groups,
        other=other,
    )
    projected = wanted.projection.project(space, wanted.params, run)
    if not wanted.judged:
        return projected, ()
    if projected.pair is not None and other is not None:
        return projected, quality_of_both(embeddings, other, projected.pair, run)
    return projected, (quality(space.unit, projected.positions, run=run),)


def _pair_arrays(pair: BeforeAfter | None) -> dict[str, Any]:
    if pair is None:
        return {}
    return {"after": pair.after, "presence": pair.presence}


def _ends(found: _Map) -> list[list[str]]:
    """For each word, its position in the second model and which models contain it."""
    if found.pair is None:
        return [[]] * len(found.words)
    where = ("both", "only before", "only after")
    places = zip(found.pair.after.tolist(), found.pair.presence.tolist(), strict=True)
    return [[*(f"{x:.6g}" for x in place), where[presence]] for place, presence in places]


def _document(found: _Map, wanted: _Wanted) -> dict[str, object]:
    document: dict[str, object] = {"method": wanted.projection.key}
    if wanted.projection.params_type is not None:
        document["parameters"] = wanted.params.to_dict()
    if found.drawn_axes is not None:
        named = zip(("across", "up"), found.drawn_axes, strict=True)
        document["axes"] = {name: _flat(axis) for name, axis in named if axis is not None}
        left_out = [word for known in filter(None, found.axes) for word in known.left_out]
        if left_out:
            document["left_out"] = left_out
    for key, one in zip(("quality", "quality_after"), found.quality, strict=False):
        document[key] = {
            "trustworthiness": one.trustworthiness,
            "continuity": one.continuity,
            "neighbours": one.k,
            "words": len(one.rows),
        }
    document["words"] = [
        [word, *(float(f"{x:.6g}") for x in place)] for word, place in _position_rows(found)
    ]
    if found.pair is not None:
        document["after"] = [
            [word, *(float(f"{x:.6g}") for x in place)]
            for word, place in zip(found.words, found.pair.after.tolist(), strict=True)
        ]
    return document


def _flat(axis: WordAxis) -> list[str]:
    return [word for pair in axis.pairs for word in pair]


def _position_rows(found: _Map) -> list[tuple[str, list[float]]]:
    return list(zip(found.words, found.positions.tolist(), strict=True))


def _write_regions(path: Path, words: Sequence[str], regions: _Regions) -> None:
    """Write the region of each word in each level, with the name and the contexts of the middle
    one; 0 and no name for words in none.
    """
    if path.suffix.lower() == ".json":
        output.write_json(path, _regions_document(words, regions))
        return
    with replacing(path) as part, part.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter="\t")
        writer.writerow(["word", *_LEVELS, "name", "contexts"])
        for word, labels in zip(words, _labels_by_word(words, regions), strict=True):
            name, contexts = "", ""
            label = labels[regions.drawn_level] if regions.levels else 0
            if label:
                region = regions.names[regions.drawn_level][label - 1]
                name = ", ".join(cell_text(words[row]) for row in region.words)
                contexts = ", ".join(cell_text(context) for context, _ in region.contexts)
            writer.writerow([cell_text(word), *labels, name, contexts])


def _labels_by_word(words: Sequence[str], regions: _Regions) -> list[list[int]]:
    """The region of each word in the three levels, from 1; 0 for none."""
    table = np.zeros((len(words), len(_LEVELS)), dtype=np.int64)
    for level, found in enumerate(regions.levels):
        table[:, level] = found.labels + 1
    labels: list[list[int]] = table.tolist()
    return labels


def _regions_document(words: Sequence[str], regions: _Regions) -> dict[str, object]:
    def rounded(value: float) -> float:
        return float(f"{value:.6g}")

    return {
        "levels": [
            {
                "level": name,
                "regions": [
                    {
                        "region": number,
                        "name": [words[row] for row in region.words],
                        "contexts": [
                            {
                                "word": word,
                                "ppmi_inside": rounded(context.inside),
                                "ppmi_outside": rounded(context.outside),
                                "seen_with": rounded(context.seen),
                            }
                            for word, context in region.contexts
                        ],
                        "words": region.size,
                        "place": [rounded(value) for value in region.place],
                    }
                    for number, region in enumerate(named, 1)
                ],
            }
            for name, named in zip(_LEVELS, regions.names, strict=False)
        ],
        "words": [
            [word, *labels]
            for word, labels in zip(words, _labels_by_word(words, regions), strict=True)
        ],
    }
