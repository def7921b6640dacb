"""Translations of library error messages about damaged files, which are always English.

Messages are identified by their texts, because they have no numbers. Unknown messages stay
unchanged.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from functools import cache

from workbench.core.language import tr

_Found = re.Match[str]
Wordings = Sequence[tuple[re.Pattern[str], Callable[[_Found], str]]]


def translate_message(said: str, wordings: Wordings) -> str | None:
    """The wording of the first pattern that matches the whole message, if any."""
    fits = ((pattern.fullmatch(said), word) for pattern, word in wordings)
    return next((word(found) for found, word in fits if found is not None), None)


def compile_wordings(table: Sequence[tuple[str, str | Callable[[_Found], str]]]) -> Wordings:
    """Compile patterns, each with a text or with a function that makes a text from the match."""

    def always(text: str) -> Callable[[_Found], str]:
        return lambda _: text

    wordings = []
    for pattern, to in table:
        if isinstance(to, str):
            to = always(to)
        wordings.append((re.compile(pattern, re.DOTALL), to))
    return wordings


def error_cause(error: Exception) -> str:
    """Text of an error that isn't a system error, for use within a sentence."""
    if isinstance(error, json.JSONDecodeError):
        return tr(
            "invalid JSON in line {line:,}, column {column:,}",
            line=error.lineno,
            column=error.colno,
        )
    if isinstance(error, UnicodeDecodeError):
        return tr(
            "invalid {encoding} at byte {place:,}",
            encoding=error.encoding.upper(),
            place=error.start + 1,
        )
    # The text of a KeyError is its argument as Python writes it, in quotes.
    said = str(error.args[0]) if isinstance(error, KeyError) and error.args else str(error)
    if isinstance(error, EOFError) and not said:
        return tr("the file is truncated")
    placed = re.fullmatch(r"(.+): line (\d+), column (\d+)", said)
    if placed is not None and (what := translate_message(placed[1], _xml_wordings())) is not None:
        return tr(
            "{what} in line {line:,}, column {column:,}",
            what=what,
            line=int(placed[2]),
            column=int(placed[3]),
        )
    return translate_message(said, _file_wordings()) or said or type(error).__name__


@cache
def _xml_wordings() -> Wordings:
    return compile_wordings(
        (
            (r"no element found", tr("an element is missing")),
            (
                r"syntax error|not well-formed \(invalid token\)|xml declaration not .*",
                tr("no XML"),
            ),
            (r"unclosed token|unclosed CDATA section", tr("a tag isn’t closed")),
            (r"mismatched tag", tr("a closing tag doesn’t match the open element")),
            (r"duplicate attribute", tr("an attribute occurs twice")),
            (r"junk after document element", tr("content after the end")),
            (r"undefined entity", tr("an unknown entity")),
            (
                r"reference to invalid character number|partial character",
                tr("an invalid character"),
            ),
            (r"unknown encoding|encoding specified in XML.*", tr("an unknown encoding")),
            (r"unbound prefix", tr("an undeclared prefix")),
        )
    )


@cache
def _file_wordings() -> Wordings:
    return [*_zip_wordings(), *_stream_wordings(), *_array_wordings()]


def _zip_wordings() -> Wordings:
    """Messages of zipfile."""
    head, contents = (
        tr("the header of a file in it is corrupt"),
        tr("its table of contents is corrupt"),
    )
    name = r"b?(?P<quote>['\"])(?P<name>.*)(?P=quote)"
    return compile_wordings(
        (
            (r"File is not a zip file", tr("it isn’t a zip file, or it is truncated")),
            (r"(Bad magic number for|Truncated|Bad offset for) central directory", contents),
            (r"Corrupt (zip64 )?extra field.*|negative seek value.*", contents),
            (
                r"(Bad magic number for|Truncated) file header|File name in directory .* and "
                r"header .* differ\.",
                head,
            ),
            (
                rf"Bad CRC-32 for file {name}",
                lambda at: tr("the checksum of “{name}” doesn’t match", name=at["name"]),
            ),
            (
                rf"There is no item named {name} in the archive",
                lambda at: tr("“{name}” is missing", name=at["name"]),
            ),
            (
                rf"Overlapped entries: {name}.*",
                lambda at: tr("“{name}” overlaps the file after it", name=at["name"]),
            ),
            (
                rf"File {name} is encrypted.*",
                lambda at: tr("“{name}” is encrypted", name=at["name"]),
            ),
            (
                r"zipfiles that span multiple disks are not supported",
                tr("it is one part of a split archive"),
            ),
            (r"That compression method is not supported", tr("its compression")),
            (
                r"compression type (\d+) \((\w+)\)",
                lambda at: tr("compression “{name}”", name=at[2]),
            ),
            (r"compression type (\d+)", lambda at: tr("compression method {number}", number=at[1])),
            (r"zip file version (.+)", lambda at: tr("zip version {number}", number=at[1])),
            (r"compressed patched data.*", tr("compressed patches")),
            (r"strong encryption.*", tr("encryption")),
        )
    )


def _stream_wordings() -> Wordings:
    """Messages of zlib, gzip, bz2, lzma, tarfile and struct."""
    early, packed = tr("the file is truncated"), tr("its compressed data are corrupt")
    length = tr("its length doesn’t match its header")
    return compile_wordings(
        (
            (r"Error -5 .*|Compressed (file|data) ended before .*", early),
            (
                r"Error -3 while decompressing data: incorrect data check",
                tr("its checksum doesn’t match"),
            ),
            (r"Error -3 while decompressing data: incorrect length check", length),
            (r"(zlib error: )?Error -?\d+ while decompressing.*", packed),
            (r"Invalid data stream|Corrupt input data|invalid compressed data", packed),
            (r"CRC check failed.*", tr("its checksum doesn’t match")),
            (r"Incorrect length of data produced", length),
            (r"Not a gzipped file.*|not a gzip file", tr("it isn’t a gzip file")),
            (
                r"(Input format|Unsupported|Invalid or unsupported|Unknown compression method).*",
                tr("its compression"),
            ),
            (r"unexpected end of data|(truncated|empty|end of file) header|empty file", early),
            (r"unpack requires a buffer.*", early),
            (r"file could not be opened successfully.*", tr("it isn’t a tar archive")),
            (
                r"bad checksum|invalid header|overflow in number field",
                tr("the header of a file in it is corrupt"),
            ),
            (
                r"unknown encoding: (.+)",
                lambda at: tr("unknown encoding “{name}”", name=at[1]),
            ),
        )
    )


def _array_wordings() -> Wordings:
    """Messages of csv and numpy."""
    array = tr("the header of an array is corrupt")
    return compile_wordings(
        (
            (r"line contains NUL", tr("it contains a null character")),
            (
                r"'(.)' expected after '(.)'",
                lambda at: tr("“{mark}” is missing after “{quote}”", mark=at[1], quote=at[2]),
            ),
            (r"new-line character seen in unquoted field.*", tr("it contains a line break")),
            (
                r"EOF: reading .*|buffer is smaller than requested size|buffer size must be a "
                r"multiple.*",
                tr("the file is truncated"),
            ),
            (r"cannot reshape array.*", tr("its length doesn’t match its header")),
            (
                r"the magic string is not correct.*|we only support format version.*|descr is "
                r"not a valid.*",
                array,
            ),
            (
                r"Header (is not a dictionary|does not contain|info length).*|Cannot parse "
                r"header.*",
                array,
            ),
            (r"shape is not valid.*|fortran_order is not a valid.*|\('EOF in multi-line.*", array),
            (
                r"Object arrays cannot be loaded.*",
                tr("it contains Python objects, which could run code and aren’t loaded"),
            ),
            (r"Unable to allocate.*", tr("there isn’t enough memory for it")),
        )
    )
