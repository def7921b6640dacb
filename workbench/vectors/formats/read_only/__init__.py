"""Formats of vectors that are read, but not written. Each format is one module in this package."""

from __future__ import annotations

from workbench.core.language import tr
from workbench.core.registry import Registry
from workbench.vectors.formats.base import Source

READ_ONLY: Registry[Source] = Registry(
    "workbench.vectors.formats.read_only", Source, tr("format"), group="read-only-formats"
)
