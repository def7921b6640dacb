"""The face: a bundled corpus of a million pairs whose PMI is a drawing of a face."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np

from workbench.core.job_control import JobControl
from workbench.corpus.pictures.picture import PictureParams, face, picture_corpus

_PARAMS = PictureParams()


def digest() -> str:
    """A hash of everything that determines the text: the drawing, the options, and the sampling."""
    hashed = hashlib.blake2b(digest_size=8)
    hashed.update(np.round(face(_PARAMS.size), 9).tobytes())
    hashed.update(repr(_PARAMS.to_dict()).encode())
    hashed.update(np.__version__.encode())
    return hashed.hexdigest()


def write(path: Path, run: JobControl | None = None) -> None:
    """Write the text, and its PMI beside it. Raises UserError and Cancelled."""
    picture_corpus(face(_PARAMS.size), _PARAMS, path.name).write(path, run)
