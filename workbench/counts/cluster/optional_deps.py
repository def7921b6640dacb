"""Imports of dask, its encryption library and fsspec at first use, with errors that say how to
install them.
"""

from __future__ import annotations

import importlib.util
import logging
from functools import cache
from typing import Any

from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.core.packages import install_advice

CLUSTER_PACKAGES = ("dask", "distributed", "fsspec", "cryptography")


def load_distributed() -> Any:
    """The module ``distributed``. Raises UserError if it is not installed."""
    try:
        import distributed
    except ImportError as error:
        raise UserError(
            tr("Counting on a cluster needs dask and distributed, which aren’t installed."),
            install_advice(CLUSTER_PACKAGES),
        ) from error
    _hush()
    return distributed


def check_cryptography() -> None:
    """Raise UserError if the library that makes keys for local workers is missing."""
    if importlib.util.find_spec("cryptography") is None:
        raise UserError(
            tr(
                "Couldn’t start workers on this machine: the package cryptography, which protects "
                "them from other "
                "users, isn’t installed."
            ),
            install_advice(("cryptography",)),
        )


def load_fsspec() -> Any:
    """The module ``fsspec``. Raises UserError if it is not installed."""
    try:
        import fsspec
    except ImportError as error:
        raise UserError(
            tr("Texts at an address need fsspec, which isn’t installed."),
            install_advice(("fsspec",)),
        ) from error
    return fsspec


@cache
def _hush() -> None:
    """Silence Dask's messages on the terminal about lost connections and ended workers, which are
    reported as errors instead.
    """
    for name in (
        "distributed",
        *(each for each in logging.root.manager.loggerDict if each.startswith("distributed.")),
    ):
        logger = logging.getLogger(name)
        for handler in list(logger.handlers):
            # Keep a handler that writes to a configured file.
            if type(handler) is logging.StreamHandler:
                logger.removeHandler(handler)
                logger.addHandler(logging.NullHandler())
