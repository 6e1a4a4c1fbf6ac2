"""What needs a person: blogs that are frozen, failing, rejected or dead, posts that are read
unsurely or are missing.

Values for any face: groups with their numbers and causes first, then the items of one group, page
by page.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Literal

from blogforever import clock
from blogforever.analyse.experience import with_experience
from blogforever.analyse.values import Sign
from blogforever.model import Said
from blogforever.records import PostRecord, read_post
from blogforever.storage.browsing import UNSURE, Facet, FoundPlace, PostPlace, PostQuery, unsure_fields
from blogforever.storage.counting import HOUR
from blogforever.storage.following import Cursor, FollowedBlog, FollowedQuery, FollowState, HostClass
from blogforever.storage.suspects import LIKELY_SPAM, Suspicion
from blogforever.storage.tables import Store
from blogforever.store.folder import ArchiveFolder
from blogforever.wording import N_

from .browsing import browse_posts

ReviewState = Literal["frozen", "failing", "rejected", "spam", "dead", "unsure", "missing"]
FOR_PEOPLE: tuple[FollowState, ...] = ("frozen", "failing", "rejected", "dead")
"""The states out of which a blog may need a person to come."""
OF_POSTS: tuple[ReviewState, ...] = ("unsure", "missing")
"""Posts with a field that is as likely wrong as right, and posts that are not where they were."""
AFTER_BLOGS = "likely spam"
"""Where, in the list of all blogs that need a person, those that are likely spam begin."""
MOST_GROUPS = 100
"""Causes that are told apart; who has more of them looks at the blogs themselves."""
MOST_COUNTED = 10_000
"""Posts of a group that are counted: to count hundreds of thousands took a third of the time of a
page, and nobody looks through so many one by one.
"""
FAILURES_OF = timedelta(days=7)
"""How far back failures count: what is older was tried again since, and failed again or did not."""


@dataclass(frozen=True, slots=True)
class ReviewGroup:
    """So many blogs, or posts, that need a person for one and the same reason."""

    kind: Literal["blog", "post"]
    state: ReviewState
    reason: str
    number: int
    said: tuple[Said, ...] = ()

    @property
    def is_more(self) -> bool:
        """Whether there are more than were counted."""
        return self.kind == "post" and self.number >= MOST_COUNTED


@dataclass(frozen=True, slots=True)
class FailureCause:
    """Why pages could not be captured in the last days, and how often."""

    reason: str
    number: int


@dataclass(frozen=True, slots=True)
class ReviewSummary:
    """All that needs a person, in numbers."""

    groups: tuple[ReviewGroup, ...]
    failures: tuple[FailureCause, ...]


@dataclass(frozen=True, slots=True)
class ReviewItem:
    """One blog, or one post, that needs a person, and why; `blog` is the followed
    blog, or the archive's; `fields` says how sure those are that are not sure enough.
    """

    kind: Literal["blog", "post"]
    state: ReviewState
    id: str
    url: str
    title: str
    reason: str
    blog: str
    at: str | None = None
    fields: Mapping[str, float] = field(default_factory=dict)
    verdict: HostClass = ""
    signs: tuple[Sign, ...] = ()
    """What speaks for spam."""
    said: tuple[Said, ...] = ()


@dataclass(frozen=True, slots=True)
class ReviewPage:
    """Some items, and where the next page begins."""

    items: tuple[ReviewItem, ...]
    next: Cursor | PostPlace | FoundPlace | None = None


def review_summary(store: Store) -> ReviewSummary:
    """What needs a person, group by group; the largest of each state first."""
    blogs = [
        ReviewGroup("blog", _of_blog(one.state), one.reason, one.number, one.said)
        for one in store.followed.reasons(FOR_PEOPLE, MOST_GROUPS)
    ]
    posts = [
        ReviewGroup("post", state, "", store.posts.number_with(Facet("is", state), MOST_COUNTED)) for state in OF_POSTS
    ]
    blogs = [group for group in blogs if not group.reason.startswith(LIKELY_SPAM)]
    suspected = store.suspicions.number()
    blogs += [ReviewGroup("blog", "spam", "", suspected)] if suspected else []
    return ReviewSummary((*blogs, *(group for group in posts if group.number)), _causes(store))


def _causes(store: Store) -> tuple[FailureCause, ...]:
    last = clock.now()
    first = last - FAILURES_OF
    counted: dict[str, int] = {}
    for one in store.counters.sums(first.isoformat()[:HOUR], last.isoformat()[:HOUR], HOUR):
        if one.name == "failures":
            counted[one.label] = counted.get(one.label, 0) + one.number
    ordered = sorted(counted.items(), key=lambda pair: (-pair[1], pair[0]))
    return tuple(FailureCause(*pair) for pair in ordered[:MOST_GROUPS])


def review_blogs(
    store: Store, state: ReviewState | None = None, reason: str = "", after: Cursor | None = None, limit: int = 100
) -> ReviewPage:
    """Blogs that need a person, by id: in any of the states, or in one; for one reason, where it is
    said which.
    """
    is_past_the_others = after is not None and after.value == AFTER_BLOGS
    if state == "spam" or is_past_the_others:
        return _review_spam(store, after.id if after else "", limit)
    page = _review_others(store, state, reason, after, limit)
    is_last_of_all = page.next is None and state is None and not reason
    return _filled_with_spam(store, page, limit) if is_last_of_all else page


def _filled_with_spam(store: Store, page: ReviewPage, limit: int) -> ReviewPage:
    """The last page of the others, and behind them those that are likely spam, as far as there is room."""
    room = limit - len(page.items)
    if room <= 0:
        return replace(page, next=Cursor(AFTER_BLOGS, "") if store.suspicions.number() else None)
    suspected = _review_spam(store, "", room)
    return replace(suspected, items=page.items + suspected.items)


def _review_others(
    store: Store, state: ReviewState | None, reason: str, after: Cursor | None, limit: int
) -> ReviewPage:
    """Blogs in states that need a person, without those that are likely spam."""
    states = tuple(one for one in FOR_PEOPLE if state in (None, one))
    page = store.followed.page(FollowedQuery(states=states, reason=reason, after=after, limit=limit))
    suspected = {one.blog for one in store.suspicions.some([blog.id for blog in page.items]) if not one.decided}
    return ReviewPage(tuple(_blog_item(blog) for blog in page.items if blog.id not in suspected), page.next)


def _review_spam(store: Store, after: str, limit: int) -> ReviewPage:
    """Blogs that are likely spam and that nobody has decided on."""
    suspicions = store.suspicions.undecided(after, limit)
    blogs = {blog.id: blog for blog in store.followed.some([one.blog for one in suspicions])}
    agreed = store.suspicions.agreed() if suspicions else {}
    weighed = [replace(one, signs=tuple(with_experience(one.signs, agreed))) for one in suspicions]
    items = tuple(_spam_item(blogs[one.blog], one) for one in weighed if one.blog in blogs)
    is_last = len(suspicions) < limit
    return ReviewPage(items, None if is_last else Cursor(AFTER_BLOGS, suspicions[-1].blog))


def _spam_item(blog: FollowedBlog, suspicion: Suspicion) -> ReviewItem:
    item = ReviewItem("blog", "spam", blog.id, blog.url, blog.title, suspicion.reason, blog.id, blog.last_look)
    return replace(item, verdict="spam", signs=suspicion.signs)


def review_posts(
    archive: ArchiveFolder, state: ReviewState, after: PostPlace | None = None, limit: int = 100
) -> ReviewPage:
    """Posts that need a person, newest first, without what is hidden."""
    page = browse_posts(archive, PostQuery(facets=(Facet("is", state),), after=after, limit=limit))
    return ReviewPage(tuple(_post_item(state, read_post(line)) for line in page.lines), page.next)


def _blog_item(blog: FollowedBlog) -> ReviewItem:
    state, said = _of_blog(blog.state), blog.said
    item = ReviewItem("blog", state, blog.id, blog.url, blog.title, blog.reason, blog.id, blog.last_look, said=said)
    is_undecided = blog.state == "rejected" and not blog.verdict
    return replace(item, verdict="not-a-blog" if is_undecided else blog.verdict)


def _post_item(state: ReviewState, post: PostRecord) -> ReviewItem:
    unsure = unsure_fields(post) if state == UNSURE else {}
    reason = f"not sure of {', '.join(sorted(unsure))}" if unsure else N_("it is not where it was")
    return ReviewItem("post", state, post.id, post.url, post.title or "", reason, post.blog, post.published, unsure)


def _of_blog(state: str) -> ReviewState:
    states: dict[str, ReviewState] = {"frozen": "frozen", "failing": "failing", "rejected": "rejected", "dead": "dead"}
    return states[state]
