"""Take pictures of every panel and dialog for review: light and dark, in several sizes, and empty.

    python tests/tools/screens.py FOLDER [--panels map,matrix] [--sizes 1280x800,1440x900]
                                  [--ratios 1,2] [--themes light,dark] [--text 100,200]
                                  [--no-empty] [--alone] [--tabs] [--dialogs]

Needs Xvfb and openbox. The window is a real one; three models are first trained on the bundled
corpus. Pictures are saved as ``FOLDER/SIZE-THEME[-2x][-200]/PANEL.png``, and ``FOLDER/sheet-….png``
shows all pictures of a folder side by side. With ``--alone``, pictures show the panel without the
rest of the window and are saved as ``FOLDER/PANEL.png``. With ``--dialogs``, they show the dialogs,
the tour, the palette and presentation mode instead: ``FOLDER/dialogs-THEME[-2x][-200]/NAME.png``.
With ``--tabs``, every page of a panel is taken, not only the one it opens with:
``PANEL--PAGE.png``. The script itself uses ``--each``, for its process at one pixel ratio.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.session.training.request import TrainingSpec

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from workbench.session.session import Session
    from workbench.ui.shell.window import Window

ROOT = Path(__file__).resolve().parents[2]
_MODELS = ("sgns", "glove", "svd")
_SIZES = "1280x800,1440x900,1920x1080"
_SHEET_COLUMNS, _SHEET_WIDTH = 3, 640
# Number of consecutive checks, one per timer tick, that must find nothing under way.
_CALM = 8


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--panels", default="")
    parser.add_argument("--sizes", default=_SIZES)
    parser.add_argument("--ratios", default="1,2")
    parser.add_argument("--themes", default="light,dark")
    parser.add_argument("--text", default="100")
    parser.add_argument("--no-empty", action="store_true")
    parser.add_argument("--alone", action="store_true")
    parser.add_argument("--tabs", action="store_true")
    parser.add_argument("--dialogs", action="store_true")
    parser.add_argument("--each", type=float, default=0.0, help=argparse.SUPPRESS)
    options = parser.parse_args()
    sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "helpers")]
    if options.each:
        return _photograph(options)
    from desktop import Desktop

    options.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        desktop = Desktop(Path(scratch), "3960x2320")
        home = {"WORKBENCH_HOME": os.environ.get("WORKBENCH_HOME", scratch)}
        try:
            for ratio in options.ratios.split(","):
                # At a ratio of 2, one size shows as much as three.
                sizes = options.sizes if float(ratio) == 1 else options.sizes.split(",")[0]
                command = [
                    sys.executable,
                    __file__,
                    *sys.argv[1:],
                    "--sizes",
                    sizes,
                    "--each",
                    ratio,
                ]
                environment = {**desktop.environment, **home, "QT_SCALE_FACTOR": ratio}
                code = subprocess.run(command, env=environment, check=False).returncode
                if code:
                    return code
        finally:
            desktop.close()
    return 0


def _photograph(options: argparse.Namespace) -> int:
    from PySide6.QtCore import QSize, Qt
    from screen_tabs import pages, single

    from workbench.session.corpus.controller import FIRST_SAMPLE
    from workbench.session.session import Session
    from workbench.ui.base.panel import PanelContext
    from workbench.ui.base.panel_kind import PANELS
    from workbench.ui.base.session_timer import Bridge
    from workbench.ui.base.theme import Theme
    from workbench.ui.shell.application import make_application
    from workbench.ui.shell.window import Window
    from workbench.ui.shell.workspaces import WORKSPACES

    application = make_application()
    session = Session()
    context = PanelContext(session, Bridge(session), Theme(application, "light"))
    window = Window(context, remembering=False)
    window.setWindowFlag(Qt.WindowType.BypassWindowManagerHint)
    window.show()
    panels = options.panels.split(",") if options.panels else [panel.key for panel in PANELS]
    sizes = [QSize(*map(int, size.split("x"))) for size in options.sizes.split(",")]
    ending = "" if options.each == 1 else f"-{options.each:g}x"

    def settle() -> None:
        _settle(application, window, session)

    def take(kind: str, size: QSize) -> None:
        window.setFixedSize(size)
        for workspace in WORKSPACES:
            window.layouts.show_workspace(workspace.key)
            window.layouts.reset()
        for text in map(int, options.text.split(",")):
            context.theme.choose_text_size(text)
            for theme in options.themes.split(","):
                context.theme.choose(theme)
                end = ending + (f"-{text}" if text != 100 else "")
                name = "" if options.alone else f"{kind}{size.width()}x{size.height()}-{theme}{end}"
                folder = options.folder / name
                folder.mkdir(parents=True, exist_ok=True)
                names = []
                for key in panels:
                    window.raise_panel(key)
                    if options.alone and key == "map":
                        # The guide shows the map’s regions, not the plane of the analogy.
                        window.docks[key].panel._show_plane(False)
                    for page in (
                        pages(window.docks[key].panel, settle) if options.tabs else single(settle)
                    ):
                        for toast in list(window.toasts.shown):
                            toast.leave()
                        area = window.docks[key].geometry() if options.alone else window.rect()
                        names.append(f"{key}--{page}" if page else key)
                        window.grab(area).save(str(folder / f"{names[-1]}.png"))
                if not options.alone:
                    _sheet(folder, options.folder / f"sheet-{folder.name}.png", names)
                print(folder, flush=True)

    if not options.no_empty and not options.dialogs:
        take("empty-", sizes[0])
    session.corpora.open_sample(FIRST_SAMPLE)
    _settle(application, window, session)
    _train(application, window, session)
    if options.dialogs:
        window.setFixedSize(sizes[0])
        for theme in options.themes.split(","):
            for text in map(int, options.text.split(",")):
                context.theme.choose(theme)
                context.theme.choose_text_size(text)
                folder = (
                    options.folder / f"dialogs-{theme}{ending}{f'-{text}' if text != 100 else ''}"
                )
                folder.mkdir(parents=True, exist_ok=True)
                _dialogs(application, window, session, folder)
                print(folder, flush=True)
        sizes = []
    for size in sizes:
        take("", size)
    window.close()
    application.processEvents()
    return 0


def _dialogs(application: QApplication, window: Window, session: Session, folder: Path) -> None:
    """Take every dialog and overlay of the window, one after another, closing each again."""
    from PySide6.QtWidgets import QWidget

    from workbench.session.bug_reports import report
    from workbench.ui.commands.registry import GROUPS
    from workbench.ui.commands.run_targets import RunTarget
    from workbench.ui.dialogs.cluster import count_on_cluster
    from workbench.ui.dialogs.defect import DefectDialog
    from workbench.ui.shell.help.help_features import guide_of

    context, panels = window.context, {key: dock.panel for key, dock in window.docks.items()}
    guide, target = (
        guide_of(window, context),
        RunTarget(panels["runs"], context, tuple(session.runs[:1])),
    )

    def take(name: str, widget: QWidget) -> None:
        _settle(application, window, session)
        for toast in list(window.toasts.shown):
            toast.leave()
        widget.grab().save(str(folder / f"{name}.png"))

    def take_new(name: str, open_dialog: Callable[[], object]) -> None:
        before = set(application.topLevelWidgets())
        open_dialog()
        for widget in [
            one for one in application.topLevelWidgets() if one not in before and one.isVisible()
        ]:
            take(name, widget)
            widget.close()
            _settle(application, window, session)

    preferences = window.open_preferences()
    for page in preferences.pages:
        preferences.show_page(page)
        take(f"preferences-{page}", preferences)
    preferences.close()
    for action in GROUPS["run"].actions:
        if action.key in ("run.vectors", "run.share", "run.hand_out"):
            take_new(action.key, lambda action=action: action.run(target))
    window.raise_panel("matrix")
    _settle(application, window, session)
    take_new("counts", panels["matrix"].save_counts)
    take_new("cluster", lambda: count_on_cluster(window, session, context.theme))
    take_new("figure", panels["matrix"].exports.ask_figure)
    take_new("log", guide.show_log)
    take_new("about", guide.show_about)
    take_new(
        "defect",
        lambda: DefectDialog(
            window,
            context.theme,
            session.settings,
            "ValueError",
            lambda: report(session, ()),
            None,
        ).show(),
    )
    take_new("name", window.ask_layout_name)
    window.open_palette("")
    take("palette", window)
    window.palette_box.leave()
    guide.start_tour()
    take("tour", window)
    guide.tour.end()
    window.raise_panel("map")
    guide.toggle_presentation()
    take("presenting", window)
    guide.toggle_presentation()
    _settle(application, window, session)


def _train(application: QApplication, window: Window, session: Session) -> None:
    """Train three models, show the first, select the answer of its analogy and answer all its
    questions.
    """
    from PySide6.QtWidgets import QPushButton

    from workbench.models.base import MODELS, preset_params

    records = []
    for key in _MODELS:
        kind = MODELS[key]
        classroom = any(preset.name == "classroom" for preset in kind.presets)
        records.append(
            session.training.start(
                TrainingSpec(
                    key, preset_params(kind, "classroom") if classroom else kind.params_type()
                )
            )
        )
        _until(application, lambda: records[-1].state.over)
    session.active.show(records[0])
    _settle(application, window, session)
    if session.selection.analogy is not None:
        session.selection.select([session.selection.analogy.answer])
    window.raise_panel("evaluate")
    _settle(application, window, session)
    answer_all = window.docks["evaluate"].panel.findChild(QPushButton, "evaluate.analogies.start")
    assert answer_all is not None
    answer_all.click()
    _settle(application, window, session)


def _settle(application: QApplication, window: Window, session: Session) -> None:
    calm = 0

    def still() -> bool:
        nonlocal calm
        busy = (
            not window.idle
            or session.corpora.opening is not None
            or any(not job.quiet for job in session.jobs.active)
        )
        calm = 0 if busy else calm + 1
        return calm >= _CALM

    _until(application, still)


def _until(application: QApplication, condition: Callable[[], bool]) -> None:
    from PySide6.QtCore import QEventLoop, QTimer

    loop = QEventLoop()
    timer = QTimer(interval=30)
    timer.timeout.connect(lambda: loop.quit() if condition() else None)
    timer.start()
    loop.exec()
    application.processEvents()


def _sheet(folder: Path, path: Path, panels: list[str]) -> None:
    """Combine all pictures of a folder, scaled down, into one."""
    from PySide6.QtCore import Qt
    from PySide6.QtGui import QImage, QPainter

    images = [
        QImage(str(folder / f"{key}.png")).scaledToWidth(
            _SHEET_WIDTH, Qt.TransformationMode.SmoothTransformation
        )
        for key in panels
    ]
    tall = images[0].height()
    rows = -(-len(images) // _SHEET_COLUMNS)
    sheet = QImage(_SHEET_COLUMNS * _SHEET_WIDTH, rows * tall, QImage.Format.Format_RGB32)
    sheet.fill(0x808080)
    painter = QPainter(sheet)
    for at, image in enumerate(images):
        image.setDevicePixelRatio(1.0)
        painter.drawImage(at % _SHEET_COLUMNS * _SHEET_WIDTH, at // _SHEET_COLUMNS * tall, image)
    painter.end()
    sheet.save(str(path))


if __name__ == "__main__":
    sys.exit(main())
