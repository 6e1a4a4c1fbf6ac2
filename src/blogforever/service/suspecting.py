"""Who is likely spam: judged after a look that brought something, kept with its signs.

What only a ping wanted is held meanwhile. Nothing is blocked here: a person decides, in Review.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice

from blogforever import clock
from blogforever.analyse.copies import copy_signs, ping_signs
from blogforever.analyse.experience import ExperiencedSignals, with_experience
from blogforever.analyse.prints import PrintedPost, comparable, template_print, text_prints
from blogforever.analyse.spam import LIKELY, MOST_POSTS, SpamSignals, likelihood, plain_post, spam_signs
from blogforever.analyse.values import Sign, Signals
from blogforever.archive.bloglook import BlogLook
from blogforever.archive.kept import KeptBlog
from blogforever.errors import UsageError
from blogforever.records import PostRecord
from blogforever.storage.decided import resting
from blogforever.storage.deciding import SpamDecided
from blogforever.storage.following import FollowedBlog
from blogforever.storage.suspects import SpamDecision, Suspicion
from blogforever.storage.tables import Store
from blogforever.store.folder import ArchiveFolder

from .desk import Desk

# Posts of a blog whose prints are kept, the newest: some 12 kB of the database for each blog.
MOST_PRINTED = 20
# Other blogs that one text is looked for in, and that are judged again because of a blog: of
# networks with thousands of hosts the first are enough.
MOST_TWINS, MOST_AGAIN = 30, 20
BY_PINGS = "ping"


@dataclass(frozen=True, slots=True)
class SpamFacts:
    """What a blog's newest posts say of it, by itself and for comparison with others."""

    blog: str
    signs: tuple[Sign, ...] = ()
    prints: tuple[PrintedPost, ...] = ()
    template: int | None = None


def look_for_spam(archive: ArchiveFolder, blog: str, look: BlogLook) -> None:
    """Judge a blog that was looked at, where there is anything new to judge by, and those that turn
    out to have the same texts.

    Before the end of the look is written: what is held then stays so.
    """
    has_news = look.learned.found > 0 or not look.was_known
    if not has_news and not _of_pings(archive.store, blog):
        return
    others = _suspect(archive.store, _facts(archive, blog, look.blog))
    for other in archive.store.followed.some(others):
        if other.blog:
            _suspect(archive.store, _facts(archive, other.id, other.blog))


def _facts(archive: ArchiveFolder, blog: str, kept: str) -> SpamFacts:
    """Read them; `kept` is the blog's name in the archive. Takes some hundredths of a second."""
    records = list(islice(archive.store.posts.of_blog(kept), MOST_POSTS))
    followed = archive.store.followed.find(blog)
    signs = spam_signs(followed.url if followed else "", [plain_post(record) for record in records])
    printed = records[:MOST_PRINTED]
    prints = [PrintedPost(one.id, comparable(one.published or ""), text_prints(one.text)) for one in printed]
    return SpamFacts(blog, tuple(signs), tuple(one for one in prints if one.prints), _template(archive, kept, records))


def _template(archive: ArchiveFolder, kept: str, records: Sequence[PostRecord]) -> int | None:
    """The template of its newest post."""
    captures = (record.capture for record in records)
    newest = next((capture for capture in captures if capture and capture.role == "page"), None)
    page = KeptBlog(archive, kept).page(newest.record_id) if newest else None
    return template_print(page) if page else None


def _suspect(store: Store, facts: SpamFacts) -> list[str]:
    """Keep what was found of a blog, and judge it; the blogs that must be judged again, as they
    have the same texts.
    """
    store.prints.keep(facts.blog, facts.prints, facts.template)
    twins = store.prints.twins(facts.blog, MOST_TWINS)
    others = sorted({twin.other for twin in twins})
    alike = store.prints.same_template(facts.blog, others)
    signs = [*facts.signs, *copy_signs(twins, len(facts.prints), alike), *_of_pings(store, facts.blog)]
    _judge(store, facts.blog, signs)
    known = {one.blog for one in store.suspicions.some(others)}
    return [other for other in others if other not in known][:MOST_AGAIN]


def _of_pings(store: Store, blog: str) -> list[Sign]:
    by_ping = [look for look in store.schedule.looks(blog) if look.cause == "ping"]
    return ping_signs(len(by_ping), sum(bool(look.found or look.changed) for look in by_ping))


def _judge(store: Store, blog: str, signs: Sequence[Sign]) -> None:
    """Suspect a blog where enough speaks for it; what a person decided holds."""
    signs = with_experience(signs, store.suspicions.agreed())
    before, chance = store.suspicions.find(blog), likelihood(signs)
    is_decided = before is not None and before.decided != ""
    if is_decided or chance < LIKELY:
        return
    is_held = only_pings_want(store, blog)
    with store.transaction():
        now = keep_suspicion(store, blog, signs)
        store.followed.change(blog, lambda one: _held(one, now, is_held))


def keep_suspicion(store: Store, blog: str, signs: Sequence[Sign]) -> Suspicion:
    """Have a person look at a blog, and at what speaks for spam there."""
    before = store.suspicions.find(blog)
    now = Suspicion(blog, before.at if before else clock.stamp(), round(likelihood(signs), 3), tuple(signs))
    store.suspicions.keep(now)
    return now


def _held(blog: FollowedBlog, suspicion: Suspicion, is_held: bool) -> FollowedBlog:
    suspected = replace(blog, verdict="spam")
    return resting(suspected, "rejected", suspicion.reason) if is_held and not blog.paused else suspected


def spam_signals(store: Store, blog: str) -> tuple[Signals, ...]:
    """Who looks for spam before a blog is harvested: only where pings alone want it, and no person
    has decided.
    """
    before = store.suspicions.find(blog)
    is_decided = before is not None and before.decided != ""
    if is_decided or not only_pings_want(store, blog):
        return ()
    return (ExperiencedSignals(SpamSignals(), store.suspicions.agreed()),)


def only_pings_want(store: Store, blog: str) -> bool:
    """Whether nobody but a ping has asked for a blog: what a person wants is followed until he says
    otherwise.
    """
    batches = [store.sources.batch(row.batch) for row in store.sources.of_blog(blog)]
    return bool(batches) and all(batch is not None and batch.origin == BY_PINGS for batch in batches)


def decide_on_spam(desk: Desk, blogs: Sequence[str], decided: SpamDecision) -> int:
    """Say of suspected blogs what they are; empty takes it back. To how many it was said."""
    known = {one.blog: one for one in desk.store.suspicions.some(blogs)}
    meant = tuple(blog for blog in blogs if blog in known and known[blog].decided != decided)
    if not known:
        raise UsageError("None of these blogs is suspected of spam.")
    if meant:
        signs = {blog: known[blog].signs for blog in meant}
        desk.decide(SpamDecided(at=clock.stamp(), by=desk.by, blogs=meant, decided=decided, signs=signs))
    return len(meant)
