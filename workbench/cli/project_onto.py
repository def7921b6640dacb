"""``workbench project --onto``: new words on an existing map, whose words stay where they are."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from workbench.analysis.neighbours.ranking import dense_rows
from workbench.analysis.projection.other_space import RotatedWords, rotated_words
from workbench.analysis.projection.placing import unit_rows
from workbench.analysis.projection.umap import UmapParams
from workbench.analysis.projection.umap_learn import place_words
from workbench.core.arrays import Singles
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.text.text_files import read_text
from workbench.vectors.embeddings import Embeddings

_MOST = 200_000_000
_HINT = "Name a map that “workbench project” has written, as .csv, .tsv, .json or .npz."


class KnownMap(NamedTuple):
    """Words of a map with their positions float32[n, 2 or 3], how words of other vectors were
    aligned, and the number of last words that were added to the map.
    """

    words: tuple[str, ...]
    positions: Singles
    rotated: RotatedWords | None = None
    added: int = 0


def read_map(path: Path) -> KnownMap:
    """A map that ``workbench project`` has written. Raises UserError for other files."""
    try:
        words, rows = _rows(path)
        positions = np.asarray(rows, dtype=np.float32)
    except (OSError, ValueError, KeyError, IndexError, TypeError, csv.Error):
        raise UserError(f"“{path.name}” isn’t a map of words.", _HINT) from None
    shape = (len(words), 2), (len(words), 3)
    if positions.shape not in shape or not np.isfinite(positions).all() or not words:
        raise UserError(f"“{path.name}” isn’t a map of words.", _HINT)
    return KnownMap(tuple(words), positions)


def _rows(path: Path) -> tuple[list[str], object]:
    suffix = path.suffix.lower()
    if suffix == ".npz":
        with np.load(path, allow_pickle=False) as arrays:
            return [str(word) for word in arrays["words"].tolist()], arrays["positions"]
    text = read_text(path, _MOST)
    if suffix == ".json":
        entries = json.loads(text)["words"]
        return [str(entry[0]) for entry in entries], [entry[1:] for entry in entries]
    delimiter = "," if suffix == ".csv" else "\t"
    head, *table = csv.reader(text.splitlines(), delimiter=delimiter)
    dims = sum(name in ("x", "y", "z") for name in head)
    return [row[0] for row in table], [list(map(float, row[1 : 1 + dims])) for row in table]


def place_others_on_map(
    embeddings: Embeddings,
    other: Embeddings,
    rows: Sequence[int],
    typed: Sequence[str],
    known: KnownMap,
    params: UmapParams,
    run: JobControl,
    name: str,
) -> KnownMap:
    """The words of a map, which stay in place, and after them the words of these rows of other
    vectors, and typed ones, marked with their ``name``.

    Raises UserError if too few words of the map have vectors, if the vectors share too few words,
    and if a typed word has none.
    """
    words = [other.words[row] for row in rows]
    words = list(dict.fromkeys([*words, *typed]))
    base = _rows_of_map(embeddings, known)
    rotated = rotated_words(other, words, embeddings)
    unit = embeddings.unit_of([embeddings.row(known.words[place]) for place in base])
    placed = place_words(unit, known.positions[base], rotated.rows, params, run)
    names = (f"{word} ({name})" for word in words)
    positions = np.concatenate([known.positions, placed])
    return KnownMap((*known.words, *names), positions, rotated, len(words))


def _rows_of_map(embeddings: Embeddings, known: KnownMap) -> list[int]:
    """Places in the map of the words that have vectors. Raises UserError for fewer than four."""
    base = [place for place, word in enumerate(known.words) if word in embeddings]
    base = [place for place in base if embeddings.has_vector[embeddings.row(known.words[place])]]
    if len(base) < 4:
        raise UserError(
            f"Only {len(base)} words of the map have vectors.",
            "Use the vectors that the map was made from, or others of the same model.",
        )
    return base


def place_on_map(
    embeddings: Embeddings,
    rows: Sequence[int],
    typed: Sequence[str],
    known: KnownMap,
    params: UmapParams,
    run: JobControl,
) -> KnownMap:
    """The words of a map, which stay in place, and after them the words of these rows that it
    lacks, and typed words, whose vectors may come from n-grams.

    Raises UserError if too few words of the map have vectors, and if a typed word has none.
    """
    there = set(known.words)
    base = _rows_of_map(embeddings, known)
    new = [row for row in rows if embeddings.words[row] not in there]
    words = [embeddings.words[row] for row in new]
    vectors = [dense_rows(embeddings.unit, np.array(new, dtype=np.intp))] if new else []
    given = [word for word in dict.fromkeys(typed) if word not in there and word not in words]
    if given:
        words += given
        vectors.append(unit_rows(embeddings, given))
    if not words:
        raise UserError(
            "The map contains all these words already.", "Raise --limit, or add --place WORD."
        )
    unit = embeddings.unit_of([embeddings.row(known.words[place]) for place in base])
    stacked = np.concatenate(vectors).astype(np.float32)
    placed = place_words(unit, known.positions[base], stacked, params, run)
    positions = np.concatenate([known.positions, placed])
    return KnownMap((*known.words, *words), positions, added=len(words))
