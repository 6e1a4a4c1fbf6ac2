"""The schedule at work: what is due becomes jobs, and what a job brought decides on the next look."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import asdict, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from blogforever import clock
from blogforever.analyse.pace import is_always_fast
from blogforever.archive.bloglook import AddressKind, BlogLook
from blogforever.discover.pushoffers import PushOffer
from blogforever.schedule.planning import is_for_comments
from blogforever.schedule.states import RESTING, LookEnd, StateAfter, is_no_blog, state_after
from blogforever.schedule.values import Cause
from blogforever.storage.following import FollowedBlog, WatchedAddress, WatchedKind
from blogforever.storage.schedule import LookRow
from blogforever.storage.tables import Store
from blogforever.storage.work import HISTORY, LOOKS, PERSON, PING, SCHEDULE, JobRow, NewJob
from blogforever.update.states import says_one_page
from blogforever.wording import N_

from .counting import count_look
from .following import how_complete, judged_known
from .pingstats import count_pinged, judged_by_filter
from .plans import facts_of, history_of, planned, policy_of
from .verdicts import in_short

# Blogs that are put into the queue in one round; what is left is due in the next.
AT_ONCE = 500
# Jobs that wait at a time: the queue is for what is due, and nobody can look through more.
MOST_WAITING = 50_000
# A blog in the queue is due again after this, in case its job is lost: cancelled while it waits, or
# forgotten.
QUEUED_FOR = timedelta(days=1)
QUEUED = N_("in the queue")
BY_SCHEDULE = "schedule"
# After a look that a fault of ours ended, or a person.
AFTER_FAULT = timedelta(days=1)
# What is wanted by a day counts as due since so long before it. Days farther ahead have no order
# yet.
WANTED_SINCE = timedelta(days=365)
NEWS = "news site"
NO_ANSWER = ("nothing", "unreachable", "crashed")
WATCHED: dict[AddressKind, WatchedKind] = {"posts": "posts", "comments": "comments"}


def enqueue_due(store: Store) -> int:
    """Put a job into the queue for each blog whose look is due and that has none; how many."""
    now = clock.now()
    due = store.followed.due(_stamp(now), AT_ONCE)
    if not due or _is_full(store):
        return 0
    policies = store.schedule.policies()
    with store.transaction():
        queued = [blog for blog in due if _queue(store, blog, now)]
        busy = store.jobs.busy(LOOKS, among=[blog.id for blog in queued])
        fresh = [blog for blog in queued if blog.id not in busy]
        for blog in fresh:
            store.jobs.put(job_for(blog, policy_of(blog, policies).priority), _stamp(now))
    return len(fresh)


def _is_full(store: Store) -> bool:
    """Whether as many looks wait already as the queue is for."""
    waiting = (number for (kind, state), number in store.jobs.counts().items() if kind in LOOKS and state == "waiting")
    return sum(waiting) >= MOST_WAITING


def _queue(store: Store, blog: FollowedBlog, now: datetime) -> bool:
    """Note that a blog is in the queue; not one whose look has ended since it was read, or of which somebody has
    decided: what was planned then holds.
    """
    after = store.followed.change(blog.id, lambda one: _queued(one, now) if one.next_look == blog.next_look else one)
    return after is not None and after.next_reason == QUEUED and after.next_look == _stamp(now + QUEUED_FOR)


def _queued(blog: FollowedBlog, now: datetime) -> FollowedBlog:
    return replace(blog, next_look=_stamp(now + QUEUED_FOR), next_reason=QUEUED, next_said=())


def job_for(blog: FollowedBlog, priority: int = 0) -> NewJob:
    """What is to be done for a blog that is due: its first harvest, or an update.

    What has a day by which it is wanted goes before what has none, the nearest day first, and what
    a person prefers before what he does not.
    """
    due = _due_by_day(blog)
    goes_first = priority > 0 or bool(due)
    if blog.blog is None:
        return NewJob("harvest", blog.id, SCHEDULE if goes_first else HISTORY, due, asked_by=BY_SCHEDULE)
    return NewJob("update", blog.id, PING if goes_first else SCHEDULE, due, asked_by=BY_SCHEDULE)


def _due_by_day(blog: FollowedBlog) -> str:
    """Since when a blog is due that is wanted by a day to come; empty for all others.

    The longest due goes first: so the nearest day does.
    """
    now = clock.now()
    if not blog.harvest_by or blog.harvest_by < now.date().isoformat():
        return ""
    try:
        wanted_by = datetime.fromisoformat(blog.harvest_by).replace(tzinfo=UTC)
    except ValueError:
        # A day that is in no calendar, from before such days were refused: one blog must not stop the schedule of all.
        return ""
    return _stamp(min(wanted_by - WANTED_SINCE, now))


def begun(store: Store, blog: str) -> None:
    """Somebody began to look: a blog that nobody has harvested is being harvested now."""
    store.followed.change(blog, lambda one: replace(one, state="harvesting") if one.state == "waiting" else one)


def wants_comments(store: Store, job: JobRow, blog: FollowedBlog) -> bool:
    """Whether this look at a known blog is for late comments alone: the schedule wants it, and
    pings tell of posts.
    """
    if job.kind != "update" or job.asked_by != BY_SCHEDULE or blog.blog is None:
        return False
    facts = facts_of(store, blog)
    return is_for_comments(history_of(blog, facts), policy_of(blog, facts.policies), clock.now())


def looked(
    store: Store, job: JobRow, look: BlogLook, for_comments: bool = False, given: Set[str] = frozenset()
) -> None:
    """Write down how a blog stands after a look, and when the next one is due; `given` are the names that people
    gave blogs, none where that is not known.
    """
    now = clock.now()
    with store.transaction():
        before = store.followed.find(job.blog)
        if before is None:
            return
        row = look_row(job, look, now, for_comments)
        store.schedule.add(row)
        count_look(store, look, "" if is_answer(look) else end_of(look).failure or look.outcome)
        followed = store.followed.change(job.blog, lambda one: after_look(store, one, look, now, given))
        assert followed is not None, "nobody comes between"
        _note_addresses(store, job.blog, look, now)
        _judge_sources(store, before, followed, look)
        count_pinged(store, before, followed, row)
        judged_by_filter(store, before, followed)


def _judge_sources(store: Store, before: FollowedBlog, after: FollowedBlog, look: BlogLook) -> None:
    """What a first look says of the rows that gave a
    blog: it is none, or one that is followed already.
    """
    if is_no_blog(end_of(look)):
        store.sources.judge(after.id, "not-a-blog", after.reason)
    is_settled_now = before.blog is None and after.blog is not None
    if is_settled_now and after.verdict == "not-a-blog":
        seen = store.verdicts.find(after.id)
        store.sources.judge(after.id, after.verdict, in_short(seen.verdict) if seen else "")
    same = [one for one in store.followed.in_archive(after.blog or "") if one.id != after.id] if is_settled_now else []
    if same:
        judged_known(store, after.id, same[0].id, f"the same blog as {same[0].url}")


def after_look(
    store: Store, blog: FollowedBlog, look: BlogLook, now: datetime, given: Set[str] = frozenset()
) -> FollowedBlog:
    """A followed blog after a look, which the store remembers already."""
    answered = is_answer(look)
    known = replace(
        blog,
        blog=look.blog if look.outcome != "nothing" else blog.blog,
        title=_title(blog, look, given),
        platform=_platform(store, look) or blog.platform,
        last_look=_stamp(now),
        last_found=look.learned.found,
        **_counted(look),
        failures_in_a_row=0 if answered else blog.failures_in_a_row + 1,
        **_judged(store, blog, look),
    )
    if blog.paused or blog.state in RESTING:
        # A person has decided meanwhile, and what he said holds.
        return known
    facts = facts_of(store, known)
    after = state_after(blog.state, end_of(look), history_of(known, facts).looks)
    return planned(_in_state(known, after, look), facts, now)


def _title(blog: FollowedBlog, look: BlogLook, given: Set[str]) -> str:
    """What the blog calls itself now, unless a person has given it a name."""
    now = (look.report.title if look.report else None) or ""
    is_its_own = blog.title == look.was_called or (bool(given) and blog.title not in given)
    is_sure = look.outcome == "finished" and is_its_own
    return now if now and (is_sure or not blog.title) else blog.title


def _counted(look: BlogLook) -> dict[str, Any]:
    """What a look that went through knows of the whole blog: how many posts, and how complete."""
    if look.report is None or look.outcome not in ("finished", "frozen"):
        return {}
    return {"total": look.report.posts, **how_complete(look.report.completeness.record())}


def _judged(store: Store, blog: FollowedBlog, look: BlogLook) -> dict[str, Any]:
    """A harvest knows more than a first glance: what has posts is a blog, what has none is not."""
    if look.outcome == "finished":
        was_right = blog.verdict == "not-a-blog" and _bears_out(store, replace(blog, blog=look.blog))
        is_overruled = blog.verdict == "not-a-blog" and not was_right
        return {
            "verdict": blog.verdict if blog.verdict == "spam" or was_right else "blog",
            "kind": "blog" if is_overruled else blog.kind,
        }
    is_refused = blog.verdict not in ("", "blog")
    return {"verdict": "not-a-blog" if is_no_blog(end_of(look)) and not is_refused else blog.verdict}


def _bears_out(store: Store, blog: FollowedBlog) -> bool:
    """Whether the harvest agrees with a glance that saw something else than a blog, such as a shop or a forum: no
    "post" has a day; or of a news site, they go on as fast as nobody writes a blog.
    """
    facts = facts_of(store, blog)
    is_of_news = blog.kind == NEWS and is_always_fast(history_of(blog, facts).published)
    return not facts.published or is_of_news


def _platform(store: Store, look: BlogLook) -> str:
    """On what the blog runs, as its record says since this look."""
    record = store.blogs.find(look.blog) if look.outcome == "finished" else None
    return (record.platform if record else None) or ""


def _in_state(blog: FollowedBlog, after: StateAfter, look: BlogLook) -> FollowedBlog:
    # Only who has read a blog knows where it is.
    moved_to = after.moved_to if look.outcome == "finished" else after.moved_to or blog.moved_to
    return replace(blog, state=after.state, reason=after.reason, said=after.said, moved_to=moved_to)


def given_up(store: Store, job: JobRow, error: str) -> None:
    """A look came to nothing, by a fault of ours or because
    somebody cancelled it: the next one comes later.
    """
    later = _stamp(clock.now() + AFTER_FAULT)

    def edit(blog: FollowedBlog) -> FollowedBlog:
        if blog.paused or blog.state in RESTING:
            return blog
        state = "waiting" if blog.state == "harvesting" else blog.state
        why = N_("the last look was given up")
        return replace(blog, state=state, reason=error, said=(), next_look=later, next_reason=why, next_said=())

    store.followed.change(job.blog, edit)


def end_of(look: BlogLook) -> LookEnd:
    """What a look came to, as the states go by it."""
    update = look.report.update if look.report else None
    failure = (look.report.home_failure if look.report else None) or (update.unreachable if update else None) or ""
    one_page = bool(update and update.frozen and says_one_page(update.frozen))
    known = look.was_known and bool(look.report and look.report.posts)
    said = update.frozen_said if update and look.reason == update.frozen else ()
    return LookEnd(look.outcome, look.reason, failure, known, look.moved_to, said, one_page)


def is_answer(look: BlogLook) -> bool:
    """Whether the blog answered, whatever it said."""
    return look.outcome not in NO_ANSWER or is_no_blog(end_of(look))


def why_in_vain(look: BlogLook) -> str:
    """Why nobody answered a look, as the state of its blog says it; empty where somebody did."""
    return "" if is_answer(look) else state_after("harvesting", end_of(look), ()).reason


def look_row(job: JobRow, look: BlogLook, now: datetime, for_comments: bool = False) -> LookRow:
    """What is remembered of a look."""
    learned = look.learned
    causes: dict[int, Cause] = {PERSON: "person", PING: "ping"} if job.asked_by != BY_SCHEDULE else {}
    return LookRow(
        blog=job.blog,
        at=_stamp(now),
        outcome=look.outcome,
        answered=is_answer(look),
        cause="comments" if for_comments else causes.get(job.priority, "schedule"),
        found=learned.found,
        changed=learned.changed,
        comments=learned.comments,
        status=learned.status,
        not_modified=learned.not_modified,
        requests=learned.requests,
        bytes=learned.bytes,
        wishes=learned.wishes,
    )


def _note_addresses(store: Store, blog: str, look: BlogLook, now: datetime) -> None:
    """What each watched address brought."""
    told = [address for address in look.learned.addresses if address.kind in WATCHED]
    before = {one.url: one for one in store.followed.watched(blog)} if told else {}
    for address in told:
        kind = WATCHED[address.kind]
        known = before.get(address.url) or WatchedAddress(blog, address.url, kind)
        total = known.total + address.new
        noted = replace(known, kind=kind, last_look=_stamp(now), last_found=address.new, total=total)
        store.followed.watch(_with_offer(noted, address.offer, look.learned.offer))


def _with_offer(address: WatchedAddress, by_feed: PushOffer | None, by_page: PushOffer | None) -> WatchedAddress:
    """A watched address with who would tell us of it; what was not asked for this time is as it
    was. A feed's own word counts before that of the blog's page.
    """
    if by_feed:
        return replace(address, **asdict(by_feed), offered_by="feed")
    if by_feed is None or (by_page is None and address.offered_by == "page"):
        return address
    if by_page and address.kind == "posts":
        return replace(address, **asdict(by_page), offered_by="page")
    return replace(address, **asdict(PushOffer()), offered_by="")


def _stamp(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds")
