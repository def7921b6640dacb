"""dask, what it encrypts with, and fsspec, imported when first needed; without them one sentence
that says how to get them.
"""

from __future__ import annotations

import importlib.util
import logging
from functools import cache
from typing import Any

from workbench.core.errors import UserError
from workbench.core.language import tr


def load_distributed() -> Any:
    """The module ``distributed``. Raises UserError if it is not installed."""
    try:
        import distributed
    except ImportError as error:
        raise UserError(
            tr("Counting on a cluster needs dask and distributed, which aren’t installed."),
            tr(
                "Install the packages with: pip install 'embedding-workbench[cluster]', or "
                "pip install dask distributed fsspec."
            ),
        ) from error
    _hush()
    return distributed


def check_cryptography() -> None:
    """Raise UserError if workers of this machine could not be given a key of their own."""
    if importlib.util.find_spec("cryptography") is None:
        raise UserError(
            tr(
                "Couldn’t start workers on this machine: the package cryptography, which protects "
                "them from other "
                "users, isn’t installed."
            ),
            tr("Install cryptography with: pip install cryptography."),
        )


def load_fsspec() -> Any:
    """The module ``fsspec``. Raises UserError if it is not installed."""
    try:
        import fsspec
    except ImportError as error:
        raise UserError(
            tr("Texts at an address need fsspec, which isn’t installed."),
            tr("Install fsspec with: pip install fsspec."),
        ) from error
    return fsspec


@cache
def _hush() -> None:
    """Dask tells the terminal of lost connections and of workers that end. Here they are reported
    in a sentence.
    """
    for name in (
        "distributed",
        *(each for each in logging.root.manager.loggerDict if each.startswith("distributed.")),
    ):
        logger = logging.getLogger(name)
        for handler in list(logger.handlers):
            # A file that Dask was configured to write to stays.
            if type(handler) is logging.StreamHandler:
                logger.removeHandler(handler)
                logger.addHandler(logging.NullHandler())
