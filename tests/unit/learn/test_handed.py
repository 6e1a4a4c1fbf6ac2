"""Rules that somebody else learned: tried first, and kept only where they read the blog's own pages as well."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from blogforever.learn.handed import tried_first
from blogforever.learn.learner import learn_rules
from blogforever.model import Feed, Page, Rule, Rules, Template

from .madeblog import MadePost, feed_of, make_posts, page, pages_of

POSTS = make_posts(16)
THEIRS = "Some library ed25519:AAAA"


def classic(post: MadePost) -> str:
    return page(
        f"<title>{post.title}</title>",
        f"<div class='entry'><h1 class='name'>{post.title}</h1><span class='who'>{post.author}</span>"
        f"<time class='when' datetime='{post.day}'>{post.day:%d %B %Y}</time>"
        f"<div class='prose'>{post.html}</div>"
        "<p class='filed'><a rel='tag' href='/tag/walks'>walks</a> <a rel='tag' href='/tag/tools'>tools</a></p></div>",
    )


class Counted:
    """Learning that tells how often it was asked."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self, feed: Feed | None, pages: Sequence[Page], known: Rules | None = None) -> Rules:
        self.times += 1
        return learn_rules(feed, pages, known)


def theirs() -> Rules:
    """What another installation learned, from older posts of the same blog."""
    return replace(learn_rules(feed_of(POSTS[8:]), pages_of(POSTS[8:], classic)), by=THEIRS)


def test_rules_that_read_all_that_a_whole_feed_says_spare_learning() -> None:
    learn = Counted()

    tried = tried_first(theirs(), feed_of(POSTS[:6], long_html), pages_of(POSTS[:6], long_page), learn)

    assert tried.are_handed, tried.why
    assert learn.times == 0
    assert tried.rules.templates == theirs().templates
    assert (tried.rules.by, tried.rules.feed) == (THEIRS, "https://made.example/feed/")


def long_html(post: MadePost) -> str:
    """Several blocks: an entry that looks whole."""
    return post.html + "<p>A last line of it.</p><p>And one more.</p>"


def long_page(post: MadePost) -> str:
    return classic(post).replace(post.html, long_html(post))


def test_beside_a_feed_of_summaries_they_are_compared_with_learned_ones_and_kept() -> None:
    learn = Counted()
    summaries = feed_of(POSTS[:6], lambda post: f"<p>{post.paragraphs[0]}</p>")

    tried = tried_first(theirs(), summaries, pages_of(POSTS[:6], classic), learn)

    assert learn.times == 1
    assert tried.are_handed, tried.why
    assert tried.rules.by == THEIRS
    assert tried.rules.templates == theirs().templates


def test_rules_of_another_layout_give_way_to_learned_ones() -> None:
    feed, pages = feed_of(POSTS[:6]), pages_of(POSTS[:6], classic)
    elsewhere = Rules("https://made.example/", (Template(Rule("div.story", "//div")),), by=THEIRS)

    tried = tried_first(elsewhere, feed, pages, learn_rules)

    assert not tried.are_handed
    assert tried.rules == learn_rules(feed, pages)
    assert "they read 0%" in tried.why


def test_rules_that_take_in_what_stands_around_the_article_give_way() -> None:
    feed, pages = feed_of(POSTS[:6]), pages_of(POSTS[:6], classic)
    good = theirs().templates[0]
    wide = Rules("https://made.example/", (replace(good, article=Rule("body", "//body"), exclude=()),), by=THEIRS)

    tried = tried_first(wide, feed, pages, learn_rules)

    assert not tried.are_handed, tried.why
    assert not tried.rules.by


def test_rules_that_read_only_what_a_summary_says_give_way() -> None:
    summaries = feed_of(POSTS[:6], lambda post: f"<p>{post.paragraphs[0]}</p>")
    good = theirs().templates[0]
    first = replace(good, article=Rule("div.prose p", "//p"))

    tried = tried_first(Rules("", (first,), by=THEIRS), summaries, pages_of(POSTS[:6], classic), learn_rules)

    assert not tried.are_handed, tried.why


def test_without_a_feed_they_are_held_against_what_the_pages_teach() -> None:
    tried = tried_first(theirs(), None, pages_of(POSTS[:8], classic), learn_rules)

    assert tried.are_handed, tried.why
    assert tried.rules.templates == theirs().templates
