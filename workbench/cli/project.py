"""``workbench project``: words laid out by any projection, as a table or a drawing."""

from __future__ import annotations

import argparse
import csv
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from workbench.analysis.projection.before_after import BeforeAfter
from workbench.analysis.projection.density import Regions, density, dividing_regions, find_regions
from workbench.analysis.projection.methods import PROJECTIONS, Projection
from workbench.analysis.projection.quality import Quality, quality
from workbench.analysis.projection.region_names import (
    MOST_REGIONS,
    NamedRegion,
    count_contexts,
    name_regions,
)
from workbench.analysis.projection.space import Projected, Space
from workbench.analysis.projection.umap import UmapParams
from workbench.analysis.projection.word_axes import KnownPairs, WordAxis, known_pairs
from workbench.analysis.projection.word_groups import (
    WordGroups,
)
from workbench.cli import output
from workbench.cli.parsing import Parser, given_params
from workbench.cli.project_options import (
    add_projection_options,
    check_needs,
    read_axis,
    read_groups,
)
from workbench.cli.text_widths import text_widths
from workbench.cli.vectors import read_vectors
from workbench.core.arrays import Singles
from workbench.core.atomic import replacing
from workbench.core.errors import UnknownWord, UserError
from workbench.core.job_control import JobControl, Phase
from workbench.core.table_export import cell_text
from workbench.core.visible import visible, xml_text
from workbench.session.corpus.reading import read_corpus
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.row_order import ALPHABETICAL, order_of

_WIDTH, _HEIGHT, _MARGIN = 1200, 900, 60
_SIZE = 13
_CELL = 6
# Size of the titles of axes, and the width of their letters relative to those of normal weight.
_AXIS_SIZE, _BOLD = 16, 1.1
# Maximum number of words that name an end of an axis.
_NAMED = 3
# Colours below, at and above 0, and the quantile of values beyond which colours stay the same.
_LOW, _MIDDLE, _HIGH, _OUTER = (33, 102, 172), (192, 197, 203), (178, 24, 43), 0.99
Axes = tuple[WordAxis, WordAxis] | None
_DRAWINGS = (".svg", ".png")
_SUFFIXES = (".csv", ".tsv", ".json", ".npz", *_DRAWINGS)


@dataclass(frozen=True)
class _Wanted:
    """Options of a projection."""

    projection: type[Projection]
    dims: int
    axes: tuple[WordAxis, WordAxis] | None
    analogy: tuple[str, str, str, str] | None
    other: str | None
    groups: WordGroups | None
    params: UmapParams
    judged: bool
    regions: Path | None
    text: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class _Map:
    """Words and their positions float32[n, dims], with their trustworthiness if that was
    requested.

    without_vector : number of words left out because their vector is zero
    unsorted : these are the first words of an alphabetical list
    """

    words: tuple[str, ...]
    positions: Singles
    quality: Quality | None
    regions: Regions | None = None
    axes: tuple[KnownPairs, ...] = ()
    without_vector: int = 0
    unsorted: bool = False
    pair: BeforeAfter | None = None

    @property
    def drawn_axes(self) -> Axes:
        """The two axes, from known pairs."""
        drawn = [known.axis for known in self.axes if known.axis is not None]
        if not drawn:
            return None
        across, up = drawn
        return across, up


def project_command(parser: Parser, arguments: Sequence[str]) -> int:
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
        help="also write the dense regions of the map with names, as .tsv or .json",
    )
    parser.add_argument(
        "--text",
        nargs="+",
        default=[],
        metavar="CORPUS",
        help="with --regions: corpus of the vectors, to name regions by context words too",
    )
    args = parser.parse_all(arguments)
    params = params_type.from_mapping(given_params(args, params_type))
    projection = PROJECTIONS[args.method]
    suffix = args.output.suffix.lower()
    if suffix not in _SUFFIXES:
        raise UserError(
            f"Can’t write a map to “{args.output.name}”.",
            f"Use one of these suffixes: {', '.join(_SUFFIXES)}.",
        )
    if (args.method == "axes") != bool(args.across and args.up) or bool(args.across) != bool(
        args.up
    ):
        raise UserError(
            "Word axes need --method axes with --across LOW HIGH and --up LOW HIGH.",
            "For example: --method axes --across man woman --up poor rich.",
        )
    check_needs(args, projection)
    if args.dims not in projection.dims or (args.dims == 3 and suffix in _DRAWINGS):
        raise UserError(
            f"{projection.title} and pictures have two dimensions.", "Leave out --dims 3."
        )
    _check_regions(args)
    axes = None
    if args.method == "axes":
        axes = (read_axis("--across", args.across), read_axis("--up", args.up))
    wanted = _Wanted(
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
    )
    outputs = [path for path in (args.output, args.regions) if path is not None]
    inputs = [args.vectors, *filter(None, [args.other]), *args.text]
    output.prove_outputs(outputs, inputs)
    found = output.run_with_progress(lambda run: _project(args.vectors, wanted, args.output, run))
    summary = f"{args.output}: {output.number(len(found.words), 'word')}."
    if found.quality is not None:
        summary += (
            f" Trustworthiness {found.quality.trustworthiness:.3f}, continuity "
            f"{found.quality.continuity:.3f}"
        )
        summary += f" ({found.quality.k} neighbours)."
    output.print_line(summary)
    if found.unsorted:
        output.print_line(
            "The rows are in alphabetical order, so these words aren’t the most frequent."
        )
    if found.without_vector:
        left_out = output.number(found.without_vector, "word")
        output.print_line(f"Left out because the vector is zero: {left_out}.")
    if axes is not None:
        for option, typed, known in zip(("--across", "--up"), axes, found.axes, strict=True):
            _print_left_out(option, typed, known)
    if found.regions is not None:
        regions = output.number(found.regions.number, "region")
        between = int((found.regions.labels < 0).sum())
        output.print_line(
            f"{args.regions}: {regions}, {output.number(between, 'word')} outside regions."
        )
    return 0


def _print_left_out(option: str, typed: WordAxis, known: KnownPairs) -> None:
    if known.axis is None or not known.left_out:
        return
    parts = [f"{len(known.axis.pairs)} of {output.number(len(typed.pairs), 'pair')} used"]
    if known.unknown:
        parts.append(f"not in the vocabulary: {', '.join(known.unknown)}")
    if known.without_vector:
        parts.append(f"without a vector: {', '.join(known.without_vector)}")
    output.print_line(f"{option}: {'; '.join(parts)}.")


def _known_axes(embeddings: Embeddings, axes: tuple[WordAxis, WordAxis]) -> tuple[KnownPairs, ...]:
    """Both axes of the pairs that the vectors contain. Raises UnknownWord if none are left."""
    found = tuple(known_pairs(embeddings, axis) for axis in axes)
    for known in found:
        if known.axis is None and known.unknown:
            raise UnknownWord(known.unknown[0])
        if known.axis is None:
            raise UserError(
                f"The vector of “{known.without_vector[0]}” is zero.", "Choose another word."
            )
    return found


def _check_regions(args: argparse.Namespace) -> None:
    """Raise UserError if the options contradict each other."""
    if args.text and args.regions is None:
        raise UserError("--text needs --regions.", "Add --regions regions.tsv.")
    if args.regions is None:
        return
    if args.dims == 3:
        raise UserError("Regions need a map with two dimensions.", "Leave out --dims 3.")
    if args.regions.suffix.lower() not in (".tsv", ".json"):
        raise UserError(
            f"Can’t write regions to “{args.regions.name}”.",
            "Use the suffix .tsv or .json.",
        )


def _project(source: str, wanted: _Wanted, path: Path, run: JobControl) -> _Map:
    embeddings = read_vectors(source, run)
    run.enter(Phase.TRAINING)
    axes: tuple[KnownPairs, ...] = ()
    if wanted.axes is not None:
        axes = _known_axes(embeddings, wanted.axes)
    limit = wanted.params.limit
    rows = embeddings.rows_with_vector(limit)
    unit = embeddings.unit[rows]
    projected = _projected(embeddings, rows.tolist(), axes, wanted, run)
    positions = projected.positions
    judged = None
    if wanted.judged and projected.pair is None:
        judged = quality(unit, positions, run=run)
    regions = None
    if wanted.regions is not None:
        regions = dividing_regions(find_regions(positions, density(positions), MOST_REGIONS))
    words = tuple(embeddings.words[row] for row in rows.tolist())
    if projected.pair is not None:
        words = projected.pair.words
    dead = min(limit, len(embeddings)) - len(rows)
    cut = limit < len(embeddings) and order_of(embeddings) == ALPHABETICAL
    found = _Map(words, positions, judged, regions, axes, dead, cut, projected.pair)
    if wanted.regions is not None and regions is not None:
        table = None
        if wanted.text:
            corpus = read_corpus(wanted.text, None, run, unwrap=True)
            table = count_contexts(corpus, embeddings, min(limit, len(embeddings)), run)
            table = replace(table, rows=table.rows[rows])
        named = name_regions(unit, regions, table)
        _write_regions(wanted.regions, found.words, regions, named)
    suffix = path.suffix.lower()
    if suffix == ".json":
        output.write_json(path, _document(found, wanted))
    elif suffix in _DRAWINGS:
        with replacing(path) as part:
            write = {".svg": write_svg, ".png": write_png}[suffix]
            write(part, found.words, positions, found.drawn_axes)
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
            delimiter = "\t"
            if suffix == ".csv":
                delimiter = ","
            writer = csv.writer(file, delimiter=delimiter)
            after = [] if found.pair is None else ["x after", "y after", "in"]
            writer.writerow(["word", *"xyz"[: positions.shape[1]], *after])
            writer.writerows(
                [cell_text(word), *(f"{x:.6g}" for x in place), *end]
                for (word, place), end in zip(_position_rows(found), _ends(found), strict=True)
            )
    return found


def _projected(
    embeddings: Embeddings,
    rows: Sequence[int],
    axes: Sequence[KnownPairs],
    wanted: _Wanted,
    run: JobControl,
) -> Projected:
    drawn = [known.axis for known in axes if known.axis is not None]
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
        axes=(drawn[0], drawn[1]) if drawn else None,
        analogy=wanted.analogy,
        groups=groups,
        other=other,
    )
    return wanted.projection.project(space, wanted.params, run)


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
        across, up = found.drawn_axes
        document["axes"] = {"across": _flat(across), "up": _flat(up)}
        left_out = [word for known in found.axes for word in known.left_out]
        if left_out:
            document["left_out"] = left_out
    if found.quality is not None:
        document["quality"] = {
            "trustworthiness": found.quality.trustworthiness,
            "continuity": found.quality.continuity,
            "neighbours": found.quality.k,
            "words": len(found.quality.rows),
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


def _write_regions(
    path: Path, words: Sequence[str], regions: Regions, named: Sequence[NamedRegion]
) -> None:
    """Write the region of each word with its name; 0 and no name between regions."""
    if path.suffix.lower() == ".json":
        output.write_json(path, _regions_document(words, regions, named))
        return
    with replacing(path) as part, part.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter="\t")
        writer.writerow(["word", "region", "name", "contexts"])
        for word, label in zip(words, regions.labels.tolist(), strict=True):
            name, contexts = "", ""
            if label >= 0:
                name = ", ".join(cell_text(words[row]) for row in named[label].words)
                contexts = ", ".join(cell_text(context) for context, _ in named[label].contexts)
            writer.writerow([cell_text(word), label + 1, name, contexts])


def _regions_document(
    words: Sequence[str], regions: Regions, named: Sequence[NamedRegion]
) -> dict[str, object]:
    def rounded(value: float) -> float:
        return float(f"{value:.6g}")

    return {
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
                "peak": [rounded(value) for value in region.peak],
                "standard_errors": rounded(region.significance),
            }
            for number, region in enumerate(named, 1)
        ],
        "words": [
            [word, label + 1] for word, label in zip(words, regions.labels.tolist(), strict=True)
        ],
    }


def write_svg(path: Path, words: Sequence[str], positions: Singles, axes: Axes) -> None:
    """Draw positions float32[n, 2], with labels for the first words first; axes as lines through 0
    with their anchors.
    """
    path.write_text(_map_svg(words, positions, axes), encoding="utf-8")


def write_png(path: Path, words: Sequence[str], positions: Singles, axes: Axes) -> None:
    """Write the map in pixels. Raises UserError if it can’t be painted."""
    output.paint_svg(path, _map_svg(words, positions, axes))


def _map_svg(words: Sequence[str], positions: Singles, axes: Axes) -> str:
    low, high = positions.min(axis=0).astype(float), positions.max(axis=0).astype(float)
    if axes is not None:
        low, high = np.minimum(low, 0.0), np.maximum(high, 0.0)
    span = np.maximum(high - low, 1e-9)
    scale = float(min((_WIDTH - 2 * _MARGIN) / span[0], (_HEIGHT - 2 * _MARGIN) / span[1]))
    middle = (low + high) / 2
    x = _WIDTH / 2 + (positions[:, 0] - middle[0]) * scale
    y = _HEIGHT / 2 - (positions[:, 1] - middle[1]) * scale
    radius = 1.5
    if len(words) <= 2000:
        radius = 3.0
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{_HEIGHT}" '
        f'viewBox="0 0 {_WIDTH} {_HEIGHT}" font-family="sans-serif" font-size="{_SIZE}">',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#FBFBFA"/>',
    ]
    titles: list[_Title] = []
    if axes is not None:
        origin = _WIDTH / 2 - middle[0] * scale, _HEIGHT / 2 + middle[1] * scale
        titles = _axis_titles(axes, *origin)
        parts += _axes(titles, *origin)
    fills = [""] * len(words)
    if axes is not None:
        fills = [f' fill="{fill}"' for fill in _diverging_fills(positions[:, 0])]
    dots = "".join(
        f'<circle cx="{a:.1f}" cy="{b:.1f}" r="{radius}"{fill}/>'
        for a, b, fill in zip(x.tolist(), y.tolist(), fills, strict=True)
    )
    parts.append(f'<g fill="#8A94A0">{dots}</g>')
    texts = "".join(
        f'<text x="{x[row] + radius + 3:.1f}" y="{y[row] + _SIZE * 0.35:.1f}">'
        f"{xml_text(words[row])}</text>"
        for row in _labelled_rows(words, x, y, titles)
    )
    # The outline around the letters is drawn separately, because not every program supports
    # paint-order. Dots of other words remain visible through it.
    outline = f'<g stroke="#FBFBFA" stroke-width="3" stroke-opacity="0.6" fill="none">{texts}</g>'
    parts.append(f'{outline}<g fill="#1F2328">{texts}</g></svg>')
    return "\n".join(parts) + "\n"


def _diverging_fills(values: Singles) -> list[str]:
    """Colours of values from _LOW via _MIDDLE at 0 to _HIGH; a few outliers share the last
    colour.
    """
    limit = max(float(np.quantile(np.abs(values), _OUTER)), 1e-6)
    share = np.clip(values / limit, -1.0, 1.0)[:, None]
    low, middle, high = (np.array(colour, dtype=np.float64) for colour in (_LOW, _MIDDLE, _HIGH))
    mixed = middle + np.abs(share) * (np.where(share < 0, low, high) - middle)
    return ["#{:02X}{:02X}{:02X}".format(*row) for row in np.rint(mixed).astype(int).tolist()]


def _labelled_rows(
    words: Sequence[str], x: Singles, y: Singles, titles: Sequence[_Title]
) -> list[int]:
    """The rows of the words with labels, which overlap neither each other nor titles; the first
    words first.
    """
    taken = np.zeros((_HEIGHT // _CELL + 1, _WIDTH // _CELL + 1), dtype=bool)
    for title in titles:
        taken[_cells(title.left, title.y - _AXIS_SIZE, title.left + title.width, title.y)] = True
    widths = text_widths([visible(word) for word in words]) * _SIZE
    rows = []
    for row, width in enumerate(widths.tolist()):
        left, top = float(x[row]), float(y[row]) - _SIZE / 2
        right, bottom = left + 6 + width, top + _SIZE
        if left < 0 or top < 0 or right >= _WIDTH or bottom >= _HEIGHT:
            continue
        box = _cells(left, top, right, bottom)
        if not taken[box].any():
            taken[box] = True
            rows.append(row)
    return rows


def _cells(left: float, top: float, right: float, bottom: float) -> tuple[slice, slice]:
    """The cells of a grid over the drawing that a box touches."""
    return (
        slice(max(int(top), 0) // _CELL, int(bottom) // _CELL + 1),
        slice(max(int(left), 0) // _CELL, int(right) // _CELL + 1),
    )


def _end(words: Sequence[str]) -> str:
    text = ", ".join(words[:_NAMED])
    if len(words) > _NAMED:
        text += ", …"
    return text


class _Title(NamedTuple):
    """The words at an end of an axis, with the left end and the width of their line. At the
    right edge, their right end stays in any font.
    """

    text: str
    left: float
    y: float
    width: float

    @property
    def anchor(self) -> str:
        return "start" if self.left + self.width < _WIDTH - 11 else "end"

    @property
    def anchor_x(self) -> float:
        return self.left + (self.width if self.anchor == "end" else 0)


def _axis_titles(axes: tuple[WordAxis, WordAxis], x: float, y: float) -> list[_Title]:
    """Titles within the drawing, for axes that cross at ``x``, ``y``."""
    across, up = axes
    texts = (
        f"← {_end(across.low_words)}",
        f"{_end(across.high_words)} →",
        f"{_end(up.high_words)} ↑",
        f"{_end(up.low_words)} ↓",
    )
    widths = (text_widths([visible(text) for text in texts]) * _AXIS_SIZE * _BOLD).tolist()
    lefts = (10, _WIDTH - 10 - widths[1], x + 8, x + 8)
    return [
        _Title(text, max(10.0, min(left, _WIDTH - 10 - width)), top, width)
        for text, left, top, width in zip(
            texts, lefts, (y - 8, y - 8, 24, _HEIGHT - 14), widths, strict=True
        )
    ]


def _axes(titles: Sequence[_Title], x: float, y: float) -> list[str]:
    lines = f'<path d="M0 {y:.1f}H{_WIDTH}M{x:.1f} 0V{_HEIGHT}" stroke="#D1D9E0"/>'
    texts = "".join(
        f'<text x="{title.anchor_x:.1f}" y="{title.y:.1f}" text-anchor="{title.anchor}">'
        f"{xml_text(title.text)}</text>"
        for title in titles
    )
    return [lines, f'<g font-size="{_AXIS_SIZE}" font-weight="600">{texts}</g>']
