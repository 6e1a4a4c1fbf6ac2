"""Archived pages and files, as people look at them: found by address and moment, made harmless,
nothing hidden in them.

They are shown at an origin of their own. Its addresses are signed by the portal, so that nobody
looks around in the archive without having logged in there; they hold for a day or two.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Literal, get_args
from urllib.parse import quote, urlsplit

from blogforever import clock
from blogforever.archive.erasing import hidden_of
from blogforever.care.erasure import Erasure
from blogforever.dom import decode
from blogforever.errors import ArchiveError
from blogforever.export.inert import Address, Use, inert_page, inert_sheet
from blogforever.export.media import file_kind
from blogforever.model import Page
from blogforever.protocols import Ref
from blogforever.storage.values import REDIRECTS, AnswerRow
from blogforever.store.folder import ArchiveFolder
from blogforever.urls import join

from .keys import is_signed, service_key, signature

PURPOSE = "replay"
# Redirects that are followed, and answers of one address that are weighed by their moments.
HOPS, WEIGHED = 5, 500
# Bytes of what is shown: a longer film is better fetched with tools for archives.
LARGEST = 60_000_000
# Blogs of which is remembered what must not be shown of them.
REMEMBERED = 32
RECORD = "urn:uuid:"
TYPES = {
    "png": "image/png",
    "jpg": "image/jpeg",
    "gif": "image/gif",
    "webp": "image/webp",
    "avif": "image/avif",
    "bmp": "image/bmp",
    "ico": "image/x-icon",
    "svg": "image/svg+xml",
    "m4a": "audio/mp4",
    "mp4": "video/mp4",
    "webm": "video/webm",
    "ogg": "application/ogg",
    "mp3": "audio/mpeg",
    "wav": "audio/wav",
}
FONTS = ((b"wOF2", "font/woff2"), (b"wOFF", "font/woff"), (b"\0\1\0\0", "font/ttf"), (b"OTTO", "font/otf"))
MOMENT = re.compile(r"\d{14}")


Shown = Use | Literal["scripted", "wacz"]
"""What is shown: a page or a file without anything that acts; with ReplayWeb.page a page that does,
out of its blog.
"""


@dataclass(frozen=True, slots=True)
class ReplayPlace:
    """What is to be shown: a page, or a file that pages load, of a blog; as it was about a moment
    (14 digits).

    The address may be the name of a record (`urn:uuid:...`) in place of one on the web.
    """

    use: Shown
    blog: str
    moment: str
    url: str


@dataclass(frozen=True, slots=True)
class Showing:
    """What the archive has there, made harmless; `at` is when it was captured."""

    content: bytes
    type: str
    url: str
    at: str = ""

    @property
    def is_page(self) -> bool:
        """Whether it is a page for people."""
        return self.type == "text/html"


class Replay:
    """Shows what an archive has."""

    def __init__(self, archive: ArchiveFolder) -> None:
        self._archive, self._key = archive, service_key(archive.folder)
        self._hidden = lru_cache(REMEMBERED)(self._hidden_of)

    def path(self, place: ReplayPlace) -> str:
        """Where the replay origin shows it, today and tomorrow."""
        day = str(_today())
        signed = signature(self._key, PURPOSE, day, *_parts(place))
        named = quote(place.url, safe="")
        return f"/{signed}/{day}/{place.use}/{quote(place.blog, safe='')}/{place.moment}/{named}"

    def file(self, blog: str, moment: str, url: str) -> str | None:
        """Where the replay origin shows a file that pages load; None where the archive has none."""
        found = any(self._archive.store.captures.answers(blog, name, 1) for name in _spellings(url))
        return self.path(ReplayPlace("file", blog, moment, url)) if found else None

    def is_ours(self, signed: str, day: str, place: ReplayPlace) -> bool:
        """Whether an address was made by us, not too long ago."""
        is_fresh = day.isdecimal() and len(day) < 9 and _today() - int(day) in (0, 1)
        return is_fresh and is_signed(self._key, signed, PURPOSE, day, *_parts(place))

    def show(self, place: ReplayPlace) -> Showing | None:
        """What the archive has there; None where it has nothing, or nothing that may be shown."""
        page = self._page(place)
        if page is None or len(page.content) > LARGEST:
            return None
        hidden = self._hidden(place.blog, self._archive.veil.mark(place.blog))
        if hidden and hidden.gone(page.url):
            return None
        at = page.captured.isoformat(timespec="seconds") if page.captured else ""
        if place.use == "file":
            return self._file(place, page, at)
        text = hidden.blank(decode(page.content, page.headers), page.url)
        shown = inert_page(text, page.url, self.addresses(place, page))
        return Showing(shown.encode("utf-8", "replace"), "text/html", page.url, at)

    def _file(self, place: ReplayPlace, page: Page, at: str) -> Showing | None:
        if _is_sheet(page):
            sheet = inert_sheet(decode(page.content, page.headers), page.url, self.addresses(place, page))
            return Showing(sheet.encode("utf-8", "replace"), "text/css", page.url, at)
        kind = _file_type(page.content)
        return Showing(page.content, kind, page.url, at) if kind else None

    def addresses(self, place: ReplayPlace, page: Page) -> Address:
        """What it loads, and where it links to, as it was at the same moment."""
        moment = f"{page.captured:%Y%m%d%H%M%S}" if page.captured else place.moment

        def address(use: Use, url: str) -> str:
            return self.path(ReplayPlace(use, place.blog, moment, url))

        return address

    def _page(self, place: ReplayPlace) -> Page | None:
        """The response of an address, behind redirects that were captured, too."""
        url = place.url
        for _hop in range(HOPS):
            ref = self._ref(place, url)
            status, page = self._read(ref) if ref else (0, None)
            if page is None or status not in REDIRECTS:
                return page
            url = join(page.url, page.headers.get("location", "")) or ""
        return None

    def _ref(self, place: ReplayPlace, url: str) -> Ref | None:
        if url.startswith((RECORD, f"<{RECORD}")):
            return self._archive.store.captures.find(f"<{url.strip('<>')}>")
        for name in _spellings(url):
            answers = self._archive.store.captures.answers(place.blog, name, WEIGHED)
            if answers:
                return _nearest(answers, place.moment).ref
        return None

    def _read(self, ref: Ref) -> tuple[int, Page | None]:
        try:
            return self._archive.reader().response(ref)
        except ArchiveError:
            return 0, None

    def _hidden_of(self, blog: str, _mark: str) -> Erasure:
        """What must not be shown of a blog; the mark changes when that does."""
        return hidden_of(self._archive, blog)


def moment_of(captured: str | None) -> str:
    """A moment of a record as 14 digits; of none, the last there could be."""
    digits = re.sub(r"\D", "", (captured or "")[:19])
    return digits.ljust(14, "0") if digits else "9" * 14


def is_moment(text: str) -> bool:
    """Whether this is one."""
    return MOMENT.fullmatch(text) is not None


def known_use(word: str) -> Use | None:
    """What is wanted of an address; None where the word says nothing."""
    return next((use for use in get_args(Use) if use == word), None)


def _parts(place: ReplayPlace) -> tuple[str, ...]:
    return place.use, place.blog, place.moment, place.url


def _today() -> int:
    return clock.today().toordinal()


def _spellings(url: str) -> tuple[str, ...]:
    """How the same address may have been asked for."""
    parts = urlsplit(url)
    other = {"http": "https", "https": "http"}.get(parts.scheme)
    return (url, f"{other}{url[len(parts.scheme) :]}") if other else (url,)


def _nearest(answers: list[AnswerRow], moment: str) -> AnswerRow:
    """The answer nearest to a moment; one with content before one that leads elsewhere."""
    wanted = _seconds(moment)
    return min(answers, key=lambda row: (row.status in REDIRECTS, abs(_seconds(moment_of(row.captured)) - wanted)))


def _seconds(moment: str) -> float:
    try:
        return datetime.strptime(f"{moment}+0000", "%Y%m%d%H%M%S%z").timestamp()
    except ValueError:
        return float("inf")


def _is_sheet(page: Page) -> bool:
    stated = page.headers.get("content-type", "").lower()
    return "text/css" in stated or (urlsplit(page.url).path.lower().endswith(".css") and "html" not in stated)


def _file_type(content: bytes) -> str | None:
    """What a file is, by its first bytes; None for what is no picture, sound, film or font."""
    kind = file_kind(content)
    if kind:
        return TYPES[kind]
    return next((name for sign, name in FONTS if content.startswith(sign)), None)
