"""Nothing of a text goes missing: not a word amid a sentence, no section, no paragraph with an odd name."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blogforever import Page, extract_post
from blogforever.dom import tokenise
from blogforever.extract.opinions import FoundBody, SecondOpinion
from blogforever.extract.prune import cut_article
from blogforever.model import Rule, Rules, Template
from blogforever.page.view import PageView
from blogforever.page.vocabulary import kind_of

URL = "https://kiln.example/2017/03/glazing-a-jug/"
TITLE = "Glazing a jug"
PARAGRAPHS = [
    f"Coat number {n} of the glaze went on slowly, because the jug was still damp inside and the brush was old."
    for n in range(8)
]
NAMES = (
    "share related print search next menu tags author date comment reply ad sponsored popup toc category widget "
    "rating copyright login promo newsletter meta byline info permalink"
).split()


def page(body: str, head: str = "") -> str:
    return f"<html lang='en'><head><title>{TITLE} | The Kiln</title>{head}</head><body>{body}</body></html>"


def post(inside: str, container: str = "entry-content") -> str:
    return page(f"<main><article><h1>{TITLE}</h1><div class='{container}'>{inside}</div></article></main>")


def paragraphs(texts: list[str]) -> str:
    return "".join(f"<p>{text}</p>" for text in texts)


def text_of(html: str, rules: Rules | None = None) -> str:
    return extract_post(Page(URL, html.encode()), rules).text


def plain(texts: list[str]) -> str:
    return "\n\n".join(texts)


# --- inside a sentence


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("tag", ["span", "a href='/x'", "em", "x-term"])
def test_what_stands_in_a_sentence_stays_whatever_its_name(name: str, tag: str) -> None:
    closing = tag.split(maxsplit=1)[0]
    inside = [f"The jug has <{tag} class='{name}'>a thin handle</{closing}> and stands well.", *PARAGRAPHS]
    assert text_of(post(paragraphs(inside))).startswith("The jug has a thin handle and stands well.")


def test_links_that_open_and_close_loose_text_stay() -> None:
    inside = f"""<a href='/mira'>Mira</a> showed me how. {PARAGRAPHS[0]}<br><br>{PARAGRAPHS[1]}<br>
    <b>In the end</b> it was <a href='/blue'>blue</a><div><img src='/jug.jpg'></div>"""
    read = text_of(post(inside, "box"))
    assert read.startswith("Mira showed me how.")
    assert read.endswith("In the end it was blue")


@pytest.mark.parametrize(
    "last", ["Next week I go to the fair.", "By then the kiln was cold.", "Continue until it shines."]
)
def test_a_short_sentence_is_no_label(last: str) -> None:
    assert text_of(post(paragraphs([*PARAGRAPHS, last]), "box")) == plain([*PARAGRAPHS, last])


def test_a_line_of_its_own_goes_by_its_name() -> None:
    shares = "<div><a class='share' href='/s1'>Send it on</a> | <a class='share' href='/s2'>Keep it</a></div>"
    assert text_of(post(paragraphs(PARAGRAPHS) + shares)) == plain(PARAGRAPHS)


def test_rules_take_no_word_out_of_a_sentence() -> None:
    excluded = (Rule(".share", "//*"), Rule("span", "//span", starts="see also"))
    template = Template(article=Rule("div.entry-content", "//div"), exclude=excluded)
    rules = Rules("https://kiln.example/", templates=(template,))
    inside = [
        "The <span class='share'>greater part</span> of the glaze ran off.",
        "I know, <span>see also the fair</span>, that it was damp.",
        *PARAGRAPHS,
    ]
    html = post(paragraphs(inside) + "<p><span class='share'>Send it on</span></p><p><span>See also: jars</span></p>")
    wanted = ["The greater part of the glaze ran off.", "I know, see also the fair, that it was damp.", *PARAGRAPHS]
    assert text_of(html, rules) == plain(wanted)


WORDS = st.integers(1, 4)
PIECES = st.tuples(st.sampled_from(["", "span", "a", "b", "em", "x-term"]), st.sampled_from(NAMES), WORDS)
SHAPES = st.lists(
    st.tuples(st.sampled_from(["p", "div", "li", "blockquote"]), st.lists(PIECES, min_size=1)), min_size=1
)


@given(SHAPES, st.sampled_from(["entry-content", "box", "sidebar-right"]))
def test_no_word_of_a_paragraph_that_stays_is_missing(
    shapes: list[tuple[str, list[tuple[str, str, int]]]], name: str
) -> None:
    blocks: list[set[str]] = []
    html = []
    for n, (tag, pieces) in enumerate(shapes):
        words: list[str] = []
        inside = []
        for inline, kind, count in pieces:
            said = [f"w{n}x{len(words) + k}" for k in range(count)]
            words += said
            # One word outside any element makes a sentence of what stands around it.
            inside.append(f"<{inline} class='{kind}'>{' '.join(said)}</{inline}>" if inline else " ".join(said))
        has_loose_words = any(not inline for inline, _kind, _count in pieces)
        if has_loose_words:
            blocks.append(set(words))
        html.append(f"<{tag}>{' '.join(inside)}</{tag}>")
    read = set(text_of(post("".join(html) + paragraphs(PARAGRAPHS), name)).split())
    for words_of_block in blocks:
        assert words_of_block <= read or words_of_block.isdisjoint(read)


# --- names


@pytest.mark.parametrize(
    ("names", "kind"),
    [
        ("hJpRRP", ""), ("e1ad", ""), ("ad12", ""), ("12ad", ""), ("css-1ad2", ""), ("ab ad ae", ""),
        ("page-with-sidebar", "post"), ("layout--sidebar", ""), ("ad", "furniture"), ("ad-slot-3", "furniture"),
        ("widget12", "furniture"), ("shareBox", "furniture"), ("sidebar-left", "furniture"),
        ("js-article-content", "body"), ("js-sidebar", ""), ("legal-disclaimer", "furniture"),
        ("post-header", ""), ("post-header-title", ""), ("post-header-meta", "byline"), ("entry-head-date", "byline"),
        ("crayon article-titre-12", ""), ("crayon-syntax crayon-theme", "code"), ("forum-fil", "comment"),
    ],
)  # fmt: skip
def test_names_are_words_and_what_programs_make_up_is_none(names: str, kind: str) -> None:
    assert kind_of(names) == kind


def test_paragraphs_with_made_up_ids_stay() -> None:
    ids = [f"{n:04x}" for n in range(0xAD00, 0xAD00 + 200)]
    texts = [f"Sentence {n} of a long story about a jug and its handle." for n in range(len(ids))]
    inside = "".join(f"<p id='{id_}'>{text}</p>" for id_, text in zip(ids, texts, strict=True))
    assert text_of(post(inside)) == plain(texts)


# --- the element that holds the text


def test_the_first_of_several_alike_sections_is_not_the_whole() -> None:
    first = f"<section class='row n1'><h1>{TITLE}</h1>{paragraphs(PARAGRAPHS[:3])}</section>"
    rest = f"<section class='row n2'>{paragraphs(PARAGRAPHS[3:])}</section>"
    assert text_of(page(f"<main>{first}{rest}</main>")) == plain(PARAGRAPHS)


def test_posts_below_with_titles_as_large_are_other_posts() -> None:
    mine = f"<article class='box'><h2>{TITLE}</h2>{paragraphs(PARAGRAPHS[:4])}</article>"
    other = f"<article class='box'><h2>Another jug</h2>{paragraphs(PARAGRAPHS[4:])}</article>"
    assert text_of(page(f"<main>{mine}{other}</main>")) == plain(PARAGRAPHS[:4])


def test_a_lede_beside_the_heading_is_not_the_whole() -> None:
    lede = "How three coats of an old glaze made a plain jug shine, and what went wrong before the kiln was hot enough."
    top = f"<div class='top'><h1>{TITLE}</h1><p>{lede}</p></div>"
    assert text_of(page(f"<main>{top}<div class='x1'>{paragraphs(PARAGRAPHS)}</div></main>")) == plain(
        [lede, *PARAGRAPHS]
    )


def test_an_empty_element_named_as_the_article_is_passed_by() -> None:
    html = (
        f"<main><h1>{TITLE}</h1><div class='article-body'></div><div class='x1'>{paragraphs(PARAGRAPHS)}</div></main>"
    )
    assert text_of(page(html)) == plain(PARAGRAPHS)


@pytest.mark.parametrize("name", ["page-with-sidebar", "layout--sidebar", "has-ads"])
def test_a_modifier_makes_no_furniture(name: str) -> None:
    aside = "".join(
        f"<p>A long note number {n} about the potters of the valley and what they sell.</p>" for n in range(9)
    )
    html = f"<h1>{TITLE}</h1><div class='{name}'>{paragraphs(PARAGRAPHS)}</div><div class='sidebar'>{aside}</div>"
    assert text_of(page(html)) == plain(PARAGRAPHS)


@pytest.mark.parametrize(
    "heading", ["Response", "Response time", "Commentary", "Feedback", "Comments", "3 reactions to heat"]
)
def test_a_heading_amid_the_text_does_not_end_it(heading: str) -> None:
    inside = f"{paragraphs(PARAGRAPHS[:3])}<h2>{heading}</h2>{paragraphs(PARAGRAPHS[3:])}"
    assert text_of(post(inside)) == plain([*PARAGRAPHS[:3], heading, *PARAGRAPHS[3:]])


def test_a_count_of_comments_above_the_text_does_not_end_it() -> None:
    html = f"<div class='x1'><h1>{TITLE}</h1><p>3 March</p><h3>No comments</h3>{paragraphs(PARAGRAPHS)}</div>"
    assert plain(PARAGRAPHS) in text_of(page(html))


def test_a_heading_above_comments_ends_the_text() -> None:
    said = "<div id='c1'><p>What a fine jug you made there.</p></div><p class='posted'>Posted by: Otto at noon</p>"
    inside = f"{paragraphs(PARAGRAPHS)}<h3>Comments</h3>{said}"
    assert text_of(post(inside, "box")) == plain(PARAGRAPHS)


def test_a_heading_below_sentences_opens_a_section_only() -> None:
    inside = f"{paragraphs(PARAGRAPHS[:2])}<h2>Why a jug</h2>{paragraphs(PARAGRAPHS[2:])}"
    assert text_of(page(f"<main>{inside}</main>")) == plain([*PARAGRAPHS[:2], "Why a jug", *PARAGRAPHS[2:]])


def test_a_sentence_of_links_that_ends_the_text_stays() -> None:
    last = "<a href='/a'>A red jug</a>, then <a href='/b'>a blue one</a>, and then <a href='/c'>a green one</a>"
    assert text_of(post(paragraphs([*PARAGRAPHS, last]), "box")).endswith(
        "A red jug, then a blue one, and then a green one"
    )


def test_a_comment_shown_amid_the_text_does_not_end_it() -> None:
    shown = """<div class='top-comment'><h2 class='top-comment__heading'>Said below</h2><div class='comment-body'>
    <p>I never thought that a jug could be so round and so heavy at once.</p></div></div>"""
    inside = f"{paragraphs(PARAGRAPHS[:4])}{shown}{paragraphs(PARAGRAPHS[4:])}"
    assert text_of(post(inside, "box")) == plain(PARAGRAPHS)


def test_a_box_of_information_is_text() -> None:
    note = "<div class='note info'><p>Old glazes may hold lead.</p></div>"
    assert "Old glazes may hold lead." in text_of(post(paragraphs(PARAGRAPHS) + note))


# --- when our own finder reads nothing, or next to nothing


@pytest.mark.parametrize(
    "holder", ["script type='text/template'", "script type='text/x-handlebars-template'", "template"]
)
def test_a_post_in_a_template_is_read(holder: str) -> None:
    told = f"<{holder} id='t1'><div class='entry'>{paragraphs(PARAGRAPHS)}</div></{holder.split(maxsplit=1)[0]}>"
    assert text_of(page(f"<h1>{TITLE}</h1><div id='app'></div>{told}<p>Please wait.</p>")) == plain(PARAGRAPHS)


def test_a_second_opinion_is_asked_for_nothing_more_than_the_place() -> None:
    note = "We use small files to know our guests again, and ask for your patience with that."
    html = page(f"<main><h1>{TITLE}</h1><p>{note}</p></main><div class='x1'>{paragraphs(PARAGRAPHS * 2)}</div>")
    view = PageView(html)
    second = SecondOpinion(view, paragraphs(PARAGRAPHS * 2))
    place = second.element()
    assert place is not None
    assert view.classes(place) == ["x1"]
    own = FoundBody(0, None, cut_article(view, view.tags.index("main"), None), is_named=False, fits_heading=True)
    other = FoundBody(place, None, cut_article(view, place, None), is_named=False, fits_heading=False)
    assert not second.agrees(own)
    assert second.agrees(other)
    assert second.is_followed(None, other, [])
    assert not second.is_followed(own, other, [])
    assert second.is_followed(own, other, tokenise(PARAGRAPHS[0]))
    assert not second.is_followed(replace(own, fits_heading=False), other, tokenise(note))


def test_a_short_post_is_not_given_up_for_a_long_page() -> None:
    talk = "".join(f"<div class='r{n}'><p>{text}</p></div>" for n, text in enumerate(PARAGRAPHS * 3))
    html = f"<article><h1>{TITLE}</h1><div class='entry-content'><p>It broke.</p></div></article><div>{talk}</div>"
    assert text_of(page(html)) == "It broke."


# --- what says who, when and which title, by rules


def ruled(inside: str, **fields: str) -> str:
    rules = {name: (Rule(css, "//*", confidence=0.9),) for name, css in fields.items()}
    template = Template(article=Rule("div.entry-content", "//div"), fields=rules, pages=9)
    return text_of(post(inside), Rules("https://kiln.example/", templates=(template,)))


def test_a_line_that_names_the_author_is_no_text() -> None:
    inside = f"<p>By <a class='who' href='/mira'>Mira Holt</a></p>{paragraphs(PARAGRAPHS)}"
    assert ruled(inside, authors="a.who") == plain(PARAGRAPHS)


def test_a_sentence_that_names_the_author_or_a_day_stays() -> None:
    first = "It was <a class='who' href='/mira'>Mira Holt</a> who came on <time>3 March 2017</time> to see the jug."
    read = ruled(paragraphs([first, *PARAGRAPHS]), authors="a.who", published="time")
    assert read == plain(["It was Mira Holt who came on 3 March 2017 to see the jug.", *PARAGRAPHS])


def test_a_bold_title_that_opens_the_first_sentence_stays() -> None:
    inside = paragraphs([f"<b>{TITLE}</b> takes a whole day.", *PARAGRAPHS])
    assert ruled(inside, title="h1") == plain([f"{TITLE} takes a whole day.", *PARAGRAPHS])
