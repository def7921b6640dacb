"""Options of a screenshot, available before Qt is loaded."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class ScreenshotOptions:
    """``path``: of the PNG; ``size``: of the window in pixels; ``train``: algorithm whose classroom
    preset is trained first, "" for none; ``panel``: panel in front, "" for the first; ``widgets``:
    path for the boxes of the named widgets as JSON, None for no file.
    """

    path: Path
    size: tuple[int, int] = (1440, 900)
    train: str = ""
    panel: str = ""
    widgets: Path | None = None
