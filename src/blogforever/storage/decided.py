"""What follows from a decision, in any store: the same when it is taken and when an archive is made anew."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import TypeVar

from blogforever.ping.filters import PingFilter
from blogforever.wording import N_, in_english, say

from .blocklist import BlockList
from .deciding import (
    AnyDecided,
    BatchAdded,
    BatchUndone,
    BlogChanged,
    BlogsChanged,
    BlogsDropped,
    FollowedChange,
    HookDropped,
    HookKept,
    ListDropped,
    ListKept,
    PingFilterKept,
    PingFiltersDropped,
    PingServerDropped,
    PingServerKept,
    PlaceBlocked,
    PlacesBlocked,
    PlacesUnblocked,
    PlaceUnblocked,
    PolicyDropped,
    PolicyKept,
    SearchDropped,
    SearchKept,
    SpamDecided,
    TagRuleDropped,
    TagRuleKept,
    VerdictDecided,
)
from .following import BlockedPlace, FollowedBlog, FollowedQuery, FollowState, SourceBatch, SourceRow
from .hooks import reader_of
from .pings import FilterChange
from .suspects import Suspicion
from .tables import Store

# Followed blogs that are in memory together, and rows that are written together: who else writes
# waits for that.
MANY, PART = 1000, 250
Value = TypeVar("Value")


def put_in_force(store: Store, decision: AnyDecided) -> None:
    """Do what was decided, in short transactions: others read and write meanwhile.

    Who is killed over it finds it in the journal; doing it once more does no harm.
    """
    match decision:
        case BatchAdded():
            _add(store, decision)
        case BatchUndone():
            _undo(store, decision)
        case BlogChanged():
            store.followed.change(decision.blog, lambda blog: changed(blog, decision))
        case BlogsChanged():
            _change_many(store, decision)
        case BlogsDropped():
            store.followed.drop(decision.blogs)
        case SpamDecided():
            _decide_on_spam(store, decision)
        case VerdictDecided():
            _judge(store, decision)
        case _:
            _put_around_in_force(store, decision)


def _put_around_in_force(store: Store, decision: AnyDecided) -> None:
    """Do what was decided of lists, the block list and the schedule of many."""
    match decision:
        case ListKept():
            store.lists.keep(decision.list)
        case ListDropped():
            store.lists.drop(decision.name)
        case PlaceBlocked():
            _block(store, [decision.place])
        case PlacesBlocked():
            _block(store, decision.places)
        case PlaceUnblocked():
            _unblock(store, [decision.place], decision.at)
        case PlacesUnblocked():
            _unblock(store, decision.places, decision.at)
        case PolicyKept():
            store.schedule.set_policy(decision.policy)
        case PolicyDropped():
            store.schedule.drop_policy(decision.scope, decision.name)
        case HookKept() | HookDropped():
            _keep_hooks(store, decision)
        case SearchKept() | SearchDropped() | TagRuleKept() | TagRuleDropped():
            _keep_searches(store, decision)
        case PingServerKept() | PingServerDropped() | PingFilterKept() | PingFiltersDropped():
            _keep_pinging(store, decision)


def _judge(store: Store, decision: VerdictDecided) -> None:
    """What a person says of a blog goes before what anybody found: it is harvested, or left alone."""
    row = decision.row
    is_blog = row.decided == "blog"

    def edit(blog: FollowedBlog) -> FollowedBlog:
        judged = replace(blog, verdict=row.decided, kind=row.verdict.kind)
        if is_blog:
            return looked_at_again(judged, decision.at, N_("a person says that it is a blog"))
        who, kind = decision.by or "a person", row.verdict.kind
        return resting(judged, "rejected", N_(f"{who} says that it is no blog but {kind}"))

    with store.transaction():
        store.verdicts.keep(row)
        store.followed.change(row.blog, edit)


def _keep_pinging(
    store: Store, decision: PingServerKept | PingServerDropped | PingFilterKept | PingFiltersDropped
) -> None:
    match decision:
        case PingServerKept():
            store.ping_servers.keep(decision.server)
            if decision.secret:
                store.ping_servers.keep_secret(decision.server.id, decision.secret)
        case PingServerDropped():
            store.ping_servers.drop(decision.server)
        case PingFilterKept():
            before = store.ping_filters.find(decision.filter.id)
            _note_filter(store, decision, before, decision.filter)
            store.ping_filters.keep(decision.filter)
        case PingFiltersDropped():
            for before in map(store.ping_filters.find, decision.filters):
                _note_filter(store, decision, before, None)
            store.ping_filters.drop(decision.filters)


def _note_filter(
    store: Store, decision: PingFilterKept | PingFiltersDropped, before: PingFilter | None, after: PingFilter | None
) -> None:
    """What is done to a filter, for who wants it back; nothing is, where it is the same."""
    one = before or after
    if one and before != after:
        store.ping_filters.note(FilterChange(decision.at, decision.by, one.id, before, after))


def _keep_searches(store: Store, decision: SearchKept | SearchDropped | TagRuleKept | TagRuleDropped) -> None:
    """Which posts a rule's tag is given to, the search index says: it knows their words."""
    match decision:
        case SearchKept():
            store.searches.keep(decision.search)
        case SearchDropped():
            store.searches.drop(decision.name)
        case TagRuleKept():
            store.tag_rules.keep(decision.rule)
        case TagRuleDropped():
            store.tag_rules.drop(decision.rule)


def changed(blog: FollowedBlog, decision: BlogChanged) -> FollowedBlog:
    """A followed blog after a person's change; who pauses it lets it rest, who goes on has it
    looked at.
    """
    after = replace(blog, **decision.change.given())
    if after.paused and not blog.paused:
        said = (say("paused by {who}", who=decision.by),) if decision.by else ()
        return replace(resting(after, "paused", in_english(said)), said=said)
    if blog.paused and not after.paused:
        return looked_at_again(after, decision.at, N_("it was paused"))
    return after


def _decide_on_spam(store: Store, decision: SpamDecided) -> None:
    """What is spam rests; what is let in, or none, goes on where it was held."""
    for blogs in _parts(decision.blogs):
        with store.transaction():
            for blog in blogs:
                before = store.suspicions.find(blog) or Suspicion(blog, decision.at, signs=decision.signs.get(blog, ()))
                store.suspicions.keep(replace(before, decided=decision.decided, by=decision.by))
                store.followed.change(blog, lambda one: _after_spam(one, decision))


def _after_spam(blog: FollowedBlog, decision: SpamDecided) -> FollowedBlog:
    is_held = blog.state == "rejected"
    blog = replace(blog, verdict="spam" if decision.decided in ("", "spam") else "blog")
    if decision.decided == "spam" and not is_held:
        return resting(blog, "rejected", N_(f"spam, says {decision.by}") if decision.by else N_("spam"))
    if decision.decided in ("let in", "not spam") and is_held:
        return looked_at_again(blog, decision.at, N_("it was held as likely spam"))
    return blog


def _change_many(store: Store, decision: BlogsChanged) -> None:
    for blogs in _parts(decision.blogs):
        with store.transaction():
            for blog in blogs:
                store.followed.change(blog, lambda one: changed(one, _of_one(decision, one)))


def _of_one(decision: BlogsChanged, blog: FollowedBlog) -> BlogChanged:
    """What was decided of many, as it is for one of them."""
    change = FollowedChange(
        paused=decision.paused,
        tags=relabelled(blog.tags, decision.more_tags, decision.less_tags),
        lists=relabelled(blog.lists, decision.more_lists, decision.less_lists),
    )
    return BlogChanged(at=decision.at, by=decision.by, blog=blog.id, change=change)


def relabelled(labels: Sequence[str], more: Sequence[str], less: Sequence[str]) -> tuple[str, ...]:
    """Labels after some were added and some taken away, each once."""
    kept = (label for label in (*labels, *more) if label.strip() and label not in less)
    return tuple(dict.fromkeys(kept))


def resting(blog: FollowedBlog, state: FollowState, reason: str) -> FollowedBlog:
    """A followed blog that is not looked at until somebody decides otherwise."""
    return replace(blog, state=state, reason=reason, said=(), next_look=None, next_reason="", next_said=())


def looked_at_again(blog: FollowedBlog, at: str, reason: str) -> FollowedBlog:
    """A followed blog that rested, as it goes on: where nobody has harvested it yet, it waits for
    that.

    What a person paused rests on.
    """
    if blog.paused:
        return resting(blog, "paused", "")
    state: FollowState = "following" if blog.blog else "waiting"
    return replace(blog, state=state, reason="", said=(), next_look=at, next_reason=reason, next_said=())


def all_followed(store: Store, query: FollowedQuery | None = None) -> Iterator[FollowedBlog]:
    """Every followed blog that is asked for, never all in memory."""
    query = replace(query or FollowedQuery(), limit=MANY)
    while True:
        page = store.followed.page(query)
        yield from page.items
        if page.next is None:
            return
        query = replace(query, after=page.next)


def _add(store: Store, decision: BatchAdded) -> None:
    """The blogs come first: who is killed over it may have lost rows of a batch, but no blog."""
    for blogs in _parts(decision.blogs):
        store.followed.add(blogs)
    store.sources.add(decision.batch)
    for rows in _parts(decision.rows):
        with store.transaction():
            store.sources.add_rows(rows)
            for row in rows:
                if row.blog and not row.made and (row.tagged or row.listed):
                    store.followed.change(row.blog, partial(_labelled, row=row))


def _parts(values: Sequence[Value]) -> Iterator[Sequence[Value]]:
    return (values[start : start + PART] for start in range(0, len(values), PART))


def _labelled(blog: FollowedBlog, row: SourceRow) -> FollowedBlog:
    tags, lists = dict.fromkeys((*blog.tags, *row.tagged)), dict.fromkeys((*blog.lists, *row.listed))
    return replace(blog, tags=tuple(tags), lists=tuple(lists))


def _undo(store: Store, decision: BatchUndone) -> None:
    """Follow no more what only this batch wanted; of what others want, too, take back the labels it
    gave.
    """
    # Thousands of rows may share a batch, and it is the same for all of them.
    batch_of = cache(store.sources.batch)
    for rows in _parts(list(store.sources.rows(decision.batch))):
        with store.transaction():
            others = [(row, row.blog, _others(store, row)) for row in rows if row.blog]
            dropped = {blog for row, blog, wanting in others if row.made and not wanting}
            store.followed.drop(sorted(dropped))
            for row, blog, wanting in others:
                if blog not in dropped and (row.tagged or row.listed):
                    kept = frozenset(_labels(wanting, batch_of))
                    store.followed.change(blog, partial(_unlabelled, row=row, kept=kept))
    store.sources.undo(decision.batch, decision.at)
    _drop_empty_list(store, decision.batch)


def _others(store: Store, row: SourceRow) -> list[SourceRow]:
    """The rows of other batches that mean the same blog."""
    return [other for other in store.sources.of_blog(row.blog or "") if other.batch != row.batch]


def _labels(rows: list[SourceRow], batch_of: Callable[[str], SourceBatch | None]) -> Iterator[str]:
    """The tags and lists that these rows, or their batches, want."""
    for row in rows:
        yield from (*row.tagged, *row.listed)
        if batch := batch_of(row.batch):
            yield from (*batch.tags, batch.list)


def _unlabelled(blog: FollowedBlog, row: SourceRow, kept: frozenset[str]) -> FollowedBlog:
    tags = tuple(tag for tag in blog.tags if tag not in row.tagged or tag in kept)
    lists = tuple(name for name in blog.lists if name not in row.listed or name in kept)
    return replace(blog, tags=tags, lists=lists)


def _drop_empty_list(store: Store, name: str) -> None:
    """A list that was made for a batch goes with it, unless somebody else has put blogs there."""
    batch = store.sources.batch(name)
    made = store.lists.find(batch.list) if batch and batch.list else None
    if batch is None or made is None or made.created != batch.created:
        return
    if not store.followed.page(FollowedQuery(list=made.name, limit=1)).items:
        store.lists.drop(made.name)


def _keep_hooks(store: Store, decision: HookKept | HookDropped) -> None:
    """Who is new is told what happens from now on; where the archive was made anew, too."""
    with store.transaction():
        if isinstance(decision, HookDropped):
            store.hooks.drop(decision.hook)
            store.news.leave(reader_of(decision.hook))
            return
        if store.hooks.find(decision.hook.id) is None:
            store.news.reach(reader_of(decision.hook.id), store.news.last())
        store.hooks.keep(decision.hook)


def _block(store: Store, places: Iterable[BlockedPlace]) -> None:
    """What is followed and blocked now rests, with the reason."""
    with store.transaction():
        for one in places:
            store.blocked.keep(one)
    blocked = BlockList(store.blocked.all())
    for blog in all_followed(store):
        place = blocked.blocking(blog.url) or (blocked.blocking(blog.moved_to) if blog.moved_to else None)
        if place and blog.state != "blocked":
            store.followed.change(blog.id, partial(resting, state="blocked", reason=place.reason or place.what))


def _unblock(store: Store, places: Iterable[str], at: str) -> None:
    """What nothing blocks any more is looked at again."""
    with store.transaction():
        for place in places:
            store.blocked.drop(place)
    blocked = BlockList(store.blocked.all())
    for blog in list(all_followed(store, FollowedQuery(states=("blocked",)))):
        if blocked.blocking(blog.url) is None:
            store.followed.change(blog.id, lambda one: looked_at_again(one, at, N_("it was blocked")))
