from __future__ import annotations

from typing import Any

import pytest
import trafilatura
from hypothesis import given
from hypothesis import strategies as st

from blogforever import dom
from blogforever.extract.fallback import choose, fallback_fields
from blogforever.extract.generic import trafilatura_fields
from blogforever.extract.metadata import Candidate
from blogforever.model import Author, Moment
from blogforever.page.view import PageView
from hostile.growth import assert_linear
from hostile.shapes import LOOKED_AT

URL = "https://orchard.example/2014/05/grafting-pears/"
PARAGRAPHS = "".join(
    f"<p>Paragraph {n} tells how a scion is cut in winter, kept moist, and joined in spring, when the sap rises.</p>"
    for n in range(6)
)
SIDEBAR = "<div><h3>Lately</h3><ul>" + "".join(
    f'<li><a href="/p{n}">An older story number {n}</a></li>' for n in range(60)
)
ABOUT = (
    "<p>" + "I keep an old orchard on a hill and write about trees, tools and weather whenever it rains. " * 12 + "</p>"
)


def page(body: str, title: str = "Grafting pears | The Orchard", head: str = "") -> str:
    return f"<html lang='en'><head><title>{title}</title>{head}</head><body>{body}</body></html>"


def chosen(html: str, url: str = URL) -> dict[str, Any]:
    found = fallback_fields(PageView(html), url)
    picked = {name: choose(candidates) for name, candidates in found.items()}
    return {name: candidate.value for name, candidate in picked.items() if candidate is not None}


def text(html: str) -> str:
    body = dom.parse(html).body
    return " ".join(body.text(separator=" ").split()) if body is not None else ""


THEMED = page(
    f"""<header class="site-header"><h1 class="site-title"><a href="/">The Orchard</a></h1></header>
    <main><article class="post hentry"><header class="entry-header"><h1 class="entry-title">Grafting pears</h1>
    <div class="entry-meta">Posted on
    <time class="entry-date published" datetime="2014-05-03T10:00:00+02:00">May 3</time> by
    <a rel="author" href="/author/mira/">Mira Holt</a></div></header>
    <div class="entry-content">{PARAGRAPHS}<div class="sharedaddy">Share this: Tweet</div></div>
    <footer class="entry-footer">Tagged <a rel="tag" href="/tag/pears">pears</a></footer></article>
    <div id="comments"><ol><li><cite class="fn">Otto</cite> <p>I tried it {PARAGRAPHS}</p></li></ol></div></main>
    <aside class="sidebar">{ABOUT}{SIDEBAR}</aside>"""
)


def test_a_themed_post() -> None:
    found = chosen(THEMED)
    assert found["title"] == "Grafting pears"
    assert found["authors"] == (Author("Mira Holt", "https://orchard.example/author/mira/"),)
    assert found["published"].iso == "2014-05-03T10:00:00+02:00"
    assert found["tags"] == ("pears",)
    assert text(found["html"]) == text(PARAGRAPHS)


def test_names_that_mean_nothing() -> None:
    html = page(
        f"""<div class="px-4"><a href="/">The Orchard</a></div>
        <div class="flex"><div class="w-2/3"><h1>Grafting pears</h1><span>May 3, 2014</span>
        <div class="mt-4">{PARAGRAPHS}</div></div><div class="w-1/3">{SIDEBAR}</div></div>"""
    )
    found = chosen(html)
    assert found["title"] == "Grafting pears"
    assert found["published"].iso == "2014-05-03"
    assert text(found["html"]) == text(PARAGRAPHS)
    assert "authors" not in found


@pytest.mark.parametrize("words", ["Snow today.", "The first pear flowers opened this morning, a week early."])
def test_short_posts_beside_long_side_bars(words: str) -> None:
    html = page(
        f"""<div id="wrap"><div id="left"><h2>Grafting pears</h2><div class="entry"><p>{words}</p></div></div>
        <div id="sidebar">{ABOUT}{SIDEBAR}</div></div>"""
    )
    assert text(chosen(html)["html"]) == words


def test_an_article_without_a_container() -> None:
    html = page(
        f"""<div id="content"><p><a href="/a">« Pruning</a> | <a href="/">Main</a> | <a href="/b">Digging »</a></p>
        <h3>Grafting pears</h3>{PARAGRAPHS}<p class="posted">Posted by Mira Holt at May 3, 2014 10:00 AM</p>
        <h2>Comments</h2><p>I tried it and it took.</p>
        <p class="posted">Posted by: Otto at May 5, 2014 09:00 AM</p></div>"""
    )
    found = chosen(html)
    assert text(found["html"]) == text(PARAGRAPHS)
    assert found["authors"] == (Author("Mira Holt"),)
    assert found["published"].day.isoformat() == "2014-05-03"


def test_a_title_that_is_only_the_sites_name() -> None:
    html = page(
        f"""<div id="top"><a href="/">The Orchard</a></div>
        <div class="post"><h3>Grafting pears</h3><div class="post-body">{PARAGRAPHS}</div></div>""",
        title="The Orchard",
    )
    assert chosen(html)["title"] == "Grafting pears"


def test_no_title_is_no_title() -> None:
    html = page(f'<h1><a href="/">The Orchard</a></h1><div class="post-body">{PARAGRAPHS}</div>', title="The Orchard")
    assert "title" not in chosen(html)


def test_the_site_before_the_post_in_heading_and_title() -> None:
    html = page(
        f"<h1>The Orchard</h1><h2>Grafting pears</h2><div>{PARAGRAPHS}</div>", title="The Orchard: Grafting pears"
    )
    assert chosen(html)["title"] == "Grafting pears"


def test_a_date_in_the_heading_is_no_part_of_the_title() -> None:
    html = page(f"<h2>Grafting pears <small>03 May 2014</small></h2><div>{PARAGRAPHS}</div>", title="Grafting pears")
    found = chosen(html, "https://orchard.example/grafting-pears")
    assert found["title"] == "Grafting pears"
    assert found["published"].iso == "2014-05-03"


def test_no_author_is_invented() -> None:
    html = page(
        f"""<h1>Grafting pears</h1><div class="entry-content">{PARAGRAPHS}</div>
        <div id="comments"><span class="author fn">Otto</span> says hello</div>
        <div class="sidebar"><a href="/author/otto/" rel="author">Otto</a></div>
        <footer>Theme by Anna Agency</footer>""",
        head='<meta name="author" content="The Orchard"><meta property="og:site_name" content="The Orchard">',
    )
    assert "authors" not in chosen(html)


def test_program_text_is_kept_whole() -> None:
    code = '<pre><code><span class="comment"># graft</span> <span class="meta">@join</span> cut()</code></pre>'
    html = page(f'<h1>Grafting pears</h1><div class="post-content">{PARAGRAPHS}{code}</div>')
    assert "# graft @join cut()" in text(chosen(html)["html"])


def test_a_picture_post_has_its_picture() -> None:
    html = page(
        f'<h1>Grafting pears</h1><div class="entry-content"><img src="p.jpg"></div><div class="sidebar">{ABOUT}</div>'
    )
    assert "img" in chosen(html).get("html", "<img>")
    assert "orchard" not in text(chosen(html).get("html", ""))


def test_the_address_dates_a_post_that_shows_no_date() -> None:
    html = page(f"<h1>Grafting pears</h1><div>{PARAGRAPHS}</div>")
    assert chosen(html, "https://orchard.example/2014/05/03/grafting")["published"].iso == "2014-05-03"


def test_agreement_raises_confidence() -> None:
    one = Candidate(Moment("2014-05-03", "day"), "generic", "text", 0.6)
    same = Candidate(Moment("2014-05-03T10:00:00Z", "second"), "semantic", "meta", 0.55)
    other = Candidate(Moment("2019-01-01", "day"), "generic", "text", 0.62)
    best = choose([other, one, same])
    assert best is not None
    assert best.value == one.value
    assert best.confidence > 0.62


def test_nothing_likely_is_nothing() -> None:
    assert choose([]) is None
    assert choose([Candidate("x", "generic", "guess", 0.1)]) is None


@pytest.mark.parametrize(
    "html", ["", "   ", "plain words", "\x00\x01\x02", "<html></html>", "<frameset><frame>", "<p>" * 3000]
)
def test_hardly_a_page(html: str) -> None:
    assert isinstance(fallback_fields(PageView(html), URL), dict)


@pytest.mark.parametrize(
    ("piece", "most"),
    [
        ('<div class="post-content">', 20_000),
        ('<div class="post-content"><p>a b</p></div>', 4_000),
        ("<h2>Grafting pears</h2>", 8_000),
        ('<a rel="author" href="/">Mira</a> <time datetime="2014-01-01"></time>', 4_000),
        ('<footer class="byline">by Mira ', 8_000),
        ("by ", 200_000),
        ('<div class="h-entry" itemscope><b class="p-name" itemprop="name">x</b></div>', 2_000),
    ],
)
def test_hostile_pages_cost_no_more_than_their_size(piece: str, most: int) -> None:
    assert_linear(
        lambda html: fallback_fields(PageView(html), URL),
        lambda count: page(LOOKED_AT.decode() + piece * count),
        most,
    )


@given(st.data())
def test_mutated_pages_never_raise(data: st.DataObject) -> None:
    start, end = sorted(data.draw(st.tuples(*[st.integers(0, len(THEMED))] * 2)))
    html = THEMED[:start] + data.draw(st.text(max_size=30)) + THEMED[end:]
    found = fallback_fields(PageView(html), URL)
    assert all(0 <= c.confidence <= 1 for one in found.values() for c in one)


def test_sections_that_are_alike_are_one_article() -> None:
    section = '<div class="s1"><h2>Part {}</h2><div class="sb"><div class="pp">{}</div></div></div>'
    sections = "".join(section.format(n, PARAGRAPHS[:500]) for n in range(3))
    html = page(f"<h1>Grafting pears</h1><div class='t'>{sections}</div><div class='u'>{SIDEBAR}</div>")
    assert text(chosen(html)["html"]) == text(sections)


def test_long_talk_far_below_does_not_win() -> None:
    html = page(
        f"""<div class="a"><h1>Grafting pears</h1><div class="b"><p>Flowers opened today, a week early.</p></div>
        </div><div class="c">{SIDEBAR}{SIDEBAR}{SIDEBAR}</div><div class="d">{PARAGRAPHS}</div>"""
    )
    assert text(chosen(html)["html"]) == "Flowers opened today, a week early."


@pytest.mark.parametrize(
    ("byline", "name"),
    [
        ('<p class="byline">July 23, 2013 12:27 PM</p>', None),
        ('<p class="byline">By Mira Holt on July 23, 2013</p>', "Mira Holt"),
        ('<div class="meta"><div class="date">Friday, 2 May 2014</div>By Mira Holt</div>', "Mira Holt"),
        ('<p><span class="author vcard">Publié par <span class="fn">Mira Holt</span></span></p>', "Mira Holt"),
        ('<a class="img" href="/author/mira">Mira\'s Picture</a><h4><a href="/author/mira">Mira</a></h4>', "Mira"),
        ("<p>Comments powered by Disqus</p>", None),
        ("<p>Posted by admin</p>", "admin"),
    ],
)
def test_bylines(byline: str, name: str | None) -> None:
    html = page(f'<h1>Grafting pears</h1>{byline}<div class="entry-content">{PARAGRAPHS}</div>')
    authors = chosen(html).get("authors", ())
    assert [author.name for author in authors] == ([name] if name else [])


def test_people_the_article_speaks_of_did_not_write_it() -> None:
    talk = '<p>Ask <a href="/people/otto">Otto Gard</a> about knives.</p><p>By Anna Lind, a book on pears.</p>'
    html = page(f'<h1>Grafting pears</h1><div class="entry-content">{PARAGRAPHS}{talk}{PARAGRAPHS}</div>')
    assert "authors" not in chosen(html)


def test_a_month_in_the_address_is_not_filled_up_with_the_day_of_today() -> None:
    found = fallback_fields(PageView(page(PARAGRAPHS)), URL).get("published", [])
    assert not [candidate.value.iso for candidate in found if candidate.value.precision != "month"]


@pytest.mark.parametrize(
    ("named", "authors"),
    [
        ("Maren Holt - https://orchard.example/", ["Maren Holt"]),
        ("Maren Holt; Theo Brandwijk", ["Maren Holt", "Theo Brandwijk"]),
    ],
)
def test_a_second_opinion_names_people_one_by_one_and_never_the_host(named: str, authors: list[str]) -> None:
    fields = trafilatura_fields(page(PARAGRAPHS, head=f'<meta name="author" content="{named}">'), URL, ["The Orchard"])
    (candidate,) = fields["authors"]
    assert [author.name for author in candidate.value] == authors


@pytest.mark.parametrize(
    ("link", "authors"),
    [
        ('<a href="https://bsky.app/profile/orchard.example">Bluesky</a>', []),
        ('<a href="https://www.goodreads.com/author/show/17">Goodreads</a>', []),
        ('<a href="https://stackoverflow.com/users/12/">Stack Overflow</a>', []),
        ('<a href="https://www.blogger.com/profile/17">Maren Holt</a>', ["Maren Holt"]),
        ('<a href="https://orchard.example/author/maren">Orchard</a>', ["Orchard"]),
    ],
)
def test_an_account_elsewhere_that_is_called_as_its_site_is_no_author(link: str, authors: list[str]) -> None:
    html = page(f"<h1>Grafting pears</h1><div>{link}</div><article>{PARAGRAPHS}</article>", title="Grafting pears")
    found = chosen(html)
    assert [author.name for author in found.get("authors", ())] == authors


def test_a_loose_line_with_a_name_the_day_and_links_is_no_text() -> None:
    line = "Ada Quill 4 March 2019 at 9:15 <a href=/kind/boats/>Boats</a> <a href=/kind/oars/>Oars</a>"
    found = chosen(page(f"<article><h1>Grafting pears</h1>{line} {PARAGRAPHS}</article>"))
    assert "Ada Quill" not in found["html"]
    assert "Boats" not in found["html"]


@pytest.mark.parametrize(("foot", "is_day"), [("&copy; 2021 The Orchard", False), ("Put up on January 1, 2021", True)])
def test_the_year_of_a_copyright_is_no_day(foot: str, is_day: bool) -> None:
    html = page(f"<h1>Grafting pears</h1>{PARAGRAPHS}<footer>{foot}</footer>")
    assert ("published" in trafilatura_fields(html, "https://orchard.example/grafting-pears", [])) is is_day


@pytest.mark.parametrize(("label", "other"), [("Рубрики", "Тэги"), ("Kategorien", "Schlagwörter"), ("分类", "标签")])
def test_a_loose_line_of_what_a_post_is_filed_under_is_no_text(label: str, other: str) -> None:
    filed = f"{label}: <a href=/c/old-trees/>Old trees</a> {other}: <a href=/t/1/>pears</a> | <a href=/t/2/>wax</a>"
    near = "<a href=/9/>The winter in which all of the wells froze</a>"
    found = chosen(page(f"<h1>Grafting pears</h1>{PARAGRAPHS}{filed} {near}<footer>The Orchard</footer>"))
    assert text(found["html"]).endswith("when the sap rises.")


@pytest.mark.parametrize("done", ["posted", "authored"])
def test_who_a_sentence_below_the_text_says_wrote_it(done: str) -> None:
    foot = f"<footer><p>Grafting pears was {done} by Ada Quill on <time>May 03, 2014</time>.</p></footer>"
    found = chosen(page(f"<article><h1>Grafting pears</h1><div>{PARAGRAPHS}</div>{foot}</article>"))
    assert found["authors"] == (Author("Ada Quill"),)


def test_who_seeks_but_a_text_does_not_pay_for_the_slow_reading_of_days(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(trafilatura, "extract_metadata", lambda *_, **__: asked.append("metadata"))
    monkeypatch.setattr(trafilatura, "extract", lambda *_, **__: asked.append("text"))
    fallback_fields(PageView("<body><p>Pears.</p></body>"), URL, sought=frozenset())
    assert not asked
    fallback_fields(PageView("<body><p>Pears.</p></body>"), URL, sought=frozenset({"html"}))
    assert asked == ["text"]
    fallback_fields(PageView("<body><p>Pears.</p></body>"), URL)
    assert asked == ["text", "text", "metadata"]


def test_a_long_heading_without_spaces_stands_in_a_head_all_the_same() -> None:
    title = "春天嫁接梨树的老办法；冬天怎样剪枝，怎样保存接穗才不会干"
    head = f"<h2>{title}</h2><div class='info'>2014-05-03 12:11 来源：果园小报 作者：林远舟</div>"
    text = "每年冬天，我们剪下去年的枝条，埋在湿沙里，等到春天树液上升的时候，再把它们接到老树上去。" * 4
    told = "这一篇讲的是怎样在秋天收下核桃，晒干以后收在阁楼上，一直吃到来年的春天，谁也不嫌多。"
    others = f"<dl><dd><a href='/7'>旧文章说的是别的树和别的果子</a></dd><dd>{told}</dd></dl>" * 3
    box = f"<div class='t'>{head}</div><div id='c'>{text}</div><div><p>只供参考。</p></div><div>{others}</div>"
    found = chosen(page(f"<div class='content'><div class='box'>{box}</div></div>", f"{title}_果园"))
    assert text[:40] in found["html"]


def test_what_is_named_as_the_article_in_a_list_beside_the_article_element_is_another_posts() -> None:
    text = (
        "<p>First we sharpen the knife, then we wait for a dry day, and in the evening we walk up to the old trees.</p>"
    )
    own = f"<article><header><h1>Grafting pears</h1></header><div class='a1'>{text * 4}</div></article>"
    told = "<p>Walnuts are laid out in the attic until they rattle, and nobody counts them before the winter.</p>" * 3
    cards = f"<li><h2><a href='/p/7'>Walnuts</a></h2><div class='entry-content'>{told}</div></li>" * 3
    found = chosen(page(f"<div class='wrap'>{own}<div class='others'><ul>{cards}</ul></div></div>"))
    assert "sharpen" in found["html"]
    assert "Walnuts" not in found["html"]


@pytest.mark.parametrize("links", ["/p/{n}", "https://elsewhere.example/{n}"])
def test_a_row_of_articles_that_lead_to_other_posts_is_left_out_however_much_they_show(links: str) -> None:
    told = "Walnuts are laid out in the attic until they rattle, and nobody counts them before the winter. " * 3
    cards = "".join(
        f"<article><a href='{links.format(n=n)}'>Walnuts {n}</a><div>{told}</div></article>" for n in range(3)
    )
    row = f"<div><h3>Ähnliche Beiträge</h3><div>{cards}</div></div>"
    found = chosen(page(f"<article class='post-content'><h1>Grafting pears</h1>{PARAGRAPHS * 3}{row}</article>"))
    assert ("Walnuts" in found["html"]) is links.startswith("https")
