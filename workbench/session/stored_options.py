"""Reading options as files store them."""

from __future__ import annotations

from os.path import expanduser

from workbench.core.errors import UserError
from workbench.core.paths import exists
from workbench.corpus.corpus import LISTS, CorpusOptions
from workbench.corpus.tokenisers import TOKENISERS


def without_missing(kept: object) -> CorpusOptions:
    """Stored options without packages and word lists that are no longer there."""
    try:
        if isinstance(kept, dict):
            made = CorpusOptions.from_mapping(kept)
        else:
            made = CorpusOptions()
    except UserError:
        return CorpusOptions()
    if TOKENISERS[made.tokeniser].missing() is not None:
        made = made.replace(tokeniser=CorpusOptions().tokeniser)
    lists = {name: str(getattr(made, name)) for name in LISTS}
    return made.replace(
        **{
            name: ""
            for name, value in lists.items()
            if value[:1] == "@" and not exists(expanduser(value[1:]))
        }
    )
