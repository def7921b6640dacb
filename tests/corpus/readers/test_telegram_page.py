"""Telegram Desktop’s web pages of a chat are read as a conversation, not as a page."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from contract.test_readers import document
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.core.errors import UserError
from workbench.corpus.columns import column_values
from workbench.corpus.corpus import Corpus
from workbench.corpus.loader import open_corpus
from workbench.corpus.readers.conversations.telegram import Telegram
from workbench.corpus.readers.markup import is_contents, paragraphs

pytestmark = pytest.mark.usefixtures("own_corpora")

_HEAD = """<!DOCTYPE html>
<html>

 <head>

  <meta charset="utf-8"/>
<title>Exported Data</title>
  <script src="js/script.js" type="text/javascript">

  </script>

 </head>

 <body onload="CheckLocation();">

  <div class="page_wrap">

   <div class="page_header">

    <div class="content">

     <div class="text bold">
Weekend crew
     </div>

    </div>

   </div>

   <div class="page_body chat_page">

    <div class="history">
"""
_FOOT = "    </div>\n   </div>\n  </div>\n </body>\n</html>\n"
_DAY = """
     <div class="message service" id="message-1">

      <div class="body details">
2 January 2024
      </div>

     </div>
"""
_REACTIONS = """
       <span class="reactions">
        <span class="reaction">
         <span class="emoji">
❤
         </span>
         <span class="userpics">
          <div class="userpic userpic1" style="width: 20px; height: 20px">
           <div class="initials" style="line-height: 20px" title="Bob K">
BK
           </div>
          </div>
         </span>
        </span>
       </span>
"""
_FORWARDED = """
       <div class="forwarded body">

       <div class="from_name">
News desk <span class="date details" title="01.01.2019 09:00:00 UTC+01:00"> 01.01.2019</span>
       </div>
"""
_REPLY = """
       <div class="reply_to details">
In reply to <a href="#go_to_message99" onclick="return GoToMessage(99)">this message</a>
       </div>
"""
_PHOTO = """
       <div class="media_wrap clearfix">
        <div class="media clearfix pull_left media_photo">
         <div class="fill pull_left"></div>
         <div class="body">
          <div class="title bold">Photo</div>
          <div class="status details">Not included</div>
         </div>
        </div>
       </div>
"""


def _message(name: str, date: str, text: str, before: str = "", after: str = "") -> str:
    speaker = f'       <div class="from_name">\n{name} \n       </div>\n' if name else ""
    words = f'       <div class="text">\n{text}\n       </div>\n' if text else ""
    return (
        f'     <div class="message default clearfix{"" if name else " joined"}" id="message1">\n'
        '      <div class="body">\n'
        f'       <div class="pull_right date details" title="{date}">\n10:30\n       </div>\n'
        f"{speaker}{before}{words}{after}      </div>\n     </div>\n"
    )


_LINKS = (
    '<strong>Good</strong> morning, <a href="https://t.me/bob_k">@bob_k</a>!<br>'
    '<a href="https://a.example/x">https://a.example/x</a> or <a href="https://a.example">a '
    'page</a>, <a href="" onclick="return ShowMentionName()">Carl</a> '
    '<a href="mailto:a@b.example">a@b.example</a> '
    '<span class="spoiler hidden" onclick="ShowSpoiler(this)"><span aria-hidden="true">secret'
    "</span></span>"
)
PAGE = (
    _HEAD
    + _DAY
    + _message("Ada &amp; Co via @gif", "02.01.2024 10:30:00 UTC+01:00", _LINKS, "", _REACTIONS)
    + _message("", "02.01.2024 10:31:00 UTC+01:00", "same person", _REPLY)
    + _message("Bob K", "03.01.2024 08:00:00", "passed on", _FORWARDED + _PHOTO, "</div>\n")
    + _message("Ada &amp; Co", "03.01.2024 09:00:00 UTC+01:00", "", _PHOTO)
    + _FOOT
)


def _tokens(corpus: Corpus, name: str) -> dict[str, int]:
    column = column_values(corpus, name)
    return dict(zip(column.values, column.tokens().tolist(), strict=True))


def test_messages_have_speakers_and_dates(tmp_path: Path) -> None:
    path = tmp_path / "messages.html"
    path.write_text(PAGE, encoding="utf-8")
    corpus = open_corpus([path])
    words = "good morning or a page secret same person passed on".split()
    assert [corpus.words[number] for number in corpus.ids] == words
    assert _tokens(corpus, "speaker") == {"Ada & Co": 8, "Bob K": 2}
    assert _tokens(corpus, "date") == {"2024-01-02": 8, "2024-01-03": 2}


def test_an_export_in_several_pages_is_a_folder(tmp_path: Path) -> None:
    for number in ("", "2"):
        path = tmp_path / f"messages{number}.html"
        path.write_text(PAGE, encoding="utf-8")
    corpus = open_corpus([tmp_path])
    assert _tokens(corpus, "speaker") == {"Ada & Co": 16, "Bob K": 4}


def test_a_truncated_page_is_read_to_its_end() -> None:
    source = document("messages.html", PAGE[: PAGE.index("passed on") + 6].encode())
    assert Telegram.detect(source)
    assert b"".join(Telegram.read(source)).decode().split()[-1] == "passed"
    assert any("truncated" in note for note in source.findings.notes)


def test_other_pages_stay_pages() -> None:
    for text in (PAGE.replace("message ", "post "), PAGE.split("<html>")[1], "<html>a</html>"):
        assert not Telegram.detect(document("messages.html", text.encode()))


@settings(max_examples=150)
@given(data=st.data())
def test_damaged_pages_are_read_or_refused(data: st.DataObject) -> None:
    whole = PAGE.encode()
    buffer = bytearray(whole)
    for at, piece in data.draw(
        st.lists(
            st.tuples(
                st.integers(0, len(whole) - 1),
                st.sampled_from((b"<", b">", b"</div>", b"<![x[", b"<!--", b"&", b"\0", b'"')),
            ),
            max_size=12,
        )
    ):
        buffer[at : at + data.draw(st.integers(0, 3))] = piece
    content = bytes(buffer[: data.draw(st.integers(0, len(buffer)))])
    with suppress(UserError):
        assert len(b"".join(Telegram.read(document("messages.html", content)))) < 2 * len(whole)


@pytest.mark.parametrize("mark", ["<![foo[", "<![foo", "<![if !mso]>", "<![ a", "<!["])
def test_unknown_declarations_of_pages_are_passed_over(mark: str) -> None:
    text = b"".join(paragraphs([f"<p>one{mark}", " x]]> two</p><p>three</p>"])).decode()
    assert text.split()[0] == "one"
    assert text.split()[-1] == "three"
    assert not is_contents(f"<p>one{mark} x]]> two</p>")
