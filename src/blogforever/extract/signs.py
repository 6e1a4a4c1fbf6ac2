"""What a page itself says for and against each field that was read of it: the signs that
`confidence.py` weighs.

A rule that was right on twenty pages may be wrong on the next one, and the page shows it: a text of
three words, lines with dates as comments and lists of posts have them, a feed that tells another
text. Every sign is a number, mostly between -1 and 1, that is the higher the more speaks for the
value; what is not known is silent, 0.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from math import log
from urllib.parse import unquote

from blogforever.dates import address_date, same_day
from blogforever.dom import tokenise
from blogforever.model import Author, Entry, Post, Provenance, Rules, Template
from blogforever.urls import path_of

Signs = Mapping[str, float]
"""What speaks for and against a value, by the name of its weight."""

# A way says of itself that it is between so sure: nothing is certain, and nothing quite wrong.
_LEAST_TRUST, _MOST_TRUST = 0.05, 0.99
_SAME, _OTHER, _SILENT = 1.0, -1.0, 0.0
# Of a text with fewer words, a line too many is a large part; of a caption it is most.
_SHORT, _CAPTION = 300, 50
# Characters in which so many words stand: of a long text no more need be counted. And bytes of a
# word, in whatever
# letters: counting words themselves would cost a tenth of the whole reading.
_OPENING, _BYTES_OF_A_WORD = 2500, 6
# Characters of a line that says when something was written.
_LONGEST_DATELINE = 80
# A year or a time of day. Each way begins with a sign to search for, what must stand before that is
# looked at then: so a line is passed over in a fraction of the time.
_DATE_OR_TIME = re.compile(r"1(?<=\b1)9\d\d\b|2(?<=\b2)0\d\d\b|:(?<=\d:)[0-5]\d")
# Fewer words than these tell of nothing.
_TELLING = 6
# Words in an address from which on it says how the post is called.
_SLUG_WORDS = 2
_TAGS = re.compile(r"<[^<>]*>")
_DIGIT = re.compile(r"\d")
_LETTERS = re.compile(r"[^\W\d_]{3,}")


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What is known beside the post: the blog's rules,
    the feed's entry, and the page around the article.
    """

    rules: Rules | None = None
    entry: Entry | None = None
    element_length: int = 0
    """Characters of the element that a rule took for the article's; 0 where none did."""
    page_words: int = 0
    """Words of the page; 0 where they were not counted."""


def signs_of(post: Post, around: Surroundings) -> dict[str, Signs]:
    """The signs for each of the post's fields that can be judged."""
    template = _template_of(post, around.rules)
    shared = {"taught": _taught(around.rules), "fields_found": _share_found(post, template)}
    return {
        name: {**_signs_of_way(post.provenance[name]), **shared, **read(post, around, post.provenance[name])}
        for name, read in _READERS.items()
        if name in post.provenance
    }


# --- the way a value came


def _signs_of_way(way: Provenance) -> Signs:
    """By which way a value came, and what that way is
    worth on any page, as the logarithm of its odds.
    """
    trust = min(max(way.confidence, _LEAST_TRUST), _MOST_TRUST)
    return {
        "trust": log(trust / (1 - trust)),
        "by_rule": float(way.by == "rule"),
        "by_feed": float(way.by == "feed"),
    }


def _taught(rules: Rules | None) -> float:
    """Whether whole texts of a feed taught the rules."""
    return float(bool(rules and rules.full_feed))


def _template_of(post: Post, rules: Rules | None) -> Template | None:
    """The template by which the post was read."""
    way = post.provenance.get("html")
    if rules is None or way is None:
        return None
    return next((one for one in rules.templates if one.article.xpath == way.rule), None)


def _share_found(post: Post, template: Template | None) -> float:
    """How many of its fields a template finds on the page; without one there is nothing to find."""
    if template is None or not template.fields:
        return _SILENT
    ways = [post.provenance.get(name) for name in template.fields]
    return sum(way is not None and way.by == "rule" for way in ways) / len(ways)


# --- title, author, date


def _title_signs(post: Post, around: Surroundings, way: Provenance) -> Signs:
    words = _words(post.title)
    said = around.entry.title if around.entry and way.by != "feed" else None
    return {
        "feed_says": _agreement(len(words & _words(said)) / len(words | _words(said))) if said else _SILENT,
        "address_says": _address_on_title(post),
    }


def _address_on_title(post: Post) -> float:
    """How much of the name in the address the title has;
    silent where it has none, or one in other letters.
    """
    name = unquote(path_of(post.url).rstrip("/").rpartition("/")[2]).rpartition(".")
    slug = _LETTERS.findall((name[0] or name[2]).casefold())
    title = (post.title or "").casefold()
    if len(slug) < _SLUG_WORDS or not title.isascii():
        return _SILENT
    return _agreement(sum(word in title for word in slug) / len(slug))


def _author_signs(post: Post, around: Surroundings, way: Provenance) -> Signs:
    said = around.entry.authors if around.entry and way.by != "feed" else ()
    only = around.rules.author if around.rules and way.by != "feed" else None
    names = _names(post.authors)
    return {
        "feed_says": _compared(names, _names(said)),
        "only_author": _compared(names, _words(only)),
        "is_plain_name": -float(_is_odd_name(post.authors)),
    }


# A name is of few words, and has no digits.
_MOST_NAME_WORDS = 4


def _is_odd_name(authors: Iterable[Author]) -> bool:
    """Whether what is said to be a name reads as something else."""
    return any(len(author.name.split()) > _MOST_NAME_WORDS or _DIGIT.search(author.name) for author in authors)


def _date_signs(post: Post, around: Surroundings, way: Provenance) -> Signs:
    published = post.published
    said = around.entry.published if around.entry and way.by != "feed" else None
    named = address_date(post.url) if way.rule != "address" else None
    if published is None:
        return {"feed_says": _SILENT, "address_says": _SILENT}
    return {
        "feed_says": _yes_or_no(same_day(published, said)) if said else _SILENT,
        "address_says": _yes_or_no(published.iso[:7] == named.iso[:7]) if named else _SILENT,
    }


# --- the body


def _body_signs(post: Post, around: Surroundings, way: Provenance) -> Signs:
    has_entry = around.entry is not None and way.by != "feed"
    return {
        **_signs_of_length(post, around),
        **_signs_of_lines(post),
        "feed_says": _feed_on_body(tokenise(post.text), around.entry) if has_entry else _SILENT,
    }


def _signs_of_length(post: Post, around: Surroundings) -> Signs:
    """Short texts are easily wrong; and a text that is a small part of what it was cut out of."""
    whole, page = around.element_length, around.page_words
    words = len(post.text[:_OPENING].encode("utf-8", "ignore")) / _BYTES_OF_A_WORD
    return {
        "long": -max(0.0, 1 - words / _SHORT),
        "no_caption": -max(0.0, 1 - words / _CAPTION),
        "whole_element": min(1.0, len(post.text) / whole) - 1 if whole else _SILENT,
        "much_of_page": min(1.0, len(tokenise(post.text)) / page) - 1 if page else _SILENT,
    }


def _signs_of_lines(post: Post) -> Signs:
    """Lists of links, and lines that say when something
    was written, are of comments or of other posts.
    """
    lines = [line for line in post.text.split("\n") if line]
    length = len(post.text) + 1
    dated = len(list(filter(_DATE_OR_TIME.search, [line for line in lines if len(line) < _LONGEST_DATELINE])))
    return {
        "no_links": -min(1.0, sum(len(link.text) for link in post.links) / length),
        "no_dates": -log(1 + dated),
        "is_ended": -float(bool(lines) and lines[-1][-1].isalnum()),
    }


def _feed_on_body(words: list[str], entry: Entry | None) -> float:
    """How much of what the feed tells the text has,
    and, where the feed tells all, the other way round.
    """
    told = tokenise(_TAGS.sub(" ", entry.html or entry.summary_html)) if entry else []
    if len(told) < _TELLING:
        return _SILENT
    shared = _share_in(told, words)
    if entry and entry.html:
        shared = min(shared, _share_in(words, told))
    return _agreement(shared)


# --- comparing


def _agreement(share: float) -> float:
    return _OTHER + (_SAME - _OTHER) * share


def _yes_or_no(holds: bool) -> float:
    return _SAME if holds else _OTHER


def _share_in(words: list[str], others: list[str]) -> float:
    among = set(others)
    return sum(word in among for word in words) / len(words) if words else 0.0


def _words(text: str | None) -> frozenset[str]:
    return frozenset(tokenise(text or ""))


def _names(authors: Iterable[Author]) -> frozenset[str]:
    return frozenset(word for author in authors for word in tokenise(author.name))


def _compared(mine: frozenset[str], theirs: frozenset[str]) -> float:
    """Whether two say the same; one who says nothing is silent."""
    if not theirs or not mine:
        return _SILENT
    return _yes_or_no(bool(mine & theirs))


_READERS: Mapping[str, Callable[[Post, Surroundings, Provenance], Signs]] = {
    "title": _title_signs,
    "authors": _author_signs,
    "published": _date_signs,
    "html": _body_signs,
}
