"""``workbench corpora``: list of bundled corpora and of data to download, and download."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from workbench.cli import output
from workbench.cli.parsing import Parser
from workbench.core.errors import UserError
from workbench.core.folders import is_temporary
from workbench.core.job_control import JobControl
from workbench.corpus.catalogue import DATA, CatalogueEntry, Kind, entry_of
from workbench.corpus.catalogue.unpack import unpacked_set
from workbench.corpus.samples import SAMPLES
from workbench.session.corpus.known_vectors import VectorChoice, keep_vectors


def corpora_command(parser: Parser, arguments: Sequence[str]) -> int:
    parser.add_argument(
        "verb", nargs="?", choices=("list", "get"), default="list", help="what to do (default list)"
    )
    parser.add_argument("key", nargs="*", metavar="KEY", help="what to download")
    parser.add_argument(
        "--kind",
        choices=[kind.value for kind in Kind],
        help="list only texts, vectors, analogies or pairs of words with scores",
    )
    parser.add_argument(
        "--again",
        action="store_true",
        help="download again, even if the data are already here",
    )
    parser.add_argument(
        "--words",
        type=int,
        default=0,
        metavar="N",
        help="number of words to keep of vectors, from the first (0 = all)",
    )
    parser.add_argument(
        "--half",
        action="store_true",
        help="keep vectors as float16 numbers: half the space, rounded to 11 bits",
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    args = parser.parse_all(arguments)
    if args.words < 0:
        raise UserError(f"--words must be 0 or more, not {args.words}.", "Use 0 for all words.")
    choice = VectorChoice(args.words, args.half)
    if args.verb == "get":
        return _download(args.key, choice, args.again)
    if args.key or args.again or choice != VectorChoice():
        raise UserError(
            "Only “corpora get” takes names, --words, --half and --again.",
            "For example: workbench corpora get text8.",
        )
    if args.json:
        output.print_json(catalogue(args.kind))
    else:
        print(_corpora_text(args.kind))
    return 0


def catalogue(kind: str | None = None) -> dict[str, Any]:
    """Everything that ``corpora --json`` prints."""
    from workbench.corpus.catalogue.download import recorded_checksum

    return {
        "bundled": [
            {
                "key": each.key,
                "title": each.title,
                "summary": each.summary,
                "synthetic": each.synthetic,
            }
            for each in SAMPLES.values()
            if kind in (None, Kind.TEXT)
        ],
        "public": [
            {
                "key": each.key,
                "title": each.title,
                "summary": each.summary,
                "kind": each.kind.value,
                "language": each.language or None,
                "bytes": each.bytes or None,
                "licence": each.licence,
                "source": each.source,
                "url": each.url,
                "mirrors": list(each.mirrors),
                "checksum": each.checksum or recorded_checksum(each) or None,
                "checksum_source": each.checksum_source or "recorded at the first download",
                "files": [
                    {
                        "name": file.name,
                        "url": file.url,
                        "mirrors": list(file.mirrors),
                        "bytes": file.size or None,
                        "checksum": file.checksum or None,
                    }
                    for file in each.files
                ],
                "downloaded": str(each.place) if each.here else None,
            }
            for each in _of_kind(kind)
        ],
    }


def _of_kind(kind: str | None) -> list[CatalogueEntry]:
    return [entry for entry in DATA.values() if kind in (None, entry.kind)]


def _download(keys: Sequence[str], choice: VectorChoice, again: bool) -> int:
    if not keys:
        raise UserError(
            "Name what to download.", "“workbench corpora” lists what can be downloaded."
        )
    entries = [entry_of(key) for key in keys]
    if choice != VectorChoice() and any(entry.kind != Kind.VECTORS for entry in entries):
        raise UserError("--words and --half are for vectors only.", "Leave these options out.")
    if any(is_temporary(entry.place) for entry in entries):
        raise UserError(
            "Couldn’t save downloads: the cache folder isn’t writable.",
            "Set WORKBENCH_HOME to a folder that you can write to.",
        )
    for entry in entries:

        def work(run: JobControl, entry: CatalogueEntry = entry) -> Path:
            return _get(entry, choice, run, again)

        output.print_line(f"{entry.title}: {entry.size_text}, licence {entry.licence}.")
        output.print_line(entry.checksum_text)
        output.print_line(f"{entry.key}: {output.run_with_progress(work)}")
    return 0


def _get(entry: CatalogueEntry, choice: VectorChoice, run: JobControl, again: bool) -> Path:
    """Download data, and make what opens at once. Return its place."""
    from workbench.corpus.catalogue.download import fetch

    if entry.kind == Kind.VECTORS:
        return keep_vectors(entry, choice, run, again)
    path = fetch(entry, run, again)
    if entry.kind == Kind.TEXT:
        return path
    return unpacked_set(entry, run)


_TITLES = {
    Kind.TEXT: "Texts to download",
    Kind.VECTORS: "Vectors to download",
    Kind.ANALOGIES: "Analogies to download",
    Kind.SIMILARITY: "Pairs of words with scores to download",
}


def _corpora_text(kind: str | None) -> str:
    parts = []
    if kind in (None, Kind.TEXT):
        bundled = [
            ["  " + sample.key, sample.title, "synthetic" if sample.synthetic else ""]
            for sample in SAMPLES.values()
        ]
        parts.append(f"Bundled\n{output.format_table(bundled)}")
    for each in Kind:
        rows = [
            [
                "  " + entry.key,
                entry.title,
                entry.size_text,
                entry.licence,
                "downloaded" if entry.here else "",
            ]
            for entry in _of_kind(kind)
            if entry.kind == each
        ]
        if rows:
            parts.append(f"{_TITLES[each]}\n{output.format_table(rows, right=[2])}")
    parts.append("Download with: workbench corpora get KEY")
    return "\n\n".join(parts)
