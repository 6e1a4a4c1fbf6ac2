"""Rules learned on made blogs, one for each thing real blogs do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta

import pytest

from blogforever.dom import tokenise
from blogforever.extract.post import extract_post
from blogforever.learn import learn_rules
from blogforever.learn.samples import entry_words
from blogforever.model import Feed, Page, Post, Rules

from .madeblog import Layout, MadePost, feed_of, make_posts, page, pages_of


def classic(post: MadePost) -> str:
    return page(
        f"<title>{post.title} | A made blog</title>",
        f"""<div id='main'><div class='post post-{post.number} category-walks'><h2 class='entry-title'>{post.title}</h2>
        <p class='meta'>Posted on {post.day.strftime("%d/%m/%Y")} by <a class='who'>{post.author}</a></p>
        <div class='entry'>{post.html}<div class='share'><a href='#'>Tweet this</a> <a href='#'>Like this</a></div>
        <p class='tags'>Tags: <a rel='tag' href='/t/walks'>walks</a>, <a rel='tag' href='/t/tools'>tools</a></p></div>
        <div id='comments'><h3>2 comments</h3><p>{post.paragraphs[0]} Indeed.</p></div></div></div>""",
    )


def loose(post: MadePost) -> str:
    """No container around the article: siblings between a heading and a footer line."""
    return page(
        "<title>A made blog</title>",
        f"""<div id='main'><h3>{post.title}</h3>{post.html}
        <p class='posted'>Posted by {post.author} at {post.day.strftime("%B %d, %Y")}</p>
        <h2 id='comments'>Comments</h2><p>so very true, walnut friend</p><p>Ladder of mine, I agree</p></div>""",
    )


def plain(post: MadePost) -> str:
    """No class names, no ids near the article."""
    return page(
        f"<title>{post.title}</title>",
        f"<div><div><h1>{post.title}</h1></div><div><div>{post.html}</div><div>{post.day.isoformat()}</div></div></div>",
    )


def learn(posts: list[MadePost], layout: Layout, feed: Feed | None = None) -> Rules:
    return learn_rules(feed or feed_of(posts), pages_of(posts, layout))


def read(post: MadePost, layout: Layout, rules: Rules) -> Post:
    return extract_post(Page(post.url, layout(post).encode()), rules)


def check(post: MadePost, found: Post) -> None:
    assert found.title == post.title
    assert tokenise(found.text) == post.words
    assert found.published is not None
    assert found.published.day == post.day


POSTS = make_posts(16, authors=("Ada Quill", "Ben Oak"))
SEEN, UNSEEN = POSTS[:10], POSTS[10:]


def test_rules_of_a_classic_theme_work_on_pages_the_feed_does_not_know() -> None:
    rules = learn(SEEN, classic)
    for post in UNSEEN:
        found = read(post, classic, rules)
        check(post, found)
        assert [author.name for author in found.authors] == [post.author]
        assert found.tags == ("walks", "tools")
        assert found.provenance["title"].by == "rule"


def test_the_blogs_own_date_format_decides_what_03_04_means() -> None:
    rules = learn(SEEN, classic)
    ambiguous = [post for post in make_posts(60, seed=4) if post.day.day <= 12 and post.day.day != post.day.month]
    assert ambiguous
    for post in ambiguous:
        found = read(post, classic, rules)
        assert found.published is not None
        assert found.published.day == post.day
        assert found.published.precision == "day"


def test_selectors_never_name_the_one_post_or_its_category() -> None:
    rules = learn(SEEN, classic)
    css = [rules.templates[0].article.css, *(r.css for rs in rules.templates[0].fields.values() for r in rs)]
    assert not any("post-" in text or "category-" in text for text in css)


def test_an_article_without_a_container_is_a_range() -> None:
    rules = learn(SEEN, loose)
    assert rules.templates[0].article.before
    for post in UNSEEN:
        check(post, read(post, loose, rules))


def test_pages_without_any_names_are_learned_by_path() -> None:
    rules = learn(SEEN, plain)
    for post in UNSEEN:
        check(post, read(post, plain, rules))


def test_two_layouts_give_two_templates_chosen_per_page() -> None:
    pages = pages_of(SEEN[:5], classic) + pages_of(SEEN[5:], plain)
    rules = learn_rules(feed_of(SEEN), pages)
    assert len(rules.templates) == 2
    for post in UNSEEN:
        check(post, read(post, classic, rules))
        check(post, read(post, plain, rules))


def test_an_old_layout_the_feed_does_not_know_is_learned_from_its_pages() -> None:
    rules = learn(SEEN, classic)
    old = make_posts(8, seed=9)
    grown = learn_rules(feed_of(SEEN), pages_of(old, loose_old), known=rules)
    assert len(grown.templates) == 2
    for post in make_posts(4, seed=11):
        check(post, read(post, loose_old, grown))


def loose_old(post: MadePost) -> str:
    return page(
        f"<title>{post.title} - A made blog</title>",
        f"""<table><tr><td class='left'><h1 class='headline'>{post.title}</h1>
        <div class='dateline'>{post.day.strftime("%A, %B %d, %Y")}</div>
        <div class='story-text'>{post.html}</div></td></tr></table>""",
    )


def test_a_feed_of_excerpts_still_gives_whole_articles() -> None:
    feed = feed_of(SEEN, lambda post: " ".join(post.paragraphs[0].split()[:12]) + " […]")
    rules = learn(SEEN, classic, feed)
    for post in UNSEEN:
        assert tokenise(read(post, classic, rules).text) == post.words


def test_what_a_feed_adds_to_every_entry_is_not_looked_for() -> None:
    feed = feed_of(
        SEEN,
        lambda post: f"{post.html}<p>The post <a href='{post.url}'>{post.title}</a> appeared first on A made blog.</p>",
    )
    rules = learn(SEEN, classic, feed)
    for post in UNSEEN:
        check(post, read(post, classic, rules))


def test_very_short_posts_beside_a_long_side_bar() -> None:
    posts = make_posts(16, seed=3, words=(2, 5))
    rules = learn(posts[:10], classic)
    for post in posts[10:]:
        check(post, read(post, classic, rules))


def test_entries_whose_page_is_gone_do_not_spoil_the_rules() -> None:
    gone = [
        Page(post.url, b"<html><body><h1>Not found</h1><p>There is nothing here.</p></body></html>")
        for post in SEEN[:4]
    ]
    rules = learn_rules(feed_of(SEEN), gone + pages_of(SEEN[4:], classic))
    check(UNSEEN[0], read(UNSEEN[0], classic, rules))


def test_without_a_feed_the_pages_teach_each_other() -> None:
    rules = learn_rules(None, pages_of(SEEN, classic))
    for post in UNSEEN:
        check(post, read(post, classic, rules))


def test_a_feed_of_another_site_is_no_harm() -> None:
    other = feed_of(make_posts(10, seed=77))
    moved = Feed(**{**{f: getattr(other, f) for f in other.__slots__}, "entries": tuple(other.entries)})
    rules = learn_rules(moved, pages_of(make_posts(8, seed=5), classic))
    check(UNSEEN[0], read(UNSEEN[0], classic, rules))


def test_one_entry_is_enough() -> None:
    rules = learn(SEEN[:1], classic)
    assert tokenise(read(UNSEEN[0], classic, rules).text) == UNSEEN[0].words


def test_a_blog_that_shows_no_author_has_none() -> None:
    feed = feed_of(SEEN)
    bare = Feed(
        url=feed.url,
        kind="rss",
        entries=tuple(type(e)(url=e.url, title=e.title, html=e.html, published=e.published) for e in feed.entries),
    )
    rules = learn_rules(bare, pages_of(SEEN, plain))
    assert read(UNSEEN[0], plain, rules).authors == ()


def test_nothing_to_learn_from_gives_no_templates() -> None:
    assert learn_rules(None, []).templates == ()
    assert learn_rules(feed_of(SEEN), [Page("https://made.example/x", b"")]).templates == ()


def signed_below(post: MadePost) -> str:
    """The author in a heading such as articles have too; tags among other links."""
    heading = f"<h2>{post.paragraphs[0][:12]}</h2>" if post.number > 9 else ""
    return page(
        "<title>A made blog</title>",
        f"""<div class='hentry'><h1>{post.title}</h1><div class='entry'>{heading}{post.html}</div>
        <p class='foot'><a href='/people/a.html'>{post.author}</a> {post.day.isoformat()}
        <a href='/tag/walks.html'>#walks</a> <a href='/tag/tools.html'>#tools</a></p>
        <div class='bio'><h2>By {post.author}</h2></div></div>""",
    )


def test_a_heading_inside_the_article_is_not_taken_for_the_author_below_it() -> None:
    rules = learn(SEEN, signed_below)
    for post in UNSEEN:
        found = read(post, signed_below, rules)
        assert [author.name for author in found.authors] == [post.author]


def test_tags_are_told_from_other_links_by_where_they_lead() -> None:
    rules = learn(SEEN, signed_below)
    assert read(UNSEEN[0], signed_below, rules).tags == ("walks", "tools")


TOPICS = ("Walks", "Tools", "Rain", "Bread", "Maps")


def topics(post: MadePost) -> tuple[str, ...]:
    """All but one of the blog's topics, as a blog with few of them has it."""
    return tuple(topic for n, topic in enumerate(TOPICS) if n != post.number % len(TOPICS))


def links(names: Sequence[str]) -> str:
    return " ".join(f"<a href='/category/{name.lower()}/'>{name}</a>" for name in names)


def filed(post: MadePost, below: str = "", beside: str = "") -> str:
    """A theme that says below each post, or only beside it, what topics there are."""
    body = f"<div class='hentry'><h1>{post.title}</h1><div class='entry'>{post.html}</div>{below}</div>"
    return page("<title>A made blog</title>", body + beside)


def filed_below(post: MadePost) -> str:
    return filed(post, f"<div class='post-terms'>{links(topics(post))}</div>")


def listed_beside(post: MadePost) -> str:
    return filed(post, beside=f"<div class='all-categories'>{links(TOPICS)}</div>")


def filed_and_listed(post: MadePost) -> str:
    below = f"<div class='post-terms'>{links(topics(post))}</div>"
    return filed(post, below, f"<div class='all-categories'>{links(TOPICS)}</div>")


def topical(feed: Feed) -> Feed:
    entries = zip(feed.entries, SEEN, strict=True)
    return replace(feed, entries=tuple(replace(entry, tags=topics(post)) for entry, post in entries))


def test_a_list_of_all_topics_is_no_field_of_a_post() -> None:
    (template,) = learn(SEEN, listed_beside, topical(feed_of(SEEN))).templates
    assert not {"tags", "categories"} & template.fields.keys()


def test_topics_are_known_by_where_they_stand_not_only_by_where_they_lead() -> None:
    for layout in (filed_below, filed_and_listed):
        rules = learn(SEEN, layout, topical(feed_of(SEEN)))
        for post in UNSEEN:
            found = read(post, filed_and_listed, rules)
            assert {*found.tags, *found.categories} == {*topics(post)}, layout


def undated(feed: Feed) -> Feed:
    return replace(feed, entries=tuple(replace(entry, published=None) for entry in feed.entries))


def test_dates_are_learned_from_the_pages_where_the_feed_gives_none() -> None:
    rules = learn(SEEN, classic, undated(feed_of(SEEN)))
    for post in UNSEEN:
        found = read(post, classic, rules)
        assert found.published is not None
        assert found.published.day == post.day
        assert found.provenance["published"].by == "rule"


def test_an_entry_that_is_only_title_author_and_date_points_at_no_article() -> None:
    feed = feed_of(SEEN, lambda post: f"{post.title} {post.author} {post.day.isoformat()} 10:34")
    assert all(not words.own for words in entry_words(feed, feed.entries).values())
    assert all(words.own for words in entry_words(feed_of(SEEN), feed_of(SEEN).entries).values())


def with_early_comment(post: MadePost) -> str:
    """A first comment the day after each post the feed knows, and much later below older ones."""
    later = post.day + timedelta(days=1 if post.number < 10 else 90)
    return page(
        "<title>A made blog</title>",
        f"""<div class='c1'><h2>{post.title}</h2><div class='c2'>{post.html}</div>
        <div class='c3'><b class='c4'>{later.strftime("%d %B %Y")}</b> Well said.</div></div>
        <div class='c5'>Written on {post.day.strftime("%d %B %Y")} among other things of that week</div>""",
    )


def test_the_day_of_a_first_comment_is_not_taken_for_that_of_the_post() -> None:
    rules = learn(SEEN, with_early_comment)
    for post in UNSEEN:
        found = read(post, with_early_comment, rules)
        assert found.published is not None
        assert found.published.day == post.day


def signed(post: MadePost) -> str:
    """Every article ends with the same lines, without a mark of their own."""
    return page(
        f"<title>{post.title}</title>",
        f"""<div class='c1'><h1>{post.title}</h1><div class='c2'>{post.html}
        <p>All rights remain with whoever wrote this down; say where you found it.</p></div></div>""",
    )


def test_what_ends_every_article_is_left_out_though_the_feed_has_only_excerpts() -> None:
    posts = make_posts(16, seed=3, words=(60, 90))
    feed = feed_of(posts[:10], lambda post: " ".join(post.paragraphs[0].split()[:30]) + " [...]")
    rules = learn(posts[:10], signed, feed)
    for post in posts[10:]:
        assert tokenise(read(post, signed, rules).text) == post.words


@pytest.mark.parametrize(
    "edited",
    ["<p>Last edited {}</p>", "<p class='updated'>{}</p>", "<p><i>Zuletzt bearbeitet:</i> <b class='day'>{}</b></p>"],
)
def test_the_day_of_an_edit_is_not_that_of_publication(edited: str) -> None:
    """Until somebody edits a post, both are the same day; the one nearer to the text is that of the edit."""

    def dated(post: MadePost) -> str:
        last = post.day if post.number < 12 else date(2016, 2, 9)
        return page(
            "<title>A made blog</title>",
            f"""<div class='hentry'><h1>{post.title}</h1>
            <ul><li><p>On <em class='on'>{post.day:%d %B %Y}</em></p></li></ul>
            {edited.format(f"{last:%d %B %Y}")}<div class='entry'>{post.html}</div></div>""",
        )

    rules = learn(SEEN, dated)
    for post in UNSEEN:
        check(post, read(post, dated, rules))


def test_the_day_of_another_post_that_all_pages_show_is_none_of_theirs() -> None:
    posts = make_posts(8)
    newest = posts[0]
    row = "<p class='row'><a href='{0.url}'>{0.title}</a> <time datetime='{0.day}'>{0.day}</time></p>"

    def undated(post: MadePost) -> str:
        rows = "".join(row.format(other) for other in posts[:2])
        text = f"<h1>{post.title}</h1><div class='text'>{post.html}</div>"
        return page(f"<title>{post.title}</title>", f"<main>{text}<div class='more'>{rows}</div></main>")

    rules = learn_rules(None, pages_of(posts[2:], undated))
    assert "published" not in rules.templates[0].fields
    assert newest.day.isoformat() in undated(posts[3])
