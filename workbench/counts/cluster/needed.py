"""dask and fsspec, imported when first needed; without them one sentence that says how to get them."""

from __future__ import annotations

from typing import Any

from workbench.core.errors import UserError
from workbench.core.language import tr


def load_distributed() -> Any:
    """The module ``distributed``. Raises UserError where it is not installed."""
    try:
        import distributed
    except ImportError as error:
        raise UserError(
            tr("Work on a cluster needs dask and distributed, which are not installed."),
            tr(
                "Install them with: pip install 'embedding-workbench[cluster]', or pip install dask distributed fsspec."
            ),
        ) from error
    return distributed


def load_fsspec() -> Any:
    """The module ``fsspec``. Raises UserError where it is not installed."""
    try:
        import fsspec
    except ImportError as error:
        raise UserError(
            tr("Texts at an address need fsspec, which is not installed."), tr("Install it with: pip install fsspec.")
        ) from error
    return fsspec
