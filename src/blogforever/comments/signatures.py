"""Who wrote a comment, by a line of plain words with its date: "Posted by Ann at …", "2 May | URL | Ann"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from blogforever.comments.cleaning import clean_author
from blogforever.comments.view import CommentDraft, PageContext
from blogforever.comments.words import ACTS, ADDRESSES, ANSWERING, LABELS, NOBODY, SPEAKS
from blogforever.dom import tokenise
from blogforever.elements import HEADINGS
from blogforever.page.speech import words_of
from blogforever.page.view import PageView
from blogforever.wordlists import LivePattern

# Characters of a name that stands as plain words beside a date. With more, the end of a comment's
# text before a date in it is taken for a name.
_LONGEST_PLAIN = 60
# Words of a name behind a sign, and of one that may end as a sentence does: "Greta P."
_LONGEST_BEHIND = 6
_LONGEST_WITH_STOP = 3
# Characters of a short form with its stop, as in "mrs. hill".
_LONGEST_SHORT_FORM = 4
_LEADS = LivePattern(lambda: rf"^[\W\d]*(?:{words_of('by')}|from)\s")
_DASHED = re.compile(r"(?:\s*[—–]\s*|\s+-\s+)(\S.{0,80})$")
_BARS = re.compile(r"[|｜¦]")
_DOTS = re.compile(r"\s[·•|｜]\s")
_LABEL = re.compile(r"(?<=\s)(\S{1,20})\s?[:：]\s*$")
_NOTE = re.compile(r"\[[^\[\]]{0,40}\]|#[^\s\[]{0,40}")
"""What a system writes behind a name: "Greta #- [edit]"."""
_NAME_AS_DAY = re.compile(r"([^\W\d]{2,12})\s+(?:on|at|am|le|el|em|op)\s", re.IGNORECASE)
"""Behind the name of a day no such word stands, but behind that of a person."""
_NUMBER = re.compile(r"\s*+(?:#\d{1,5}\s?[楼樓層]?|\d{1,5}\s?[楼樓層])\W{0,3}")
"""What may stand before a date and is the number of the comment: "#3", "3楼"."""
_WIDE_STOP = re.compile("[。！？]")
_STOPS = (".", "!", "?", "。", "！", "？", "…")


def name_beside_date(context: PageContext, text: str) -> str:
    """The name before the date of a text, or after it where a word like "by" leads to it."""
    found = context.first_date(text)
    if found is None:
        return ""
    start = found.start + _name_length(text[found.start : found.end]) if text[: found.start].strip() else found.start
    before, after = _without_label(text[:start]), text[found.end :]
    lead = _LEADS.match(after)
    if lead:
        name = clean_author(after[lead.end() :])
    else:
        name = clean_author(after if SPEAKS.search(after) else _DOTS.split(before.strip(), maxsplit=1)[0].rstrip())
        name = name or _after_dash(after) or _beside_address(after)
    words = tokenise(name)
    is_about = ACTS.issuperset(words) or (not ANSWERING.isdisjoint(words[:1]) and context.is_subject(name))
    return "" if len(name) > _LONGEST_PLAIN or is_about or is_sentence(name) else name


def _name_length(date: str) -> int:
    """The length of a name with which a date seems to begin, as days are called so, too: "Sam on 5 March"."""
    day = _NAME_AS_DAY.match(date)
    return day.end(1) if day else 0


def _without_label(before: str) -> str:
    """What stands before a date, without a word that says that it is one: "Ann Date: "."""
    label = _LABEL.search(before)
    return before[: label.start()] if label and LABELS.issuperset(tokenise(label[1])) else before


def name_behind_bar(context: PageContext, text: str) -> str:
    """The first part behind the bar after a date that may be a name."""
    found = context.first_date(text)
    names = _names_behind_bars(text[found.end :]) if found else iter(())
    return next(names, "")


def _beside_address(after: str) -> str:
    """The name behind a date among parts of which one is the word for an address: "| URL | Ann"."""
    parts = _between_bars(after)
    has_address = any(part and ADDRESSES.issuperset(tokenise(part)) for part in parts)
    return next(_names_behind_bars(after), "") if has_address else ""


def name_behind_number(context: PageContext, draft: CommentDraft, line: str) -> str:
    """The few words behind the date in the title of a comment, before which but its number stands: "#3 4 May Ann".

    Behind that in a mere line systems write much else: "via telephone".
    """
    found = context.first_date(line) if _opens_with_title(context.tree, draft) else None
    if found is None or _NUMBER.fullmatch(line[: found.start]) is None:
        return ""
    after = line[found.end :]
    words = tokenise(after)
    is_about = all(word in ACTS or word in ADDRESSES or word in LABELS for word in words)
    is_name = len(words) <= _LONGEST_BEHIND and (not is_about or NOBODY.issuperset(words))
    return clean_author(after) if is_name and not is_sentence(after) and not context.dated(after) else ""


def _opens_with_title(tree: PageView, draft: CommentDraft) -> bool:
    """Whether a comment begins with a heading, and its date stands there."""
    place, first = draft.date_place, tree.start[draft.item.tops[0]]
    while place is not None and place not in draft.item.tops and tree.tags[place] not in HEADINGS:
        place = tree.parents[place]
    return place is not None and tree.tags[place] in HEADINGS and tree.start[place] == first


def _between_bars(line: str) -> list[str]:
    return [part.strip() for part in _BARS.split(line)]


def _names_behind_bars(after: str) -> Iterator[str]:
    """The parts between bars that say neither what is done to a comment nor where somebody is at home."""
    for part in _between_bars(after)[1:]:
        said = _NOTE.sub("", part).strip()
        words = [word for word in tokenise(said) if not word.isdecimal()]
        is_about = all(word in ACTS or word in ADDRESSES or word in LABELS for word in words)
        is_about = is_about and not NOBODY.issuperset(words)
        if words and not is_about and len(words) <= _LONGEST_BEHIND and not is_sentence(said):
            yield clean_author(said)


def _after_dash(text: str) -> str:
    """The few words behind a dash to which a line with a date leads; none where they end as
    sentences do, or are the number of a machine.
    """
    dashed = _DASHED.match(text)
    if dashed is None or not any(map(str.isalpha, dashed[1])):
        return ""
    is_name = len(dashed[1].split()) <= _LONGEST_BEHIND and not dashed[1].endswith((".", "!", "?"))
    return clean_author(dashed[1]) if is_name else ""


def is_sentence(text: str) -> bool:
    """Whether words end with a stop and are no name that does, each with a capital: "Greta P. Hill Jr.".
    Or whether one of them does that begins small and is no short form. Where no space stands between words, a stop
    before others is enough, or one behind several parts.
    """
    words = text.split()
    if _WIDE_STOP.search(text) and (len(words) > 1 or not text.endswith(_STOPS)):
        return True
    long = (word for word in words[:-1] if len(word) > _LONGEST_SHORT_FORM)
    if any(word[:1].islower() and word.endswith(_STOPS) for word in long):
        return True
    return text.endswith(_STOPS) and len(words) > _LONGEST_WITH_STOP and any(word[:1].islower() for word in words)


__all__ = ["is_sentence", "name_behind_bar", "name_behind_number", "name_beside_date"]
