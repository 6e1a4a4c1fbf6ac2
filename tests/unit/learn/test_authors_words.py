"""What authors say again and again stays in their texts, whatever the feed tells; what the blog adds goes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from blogforever.dom import tokenise
from blogforever.learn import learn_rules
from blogforever.model import Feed, Rules

from .madeblog import Layout, MadePost, feed_of, make_posts, page, pages_of
from .test_learner import read

POSTS = make_posts(20, seed=7, words=(12, 40))
SEEN, UNSEEN = POSTS[:12], POSTS[12:]

Habit = Callable[[MadePost], str]


def told(kind: str, habit: Habit) -> Feed | None:
    """A feed of this kind for posts written so."""
    if kind == "none":
        return None
    count = 1 if kind == "one entry" else 10
    excerpt = kind == "excerpts"
    return feed_of(SEEN[:count], lambda post: " ".join(post.words[:20]) + " […]" if excerpt else habit(post))


def boxed(inside: str, post: MadePost) -> str:
    head = f"<h2>{post.title}</h2><div class='meta'>{post.day:%d %B %Y} by {post.author}</div>"
    return page(f"<title>{post.title}</title>", f"<div class='post'>{head}<div class='entry'>{inside}</div></div>")


def beside_the_rest(inside: str, post: MadePost) -> str:
    """Text, by-line and tags side by side."""
    head = f"<h1>{post.title}</h1><p>{post.author}, {post.day:%d %B %Y}</p>"
    filed = "<p>Filed under: <a href='/tag/walks/'>walks</a></p>"
    return page(f"<title>{post.title}</title>", f"<main><article>{head}{inside}{filed}</article></main>")


HABITS: dict[str, Habit] = {
    "greets": lambda post: f"<p>Good morning everyone!</p>{post.html}",
    "signs": lambda post: f"{post.html}<p>Ada</p>",
    "quotes one line first": lambda post: f"<blockquote><p>All that glitters is tin.</p></blockquote>{post.html}",
    "says of some that they are a series": lambda post: (
        f"<p>This belongs to my series about the harbours of the north, begun in winter.</p>{post.html}"
        if post.number % 2
        else post.html
    ),
    "says one thing in two ways at the end": lambda post: (
        f"{post.html}<p>Until next time, and keep the kettle warm for all of us!</p>"
        if post.number % 4
        else f"{post.html}<p>Until next time we have to wait for another winter without rain.</p>"
    ),
    "repeats a line": lambda post: post.html.replace("</p>", "</p><p>And the lamp goes on.</p>"),
    "heads lists alike": lambda post: (
        f"{post.html}<h3>Ingredients</h3><ul><li>{post.number + 1} cups of flour</li><li>2 eggs</li></ul>"
    ),
    "heads links alike": lambda post: (
        f"{post.html}<p>Read this week:</p><ul><li><a href='https://b.example/{post.number}'>"
        f"{post.paragraphs[0]}</a></li></ul>"
    ),
    "adds an update": lambda post: f"{post.html}<p><b>Update:</b> {post.paragraphs[0][::-1]}</p>",
    "numbers lines of code": lambda post: (
        f"{post.html}<pre><span>1</span> <span>print {post.number}</span>\n<span>2</span> <span>end</span></pre>"
    ),
    "writes verse": lambda post: "<p>" + "<br>".join((*post.paragraphs, "by the lamp we wait")) + "</p>",
    "writes of sharing": lambda post: f"{post.html}<p>Share this with {post.paragraphs[0]}</p>",
    "writes in rows": lambda post: f"{post.html}<table><tr><td>Distance</td><td>{post.number} km</td></tr></table>",
}


def words_of(html: str) -> list[str]:
    text = html.replace("<", " <")
    return tokenise(" ".join(part.partition(">")[2] for part in text.split("<")))


def learned(kind: str, habit: Habit, layout: Layout) -> Rules:
    return learn_rules(told(kind, habit), pages_of(SEEN, layout))


@pytest.mark.parametrize("kind", ["whole texts", "excerpts", "one entry", "none"])
@pytest.mark.parametrize("around", [boxed, beside_the_rest])
@pytest.mark.parametrize("habit", HABITS.values(), ids=HABITS)
def test_no_word_of_an_author_is_lost_and_none_is_added(
    habit: Habit, around: Callable[[str, MadePost], str], kind: str
) -> None:
    def layout(post: MadePost) -> str:
        return around(habit(post), post)

    rules = learned(kind, habit, layout)
    for post in (*SEEN[:2], *UNSEEN):
        assert tokenise(read(post, layout, rules).text) == words_of(habit(post))


LETTER = "Posted in haste from the quay, this letter took three weeks and two ferries to reach the one it was for."


@pytest.mark.parametrize("kind", ["whole texts", "excerpts", "none"])
def test_a_line_of_the_blog_takes_no_paragraph_with_it_that_begins_alike(kind: str) -> None:
    def layout(post: MadePost) -> str:
        filed = "<p>Posted in <a href='/tag/walks/'>walks</a></p>"
        head = f"<h1>{post.title}</h1><p>{post.author}, {post.day:%d %B %Y}</p>"
        return page(f"<title>{post.title}</title>", f"<main><article>{head}{post.html}{filed}</article></main>")

    rules = learned(kind, lambda post: post.html, layout)
    for post in UNSEEN:
        letter = replace(post, paragraphs=(*post.paragraphs, LETTER))
        assert tokenise(read(letter, layout, rules).text) == tokenise(" ".join(letter.paragraphs))


def test_a_line_with_links_that_nearly_all_posts_show_is_the_blogs() -> None:
    def layout(post: MadePost) -> str:
        line = "<p>You may <a href='https://coffee.example/'>buy me a coffee and tell your friends</a>.</p>"
        return boxed(f"{post.html}{line if post.number % 7 else ''}", post)

    rules = learned("none", lambda post: post.html, layout)
    for post in UNSEEN:
        assert tokenise(read(post, layout, rules).text) == post.words
