"""How complete a blog is after an update: what it announces now, what is kept, and what an earlier look said."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace
from datetime import timedelta
from functools import partial

from blogforever.care.veil import Veil
from blogforever.crawl.completeness import (
    NOT_A_POST,
    Announcement,
    Completeness,
    by_post,
    in_words,
    kept_statement,
    reconcile,
    with_cut,
)
from blogforever.crawl.statement import SHOWN
from blogforever.pipeline.announcements import FEED, SITEMAP
from blogforever.protocols import CUT
from blogforever.update.findings import UpdateFindings
from blogforever.update.fuller import is_bare
from blogforever.update.rechecks import TurnBudget
from blogforever.update.remembered import Remembered
from blogforever.update.update import BlogUpdate
from blogforever.urls import url_key


def statement(update: BlogUpdate, found: UpdateFindings, ending: str, erased: Veil) -> Completeness:
    """How complete the blog is after the update, and how soon old posts have their turn."""
    known = update.remembered
    if update.clock.late_comments and known.stated:
        # Nobody asked what the blog announces.
        return replace(kept_statement(known.stated, len(known.posts)), stopped=update.stopped)
    announced = _announcements(update, found)
    names = _names_kept(known, found)
    for source in announced:
        # What was erased must not be captured, and is not missing.
        names += [(url,) for url in source.urls.values() if erased.hides("url", url, known.blog)]
    stopped = update.cut_by or (ending if ending != "finished" else None)
    telling = [source for source in announced if source.urls]
    captured = by_post(names)
    whole = reconcile(telling, captured, partial(_why_not, update), _bounds(update, found), stopped)
    if found.news.left and known.stated:
        whole = _with_earlier(whole, known, set(found.news.announced.get(FEED, ())), captured.keys())
    bare = _bare_posts(known, found)
    told = replace(whole, cadence=_cadence(update, found.budget), posts=len(bare), bare=sum(bare.values()))
    return with_cut(told, _cut_posts(known, found).values())


def _cut_posts(known: Remembered, found: UpdateFindings) -> dict[str, tuple[str, ...]]:
    """Of each post, what was not read of it."""
    cut = {post.id: post.cut for post in known.posts}
    return cut | {finding.record.id: finding.record.extra.cut for finding in found.findings if finding.record}


def _bare_posts(known: Remembered, found: UpdateFindings) -> dict[str, bool]:
    """Of each post, whether nothing could be read of it."""
    bare = {post.id: post.bare for post in known.posts}
    return bare | {finding.record.id: is_bare(finding.record) for finding in found.findings if finding.record}


def _with_earlier(brief: Completeness, known: Remembered, in_feed: set[str], captured: Set[str]) -> Completeness:
    """What a look at the feed alone says: what was said of the other sources stands, and the feed
    adds to it.

    `in_feed` are the keys of what the feed announces, `captured` those of what is there now.
    """
    assert known.stated is not None
    earlier = kept_statement(known.stated, len(known.posts))
    before = {url_key(name) for post in known.posts for name in (post.url, *post.names)}
    # What the feed names no more may have come, too: it was tried again.
    came = {key for key in map(url_key, earlier.missing) if key in captured}
    added = (in_feed & captured) - before | came
    missing = {url: why for url, why in earlier.missing.items() if url_key(url) not in came} | dict(brief.missing)
    aside = dict(earlier.aside) | dict(brief.aside)
    others = tuple(source for source in earlier.sources if source.name != FEED)
    return replace(
        earlier,
        sources=(*brief.sources, *others),
        announced=earlier.captured + len(added) + len(missing) + len(aside),
        missing=missing,
        aside=aside,
        bounds=tuple(dict.fromkeys((*earlier.bounds, *brief.bounds))),
        stopped=brief.stopped,
    )


def _announcements(update: BlogUpdate, found: UpdateFindings) -> list[Announcement]:
    """Which posts the feed and the sitemaps announce."""
    news, pattern = found.news, update.known.pattern
    in_feed = news.announced.get(FEED, {})
    # A feed of the last posts leaves no gap where it still names one that was there when everything
    # was.
    before = {url_key(name) for post in update.remembered.posts for name in (post.url, *post.names)}
    goes_on = update.remembered.complete and not before.isdisjoint(in_feed)
    feed = Announcement(FEED, news.feed.url if news.feed else "", in_feed, only_posts=True, goes_on=goes_on)
    if not news.sitemaps:
        return [feed]
    places = {}
    for key, place in news.places.items():
        if place.surely_post or pattern.matches(place.url):
            places[key] = place.url
    return [feed, Announcement(SITEMAP, news.sitemaps[0], places, whole=True)]


def _names_kept(known: Remembered, found: UpdateFindings) -> list[tuple[str, ...]]:
    """The addresses of each post that is in the archive after the update."""
    names: dict[str, tuple[str, ...]] = {post.id: (post.url, *post.names) for post in known.posts}
    for finding in found.findings:
        moved = (finding.move.new,) if finding.move else ()
        if finding.record:
            before = names.get(finding.record.id, ())
            names[finding.record.id] = (*finding.record.addresses, *moved, *before)
        elif moved:
            names[moved[0]] = moved
    return list(names.values())


def _why_not(update: BlogUpdate, url: str) -> str:
    """Why an announced address is not among the posts."""
    key = url_key(url)
    reason = update.reasons.get(key) or update.guard.why_not(url)
    if reason:
        return reason
    if key in update.remembered.seen or key in update.seen:
        return NOT_A_POST
    return update.cut_by or "not fetched"


def _bounds(update: BlogUpdate, found: UpdateFindings) -> list[str]:
    """What the update could not see."""
    bounds = [f"the {source} could not be read ({reason})" for source, reason in found.news.failures.items()]
    bounds += _unlooked(found)
    if unsure := update.mass.sentence():
        bounds.append(unsure)
    bounds += map(str, update.guard.broken())
    return [*bounds, *found.news.bounds, *update.known.threads.bounds()]


def _cadence(update: BlogUpdate, turn: TurnBudget) -> str:
    """How soon posts of which nothing is announced are looked at again."""
    cadence = "Old posts are looked at again only where something announces a change"
    if turn.pages:
        often = "once a day" if turn.apart <= timedelta(days=1) else "every third day"
        cadence = (
            f"Old posts that nothing announces are looked at in turn, {turn.pages:,} of {turn.known:,} in each update,"
            f" {often} at most, so that all have been seen again after {turn.updates:,}"
        )
    late = update.late.sentence()
    return f"{cadence}. {late}" if late else cadence


def _unlooked(found: UpdateFindings) -> list[str]:
    """Known posts whose pages came cut, or that could not be had though the blog says that they
    changed.
    """
    failed = [f for f in found.findings if f.post and f.kind == "nothing"]
    named = [f for f in failed if f.look.announced or f.reason in CUT.values()]
    told = [f"{f.look.url} could not be looked at again ({in_words(f.reason)})" for f in named[:SHOWN]]
    return [*told, f"{len(named) - SHOWN:,} more posts could not be looked at again"] if len(named) > SHOWN else told
