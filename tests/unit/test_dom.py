from __future__ import annotations

import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from blogforever import dom
from blogforever.thinning import (
    FLAT_TAGS,
    FORMATTING_TAG,
    MAX_DEPTH,
    MAX_OPTIONS,
    NESTING_TAG,
    PLAIN_DEPTH,
    PLAIN_TAGS,
    SHALLOW_TAGS,
    count_tags,
    is_cheap,
    is_plain,
)
from hostile.growth import assert_linear

HTML = "text/html; charset="


@pytest.mark.parametrize(
    ("content", "charset", "expected"),
    [
        (b"plain", None, "plain"),
        ("é – ß".encode(), None, "é – ß"),
        ("é – ß".encode(), "iso-8859-1", "é – ß"),
        ("<meta charset=latin-1>é – ß".encode(), "windows-1252", "<meta charset=latin-1>é – ß"),
        ("“café” – 5 €".encode("cp1252"), "iso-8859-1", "“café” – 5 €"),
        ("“café” – 5 €".encode("cp1252"), "utf-8", "“café” – 5 €"),
        (b"a\x81b\x93c", "latin1", "a\x81b“c"),
        ("今天天气很好".encode("gbk"), "gb2312", "今天天气很好"),
        ("<meta charset='gb2312'>镕朱".encode("gb18030"), None, "<meta charset='gb2312'>镕朱"),
        ("①テスト日本語".encode("cp932"), "Shift_JIS", "①テスト日本語"),
        ("똠방각하".encode("cp949"), "EUC-KR", "똠방각하"),
        ("繁體中文".encode("big5"), "big5", "繁體中文"),
        ("日本語".encode("iso2022_jp"), "iso-2022-jp", "日本語"),
        ("Привет, мир".encode("cp1251"), "windows-1251", "Привет, мир"),
        ("Привет, мир".encode("koi8-r"), "koi8-r", "Привет, мир"),
        ("İstanbul ğüş".encode("cp1254"), "iso-8859-9", "İstanbul ğüş"),
        ("สวัสดี".encode("tis-620"), "tis-620", "สวัสดี"),
        (b"\xef\xbb\xbfcaf\xc3\xa9", "latin-1", "café"),
        ("\ufeff<p>日本</p>".encode("utf-16-le"), None, "<p>日本</p>"),
        ("\ufeff<p>日本</p>".encode("utf-16-be"), "utf-8", "<p>日本</p>"),
        ("<p>hello wörld</p>".encode("utf-16-le"), None, "<p>hello wörld</p>"),
        ("<p>hello wörld</p>".encode("utf-16-be"), "utf-8", "<p>hello wörld</p>"),
        (b"a\0b\0", None, "ab"),
        ("é\0é".encode(), None, "éé"),
        (b"+ADw-script+AD4-", "utf-7", "+ADw-script+AD4-"),
        ("é".encode(), "no-such-charset", "é"),
        ("é".encode(), "hex", "é"),
        (b"", "utf-8", ""),
        (
            '<?xml version="1.0" encoding="windows-1250"?>příliš'.encode("cp1250"),
            None,
            '<?xml version="1.0" encoding="windows-1250"?>příliš',
        ),
    ],
)
def test_decode(content: bytes, charset: str | None, expected: str) -> None:
    headers = {"content-type": HTML + charset} if charset else {}
    assert dom.decode(content, headers) == expected


def test_http_equiv_in_the_first_bytes_counts() -> None:
    page = '<meta http-equiv="Content-Type" content="text/html; charset=windows-1251"><p>Привет'.encode("cp1251")
    assert dom.decode(page).endswith("Привет")


def test_a_few_broken_bytes_do_not_flip_a_page() -> None:
    page = ("Grüße aus Köln, schöne Straße. " * 20).encode() + b"\xe9\xff" + "Ärger".encode()
    for headers in ({}, {"Content-Type": HTML + "latin-1"}, {"Content-Type": HTML + "utf-8"}):
        text = dom.decode(page, headers)
        assert text.startswith("Grüße aus Köln")
        assert text.endswith("Ärger")


def test_a_broken_declared_charset_keeps_what_is_sound() -> None:
    page = ("今天天气很好，我们去公园。" * 20).encode("gbk") + b"\xff<p>"
    assert dom.decode(page, {"Content-Type": HTML + "gb2312"}).startswith("今天天气很好")


def test_an_undeclared_charset_is_guessed() -> None:
    russian = (
        "Сегодня мы поехали на дачу и весь день работали в саду, а вечером пили чай и говорили о книгах. "
        "Погода была прекрасная, дети купались в реке, собака спала под яблоней."
    )
    assert dom.decode(russian.encode("cp1251")) == russian


@given(st.binary(max_size=300), st.sampled_from(["", "utf-8", "gb2312", "latin-1", "utf-16", "x", "shift_jis"]))
def test_decode_is_total(content: bytes, charset: str) -> None:
    text = dom.decode(content, {"Content-Type": HTML + charset})
    assert "\0" not in text


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\ufeff"), max_size=200))
def test_utf8_survives_any_declaration(text: str) -> None:
    content = ("é日" + text).encode()
    assert dom.decode(content, {"Content-Type": HTML + "windows-1251"}) == "é日" + text


@pytest.mark.parametrize("html", ["", " ", "\0", "text", "<!DOCTYPE html>", "<", "<p", "</p>", "<!--", "\ud800"])
def test_every_input_has_a_tree(html: str) -> None:
    tree = dom.parse(html)
    assert tree.body is not None
    assert tree.root is not None


LARGEST = 1_500_000


def repeated(tag: str) -> Callable[[int], str]:
    return lambda size: tag * (size // len(tag))


def attributes(one: str) -> Callable[[int], str]:
    return lambda size: "<a " + " ".join(one.format(n) for n in range(size // 15)) + ">x</a>"


@pytest.mark.parametrize(
    "make",
    [
        repeated("<div>"),
        repeated("<b>"),
        lambda size: "<div>" * (size // 11) + "x" + "</div>" * (size // 11),
        repeated("<table><tr><td>"),
        repeated("<a href=x><p>"),
        repeated("<svg><g>"),
        repeated("<select><option>"),
        lambda size: "".join(f"<font color={n}>" for n in range(2000)) + "<p>x" * (size // 4),
        attributes("b{}"),
        attributes("b{}='>'"),
        repeated("<a "),
        repeated("<a b='"),
        repeated("<!--"),
        repeated("<script>"),
        repeated("<"),
        repeated("<select>" + "<option>a" * 700 + "</select>"),
    ],
)
def test_hostile_markup_costs_no_more_than_its_size(make: Callable[[int], str]) -> None:
    tree = dom.parse(make(LARGEST))
    assert tree.root is not None
    assert max(depth for _, depth in dom.walk(tree.root)) < 1500
    assert_linear(lambda html: dom.parse(html).html, make, LARGEST)


def test_a_tag_without_end_is_known_by_its_length_whatever_its_values_hold() -> None:
    assert_linear(dom.parse, attributes("b{}='>'"), 400_000)  # below the size at which every page is thinned out
    script = "<script>" + "a = b > c; " * 2_000 + "</script><p>text"
    assert is_plain(script)


# Tags that close what is not open, or open what the parser closes otherwise than they seem to.
@pytest.mark.parametrize(
    "piece",
    [
        *("<li><section>", "<dd><section>", "<div><table><tr><td></div>", "<a><div><a>", "<b><div></b>", "<rt>"),
        *("<form><div></form>", "<div><marquee></div>", "<p><object></p>", "<math><mi><p>", "<svg><desc><p>"),
        *("<!--><div>", "<!---><div>", "<div><? </div>", "<div></ </div>>", "<div><title></titlex></div></title>"),
        *("<svg><g><![CDATA[></g>]]>", "<svg><title><div>", "<div/><svg><b/><dl/>", "<svg><dt/><section/>"),
        *("<option><section>", "<div><table></div></table>", "</noscript><foreignObject>", "<svg><g a= />"),
        "<div><script><!--<script></script></div></script>",
    ],
)
@pytest.mark.parametrize("count", [1_500, 20_000])
def test_no_order_of_tags_makes_a_tree_deep(piece: str, count: int) -> None:
    tree = dom.parse(piece * count)
    assert tree.root is not None
    assert max(depth for _, depth in dom.walk(tree.root)) <= dom.TANGLED_DEPTH


def test_text_stays_where_tags_were_too_tangled() -> None:
    tree = dom.parse("<svg>" + "<g a= />word " * 20_000 + "<script>no word</script><p>last")
    assert tree.body is not None
    assert tree.body.text().split() == ["word"] * 20_000 + ["last"]


def test_lists_of_options_are_bounded_one_by_one() -> None:
    html = "<div>" * 70 + ("<select>" + "<option>May" * 900 + "</select>") * 3
    assert dom.bounded(html) == html
    long = "<select>" + "<option>May" * 9_000 + "</select>"
    assert dom.bounded(long).count("<option>") == MAX_OPTIONS
    assert dom.bounded(long).count("May") == 9_000


def takes_no_long_time(html: str) -> bool:
    return is_cheap(html, count_tags(html))


def test_a_page_is_looked_at_more_closely_only_where_it_may_cost_the_parser_much() -> None:
    ordinary = "<div><p>x <b>y</b></p></div>" * (PLAIN_TAGS // 6)
    assert takes_no_long_time(ordinary)
    deep = "<div>" * (PLAIN_TAGS // 2)
    assert takes_no_long_time(deep)
    assert not is_plain(deep)
    assert takes_no_long_time(ordinary + "<p>" * PLAIN_TAGS)
    assert not takes_no_long_time(ordinary + "<p>" * FLAT_TAGS)
    assert not takes_no_long_time("<div>" * (2 * PLAIN_TAGS))
    assert not takes_no_long_time("".join(f"<b a{n}=1><p></i>" for n in range(PLAIN_TAGS // 4)))
    assert not takes_no_long_time("<select>" + "<option>May" * (PLAIN_TAGS // 2))


# Around what is nested stand `html` and `body`.
AROUND = 2


@pytest.mark.parametrize("depth", [PLAIN_DEPTH, PLAIN_DEPTH + 1, MAX_DEPTH - 1, MAX_DEPTH, MAX_DEPTH + 1])
def test_a_tree_is_too_deep_from_its_bound_on(depth: int) -> None:
    nested = "<div>" * (depth - AROUND) + "<b>deepest</b>"
    beside = "<p>Beside.</p>" * SHALLOW_TAGS
    tree = LexborHTMLParser(beside + nested)
    assert dom.is_too_deep(tree) == (depth >= MAX_DEPTH)


def test_no_part_of_a_tag_is_taken_for_a_shorter_one() -> None:
    tags = "<a><b><big><base><body><B><article><s><span><strong>"
    assert [name for _slash, name in FORMATTING_TAG.findall(tags)] == ["a", "b", "big", "B", "s", "strong"]
    assert [name for _slash, name in NESTING_TAG.findall("<p><pre><LI><link><div><td><tdx>")] == ["pre", "div", "tdx"]


def test_text_beyond_the_deepest_tag_is_kept() -> None:
    tree = dom.parse("<div>" * 6000 + "<p>first</p>" + "</div>" * 6000 + "<p>last</p>")
    assert tree.body is not None
    assert tree.body.text().split() == ["firstlast"]
    last = tree.css("p")[-1]
    assert last.parent is not None
    assert last.parent.tag == "body"


@pytest.mark.parametrize(
    "html",
    [
        "<p>one" * 7000,
        "<ul>" + "<li>one" * 7000 + "</ul>",
        "<p>a <b>b</b></p>" * 7000,
        "<table>" + "<tr><td>x<td>y" * 4000 + "</table>",
        "<a name=x>y" * 7000,
        "<p title='a>b'>x</p><!-- <div> --><script>'<div>'</script>" * 4000,
    ],
)
def test_long_ordinary_pages_are_not_touched(html: str) -> None:
    assert dom.bounded(html) == html


def test_too_much_is_cut() -> None:
    assert len(dom.bounded("x" * (dom.MAX_CHARS + 10))) == dom.MAX_CHARS


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Hello, World_2!", ["hello", "world", "2"]),
        ("Straße ﬁne", ["strasse", "fine"]),
        ("don’t – stop—now", ["don", "t", "stop", "now"]),
        ("soft\u00adhyphen zero\u200bwidth", ["softhyphen", "zerowidth"]),
        ("今日は good", ["今", "日", "は", "good"]),
        ("한국어 글", ["한국어", "글"]),
        ("ｆｕｌｌ ｶﾅ", ["full", "カ", "ナ"]),
        ("สวัส", ["ส", "ว", "ั", "ส"]),
        ("आशा वर्मा, நான்", ["आशा", "वर्मा", "நான்"]),
        ("נִכְתַּב נُشر x\u0301y", ["נִכְתַּב", "נُشر", "x\u0301y"]),
        ("", []),
    ],
)
def test_tokenise(text: str, expected: list[str]) -> None:
    assert dom.tokenise(text) == expected


@given(st.text(st.characters(codec="ascii"), max_size=200))
def test_the_ascii_path_agrees_with_the_general_one(text: str) -> None:
    general = [word for word in dom.tokenise(text + " é") if word != "é"]
    assert dom.tokenise(text) == general


@given(st.text(max_size=100))
def test_tokens_are_normalised_already(text: str) -> None:
    for token in dom.tokenise(text):
        assert dom.tokenise(unicodedata.normalize("NFKC", token)) == dom.tokenise(token)


def test_long_runs_of_marks_are_linear() -> None:
    def marked(size: int) -> str:
        return "á" + "\u0301\u0323" * size + " end"

    assert dom.tokenise(marked(500_000))[-1] == "end"
    assert_linear(dom.tokenise, marked, 8_000)


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<h1>One</h1>", "One"),
        ("<h1>  One\n two </h1>", "One two"),
        ("<h1>One<br>two<i>three</i></h1>", "One twothree"),
        ("<h1>One<script>no</script><style>no</style><template>no</template></h1>", "One"),
        ("<h1><a><span>One</span> <b>two</b></a><!-- no --></h1>", "One two"),
        ("<h1></h1>", ""),
        ("<h1><div>Ann</div><time>Sat</time> <b>x</b>y</h1>", "Ann Sat xy"),
    ],
)
def test_node_text(html: str, expected: str) -> None:
    heading = dom.parse(html).css_first("h1")
    assert heading is not None
    assert dom.node_text(heading) == expected


def test_walk_is_in_document_order_and_stays_inside() -> None:
    node = dom.parse("<div id=a><p>x<b>y</b></p><ul><li></li></ul></div><div>after</div>").css_first("#a")
    assert node is not None
    assert [(n.tag, depth) for n, depth in dom.walk(node)] == [
        ("div", 0), ("p", 1), ("-text", 2), ("b", 2), ("-text", 3), ("ul", 1), ("li", 2),
    ]  # fmt: skip


def test_walk_of_a_leaf() -> None:
    leaf = dom.parse("<hr><p>x</p>").css_first("hr")
    assert leaf is not None
    assert [node.tag for node, _ in dom.walk(leaf)] == ["hr"]


def test_formatting_that_stays_open_is_not_cloned_into_every_block() -> None:
    hostile = "".join(f"<b id={n}><p>" for n in range(4_000))
    assert len(dom.parse(hostile).css("b")) < 500_000
