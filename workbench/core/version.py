"""The version of the workbench, which ``pyproject.toml`` reads here."""

from __future__ import annotations

__version__ = "0.1.0"
