"""Layouts that name their parts oddly, or not at all: learned from a feed, tried on posts the feed does not know."""

from __future__ import annotations

from dataclasses import replace

import pytest

from blogforever.extract.post import extract_post
from blogforever.extract.templates import fits
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


def test_the_year_that_all_notes_are_called_by_is_no_name_of_the_blog() -> None:
    pages = [
        Page(f"https://made.example/{n}", page(f"<title>2020-0{n}-14 1{n}:29</title>", "<p>A note</p>").encode())
        for n in range(1, 6)
    ]
    assert head_titles(gather(None, pages, 5, 5)) == [f"2020-0{n}-14 1{n}:29" for n in range(1, 6)]


def test_a_title_as_its_heading_shows_it_whatever_stands_before_it_in_the_head() -> None:
    def layout(post: MadePost) -> str:
        head = f"<title>Shelf {post.number} ::: {post.title} | The Made Blog</title>"
        return page(head, f"<div class='post'><h1>{post.title}</h1><div class='text'>{post.html}</div></div>")

    rules = learn_rules(None, pages_of(SEEN, layout))
    for post in UNSEEN:
        assert read(post, layout, rules).title == post.title


@pytest.mark.parametrize("shape", ["{} – The Made Blog", "The Made Blog » {}"])
@pytest.mark.parametrize("has_feed", [True, False])
def test_a_note_without_a_title_is_not_called_after_the_blog(shape: str, has_feed: bool) -> None:
    def layout(post: MadePost) -> str:
        title = shape.format(post.title) if post.title else "The Made Blog"
        menu = "<p class='menu'><a href='/'>The Made Blog</a></p>"
        return page(f"<title>{title}</title>", f"{menu}<h2>{post.title}</h2><div class='text'>{post.html}</div>")

    seen = [replace(post, title="") if post.number == 3 else post for post in SEEN]
    rules = learn(seen, layout) if has_feed else learn_rules(None, pages_of(seen, layout))
    for post in UNSEEN:
        assert read(post, layout, rules).title == post.title
        assert read(replace(post, title=""), layout, rules).title is None
        assert read(replace(post, title="The Made Blog"), layout, rules).title == "The Made Blog"
        assert read(replace(post, title=""), lambda one: f"{layout(one)}<h3>Leave a word</h3>", rules).title is None


def test_a_note_without_a_title_is_not_called_after_the_site_its_head_names() -> None:
    def layout(post: MadePost) -> str:
        told = {"og:title": post.title or "The Made Blog", "og:site_name": "The Made Blog"}
        metas = "".join(f"<meta property='{name}' content='{value}'>" for name, value in told.items())
        head = f"<title>{post.title} | The Made Blog</title>{metas}"
        return page(head, f"<h1>{post.title}</h1><div class='text'>{post.html}</div>")

    rules = learn(SEEN, layout)
    for post in UNSEEN:
        assert read(post, layout, rules).title == post.title
        assert read(replace(post, title=""), layout, rules).title is None


@pytest.mark.parametrize("mark", ["", "class='q7'"])
def test_a_line_about_each_author_is_no_part_of_the_texts(mark: str) -> None:
    def about(post: MadePost) -> str:
        name = ("Ada Quill", "Ben Oak", "Cy Dale")[post.number % 3]
        where = ("by the lake with two cats", "above the bakery on the hill", "in a wagon without wheels")[
            post.number % 3
        ]
        return f"<p {mark}>Of whom you read: {name} lives {where}, and writes when it rains there.</p>"

    def layout(post: MadePost) -> str:
        text = f"<div class='text'>{post.html}{about(post)}</div>"
        return page(f"<title>{post.title}</title>", f"<h1>{post.title}</h1>{text}")

    rules = learn_rules(None, pages_of(SEEN, layout))
    for post in UNSEEN:
        assert read(post, layout, rules).text == "\n\n".join(post.paragraphs)


def test_how_long_a_text_takes_to_read_is_no_part_of_it() -> None:
    def layout(post: MadePost) -> str:
        spent = f"<span class='rt'><b>Reading Time: </b><b>{post.number % 4 + 1}</b> <b>minutes</b></span>"
        text = f"<div class='text'>{spent}{post.html}</div>"
        return page(f"<title>{post.title}</title>", f"<h1>{post.title}</h1>{text}")

    rules = learn_rules(None, pages_of(SEEN, layout))
    for post in UNSEEN:
        assert read(post, layout, rules).text == "\n\n".join(post.paragraphs)


def test_what_authors_say_in_one_place_of_every_post_stays() -> None:
    def layout(post: MadePost) -> str:
        inside = f"<p class='chapter'>Chapter {post.number}</p>{post.html}<p class='end'>{post.paragraphs[0][::-1]}</p>"
        return page(f"<title>{post.title}</title>", f"<h1>{post.title}</h1><div class='text'>{inside}</div>")

    rules = learn_rules(None, pages_of(SEEN, layout))
    for post in UNSEEN:
        text = read(post, layout, rules).text
        assert text.startswith(f"Chapter {post.number}")
        assert text.endswith(post.paragraphs[0][::-1])


def loose(post: MadePost) -> str:
    """The text right below the page's body, among what stands on every page."""
    return page(
        f"<title>{post.title}</title>",
        f"<p><a href='/'>A made blog</a></p><h1>{post.title}</h1><p>by {post.author}, {post.day:%d %b %Y}</p>"
        f"{post.html}<p>Written by the stove, and answered when it rains.</p>",
    )


def undated(post: MadePost) -> str:
    return loose(post).replace(f", {post.day:%d %b %Y}", "")


@pytest.mark.parametrize(
    "beside", ["<h1>Soon</h1><p>Soon.</p>", "<h1>Notes</h1><p>All of them</p><ul><li>One</li></ul>"]
)
def test_a_page_without_containers_is_a_posts_where_it_is_dated_as_they_are(beside: str) -> None:
    rules = learn(SEEN, loose)
    for post in UNSEEN:
        check(post, read(post, loose, rules))
    top = "<p><a href='/'>A made blog</a></p>"
    assert not fits(Page("https://made.example/2013/03/other/", page("", top + beside).encode()), rules)


def test_the_whole_page_is_no_next_best_way_on_pages_without_a_date() -> None:
    both = replace(learn(SEEN, bare), templates=(*learn(SEEN, bare).templates, *learn(SEEN, loose).templates))
    nothing = page("", "<main><h1>Soon</h1></main>" + "<p>Words beside it, many of them, again and again.</p>" * 20)
    post = extract_post(Page("https://made.example/2013/03/other/", nothing.encode()), both)
    assert post.provenance["html"].rule != "//body"


def test_pages_without_containers_and_dates_are_no_rule() -> None:
    assert not learn(SEEN, undated, feed_of([])).templates


def test_a_template_of_a_container_goes_before_the_whole_page() -> None:
    loosely, boxed_up = learn(SEEN, loose).templates, learn(SEEN, bare).templates
    both = replace(learn(SEEN, bare), templates=(*loosely, *boxed_up))
    assert read(UNSEEN[0], bare, both).provenance["html"].rule == boxed_up[0].article.xpath
    assert read(UNSEEN[0], loose, both).provenance["html"].rule == "//body"


def edited(post: MadePost) -> str:
    """A line with the day of an edit beside the first."""
    line = f"{post.day:%d %B %Y} · 2 min read · Updated on {post.day.replace(year=2014):%d %B %Y}"
    head = f"<h1>{post.title}</h1><div class='by'><div>{post.author}</div><div>{line}</div></div>"
    return page(f"<title>{post.title}</title>", f"<article><div class='all'>{head}{post.html}</div></article>")


def test_a_line_with_the_day_of_an_edit_is_no_text() -> None:
    rules = learn(SEEN, edited, feed_of(SEEN, lambda post: post.paragraphs[0][:80]))
    for post in UNSEEN:
        assert read(post, edited, rules).text == "\n\n".join(post.paragraphs)


def test_other_posts_with_their_days_are_no_text() -> None:
    def layout(post: MadePost) -> str:
        others = [POSTS[(post.number + step) % len(POSTS)] for step in (3, 5, 9)]
        items = "".join(f"<li><a href='{one.url}'>{one.title}</a> ({one.day:%d.%m.%Y})</li>" for one in others)
        more = f"<div class='m{post.number}'><h3>More of {post.words[0]}</h3><ul>{items}</ul></div>"
        head = f"<h1>{post.title}</h1><p class='by'>{post.author}, {post.day:%d.%m.%Y}</p>"
        return page(f"<title>{post.title}</title>", f"<div class='all'>{head}{post.html}{more}</div>")

    rules = learn(SEEN, layout, feed_of(SEEN, lambda post: post.paragraphs[0][:80]))
    for post in UNSEEN:
        assert read(post, layout, rules).text == "\n\n".join(post.paragraphs)


def test_a_post_that_others_show_a_teaser_of_keeps_its_beginning_and_so_do_those_that_begin_like_it() -> None:
    """The teaser stands on most pages, and two words of it begin other texts, too."""
    quoted = "The old pear tree stands behind the house since my grandfather came back from the sea one winter."
    first = f"<p>{quoted} Nobody knows what he brought with him.</p>"

    def layout(post: MadePost) -> str:
        own = first if post is SEEN[0] else f"<p>The old {' '.join(post.words[:14])}.</p>" if post in UNSEEN else ""
        card = f"<div><a href='{SEEN[0].url}'>{SEEN[0].title}</a><p>{quoted[:-1]}…</p></div>"
        more = "" if post is SEEN[0] else f"<div class='more'><h4>More like this</h4>{card}</div>"
        text = f"{own}{post.html}{more}"
        return page(f"<title>{post.title}</title>", f"<article><h1>{post.title}</h1>{text}</article>")

    rules = learn_rules(None, pages_of(SEEN, layout))
    for post in UNSEEN:
        assert read(post, layout, rules).text.startswith(f"The old {' '.join(post.words[:14])}.")
    assert read(SEEN[0], layout, rules).text.startswith(quoted)


@pytest.mark.parametrize("told", [0, 1])
def test_a_bold_line_above_each_text_is_its_title_where_all_pages_are_called_alike(told: int) -> None:
    def layout(post: MadePost) -> str:
        head = "<center><font size=6>The Made Blog</font></center><hr>"
        title = f"<font size=4><b>{post.title}</b></font><br><font size=1>{post.day:%B %d, %Y}</font>"
        foot = "<hr><center><a href='/'>[home]</a></center>"
        return f"<html><head><title>Made</title></head><body>{head}{title}<p>{post.html}{foot}</body></html>"

    rules = learn_rules(feed_of(SEEN[:told]) if told else None, pages_of(SEEN, layout))
    for post in UNSEEN:
        check(post, read(post, layout, rules))


def lined(post: MadePost) -> str:
    """A bold line above the text, and behind it breaks and a picture, all without words."""
    return page(
        f"<title>{post.title}</title>",
        f"""<h1>{post.title}</h1><div class='post-body'><b>{" ".join(post.words[-3:])} about the weather</b><br><br>
        <img src='/sky-{post.day}.jpg'><i></i><u></u><s></s>{post.html}</div>""",
    )


def test_a_text_begins_right_behind_the_words_above_it_in_every_run() -> None:
    rules = learn(SEEN, lined)
    assert rules.templates[0].article.after == "b:nth-of-type(1)"
    assert extract_post(Page(UNSEEN[0].url, lined(UNSEEN[0]).encode()), rules).media
