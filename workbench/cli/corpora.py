"""``workbench corpora``: list of the bundled and downloadable corpora, and download."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from workbench.cli import output
from workbench.cli.parsing import Parser
from workbench.core.errors import UserError
from workbench.core.folders import is_temporary
from workbench.core.job_control import JobControl
from workbench.corpus.catalogue import CATALOGUE, entry_of
from workbench.corpus.samples import SAMPLES


def corpora_command(parser: Parser, arguments: Sequence[str]) -> int:
    parser.add_argument(
        "verb", nargs="?", choices=("list", "get"), default="list", help="what to do (default list)"
    )
    parser.add_argument("key", nargs="*", metavar="KEY", help="corpus to download")
    parser.add_argument(
        "--again",
        action="store_true",
        help="download again, even if the corpus is already here",
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    args = parser.parse_all(arguments)
    if args.verb == "get":
        return _download(args.key, args.again)
    if args.key or args.again:
        raise UserError(
            "Only “corpora get” takes names.", "For example: workbench corpora get text8."
        )
    if args.json:
        output.print_json(catalogue())
    else:
        print(_corpora_text())
    return 0


def catalogue() -> dict[str, Any]:
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
        ],
        "public": [
            {
                "key": each.key,
                "title": each.title,
                "summary": each.summary,
                "bytes": each.size or None,
                "licence": each.licence,
                "source": each.source,
                "url": each.url,
                "checksum": each.checksum or recorded_checksum(each) or None,
                "checksum_source": each.checksum_source or "recorded at the first download",
                "downloaded": str(each.place) if each.here else None,
            }
            for each in CATALOGUE.values()
        ],
    }


def _download(keys: Sequence[str], again: bool) -> int:
    if not keys:
        raise UserError("Name a corpus to download.", f"Choose from: {', '.join(CATALOGUE)}.")
    entries = [entry_of(key) for key in keys]
    from workbench.corpus.catalogue.download import fetch

    if any(is_temporary(entry.place) for entry in entries):
        raise UserError(
            "Couldn’t save downloads: the cache folder isn’t writable.",
            "Set WORKBENCH_HOME to a folder that you can write to.",
        )
    for entry in entries:

        def work(run: JobControl, entry: Any = entry) -> Any:
            return fetch(entry, run, again)

        output.print_line(f"{entry.key}: {output.run_with_progress(work)}")
    return 0


def _corpora_text() -> str:
    bundled, public = [], []
    for sample in SAMPLES.values():
        note = "synthetic" if sample.synthetic else ""
        bundled.append(["  " + sample.key, sample.title, note])
    for each in CATALOGUE.values():
        size = f"{each.size / 1e6:,.0f} MB" if each.size else "varies"
        where = f"workbench corpora get {each.key}"
        if each.here:
            where = "downloaded"
        public.append(["  " + each.key, each.title, size, each.licence, where])
    downloads = output.format_table(public, right=[2])
    return f"Bundled\n{output.format_table(bundled)}\n\nDownloadable\n{downloads}"
