"""Conversations with assistants in JSON: examples for training (a list of messages in each object
of JSON lines or of an array, as OpenAI and ShareGPT write them), conversations.json of ChatGPT and
Claude, and transcripts of Whisper and whisper.cpp.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from workbench.core.language import tr
from workbench.corpus.readers.base import Document, Reader
from workbench.corpus.readers.conversations.messages import (
    Message,
    message_blocks,
    moment,
    objects,
    string,
)
from workbench.corpus.readers.json_texts.json_elements import first_elements
from workbench.corpus.readers.json_texts.json_fields import load_truncated, load_value, texts
from workbench.corpus.readers.records import beginning, lines

_LINES = (".jsonl", ".ndjson")
_CHATS = ("messages", "conversations", "conversation", "chat_messages")
_TRANSCRIPTS = ("segments", "transcription")
_SPEAKERS = ("role", "from", "sender", "speaker")
_TEXTS = ("content", "value", "text")
# Kinds of contents of ChatGPT that were written, unlike results of programs.
_WRITTEN = ("text", "multimodal_text")
# A pause of this many seconds in a transcript begins a paragraph.
_PAUSE = 5.0


class Assistants(Reader):
    key = "assistants"
    title = tr("Conversation or transcript (JSON)")
    ambiguous_suffixes = (".json",)
    marks_rows = True
    # After messengers, whose messages have similar names.
    order = 95

    @classmethod
    def detect(cls, document: Document) -> bool:
        if document.options.column or document.suffix not in (*_LINES, ".json"):
            return False
        return any(_name_of(row) for row in _first_rows(document)[0])

    @classmethod
    def read(cls, document: Document) -> Iterator[bytes]:
        rows, inside = _first_rows(document)
        # A damaged beginning names no messages.
        name = next(filter(None, map(_name_of, rows)), "")
        if inside and name:
            found = _messages(objects(document, name), name)
        else:
            found = _of_rows(_rows(document))
        return message_blocks(document, cls.title, found)


def _first_rows(document: Document) -> tuple[list[dict[str, Any]], bool]:
    """The first objects of a document, and whether it is one object over several lines, or of a
    line that is longer than its head.
    """
    text = beginning(document).lstrip("\ufeff \t\r\n")
    if not text.startswith("{"):
        return [row for row in first_elements(document) if isinstance(row, dict)], False
    first = text.split("\n", 1)[0]
    row, inside = load_value(first), False
    if row is None:
        inside = document.suffix not in _LINES
        row = load_truncated(text if inside else first)
    return [row] if isinstance(row, dict) else [], inside


def _name_of(row: dict[str, Any]) -> str:
    """The name of the list of messages in an object, "" if there is none."""
    nodes = row.get("mapping")
    if isinstance(nodes, dict) and any(
        _has(node, ("message", "parent")) for node in nodes.values()
    ):
        return "mapping"
    for name in (*_CHATS, *_TRANSCRIPTS):
        parts = row.get(name)
        part = parts[0] if isinstance(parts, list) and parts else None
        if name in _CHATS and _has(part, _SPEAKERS) and _has(part, _TEXTS):
            return name
        if name in _TRANSCRIPTS and _has(part, ("text",)) and _has(part, ("start", "offsets")):
            return name
    # The whole text of a long transcript is before its segments.
    return "segments" if list(row) == ["text"] and len(string(row["text"])) > 50_000 else ""


def _has(part: object, names: Iterable[str]) -> bool:
    return isinstance(part, dict) and any(name in part for name in names)


def _rows(document: Document) -> Iterator[dict[str, Any] | None]:
    if beginning(document).lstrip("\ufeff \t\r\n").startswith("["):
        yield from objects(document)
        return
    wrong = first = 0
    for number, line in lines(document):
        row = load_value(line)
        if isinstance(row, dict):
            yield row
        elif line.strip():
            wrong += 1
            first = first or number
        if number % 100 == 0:
            yield None
    if wrong:
        document.note(
            tr(
                "Lines that aren’t JSON objects, left out: {wrong:,}, the first in line {first:,}.",
                wrong=wrong,
                first=first,
            )
        )


def _of_rows(rows: Iterable[dict[str, Any] | None]) -> Iterator[Message | None]:
    for row in rows:
        if row is None:
            yield None
            continue
        name = _name_of(row)
        if name == "mapping":
            yield from _messages(_current_branch(row), name)
        elif name:
            yield from _messages((part for part in row[name] if isinstance(part, dict)), name)


def _current_branch(row: dict[str, Any]) -> list[dict[str, Any]]:
    """The messages of ChatGPT's tree that end in its current node, without replaced versions;
    without a current node, all messages.
    """
    nodes = {key: node for key, node in row["mapping"].items() if isinstance(node, dict)}
    path: list[str] = []
    key = string(row.get("current_node"))
    while key in nodes and len(path) < len(nodes):
        path.append(key)
        key = string(nodes[key].get("parent"))
    messages = [nodes[key].get("message") for key in (reversed(path) if path else nodes)]
    return [message for message in messages if isinstance(message, dict)]


def _messages(parts: Iterable[dict[str, Any] | None], name: str) -> Iterator[Message | None]:
    if name in _TRANSCRIPTS:
        yield from _paragraphs(parts)
        return
    for part in parts:
        if part is None:
            yield None
            continue
        author = part.get("author")
        speakers = [part.get(key) for key in _SPEAKERS]
        if isinstance(author, dict):
            speakers.append(author.get("role"))
        speaker = next(filter(None, map(string, speakers)), "")
        date = string(part.get("created_at")) or moment(part.get("create_time"))
        yield Message(_text_of(part), speaker, date)


def _text_of(part: dict[str, Any]) -> str:
    for value in (part.get(key) for key in _TEXTS):
        if isinstance(value, dict):
            value = value.get("parts") if value.get("content_type") in _WRITTEN else None
        if isinstance(value, list):
            value = "\n".join(
                text
                for piece in value
                for text in texts(piece.get("text") if isinstance(piece, dict) else piece)
            )
        if string(value):
            return string(value)
    return ""


def _paragraphs(segments: Iterable[dict[str, Any] | None]) -> Iterator[Message | None]:
    """Segments of a transcript, joined until another speaker or a pause."""
    spoken: list[str] = []
    speaker, ended = "", 0.0
    for segment in segments:
        if segment is None:
            yield None
            continue
        begin, end = (_seconds(segment, name) for name in ("start", "end"))
        if spoken and (string(segment.get("speaker")) != speaker or begin - ended > _PAUSE):
            yield Message(" ".join(spoken), speaker)
            spoken = []
        speaker, ended = string(segment.get("speaker")), end
        spoken.append(string(segment.get("text")).strip())
    if spoken:
        yield Message(" ".join(spoken), speaker)


def _seconds(segment: dict[str, Any], name: str) -> float:
    offsets = segment.get("offsets")
    try:
        if isinstance(offsets, dict):
            return float(string(offsets.get("from" if name == "start" else "to"))) / 1000
        return float(string(segment.get(name)))
    except ValueError:
        return 0.0
