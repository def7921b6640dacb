"""Chats as messengers export them: what people wrote is text, who wrote it and when are columns."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from workbench.core.errors import UserError
from workbench.corpus.columns import column_values
from workbench.corpus.corpus import Corpus, CorpusOptions
from workbench.corpus.ingest.preview import preview
from workbench.corpus.ingest.read_warnings import list_warnings
from workbench.corpus.ingest.text_sample import take_sample
from workbench.corpus.loader import open_corpus

pytestmark = pytest.mark.usefixtures("own_corpora")


def _words(corpus: Corpus) -> list[str]:
    return [corpus.words[number] for number in corpus.ids]


def _tokens(corpus: Corpus, name: str) -> dict[str, int]:
    column = column_values(corpus, name)
    return dict(zip(column.values, column.tokens().tolist(), strict=True))


_APPLE = (
    "\ufeff[12.03.24, 18:22:01] Chor: \u200eNachrichten sind Ende-zu-Ende-verschlüsselt.\n"
    "[12.03.24, 18:22:10] Anna: Hallo du\nnoch eine Zeile\n"
    "\u200e[12.03.24, 18:23:01] Ben Müller: \u200eBild weggelassen\n"
    "[13.03.24, 18:23:01] Ben Müller: ja @\u2068Anna B\u2069 gut \u200e<Diese Nachricht wurde "
    "bearbeitet.>\n"
)
_ANDROID = (
    "25/03/2024, 18:22 - Messages and calls are end-to-end encrypted. Tap to learn more.\n"
    '25/03/2024, 18:22 - Anna created group "Choir"\n25/03/2024, 18:22 - Anna: Hello: there\n'
    "01/04/2024, 18:23 - +49 171 1234567: <Media omitted>\n"
    "01/04/2024, 18:24 - +49 171 1234567: IMG-20240401-WA0001.jpg (file attached)\n"
    "see @491711234567\n"
    "01/04/2024, 18:25 - Anna: This message was deleted\n"
)
_AMERICAN = "3/4/24, 6:22\u202fPM - Anna: hi\n3/5/24, 6:22\u202fPM - Ben: yo\n"
_UNCERTAIN = "03/04/24 18:22 - Anna: hi\n03/05/24 18:23 - Ben: yo\n"


@pytest.mark.parametrize(
    ("text", "words", "speakers", "dates", "silent"),
    [
        (
            _APPLE,
            "hallo du noch eine zeile ja gut",
            {"Anna": 5, "Ben Müller": 2},
            {"2024-03-12": 5, "2024-03-13": 2},
            2,
        ),
        (
            _ANDROID,
            "hello there see",
            {"Anna": 2, "+49 171 1234567": 1},
            {"2024-03-25": 2, "2024-04-01": 1},
            4,
        ),
        (_AMERICAN, "hi yo", {"Anna": 1, "Ben": 1}, {"2024-03-04": 1, "2024-03-05": 1}, 0),
        (_UNCERTAIN, "hi yo", {"Anna": 1, "Ben": 1}, {"03/04/24": 1, "03/05/24": 1}, 0),
    ],
)
def test_whatsapp(
    tmp_path: Path,
    text: str,
    words: str,
    speakers: dict[str, int],
    dates: dict[str, int],
    silent: int,
) -> None:
    path = tmp_path / "_chat.txt"
    path.write_text(text, encoding="utf-8")
    corpus = open_corpus([path])
    assert _words(corpus) == words.split()
    assert _tokens(corpus, "speaker") == speakers
    assert _tokens(corpus, "date") == dates
    notes = " ".join(list_warnings(corpus))
    assert "WhatsApp chat: names and times are columns, not words." in notes
    assert (f"such as pictures and notices: {silent}." in notes) == (silent > 0)


def test_other_lines_with_times_are_no_chat(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("2024-03-12 18:22 - started\n2024-03-12 18:23 - ended\n")
    assert "started" in _words(open_corpus([path]))
    path.write_text("We met at 18:22 - Anna: late\nand then [12:03] <b> was\n")
    assert "met" in _words(open_corpus([path]))


def _dump(path: Path, value: object) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(value, indent=1), encoding="utf-8")
    return path


_PARTS: list[Any] = ["see ", {"type": "link", "text": "https://x.example"}, " and "]
_PARTS += [{"type": "bold", "text": "this"}, {"type": "mention", "text": "@anna"}]
_TELEGRAM = [
    {"id": 1, "type": "service", "actor": "Anna", "action": "phone_call", "text": ""},
    {
        "id": 2,
        "type": "message",
        "date": "2024-03-12T18:22:01",
        "date_unixtime": "1710267721",
        "from": "Anna",
        "text": _PARTS,
    },
    {
        "id": 3,
        "type": "message",
        "date": "2024-03-13T18:22:01",
        "from": "Ben",
        "text": "ok https://y.example",
        "text_entities": [
            {"type": "plain", "text": "ok "},
            {"type": "link", "text": "https://y.example"},
        ],
    },
]


def test_telegram(tmp_path: Path) -> None:
    chat = {"name": "Anna", "type": "personal_chat", "id": 7, "messages": _TELEGRAM}
    corpus = open_corpus([_dump(tmp_path / "result.json", chat)])
    assert _words(corpus) == ["see", "and", "this", "ok"]
    assert _tokens(corpus, "speaker") == {"Anna": 3, "Ben": 1}
    assert _tokens(corpus, "date") == {"2024-03-12": 3, "2024-03-13": 1}
    # All chats of an account, after the contacts.
    contacts = {"list": [{"first_name": "Carl", "text": f"not {n}"} for n in range(3000)]}
    account = {"about": "data", "personal_information": {"bio": "no"}, "contacts": contacts}
    chats = {**account, "chats": {"about": "all", "list": [chat, {**chat, "name": "B"}]}}
    both = open_corpus([_dump(tmp_path / "all.json", chats)])
    assert _words(both) == 2 * ["see", "and", "this", "ok"]


def _discord(kind: str, content: str, mentions: Sequence[str] = ()) -> dict[str, Any]:
    return {
        "id": "3",
        "type": kind,
        "timestamp": "2024-03-12T18:22:01.1+00:00",
        "content": content,
        "author": {"id": "9", "name": "anna"},
        "mentions": [{"id": "8", "name": name, "nickname": name.title()} for name in mentions],
    }


def test_discord(tmp_path: Path) -> None:
    messages = [
        _discord("Default", "hi @Ben <:smile:12345>", ["ben"]),
        _discord("GuildMemberJoin", "Joined the server."),
        _discord("Reply", "well"),
    ]
    channel = {"guild": {"name": "S"}, "channel": {"name": "general"}, "messages": messages}
    corpus = open_corpus([_dump(tmp_path / "general.json", channel)])
    assert _words(corpus) == ["hi", "well"]
    assert _tokens(corpus, "speaker") == {"anna": 2}
    assert _tokens(corpus, "date") == {"2024-03-12": 2}
    rule = "=" * 62
    text = tmp_path / "general.txt"
    text.write_text(
        f"{rule}\nGuild: My Server\nChannel: Text / general\n{rule}\n\n[12/03/2024 18:22] anna\n"
        "hello\n\nthere\n\n[13/03/2024 18:23] "
        "ben (pinned)\nlook\n\n{Attachments}\n"
        f"https://cdn.example/a.png\n\n\n{rule}\nExported 2 message(s)\n{rule}\n"
    )
    corpus = open_corpus([text])
    assert _words(corpus) == ["hello", "there", "look"]
    assert _tokens(corpus, "speaker") == {"anna": 2, "ben": 1}
    assert _tokens(corpus, "date") == {"2024-03-12": 2, "2024-03-13": 1}
    table = tmp_path / "general.csv"
    table.write_text(
        'AuthorID,Author,Date,Content,Attachments,Reactions\n"12","anna#0",'
        '"2024-03-12T18:22:01.0+00:00","Hi there","",""\n"13","ben#0",'
        '"2024-03-12T18:23:01.0+00:00","ok","https://cdn.example/a.png","x (1)"\n'
    )
    assert _words(open_corpus([table])) == ["hi", "there", "ok"]


def test_slack(tmp_path: Path) -> None:
    folder = tmp_path / "export"
    folder.mkdir()
    user = {"id": "U1", "team_id": "T1", "name": "anna", "profile": {"title": "Head of all things"}}
    _dump(folder / "users.json", [user])
    about = {"value": "All the words"}
    channel = {"id": "C1", "name": "general", "created": 1, "members": ["U1"], "topic": about}
    _dump(folder / "channels.json", [channel])
    change = {"service_id": 1, "service_type": "x", "change_type": "added", "date": "1"}
    _dump(folder / "integration_logs.json", [change])
    joined = {"type": "message", "subtype": "channel_join", "user": "U1", "ts": "1710267721.0"}
    message = {
        "type": "message",
        "text": "hey <@U2>, see <https://a.example/c|the docs> &amp; <https://d.example> :smile: "
        "in <#C1|general> <!here>",
        "user": "U1",
        "ts": "1710267722.0001",
        "user_profile": {"real_name": "Anna B"},
    }
    _dump(
        folder / "general" / "2024-03-12.json",
        [{**joined, "text": "<@U1> has joined the channel"}, message],
    )
    corpus = open_corpus([folder])
    assert _words(corpus) == ["hey", "see", "the", "docs", "in", "general"]
    assert _tokens(corpus, "speaker") == {"Anna B": 6}
    assert _tokens(corpus, "date") == {"2024-03-12": 6}
    assert sum("a list of Slack’s users or channels" in note for note in list_warnings(corpus)) == 3
    with pytest.raises(UserError, match="users.json is a list of Slack’s users or channels"):
        open_corpus([folder / "users.json"])


def test_messenger(tmp_path: Path) -> None:
    # Bytes of UTF-8 are written as characters.
    name, text = ("Jürgen".encode().decode("latin-1"), "Schön ❤ so".encode().decode("latin-1"))
    messages = [
        {"sender_name": name, "timestamp_ms": 1710267722000, "content": text},
        {"sender_name": name, "timestamp_ms": 1710267723000, "photos": [{"uri": "a.jpg"}]},
    ]
    chat = {"participants": [{"name": name}], "messages": messages, "title": name}
    corpus = open_corpus([_dump(tmp_path / "message_1.json", chat)])
    assert _words(corpus) == ["schön", "so"]
    assert _tokens(corpus, "speaker") == {"Jürgen": 2}
    assert _tokens(corpus, "date") == {"2024-03-12": 2}


@pytest.mark.parametrize(
    ("name", "text", "words", "dates"),
    [
        (
            "irssi.log",
            "--- Log opened Tue Mar 12 18:00:00 2024\n18:00 -!- anna [~a@h] has joined #x\n"
            "18:01 <@anna> hello all\n--- Day changed Wed Mar 13 2024\n18:02 < ben> anna: so\n"
            "18:03  * anna waves\n",
            "hello all so waves",
            {"2024-03-12": 2, "2024-03-13": 2},
        ),
        (
            "mirc.txt",
            "Session Start: Tue Mar 12 18:00:00 2024\n[12:03] <anna> hello all\n"
            "[12:04] * ben (~b@h) has joined #x\n[12:04] <ben> anna, so\n[12:05] * anna waves\n",
            "hello all so waves",
            {"2024-03-12": 4},
        ),
        (
            "hexchat.txt",
            "**** BEGIN LOGGING AT Tue Mar 12 12:00:00 2024\n\nMar 12 12:03:44 <anna>\thello all\n"
            "Mar 12 12:03:45 <ben>\tso\nMar 12 12:03:46 *\tben is now known as bob\n",
            "hello all so",
            {"Mar 12": 3},
        ),
        (
            "weechat.weechatlog",
            "2024-03-12 12:03:44\t-->\tanna (~a@h) has joined #x\n2024-03-12 12:03:45\t@anna\t"
            "hello all\n2024-03-13 12:03:46\tben\tso\n2024-03-13 12:03:46\t *\tanna waves\n",
            "hello all so waves",
            {"2024-03-12": 2, "2024-03-13": 2},
        ),
    ],
)
def test_irc(tmp_path: Path, name: str, text: str, words: str, dates: dict[str, int]) -> None:
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / name).write_text(text)
    corpus = open_corpus([tmp_path / "logs"])
    assert _words(corpus) == words.split()
    assert _tokens(corpus, "date") == dates
    assert set(_tokens(corpus, "speaker")) == {"anna", "ben"}


def test_the_preview_says_what_was_read(tmp_path: Path) -> None:
    path = tmp_path / "_chat.txt"
    path.write_text(_APPLE, encoding="utf-8")
    options = CorpusOptions()
    shown = preview(take_sample([path], options), options, options)
    assert [line.text for line in shown.lines][:2] == ["Hallo du", "noch eine Zeile"]
    assert shown.notes[0] == "_chat.txt: WhatsApp chat: names and times are columns, not words."


def test_telegram_before_its_times_in_seconds(tmp_path: Path) -> None:
    chat = {
        "name": "Choir",
        "type": "personal_chat",
        "id": 1,
        "messages": [
            {"id": 1, "type": "service", "date": "2021-02-03T10:00:00", "actor": "Ann", "text": ""},
            {
                "id": 2,
                "type": "message",
                "date": "2021-02-03T10:01:00",
                "from": "Ann",
                "from_id": "user7",
                "text": ["an ", {"type": "bold", "text": "old"}, " gate"],
            },
        ],
    }
    path = tmp_path / "result.json"
    path.write_text(json.dumps(chat, indent=1), encoding="utf-8")
    corpus = open_corpus([path])
    assert _words(corpus) == ["an", "old", "gate"]
    assert _tokens(corpus, "speaker") == {"Ann": 3}


_TURNS = [("system", "be kind"), ("user", "hello there"), ("assistant", "good day")]
_ROLES = {"system": 2, "user": 2, "assistant": 2}
_SAID = ["be", "kind", "hello", "there", "good", "day"]


def _openai(parts: bool) -> dict[str, Any]:
    contents = [
        (role, [{"type": "text", "text": text}] if parts else text) for role, text in _TURNS
    ]
    return {"messages": [{"role": role, "content": content} for role, content in contents]}


def _sharegpt() -> dict[str, Any]:
    return {"id": "x1", "conversations": [{"from": who, "value": text} for who, text in _TURNS]}


def _chatgpt() -> dict[str, Any]:
    """A root, three messages, an answer that was replaced, and a program's result."""
    nodes: dict[str, Any] = {"n0": {"message": None, "parent": None, "children": ["n1"]}}
    for at, (role, text) in enumerate(
        [*_TURNS, ("assistant", "replaced"), ("tool", "left out")], 1
    ):
        content = {"content_type": "execution_output" if at == 5 else "text", "parts": [text]}
        message = {"author": {"role": role}, "content": content, "create_time": 1710267721.5}
        parent = {4: "n2", 5: "n3"}.get(at, f"n{at - 1}")
        nodes[f"n{at}"] = {"message": message, "parent": parent}
    return {"title": "not text", "mapping": nodes, "current_node": "n5"}


@pytest.mark.parametrize("form", ["lines", "array", "object"])
@pytest.mark.parametrize("row", [_openai(False), _openai(True), _sharegpt(), _chatgpt()])
def test_conversations_with_assistants(tmp_path: Path, row: dict[str, Any], form: str) -> None:
    if form == "lines":
        path = tmp_path / "a.jsonl"
        path.write_text(json.dumps(row) + "\n")
    elif form == "array" or "mapping" in row:
        path = _dump(tmp_path / "conversations.json", [row])
    else:
        path = _dump(tmp_path / "a.json", row)
    corpus = open_corpus([path])
    assert _words(corpus) == _SAID
    assert _tokens(corpus, "speaker") == _ROLES
    if "mapping" in row:
        assert _tokens(corpus, "date") == {"2024-03-12": 6}
    # A column that is chosen is read as such.
    if form == "lines" and "conversations" in row:
        chosen = open_corpus([path], CorpusOptions(column="conversations.from"))
        assert _words(chosen) == ["system", "user", "assistant"]


@pytest.mark.parametrize("long", [False, True])
def test_transcripts_of_whisper(tmp_path: Path, long: bool) -> None:
    """Segments of a sentence stay together; a pause ends it."""
    parts = [(0, 2, " We saw the"), (2, 4, " old lighthouse"), (20, 22, " Then it rained.")]
    parts += [(30 + 2 * at, 32 + 2 * at, " word" * 40) for at in range(700 if long else 0)]
    segments = [
        {"id": 0, "start": a, "end": b, "text": text, "tokens": [1]} for a, b, text in parts
    ]
    whole = {"text": "".join(text for *_, text in parts), "segments": segments, "language": "en"}
    path = tmp_path / "talk.json"
    path.write_text(json.dumps(whole))
    corpus = open_corpus([path])
    expected = "we saw the old lighthouse then it rained".split()
    assert _words(corpus)[:8] == expected
    assert len(corpus.ids) == 8 + (28_000 if long else 0)
    cpp = [{"offsets": {"from": 1000 * a, "to": 1000 * b}, "text": t} for a, b, t in parts[:3]]
    other = open_corpus([_dump(tmp_path / "cpp.json", {"model": {}, "transcription": cpp})])
    assert _words(other) == expected
    for opened in (corpus, other):
        assert opened.sentences.tolist()[:2] == [0, 5]
