from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blogforever import Page, extract_post
from blogforever.extract.jsonld import read_jsonld
from blogforever.extract.metadata import Candidate, semantic_fields
from blogforever.model import Author, Moment
from blogforever.page.view import PageView

URL = "https://orchard.example/2014/05/grafting-pears/"


def fields(html: str, *, deep: bool = True) -> dict[str, list[Candidate]]:
    return dict(semantic_fields(PageView(html), URL, deep=deep))


def values(html: str, field: str, *, deep: bool = True) -> list[Any]:
    return [candidate.value for candidate in fields(html, deep=deep).get(field, [])]


def jsonld(item: object) -> str:
    return f'<head><script type="application/ld+json">{json.dumps(item)}</script></head><body><p>x</p></body>'


POSTING = {
    "@context": "https://schema.org",
    "@type": "BlogPosting",
    "headline": "Grafting pears",
    "url": URL,
    "datePublished": "2014-05-03T10:00:00+02:00",
    "dateModified": "2014-05-04",
    "author": {"@type": "Person", "name": "Mira Holt", "url": "https://orchard.example/mira"},
    "keywords": ["pears", "grafting"],
}


def test_open_graph_and_article_meta() -> None:
    found = fields(
        """<html lang="en-GB"><head><meta property="og:title" content="Grafting pears">
        <meta property="og:site_name" content="The Orchard"><meta property="og:type" content="article">
        <meta property="article:published_time" content="2014-05-03T10:00:00+02:00">
        <meta property="article:tag" content="pears"><meta property="article:tag" content="spring, early">
        <meta property="og:image" content="/pear.jpg"><link rel="canonical" href="/2014/05/grafting-pears/">
        <link rel="prev" href="../pruning/"></head>""",
        deep=False,
    )
    assert [c.value for c in found["title"]] == ["Grafting pears"]
    assert found["published"][0].value.iso == "2014-05-03T10:00:00+02:00"
    assert found["published"][0].rule == "meta article:published_time"
    assert found["tags"][0].value == ("pears", "spring, early")
    assert found["lead_picture"][0].value == "https://orchard.example/pear.jpg"
    assert found["canonical"][0].value == URL
    assert found["previous_url"][0].value == "https://orchard.example/2014/05/pruning/"
    assert found["language"][0].value == "en-GB"
    assert found["kind"][0].value == "post"
    assert all(c.by == "semantic" for one in found.values() for c in one)


def test_dublin_core_and_citation() -> None:
    html = """<head><meta name="DC.title" content="Grafting pears"><meta name="DC.creator" content="Mira Holt">
    <meta name="DC.date.issued" content="2014-05-03"><meta name="citation_author" content="Holt, Mira"></head>"""
    assert values(html, "title") == ["Grafting pears"]
    assert values(html, "authors")[0] == (Author("Mira Holt"),)
    assert values(html, "published")[0].day.isoformat() == "2014-05-03"


def test_json_ld_posting() -> None:
    found = fields(jsonld(POSTING), deep=False)
    assert found["title"][0].value == "Grafting pears"
    assert found["title"][0].rule == "json-ld BlogPosting.headline"
    assert found["authors"][0].value == (Author("Mira Holt", "https://orchard.example/mira"),)
    assert found["published"][0].value.iso == "2014-05-03T10:00:00+02:00"
    assert found["modified"][0].value == Moment("2014-05-04", "day", "2014-05-04")
    assert found["tags"][0].value == ("pears", "grafting")


def test_json_ld_graph_resolves_the_author() -> None:
    graph = {
        "@graph": [
            {"@type": "WebSite", "name": "The Orchard", "url": "https://orchard.example/"},
            {"@type": "WebPage", "@id": URL, "name": "Grafting pears - The Orchard"},
            {**POSTING, "@type": ["Article", "BlogPosting"], "author": {"@id": "#mira"}},
            {"@type": "Person", "@id": "#mira", "name": "Mira Holt"},
        ]
    }
    found = fields(jsonld(graph), deep=False)
    assert found["authors"][0].value == (Author("Mira Holt"),)
    assert found["site_name"][0].value == "The Orchard"
    assert [c.value for c in found["title"]] == ["Grafting pears"]


@pytest.mark.parametrize("kind", ["WebSite", "Organization", "Person", "Product", "BreadcrumbList", "ListItem"])
def test_items_of_another_kind_say_nothing_about_the_post(kind: str) -> None:
    item = {**POSTING, "@type": kind, "name": "Something else"}
    found = fields(jsonld(item), deep=False)
    assert not {"title", "published", "authors"} & set(found)


def test_several_postings_and_none_of_this_page() -> None:
    others = [{**POSTING, "url": f"https://orchard.example/other-{n}/", "headline": f"Other {n}"} for n in range(3)]
    assert "title" not in fields(jsonld(others), deep=False)
    assert values(jsonld([*others, POSTING]), "title", deep=False) == ["Grafting pears"]


@pytest.mark.parametrize(
    "text",
    [
        '{"@type": "BlogPosting", "headline": "Pears",}',
        '<!-- {"@type": "BlogPosting", "headline": "Pears"} -->',
        '//<![CDATA[\n{"@type": "BlogPosting", "headline": "Pears"}\n//]]>',
        '{"@type": "BlogPosting", "description": "two\nlines", "headline": "Pears"}',
        '{"@type": "BlogPosting", "description": "a \\\' b", "headline": "Pears"};',
        '[{"@type": "BlogPosting", "headline": "Pears", "keywords": ["a",]}]',
    ],
)
def test_broken_json_ld_is_still_read(text: str) -> None:
    assert [item["headline"] for item in read_jsonld(text)] == ["Pears"]


@pytest.mark.parametrize("text", ["", "{", "null", "[1, 2]", '"x"', "[" * 100_000, "not json"])
def test_hopeless_json_ld_is_nothing(text: str) -> None:
    assert read_jsonld(text) == []


def test_json_ld_with_the_entities_of_pages_and_several_names() -> None:
    people = {"@type": "Person", "name": ["Mira Holt", "Tom Reed"]}
    found = jsonld({**POSTING, "headline": "Pears &amp; plums &#8211; a year", "author": people})
    assert values(found, "title") == ["Pears & plums – a year"]
    assert values(found, "authors") == [(Author("Mira Holt"), Author("Tom Reed"))]


@pytest.mark.parametrize("headline", [["Grafting pears"], {"@value": "Grafting pears", "@language": "en"}])
def test_a_title_in_a_list_or_an_object(headline: object) -> None:
    page = jsonld({**POSTING, "headline": headline})
    text = f"<article><p>{'The pears were cut in spring. ' * 20}</p></article>"
    post = extract_post(Page(URL, page.replace("<p>x</p>", text).encode()))
    assert post.title == "Grafting pears"


def test_an_element_for_each_author() -> None:
    html = """<meta name="citation_author" content="Mira Holt"><meta name="citation_author" content="Tom Reed">
    <meta name="citation_author" content="Mira Holt">"""
    assert values(html, "authors") == [(Author("Mira Holt"), Author("Tom Reed"))]


def test_microdata() -> None:
    html = """<article itemscope itemtype="http://schema.org/BlogPosting"><h1 itemprop="headline">Grafting pears</h1>
    <span itemprop="author" itemscope itemtype="http://schema.org/Person"><b itemprop="name">Mira Holt</b></span>
    <time itemprop="datePublished" datetime="2014-05-03">May 3</time>
    <div itemprop="articleBody"><p>Cut in spring.</p></div></article>"""
    found = fields(html)
    assert found["title"][0].value == "Grafting pears"
    assert found["authors"][0].value == (Author("Mira Holt"),)
    assert found["published"][0].rule == "microdata BlogPosting.datePublished"
    assert "Cut in spring." in found["html"][0].value
    assert "title" not in fields(html, deep=False)


def test_microdata_of_the_side_is_not_the_post() -> None:
    html = """<div itemscope itemtype="http://schema.org/Product"><h1 itemprop="name">Pear knife</h1></div>
    <div itemscope itemtype="http://schema.org/WebSite"><h1 itemprop="headline">The Orchard</h1></div>"""
    assert "title" not in fields(html)


def test_rdfa_lite() -> None:
    html = """<div vocab="http://schema.org/" typeof="BlogPosting"><h1 property="headline">Grafting pears</h1>
    <span property="author">Mira Holt</span><span property="datePublished" content="2014-05-03">May 3</span></div>"""
    assert values(html, "title") == ["Grafting pears"]
    assert values(html, "authors") == [(Author("Mira Holt"),)]
    assert values(html, "published")[0].iso == "2014-05-03"


def test_h_entry() -> None:
    html = f"""<article class="h-entry"><h1 class="p-name"><a class="u-url" href="{URL}">Grafting pears</a></h1>
    <a class="p-author h-card" href="/mira">Mira Holt</a><time class="dt-published" datetime="2014-05-03">x</time>
    <div class="e-content"><p>Cut in <em>spring</em>.</p></div></article>"""
    found = fields(html)
    assert found["title"][0].value == "Grafting pears"
    assert found["authors"][0].value == (Author("Mira Holt", "https://orchard.example/mira"),)
    assert found["published"][0].value.day.isoformat() == "2014-05-03"
    assert found["html"][0].value == "<p>Cut in <em>spring</em>.</p>"


def test_h_atom() -> None:
    html = """<div class="hentry"><h2 class="entry-title">Grafting pears</h2>
    <abbr class="published" title="2014-05-03T10:00:00Z">x</abbr>
    <span class="author vcard"><span class="fn">Mira Holt</span></span>
    <div class="entry-content"><p>Cut in spring.</p></div></div>"""
    assert values(html, "title") == ["Grafting pears"]
    assert values(html, "authors") == [(Author("Mira Holt"),)]
    assert values(html, "published")[0].iso == "2014-05-03T10:00:00+00:00"


def test_of_several_entries_the_one_of_this_page() -> None:
    one = '<div class="h-entry"><a class="p-name u-url" href="{}">{}</a></div>'
    others = one.format("/a/", "A") + one.format("/b/", "B")
    assert values(others, "title") == []
    assert values(others + one.format(URL, "Grafting pears"), "title") == ["Grafting pears"]


def test_theme_defaults_are_recognised() -> None:
    html = """<head><meta property="og:site_name" content="The Orchard"><meta property="og:title" content="The orchard">
    <meta name="author" content="the orchard"><meta property="article:author" content="https://facebook.com/orchard">
    <meta name="DC.creator" content="John Doe"></head>"""
    found = fields(html)
    assert "title" not in found
    assert "authors" not in found


def test_a_title_that_a_theme_gives_as_the_name_on_a_phone_stays_the_title() -> None:
    html = """<head><meta property="og:site_name" content="The Orchard"><meta property="og:title" content="Early frost">
        <meta name="application-name" content="Early frost"></head><body><p>x</p></body>"""
    found = fields(html)
    assert [said.value for said in found["title"]] == ["Early frost"]
    assert [said.value for said in found["site_name"]] == ["The Orchard"]


def test_admin_is_a_name_and_a_blog_may_bear_its_author() -> None:
    assert values('<meta name="author" content="admin">', "authors") == [(Author("admin"),)]
    named = '<meta property="og:site_name" content="Mira Holt"><meta name="author" content="Mira Holt">'
    sure = fields('<meta name="author" content="Mira Holt">')["authors"][0].confidence
    assert fields(named)["authors"][0].confidence < sure


def test_meta_values_that_are_none() -> None:
    html = """<meta property="article:published_time" content="soon"><meta property="og:image" content="javascript:x">
    <meta property="og:title" content="  "><html lang="??">"""
    assert not {"published", "lead_picture", "title", "language"} & set(fields(html))


PIECES = st.sampled_from(
    """<script type="application/ld+json">|</script>|{"@type":"BlogPosting","author":|["x",{}]|}|<div>
<div class="h-entry hentry">|<p class="p-name e-content">|<div itemscope itemtype="schema.org/Article">|</div>|<!--
<b itemprop="author" itemscope>|<meta property="og:title" content="|">|&#xD800;|\x00|<template>|é|漢字
<i typeof="Article" property="headline">|2014-05-03|<time datetime="0000-99-99">""".replace("\n", "|").split("|")
)


@given(st.lists(st.one_of(PIECES, st.text(max_size=20)), max_size=30).map("".join), st.text(max_size=30))
def test_never_raises(html: str, url: str) -> None:
    found = semantic_fields(PageView(html), url)
    assert all(0 <= c.confidence <= 1 for one in found.values() for c in one)
