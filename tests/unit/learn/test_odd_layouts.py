"""Layouts that name their parts oddly, or not at all: learned from a feed, tried on posts the feed does not know."""

from __future__ import annotations

from dataclasses import replace

import pytest

from blogforever.learn import learn_rules
from blogforever.learn.samples import gather
from blogforever.learn.teacher import head_titles
from blogforever.model import Page
from blogforever.page.vocabulary import kind_of

from .madeblog import Layout, MadePost, feed_of, make_posts, page, pages_of
from .test_learner import check, learn, read

POSTS = make_posts(16, seed=5, authors=("Ada Quill", "Ben Oak"), words=(4, 30))
SEEN, UNSEEN = POSTS[:10], POSTS[10:]


def built(post: MadePost) -> str:
    """A page builder's: every block is a widget, the posts named below are blocks too."""
    other = (
        "<section class='maker-section'><h3>More</h3><p>"
        + " ".join(post.words[:4])
        + " and so on for ever</p></section>"
    )
    return page(
        f"<title>{post.title}</title>",
        f"""<main><section class='maker-section'><div class='elementor-widget-wrap'><h1>{post.title}</h1>
        <ul><li>{post.author}</li><li>{post.day:%d.%m.%Y}</li></ul></div></section>
        <section class='maker-section'><div class='elementor-widget-wrap'><div class='elementor-widget
        elementor-widget-theme-post-content'><div class='elementor-widget-container'>{post.html}</div></div></div>
        </section>{other}</main>""",
    )


def bare(post: MadePost) -> str:
    """Heading, date and text side by side, and nothing around the text alone."""
    return page(
        f"<title>{post.title}</title>",
        f"""<main><h1>{post.title}</h1><p><i><time datetime='{post.day}'>{post.day:%d %b, %Y}</time></i></p>
        {post.html}</main>""",
    )


def old(post: MadePost) -> str:
    """Cells and fonts; the title is a bold line, the by-line follows the text."""
    return page(
        f"<title>{post.title}</title>",
        f"""<table><tr><td><font size='2'><b>{post.title}</b><br><br>{post.html}<br><i>posted by {post.author} on
        {post.day:%m/%d/%Y} at 9:12 AM</i> | <a href='{post.url}'>permalink</a><hr></font></td></tr></table>""",
    )


@pytest.mark.parametrize("layout", [built, bare, old])
def test_posts_beyond_the_feed_are_read_whole_and_alone(layout: Layout) -> None:
    rules = learn(SEEN, layout)
    for post in UNSEEN:
        check(post, read(post, layout, rules))


def test_excerpts_are_enough_on_a_page_of_widgets() -> None:
    rules = learn(SEEN, built, feed_of(SEEN, lambda post: " ".join(post.words[:12]) + " […]"))
    for post in UNSEEN:
        check(post, read(post, built, rules))


def test_a_signed_line_inside_the_article_names_the_author() -> None:
    rules = learn(SEEN, old)
    assert [[author.name for author in read(post, old, rules).authors] for post in UNSEEN] == [
        [post.author] for post in UNSEEN
    ]


def boxed(post: MadePost) -> str:
    """The author's box stands in the margin."""
    return page(
        f"<title>{post.title}</title>",
        f"""<aside class='sidebar'><h3 class='who'>{post.author}</h3><p>Walks a lot.</p></aside>
        <article><h1>{post.title}</h1><time datetime='{post.day}'>{post.day}</time>{post.html}</article>""",
    )


def test_a_name_in_the_margin_that_changes_with_the_posts_is_their_authors() -> None:
    rules = learn(SEEN, boxed)
    assert [author.name for author in read(UNSEEN[0], boxed, rules).authors] == [UNSEEN[0].author]
    alone = make_posts(10, authors=("Ada Quill",))
    assert "authors" not in learn(alone, boxed).templates[0].fields


def test_the_owners_name_in_the_head_of_the_blog_is_not_the_guests() -> None:
    def owned(post: MadePost) -> str:
        return boxed(post).replace(post.author, "Ada Quill")

    mostly = [replace(post, author="Ben Oak") if post.number == 4 else post for post in make_posts(11)]
    assert "authors" not in learn(mostly, owned).templates[0].fields


@pytest.mark.parametrize(
    ("names", "kind"),
    [
        ("elementor-widget elementor-widget-theme-post-content", "body"),
        ("wp-block-post-content", "body"),
        ("elementor-widget-wrap", ""),
        ("elementor-share-buttons", "furniture"),
        ("related-post-content", "furniture"),
        ("loop-post-content", ""),
        ("widget", "furniture"),
    ],
)
def test_what_names_say_where_a_builder_made_the_page(names: str, kind: str) -> None:
    assert kind_of(names) == kind


CLOSING = "Write to me if your own jug broke, I read every letter."


def test_a_closing_paragraph_that_feed_and_page_have_stays() -> None:
    posts = [replace(post, paragraphs=(*post.paragraphs, CLOSING)) for post in POSTS]

    def layout(post: MadePost) -> str:
        more = "<p><a href='/all'>All the posts</a> <a href='/feed'>Follow</a></p>"
        return page(f"<title>{post.title}</title>", f"<h1>{post.title}</h1><div class='text'>{post.html}{more}</div>")

    rules = learn(posts[:10], layout)
    for post in posts[10:]:
        assert read(post, layout, rules).text.endswith(CLOSING)


def test_a_bare_tag_that_ends_the_text_ends_it_at_the_last() -> None:
    def layout(post: MadePost) -> str:
        title = f"<h1>{post.title}</h1>"
        return page(f"<title>{post.title}</title>", f"{title}{post.html}<div>Sent from the valley in haste</div>")

    rules = learn(SEEN, layout)
    for post in UNSEEN:
        boxed = replace(post, paragraphs=(post.paragraphs[0] + "</p><div>In a box.</div><p>", *post.paragraphs[1:]))
        found = read(boxed, layout, rules).text
        assert post.paragraphs[-1] in found


@pytest.mark.parametrize("shape", ["{} | The Made Blog", "The Made Blog » {}", "{} - The Made Blog"])
def test_the_blogs_name_leaves_all_titles_though_one_page_lacks_it(shape: str) -> None:
    def layout(post: MadePost) -> str:
        title = post.title if post.number == 2 else shape.format(post.title)
        return page(f"<title>{title}</title>", f"<div class='text'>{post.html}</div>")

    pages = pages_of(POSTS[:5], layout)
    assert head_titles(gather(None, pages, 5, 5)) == [post.title for post in POSTS[:5]]


@pytest.mark.parametrize("shape", ["So! What's your plan?: {}", "{}: Ben's (and Ada's) garden", "Quill & Oak: {}"])
def test_the_blogs_name_leaves_all_titles_though_the_front_page_has_no_other(shape: str) -> None:
    def layout(post: MadePost) -> str:
        return page(f"<title>{shape.format(post.title)}</title>", f"<div class='text'>{post.html}</div>")

    front = Page(
        "https://made.example/", page(f"<title>{shape.format('').strip(': ')}</title>", "<p>All posts</p>").encode()
    )
    titles = head_titles(gather(None, [*pages_of(POSTS[:5], layout), front], 6, 6))
    assert titles[:5] == [post.title for post in POSTS[:5]]


def test_a_title_as_its_heading_shows_it_whatever_stands_before_it_in_the_head() -> None:
    def layout(post: MadePost) -> str:
        head = f"<title>Shelf {post.number} ::: {post.title} | The Made Blog</title>"
        return page(head, f"<div class='post'><h1>{post.title}</h1><div class='text'>{post.html}</div></div>")

    rules = learn_rules(None, pages_of(SEEN, layout))
    for post in UNSEEN:
        assert read(post, layout, rules).title == post.title
