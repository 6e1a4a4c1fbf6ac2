"""Archived mark-up made fit for the static copy: sanitised again, with pictures of the copy.

Whatever the record holds, three things are true of what comes out: it has passed the sanitiser
last, it loads nothing from the network, and nothing in it can run. What the archive does not have
becomes a link to where it was.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from html import escape, unescape
from typing import Any
from urllib.parse import urlsplit

import nh3

from blogforever.extract.safe import ALLOWED, CLEANER, KEPT, PICTURE

# From an address on the web to a file in the copy, relative to the page; None where the copy has
# none.
Finder = Callable[[str], str | None]

LOADED = re.compile(
    r'<(?P<tag>a|img|iframe|video|audio|source|track|picture)(?P<attributes>(?:\s+[^\s"=<>/]+(?:="[^"]*")?)*)\s*/?>'
    r"|</(?P<closing>a|iframe|video|audio|picture)>"
)
ATTRIBUTE = re.compile(r'(?<![^\s"=<>/])([^\s"=<>/]++)="([^"]*)"')
LOCAL = re.compile(r"(?:\.\./)?(?:media|\d{4}|undated)/[\w.-]+")
INLINE_PICTURE = re.compile(r"data:image/(?:png|gif|jpe?g|webp|avif);base64,[A-Za-z0-9+/=\s]+")
WEB = re.compile(r"https?://|mailto:|tel:|#", re.I)
SHOWN = frozenset(["img", "video", "audio"])


def esc(value: object) -> str:
    """Text for mark-up, in elements and in attributes; without what cannot be written."""
    return escape(str(value).replace("\0", "").encode("utf-8", "replace").decode())


def web_link(url: str | None, label: str, more: str = "") -> str:
    """A link to the web, or only its label where the address is no address of the web."""
    if not url or not re.match(r"https?://", url, re.I):
        return esc(label)
    return f'<a href="{esc(url)}" rel="noopener noreferrer external"{more}>{esc(label)}</a>'


def host(url: str | None) -> str:
    """The host of an address, for people."""
    try:
        return (urlsplit(url or "").hostname or "").removeprefix("www.")
    except ValueError:
        return ""


@dataclass(frozen=True, slots=True)
class AbsentWords:
    """What stands for something that the copy does not have; `{words}` are those that describe it."""

    picture: str = "Picture"
    embedded: str = "Embedded"
    video: str = "Video"
    audio: str = "Audio"
    not_here: str = "{what} not in this copy"

    def label(self, tag: str, words: str) -> str:
        """The same in one piece."""
        kinds = {"img": self.picture, "iframe": self.embedded, "video": self.video, "audio": self.audio}
        what = kinds.get(tag, tag)
        return f"{what}: {words}" if words else self.not_here.format(what=what)


ENGLISH = AbsentWords()


def safe_body(
    html: str,
    picture: Finder,
    page: Finder,
    is_own: Callable[[str], bool] = lambda source: LOCAL.fullmatch(source) is not None,
    absent: AbsentWords = ENGLISH,
) -> str:
    """Sanitised mark-up for a page of the copy; `picture` and `page` know what the copy has,
    `is_own` which addresses are those of files in it.
    """
    return str(_last_word(page, is_own).clean(_Local(picture, absent).mark_up(CLEANER.clean(html))))


def safe_text(text: str) -> str:
    """Plain text as paragraphs."""
    parts = re.split(r"\n\s*\n", text.strip())
    return "".join(f"<p>{esc(part.strip()).replace(chr(10), '<br>')}</p>" for part in parts if part.strip())


class _Local:
    """Replaces what would be loaded from the web."""

    def __init__(self, picture: Finder, absent: AbsentWords) -> None:
        self._picture, self._words, self._in_link = picture, absent, False

    def mark_up(self, html: str) -> str:
        """The mark-up with files of the copy, or links, instead."""
        return LOADED.sub(self._instead, html)

    def _instead(self, found: re.Match[str]) -> str:
        tag, closing = found["tag"], found["closing"]
        if "a" in (tag, closing):
            self._in_link = tag == "a"
            return found[0]
        if closing or tag in ("picture", "source", "track"):
            return ""
        attributes = {name: unescape(value) for name, value in ATTRIBUTE.findall(found["attributes"] or "")}
        source = attributes.get("src", "")
        if tag == "img" and INLINE_PICTURE.fullmatch(source):
            return found[0]
        return self._file_or_words(tag, source, attributes)

    def _file_or_words(self, tag: str, source: str, attributes: Mapping[str, str]) -> str:
        file = self._picture(source) if tag in SHOWN and source else None
        if file is None:
            return self._absent(tag, source, attributes.get("alt") or attributes.get("title") or "")
        return _kept_element(tag, file, attributes)

    def _absent(self, tag: str, source: str, words: str) -> str:
        label = self._words.label(tag, words)
        if self._in_link or not source.lower().startswith(("http://", "https://")):
            return f"<small>[{esc(label)}]</small>" if words or self._in_link else ""
        return f'<small>[<a href="{escape(source)}">{esc(label)}</a>, {esc(host(source))}]</small>'


def _kept_element(tag: str, file: str, attributes: Mapping[str, str]) -> str:
    """A picture, film or sound that is a file of the copy."""
    if tag != "img":
        return f'<{tag} src="{escape(file)}" controls></{tag}>'
    sizes = "".join(f' {name}="{escape(attributes[name])}"' for name in PICTURE if attributes.get(name))
    return f'<img src="{escape(file)}"{sizes}>'


def _last_word(page: Finder, is_own: Callable[[str], bool]) -> Any:
    """The sanitiser that everything passes last: only files of the copy are loaded, only the web is
    linked to.
    """

    def value(tag: str, name: str, text: str) -> str | None:
        if name == "src":
            inline = tag == "img" and INLINE_PICTURE.fullmatch(text)
            return text if inline or is_own(text) else None
        if name == "href":
            return (page(text) or text) if WEB.match(text) else None
        if name == "id":
            return f"post-{text}"
        return text

    return nh3.Cleaner(
        tags=set(ALLOWED) - {"iframe", "source", "track", "picture"},
        clean_content_tags={"script", "style"},
        attributes={
            "*": {"id", "lang", "dir"},
            **{tag: set(names) for tag, names in KEPT.items() if tag != "a"},
            "a": {"href", "title"},
            "img": {"src", *PICTURE},
            "video": {"src", "controls"},
            "audio": {"src", "controls"},
        },
        attribute_filter=value,
        url_schemes={"http", "https", "mailto", "tel", "data"},
        link_rel="noopener noreferrer",
    )
