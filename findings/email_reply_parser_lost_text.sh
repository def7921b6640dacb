#!/usr/bin/env bash
# email_reply_parser 0.5.12 (parse_reply) drops the rest of a mail from an ordinary paragraph on that begins with “On”
# and has “wrote:” at the end of a line, that begins with “From:”, or with two hyphens and a word. It takes them for the
# head of a quotation or for a signature. Guess: only quoted lines (>) go, so mails without any stay whole.
# Seen: only the first paragraph of three, three times; a reply below a quotation is kept.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --target "$folder" email_reply_parser==0.5.12
PYTHONPATH="$folder" python3 - <<'PYTHON'
from email_reply_parser import EmailReplyParser

mails = [
    "The mill is old.\n\nOn Monday it turned, and the miller wrote:\nit turns again.\n\nIt has stopped since.\n",
    "The mill is old.\n\nFrom: the hill you can see it.\n\nMore tomorrow.\n",
    "The mill is old.\n\n--so they say\n\nMore tomorrow.\n",
]
for mail in mails:
    found = EmailReplyParser.parse_reply(mail)
    print(repr(found))
    assert found == "The mill is old."
assert EmailReplyParser.parse_reply("On Monday Ann wrote:\n> hello\n\nMy reply.") == "My reply."
PYTHON
