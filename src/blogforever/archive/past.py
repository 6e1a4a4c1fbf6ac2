"""Several captures of one page over time: the versions of a post before the newest, each told from the next."""

from __future__ import annotations

from collections.abc import Callable

from blogforever.discover.blocked import diagnose
from blogforever.discover.pagefacts import looks_like_html
from blogforever.errors import ArchiveError
from blogforever.extract.post import extract_post
from blogforever.logs import logger
from blogforever.model import Page, Post, Rules
from blogforever.pipeline.again import read_again
from blogforever.pipeline.record import source_record
from blogforever.pipeline.versions import Capture, judge
from blogforever.protocols import Record, Ref

MOST = 200
"""Captures of one post that are compared; of more, the newest."""
GOOD = 200
Captures = Callable[[str], list[Ref]]
log = logger("archive")


class Past:
    """Earlier captures of a blog's posts among the files that are replayed."""

    def __init__(self, captures: Captures, read: Callable[[Ref], Page], rules: Rules | None) -> None:
        self._captures, self._page, self._rules = captures, read, rules

    def versions(self, record: Record) -> list[Record]:
        """The post as it was before, oldest first; a new theme, an outage or another reading is no version."""
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
            # A page that is read by other ways than the rules is no measure for those that come after it.
            if verdict.judgement == "edit" or verdict.sure or capture.rule[0] == "rule":
                base = capture
        return [self._record(record, ref, capture) for ref, capture in firsts[:-1]]

    def _read(self, record: Record) -> list[tuple[Ref, Capture]]:
        """The captures of a post's addresses that show it, oldest first; the last is the newest."""
        refs = {ref for name in (record["url"], *record["aliases"]) for ref in self._captures(name)}
        pages = ((ref, self._good_page(ref)) for ref in refs)
        found = sorted(((r, p) for r, p in pages if p), key=lambda pair: str(pair[1].captured))[-MOST:]
        captures = [(ref, Capture(page, self._extract)) for ref, page in found]
        # What has little in common with the newest is no earlier form of it: a parked domain, an error page, a mix-up.
        return [pair for pair in captures if judge(pair[1], captures[-1][1], announced=False).judgement != "replaced"]

    def _good_page(self, ref: Ref) -> Page | None:
        try:
            page = self._page(ref)
        except ArchiveError as error:
            log.warning("%s", error)
            return None
        return page if looks_like_html(page) and diagnose(page, GOOD) is None else None

    def _extract(self, page: Page) -> Post:
        return extract_post(page, self._rules, None)

    def _record(self, record: Record, ref: Ref, capture: Capture) -> Record:
        older = read_again(record, capture.page, self._rules, None)
        return older | {"sources": [source_record(capture.page, ref)]}
