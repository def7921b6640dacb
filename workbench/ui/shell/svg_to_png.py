"""A drawing as pixels, in a process of its own that needs no display.

    python -m workbench.ui.shell.svg_to_png DRAWING.svg PICTURE.png

Two pixels to the unit of the drawing. Ends with 1 and a sentence where the picture cannot be
written.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from PySide6.QtGui import QGuiApplication, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

_RATIO = 2


def main(arguments: Sequence[str]) -> int:
    drawing, picture = arguments
    # The letters need an application.
    application = QGuiApplication(["workbench", "-platform", "offscreen"])
    renderer = QSvgRenderer(drawing)
    image = QImage(renderer.defaultSize() * _RATIO, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(0)
    painter = QPainter(image)
    renderer.render(painter)
    painter.end()
    written = image.save(picture, "PNG")  # type: ignore[call-overload]
    application.quit()
    if not written:
        print(f"{picture} cannot be written.", file=sys.stderr)
    if written:
        return 0
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
