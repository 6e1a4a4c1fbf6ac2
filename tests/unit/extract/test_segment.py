from __future__ import annotations

from datetime import UTC, datetime

import pytest

from blogforever.extract.segment import segment_page
from blogforever.model import Page, Post, Rules

SITE = "https://example.org"
LOREM = "The harbour was quiet when we came back, and nobody had touched the boats since the storm of last week. " * 3


def cut(body: str, url: str = f"{SITE}/", lang: str = "en", captured: datetime | None = None) -> list[Post]:
    html = f"<!doctype html><html lang={lang}><head><title>A blog</title></head><body>{body}</body></html>"
    return segment_page(Page(url, html.encode(), captured=captured))


def rows(posts: list[Post]) -> list[tuple[str, str | None, str | None]]:
    return [
        (post.url.removeprefix(SITE), post.title, post.published.iso[:10] if post.published else None) for post in posts
    ]


NAV = (
    '<nav><ul><li><a href="/">Home</a></li><li><a href="/about/">About</a></li>'
    '<li><a href="/links/">Links</a></li></ul></nav>'
)
SIDEBAR = (
    '<div class="sidebar"><h3>Recent posts</h3><ul>'
    + "".join(f'<li><a href="/old-post-{n}/">An older post number {n}</a> 2011-05-0{n}</li>' for n in range(1, 8))
    + '</ul><h3>Blogroll</h3><ul><li><a href="https://elsewhere.example/">Elsewhere</a></li></ul></div>'
)


def classic(n: int, day: str, iso: str) -> str:
    return (
        f'<div class="post-{n} post hentry category-x"><h2 class="entry-title">'
        f'<a href="/2013/03/post-{n}/" rel="bookmark">Title number {n}</a></h2>'
        f'<p class="meta">Posted on <abbr class="published" title="{iso}T10:00:00+01:00">{day}</abbr> '
        f'by <span class="author">Ann Lee</span></p>'
        f'<div class="entry"><p>{LOREM}</p><p>See <a href="/about/">this page</a>, '
        f'and what I wrote on May 1, 2001.</p></div><p><a href="/2013/03/post-{n}/#comments">{n} Comments</a></p></div>'
    )


def test_classic_front_page_with_full_posts_and_a_sidebar() -> None:
    posts = cut(
        NAV
        + '<div id="content">'
        + classic(3, "March 9, 2013", "2013-03-09")
        + classic(2, "March 4, 2013", "2013-03-04")
        + classic(1, "March 1, 2013", "2013-03-01")
        + "</div>"
        + SIDEBAR
    )
    assert rows(posts) == [
        ("/2013/03/post-3/", "Title number 3", "2013-03-09"),
        ("/2013/03/post-2/", "Title number 2", "2013-03-04"),
        ("/2013/03/post-1/", "Title number 1", "2013-03-01"),
    ]
    assert [post.authors[0].name for post in posts] == ["Ann Lee"] * 3
    assert posts[0].text.startswith("The harbour was quiet")
    assert "Posted on" not in posts[0].text


def test_cards_whose_classes_mean_nothing() -> None:
    cards = "".join(
        f'<div class="mb-6 flex p-4"><div class="w-64"><a href="/blog/{slug}/"><img src="/i.jpg" alt=""></a></div>'
        f'<div class="p-8"><div class="text-xl font-bold"><a href="/blog/{slug}/">{title}</a></div>'
        f'<div class="text-gray-500">{day}</div><div class="mt-2">{LOREM[:120]}</div></div></div>'
        for slug, title, day in [
            ("sailing-north", "Sailing north", "12 Apr 2021"),
            ("mending-nets", "Mending nets", "3 Mar 2021"),
            ("first-light", "First light", "28 Feb 2021"),
        ]
    )
    assert rows(cut(f'<div class="flex"><div class="mx-auto">{cards}</div></div>')) == [
        ("/blog/sailing-north/", "Sailing north", "2021-04-12"),
        ("/blog/mending-nets/", "Mending nets", "2021-03-03"),
        ("/blog/first-light/", "First light", "2021-02-28"),
    ]


def test_cards_that_are_one_link_each() -> None:
    cards = "".join(
        f'<a class="card" href="/p/{slug}"><h3>{title}</h3><p>{LOREM[:90]}</p>'
        f'<time datetime="{day}">some day</time></a>'
        for slug, title, day in [
            ("a-b", "Anchors and bells", "2020-01-05"),
            ("c-d", "Charts and dividers", "2019-12-30"),
        ]
    )
    assert rows(cut(f"<main>{cards}</main>")) == [
        ("/p/a-b", "Anchors and bells", "2020-01-05"),
        ("/p/c-d", "Charts and dividers", "2019-12-30"),
    ]


@pytest.mark.parametrize("around", ['id="content" class="sidebar-right"', 'class="sidebar-left"'])
def test_the_class_of_what_holds_all_may_say_on_which_side_the_bar_is(around: str) -> None:
    items = "".join(
        f'<li><i>2024-10-{day}</i> <a class="item-title" href="/posts/tide-{day}.html">The tide of day {day}</a></li>'
        for day in range(19, 11, -1)
    )
    page = f'<div {around}><section id="main"><ul>{items}</ul></section><aside>{SIDEBAR}</aside></div>'
    days = [f"2024-10-{day}" for day in range(19, 11, -1)]
    assert [day for _, _, day in rows(cut(page))] == days


def test_cards_on_either_side_under_an_empty_link_that_is_called_like_their_heading() -> None:
    told = [(f"/p/tide-{n}", f"The tide of day {n}", f"2020-01-0{n}") for n in range(8, 0, -1)]
    cards = "".join(
        f'<div class="wrap {("left", "right")[int(day[-1]) % 2]}"><a class="cover" href="{place}" aria-label="{title}">'
        f'</a><div class="info"><i>{day}</i><h2>{title}</h2><p>{LOREM[:90]}</p></div></div>'
        for place, title, day in told
    )
    assert rows(cut(f"<main>{cards}</main>")) == told


def test_an_empty_link_of_other_words_covers_no_heading() -> None:
    named = [("/p/a", "Anchors"), ("/p/b", "Bells"), ("/p/c", "Charts")]
    cards = "".join(
        f'<div><a href="{place}" title="All about {title}"></a><h3><a href="{place}-read">{title}</a></h3>'
        f"<p>{LOREM[:90]}</p></div>"
        for place, title in named
    )
    assert [place for place, _, _ in rows(cut(f"<main>{cards}</main>"))] == [f"{place}-read" for place, _ in named]


def test_archive_under_year_headings() -> None:
    body = """<h1>Archive</h1><h2>2014</h2><ul>
      <li><span>Dec 24</span> <a href="/winter-tale.html">A winter's tale</a></li>
      <li><span>Mar 02</span> <a href="/spring-tide.html">Spring tide</a></li></ul>
      <h2>2013</h2><ul><li><span>Nov 30</span> <a href="/the-gale.html">The gale</a></li></ul>"""
    assert rows(cut(NAV + body + SIDEBAR, f"{SITE}/archive.html")) == [
        ("/winter-tale.html", "A winter's tale", "2014-12-24"),
        ("/spring-tide.html", "Spring tide", "2014-03-02"),
        ("/the-gale.html", "The gale", "2013-11-30"),
    ]


def test_archive_under_month_headings_with_bare_days() -> None:
    body = """<h3>März 2012</h3><ul><li>21: <a href="/a/watt-im-nebel">Watt im Nebel</a></li>
      <li>04: <a href="/a/ebbe-und-flut">Ebbe und Flut</a></li></ul>
      <h3>Februar 2012</h3><ul><li>29: <a href="/a/schalttag-am-meer">Schalttag am Meer</a></li></ul>"""
    assert rows(cut(f'<div id="main">{body}</div>', f"{SITE}/archiv", "de")) == [
        ("/a/watt-im-nebel", "Watt im Nebel", "2012-03-21"),
        ("/a/ebbe-und-flut", "Ebbe und Flut", "2012-03-04"),
        ("/a/schalttag-am-meer", "Schalttag am Meer", "2012-02-29"),
    ]


def test_compact_list_of_date_and_title() -> None:
    lines = "<br>".join(
        f'{day} » <a href="/{slug}/">{title}</a>'
        for day, slug, title in [
            ("2013-03-04", "salt-and-rope", "Salt and rope"),
            ("2013-02-11", "low-water", "Low water"),
            ("2012-12-31", "year-end-log", "Year end log"),
        ]
    )
    assert rows(cut(f"<h1>All posts</h1><p>{lines}</p>")) == [
        ("/salt-and-rope/", "Salt and rope", "2013-03-04"),
        ("/low-water/", "Low water", "2013-02-11"),
        ("/year-end-log/", "Year end log", "2012-12-31"),
    ]


def test_table_of_posts() -> None:
    lines = "".join(
        f'<tr><td>{day}</td><td><a href="/entry/{n}.html">{title}</a></td><td>{n}</td></tr>'
        for n, day, title in [
            (31, "25/12/2009", "Noël au port"),
            (30, "04/12/2009", "Le phare"),
            (29, "03/11/2009", "Marée basse"),
        ]
    )
    assert rows(cut(f"<table><tr><th>Date</th><th>Titre</th></tr>{lines}</table>", lang="fr")) == [
        ("/entry/31.html", "Noël au port", "2009-12-25"),
        ("/entry/30.html", "Le phare", "2009-12-04"),
        ("/entry/29.html", "Marée basse", "2009-11-03"),
    ]


def test_days_over_twelve_settle_the_order_of_day_and_month() -> None:
    def page(days: list[str]) -> list[str | None]:
        items = "".join(f'<li>{day} <a href="/post-{n}-x/">Post no {n}</a></li>' for n, day in enumerate(days))
        return [row[2] for row in rows(cut(f"<div><ul>{items}</ul></div>", lang="en"))]

    assert page(["03/25/2013", "03/04/2013", "01/02/2013"]) == ["2013-03-25", "2013-03-04", "2013-01-02"]
    assert page(["25/03/2013", "04/03/2013", "02/01/2013"]) == ["2013-03-25", "2013-03-04", "2013-01-02"]


@pytest.mark.parametrize(
    ("heading", "days", "wanted"),
    [
        ("2013", ["07-20", "07-08", "03-04"], ["2013-07-20", "2013-07-08", "2013-03-04"]),
        ("2013", ["20/07", "08/07", "04/03"], ["2013-07-20", "2013-07-08", "2013-03-04"]),
        ("2013", ["11/03", "08/07", "02/05"], ["2013-11-03", "2013-08-07", "2013-02-05"]),
        ("2013", ["03/11", "07/08", "05/02"], ["2013-11-03", "2013-08-07", "2013-02-05"]),
        ("2013", ["07-08", "07-06"], ["2013-07-08", "2013-07-06"]),
        ("2013", ["08.07.", "06.07."], ["2013-07-08", "2013-07-06"]),
        ("July 2013", ["08/07", "06/07"], ["2013-07-08", "2013-07-06"]),
    ],
    ids=["over twelve", "over twelve, day first", "falling", "falling, day first", "hyphen", "dots", "month above"],
)
def test_days_and_months_under_a_year_are_read_alike(heading: str, days: list[str], wanted: list[str]) -> None:
    items = "".join(f'<li><i>{day}</i> <a href="/post-{n}-x/">Post no {n}</a></li>' for n, day in enumerate(days))
    assert [row[2] for row in rows(cut(f"<div><h2>{heading}</h2><ul>{items}</ul></div>", lang="en"))] == wanted


def test_loose_siblings_are_cut_at_their_headings() -> None:
    body = "".join(
        f'<h3><a href="/archives/000{n}.html">{title}</a></h3><p>{LOREM}</p><p>More of it.</p>'
        f'<p class="posted">Posted by Tom on {day}</p>'
        for n, title, day in [
            (12, "Fog bank", "June 3, 2004"),
            (11, "Dead reckoning", "May 28, 2004"),
            (10, "Slack water", "May 2, 2004"),
        ]
    )
    posts = cut(f'<h1><a href="/">The log</a></h1><div class="blog">{body}</div>')
    assert rows(posts) == [
        ("/archives/00012.html", "Fog bank", "2004-06-03"),
        ("/archives/00011.html", "Dead reckoning", "2004-05-28"),
        ("/archives/00010.html", "Slack water", "2004-05-02"),
    ]
    assert "More of it." in posts[1].text


def test_loose_siblings_with_the_date_above_the_heading() -> None:
    body = "".join(
        f'<p>{day}</p><h3><a href="/a/{slug}.html">{slug} story</a></h3><p>{LOREM}</p>'
        for day, slug in [("7 July 2005", "one-more"), ("1 July 2005", "two-more"), ("20 June 2005", "three-more")]
    )
    assert [row[2] for row in rows(cut(f"<div>{body}</div>"))] == ["2005-07-07", "2005-07-01", "2005-06-20"]


def test_a_date_header_holds_for_all_posts_of_the_day() -> None:
    def entry(slug: str) -> str:
        link = f'<a href="/2010/05/{slug}.html">{slug} title</a>'
        return f'<div class="post"><h3 class="post-title">{link}</h3><p>{LOREM}</p></div>'

    body = (
        '<h2 class="date-header"><span>Tuesday, May 4, 2010</span></h2>' + entry("one-a") + entry("two-b")
        + '<h2 class="date-header"><span>Sunday, May 2, 2010</span></h2>' + entry("three-c")
    )  # fmt: skip
    assert [row[2] for row in rows(cut(f'<div class="blog-posts">{body}</div>'))] == [
        "2010-05-04",
        "2010-05-04",
        "2010-05-02",
    ]


def test_permalink_in_the_closing_line_under_an_unlinked_heading() -> None:
    body = "".join(
        f'<h2>{day}</h2><h3 id="a{n}">{title}</h3><p>{LOREM}</p><p>{LOREM}</p><p class="posted">Posted by Ross at '
        f'<a href="/archives/{n}_x.html">0{n}:58 PM</a> | <a href="/archives/{n}_x.html#comments">Comments (2)</a></p>'
        for n, title, day in [
            (3, "Up the coast", "March 31, 2006"),
            (2, "Inland", "March 12, 2006"),
            (1, "Setting out", "March 1, 2006"),
        ]
    )
    assert rows(cut(f'<h1><a href="/">Journal</a></h1><div class="content">{body}</div>')) == [
        ("/archives/3_x.html", "Up the coast", "2006-03-31"),
        ("/archives/2_x.html", "Inland", "2006-03-12"),
        ("/archives/1_x.html", "Setting out", "2006-03-01"),
    ]


def test_read_more_links_give_the_address_and_headings_the_title() -> None:
    body = "".join(
        f'<article><h2>{title}</h2><p class="date">{day}</p><p>{LOREM[:100]}</p>'
        f'<a class="more-link" href="/{slug}/">Weiterlesen</a></article>'
        for slug, title, day in [
            ("nord-see", "Nordsee", "4. Mai 2016"),
            ("ost-see", "Ostsee", "30. April 2016"),
            ("bin-nen", "Binnen", "2. April 2016"),
        ]
    )
    assert rows(cut(f"<main>{body}</main>", lang="de")) == [
        ("/nord-see/", "Nordsee", "2016-05-04"),
        ("/ost-see/", "Ostsee", "2016-04-30"),
        ("/bin-nen/", "Binnen", "2016-04-02"),
    ]


def test_posts_without_a_title_are_kept() -> None:
    def entry(n: int, title: str) -> str:
        heading = f'<h3 class="post-title"><a href="/2013/10/e{n}.html">{title}</a></h3>' if title else ""
        return (
            f'<div class="post hentry">{heading}<div class="post-body">{LOREM}</div><div class="post-footer">'
            f'<a class="timestamp-link" rel="bookmark" href="/2013/10/e{n}.html">October {n}, 2013</a></div></div>'
        )

    posts = cut(f'<div class="hfeed">{entry(9, "Kelp")}{entry(7, "")}{entry(5, "Tar")}{entry(3, "Oakum")}</div>')
    assert rows(posts) == [
        ("/2013/10/e9.html", "Kelp", "2013-10-09"),
        ("/2013/10/e7.html", None, "2013-10-07"),
        ("/2013/10/e5.html", "Tar", "2013-10-05"),
        ("/2013/10/e3.html", "Oakum", "2013-10-03"),
    ]


def test_tag_page_with_a_single_post() -> None:
    body = f"<h1>Tag: knots</h1><main>{classic(8, 'April 8, 2013', '2013-04-08')}</main>"
    assert rows(cut(NAV + body + SIDEBAR, f"{SITE}/tag/knots/")) == [
        ("/2013/03/post-8/", "Title number 8", "2013-04-08")
    ]


def test_a_featured_post_counts_once() -> None:
    featured = (
        '<div class="featured"><article><h2><a href="/big-news/">Big news</a></h2><p>1 June 2018</p></article></div>'
    )
    others = "".join(
        f'<div class="row"><article><h2><a href="/{slug}/">{slug}</a></h2><p>{day}</p><p>{LOREM}</p></article></div>'
        for slug, day in [("big-news", "1 June 2018"), ("tide-table", "20 May 2018"), ("new-mast", "2 May 2018")]
    )
    posts = cut(f'{featured}<div class="grid">{others}</div>')
    assert [row[0] for row in rows(posts)] == ["/big-news/", "/tide-table/", "/new-mast/"]


def test_east_asian_archive_with_month_and_day() -> None:
    body = (
        "<h2>2015年</h2><ul><li><span>11月03日</span><a href='/2015/tower/'>灯台への道</a></li>"
        "<li><span>09月21日</span><a href='/2015/island/'>島の一日</a></li></ul>"
        "<h2>2014年</h2><ul><li><span>12月30日</span><a href='/2014/winter/'>冬の港</a></li></ul>"
    )
    assert rows(cut(f"<div>{body}</div>", f"{SITE}/archives/", "ja")) == [
        ("/2015/tower/", "灯台への道", "2015-11-03"),
        ("/2015/island/", "島の一日", "2015-09-21"),
        ("/2014/winter/", "冬の港", "2014-12-30"),
    ]


def test_dates_in_boxes_of_their_own() -> None:
    body = "".join(
        f'<div class="entry"><div class="cal"><span>{day}</span><span>{month}</span><span>{year}</span></div>'
        f'<h2><a href="/{slug}/">{slug}</a></h2><p>{LOREM}</p></div>'
        for day, month, year, slug in [
            ("14", "Aug", "2011", "red-buoy"),
            ("02", "Aug", "2011", "green-buoy"),
            ("30", "Jul", "2011", "bell-buoy"),
        ]
    )
    assert [row[2] for row in rows(cut(body))] == ["2011-08-14", "2011-08-02", "2011-07-30"]


def test_dates_in_the_titles_are_titles_unless_nothing_else_shows_them() -> None:
    def page(meta: str) -> list[tuple[str, str | None, str | None]]:
        return rows(
            cut(
                "".join(
                    f'<article><h2><a href="/{n}-log/">0{n} May 2009: Log {n}</a></h2>{meta}<p>{LOREM}</p></article>'
                    for n in (9, 8, 7)
                )
            )
        )

    assert page("")[0] == ("/9-log/", "Log 9", "2009-05-09")
    assert page('<time datetime="2009-06-01">June</time>')[0] == ("/9-log/", "09 May 2009: Log 9", "2009-06-01")


def test_the_address_gives_the_date_where_nothing_is_shown() -> None:
    body = "".join(
        f'<article><h2><a href="/2012/0{n}/1{n}/s-{n}/">S {n}</a></h2><p>{LOREM}</p></article>' for n in (5, 4, 3)
    )
    posts = cut(body)
    assert [row[2] for row in rows(posts)] == ["2012-05-15", "2012-04-14", "2012-03-13"]
    months = cut(body.replace("/15/", "/").replace("/14/", "/").replace("/13/", "/"))
    assert [(p.published.iso, p.published.precision) for p in months if p.published] == [
        ("2012-05", "month"),
        ("2012-04", "month"),
        ("2012-03", "month"),
    ]


def test_relative_dates_need_the_time_of_capture() -> None:
    body = "".join(
        f'<article><h2><a href="/{slug}/">{slug}</a></h2><span class="date">{ago}</span><p>{LOREM}</p></article>'
        for slug, ago in [("new-rope", "2 days ago"), ("old-rope", "3 weeks ago")]
    )
    assert [row[2] for row in rows(cut(body))] == [None, None]
    captured = cut(body, captured=datetime(2021, 3, 15, 12, tzinfo=UTC))
    assert rows(captured)[0][2] == "2021-03-13"


def test_a_second_list_without_dates_is_not_posts() -> None:
    works = "".join(
        f'<li><article><h3><a href="/work/{s}/">{s}</a></h3><p>{LOREM}</p></article></li>'
        for s in ("quay", "dock", "pier")
    )
    posts = "".join(
        f'<li><article><h3><a href="/2014/06/{s}/">{s}</a></h3><p>{d}</p><p>{LOREM}</p></article></li>'
        for s, d in [("ebb-tide", "5 June 2014"), ("neap-tide", "2 June 2014"), ("flood-tide", "1 June 2014")]
    )
    found = cut(f'<section class="works"><ul>{works}</ul></section><section class="journal"><ul>{posts}</ul></section>')
    assert [row[0] for row in rows(found)] == ["/2014/06/ebb-tide/", "/2014/06/neap-tide/", "/2014/06/flood-tide/"]


def test_relative_links_follow_the_base_address() -> None:
    body = "".join(f'<article><h2><a href="{s}.html">{s}</a></h2><p>{LOREM}</p></article>' for s in ("x-one", "x-two"))
    html = f"<html><head><base href='{SITE}/blog/'></head><body>{body}</body></html>"
    posts = segment_page(Page(f"{SITE}/other/index.html", html.encode()))
    assert [post.url for post in posts] == [f"{SITE}/blog/x-one.html", f"{SITE}/blog/x-two.html"]


def test_definition_list_and_nested_lists() -> None:
    pairs = [("4 May 2010", "a-b", "Alpha"), ("1 May 2010", "c-d", "Gamma"), ("20 April 2010", "e-f", "Epsilon")]
    terms = "".join(f'<dt>{day}</dt><dd><a href="/{slug}/">{title}</a></dd>' for day, slug, title in pairs)
    assert [row[2] for row in rows(cut(f"<dl>{terms}</dl>"))] == ["2010-05-04", "2010-05-01", "2010-04-20"]
    nested = """<ul><li>2012<ul><li>May<ul><li>04 - <a href="/x-1/">X one</a></li>
      <li>02 - <a href="/x-2/">X two</a></li></ul></li>
      <li>April<ul><li>30 - <a href="/x-3/">X three</a></li></ul></li></ul></li>
      <li>2011<ul><li>December<ul><li>24 - <a href="/x-4/">X four</a></li></ul></li></ul></li></ul>"""
    assert [row[2] for row in rows(cut(nested))] == ["2012-05-04", "2012-05-02", "2012-04-30", "2011-12-24"]


def test_month_of_the_page_address_completes_bare_days() -> None:
    items = "".join(f'<li>{day} <a href="/p/{day}-z">Post {day}</a></li>' for day in (28, 14, 3))
    days = [row[2] for row in rows(cut(f"<ul>{items}</ul>", f"{SITE}/2009/05/"))]
    assert days == ["2009-05-28", "2009-05-14", "2009-05-03"]


def test_links_that_hold_date_and_title() -> None:
    items = "".join(
        f'<li><a href="/{slug}/"><span>{day}</span> <span>{title}</span></a></li>'
        for day, slug, title in [
            ("April 2", "red-sails", "Red sails"),
            ("March 30", "ebb", "The ebb"),
            ("May 1", "spar", "Spar"),
        ]
    )
    assert rows(cut(f"<h2>2019</h2><ul>{items}</ul>")) == [
        ("/red-sails/", "Red sails", "2019-04-02"),
        ("/ebb/", "The ebb", "2019-03-30"),
        ("/spar/", "Spar", "2019-05-01"),
    ]


def test_link_blog_takes_its_own_permalinks() -> None:
    body = "".join(
        f'<div class="entry"><h2><a href="https://elsewhere.example/{n}">Linked thing {n}</a></h2><p>{LOREM}</p>'
        f'<a href="/linked/x{n}" title="Permalink">★</a> <span>{n} May 2011</span></div>'
        for n in (7, 6, 5)
    )
    assert rows(cut(f'<div id="main">{body}</div>'))[0] == ("/linked/x7", "Linked thing 7", "2011-05-07")


def test_loose_blocks_without_any_heading() -> None:
    body = "".join(
        f'<div class="data">{n} marzo 2007</div><div class="titolo"><a href="/post/{n}">Il titolo {n}</a></div>'
        f'<div class="testo">{LOREM}</div><div class="sotto"><a href="/post/{n}#commenti">commenti ({n})</a></div>'
        for n in (9, 8, 7)
    )
    posts = cut(body, lang="it")
    assert rows(posts) == [(f"/post/{n}", f"Il titolo {n}", f"2007-03-0{n}") for n in (9, 8, 7)]
    assert posts[1].text.startswith("The harbour")


def test_copy_of_a_page_links_to_the_site_it_declares() -> None:
    body = "".join(
        f'<article><h2><a href="{SITE}/{s}/">{s}</a></h2><p>{LOREM}</p></article>' for s in ("q-one", "q-two")
    )
    copy = Page("https://copies.example/saved.html", f"<body>{body}".encode())
    assert segment_page(copy) == []
    declared = Page(copy.url, f'<head><link rel="canonical" href="{SITE}/"></head>'.encode() + copy.content)
    assert [post.url for post in segment_page(declared)] == [f"{SITE}/q-one/", f"{SITE}/q-two/"]


def test_language_of_the_rules_wins_over_a_wrong_declaration() -> None:
    items = "".join(f'<li>0{n}/02/2013 <a href="/note-{n}/">Note {n}</a></li>' for n in (5, 9, 3))
    html = f"<html lang=en><body><ul>{items}</ul></body></html>".encode()
    assert rows(segment_page(Page(SITE, html)))[0][2] == "2013-05-02"
    assert rows(segment_page(Page(SITE, html), Rules(SITE, language="fr")))[0][2] == "2013-02-05"


@pytest.mark.parametrize(
    ("byline", "name"),
    [
        ('<span class="byline">By Mary Read on 4 May 2011</span>', "Mary Read"),
        ('<p class="entry-author">Posted by</p><p><a href="/author/mread/">Mary Read</a></p>', "Mary Read"),
        ('<span class="author vcard">von <a class="fn" href="/u/1">Jan el Pirata</a></span>', "Jan el Pirata"),
        ('<p class="author-bio">A captain and writer</p>', None),
        ('<span class="byline">4 May 2011</span>', None),
    ],
)
def test_authors_only_where_a_name_is_marked(byline: str, name: str | None) -> None:
    body = "".join(
        f'<article><h2><a href="/{s}/">{s}</a></h2>{byline}<p>{LOREM}</p></article>' for s in ("v-one", "v-two")
    )
    assert [post.authors[0].name if post.authors else None for post in cut(body)] == [name, name]


ONE_POST = "<article><h1>A post</h1>" + f"<p>{LOREM}</p>" * 9


def test_the_name_of_the_blog_is_no_post() -> None:
    name = '<header><div><h1><a href="/log/home/">The log</a></h1><p>Notes from the boat</p></div></header>'
    body = "".join(
        f'<div><h2><a href="/log/{s}/">{s}</a></h2><p>{LOREM}</p></div>' for s in ("w-one", "w-two", "w-three")
    )
    posts = cut(f"{name}<div>{body}</div>", f"{SITE}/log/page/2/")
    assert [row[0] for row in rows(posts)] == ["/log/w-one/", "/log/w-two/", "/log/w-three/"]


@pytest.mark.parametrize(
    "body",
    [
        "",
        "<p>Nothing here.</p>",
        NAV,
        NAV + f"<div><h1>About</h1><p>{LOREM}</p></div>" + SIDEBAR,
        '<p><a href="/feed/">Feed</a> <a href="/tag/x/">x</a></p>',
        f"{ONE_POST}<p>In this series:</p><ol><li><a href='/part-one/'>Part one</a></li>"
        "<li><a href='/part-two/'>Part two</a></li></ol></article>",
        f"{ONE_POST}</article><div class='related-posts'><h3><a href='/r-1/'>Like one</a></h3>"
        "<h3><a href='/r-2/'>Like two</a></h3></div>",
    ],
)
def test_pages_that_list_no_posts(body: str) -> None:
    assert cut(body, f"{SITE}/about/") == []


def test_a_persons_folder_says_nothing_of_the_links_on_a_page_in_it() -> None:
    posts = "".join(
        f"<div class='p'><h2><a href='/users/mira/post{n}/'>Letter {n}</a></h2><small>May {n}, 2014</small>"
        "<p>So it goes on and on.</p></div>"
        for n in range(1, 6)
    )
    html = f"<html><body><h1>Mira</h1>{posts}<a href='/users/mira/page/2/'>Older</a></body></html>"
    found = segment_page(Page("https://tin.example/users/mira/", html.encode()))
    assert [post.title for post in found] == [f"Letter {n}" for n in range(1, 6)]


def test_what_stands_out_before_a_summary_in_one_link_is_the_title() -> None:
    card = (
        '<div class="row"><a class="go" href="/{0}/"><strong class="tit">A walk number {0}</strong>'
        f"<p>{LOREM}</p></a><div><span>2013. 3. {{0}}.</span></div></div>"
    )
    posts = cut(NAV + "".join(card.format(n) for n in (9, 4, 1)))
    assert rows(posts) == [(f"/{n}/", f"A walk number {n}", f"2013-03-0{n}") for n in (9, 4, 1)]


def test_the_day_of_a_change_before_that_of_the_post_is_not_its_date() -> None:
    line = '<article><h2><a href="/{0}/">A walk {0}</a></h2><p>Updated April {0}, 2013 · Published March {0}, 2013</p>'
    posts = cut(NAV + "".join(line.format(n) + f"<p>{LOREM}</p></article>" for n in (9, 4, 1)))
    assert rows(posts) == [(f"/{n}/", f"A walk {n}", f"2013-03-0{n}") for n in (9, 4, 1)]
