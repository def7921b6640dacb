"""What isn't possible for vectors whose contexts have a vocabulary of their own."""

from __future__ import annotations

from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.vectors.embeddings import Embeddings


def no_product_of_words(embeddings: Embeddings) -> UserError | None:
    """Why no two words have a product w·c, or None: their contexts aren't words."""
    if embeddings.own_contexts is None:
        return None
    return UserError(
        tr("The contexts of these vectors aren’t words, so two words have no product w·c."),
        tr("Compare the words by cosine, or train with words as contexts."),
    )
