"""Stand-ins for what would make tests of the window slow."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from workbench.core.job_control import JobControl
from workbench.session.session import Session


class StillUmap:
    """Leaves every point where it begins, without a process."""

    ready = True

    def warm(self, ready: Callable[[], None] | None = None) -> None:
        if ready is not None:
            ready()

    def layouts(
        self, header: Mapping[str, Any], arrays: Sequence[npt.NDArray[Any]], run: JobControl
    ) -> Iterator[tuple[int, int, npt.NDArray[np.float32]]]:
        run.check()
        yield 1, 1, arrays[0]

    def close(self) -> None:
        pass


def without_umap(session: Session) -> Session:
    """The session, its maps computed by nobody."""
    session.__dict__["umap"] = StillUmap()
    return session
