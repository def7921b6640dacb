"""Postprocessing of trained vectors as their parameters say."""

from __future__ import annotations

import dataclasses

from workbench.core.job_control import JobControl
from workbench.models.params import ModelParams, VectorParams
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.postprocessing import apply_postprocessing


def finish_embeddings(
    fitted: Embeddings, params: ModelParams, run: JobControl | None = None
) -> Embeddings:
    """Postprocessing of the trained vectors according to the parameters (see
    :mod:`workbench.vectors.postprocessing`).

    If a small vocabulary leaves no more dimensions than directions to remove, all but one are
    removed, so that the training isn't lost. Raises Cancelled.
    """
    if not isinstance(params, VectorParams):
        return fitted
    choice = params.choice()
    if choice.all_but_the_top >= fitted.inputs.shape[1]:
        choice = dataclasses.replace(choice, all_but_the_top=fitted.inputs.shape[1] - 1)
    return apply_postprocessing(fitted, choice, run)
