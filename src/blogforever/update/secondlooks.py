"""Second looks: what differs without having been announced must differ again before it is believed."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from blogforever.dom import node_text, tokenise
from blogforever.page.view import view_of
from blogforever.protocols import Ask
from blogforever.urls import join, site_root

from .arrivals import Arrivals
from .asking import LooksAsked
from .comparing import Comparison
from .context import UpdateContext
from .findings import Judged, Looked
from .rechecks import Look
from .states import Outcome
from .versions import Verdict, as_empty

FEW = 3
"""Posts in whose place one and the same page stands, for it to be no chance."""


class SecondLooks:
    """Judges the first answers, asks once more for the doubtful ones, and settles what both say."""

    def __init__(
        self, context: UpdateContext, comparison: Comparison, arrivals: Arrivals, looks: LooksAsked, absurd: str
    ) -> None:
        self._context, self._comparison, self._arrivals = context, comparison, arrivals
        self._looks, self._absurd = looks, absurd
        self._posts = {post.id: post for post in context.remembered.posts}
        self.judged: dict[str, Judged] = {}
        """What was found of each known post, by its id."""

    # ------------------------------------------------------------------ one post

    def outcome(self, post: str) -> Outcome:
        """Whether a post is there, by the first look at it."""
        return self._comparison.judge(self._posts[post], self._arrivals.first[post]).outcome

    def first_look(self, post: str) -> Looked | None:
        """The answer to the first look at a post, where its page was there."""
        looked = self._arrivals.first.get(post)
        return looked if looked and looked.ref and self.outcome(post) == "here" else None

    def shows_edit(self, post: str) -> bool:
        """Whether the first look at a post shows other content than it had."""
        looked = self.first_look(post)
        if looked is None:
            return False
        return self._comparison.judge(self._posts[post], looked).verdict.judgement == "edit"

    def stayed_edited(self, post: str) -> bool:
        """Whether a second look showed what the first one had."""
        again = self._arrivals.again.get(post)
        return again is not None and self._comparison.shows_the_same(self._arrivals.first[post], again)

    # ------------------------------------------------------------------ all posts

    def ask(self) -> list[Ask]:
        """What differs without having been announced is looked at once more.

        An empty answer is asked for, too.
        """
        self._judge_all()
        unseen = [judged for post, judged in self.judged.items() if post not in self._arrivals.again]
        doubtful = [judged for judged in unseen if _is_doubtful(judged)]
        looks = [replace(judged.looked.look, url=judged.looked.url) for judged in doubtful]
        replaced = any(judged.verdict.judgement == "replaced" for judged in doubtful)
        led_away = any(judged.outcome == "soft" for judged in self.judged.values())
        if replaced or led_away:
            root = site_root(self._context.remembered.url)
            looks.append(Look(join(root, f"{self._absurd}/") or root, "probe"))
        return self._looks.ask_again(looks)

    def _judge_all(self) -> None:
        for post, looked in self._arrivals.first.items():
            self.judged[post] = self._comparison.judge(self._posts[post], looked)
        for post, (looked, move) in self._arrivals.moved.items():
            self.judged[post] = self._comparison.judge(self._posts[post], looked, move)

    def settle(self) -> list[Ask]:
        """What the second looks say of the first ones."""
        empty = self._probe_words()
        for post, judged in self.judged.items():
            again = self._arrivals.again.get(post)
            if judged.outcome == "replaced" and empty and as_empty(judged.text, empty):
                judged.outcome = "soft"
            elif again and _is_doubtful(judged) and not self._comparison.shows_the_same(judged.looked, again):
                judged.verdict, judged.outcome = Verdict("same", reason="it differs at every look"), "here"
        self._doubt_facts()
        return []

    def _doubt_facts(self) -> None:
        """Facts that differ on most pages at once, and that nothing announces, are another reading:
        a theme, a name.
        """
        compared = [judged for judged in self.judged.values() if judged.looked.came and not judged.looked.unchanged]
        doubtful = [judged for judged in compared if judged.verdict.only_facts and not judged.verdict.sure]
        if len(doubtful) >= FEW and 2 * len(doubtful) > len(compared):
            for judged in doubtful:
                judged.verdict = Verdict("revision", reason=f"{judged.verdict.reason}, and so it is with most posts")

    def _probe_words(self) -> list[str]:
        """What the blog shows where nothing can be."""
        probe = self._arrivals.probe
        if probe is None or probe.ref is None or probe.status != 200:
            return []
        body = view_of(self._comparison.read(probe)).tree.body
        return tokenise(node_text(body)) if body else []

    def one_page_for_many(self) -> bool:
        """Whether one and the same page stands in the place of several posts."""
        texts = Counter(judged.text for judged in self.judged.values() if judged.text)
        return bool(texts) and texts.most_common(1)[0][1] >= FEW


def _is_doubtful(judged: Judged) -> bool:
    return not judged.verdict.sure and judged.verdict.judgement != "revision"
