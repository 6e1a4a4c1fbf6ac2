"""Which known posts an update looks at: those something speaks for, a sample of mass edits, then old ones in turn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta

from blogforever.pipeline.since import moment_of

from .commentlooks import comment_looks
from .context import UpdateContext, keys_of
from .latecomments import LateComments
from .massdates import MassDates
from .rechecks import (
    Look,
    TurnBudget,
    absences,
    crowded_day,
    dates_tell,
    day_looks,
    edit_looks,
    missing_looks,
    restated,
    stamped_posts,
    turns,
    vanished,
)
from .remembered import KnownPost

# Posts that are looked at where every list has forgotten them: enough to tell whether the blog has.
SAMPLE = 5
# Where no comment feed tells, pages of posts that are still talked about: the schedule looks for
# the last time ten days after a post.
TALKED_ABOUT, MOST_TALKED_ABOUT = timedelta(days=11), 5


class KnownLooks:
    """Chooses within the budget of an update."""

    def __init__(
        self, context: UpdateContext, budget: TurnBudget, late: LateComments, mass: MassDates, now: datetime
    ) -> None:
        self._context, self._budget, self._late, self._mass, self._now = context, budget, late, mass, now

    def choose(self, posts: Sequence[KnownPost], listless: bool) -> list[Look]:
        """Looks at some of these posts.

        A blog is `listless` when only its home page can name any.
        """
        chosen = _by_post(self._spoken_for(posts))
        missing = sum(look.why == "missing" for look in chosen.values())
        by_day = _by_post(day_looks(self._context.news, posts, keys_of))
        days = {post: look for post, look in by_day.items() if post not in chosen}
        chosen |= days
        sample = self._sample_of_mass_edits(_others(posts, chosen))
        chosen |= _by_post(sample)
        number = self._turns(missing + len(days) + len(sample), bool(sample))
        if self._budget.is_rare and dates_tell(self._context.news, posts, keys_of):
            number = min(number, 1)
        nobody_tells = listless and not self._budget.is_rare
        if nobody_tells or vanished(self._context.news, posts, keys_of):
            number = max(number, min(SAMPLE, len(posts)))
        return [*chosen.values(), *self._in_turn(_others(posts, chosen), number)]

    def for_comments(self, posts: Sequence[KnownPost]) -> list[Look]:
        """Looks for late comments alone: at posts of which the comment feed knows more than is
        kept; without one, at the newest.
        """
        is_told = bool(self._context.news.comments)
        young = [] if is_told else [Look(post.url, "comments", post) for post in self._talked_about(posts)]
        late = self._late.looks(posts, self._budget.pages)
        return [*_by_post([*young, *late, *comment_looks(self._context, posts)]).values()]

    def _talked_about(self, posts: Sequence[KnownPost]) -> list[KnownPost]:
        """The newest posts, as far as readers may still write under them."""
        dated = [(moment_of(post.published) or post.since, post) for post in posts if post.state == "active"]
        young = [(born, post) for born, post in dated if born and self._now - born <= TALKED_ABOUT]
        young.sort(key=lambda one: one[0], reverse=True)
        return [post for _born, post in young[:MOST_TALKED_ABOUT]]

    def _in_turn(self, posts: Sequence[KnownPost], number: int) -> list[Look]:
        """Posts that nothing speaks for: those whose last look is still to be judged, and others up
        to this number.
        """
        unjudged = [post for post in posts if self._context.is_unjudged(post)]
        others = [post for post in posts if not self._context.is_unjudged(post)]
        looks = [Look(post.url, "turn", post) for post in unjudged]
        return looks + turns(others, self._now, max(number - len(looks), 0), self._is_fresh)

    def _spoken_for(self, posts: Sequence[KnownPost]) -> list[Look]:
        """Posts that are absent from lists, may have late comments, got comments, or were edited."""
        news = self._context.news
        absent = missing_looks(posts, absences(news, posts, keys_of), self._context.is_listed, self._now)
        late = self._late.looks(posts, self._budget.pages)
        believed = not restated(news, self._context.identity)
        edited = edit_looks(news, posts, keys_of, believed)
        return [*absent, *late, *comment_looks(self._context, posts), *edited]

    def _sample_of_mass_edits(self, posts: Iterable[KnownPost]) -> list[Look]:
        """A few of the posts that got a date of change at once, now or on a day that was not over,
        and of which nothing else tells.
        """
        everything, news = self._context.remembered.posts, self._context.news
        dated = [*stamped_posts(news, everything, keys_of), *crowded_day(news, everything, keys_of)]
        stamped = {post.id for post in dated}
        judged = [post for post in posts if not self._context.is_unjudged(post)]
        return self._mass.choose([post for post in judged if post.id in stamped], len(everything), self._now)

    def _turns(self, spent: int, sampled: bool) -> int:
        """How many posts have their turn: what is left of the budget, and one at least where
        nothing was sampled.
        """
        if not self._budget.is_time:
            return 0
        least = 0 if sampled else min(self._budget.pages, 1)
        return max(self._budget.pages - spent, least)

    def _is_fresh(self, url: str) -> bool:
        return url in self._context.remembered.fresh


def _others(posts: Iterable[KnownPost], chosen: Mapping[str, Look]) -> list[KnownPost]:
    return [post for post in posts if post.id not in chosen]


def _by_post(looks: Iterable[Look]) -> dict[str, Look]:
    """The looks by their posts; the last reason for a post is the one that counts."""
    return {look.post.id: look for look in looks if look.post}
