"""What the archive has of a blog, read again: the pages of its posts, the entries of all its feeds, its rules."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from blogforever.care.locks import Locks, with_locks
from blogforever.discover.feedlinks import is_comment_feed
from blogforever.discover.pagefacts import looks_like_html
from blogforever.discover.wordpress import parse_posts
from blogforever.errors import ArchiveError
from blogforever.learn.rulefile import load_rules, rule_in
from blogforever.logs import logger
from blogforever.model import Entry, Feed, Page, Rules
from blogforever.pipeline.entries import as_feed, completed, with_marks
from blogforever.protocols import Ref
from blogforever.records import PostRecord, SourceRecord
from blogforever.store.cdxj import IndexLine, line_of, moment_of, read_index
from blogforever.store.copying import head_of
from blogforever.store.folder import ArchiveFolder
from blogforever.store.members import Member
from blogforever.urls import url_key

API = "api"
STAMP = 14
"""Digits at the beginning of a WARC file's name: the second in which it was begun."""
FEED_TYPES = ("xml", "rss", "atom", "rdf", "json")
log = logger("archive")


class KeptBlog:
    """One blog of an archive, as it is or was at a moment; bodies are read when they are asked for."""

    def __init__(self, archive: ArchiveFolder, blog: str, until: datetime | None = None) -> None:
        self._archive, self._blog, self._until = archive, blog, until
        self._reader = archive.reader()
        self._entries: dict[str, Entry] | None = None

    def page(self, record_id: str | None) -> Page | None:
        """The response with this record id, if the archive has its bytes and they can be read."""
        ref = self._archive.store.captures.find(record_id) if record_id else None
        return self._read(ref) if ref else None

    def sources(self, record: PostRecord) -> list[tuple[SourceRecord, Page]]:
        """The responses a post was made from, the page itself first; those that are not here are
        left out.
        """
        found = ((source, self.page(source.record_id)) for source in record.sources)
        return [(source, page) for source, page in found if page is not None]

    def last(self, url: str) -> Page | None:
        """The newest good response of an address."""
        lines = [line for line in self._lines() if line.status == "200" and url_key(line.url) == url_key(url)]
        best = max(lines, key=lambda line: line.stamp, default=None)
        return self._read(self._ref(best)) if best else None

    def pages(self) -> Iterator[tuple[Page, Ref]]:
        """The newest good response of each address that is a page, with its place."""
        newest: dict[str, IndexLine] = {}
        for line in sorted(self._lines(), key=lambda line: line.stamp):
            if line.status == "200" and line.mime in ("text/html", "application/xhtml+xml", "warc/revisit"):
                newest[url_key(line.url)] = line
        places: dict[str, dict[int, Ref]] = {}
        for line in newest.values():
            file = self._ref(line).file
            known = places.get(file) or places.setdefault(file, self._places(file))
            ref = known.get(line.offset)
            page = self._read(ref) if ref else None
            if ref and page and looks_like_html(page):
                yield page, ref

    def _places(self, file: str) -> dict[int, Ref]:
        return {ref.offset: ref for ref in self._archive.store.captures.in_file(file)}

    def entries(self) -> dict[str, Entry]:
        """What all feeds and API pages of the blog ever told, by the key of the address; the newest
        word first.
        """
        if self._entries is None:
            self._entries = {}
            # As in a crawl, feeds have the first word, and an API says what they leave out.
            rules = self.rules()
            shares = rules is not None and rules.shared is not None
            newest_first = [with_marks(feed, shares=True) if shares else feed for feed in self.feeds()[::-1]]
            for feed in sorted(newest_first, key=lambda feed: feed.version == API):
                for entry in feed.entries:
                    known = self._entries.get(url_key(entry.url))
                    self._entries[url_key(entry.url)] = completed(known, entry) if known else entry
        return self._entries

    def feeds(self) -> list[Feed]:
        """Every captured feed of posts, and every page of an API as one, oldest first."""
        lines = [line for line in self._lines() if line.status == "200" and _may_be_feed(line.mime)]
        ordered = sorted(lines, key=lambda line: line.stamp)
        # Not every tool writes digests down.
        seen = {line.digest or f"{line.file} {line.offset}": line for line in ordered}
        found = (self._feed(line) for line in sorted(seen.values(), key=lambda line: line.stamp))
        return [feed for feed in found if feed is not None]

    def locks(self) -> Locks:
        """The rules that a person has locked."""
        locked = self._archive.journal.state(self._until).locks.get(self._blog, {})
        return {field: tuple(rule_in(rule) for rule in rules) for field, rules in locked.items()}

    def rules(self) -> Rules | None:
        """The rules in force: those of the rule file, with what is locked."""
        text = self._archive.read_rules(self._blog)
        rules = load_rules(text) if text else None
        locks = self.locks()
        return with_locks(rules or Rules(self._blog), locks) if locks else rules

    def _feed(self, line: IndexLine) -> Feed | None:
        page = self._read(self._ref(line))
        if page is None:
            return None
        told = parse_posts(page) if "json" in line.mime else None
        if told is not None:
            return Feed(page.url, "json", API, entries=told.entries)
        feed = as_feed(page)
        return feed if feed and not is_comment_feed(feed) else None

    def _lines(self) -> list[IndexLine]:
        index = self._archive.current_index(self._blog)
        lines = [*(read_index(index) if index else ()), *self._outside()]
        return [line for line in lines if self._until is None or _was_here(line, self._until)]

    def _outside(self) -> Iterator[IndexLine]:
        """Lines for what the archive only points to: no index speaks of that."""
        for ref in self._archive.store.captures.of_blog(self._blog):
            head = head_of(self._reader, ref) if ref.outside else None
            if head:
                yield line_of(head, Member(ref.offset, 0), ref.file)

    def _ref(self, line: IndexLine) -> Ref:
        own = Ref(f"warc/{self._blog}/{line.file}", line.offset)
        outside = Ref(line.file, line.offset)
        return outside if outside.outside else own

    def read(self, ref: Ref) -> Page:
        """The page of an earlier answer."""
        return self._reader.response(ref)[1]

    def _read(self, ref: Ref) -> Page | None:
        try:
            return self.read(ref)
        except ArchiveError as error:
            log.warning("%s", error)
            return None


def _was_here(line: IndexLine, moment: datetime) -> bool:
    """Whether the archive had a response by then: what was copied later may have been captured long
    before.
    """
    begun = line.file[:STAMP]
    came = moment_of(begun) if begun.isdigit() else line.captured
    return max(came, line.captured) <= moment


def _may_be_feed(mime: str) -> bool:
    return any(word in mime for word in FEED_TYPES)
