"""What is wrong in the text of an XML feed, set right before a parser sees it; a sound feed stays as it is."""

from __future__ import annotations

import html
import re
from html.entities import html5

# Entities that a document type declares as plain words, and how much they may write in all: those
# that hold others could grow without end, and other files are none of ours.
_ENTITY = re.compile(
    r"<!ENTITY\s++([\w.-]{1,40}+)\s++"
    r"(?:\"([^\"<&%]{0,200}+)\"\s*+|'([^'<&%]{0,200}+)'\s*+|(?:SYSTEM|PUBLIC)\s[^<>]{0,500}+)>"
)
_MOST_ENTITIES, _MOST_WRITTEN = 300, 1_000_000
# A link that is written twice, as an address of another kind in an attribute and as the page's own
# in the text.
_OTHER_LINK = re.compile(r"(<link)\s+uri=(?:\"[^\"<>]{0,2000}\"|'[^'<>]{0,2000}')(?=\s*>)", re.IGNORECASE)
MENTIONED = "mentioned"
"""The relation of a link that an attribute of no standard names: those of other stories, and seldom an entry's own."""
_MENTIONED_LINK = re.compile(r"<link(?=\s+url=)", re.IGNORECASE)
# Mark-up inside what can only be words.
_WORDS_WITH_MARKUP = re.compile(
    r"(<(category|guid|author)(?:\s[^<>]{0,500})?>)((?:\s*+<(?:p|b|i|em|strong|span)>[^<>]*+</\w++>)++\s*+)(?=</\2>)",
    re.IGNORECASE,
)
# What the usual prefixes mean: feeds forget to say so.
_NAMESPACES = {
    "atom": "http://www.w3.org/2005/Atom",
    "content": "http://purl.org/rss/1.0/modules/content/",
    "dc": "http://purl.org/dc/elements/1.1/",
    "itunes": "http://www.itunes.com/dtds/podcast-1.0.dtd",
    "media": "http://search.yahoo.com/mrss/",
    "slash": "http://purl.org/rss/1.0/modules/slash/",
    "thr": "http://purl.org/syndication/thread/1.0",
    "wfw": "http://wellformedweb.org/CommentAPI/",
}
# What stands as it is, and outside of it: names that a feed reader takes for those of other
# elements, and ampersands that begin nothing XML knows.
_OUTSIDE = re.compile(
    r"<!\[CDATA\[.*?(?:\]\]>|\Z)|<!--.*?(?:-->|\Z)"
    r"|<(?P<slash>/?)(?P<name>media:description|itunes:subtitle)(?:\s[^<>]{0,500}?)?(?P<end>/?>)"
    r"|&(?!(?:#\d{1,12}|#[xX][0-9a-fA-F]{1,12}|lt|gt|amp|quot|apos);)(?:(?P<entity>[A-Za-z][A-Za-z0-9]{1,31});)?",
    re.DOTALL,
)
_OWN_NAMES = {"media:description": "media:caption", "itunes:subtitle": "itunes:tagline"}
"""A caption is no text of an entry, and the line of a podcast no description: readers of feeds mix them up."""
# The beginning and the end of a text that was marked as text twice.
_MARKED = "title|link|guid|description|content:encoded|author|dc:creator|category|summary|content"
_MARKED_INSIDE = re.compile(r"<!\[CDATA\[\s*+<!\[CDATA\[")
_ENDS_INSIDE = re.compile(r"\]\]\]\]><!\[CDATA\[>\s*+\]\]>|\]\]>\s*+\]\]>(?=\s*+</)")
_MARKED_IN_WORDS = re.compile(rf"(<(?:{_MARKED})(?:\s[^<>]{{0,500}})?>\s*+)&lt;!\[CDATA\[")
_ENDS_IN_WORDS = re.compile(rf"\]\]&gt;(?=\s*+</(?:{_MARKED})>)")


def mended_text(body: str) -> str:
    """The feed with its texts marked once, its words as words, and no ampersand that XML forbids."""
    body = _MENTIONED_LINK.sub(f'<link rel="{MENTIONED}"', _OTHER_LINK.sub(r"\1", body))
    body = _WORDS_WITH_MARKUP.sub(_escaped_markup, body)
    return plain_entities(_marked_once(body))


def plain_entities(text: str) -> str:
    """A text in XML whose entities are those of XML: others as what they mean, and ampersands that begin none."""
    return _OUTSIDE.sub(_outside, text)


def _marked_once(body: str) -> str:
    """Texts that say twice, one mark in the other, that they are text."""
    body, inside = _MARKED_INSIDE.subn("<![CDATA[", body)
    body, in_words = _MARKED_IN_WORDS.subn(r"\1", body)
    body = _ENDS_INSIDE.sub("]]>", body) if inside else body
    return _ENDS_IN_WORDS.sub("", body) if in_words else body


def _outside(match: re.Match[str]) -> str:
    """One of the finds: a name of its own, an entity as what it means, an ampersand as itself."""
    if match["name"]:
        return f"<{match['slash']}{_OWN_NAMES[match['name']]}{match['end']}"
    if not match[0].startswith("&"):
        return match[0]
    meaning = html5.get(f"{match['entity']};")
    return html.escape(meaning or match[0], quote=False)


def _escaped_markup(match: re.Match[str]) -> str:
    """An element with its words as words: a parser would lose them with their mark-up."""
    return match[1] + html.escape(match[3], quote=False)


def with_entities(body: str, prolog: str) -> str:
    """The feed with what its document type gives names to, where that are plain words."""
    words = {found[1]: found[2] or found[3] or "" for found in _ENTITY.finditer(prolog)}
    if not words or len(words) > _MOST_ENTITIES:
        return body
    reference = re.compile("&(" + "|".join(map(re.escape, words)) + ");")
    written = sum(len(words[name]) for name in reference.findall(body))
    return reference.sub(lambda found: words[found[1]], body) if written <= _MOST_WRITTEN else body


def with_namespaces(body: str, root: str) -> str:
    """The feed with the usual prefixes declared that it uses, and never says what they mean."""
    used = [prefix for prefix in _NAMESPACES if f"<{prefix}:" in body and f"xmlns:{prefix}" not in body]
    declared = "".join(f' xmlns:{prefix}="{_NAMESPACES[prefix]}"' for prefix in used)
    begun = len(f"<{root}")
    return body[:begun] + declared + body[begun:]
