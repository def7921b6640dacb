"""safetensors reads: ``python safetensors_peer.py read FOLDER``."""

from __future__ import annotations

import json
from pathlib import Path

from exchange import give, run
from safetensors import safe_open


def read(folder: Path) -> None:
    with safe_open(str(folder / "ours.safetensors"), "numpy") as file:
        words = json.loads(file.metadata()["words"])
        give(folder, "ours", words, file.get_tensor("embeddings"))


run({"read": read})
