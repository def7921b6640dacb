"""Reading options as files store them."""

from __future__ import annotations

from os.path import expanduser

from workbench.core.errors import UserError
from workbench.core.paths import exists
from workbench.corpus.corpus import LISTS, CorpusOptions
from workbench.corpus.tokenise.tokenisers import TOKENISERS


def without_missing(kept: object) -> CorpusOptions:
    """Stored options without packages and word lists that no longer exist."""
    try:
        options = CorpusOptions.from_mapping(kept) if isinstance(kept, dict) else CorpusOptions()
    except UserError:
        return CorpusOptions()
    if TOKENISERS[options.tokeniser].missing() is not None:
        options = options.replace(tokeniser=CorpusOptions().tokeniser)
    lists = {name: str(getattr(options, name)) for name in LISTS}
    return options.replace(
        **{
            name: ""
            for name, value in lists.items()
            if value[:1] == "@" and not exists(expanduser(value[1:]))
        }
    )
