"""Every panel in a real window, used with clicks and keys, with two models trained on the bundled
corpus.

Each line of ``WALK`` is a panel, a workspace that has it, the title of its tab ("" where it has
none), and the actions in it:

- ("click", widget), ("fill", widget, text) followed by Return, ("keys", key, …)
- ("see", widget, text): wait until the widget shows a text that contains this one
- ("turn", button, field, text): click until the field contains the text: the click that closes a
  list of completions does nothing else

At the end of its part, each panel must show words and numbers, not an empty page.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from desktop import App

from workbench.ui.base.panel_kind import PANELS

pytestmark = pytest.mark.slow

Deed = tuple[str, ...]

WALK: tuple[tuple[str, str, str, tuple[Deed, ...]], ...] = (
    (
        "loss",
        "train",
        "Loss",
        (("click", "loss.log_y"), ("click", "loss.plot"), ("click", "loss.log_y")),
    ),
    (
        "analogy",
        "explore",
        "",
        (
            ("fill", "analogy.a", "king"),
            ("fill", "analogy.b", "man"),
            ("fill", "analogy.c", "woman"),
            ("see", "analogy.answers", "queen"),
            ("turn", "analogy.swap", "analogy.b", "woman"),
            ("see", "analogy.answers", "\t"),
            ("turn", "analogy.swap", "analogy.b", "man"),
            ("see", "analogy.answers", "queen"),
        ),
    ),
    (
        "neighbours",
        "explore",
        "Neighbours",
        (
            ("fill", "neighbours.word", "violin"),
            ("see", "neighbours.list", "\n"),
            ("click", "neighbours.list"),
            ("keys", "Home", "Down", "Return"),
            ("see", "neighbours.list", "violin"),
        ),
    ),
    (
        "inspector",
        "explore",
        "Inspector",
        (
            ("click", "inspector.order.count"),
            ("click", "inspector.order.pmi"),
            ("keys", "alt+Left"),
        ),
    ),
    (
        "map",
        "explore",
        "Map",
        (
            ("fill", "map.search", "queen"),
            ("click", "map.view"),
            ("keys", "plus", "plus", "minus"),
            ("click", "map.lasso"),
            ("keys", "Escape"),
            ("click", "map.fit"),
        ),
    ),
    (
        "matrix",
        "theory",
        "Matrix",
        (
            ("see", "matrix.readout", "Point at a cell"),
            ("click", "matrix.view"),
            ("keys", "Down", "Right", "Right"),
            ("see", "matrix.readout", "#(w,c)"),
        ),
    ),
    (
        "theory",
        "theory",
        "Theory",
        (
            ("see", "theory.fit.facts", "observed pairs"),
            ("click", "theory.fit.density"),
            ("click", "theory.fit.side.settings"),
            ("click", "theory.show.factors"),
            ("see", "theory.factors.readout", ""),
            ("click", "theory.show.dims"),
            ("click", "theory.show.fit"),
        ),
    ),
    (
        "weights",
        "theory",
        "Weights",
        (
            ("see", "weights.curves.fact", " "),
            ("click", "weights.show.ratios"),
            ("fill", "weights.ratios.a", "king"),
            ("fill", "weights.ratios.b", "queen"),
            ("fill", "weights.ratios.probes", "he she crown"),
            ("see", "weights.ratios.table", "crown"),
            ("click", "weights.show.biases"),
            ("click", "weights.show.entropy"),
            ("click", "weights.show.cost"),
            ("click", "weights.show.curves"),
        ),
    ),
    (
        "pair",
        "theory",
        "Pair",
        (
            ("fill", "pair.word", "king"),
            ("fill", "pair.context_word", "crown"),
            ("click", "pair.swap"),
        ),
    ),
    (
        "time",
        "explore",
        "Time",
        (
            ("click", "time.slider"),
            ("keys", "Home", "Right", "Right"),
            ("see", "time.neighbours", "\n"),
            ("click", "time.play"),
            ("keys", "End"),
        ),
    ),
    (
        "corpus",
        "corpus",
        "Corpus",
        (
            ("fill", "corpus.filter", "king"),
            ("see", "corpus.vocabulary", "king"),
            ("click", "corpus.vocabulary"),
            ("keys", "Home", "Down"),
            ("click", "corpus.lens.zipf"),
            ("click", "corpus.lens.subsampling"),
            ("click", "corpus.lens.noise"),
            ("click", "corpus.lens.lines"),
            ("see", "corpus.lines.title", ""),
        ),
    ),
    (
        "relations",
        "explore",
        "Relations",
        (
            ("click", "relations.one"),
            ("see", "relations.bars", "queen"),
            ("click", "relations.bars"),
            ("keys", "Down"),
            ("see", "relations.parts", "."),
            ("click", "relations.many"),
            ("see", "relations.fact", "."),
            ("fill", "relations.word", "king"),
            ("see", "relations.answers", "\t"),
        ),
    ),
    (
        "evaluate",
        "evaluate",
        "Evaluate",
        (
            ("click", "evaluate.show.analogies"),
            ("click", "evaluate.analogies.start"),
            ("see", "evaluate.analogies.sections", "%"),
            ("click", "evaluate.show.similarity"),
            ("see", "evaluate.similarity.scores", "."),
            ("click", "evaluate.show.odd"),
            ("fill", "evaluate.odd.words", "king queen man violin"),
            ("see", "evaluate.odd.bars", ""),
            ("click", "evaluate.show.leaderboard"),
            ("click", "evaluate.leaderboard.start"),
            ("see", "evaluate.leaderboard.table", "SGNS"),
        ),
    ),
    (
        "compare",
        "evaluate",
        "Compare",
        (
            ("see", "compare.models.fact", "common words"),
            ("click", "compare.models.words"),
            ("keys", "Down", "Return"),
            ("click", "compare.models.swap"),
            ("see", "compare.models.fact", "common words"),
            ("click", "compare.show.seeds"),
        ),
    ),
    (
        "step",
        "train",
        "Step",
        (
            ("see", "step.view", ""),
            ("click", "step.forward"),
            ("click", "step.many"),
            ("click", "step.back"),
            ("see", "step.losses", ""),
        ),
    ),
    (
        "inside",
        "theory",
        "Inside",
        (("fill", "inside.tree.word", "king"), ("see", "inside.tree.fact", "king")),
    ),
    (
        "runs",
        "evaluate",
        "Runs",
        (
            ("see", "runs.table.runs", "SGNS 2"),
            ("fill", "runs.table.filter", "sgns words>5"),
            ("see", "runs.table.runs", "SGNS 1"),
            ("click", "runs.show.queue"),
            ("click", "runs.show.grid"),
            ("see", "runs.grid.plan", ""),
            ("click", "runs.show.results"),
            ("click", "runs.show.table"),
        ),
    ),
    (
        "lessons",
        "evaluate",
        "",
        (
            # Lessons can be opened beside any workspace.
            ("keys", "ctrl+k"),
            ("fill", "palette.field", "go to lessons"),
            ("click", "lessons.list.beginner"),
            ("see", "lessons.title", ""),
            ("click", "lessons.next"),
            ("click", "lessons.all"),
            # The place was remembered: the first step has no way back.
            ("click", "lessons.list.beginner"),
            ("click", "lessons.back"),
            ("click", "lessons.all"),
        ),
    ),
    ("collocations", "corpus", "Collocations", (("fill", "collocations.word", "king"),)),
    ("documents", "corpus", "Documents", ()),
    ("groups", "corpus", "Groups", ()),
    ("shape", "theory", "Shape", (("see", "shape.chart", ""),)),
    ("influence", "theory", "Influence", (("fill", "influence.words", "king queen"),)),
    ("teach", "explore", "Teach", (("fill", "teach.word", "blicket"),)),
    (
        "walk",
        "explore",
        "Word walk",
        (
            ("see", "walk.question", " → "),
            ("fill", "walk.number", "7"),
            ("click", "walk.option.1"),
            ("see", "walk.moves", "1 move."),
            ("click", "walk.back"),
            ("see", "walk.moves", "2 moves."),
            ("click", "walk.shortest"),
            ("see", "walk.moves", "A shortest walk: "),
            ("click", "walk.next"),
            ("see", "walk.moves", "0 moves."),
        ),
    ),
    ("learn", "learn", "", (("click", "learn.show.teach"), ("click", "learn.show.lessons"))),
    (
        "train",
        "train",
        "",
        (("click", "train.more"), ("click", "train.more"), ("fill", "train.param.dim", "24")),
    ),
)


def do(app: App, deed: Deed) -> None:
    match deed:
        case ("click", name):
            app.click(name)
        case ("fill", name, text):
            app.fill(name, text)
            app.key("Return")
        case ("keys", *keys):
            app.key(*keys)
        case ("turn", button, field, text):

            def turned() -> bool:
                app.click(button)
                return app.comes(lambda: app.holds(field, text))

            app.again(turned, f"{text} in {field}")
        case ("see", name, text):
            app.wait_for(name, lambda widget: text in widget.text)


def test_every_panel_by_clicks_and_keys(launch: Callable[..., App]) -> None:
    assert {key for key, *_ in WALK} == set(PANELS.keys())
    with launch() as app:
        app.wait_for("window.corpus", lambda widget: "Small World" in widget.text)
        app.click("window.workspace.train")
        for number in (1, 2):
            # the first start compiles kernels, and says so
            app.wait_for("train.start")
            app.click("train.start")
            app.wait_for("train.runs", lambda widget, number=number: len(widget.lines) >= number)
        # The second run is shown once its training ends.
        app.wait_for("window.run", lambda widget: "SGNS 2" in widget.text)
        # The first training offers the tour.
        app.click("activity.message.close")
        for key, workspace, title, deeds in WALK:
            app.click(f"window.workspace.{workspace}")
            if title:
                app.raise_tab(title)
            for deed in deeds:
                do(app, deed)
            message = app.widget("activity.message")
            assert message is None or not message.visible, f"after {key}: {message.text}"
        assert app.close_window() == 0
    assert app.log.read_text() == ""
