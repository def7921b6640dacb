"""``workbench picture``: a corpus whose PMI is a picture."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from workbench.cli import output
from workbench.cli.parsing import Parser, add_params, read_params
from workbench.core.arrays import Doubles
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl, Phase
from workbench.core.paths import exists
from workbench.corpus.pictures.picture import (
    PictureCorpus,
    PictureParams,
    face,
    picture_corpus,
    pmi_path,
)
from workbench.session.corpus.picture_reading import read_picture

_FACE = "face"


def picture_command(parser: Parser, arguments: Sequence[str]) -> int:
    parser.add_argument(
        "image",
        metavar="IMAGE",
        help="a picture (PNG, JPEG, PGM, PPM, …), an array (.npy), a table of numbers (.csv), or "
        "“face” for the drawing that comes along; brighter means higher PMI",
    )
    parser.add_argument(
        "--output",
        type=Path,
        required=True,
        metavar="corpus.txt",
        help="text with two words on each line, such as “r17 c40”; its PMI is written beside it, "
        "as corpus.picture.npy",
    )
    add_params(parser, PictureParams, "picture")
    args = parser.parse_all(arguments)
    (params,) = read_params(args, PictureParams)
    beside = pmi_path(args.output)
    if args.output.suffix.lower() != ".txt":
        raise UserError(f"The corpus is a text, not “{args.output.name}”.", "End the name in .txt.")
    output.prove_outputs([args.output, beside], [args.image])

    def work(run: JobControl) -> PictureCorpus:
        run.enter(Phase.READING)
        made = picture_corpus(_image(args.image, params, run), params, Path(args.image).name)
        made.write(args.output, run)
        return made

    made = output.run_with_progress(work)
    output.print_line(
        f"{args.output} and {beside.name}: a picture of {params.size} × {params.size}, "
        f"{output.number(params.pairs, 'pair')}, PMI from {_signed(made.pmi.min())} to "
        f"{_signed(made.pmi.max())} nats."
    )
    output.print_line(
        f"Train with: workbench train {args.output} --algorithm sgns-mf --dim 16 --window 1 "
        "--sample 0 --ns-exponent 1"
    )
    return 0


def _image(name: str, params: PictureParams, run: JobControl) -> Doubles:
    if name == _FACE and not exists(name):
        return face(params.size)
    return read_picture(Path(name), run)


def _signed(value: float) -> str:
    return f"{value:.2f}".replace("-", "−")
