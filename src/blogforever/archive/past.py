"""Captures of one page over time: the versions of a post before the newest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from msgspec import structs

from blogforever.discover.blocked import diagnose
from blogforever.discover.pagefacts import looks_like_html
from blogforever.dom import tokenise
from blogforever.errors import ArchiveError
from blogforever.extract.content import letters
from blogforever.extract.sharedpage import page_of
from blogforever.logs import logger
from blogforever.model import Page
from blogforever.pipeline.again import read_again
from blogforever.pipeline.reading import Reading, StageFailed
from blogforever.pipeline.record import source_record
from blogforever.protocols import Ref
from blogforever.records import PostRecord
from blogforever.update.versions import REPLACED, Capture, judge, share_kept
from blogforever.urls import mark_of

# Captures of one post that are compared; of more, the newest.
MOST = 200
# Pages in WARC files are judged as if they had just been answered.
GOOD = 200
Captures = Callable[[str], list[Ref]]
log = logger("archive")


class Past:
    """Earlier captures of a blog's posts among the files that are replayed."""

    def __init__(self, captures: Captures, read: Callable[[Ref], Page], reading: Reading) -> None:
        self._captures, self._page, self._reading = captures, read, reading

    def versions(self, record: PostRecord) -> list[PostRecord]:
        """The post as it was before, oldest first; a new theme, an outage or another reading is no
        version.
        """
        found = self._read(record)
        firsts = found[:1]
        base = found[0][1] if found else None
        for ref, capture in found[1:]:
            assert base is not None
            verdict = judge(base, capture, announced=False)
            if verdict.judgement == "closed":
                continue
            if verdict.judgement == "edit":
                firsts.append((ref, capture))
            # A page that is read by other ways than the rules is no measure for those that come
            # after it.
            if verdict.judgement == "edit" or verdict.sure or capture.rule[0] == "rule":
                base = capture
        return [self._record(record, ref, capture) for ref, capture in firsts[:-1]]

    def _read(self, record: PostRecord) -> list[tuple[Ref, Capture]]:
        """The captures of a post's addresses that show it, oldest first; the last is the newest."""
        refs = {ref for address in record.addresses for ref in self._captures(address)}
        pages = ((ref, self._good_page(ref)) for ref in refs)
        found = sorted(((r, p) for r, p in pages if p), key=lambda pair: str(pair[1].captured))[-MOST:]
        captures = [(ref, capture) for ref, page in found if (capture := self._capture(page, record.url))]
        # What has little in common with the newest is no earlier form of it: a parked domain, an
        # error page, a mix-up.
        return [pair for pair in captures if judge(pair[1], captures[-1][1], announced=False).judgement != "replaced"]

    def _good_page(self, ref: Ref) -> Page | None:
        try:
            page = self._page(ref)
        except ArchiveError as error:
            log.warning("%s", error)
            return None
        return page if self._is_good(page) else None

    def _is_good(self, page: Page) -> bool:
        return looks_like_html(page) and diagnose(page, GOOD) is None

    def _capture(self, page: Page, url: str) -> Capture | None:
        """None where it cannot be read: then it says nothing of the post."""
        if mark_of(url):
            page = page_of(page, url, self._reading.shared)
        try:
            return Capture(page, self._reading.post)
        except StageFailed:
            return None

    def _record(self, record: PostRecord, ref: Ref, capture: Capture) -> PostRecord:
        older = read_again(record, capture.page, self._reading, None)
        return structs.replace(older, sources=(source_record(capture.page, ref),))

    def woven(self, record: PostRecord, kept: Sequence[Version]) -> list[int | PostRecord]:
        """The history of a known post with the replayed captures in it, oldest first.

        Versions that are kept stand as their numbers. A capture becomes a version only where it is
        an edit of what was before it, and what comes after is an edit of it; where that cannot be
        told, it becomes none.
        """
        order: list[int | PostRecord] = []
        base: Item | None = None
        for item in self._items(record, kept):
            edited = None if base is None else _edited(base, item)
            if item.version is not None:
                _reach(order, item.version, edited)
            elif base is not None and not edited:
                # What cannot be compared, or shows the post in another way, is no measure for what
                # comes after it.
                base = item if edited is False and item.read_by_rule else base
                continue
            elif item.ref is not None and item.capture is not None:
                order.append(self._record(record, item.ref, item.capture))
            base = item
        return order

    def _items(self, record: PostRecord, kept: Sequence[Version]) -> list[Item]:
        """Versions and captures in the order of time; a capture that is a version already counts
        once.
        """
        replayed = self._read(record)
        items = self._kept_items(kept, replayed)
        known_records = {version.record_id for version in kept}
        moments = {item.moment for item in items}
        for ref, capture in replayed:
            moment = _second(str(capture.page.captured or ""))
            is_kept = bool(ref.record_id) and ref.record_id in known_records
            if not is_kept and moment not in moments:
                items.append(Item(moment, None, ref, capture))
        return sorted(items, key=lambda item: item.moment)

    def _kept_items(self, kept: Sequence[Version], replayed: Sequence[tuple[Ref, Capture]]) -> list[Item]:
        """The versions that are kept, with their captures where there is a page of them."""
        by_record = {ref.record_id: capture for ref, capture in replayed if ref.record_id}
        items: list[Item] = []
        for version in kept:
            # Versions keep their order, whatever their dates say.
            moment = _second(version.captured)
            if items:
                moment = max(moment, items[-1].moment)
            has_page = version.page is not None and self._is_good(version.page)
            capture = self._capture(version.page, version.record.url) if version.page and has_page else None
            items.append(Item(moment, version, capture=capture or by_record.get(version.record_id or "")))
        return items


@dataclass(frozen=True, slots=True)
class Version:
    """A version of a post that the archive has: its number, when it was captured, what it reads,
    and its page.

    `alike` says whether the rules it was read by find an article as the present ones do. The newest
    version stands here twice where it was captured again: when it came, and when it was last seen.
    """

    number: int
    captured: str
    record_id: str | None
    record: PostRecord
    page: Page | None = None
    alike: bool = False


@dataclass(frozen=True, slots=True)
class Item:
    """One moment in the history of a post: a version, a capture, or both."""

    moment: str
    version: Version | None
    ref: Ref | None = None
    capture: Capture | None = None

    @property
    def read_by_rule(self) -> bool:
        """Whether the blog's rules found the article."""
        return self.capture is not None and self.capture.rule[0] == "rule"


def _reach(order: list[int | PostRecord], version: Version, edited: bool | None) -> None:
    """Go on to a version that is kept: what shows no edit up to it is that version, captured
    earlier.
    """
    if version.number in order:
        # Seen again: what lies between would be an edit that was taken back, and nobody saw it
        # there.
        del order[order.index(version.number) + 1 :]
        return
    if order and not isinstance(order[-1], int) and not edited:
        order.pop()
    order.append(version.number)


def _edited(old: Item, new: Item) -> bool | None:
    """Whether the author changed the post from one to the other; None where that cannot be told."""
    if old.capture and new.capture:
        judgement = judge(old.capture, new.capture, announced=False).judgement
        return {"edit": True, "same": False, "revision": False}.get(judgement)
    if old.version and new.version:
        return True
    version, capture = (old.version, new.capture) if old.version else (new.version, old.capture)
    if version is None or capture is None:
        return None
    if letters(version.record.text) == capture.content.text:
        return False
    if not _read_by_one_rule(version, capture):
        return None
    words = tokenise(version.record.text)
    return None if share_kept(words, capture.words) < REPLACED else True


def _read_by_one_rule(version: Version, capture: Capture) -> bool:
    """Whether the same rule found the article then and now, and rules of then and now read it
    alike.
    """
    source = version.record.text_source
    if source is None or source.by != "rule":
        return False
    return version.alike and (source.by, source.rule) == capture.rule


def _second(moment: str) -> str:
    """A moment so that moments compare: in UTC, to the second."""
    try:
        found = datetime.fromisoformat(moment)
    except ValueError:
        return moment
    return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC).isoformat(timespec="seconds")
