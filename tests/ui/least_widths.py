"""Prints the texts that are cut off in panels at their minimum width, in the language of the
process: ``python tests/ui/least_widths.py``.
"""

from __future__ import annotations

import json
import os
import sys

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")


def main() -> int:
    from PySide6.QtWidgets import QAbstractButton, QApplication, QScrollArea
    from session.fakes import small_corpus

    from workbench.core.job_control import JobControl
    from workbench.session.runs.run_record import RunRecord, State
    from workbench.session.session import Session
    from workbench.ui.base.panel import PanelContext
    from workbench.ui.base.panel_kind import PANELS
    from workbench.ui.base.session_timer import Bridge
    from workbench.ui.base.theme import Theme
    from workbench.ui.shell.application import make_application

    app = make_application()
    session = Session()
    theme = Theme(app, "light")
    context = PanelContext(session, Bridge(session), theme)
    session.corpora.current = small_corpus()
    session.runs.append(
        RunRecord("1", "run", "sgns", {}, "", "", "", state=State.TRAINING, run=JobControl())
    )
    cut: list[tuple[str, int, str]] = []
    for size in (100, 150):
        theme.choose_text_size(size)
        for kind in PANELS:
            panel = kind.panel_class()(context)
            theme.dress(panel)
            panel.show()
            for _ in range(3):
                width = max(panel.minimumSizeHint().width(), panel.minimumWidth())
                panel.resize(width, 1600)
                QApplication.processEvents()
            for area in panel.findChildren(QScrollArea):
                bar = area.horizontalScrollBar()
                if area.isVisible() and bar.isVisible() and bar.maximum():
                    cut.append((kind.key, size, f"scrolls by {bar.maximum()}"))
            for button in panel.findChildren(QAbstractButton):
                short = button.sizeHint().width() - button.width()
                if button.isVisible() and button.text() and short > 0:
                    cut.append((kind.key, size, button.text()))
            panel.release()
            panel.close()
    sys.stdout.write(json.dumps(cut) + "\n")
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
