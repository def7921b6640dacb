"""Base class of formats for counts, and the table that it writes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from workbench.core.errors import UserError
from workbench.core.job_control import JobControl


@dataclass(frozen=True, eq=False)
class CountTable:
    """Co-occurrence counts with the columns that tables show.

    matrix : CSR float64[V, V], #(w, c), every stored cell above 0
    words : V strings, most frequent first; counts : int64[V], frequency of each
    measures : keys in ``counts.association.KINDS``, the columns of tables besides the counts
    shift : k of sppmi; smoothing : α of P(c); least : tables leave out pairs with lower counts
    metadata : provenance, JSON-ready
    """

    matrix: sp.csr_matrix
    words: Sequence[str]
    counts: npt.NDArray[np.int64]
    measures: tuple[str, ...] = ("pmi", "ppmi")
    shift: float = 1.0
    smoothing: float = 1.0
    least: float = 0.0
    metadata: Mapping[str, Any] = field(default_factory=dict)


class CountFormat(ABC):
    """A file format for counts of pairs. ``table``: measures choose its columns."""

    key: ClassVar[str]
    title: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]]
    table: ClassVar[bool] = False
    order: ClassVar[int] = 100

    @classmethod
    def missing(cls) -> UserError | None:
        """The error that names packages to install for the format, or None."""
        return None

    @classmethod
    def beside(cls, path: Path) -> tuple[Path, ...]:
        """Further files that are written with ``path``."""
        return ()

    @classmethod
    def holds(cls, counted: CountTable) -> str | None:
        """Why the format can't represent these counts, in a sentence; None if it can."""
        return None

    @classmethod
    @abstractmethod
    def write(cls, path: Path, counted: CountTable, run: JobControl) -> None:
        """Write to ``path`` and ``beside`` it, with progress. Raises UserError and Cancelled."""
