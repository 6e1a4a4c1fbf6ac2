"""Rules that no longer fit what an update fetched: when that is so, and how new ones are learned beside the old."""

from __future__ import annotations

from dataclasses import replace

from blogforever.extract.templates import fits
from blogforever.learn.samples import first_and_spread
from blogforever.model import Page, Rules
from blogforever.pipeline.reading import StageFailed
from blogforever.protocols import Ask
from blogforever.urls import url_key

from .arrivals import Arrivals
from .asking import LooksAsked
from .comparing import Comparison
from .context import UpdateContext
from .findings import Looked
from .newposts import NewPosts
from .rechecks import Look
from .versions import Capture, came_by, same_theme

# Pages of the feed's entries that are fetched to learn from, and half of those that are read for
# it.
TRAINING = 12
# Pages that teach something without a feed. On fewer the article cannot be told from what stands
# around it.
FEW = 3
FIELDS = ("html", "title", "published", "authors")


class Relearning:
    """Tells whether the rules still fit, and learns new ones where they do not."""

    def __init__(
        self,
        context: UpdateContext,
        comparison: Comparison,
        arrivals: Arrivals,
        new_posts: NewPosts,
        looks: LooksAsked,
    ) -> None:
        self._context, self._comparison, self._arrivals = context, comparison, arrivals
        self._new_posts, self._looks = new_posts, looks
        self._posts = {post.id: post for post in context.remembered.posts}
        self._doubted = False
        self.reason = ""
        """Why new rules were learned; empty where none were."""
        self.notes: list[str] = []

    def ask_for_training(self) -> list[Ask]:
        """Where the rules no longer fit most of what came, the pages of the feed's entries may
        teach new ones.
        """
        self._doubted = self._too_few_fit(*self._fit())
        return self._looks.ask_again(self._training_looks()) if self._doubted else []

    def learn_again(self) -> list[Ask]:
        """Learn from what is here now, where the rules still fit too little of it."""
        # Reading every page twice is dear: where the rules fitted before, they do now.
        if self._doubted:
            strange, regular = self._fit()
            if self._too_few_fit(strange, regular):
                self._learn(strange, regular)
        return []

    def _too_few_fit(self, strange: list[Page], regular: int) -> bool:
        return bool(strange) and len(strange) >= regular and self._context.known.rules is not None

    def _fit(self) -> tuple[list[Page], int]:
        """The pages that the rules no longer fit, and how many they still do."""
        strange, regular = self._fit_of_known()
        for key, looked in self._new_posts.looked.items():
            if key not in self._context.news.entries:
                continue
            if self._new_posts.evidence(key).fits or looked.ref is None:
                regular += 1
            else:
                strange.append(self._comparison.read(looked))
        return strange, regular

    def _fit_of_known(self) -> tuple[list[Page], int]:
        strange, regular = list[Page](), 0
        for post, looked in self._arrivals.known_posts():
            pair = self._comparison.captures(self._posts[post], looked)
            if pair is None or not is_strange(*pair):
                regular += 1
            else:
                strange.append(pair[1].page)
        return strange, regular

    def _training_looks(self) -> list[Look]:
        feed = self._context.news.feed
        posts = [self._context.identity.at(entry.url) for entry in (feed.entries if feed else ())]
        wanted = [post for post in posts if post and post.id not in self._arrivals.first]
        return [Look(post.url, "turn", post) for post in wanted[:TRAINING]]

    def _learn(self, strange: list[Page], regular: int) -> None:
        feed = self._context.news.feed
        pages = self._lessons() or strange
        if feed is None and len(pages) < FEW:
            return
        try:
            learned = self._context.tools.learn(feed, pages)
        except StageFailed:
            return
        fitting = sum(fits(page, learned) for page in strange)
        if 2 * fitting < len(strange):
            self.notes.append("The pages look different now, and no new rules could be learned from them.")
        elif self._take_over(learned):
            self.reason = f"{len(strange)} of {len(strange) + regular} pages no longer fitted the rules"
            for key in self._new_posts.looked:
                self._new_posts.visit_again(key)

    def _take_over(self, learned: Rules) -> bool:
        """Put new templates beside the old ones: pages of the old theme are still to be read, too."""
        known = self._context.known
        old = known.rules
        if old is None:
            return False
        fresh = [template for template in learned.templates if template not in old.templates]
        if fresh:
            known.rules = replace(learned, templates=(*fresh, *old.templates), comments=old.comments, shared=old.shared)
        return bool(fresh)

    def _lessons(self) -> list[Page]:
        """Pages of posts of which the feed says what stands on them."""
        arrivals = self._arrivals
        moved = [looked for looked, _move in arrivals.moved.values()]
        looked = [*arrivals.first.values(), *self._new_posts.looked.values(), *moved]
        taught = [one for one in looked if self._is_in_feed(one)]
        return [self._comparison.read(one) for one in first_and_spread(taught, TRAINING * 2)]

    def _is_in_feed(self, looked: Looked) -> bool:
        names = (looked.url, *looked.chain)
        return bool(looked.ref) and any(url_key(name) in self._context.news.entries for name in names)


def is_strange(old: Capture, new: Capture) -> bool:
    """Whether fields the rules found on the earlier capture are not found by them any more."""
    by_rule = [name for name in FIELDS if came_by(old.post, name) == "rule"]
    lost = [name for name in by_rule if came_by(new.post, name) != "rule"]
    return "html" in lost or len(lost) > 1 or not same_theme(old, new)
