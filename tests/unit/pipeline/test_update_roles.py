"""The roles of an update on their own: comparing, second looks, new pages, relearning, the report."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest

from blogforever.dom import node_text
from blogforever.model import Entry, Failure, Feed, Page, Post, Provenance, Rule, Rules, Template
from blogforever.page.view import view_of
from blogforever.pipeline.learning import Tools
from blogforever.pipeline.page import Knowledge
from blogforever.protocols import Ask, Ref
from blogforever.records import PostRecord
from blogforever.update.arrivals import Arrivals
from blogforever.update.asking import LooksAsked
from blogforever.update.comparing import Comparison
from blogforever.update.context import UpdateContext
from blogforever.update.findings import Looked
from blogforever.update.identity import Identity
from blogforever.update.newposts import NewPosts
from blogforever.update.news import News
from blogforever.update.rechecks import Look, TurnBudget
from blogforever.update.relearning import Relearning
from blogforever.update.remembered import KnownPost, Remembered
from blogforever.update.reporting import Reporting
from blogforever.update.secondlooks import SecondLooks
from blogforever.urls import url_key

ROOT = "https://blog.example/"
WORDS = "once upon a time there was a small house by the sea where nobody lived but the wind and two old cats".split()
STORY = " ".join(WORDS)
OTHER = " ".join(f"word{number}" for number in range(40))
OLD = Rules("b", (Template(Rule("div.old", "//div[@class='old']")),))
NEW = Rules("b", (Template(Rule("div.new", "//div[@class='new']")),))


class Nobody:
    """Keeps nothing."""

    def keep(self, url: str, record: PostRecord) -> None:
        raise AssertionError(url)

    def fail(self, failure: Failure) -> None:
        raise AssertionError(failure)


def extracted(page: Page, rules: Rules | None, _entry: Entry | None) -> Post:
    """The words in the first element with a class; by a rule where the rules know that class."""
    tree = view_of(page).tree
    node = tree.css_first("div[class]")
    title = tree.css_first("h1")
    text = node_text(node) if node else ""
    known = [template.article.xpath for template in (rules.templates if rules else ())]
    by_rule = node is not None and f"//div[@class='{node.attributes['class']}']" in known
    came = Provenance("rule" if by_rule else "generic", "div", 1.0)
    return Post(page.url, node_text(title) if title else None, text=text, html=text, provenance={"html": came})


class Blog:
    """A blog with some known posts, and what an update is answered."""

    def __init__(self, *posts: KnownPost, learned: Rules = NEW) -> None:
        self.pages: dict[str, Page] = {}
        self.records: dict[str, PostRecord] = {}
        self.learned_from: list[list[str]] = []
        self._learned = learned
        remembered = Remembered("b", ROOT, posts, self.records.__getitem__, rules=OLD)
        tools = Tools(self._learn, extracted, self.read, Nobody(), comments=None)
        known = Knowledge("b", extracted, self.read, rules=OLD, comments=None)
        self.context = UpdateContext(remembered, known, Identity(posts), News(), tools)
        self.arrivals, self.looks = Arrivals(), LooksAsked()
        self.comparison = Comparison(self.context)
        self.new_posts = NewPosts(self.context, self.comparison, self.arrivals)
        self.second = SecondLooks(self.context, self.comparison, self.arrivals, self.looks, "absurd")
        self.relearning = Relearning(self.context, self.comparison, self.arrivals, self.new_posts, self.looks)
        self.reporting = Reporting(self.context, self.comparison, self.new_posts, self.second, self.relearning)

    def _learn(self, _feed: Feed | None, pages: list[Page]) -> Rules:
        self.learned_from.append([page.url for page in pages])
        return self._learned

    def read(self, ref: Ref) -> Page:
        return self.pages[ref.record_id]

    def keeps(self, name: str, content: str) -> Ref:
        """Put a page where it can be read again."""
        self.pages[name] = Page(ROOT + name, content.encode())
        return Ref("blog.warc", len(self.pages), name, digest=str(hash(content)))

    def looked(self, look: Look, content: str, name: str = "", **more: Any) -> Looked:
        return Looked(look, 200, "", look.url, ref=self.keeps(name or f"{look.url} now", content), **more)


def html(text: str, theme: str = "old", title: str = "A house") -> str:
    return f"<html><body><h1>{title}</h1><div class='{theme}'>{text}</div></body></html>"


def blog_of(*texts: str, learned: Rules = NEW) -> Blog:
    """A blog whose posts had these texts when they were looked at last."""
    posts = []
    for number in range(len(texts)):
        ref = Ref("blog.warc", 0, f"then-{number}", digest=f"then-{number}")
        posts.append(KnownPost(f"id{number}", f"{ROOT}post-{number}/", (), title="A house", ref=ref))
    blog = Blog(*posts, learned=learned)
    for number, text in enumerate(texts):
        blog.pages[f"then-{number}"] = Page(f"{ROOT}post-{number}/", html(text).encode())
        record = extracted(blog.pages[f"then-{number}"], OLD, None)
        blog.records[f"id{number}"] = PostRecord(
            id=f"id{number}", blog="b", url=record.url, title=record.title, text=text
        )
    return blog


def turn(blog: Blog, number: int = 0, **more: Any) -> Look:
    post = blog.context.remembered.posts[number]
    return Look(post.url, "turn", post, **more)


def answer(blog: Blog, content: str, number: int = 0, **more: Any) -> Looked:
    """The page of a post came, for the first time or again."""
    looked = blog.looked(turn(blog, number, **more), content, f"{number} {len(blog.pages)}")
    blog.arrivals.arrived(looked)
    return looked


# ---------------------------------------------------------------------- comparing


@pytest.mark.parametrize(
    ("content", "judgement", "outcome"),
    [
        (html(STORY), "same", "here"),
        (html(f"{STORY} and a dog"), "edit", "here"),
        (html(OTHER, title="Something else"), "replaced", "replaced"),
        (html(OTHER), "edit", "here"),
        (html(f"A house {STORY}", "new"), "revision", "here"),
    ],
    ids=["same", "edited", "another page", "rewritten under its title", "new theme"],
)
def test_a_page_is_compared_with_the_capture_that_was_kept(content: str, judgement: str, outcome: str) -> None:
    blog = blog_of(STORY)
    judged = blog.comparison.judge(blog.context.remembered.posts[0], answer(blog, content))
    assert (judged.verdict.judgement, judged.outcome) == (judgement, outcome)


@pytest.mark.parametrize(("told", "outcome"), [(OTHER, "here"), (STORY, "replaced"), ("", "replaced")])
def test_other_words_are_a_new_text_where_the_feed_has_them_of_this_post(told: str, outcome: str) -> None:
    """So it is with a blog whose posts have no titles."""
    blog = blog_of(STORY)
    (post,) = blog.context.remembered.posts
    blog.context.news.entries[url_key(post.url)] = Entry(post.url, html=f"<p>{told}</p>")
    judged = blog.comparison.judge(post, answer(blog, html(OTHER, title="")))
    assert judged.outcome == outcome


@pytest.mark.parametrize(
    ("status", "outcome"), [(404, "not found"), (410, "gone"), (403, "refused"), (500, "unreachable")]
)
def test_a_page_that_did_not_come_says_nothing_of_the_words(status: int, outcome: str) -> None:
    blog = blog_of(STORY)
    judged = blog.comparison.judge(blog.context.remembered.posts[0], Looked(turn(blog), status, "", f"{ROOT}post-0/"))
    assert (judged.verdict.judgement, judged.outcome) == ("same", outcome)


@pytest.mark.parametrize(
    ("target", "sign", "outcome"),
    [("tales/post-0/", "redirect", "here"), ("", None, "soft"), ("post-1/", None, "soft"), ("tag/sea/", None, "soft")],
    ids=["its new address", "the home page", "another post", "a list"],
)
def test_a_redirect_leads_to_the_post_or_only_away(target: str, sign: str | None, outcome: str) -> None:
    blog = blog_of(STORY, OTHER)
    came = replace(blog.looked(turn(blog), html(STORY)), url=ROOT + target, chain=(f"{ROOT}post-0/",))
    judged = blog.comparison.judge(blog.context.remembered.posts[0], came)
    assert (judged.move.sign if judged.move else None, judged.outcome) == (sign, outcome)


# ---------------------------------------------------------------------- second looks


def urls(asks: Iterable[Ask]) -> list[str]:
    return [ask.url.removeprefix(ROOT) for ask in asks]


def test_only_what_differs_without_being_announced_is_looked_at_again() -> None:
    blog = blog_of(STORY, STORY, STORY)
    answer(blog, html(STORY))
    answer(blog, html(f"{STORY} and a dog"), 1)
    answer(blog, html(f"{STORY} and a dog"), 2, announced=True)
    assert urls(blog.second.ask()) == ["post-1/"]


def test_what_differs_at_every_look_is_no_edit() -> None:
    blog = blog_of(STORY, STORY)
    for number in (0, 1):
        answer(blog, html(f"{STORY} and a dog"), number)
    assert urls(blog.second.ask()) == ["post-0/", "post-1/"]
    answer(blog, html(f"{STORY} and a dog"), 0)
    answer(blog, html(f"{STORY} and no dog at all"), 1)
    blog.second.settle()
    assert [judged.verdict.judgement for judged in blog.second.judged.values()] == ["edit", "same"]


def test_what_stands_where_nothing_can_be_is_not_in_the_place_of_a_post() -> None:
    blog = blog_of(STORY)
    gone = html(OTHER, title="Nothing here")
    answer(blog, gone)
    *_, probe = blog.second.ask()
    assert probe.url == f"{ROOT}absurd/"
    blog.arrivals.arrived(blog.looked(blog.looks.looks_of(probe)[0], gone))
    blog.second.settle()
    assert blog.second.judged["id0"].outcome == "soft"


def test_one_page_in_the_place_of_several_posts_is_seen() -> None:
    blog = blog_of(STORY, STORY, STORY)
    for number in range(3):
        answer(blog, html(OTHER, title="For sale"), number)
    assert not blog.second.one_page_for_many()
    blog.second.ask()
    assert blog.second.one_page_for_many()


# ---------------------------------------------------------------------- new pages


def new_page(blog: Blog, path: str, text: str) -> None:
    looked = blog.looked(Look(ROOT + path, "new"), html(text, title=path))
    blog.new_posts.came(looked, blog.comparison.visit(looked))


def test_a_page_with_the_words_of_a_known_post_is_that_post_at_a_new_address() -> None:
    blog = blog_of(STORY)
    new_page(blog, "tales/post-0/", STORY)
    assert [move.new for _looked, move in blog.arrivals.moved.values()] == [f"{ROOT}tales/post-0/"]
    assert blog.new_posts.looked == {}


def test_a_post_that_the_blog_still_names_where_it_was_did_not_move() -> None:
    blog = blog_of(STORY)
    blog.context.news.entries[url_key(f"{ROOT}post-0/")] = Entry(f"{ROOT}post-0/")
    new_page(blog, "tales/post-0/", STORY)
    assert blog.arrivals.moved == {}
    assert list(blog.new_posts.looked) == [url_key(f"{ROOT}tales/post-0/")]


# ---------------------------------------------------------------------- relearning


@pytest.mark.parametrize(("learned", "kept"), [(NEW, True), (OLD, False)], ids=["rules that fit", "rules that do not"])
def test_rules_that_fit_no_more_are_learned_again_beside_the_old_ones(learned: Rules, kept: bool) -> None:
    blog = blog_of(STORY, STORY, STORY, STORY, learned=learned)
    news = blog.context.news
    entries = tuple(Entry(f"{ROOT}post-{number}/") for number in range(4))
    news.feeds.append(Feed(f"{ROOT}feed/", "rss", entries=entries))
    news.entries |= {url_key(entry.url): entry for entry in entries}
    for number in range(3):
        answer(blog, html(STORY, "new"), number)
    assert urls(blog.relearning.ask_for_training()) == ["post-3/"]
    answer(blog, html(STORY, "new"), 3)
    blog.relearning.learn_again()
    assert len(blog.learned_from) == 1
    rules = blog.context.known.rules
    assert rules
    assert rules.templates == ((*NEW.templates, *OLD.templates) if kept else OLD.templates)
    assert (bool(blog.relearning.reason), bool(blog.relearning.notes)) == (kept, not kept)


def test_rules_that_fit_most_pages_are_left_alone() -> None:
    blog = blog_of(STORY, STORY, STORY)
    answer(blog, html(STORY))
    answer(blog, html(f"{STORY} and a dog"), 1)
    answer(blog, html(STORY, "new"), 2)
    assert (blog.relearning.ask_for_training(), blog.relearning.learn_again()) == ([], [])
    assert blog.learned_from == []


# ---------------------------------------------------------------------- the report


def test_the_report_says_of_each_look_what_it_found() -> None:
    blog = blog_of(STORY, STORY, STORY)
    answer(blog, html(STORY))
    answer(blog, html(f"{STORY} and a dog"), 1, announced=True)
    blog.arrivals.arrived(Looked(turn(blog, 2), 404, "status 404", f"{ROOT}post-2/"))
    blog.second.ask()
    found = blog.reporting.report(None, TurnBudget(1, 3), ["A note."])
    assert [(finding.kind, finding.outcome) for finding in found.findings] == [
        ("same", "here"),
        ("edit", "here"),
        ("away", "not found"),
    ]
    edited = found.findings[1].record
    assert edited
    assert (edited.id, edited.text) == ("id1", f"{STORY} and a dog")
    assert found.notes == ["A note."]


def test_a_text_that_a_reading_lost_is_kept_and_that_is_told() -> None:
    blog = blog_of(STORY)
    answer(blog, f"<html><body><h1>A house</h1><div class='old'>no</div><p>{STORY}</p></body></html>", announced=True)
    blog.second.ask()
    found = blog.reporting.report(None, TurnBudget(1, 1), [])
    assert "keeps its text" in found.notes[-1]
    assert not found.findings[0].record or found.findings[0].record.text == STORY


def test_nothing_is_found_of_a_blog_that_cannot_be_reached() -> None:
    blog = blog_of(STORY)
    new_page(blog, "another/", OTHER)
    found = blog.reporting.report("no such host", TurnBudget(1, 1), [])
    assert (found.findings, found.failure, found.freeze) == ([], "no such host", None)
