"""``workbench picture-figure``: small multiples of a picture as reproduced by models."""

from __future__ import annotations

import base64
import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

import numpy as np

from workbench.analysis.matrix.pair_products import shift_of
from workbench.analysis.matrix.picture import (
    PictureCounts,
    count_picture,
    picture_figures,
    picture_products,
)
from workbench.cli import output
from workbench.cli.parsing import Parser
from workbench.core.arrays import Doubles
from workbench.core.atomic import replacing
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.corpus.corpus import Corpus
from workbench.models.base import MODELS, Model
from workbench.session.corpus.reading import read_corpus
from workbench.session.training.train_api import train_run

_ALGORITHMS, _DIMS = "sgns-mf,sgns,svd,glove,swivel", "2,4,8,16"
# One line of the text is one pair, and every pair counts.
_SETTINGS = {"window": 1, "sample": 0.0, "ns_exponent": 1.0, "min_count": 1}
# Pixels of a panel, of the gap around it, and of its two lines of text.
_SIDE, _GAP, _TEXT = 150, 14, 32


@dataclass(frozen=True, eq=False)
class _Panel:
    """A panel. image : float64[n, n], values drawn as brightness; NaN for unknown pairs"""

    title: str
    note: str
    image: Doubles


def picture_figure_command(parser: Parser, arguments: Sequence[str]) -> int:
    parser.add_argument(
        "corpus",
        metavar="CORPUS",
        help="text that “workbench picture” wrote, or “face” for the bundled one",
    )
    parser.add_argument(
        "--algorithms",
        default=_ALGORITHMS,
        metavar="A,B,…",
        help=f"algorithms, one row each, or “all” (default {_ALGORITHMS})",
    )
    parser.add_argument(
        "--dims", default=_DIMS, metavar="D,D,…", help=f"dimensions (default {_DIMS})"
    )
    parser.add_argument("--seed", type=int, default=1, help="random seed (default 1)")
    parser.add_argument(
        "--output", type=Path, required=True, metavar="figure.svg", help="SVG or PNG file"
    )
    args = parser.parse_all(arguments)
    kinds, dims = _kinds(args.algorithms), _dimensions(args.dims)
    if args.output.suffix.lower() not in (".svg", ".png"):
        raise UserError(f"Can’t draw “{args.output.name}”.", "End the name in .svg or .png.")
    output.prove_outputs([args.output], [args.corpus])

    def work(run: JobControl) -> list[list[_Panel]]:
        corpus = read_corpus([args.corpus], None, run)
        return _rows(corpus, kinds, dims, args.seed, run)

    rows = output.run_with_progress(work)
    drawing = _figure_svg(rows)
    with replacing(args.output) as part:
        if args.output.suffix.lower() == ".svg":
            part.write_text(drawing, encoding="utf-8")
        else:
            output.paint_svg(part, drawing)
    for row in rows:
        for panel in row:
            output.print_line(f"{panel.title}: {panel.note}")
    return 0


def _kinds(text: str) -> list[type[Model]]:
    if text == "all":
        return list(MODELS)
    return [MODELS[key.strip()] for key in text.split(",") if key.strip()]


def _dimensions(text: str) -> list[int]:
    try:
        dims = [int(part) for part in text.split(",")]
    except ValueError:
        dims = []
    if not dims or min(dims) < 1:
        raise UserError(
            f"--dims must be whole numbers above 0, not “{text}”.", "Example: --dims 2,4,8."
        )
    return dims


def _rows(
    corpus: Corpus, kinds: Sequence[type[Model]], dims: Sequence[int], seed: int, run: JobControl
) -> list[list[_Panel]]:
    """The picture, then a row for each algorithm, with a panel for each number of dimensions."""
    picture = count_picture(corpus, run)
    rows = [[_Panel("picture", "PMI", picture.pmi)]]
    for kind in kinds:
        names = {spec.name for spec in kind.params_type.specs()}
        values = {name: value for name, value in _SETTINGS.items() if name in names}
        if "seed" in names:
            values["seed"] = seed
        if "dim" not in names:
            rows.append([_panel(kind, corpus, picture, values)])
            continue
        rows.append([_panel(kind, corpus, picture, {**values, "dim": dim}) for dim in dims])
    return rows


def _panel(
    kind: type[Model], corpus: Corpus, picture: PictureCounts, values: dict[str, float]
) -> _Panel:
    title = f"{kind.key}, d = {values['dim']}" if "dim" in values else kind.key
    params = kind.params_type.from_mapping(values)
    model = train_run(corpus, kind.key, params, JobControl())
    products, _ = picture_products(model, picture.size)
    figures = picture_figures(picture, products, shift_of(model))
    correlation = f"{figures.correlation:.3f}".replace("-", "−")
    return _Panel(title, f"correlation {correlation}", products)


def _figure_svg(rows: Sequence[Sequence[_Panel]]) -> str:
    width = max(len(row) for row in rows) * (_SIDE + _GAP) + _GAP
    height = len(rows) * (_SIDE + _TEXT + _GAP) + _GAP
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
        f'<rect width="{width}" height="{height}" fill="#FFFFFF"/>',
    ]
    for down, row in enumerate(rows):
        for across, panel in enumerate(row):
            x = _GAP + across * (_SIDE + _GAP)
            y = _GAP + down * (_SIDE + _TEXT + _GAP)
            picture = base64.b64encode(_png(_grey(panel.image))).decode()
            parts += [
                f'<image x="{x}" y="{y}" width="{_SIDE}" height="{_SIDE}" '
                f'style="image-rendering:pixelated" href="data:image/png;base64,{picture}"/>',
                f'<text x="{x}" y="{y + _SIDE + 14}">{escape(panel.title)}</text>',
                f'<text x="{x}" y="{y + _SIDE + 28}" fill="#555555">{escape(panel.note)}</text>',
            ]
    return "\n".join([*parts, "</svg>\n"])


def _grey(image: Doubles) -> Doubles:
    """uint8[h, w]: the values from their 1st to 99th percentile as black to white, each repeated so
    that no viewer blurs them; grey for NaN.
    """
    known = image[np.isfinite(image)]
    low, high = (0.0, 1.0) if not known.size else np.percentile(known, [1, 99])
    shares = np.clip((image - low) / max(high - low, 1e-12), 0.0, 1.0)
    levels = np.round(255 * np.where(np.isfinite(shares), shares, 0.5)).astype(np.uint8)
    repeat = max(1, 2 * _SIDE // len(levels))
    return np.repeat(np.repeat(levels, repeat, axis=0), repeat, axis=1)


def _png(levels: Doubles) -> bytes:
    """A greyscale PNG (ISO/IEC 15948) of uint8[h, w]."""
    height, width = levels.shape

    def chunk(kind: bytes, data: bytes) -> bytes:
        check = struct.pack(">I", zlib.crc32(kind + data))
        return struct.pack(">I", len(data)) + kind + data + check

    # Every line begins with its filter type: none.
    lines = b"".join(b"\0" + line.tobytes() for line in levels)
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    parts = [chunk(b"IHDR", header), chunk(b"IDAT", zlib.compress(lines, 9)), chunk(b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)
