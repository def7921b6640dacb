"""floret writes: ``python floret_peer.py write FOLDER``."""

from __future__ import annotations

from pathlib import Path

import floret
from exchange import TEXT, give, run


def write(folder: Path) -> None:
    text = folder / "text.txt"
    text.write_text(TEXT, encoding="utf-8")
    for mode in ("floret", "fasttext"):
        model = floret.train_unsupervised(
            str(text), dim=8, minCount=2, epoch=1, bucket=500, thread=1, verbose=0, mode=mode
        )
        model.save_model(str(folder / f"{mode}.bin"))
        model.save_vectors(str(folder / f"{mode}.vec"))
        if mode == "floret":
            model.save_floret_vectors(str(folder / "table.floret"))
        # The text has five digits.
        lines = (folder / f"{mode}.vec").read_text(encoding="utf-8").splitlines()[1:]
        rows = [line.rstrip().split(" ") for line in lines]
        give(folder, mode, [row[0] for row in rows], [list(map(float, row[1:])) for row in rows])


run({"write": write})
