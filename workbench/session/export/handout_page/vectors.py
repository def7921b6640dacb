"""Vectors of the words, for neighbours, analogies and the odd one out, which the page computes."""

from __future__ import annotations

import numpy as np

from workbench.session.export.handout_page.section import PageSection
from workbench.session.export.handout_page.words import PageWords


def vectors_section(page: PageWords) -> PageSection:
    """The quantised unit vectors and, if they are known, the counts of the words."""
    quantised = page.quantised
    arrays = {"values": quantised.values, "scales": quantised.scales}
    counts = page.embeddings.counts
    if counts is not None:
        arrays["counts"] = np.minimum(counts[page.rows], 2**32 - 1).astype(np.uint32)
    return PageSection(
        "vectors",
        data={
            "words": len(page.words),
            "bits": quantised.bits,
            "bound": quantised.bound,
            "digits": quantised.digits,
            "of": len(page.embeddings),
        },
        arrays=arrays,
    )
