"""Measures of the shape of a space: its directions and hubs, before and after corrections."""

from __future__ import annotations

from workbench.analysis.shape.report import (
    PLAIN,
    Shape,
    ShapeReport,
    ShapeSettings,
    describe_shape,
)
from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.session.lessons.measure_registry import MeasureScene, Name, RunLabel, measure

_UNCHANGED = Name(PLAIN)


@measure(tr("mean cosine of two words of the text in {run} (vectors: {variant})"))
def token_cosine(scene: MeasureScene, run: RunLabel, variant: Name = _UNCHANGED) -> float:
    return _shape(scene, run, variant).by_tokens


@measure(
    tr(
        "largest number of words that have the same word among their 10 nearest in {run} (vectors: "
        "{variant})"
    ),
    digits=0,
)
def largest_hub(scene: MeasureScene, run: RunLabel, variant: Name = _UNCHANGED) -> float:
    return float(_shape(scene, run, variant).hubs.largest)


def _shape(scene: MeasureScene, run: RunLabel, variant: str) -> Shape:
    """The first variant of this kind. Raises UserError if there is none."""
    model = scene.vectors(run)

    def describe() -> ShapeReport:
        return describe_shape(model, ShapeSettings(limit=0), run=scene.run)

    report = scene.once(model, ("shape",), describe)
    for shape in report.variants:
        if shape.kind == variant:
            return shape
    raise UserError(
        tr("Unknown variant “{variant}”.", variant=variant),
        tr(
            "Choose one of: {names}.",
            names=", ".join(dict.fromkeys(shape.kind for shape in report.variants)),
        ),
    )
