"""Options of a screenshot, known before Qt is loaded."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class ScreenshotOptions:
    """``path``: of the PNG; ``size``: of the window in pixels; ``train``: the algorithm whose
    classroom preset is trained first, "" for none; ``panel``: the one in front, "" for the first;
    ``widgets``: where the boxes of the named widgets are written as JSON, None for nowhere.
    """

    path: Path
    size: tuple[int, int] = (1440, 900)
    train: str = ""
    panel: str = ""
    widgets: Path | None = None
