"""Who wrote a post: by-lines of one or several people, mark-up, and the one author of a whole blog."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from blogforever import Author, Entry, Feed, Page, Post, Rules, extract_post, learn_rules, parse_feed
from blogforever.dom import tokenise

from .madeblog import Layout, MadePost, feed_of, make_posts, page, pages_of

POSTS = make_posts(16, authors=("Ada Quill", "Ben Oak"))
SEEN, UNSEEN = POSTS[:10], POSTS[10:]


def body(post: MadePost, before: str = "", inside: str = "", head: str = "") -> str:
    return page(
        f"<title>{post.title}</title>{head}",
        f"<div class='post'><h1>{post.title}</h1>{before}<div class='text'>{inside}{post.html}</div></div>",
    )


def plain(post: MadePost) -> str:
    return body(post)


def signed(post: MadePost) -> str:
    return body(post, f"<p class='meta'>by <span class='author'>{post.author}</span></p>")


@pytest.mark.parametrize("line", ["{name}, {day}", "{day} · {name}"])
def test_a_name_beside_the_day_that_links_to_the_post_is_its_author(line: str) -> None:
    """In the first line of the text, which nothing names."""

    def dated(post: MadePost) -> str:
        day = f"<a href='{post.url}'>{post.day:%d %b %Y}</a>"
        return page(
            f"<title>{post.title}</title>",
            f"<div class='post'><h1>{post.title}</h1><p>{line.format(name=post.author, day=day)}</p>{post.html}</div>",
        )

    rules = learn_rules(feed_of(SEEN), pages_of(SEEN, dated))
    assert [names(extract_post(one, rules)) for one in pages_of(UNSEEN, dated)] == [[post.author] for post in UNSEEN]


def names(post: Post) -> list[str]:
    return [author.name for author in post.authors]


def by(feed: Feed, authors_of: Callable[[int], tuple[Author, ...]]) -> Feed:
    """The feed with other authors, by the number of the entry."""
    told = [replace(entry, authors=authors_of(n)) for n, entry in enumerate(feed.entries)]
    return replace(feed, entries=tuple(told))


def atom(author: str) -> Feed:
    """A feed that names its author once."""
    entries = "".join(
        f"<entry><id>{post.url}</id><title>{post.title}</title><link href='{post.url}'/>"
        f"<content type='xhtml'><div xmlns='http://www.w3.org/1999/xhtml'>{post.html}</div></content></entry>"
        for post in SEEN
    )
    head = f"<title>The made blog</title><id>a</id><author><name>{author}</name></author>"
    return parse_feed(
        f"<feed xmlns='http://www.w3.org/2005/Atom'>{head}{entries}</feed>".encode(), "https://made.example/atom.xml"
    )


def json_feed(author: str) -> Feed:
    """The same as a JSON Feed."""
    items = [{"id": post.url, "url": post.url, "title": post.title, "content_html": post.html} for post in SEEN]
    told = {"version": "https://jsonfeed.org/version/1.1", "title": "The made blog", "items": items}
    return parse_feed(json.dumps(told | {"authors": [{"name": author}]}).encode(), "https://made.example/feed.json")


def learn(feed: Feed, layout: Layout) -> Rules:
    return learn_rules(feed, pages_of(SEEN, layout))


def read(post: MadePost, layout: Layout, rules: Rules, entry: Entry | None = None) -> Post:
    return extract_post(Page(post.url, layout(post).encode()), rules, entry)


# --- the one author of a blog


@pytest.mark.parametrize("feed", [atom("Ada Quill"), json_feed("Ada Quill")], ids=["atom", "json"])
def test_whom_the_feed_names_once_wrote_all_its_entries_and_the_posts_it_has_forgotten(feed: Feed) -> None:
    rules = learn(feed, plain)
    assert names(read(SEEN[0], plain, rules, feed.entries[0])) == ["Ada Quill"]
    forgotten = read(UNSEEN[0], plain, rules)
    assert names(forgotten) == ["Ada Quill"]
    named = replace(feed.entries[0], authors=(Author("Ada Quill"),), extra={})
    told = read(SEEN[0], plain, replace(rules, author=None), named)
    assert forgotten.provenance["authors"].confidence < told.provenance["authors"].confidence


def test_without_rules_the_author_of_the_feed_is_that_of_its_entry() -> None:
    entry = atom("Ada Quill").entries[0]
    assert names(extract_post(Page(SEEN[0].url, plain(SEEN[0]).encode()), None, entry)) == ["Ada Quill"]


def test_a_feed_that_names_the_blog_itself_gives_way_to_the_names_on_the_pages() -> None:
    feed = atom("The made blog")
    rules = learn(feed, signed)
    assert names(read(SEEN[1], signed, rules, feed.entries[1])) == ["Ben Oak"]
    assert names(read(UNSEEN[0], plain, rules)) == []


def test_one_author_of_all_entries_wrote_posts_that_show_none() -> None:
    feed = by(feed_of(SEEN), lambda _n: (Author("Ada Quill"),))
    assert names(read(UNSEEN[1], plain, learn(feed, plain))) == ["Ada Quill"]


def test_several_authors_who_are_shown_nowhere_are_nobody_elses() -> None:
    assert names(read(UNSEEN[1], plain, learn(feed_of(SEEN), plain))) == []


def test_one_entry_tells_the_author_of_a_blog_without_by_lines() -> None:
    feed = feed_of(SEEN[:1])
    assert names(read(UNSEEN[1], plain, learn(feed, plain))) == ["Ada Quill"]
    assert names(read(UNSEEN[1], signed, learn(feed, signed))) == ["Ben Oak"]


def test_an_empty_feed_names_the_author_of_the_blog() -> None:
    empty = replace(atom("Ada Quill"), entries=())
    assert names(read(UNSEEN[1], plain, learn(empty, plain))) == ["Ada Quill"]
    assert names(read(UNSEEN[1], signed, learn(empty, signed))) == ["Ben Oak"]


# --- by-lines


def test_all_co_authors_of_a_line_are_read() -> None:
    def together(post: MadePost) -> str:
        people = (post.author, "Cy Dale") if post.number % 3 == 0 else (post.author,)
        spans = ", ".join(f"<span class='author vcard'><a class='fn' href='/a'>{name}</a></span>" for name in people)
        return body(post, f"<p class='meta'>by {spans} in <a href='/c'>News Desk</a></p>")

    co_author = Author("Cy Dale")
    feed = by(feed_of(SEEN), lambda n: (Author(SEEN[n].author), *((co_author,) if n % 3 == 0 else ())))
    rules = learn(feed, together)
    for post in UNSEEN:
        assert names(read(post, together, rules)) == [post.author, *(["Cy Dale"] if post.number % 3 == 0 else [])]


def test_names_joined_in_one_element_are_learned_where_every_post_has_two_authors() -> None:
    def joined(post: MadePost) -> str:
        return body(post, f"<p class='meta'>Written by {post.author} and Cy Dale</p>")

    feed = by(feed_of(SEEN), lambda n: (Author(SEEN[n].author), Author("Cy Dale")))
    for post in UNSEEN:
        assert names(read(post, joined, learn(feed, joined))) == [post.author, "Cy Dale"]


def test_a_feed_that_names_more_co_authors_than_the_page_is_believed() -> None:
    rules = learn(feed_of(SEEN), signed)
    entry = Entry(UNSEEN[0].url, authors=(Author("Cy Dale"), Author(UNSEEN[0].author)))
    assert names(read(UNSEEN[0], signed, rules, entry)) == ["Cy Dale", UNSEEN[0].author]


@pytest.mark.parametrize("feed", [None, feed_of(SEEN)], ids=["without a feed", "named by the feed"])
def test_a_link_behind_the_name_in_a_dated_line_is_no_part_of_it(feed: Feed | None) -> None:
    def dated(post: MadePost) -> str:
        facts = f"{post.day:%B} {post.day.day}, {post.day:%Y} · 2 min · {40 + post.number} words · {post.author}"
        return body(
            post, f"<div class='post-meta'>{facts} | <a href='https://forge.example/e'>Suggest Changes</a></div>"
        )

    rules = learn_rules(feed, pages_of(SEEN, dated))
    for post in UNSEEN:
        assert names(read(post, dated, rules)) == [post.author]


def test_by_lines_have_the_last_word_where_the_feed_calls_people_by_their_first_names() -> None:
    def boxed(post: MadePost) -> str:
        return body(post, f"<h3 class='author-name'>Written by {post.author}</h3>")

    feed = by(feed_of(SEEN), lambda n: (Author(SEEN[n].author.split()[0]),))
    for post in UNSEEN:
        assert names(read(post, boxed, learn(feed, boxed))) == [post.author]


def test_names_told_to_machines_have_the_last_word_where_the_feed_has_names_of_accounts() -> None:
    def told(post: MadePost) -> str:
        data = json.dumps({"@type": "BlogPosting", "author": {"@type": "Person", "name": post.author}})
        line = f"<p>Said <em><b class='b1'><i class='i1'>{post.author}</i></b></em></p>"
        return body(post, line, head=f"<script type='application/ld+json'>{data}</script>")

    feed = by(feed_of(SEEN), lambda n: (Author(SEEN[n].author.split()[0].lower()),))
    rules = learn(feed, told)
    for n, post in enumerate(SEEN):
        assert names(read(post, told, rules, feed.entries[n])) == [post.author]


def test_a_name_in_the_text_is_no_by_line_however_the_only_entry_is_marked_up() -> None:
    """With one entry to learn from, any element that holds its author's name would do."""

    def speaking(post: MadePost) -> str:
        speaker = post.author if post.number == 0 else f"The {post.title.split()[1]}"
        return body(post, inside=f"<p>We met.</p><h3 id='s1'>{speaker}</h3>")

    rules = learn(feed_of(SEEN[:1]), speaking)
    assert not any("authors" in template.fields for template in rules.templates)
    assert names(read(UNSEEN[1], speaking, rules)) == ["Ada Quill"]


# --- mark-up


LINKED = {"@graph": [{"@type": "BlogPosting", "author": {"@id": "#who"}}, {"@id": "#who", "name": "NAME"}]}


@pytest.mark.parametrize(
    "head",
    [
        "<meta http-equiv='author' content='NAME'>",
        "<meta name='DC.creator' content='NAME'>",
        "<meta name='Author' content='NAME'>",
        "<meta name='twitter:label1' content='Written by'><meta name='twitter:data1' content='NAME'>",
        """<script type="application/ld+json">{"@type": "BreadcrumbList"}</script>
        <script type="application/ld+json">{"@type": "Article", "author": {"name": "NAME"}}</script>""",
        f'<script type="application/ld+json">{json.dumps(LINKED)}</script>',
    ],
    ids=["http-equiv", "dublin core", "capital letter", "twitter label", "second script", "linked data"],
)
def test_names_in_the_head_are_learned(head: str) -> None:
    def marked(post: MadePost) -> str:
        return body(post, head=head.replace("NAME", post.author))

    for post in UNSEEN:
        assert names(read(post, marked, learn(feed_of(SEEN), marked))) == [post.author]


def test_mark_up_names_the_author_where_no_rule_was_learned() -> None:
    def marked(post: MadePost) -> str:
        told = {"@type": "BlogPosting", "author": {"name": post.author}}
        return body(post, head=f'<script type="application/ld+json">{json.dumps(told)}</script>')

    rules = learn(feed_of(SEEN), plain)
    assert names(read(UNSEEN[1], marked, rules)) == ["Ben Oak"]


@pytest.mark.parametrize("author", ["Anonymous", "Unknown"])
def test_a_placeholder_writes_no_blog(author: str) -> None:
    assert learn_rules(atom(author), pages_of(SEEN, plain)).author is None


def in_margin(post: MadePost) -> str:
    """The name in the navigation, in a box with a rank."""
    box = f"<div class='post-authors'><span><strong>{post.author}</strong><br>Writer</span></div>"
    return body(post).replace("<body>", f"<body><nav>{box}<a href='/'>Back to the index</a></nav>")


SHORT = replace(feed_of(SEEN), entries=feed_of(SEEN).entries[:2])


@pytest.mark.parametrize("feed", [None, SHORT], ids=["no feed", "short"])
def test_a_name_in_the_margin_that_changes_from_page_to_page_is_the_authors(feed: Feed | None) -> None:
    rules = learn_rules(feed, pages_of(SEEN, in_margin))
    for post in UNSEEN:
        assert names(extract_post(Page(post.url, in_margin(post).encode()), rules)) == [post.author]


def test_a_name_in_every_margin_is_who_runs_the_blog() -> None:
    alike = [replace(post, author="Ada Quill") for post in SEEN]
    rules = learn_rules(None, pages_of(alike, in_margin))
    assert names(extract_post(Page(alike[0].url, in_margin(alike[0]).encode()), rules)) == []


def _titled(number: int, others: str) -> Page:
    texts = "".join(
        f"<p>On day {number} the ferry number {number * n + 7} carried sacks of flour across.</p>" for n in range(6)
    )
    body = f'<div class="a"><h1>Post {number}</h1><div class="b">{texts}</div><div class="c">{others}</div></div>'
    return Page(
        f"https://quay.example/{number}/", f"<html><title>Post {number}</title><body>{body}</body></html>".encode()
    )


def test_posts_that_are_called_like_people_are_no_authors() -> None:
    pages = [_titled(n, f'<a href="/{6 - n}/">{"Salted Bread" if n % 2 else "Ferry Lane"}</a>') for n in range(1, 6)]
    (template,) = learn_rules(None, pages).templates
    assert "authors" not in template.fields


def test_different_names_on_every_page_are_nobody_who_writes() -> None:
    names = ("Ferry Lane", "Salted Bread", "Old Harbour", "Blue Window", "Quiet Stove")
    pages = [_titled(n, f"<span>{name}</span>") for n, name in enumerate(names, 1)]
    (template,) = learn_rules(None, pages).templates
    assert "authors" not in template.fields


def owned(post: MadePost) -> str:
    owner = "<meta name='author' content='Ada Quill'>"
    return body(post, f"<div class='card'><svg></svg><br>{post.author}</div>", head=owner)


@pytest.mark.parametrize("feed", [None, atom("Ada Quill")], ids=["no feed", "atom"])
def test_whom_every_head_names_is_but_one_of_those_who_take_turns_above_the_text(feed: Feed | None) -> None:
    rules = learn_rules(feed, pages_of(SEEN, owned))
    for post in UNSEEN:
        assert names(read(post, owned, rules)) == [post.author]


def test_whom_every_head_names_stays_where_nobody_takes_turns_with_them() -> None:
    others = [replace(post, author="Cy Fern" if n % 2 else "Di Moss") for n, post in enumerate(SEEN)]
    rules = learn_rules(None, pages_of(others, owned))
    assert names(read(others[0], owned, rules)) == ["Ada Quill"]


@pytest.mark.parametrize("feed", ["whole", "one entry", "none"])
def test_a_signature_below_any_number_of_paragraphs_is_found_by_its_place_from_the_end(feed: str) -> None:
    posts = make_posts(18, seed=9, authors=("Ada Quill", "Ben Oak"))

    def layout(post: MadePost) -> str:
        by = f"<p><font size=1>posted by {post.author} | <a href='/'>back</a></font>"
        head = f"<b>{post.title}</b><br><i>{post.day:%m/%d/%Y}</i><br>"
        return page(
            f"<title>{post.title}</title>", f"<table><tr><td><font>{head}{post.html}{by}</font></td></tr></table>"
        )

    told = {"whole": feed_of(posts[:10]), "one entry": feed_of(posts[:1]), "none": None}[feed]
    rules = learn_rules(told, pages_of(posts[:12], layout))
    for post in posts[12:]:
        found = extract_post(Page(post.url, layout(post).encode()), rules)
        assert [author.name for author in found.authors] == [post.author]
        assert tokenise(found.text) == post.words


def test_names_in_letters_stand_in_lines_of_many_letters() -> None:
    names = ("สมชาย ใจดี", "มาลี ศรีสุข")
    months = "มกราคม กุมภาพันธ์ มีนาคม เมษายน พฤษภาคม มิถุนายน กรกฎาคม".split()
    posts = [replace(post, author=names[n % 3 == 1]) for n, post in enumerate(POSTS)]

    def thai(post: MadePost) -> str:
        day = f"{post.day.day} {months[post.day.month - 1]} {post.day.year + 543}"
        line = f"โดย {post.author} | {day} | เข้าชม {post.number * 31} ครั้ง"
        return body(post, before=f"<p class='muted'>{line}</p>")

    rules = learn_rules(feed_of(posts[:10]), pages_of(posts[:10], thai))
    read = [extract_post(one, rules) for one in pages_of(posts[10:], thai)]
    assert [[author.name for author in post.authors] for post in read] == [[post.author] for post in posts[10:]]
    assert rules.templates[0].fields["published"]


def test_a_label_with_its_category_is_nobody() -> None:
    posts = make_posts(8)

    def layout(post: MadePost) -> str:
        kind = "Kitchen" if post.number % 2 else "Harbour"
        filed = f"<ul><li><a href='{post.url}'>Permalink</a></li><li>Categories: <a href='/cat/{kind}'>{kind}</a></li>"
        text = f"<h2>{post.title}</h2><div class='text'>{post.html}</div>{filed}</ul>"
        return page(f"<title>{post.title}</title>", f"<div class='post'>{text}</div>")

    rules = learn_rules(None, pages_of(posts, layout))
    assert not extract_post(Page(posts[0].url, layout(posts[0]).encode()), rules).authors


@pytest.mark.parametrize("label", ["文章作者：", "本文作者：", "Author: ", "執筆者："])
def test_who_a_box_about_the_licence_says_wrote_the_post(label: str) -> None:
    posts = make_posts(8)

    def layout(post: MadePost) -> str:
        rows = f"<li>{label}<b></b>林远舟</li><li><b>Link: </b><a href='{post.url}'>{post.url}</a></li>"
        licence = f"<ul class='post-copyright'><li><b>Licence: </b>CC BY 4.0, share as you like</li>{rows}</ul>"
        text = f"<h1>{post.title}</h1><div class='text'>{post.html}</div><p>{'More to read below. ' * 60}</p>{licence}"
        return page(f"<title>{post.title}</title>", f"<main>{text}</main>")

    feed = feed_of(posts)
    named = tuple(replace(entry, authors=(Author("林远舟"),)) for entry in feed.entries[:3])
    rules = learn_rules(replace(feed, entries=named), pages_of(posts, layout))
    assert rules.templates[0].fields["authors"]
