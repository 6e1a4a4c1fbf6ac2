"""A handler around a crawl that also asks for what its pages load, and for the files they offer, each once."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from msgspec import structs

from blogforever.discover.pagefacts import looks_like_html
from blogforever.media.requisites import Needed, css_files, page_files, script_files
from blogforever.model import Page
from blogforever.protocols import Answer, Ask, PageHandler, Role
from blogforever.records import MediaRecord, PostRecord

from .redirects import followed, is_redirect, target_of, why_not_followed

PAGES = frozenset({"home", "entry", "page"})
FILES = frozenset({"requisite", "media"})
# Redirects that are followed for a file, and style sheets that load style sheets.
HOPS = 5
DEPTH = 6
NOTHING_THERE = (404, 410)
FURTHER = {"text/css": css_files} | dict.fromkeys(
    ("text/javascript", "application/javascript", "application/x-javascript", "text/ecmascript"), script_files
)
"""The kinds of files that load further ones."""
FindFiles = Callable[[Page, bool], Iterable[Needed]]
"""What a page loads; where True is given, also the files it offers."""
PRIORITIES: dict[str, int] = {"requisite": -10, "media": -20}


@dataclass(frozen=True, slots=True)
class KeptFile:
    """A file that is in the WARC now."""

    type: str | None
    sha256: str


def kept_file(page: Page) -> KeptFile:
    """What a record says of a file."""
    kind = page.headers.get("content-type", "").partition(";")[0].strip().lower() or None
    return KeptFile(kind, hashlib.sha256(page.content).hexdigest())


def as_kept(media: MediaRecord, kept: KeptFile) -> MediaRecord:
    """What a record says of a picture, sound or film whose file is kept."""
    return structs.replace(media, sha256=kept.sha256, type=media.type or kept.type)


class WithFiles:
    """Passes everything on to the crawl, but what it asked for itself."""

    def __init__(
        self,
        crawl: PageHandler,
        requisites: bool,
        media: bool,
        enclosures: Callable[[], Iterable[str]] = tuple,
        find: FindFiles = page_files,
        is_kept: Callable[[str], bool] = lambda _url: False,
    ) -> None:
        self._crawl, self._enclosures, self._find, self._is_kept = crawl, enclosures, find, is_kept
        self._roles = {role for role, wanted in (("requisite", requisites), ("media", media)) if wanted}
        self._asked: set[str] = set()
        self._depths: dict[str, int] = {}
        self._moved: dict[str, str] = {}
        self.kept: dict[str, KeptFile] = {}
        self.missing = 0
        """Files that could not be had, and may be there."""

    def start(self) -> Iterable[Ask]:
        """The crawl's own first requests."""
        return self._crawl.start()

    def idle(self) -> Iterable[Ask]:
        """The crawl's own next step; by then feeds have said which files they carry."""
        asks = list(self._crawl.idle())
        return asks + self._ask([Needed(url, "media") for url in self._enclosures()], None, 0)

    def handle(self, answer: Answer) -> Iterable[Ask]:
        """A page goes to the crawl, and is looked through.

        A file is noted, style sheets and scripts looked through.
        """
        ask, page = answer.ask, answer.page
        if ask.role in FILES:
            return self._file(answer)
        asks = list(self._crawl.handle(answer))
        if page and ask.role in PAGES and answer.status == 200 and looks_like_html(page):
            asks += self._ask(self._find(page, "media" in self._roles), page.url, 0)
        return asks

    def described(self, record: PostRecord) -> PostRecord:
        """A post's record that says which of its files are kept, and as what."""
        return structs.replace(record, media=tuple(map(self._described, record.media)))

    def _described(self, media: MediaRecord) -> MediaRecord:
        kept = self.kept.get(self._place(media.url))
        return as_kept(media, kept) if kept else media

    def _ask(self, files: Iterable[Needed], via: str | None, depth: int) -> list[Ask]:
        asks = []
        for needed in files:
            if not self._is_wanted(needed):
                continue
            self._asked.add(needed.url)
            if depth:
                self._depths[needed.url] = depth
            role: Role = "media" if needed.role == "media" else "requisite"
            asks.append(Ask(needed.url, role, PRIORITIES[role], via))
        return asks

    def _is_wanted(self, needed: Needed) -> bool:
        is_new = needed.url not in self._asked and not self._is_kept(needed.url)
        return is_new and needed.role in self._roles

    def _file(self, answer: Answer) -> list[Ask]:
        ask, page = answer.ask, answer.page
        if is_redirect(answer) and len(ask.chain) < HOPS:
            target = target_of(answer)
            if target and not why_not_followed(ask, target):
                return self._moved_to(target, ask)
        if page is None or answer.status != 200:
            self.missing += answer.status not in NOTHING_THERE
            return []
        return self._keep(ask, page)

    def _moved_to(self, target: str, ask: Ask) -> list[Ask]:
        """Follow, unless what it leads to is or will be kept anyway."""
        self._moved[ask.url] = target
        if target in self._asked:
            return []
        self._asked.add(target)
        return [followed(ask, target)]

    def _place(self, url: str) -> str:
        for _ in range(HOPS):
            url = self._moved.get(url, url)
        return url

    def _keep(self, ask: Ask, page: Page) -> list[Ask]:
        kept = self.kept[ask.url] = kept_file(page)
        depth = self._depths.pop(ask.first, 0)
        further = FURTHER.get(kept.type or "")
        if further is None or depth >= DEPTH:
            return []
        return self._ask(further(page.content, page.url), page.url, depth + 1)
