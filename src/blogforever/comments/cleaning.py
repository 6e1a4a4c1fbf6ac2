"""A commenter's name without what a system writes around it."""

from __future__ import annotations

import re
from functools import lru_cache

from blogforever.comments.words import ADDRESSES, BY, LABELS, NOBODY, SAYS, SPEAKS, UNVERIFIED
from blogforever.dom import tokenise

# Characters of a name; pingbacks have titles of posts for names, and what is longer is no name.
LONGEST_NAME = 250
# Characters of a line that are looked at for a name.
_LONGEST_LINE = 600
# Names that are remembered: those of some pages.
_REMEMBERED = 4096
# Passes over a name; each takes off what one system adds ("says:", "posted by", "(not verified)").
_MOST_ADDITIONS = 3
# Letters of a word for "by".
_LONGEST_BY = 5
_COUNTED = re.compile(r"^(?:#\d{1,5}(?:\.\d{1,5}){0,12}(?:[楼樓層]|\b)[\s.:)]*|\d{1,5}[.)]\s+(?=[^\W\d]))")
_HOUR = re.compile(r"^(?:[^\W\d]{1,4}\s+)?\d{1,2}[:.]\d\d(?:[:.]\d\d)?(?:\s*[ap]\.?m\.?)?\s*,\s*(?=\S)", re.IGNORECASE)
"""The time before a name: "At 3:30 PM, Greta said"."""
_GUEST = re.compile(r"^~(?=\w[^~]*$)")
"""The sign before the name of who has no account: "~Greta"."""
_ADDRESS_NOTE = re.compile(
    rf"(?<!\s)\s*[(\[]\s?(?:{'|'.join(map(re.escape, sorted(ADDRESSES)))})++\s?[)\]]$", re.IGNORECASE
)
"""The name of a link behind a name: "Greta (URL)"."""
_ADDRESS_BEHIND = re.compile(r"(?<=\S)\s+(?:https?://|www\.)\S{1,250}$", re.IGNORECASE)
"""Where a commenter is at home, written out behind the name: "Greta · https://greta.example/"."""
_EMPTY_BRACKETS = re.compile(r"[(\[]\s?[)\]]|^([^(\[]*\s)[)\]]")
"""What is left of "Greta (URL)" without the link: both brackets, or the second alone."""
_PREPOSITION = re.compile(
    r"(?<=\S)\s+(?:at|am|um|on|le|el|il|em|op|den|på|kl|à|às|alle|dnia|pada|vom)$",
)
_SIGNS_BEFORE = " \t|,;•·–—-#¶§"
_SIGNS_AFTER = " \t|,:;/•·–—-@([#¶§∞🔗"


def clean_author(text: str) -> str:
    """A commenter's name without "says:", "posted by" and what a system adds to it."""
    return _clean_line(text[:_LONGEST_LINE])


@lru_cache(maxsize=_REMEMBERED)
def _clean_line(text: str) -> str:
    """The same of a line; a name is read at several places, and most readers write again."""
    if _is_label(text.strip()):
        return ""
    line = _EMPTY_BRACKETS.sub(r"\1", " ".join(text.split()))
    name = _HOUR.sub("", _GUEST.sub("", _COUNTED.sub("", line)))
    for _ in range(_MOST_ADDITIONS):
        before = name
        name = _ADDRESS_BEHIND.sub("", name).rstrip(_SIGNS_AFTER)
        name = SAYS.sub("", UNVERIFIED.sub("", _ADDRESS_NOTE.sub("", name)))
        name = _PREPOSITION.sub("", name.rstrip(_SIGNS_AFTER).lstrip(_SIGNS_BEFORE))
        name = BY.sub("", name).strip() or name
        if name == before:
            break
    # "Posted", before a date; a mere "di" may be somebody's name.
    only_leads = BY.fullmatch(name) is not None and len(name) > _LONGEST_BY
    is_no_name = only_leads or not any(c.isalnum() for c in name) or ADDRESSES.issuperset(tokenise(name))
    return "" if is_no_name or len(name) > LONGEST_NAME else name


def _is_label(text: str) -> bool:
    """Whether a text only says what follows it: "From:", "Date:"; "Guest says:" names somebody."""
    if not text.endswith((":", "：")):
        return False
    words = tokenise(text)
    is_somebody = not NOBODY.isdisjoint(words[:1]) and SPEAKS.search(text) is not None
    return BY.fullmatch(text) is not None or (LABELS.issuperset(words) and not is_somebody)
