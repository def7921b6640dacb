"""Prints the first result of the command palette for each synonym, in the language of the process,
and for some English names:
``python tests/ui/synonyms_aloud.py``.
"""

from __future__ import annotations

import json
import os
import sys

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")


def main() -> int:
    from workbench.session.session import Session
    from workbench.ui.base.panel import PanelContext
    from workbench.ui.base.session_timer import Bridge
    from workbench.ui.base.theme import Theme
    from workbench.ui.commands.palette_entries import rank_offers, window_offers
    from workbench.ui.shell.application import make_application
    from workbench.ui.shell.window import Window

    app = make_application()
    session = Session()
    window = Window(PanelContext(session, Bridge(session), Theme(app, "light")), remembering=False)
    # An action that fails would be left out.
    sys.excepthook = lambda kind, *_: os._exit(1)
    _ = window.panels
    every = window_offers(window.commands)
    matches = [
        (synonym.strip(), one.key, rank_offers(synonym, every, {})[0].key)
        for one in every
        for synonym in one.synonyms.split(",")
        if synonym.strip()
    ]
    matches += [
        (query, key, rank_offers(query, every, {})[0].key)
        for query, key in (
            ("theme dark", "view.theme:dark"),
            ("neighbours", "view.panel:neighbours"),
            ("leaderboard", "view.page:evaluate.leaderboard"),
            ("heatmap", "view.panel:matrix"),
        )
    ]
    sys.stdout.write(json.dumps(matches) + "\n")
    sys.stdout.flush()
    window.close()
    os._exit(0)


if __name__ == "__main__":
    main()
