"""tensorboardX writes a log folder: ``python tensorboard_peer.py write FOLDER``."""

from __future__ import annotations

from pathlib import Path

from exchange import TABLE, WORDS, give, run
from tensorboardX import SummaryWriter


def write(folder: Path) -> None:
    with SummaryWriter(str(folder / "log")) as writer:
        writer.add_embedding(TABLE, metadata=WORDS)
    give(folder, "log", WORDS, TABLE)


run({"write": write})
