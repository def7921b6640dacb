"""Options from declarations, and errors on one line."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Container, Sequence
from pathlib import Path
from typing import Any, NoReturn

from workbench.core.errors import ParameterError, UserError
from workbench.core.params import Params
from workbench.corpus.corpus import CorpusOptions
from workbench.models.base import Model

# Metavars of arguments that name a file and are kept as typed.
_FILES = frozenset(
    ("CORPUS", "CORPUS | VECTORS", "FILE", "IMAGE", "IN", "LESSON", "RUN|VECTORS", "V.vec")
)


def _nonempty_name(text: str) -> str:
    if not text:
        raise argparse.ArgumentTypeError("a file name is empty")
    return text


def _file_name(text: str) -> Path:
    return Path(_nonempty_name(text))


class LateText(str):
    """A help text that is made when argparse shows it, because it lists what takes long to
    import.
    """

    def __new__(cls, make: Callable[[], str]) -> LateText:
        text = super().__new__(cls, "…")
        text._make = make
        return text

    _make: Callable[[], str]

    def __mod__(self, values: Any) -> str:
        text: str = self._make() % values
        return text


class Parser(argparse.ArgumentParser):
    """argparse without abbreviations, which raises UserError instead of printing its usage."""

    def __init__(self, **keywords: Any) -> None:
        super().__init__(allow_abbrev=False, **keywords)

    def add_argument(self, *names: Any, **keywords: Any) -> argparse.Action:
        """Add an argument as argparse does; an empty file name, which would mean the current
        folder, is refused.
        """
        if keywords.get("type") is Path:
            keywords["type"] = _file_name
        elif "type" not in keywords and keywords.get("metavar") in _FILES:
            keywords["type"] = _nonempty_name
        return super().add_argument(*names, **keywords)

    def error(self, message: str) -> NoReturn:
        raise UserError(f"{self.prog}: {message}.", f"“{self.prog} --help” lists its options.")

    def parse_all(self, arguments: Sequence[str]) -> argparse.Namespace:
        """Parse, positional arguments anywhere among the options; unknown options are errors."""
        known, rest = self.parse_known_intermixed_args(list(arguments))
        if rest:
            self.error(f"unknown option or argument: {' '.join(rest)}")
        return known


_YES_NO = {True: "yes", False: "no"}


def add_params(parser: argparse.ArgumentParser, kind: type[Params], title: str) -> None:
    """Add an option for every declared parameter; options that are not given stay None."""
    group = parser.add_argument_group(title)
    for spec in kind.specs():
        default = str(spec.default) or "empty"
        if spec.type is bool:
            default = _YES_NO[bool(spec.default)]
        text = f"{spec.doc} (default {default})".replace("%", "%%")
        if spec.type is bool:
            group.add_argument(
                spec.option,
                action=argparse.BooleanOptionalAction,
                dest=spec.name,
                default=None,
                help=text,
            )
        else:
            metavar = "|".join(spec.choices) or spec.symbol or spec.type.__name__.upper()
            group.add_argument(
                spec.option,
                dest=spec.name,
                default=None,
                metavar=metavar.replace("%", "%%"),
                help=text,
            )


def given_params(arguments: argparse.Namespace, kind: type[Params]) -> dict[str, object]:
    """The parameters of ``kind`` that were given, by name."""
    values = {spec.name: getattr(arguments, spec.name) for spec in kind.specs()}
    return {name: value for name, value in values.items() if value is not None}


def options_of(*kinds: type[Params]) -> str:
    """The options of these declarations, for use within a sentence."""
    return ", ".join(spec.option for kind in kinds for spec in kind.specs())


def parse_training(
    parser: Parser, arguments: Sequence[str], kind: type[Model], further: str
) -> argparse.Namespace:
    """The arguments of a command that trains ``kind``; ``further`` lists its other options, for a
    sentence. Raises UserError for unknown options, and without a corpus.
    """
    known, rest = parser.parse_known_intermixed_args(list(arguments))
    if rest:
        unknown = [word for word in rest if word.startswith("-")] or rest
        raise UserError(
            f"{kind.key} doesn’t have the option {', '.join(unknown)}.",
            f"Choose from: {options_of(kind.params_type, CorpusOptions)}, --algorithm, --preset, "
            f"--counts, {further}.",
        )
    if not known.corpus and known.counts is None:
        raise UserError(
            "No corpus given.",
            "Give files, folders or a bundled corpus, for example: "
            f"{parser.prog.split()[-1]} small-world.",
        )
    return known


def unknown_preset(kind: type[Model], name: str) -> UserError:
    hint = "Leave --preset out."
    if kind.presets:
        hint = f"Choose one of: {', '.join(preset.name for preset in kind.presets)}."
    return UserError(f"Unknown preset “{name}” of {kind.key}.", hint)


class Errors:
    """Collect parameter errors of several declarations, to report all of them at once."""

    def __init__(self) -> None:
        self._errors: dict[str, str] = {}

    def make_params(self, kind: type[Params], values: dict[str, object]) -> Any:
        """An instance of ``kind``, or None if a value is wrong."""
        try:
            return kind.from_mapping(values)
        except ParameterError as error:
            self._errors |= error.errors
            return None

    def refuse_without_effect(self, options: CorpusOptions | None, given: Container[str]) -> None:
        """Collect an error for each option that was given although it changes nothing."""
        if options is not None:
            for name in sorted(options.without_effect()):
                if name in given:
                    needed = "--tokeniser regex" if name == "pattern" else "--phrases 1 or more"
                    text = f"{options.spec(name).option} has no effect without {needed}."
                    self._errors[name] = text

    def raise_errors(self) -> None:
        """Raise ParameterError if there were errors."""
        if self._errors:
            raise ParameterError(self._errors)


def read_params(arguments: argparse.Namespace, *kinds: type[Params]) -> tuple[Any, ...]:
    """An instance of each declaration from the given options. Raises ParameterError with the errors
    of all declarations.
    """
    errors = Errors()
    params = tuple(errors.make_params(kind, given_params(arguments, kind)) for kind in kinds)
    for kind, each in zip(kinds, params, strict=True):
        if kind is CorpusOptions:
            errors.refuse_without_effect(each, given_params(arguments, kind))
    errors.raise_errors()
    return params
