"""Rates and memory for text far larger than memory, generated on the fly: ``python
tests/benchmarks/stream.py``.

    python tests/benchmarks/stream.py [--tokens 14e6,1e9] [--types 1e6] [--algorithm sgns] [--dim
    20] [--window 5]
        [--negative 5] [--sample 1e-5] [--threads 2] [--folder DIR] [--json FILE]

Text by the law of Zipf and Mandelbrot goes through a pipe into ``workbench train``, which turns it
into ids and trains one epoch, in a separate process for each number of tokens; the text itself is
never saved. All sizes train on as many words as the first one has types, so that only the length
differs. While the script runs, ``--folder`` contains 4 bytes per token and a third of a byte for
the sentences: 4.4 GB for a billion tokens. These files are removed at the end.

Prints a Markdown table: tokens per second from the pipe to ids on disk (and the seconds after the
last byte, which depend on the types: ranking them, writing the rest), tokens per second of the
epoch, both also relative to the first row, and the peak of the process’s own memory. Pages of the
mapped corpus don’t count, because the system can take them back.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import psutil
from results import keep, machine, table
from zipf_mandelbrot import ZipfMandelbrot

_ROOT = Path(__file__).resolve().parents[2]


class Writer(threading.Thread):
    """Writes text into a pipe; ``seconds`` is the time from opening it until the last byte."""

    def __init__(self, source: ZipfMandelbrot, tokens: int, pipe: Path) -> None:
        super().__init__(daemon=True)
        self._source, self._tokens, self._pipe = source, tokens, pipe
        self.seconds = 0.0

    def run(self) -> None:
        with contextlib.suppress(BrokenPipeError), self._pipe.open("wb", buffering=0) as file:
            start = time.perf_counter()
            for block in self._source.text(self._tokens):
                view = memoryview(block)
                while view:
                    view = view[file.write(view) :]
            self.seconds = time.perf_counter() - start


def own_memory(process: psutil.Process) -> int:
    """Bytes of a process’s memory that aren’t pages of files; 0 if the process has ended."""
    try:
        status = Path(f"/proc/{process.pid}/status").read_text()
        return 1024 * sum(
            int(line.split()[1]) for line in status.splitlines() if line.startswith("RssAnon")
        )
    except FileNotFoundError:
        with contextlib.suppress(psutil.Error):
            return int(process.memory_info().rss)
        return 0


def measure(
    options: argparse.Namespace, tokens: int, vocabulary: int, folder: Path
) -> dict[str, Any]:
    """Measure one size. ``vocabulary`` 0: all types."""
    source = ZipfMandelbrot(int(options.types), options.exponent, options.shift)
    pipe, report = folder / "text", folder / "report.json"
    os.mkfifo(pipe)
    settings = {
        name: getattr(options, name) for name in ("algorithm", "dim", "window", "sample", "threads")
    }
    if options.algorithm in ("sgns", "cbow", "fasttext", "fasttext-cbow"):
        settings["negative"] = options.negative
    command = [
        sys.executable,
        str(_ROOT / "main.py"),
        "train",
        str(pipe),
        "--epochs",
        "1",
        "--min-count",
        "1",
        "--max-vocab",
        str(vocabulary),
        "--output",
        str(folder / "vectors.npz"),
        "--report",
        str(report),
        *(f"--{name}={value}" for name, value in settings.items()),
    ]
    writer = Writer(source, tokens, pipe)
    writer.start()
    most = 0
    start = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        monitor = psutil.Process(process.pid)
        while process.poll() is None:
            most = max(most, own_memory(monitor))
            time.sleep(0.02)
    pipe.unlink()
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    result: dict[str, Any] = json.loads(report.read_text())
    read_seconds, train_seconds = result["seconds"]["read"], result["seconds"]["train"]
    return {
        "tokens": tokens,
        "types": result["corpus"]["types"],
        "vocabulary": vocabulary or result["corpus"]["types"],
        "read_seconds": read_seconds,
        "pipe_seconds": writer.seconds,
        "train_seconds": train_seconds,
        "seconds": time.perf_counter() - start,
        "read_rate": tokens / read_seconds,
        "train_rate": tokens / train_seconds,
        "own_bytes": most,
        "loss": result["loss"][-1][1],
    }


def markdown(results: dict[str, Any]) -> str:
    rows = results["rows"]
    first = rows[0]
    head = (
        "tokens",
        "types",
        "words trained",
        "read, tokens/s",
        "of the first",
        "seconds after the last byte",
        "epoch, tokens/s",
        "of the first",
        "peak of its own (MiB)",
        "all (s)",
    )
    return table(
        head,
        (
            (
                f"{row['tokens'] / 1e6:,g} M",
                f"{row['types']:,}",
                f"{row['vocabulary']:,}",
                f"{row['read_rate'] / 1e6:.2f} M",
                f"{row['read_rate'] / first['read_rate']:.2f}",
                f"{row['read_seconds'] - row['pipe_seconds']:.1f}",
                f"{row['train_rate'] / 1e6:.2f} M",
                f"{row['train_rate'] / first['train_rate']:.2f}",
                f"{row['own_bytes'] / 2**20:,.0f}",
                f"{row['seconds']:,.0f}",
            )
            for row in rows
        ),
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description="Rates and memory over text far larger than memory."
    )
    parser.add_argument("--tokens", default="14e6,1e9")
    parser.add_argument("--types", type=float, default=1e6)
    parser.add_argument("--exponent", type=float, default=1.0)
    parser.add_argument("--shift", type=float, default=2.7)
    parser.add_argument("--algorithm", default="sgns")
    parser.add_argument("--dim", type=int, default=20)
    parser.add_argument("--window", type=int, default=5)
    parser.add_argument("--negative", type=int, default=5)
    parser.add_argument("--sample", type=float, default=1e-5)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument(
        "--folder", help="where the numbers lie meanwhile (default: the system's place for such)"
    )
    parser.add_argument("--json")
    options = parser.parse_args()
    rows: list[dict[str, Any]] = []
    results: dict[str, Any] = {"rows": rows}
    sizes = sorted(round(float(size)) for size in options.tokens.split(","))
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        folder = Path(name)
        os.environ["WORKBENCH_HOME"] = str(folder / "home")
        measure(options, 100_000, 0, folder)  # only fills the kernels' cache
        for tokens in sizes:
            rows.append(measure(options, tokens, rows[0]["vocabulary"] if rows else 0, folder))
            print(rows[-1], file=sys.stderr, flush=True)
            results = keep(options.json, {"rows": rows, "settings": vars(options)})
    settings = (
        f"{options.algorithm}, d = {options.dim}, L = {options.window}, t = {options.sample:g}"
    )
    print(f"{machine()}; {settings}, {options.threads} threads\n\n{markdown(results)}")


if __name__ == "__main__":
    main()
