"""Run every benchmark, one after another, and write ``docs/BENCHMARKS.md`` from the results.

    python tests/benchmarks/run.py CORPUS --questions questions-words.txt [--only peers,start]
        [--fasttext PROGRAM] [--glove FOLDER] [--word2vec PROGRAM] [--short TEXT]
        [--small TEXT:TOKENS ...] [--pairs FILE ...] [--peer-python PROGRAM]
        [--maps VECTORS] [--map-peers FOLDER] [--results docs/benchmarks]
    python tests/benchmarks/run.py --write

Needs the group ``bench``, and for the window a display; comparisons with other programs need those,
built from their sources. ``--short`` is a text of short sentences, as written by
``short_sentences.py``. Each benchmark is a script in this folder that can also be run by itself and
saves its figures as JSON in ``--results``. Existing results are measured again only with
``--again``, but ``peers.py`` and ``from_counts.py`` add what is missing. The document is written
from all results in the folder, with the paragraphs of ``notes`` below the tables; ``--write`` does
only that.

This takes about three and a half hours on two processors; nothing else should run meanwhile.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

_HERE = Path(__file__).resolve().parent
_ROOT = _HERE.parents[1]
_DOCUMENT = _ROOT / "docs" / "BENCHMARKS.md"


@dataclass(frozen=True)
class Benchmark:
    """One script. arguments : its arguments, with names in braces for those of this script."""

    key: str
    title: str
    script: str
    arguments: tuple[str, ...] = ()
    window: bool = False


_PROGRAMS = ("--fasttext", "{fasttext}", "--glove", "{glove}", "--word2vec", "{word2vec}")
_QUESTIONS = ("{corpus}", "--questions", "{questions}")
BENCHMARKS = (
    Benchmark("peers", "Training, against other programs", "peers", (*_QUESTIONS, *_PROGRAMS)),
    Benchmark(
        "short",
        "Training on short sentences",
        "peers",
        ("{short}", *_QUESTIONS[1:], "--rows", "sgns,cbow,skipgram-hs,cbow-hs,fasttext"),
    ),
    Benchmark(
        "equal",
        "Speed at equal quality",
        "from_counts",
        (
            *("{short}", *_QUESTIONS, "--pairs", "{pairs}", "--peer-python", "{peer_python}"),
            *("--epochs", "1,2,3,5,10,20", "--rates", "0.0125,0.035"),
        ),
    ),
    Benchmark(
        "small",
        "Speed at equal quality, short texts",
        "from_counts",
        (
            *("{small}", "--questions", "{questions}", "--pairs", "{pairs}"),
            *("--peer-python", "{peer_python}", "--epochs", "1,2,3,5,10,20"),
        ),
    ),
    Benchmark(
        "parts",
        "What is not training",
        "parts",
        (*_QUESTIONS, "--glove", "{glove}", "--repeats", "3"),
    ),
    Benchmark("opening", "Opening files of vectors", "opening_vectors"),
    Benchmark("settings", "Dimensions, negative samples and threads", "settings", ("{corpus}",)),
    Benchmark("growth", "Growth", "growth", ("{corpus}",)),
    Benchmark(
        "algorithms", "Every algorithm", "algorithms", ("{corpus}", "--questions", "{questions}")
    ),
    Benchmark("frames", "The window while two threads train", "frames", ("{corpus}",), window=True),
    Benchmark("start", "The start", "start", ("--repeats", "9"), window=True),
    Benchmark("clicks", "From a click to the list", "clicks", ("{corpus}",), window=True),
    Benchmark(
        "lines", "From a line to a vector, and back", "line_times", ("{corpus}",), window=True
    ),
    Benchmark("umap", "The map of 20,000 words", "umap_time", ("{corpus}",)),
    Benchmark(
        "maps",
        "Maps of several programs",
        "umap_peer",
        ("{maps}", "--words", "2000", "20000", "200000", "--peers", "{map_peers}"),
    ),
    Benchmark("regions", "The regions of real texts", "regions", ("{corpus}",)),
    Benchmark("handout", "The largest handout", "handout"),
    Benchmark("groups", "Words in groups", "planted_change"),
    Benchmark("theory", "The theory, live", "live_theory"),
    Benchmark("cluster", "Counting on a cluster", "cluster", ("{corpus}",)),
    Benchmark(
        "shards", "Training from counts that are not in memory", "from_shards", ("{corpus}",)
    ),
    Benchmark("svd", "The decomposition on a cluster", "clustered_svd", ("{corpus}",)),
    Benchmark("stream", "A billion tokens", "stream"),
    Benchmark("cost", "What a longer text will cost", "cost", ("{corpus}",)),
)


def fill(arguments: Sequence[str], values: dict[str, str | list[str] | None]) -> list[str]:
    """The arguments with the given values filled in; an option without a value is left out."""
    result: list[str] = []
    for argument in arguments:
        if argument.startswith("{"):
            value = values[argument[1:-1]]
            if value is not None:
                result += [value] if isinstance(value, str) else value
            elif result and result[-1].startswith("--"):
                result.pop()
        else:
            result.append(argument)
    return result


def compose_document(results: Path) -> str:
    """The document: for each benchmark with results, its command, its tables and the paragraphs
    about them.
    """
    sys.path.insert(0, str(_HERE))
    parts = [(_HERE / "notes" / "head.md").read_text(encoding="utf-8").strip()]
    for one in BENCHMARKS:
        path = results / f"{one.key}.json"
        if not path.exists():
            continue
        record = json.loads(path.read_text())
        options = " ".join(
            argument.strip("{}") if argument.startswith("{") else argument
            for argument in one.arguments
        )
        notes = _HERE / "notes" / f"{one.key}.md"
        parts += [
            f"## {one.title}",
            f"```sh\npython tests/benchmarks/{one.script}.py {options}".rstrip() + "\n```",
            f"{record['machine']}; {record['day']}.",
            importlib.import_module(one.script).markdown(record),
        ]
        if path.with_suffix(".svg").exists():
            parts.append(f"![{one.title}](benchmarks/{one.key}.svg)")
        if notes.exists():
            parts.append(notes.read_text(encoding="utf-8").strip())
    return "\n\n".join(parts) + "\n"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Every benchmark, and the document about them.")
    parser.add_argument("corpus", nargs="?")
    parser.add_argument("--questions")
    parser.add_argument("--only", default=",".join(one.key for one in BENCHMARKS))
    parser.add_argument("--fasttext")
    parser.add_argument("--glove")
    parser.add_argument("--word2vec")
    parser.add_argument("--short", help="a text of short sentences")
    parser.add_argument("--small", nargs="*", metavar="TEXT:TOKENS", help="short texts")
    parser.add_argument("--pairs", nargs="*", help="pairs of words with human scores")
    parser.add_argument("--peer-python", help="the interpreter that has gensim")
    parser.add_argument("--maps", metavar="VECTORS", help="vectors of at least 200,000 words")
    parser.add_argument("--map-peers", metavar="FOLDER", help="environment of openTSNE and PaCMAP")
    parser.add_argument("--results", default=str(_ROOT / "docs" / "benchmarks"))
    parser.add_argument("--again", action="store_true", help="measure what has results, too")
    parser.add_argument("--write", action="store_true", help="measure nothing, write the document")
    return parser


def main() -> int:
    parser = _parser()
    options = parser.parse_args()
    results = Path(options.results)
    results.mkdir(parents=True, exist_ok=True)
    failures = []
    if not options.write:
        if options.corpus is None or options.questions is None:
            parser.error(
                "Name a corpus and --questions, or give --write to write the document only."
            )
        values = {
            name: getattr(options, name)
            for name in (
                *("corpus", "questions", "fasttext", "glove", "word2vec", "short", "small"),
                *("pairs", "peer_python", "maps", "map_peers"),
            )
        }
        keys = options.only.split(",")
        for one in BENCHMARKS:
            path = results / f"{one.key}.json"
            if one.key not in keys or (
                path.exists() and not options.again and one.script not in ("peers", "from_counts")
            ):
                continue
            if values.get(one.key, "") is None:
                print(
                    f"Left out: {one.title.lower()}, whose text or vectors were not given.",
                    file=sys.stderr,
                )
                continue
            if one.window and sys.platform.startswith("linux") and not os.environ.get("DISPLAY"):
                print(f"Left out: {one.title.lower()}, which needs a display.", file=sys.stderr)
                continue
            if options.again:
                path.unlink(missing_ok=True)
            command = [
                sys.executable,
                str(_HERE / f"{one.script}.py"),
                *fill(one.arguments, values),
            ]
            print(f"== {one.title}", file=sys.stderr, flush=True)
            if subprocess.run(
                [*command, "--json", str(path)], check=False, stdout=subprocess.DEVNULL
            ).returncode:
                failures.append(one.key)
    _DOCUMENT.write_text(compose_document(results), encoding="utf-8")
    if failures:
        print(f"Not measured to the end: {', '.join(failures)}.", file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
