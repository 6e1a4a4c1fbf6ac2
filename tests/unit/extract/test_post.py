"""extract_post: which way each field comes, and what a post is when the page says little."""

from __future__ import annotations

from dataclasses import replace

import pytest

from blogforever.dom import parse, texts_of
from blogforever.extract.post import extract_post
from blogforever.extract.trimming import (
    Trimmed,
    cut_range,
    drop_foreign,
    drop_title,
    first_words,
    foreign_nodes,
    one_noun,
    without_numbers,
)
from blogforever.model import Author, Entry, Moment, Page, Rule, Rules, Template

PAGE = """<html lang="en"><head><title>A walk | Blog</title><meta property="article:modified_time" content="2020-02-03">
<link rel="prev" href="/older"></head><body><article><h1>A walk</h1><p class="by">by Ada Quill, 4 March 2019</p>
<div class="body"><h2>A walk</h2><p>We walked along the river until the rain came down.</p>
<div class="share">Share this</div><p>Posted in walks</p><img src="/r.png" alt="river"></div></article></body></html>"""

RULES = Rules(
    blog="https://b.example/",
    language="en",
    templates=(
        Template(
            article=Rule("div.body", "//div[@class='body']", confidence=0.9),
            exclude=(Rule("div.share", "//div"), Rule("p", "//p", starts="posted in")),
            fields={
                "title": (Rule("h1", "//h1"),),
                "authors": (Rule("p.by", "//p", prefix="by ", suffix=","),),
                "published": (Rule("p.by", "//p", format="d MMMM yyyy", language="en"),),
            },
            pages=8,
        ),
    ),
)


def page(html: str = PAGE, url: str = "https://b.example/2019/03/a-walk/") -> Page:
    return Page(url, html.encode())


def test_rules_give_every_field_and_say_so() -> None:
    post = extract_post(page(), RULES)
    assert (post.title, post.authors, post.text) == (
        "A walk",
        (Author("Ada Quill"),),
        "We walked along the river until the rain came down.",
    )
    assert post.published == Moment("2019-03-04", "day", "4 March 2019")
    assert {post.provenance[name].by for name in ("title", "authors", "published", "html")} == {"rule"}
    assert 0.9 < post.provenance["html"].confidence < 1
    assert post.modified is not None
    assert (post.modified.iso, post.previous_url, post.language) == ("2020-02-03", "https://b.example/older", "en")
    assert post.media[0].url == "https://b.example/r.png"


LABELLED = """<article><h1>A walk</h1><p class="meta"><a href="/c/walks">Walks</a> <a href="/t/rain">rain</a></p>
<div class="body"><p>We walked along the river until the rain came down.</p></div></article>"""


def test_what_is_a_category_is_no_tag_as_well() -> None:
    fields = {"tags": (Rule("p.meta a", "//a"),), "categories": (Rule("a[href*='/c/']", "//a"),)}
    rules = Rules("https://b.example/", (Template(Rule("div.body", "//div"), fields=fields, pages=8),))
    post = extract_post(page(LABELLED), rules)
    assert (post.tags, post.categories) == (("rain",), ("Walks",))
    alone = extract_post(page(LABELLED.replace("rain</a>", "WALKS</a>")), rules)
    assert (alone.tags, alone.categories) == ((), ("Walks",))
    assert "tags" not in alone.provenance


def test_the_feeds_hour_is_kept_where_page_and_feed_name_the_same_day() -> None:
    entry = Entry("https://b.example/x", title="A walk", published=Moment("2019-03-04T21:10:00+02:00", "second"))
    published = extract_post(page(), RULES, entry).published
    assert published == Moment("2019-03-04T21:10:00+02:00", "second", "4 March 2019")


@pytest.mark.parametrize(
    ("shown", "kept"),
    [
        ("2019-03-05T00:10:00+03:00", "2019-03-05T00:10:00+03:00"),
        # The clock of the place under the name of Greenwich, as some themes write it: the feed knows better.
        ("2019-03-04T23:10:00+00:00", "2019-03-04T21:10:00+00:00"),
    ],
)
def test_the_pages_own_zone_stays_where_the_feed_tells_the_same_instant_in_greenwichs(shown: str, kept: str) -> None:
    entry = Entry("https://b.example/x", title="A walk", published=Moment("2019-03-04T21:10:00+00:00", "second"))
    template = Template(Rule("div.body", "//div"), fields={"published": (Rule("time", "//time", "datetime"),)}, pages=8)
    html = (
        f'<article><time datetime="{shown}">a day</time><div class="body"><p>We walked on and on.</p></div></article>'
    )
    published = extract_post(page(html), Rules("https://b.example/", (template,)), entry).published
    assert published is not None
    assert (published.iso, published.raw) == (kept, shown)


def test_a_trusted_rule_beats_a_feed_that_names_another_day() -> None:
    entry = Entry("https://b.example/x", title="A walk", published=Moment("2019-06-01", "day"))
    post = extract_post(page(), RULES, entry)
    assert post.published is not None
    assert post.published.iso == "2019-03-04"


def test_a_feed_title_with_the_authors_name_before_it_is_the_pages_title() -> None:
    assert extract_post(page(), RULES, Entry("https://b.example/x", title="Ada: A walk")).title == "A walk"
    assert extract_post(page(), RULES, Entry("https://b.example/x", title="Another thing")).title == "Another thing"


def test_a_name_given_to_the_whole_feed_is_no_posts_author() -> None:
    bare = page("<article><div class='body'><p>Words of nobody in particular, plainly set.</p></div></article>")
    entry = Entry("https://b.example/x", authors=(Author("The Blog"),), extra={"authors_from": "feed"})
    assert extract_post(bare, RULES, entry).authors == ()


def test_where_no_rule_fits_the_page_speaks_for_itself() -> None:
    html = """<html><head><title>Rain - My blog</title><meta property="og:site_name" content="My blog"></head><body>
    <div class="post"><h1>Rain</h1><div class="entry-content"><p>It rained all day and all night, and the river rose
    over the meadow until the road was gone.</p></div></div></body></html>"""
    post = extract_post(page(html), RULES)
    assert post.title == "Rain"
    assert post.text.startswith("It rained all day")
    assert post.provenance["html"].by == "generic"


def test_a_page_that_lost_its_article_takes_it_from_the_feed() -> None:
    entry = Entry("https://b.example/x", title="A walk", html="<p>We walked.</p><script>alert(1)</script>")
    post = extract_post(page("<html><body><div class='body'></div></body></html>"), RULES, entry)
    assert post.text == "We walked."
    assert "script" not in post.html


def test_a_page_that_shows_something_else_takes_its_article_from_the_feed() -> None:
    entry = Entry("https://b.example/x", title="A walk", html="<p>We walked along the river.</p>")
    shell = page(
        "<html><body><div id='app'><p>This page needs a script to be seen, please allow it.</p></div></body></html>"
    )
    post = extract_post(shell, None, entry)
    assert (post.text, post.provenance["html"].by) == ("We walked along the river.", "feed")


def test_kinds() -> None:
    photo = page("<div class='body'><img src='/a.jpg'></div>")
    assert extract_post(photo, RULES).kind == "photo"
    assert extract_post(page(), RULES).kind == "post"
    link = Entry("https://b.example/x", title="A walk", extra={"link": "https://other.example/"})
    assert extract_post(page(), RULES, link).kind == "link"


def test_a_range_is_cut_at_the_articles_own_children_only() -> None:
    tree = parse("<div id=a><h2>T</h2><p>x</p><div><hr></div><p>y</p><hr><p>z</p>tail</div>")
    article = tree.css_first("#a")
    assert article is not None
    trimmed = Trimmed(article)
    cut_range(trimmed, Rule("#a", "//*", after="h2", before="hr"))
    assert "".join(texts_of(article, trimmed.left_out)) == "xy"


def test_foreign_blocks_are_found_in_one_go_and_never_the_article_itself() -> None:
    tree = parse("<div class='x'><p>Posted in News</p><p>Posted letters</p><div class='x'>y</div></div>")
    article = tree.css_first("div.x")
    assert article is not None
    found = foreign_nodes(article, (Rule("div.x", "//div"), Rule("p", "//p", starts="posted in")))
    assert [node.text() for node in found] == ["y", "Posted in News"]
    assert first_words(article, 3) == ["posted", "in", "news"]
    assert first_words(article, 4) == ["posted", "in", "news", "posted"]


def test_a_block_with_several_foreign_names_is_found_once() -> None:
    article = parse("<article><p>x</p><div class='a b'>one</div><div class='c d'>two</div><div class=c>.</div>").body
    assert article is not None
    found = foreign_nodes(article, (Rule("div.a", "//div"), Rule("div.a.b", "//div"), Rule("div.c.d", "//div")))
    assert [node.text() for node in found] == ["one", "two"]


def test_first_words_are_whole_however_long() -> None:
    article = parse(f"<p> \n<b>“{'long' * 10}”</b> {'longer' * 9} ones</p>").css_first("p")
    assert article is not None
    assert first_words(article, 2) == ["long" * 10, "longer" * 9]


def test_a_line_that_counts_is_known_with_any_number_and_an_article_may_begin_with_one() -> None:
    tree = parse("<div class='x'><p>(12 comments)</p><p>Twelve boats</p><div>3</div></div>")
    article = tree.css_first("div.x")
    assert article is not None
    found = foreign_nodes(article, (Rule("p", "//p", starts="# comments"), Rule("div", "//div", starts="12")))
    assert [node.text() for node in found] == ["(12 comments)"]
    assert [one_noun("comments", word) for word in ("comment", "comments", "commons", "words")] == [
        True,
        True,
        False,
        False,
    ]
    assert one_noun("комментария", "комментариев")
    one = parse("<div><p>1 comment</p><p>1 commander</p></div>").body
    assert one is not None
    assert [node.text() for node in foreign_nodes(one, (Rule("p", "//p", starts="# comments"),))] == ["1 comment"]
    assert without_numbers(["12", "comments"]) == ["#", "comments"]
    assert without_numbers(["12", "2013"]) == ["12", "2013"]


def test_the_title_inside_the_article_is_dropped_once() -> None:
    tree = parse("<div><h2>A walk</h2><p>x</p><h3>A Walk!</h3></div>")
    article = tree.css_first("div")
    assert article is not None
    trimmed = Trimmed(article)
    drop_title(trimmed, "A walk")
    assert "".join(texts_of(article, trimmed.left_out)) == "xA Walk!"


def test_a_title_that_opens_the_article_in_bold_is_dropped_and_one_amid_it_stays() -> None:
    tree = parse("<div><p><b>A walk</b></p><p>x <b>A walk</b></p></div>")
    article = tree.css_first("div")
    assert article is not None
    trimmed = Trimmed(article)
    drop_title(trimmed, "A walk")
    assert "".join(texts_of(article, trimmed.left_out)) == "x A walk"
    drop_title(trimmed, "A walk")
    assert "".join(texts_of(article, trimmed.left_out)) == "x A walk"


@pytest.mark.parametrize(
    ("opening", "kept"),
    [
        ("<a href='#1'>*</a> <span>A walk</span>: [<a href='/c/hills'>hills</a>]<br>", "x"),
        ("<b>A walk</b> <a href='https://else.example/'>hills</a><br>", "A walk hillsx"),
        ("<b>A walk</b> is what <a href='/c/hills'>hills</a> need.<br>", "A walk is what hills need.x"),
    ],
    ids=["lists of the blog", "another site", "a sentence"],
)
def test_the_line_of_a_title_goes_with_it_where_all_else_are_links_within_the_blog(opening: str, kept: str) -> None:
    article = parse(f"<div><p>{opening}x</p></div>").css_first("div")
    assert article is not None
    trimmed = Trimmed(article)
    drop_title(trimmed, "A walk", "https://blog.example/2020/a-walk")
    assert "".join(texts_of(article, trimmed.left_out)) == kept


def test_a_heading_without_what_rules_leave_out_of_it_is_the_title() -> None:
    article = parse("<div><h2>A walk <i>edit</i></h2><p>x</p></div>").css_first("div")
    assert article is not None
    trimmed = Trimmed(article)
    drop_foreign(trimmed, (Rule("i", "//i"),))
    drop_title(trimmed, "A walk")
    assert "".join(texts_of(article, trimmed.left_out)) == "x"


LOCK = """<form action="/enter"><p>This is protected. Say the word.</p><input type="password" name="word"></form>"""


def test_a_form_for_a_password_is_no_text_of_the_post() -> None:
    entry = Entry("https://b.example/2019/03/a-walk/", title="A walk", html="<p>There is no excerpt.</p>")
    locked = page(PAGE.replace("<p>We walked along the river until the rain came down.</p>", LOCK))
    post = extract_post(locked, RULES, entry)
    assert (post.title, post.text, post.html, post.summary, post.media) == ("A walk", "", "", None, ())
    assert post.visibility == "password"
    assert "html" not in post.provenance
    asked = LOCK.replace('name="word"', 'name="post_password"')
    assert extract_post(page(f"<h1>A walk</h1>{asked}")).visibility == "password"


def test_a_form_below_an_article_hides_nothing() -> None:
    long = PAGE.replace("until the rain came down.</p>", f"until the rain came down. {'More rain. ' * 60}</p>{LOCK}")
    post = extract_post(page(long), RULES)
    assert post.visibility is None
    assert "More rain." in post.text


def test_numbers_of_further_pages_are_no_text() -> None:
    url = "https://b.example/2019/03/a-walk/"
    numbers = f'<div>Pages: 1 <a href="{url}2/">2</a> <a href="{url}3/">3</a></div>'
    post = extract_post(page(PAGE.replace('<div class="share">', f'{numbers}<div class="share">')), RULES)
    assert post.text == "We walked along the river until the rain came down."


@pytest.mark.parametrize(
    ("paragraph", "text"),
    [
        ("It began with <a href='/archives/13/'>the copper kettle</a>.", "It began with the copper kettle."),
        ("<a href='/archives/13/'>The copper kettle</a>", "The copper kettle"),
    ],
)
def test_posts_that_are_only_numbered_are_no_pages_of_one_text(paragraph: str, text: str) -> None:
    rules = Rules("b", (Template(Rule("div.x", "//div"), pages=9),))
    html = f"<body><div class=x><p>We walked along the river.</p><p>{paragraph}</p></div></body>"
    post = extract_post(Page("https://b.example/archives/16/", html.encode()), rules)
    assert post.text == f"We walked along the river.\n\n{text}"


def test_numbers_on_a_further_page_are_no_text() -> None:
    rules = Rules("b", (Template(Rule("div.x", "//div"), pages=9),))
    numbers = "<div>Pages: <a href='/a-walk/'>1</a> 2 <a href='/a-walk/3/'>3</a></div>"
    html = f"<body><div class=x><p>We walked along the river.</p>{numbers}</div></body>"
    post = extract_post(Page("https://b.example/a-walk/2/", html.encode()), rules)
    assert post.text == "We walked along the river."


def test_what_a_loose_line_leaves_of_itself_is_no_sentence() -> None:
    exclude = (Rule("a.tag", "//a"),)
    article = Rule("article", "//article", after="a.kind")
    rules = Rules("b", (Template(article, exclude=exclude, pages=9),))
    line = (
        "Ada Quill 4 March 2019 <a class=kind href=/k/>Boats</a> <a class=tag href=/t/>Oars</a>, <a class=tag>Rain</a>"
    )
    html = f"<body><article><h1>A walk</h1>{line} <p>We walked along the river.</p></article></body>"
    assert extract_post(Page("https://b.example/a-walk/", html.encode()), rules).text == "We walked along the river."


def test_where_a_theme_shows_one_tag_the_lists_with_all_of_them_count() -> None:
    rules = Rules("b", (Template(Rule("div.x", "//div"), fields={"tags": (Rule("a.tag", "//a"),)}, pages=9),))
    head = '<meta property="article:tag" content="Boats"><meta property="article:tag" content="Maps">'
    body = "<div class=x><p>It rained all day.</p></div><a class=tag href=/tag/boats/>Boats</a>"
    page = Page("https://b.example/rain/", f"<head>{head}</head><body>{body}</body>".encode())
    assert extract_post(page, rules).tags == ("Boats", "Maps")
    entry = Entry("https://b.example/rain/", tags=("Boats", "Rain", "Maps"))
    assert extract_post(page, rules, entry).tags == ("Boats", "Rain", "Maps")
    other = Entry("https://b.example/rain/", tags=("Rain",))
    assert extract_post(Page(page.url, body.encode()), rules, other).tags == ("Boats",)


@pytest.mark.parametrize(
    ("heading", "title"),
    [
        (
            "The copper kettle<a class='headerlink' href='#kettle' title='Link here'>¶</a>",
            "The copper kettle",
        ),
        ("The copper kettle <a href='#kettle'>#</a>", "The copper kettle"),
        ("<a href='#kettle'>#</a> The copper kettle", "The copper kettle"),
        ("The copper kettle<a class='headerlink' href='#kettle'>#</a>", "The copper kettle"),
        ("A first look at C#", "A first look at C#"),
    ],
)
def test_the_sign_by_which_a_heading_links_to_itself_is_no_part_of_the_title(heading: str, title: str) -> None:
    text = "<p>It stood on the stove all winter, and nobody filled it before the snow had gone from the roofs.</p>" * 4
    html = f"<html><body><main><article><h1>{heading}</h1>{text}</article></main></body></html>"
    assert extract_post(Page("https://quay.example/kettle", html.encode())).title == title


NOTE = """<html><head><title>{title}</title></head><body><article class="h-entry"><a href="/1"><time
class="dt-published" datetime="2021-05-05T09:12:00Z">May 5, 2021</time></a>{heading}<div
class="e-content"><p>We walked along the river until
the rain came down, and then we walked home again.</p></div></article></body></html>"""
DAY_BY_HAND = Template(
    Rule("div.e-content", "//div"), fields={"title": (Rule("time", "//time", locked=True),)}, pages=8
)


@pytest.mark.parametrize(
    ("title", "heading", "rules", "told", "expected"),
    [
        ("2021-05-05", "", None, None, None),
        ("May 5, 2021", "", None, None, None),
        ("May 5, 2021", "<h1>May 5, 2021</h1>", None, None, "May 5, 2021"),
        ("May 5, 2021", "<p><b>May 5, 2021</b></p>", None, None, "May 5, 2021"),
        ("May 5, 2021", "", None, "May 5, 2021", "May 5, 2021"),
        ("May 5, 2021", "", Rules("b", (DAY_BY_HAND,)), None, "May 5, 2021"),
        ("May 2021", "", None, None, "May 2021"),
        ("2020-01-01", "", None, None, "2020-01-01"),
        ("May 5, 2021 and after", "", None, None, "May 5, 2021 and after"),
    ],
)
def test_the_day_of_a_note_is_a_title_where_somebody_says_so(
    title: str, heading: str, rules: Rules | None, told: str | None, expected: str | None
) -> None:
    note = page(NOTE.format(title=title, heading=heading))
    post = extract_post(note, rules, Entry(note.url, title=told) if told else None)
    assert post.title == expected


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        (
            "<p><a href='/2019/03/a-walk/'>Permalink</a> | <a href='#c'>3 comments</a> | <a href='/mail'>Share</a></p>",
            "",
        ),
        ("<br><span><a href='/walks/'>Walks</a></span> <span><a href='?'>permanent link</a></span>", ""),
        ("<p>The <a href='/2019/03/a-walk/'>link</a> leads here.</p>", "\n\nThe link leads here."),
        ("<p><a href='/2019/04/a-run/'>link</a> <a href='/map'>A map</a></p>", "\n\nlink A map"),
        ("<p><a href='/2019/03/a-walk/'>A walk</a> <a href='/map'>A map</a></p>", "\n\nA walk A map"),
    ],
)
def test_a_line_of_links_with_the_posts_own_is_none_of_its_text(line: str, kept: str) -> None:
    words = "<p>We walked along the river until the rain came down.</p>"
    post = extract_post(page(f"<article><h1>Out</h1><div class='body'>{words}{line}</div></article>"), RULES)
    assert post.text == "We walked along the river until the rain came down." + kept


TELLING_LIST = "<dl><dt>Author</dt><dd>Ada Quill</dd><dt>Date</dt><dd>4 March 2019, 09:12</dd></dl>"
OWN_TABLE = "<table><tr><th>Author</th><td>Ada Quill</td></tr><tr><th>Topic</th><td>Rivers</td></tr></table>"


@pytest.mark.parametrize(
    ("block", "kept"),
    [
        (TELLING_LIST, ""),
        ("<table><tr><td>Date:</td><td>4 March 2019</td></tr><tr><td>Author:</td><td>Ada Quill</td></tr></table>", ""),
        ("<ul><li>By: Ada Quill</li><li>Reading time: 3 minutes</li></ul>", ""),
        (TELLING_LIST.replace("Ada Quill", "Homer"), "Author\nHomer"),
        (TELLING_LIST.replace("4 March", "5 May"), "5 May 2019"),
        (TELLING_LIST.replace("Author", "Captain"), "Captain"),
        (OWN_TABLE, "Rivers"),
        ("<ul><li>By: Ada Quill</li></ul>", "By: Ada Quill"),
    ],
)
def test_a_list_that_labels_what_fields_say_is_none_of_the_text(block: str, kept: str) -> None:
    words = "<p>We walked along the river until the rain came down.</p>"
    head = "<h1>Out</h1><p class='by'>by Ada Quill, 4 March 2019</p>"
    post = extract_post(page(f"<article>{head}<div class='body'>{block}{words}</div></article>"), RULES)
    assert kept in post.text
    assert bool(kept) is (len(post.text) > len("We walked along the river until the rain came down."))


@pytest.mark.parametrize(
    "line",
    [
        "<span>Ada Quill</span> <button>Follow</button> <div>2 min read · 4 March 2019</div>",
        "<div>4 March 2019</div><div><a href='/ada'>More of what she wrote</a></div>",
    ],
)
def test_the_line_with_the_day_goes_whatever_is_pressed_or_stands_beside_it(line: str) -> None:
    shown = PAGE.replace("<h2>A walk</h2>", f"<h2>A walk</h2><div class='line'>{line}</div>")
    by_line = (Rule("div.line", "//div", format="d MMMM yyyy", language="en"),)
    template = replace(RULES.templates[0], fields={**RULES.templates[0].fields, "published": by_line})
    post = extract_post(page(shown), replace(RULES, templates=(template,)))
    assert "March" not in post.text
    assert "We walked along the river until the rain came down." in post.text


def test_a_line_with_the_name_and_what_the_post_is_filed_under_is_no_text() -> None:
    line = "<div>by <a class='who' href='/a'>Ada Quill</a> in <a class='of' href='/w'>walks</a></div>"
    shown = PAGE.replace("<h2>A walk</h2>", line)
    fields = {**RULES.templates[0].fields, "authors": (Rule("a.who", "//a"),), "tags": (Rule("a.of", "//a"),)}
    template = replace(RULES.templates[0], fields=fields)
    post = extract_post(page(shown), replace(RULES, templates=(template,)))
    assert post.text == "We walked along the river until the rain came down."


@pytest.mark.parametrize("quote", ['"', "'", ""])
def test_notes_below_the_article_are_of_its_text_however_their_links_are_quoted(quote: str) -> None:
    sign, back = f"<a id={quote}r1{quote} href={quote}#n1{quote}>1</a>", f"<a href={quote}#r1{quote}>back</a>"
    html = PAGE.replace("river until", f"river{sign} until")
    html = html.replace("</article>", f"</article><ol><li id={quote}n1{quote}>It is called the Linn. {back}</li></ol>")
    assert "It is called the Linn." in extract_post(page(html), RULES).text


def test_mark_up_that_an_attribute_speaks_of_breaks_no_line() -> None:
    share = "<span class='share'>Share <b title='a <br> b'>this</b></span>"
    html = PAGE.replace("until the rain", f"until {share} the rain")
    rules = replace(RULES, templates=(replace(RULES.templates[0], exclude=(Rule(".share", "//*"),)),))
    assert "until Share this the rain" in extract_post(page(html), rules).text


def test_a_title_with_the_first_word_of_the_text_is_no_title_only_where_the_text_goes_on_with_it() -> None:
    head = "<title>We walked along…</title>"
    html = PAGE.replace("<title>A walk | Blog</title>", head).replace("A walk", "")
    assert extract_post(page(html)).title is None
    assert extract_post(page(html.replace("We walked along…", "We rode along…"))).title is not None
