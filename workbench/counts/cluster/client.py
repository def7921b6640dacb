"""Dask's client with timeouts for all answers, and without messages of its own."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from typing import Any

from workbench.core.errors import UserError, error_text
from workbench.core.language import tr
from workbench.counts.cluster.optional_deps import load_distributed
from workbench.counts.cluster.params import ClusterParams

CONNECT_SECONDS = 10
# A busy scheduler answers late.
ANSWER_SECONDS = 30
_CLOSE_SECONDS = 2


@cache
def _kind() -> Any:
    # Not imported at the top: every window loads this module, and asyncio loads OpenSSL.
    import asyncio

    base: Any = load_distributed().Client

    class Client(base):  # type: ignore[misc]
        def start(self, **keywords: Any) -> None:
            try:
                super().start(**keywords)
            except BaseException:
                with suppress(Exception):
                    self.close(timeout=_CLOSE_SECONDS)
                # If the client closes by itself, the loop that it started in a thread continues.
                self._loop_runner.stop()
                raise

        async def _start(self, *arguments: Any, **keywords: Any) -> Any:
            # For Dask's tasks that end with a connection and that are never awaited.
            asyncio.get_running_loop().set_exception_handler(lambda loop, context: None)
            # Dask waits forever for the first message of a server at the address.
            return await asyncio.wait_for(
                super()._start(*arguments, **keywords), CONNECT_SECONDS + _CLOSE_SECONDS
            )

        def sync(self, *arguments: Any, callback_timeout: Any = None, **keywords: Any) -> Any:
            return super().sync(
                *arguments, callback_timeout=callback_timeout or ANSWER_SECONDS, **keywords
            )

    return Client


def open_client(address: str, security: Any = None) -> Any:
    """A connected client of Dask. Raises UserError."""
    # Different versions and lost connections are reported as errors.
    warnings.filterwarnings("ignore", module=r"distributed(\.|$)")
    try:
        return _kind()(
            address,
            set_as_default=False,
            timeout=CONNECT_SECONDS,
            name="workbench",
            security=security,
        )
    except OSError as error:
        raise UserError(
            tr(
                "Couldn’t reach a Dask scheduler at {address} ({error}).",
                address=address,
                error=_reason(error),
            ),
            tr("Check the address, and that dask and distributed have the same version there."),
        ) from error
    except (TypeError, ImportError) as error:  # a protocol that is not set up
        raise UserError(
            tr(
                "Couldn’t connect to {address} ({error}).",
                address=address,
                error=error_text(error),
            ),
            tr("ucx needs an extra package. tcp and tls don’t."),
        ) from error
    except Exception as error:  # Dask’s errors if another server answers
        raise UserError(
            tr(
                "{address} isn’t the address of a Dask scheduler, or the scheduler has a different "
                "version.",
                address=address,
            ),
            tr("Check the address, and that dask and distributed have the same version there."),
        ) from error


def own_security(keys: Mapping[str, str]) -> Any:
    """Security for both sides of a private cluster. keys : PEM texts, ``cert``, which is its own
    authority, and ``key``
    """
    sides = {
        f"tls_{side}_{kind}": keys[kind]
        for side in ("client", "scheduler", "worker")
        for kind in ("cert", "key")
    }
    return load_distributed().Security(require_encryption=True, tls_ca_file=keys["cert"], **sides)


def security_for(params: ClusterParams) -> Any:
    """Security for a named scheduler, None if Dask's configuration determines it. Raises
    UserError.
    """
    address, ca, cert, key = params.connection_key
    if not (ca or cert or key):
        if (
            params.uses_tls
            and load_distributed().Security().get_connection_args("client")["ssl_context"] is None
        ):
            raise UserError(
                tr("{address} needs certificates, but you haven’t given any.", address=address),
                tr("Give the certificate files, or set them in Dask’s configuration."),
            )
        return None
    if not params.uses_tls:
        raise UserError(
            tr("Certificates can only be used with an address that starts with tls://."),
            tr("Use a tls:// address, or remove the certificates."),
        )
    if not ca or not cert:
        raise UserError(
            tr("Your certificate and the CA certificate are needed together."),
            tr(
                "Give both files, and a third for the private key if it isn’t in your "
                "certificate’s file."
            ),
        )
    security = load_distributed().Security(
        require_encryption=True, tls_ca_file=ca, tls_client_cert=cert, tls_client_key=key or None
    )
    try:
        security.get_connection_args("client")
    except (OSError, ValueError) as error:
        raise UserError(
            tr(
                "Couldn’t read the certificates for {address} ({error}).",
                address=address,
                error=error_text(error),
            ),
            tr("Give PEM files that you can read, and the private key of your certificate."),
        ) from error
    return security


def _reason(error: OSError) -> str:
    """Reason of a failed connection, in the system's words or as a timeout."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, OSError) and cause.errno:
            return error_text(cause)
        cause = cause.__cause__
    if isinstance(error, TimeoutError):
        return tr("no answer in {number} s", number=CONNECT_SECONDS)
    return error_text(error)
