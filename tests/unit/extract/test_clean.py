from __future__ import annotations

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborNode

from blogforever.dom import parse, tokenise
from blogforever.extract.clean import clean_article, clean_html, clean_node
from blogforever.extract.text import html_to_text
from blogforever.extract.visible import Attributes, visit
from blogforever.model import Link, MediaRef
from hostile.growth import assert_linear
from hostile.shapes import LOOKED_AT

from .markup import markup

BASE = "https://example.org/blog/post.html"
BLANK = "data:image/gif;base64,R0lGODlhAQABAAAAACw="


def clean(html: str) -> str:
    return clean_html(html, BASE)


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("", ""),
        ("<p>One</p>", "<p>One</p>"),
        ("<p class=x style='color:red' onclick=x() data-y=z>One</p>", "<p>One</p>"),
        ("<span class=x>One</span> <font color=red>two</font>", "One two"),
        ("<form action=/x><input>text<button>Go</button></form>", "<div>text</div>"),
        ("a<!-- no -->b<script>no</script><style>no</style>", "ab"),
        ("<div><div> <span></span></div></div>", ""),
        ("<p>foo<b></b>bar</p>", "<p>foobar</p>"),
        ("<p>foo<b> </b>bar</p>", "<p>foo bar</p>"),
        ("foo<div></div>bar", "foo\nbar"),
        ("<p>&nbsp;</p><p>x</p>", "<p>x</p>"),
        ("<p>a<b><br></b>b</p>", "<p>a<b><br></b>b</p>"),
        ("<p hidden>no</p><p style='display:none'>no</p>yes", "yes"),
        ("<center>mid</center>", "<div>mid</div>"),
        ("<p dir=rtl lang=ar>x</p>", '<p lang="ar" dir="rtl">x</p>'),
        ("<p dir=up lang='\"x'>x</p>", "<p>x</p>"),
        ("<abbr title=Long>L</abbr>", '<abbr title="Long">L</abbr>'),
        ("<del datetime=2020>a</del><ins>b</ins>", '<del datetime="2020">a</del><ins>b</ins>'),
        ("H<sub>2</sub>O<sup>+</sup>", "H<sub>2</sub>O<sup>+</sup>"),
        ("<ruby>漢<rt>kan</rt></ruby>", "<ruby>漢<rt>kan</rt></ruby>"),
        ("<blockquote cite=/c>q</blockquote>", '<blockquote cite="https://example.org/c">q</blockquote>'),
        (
            "<details open><summary>S</summary>T</details>",
            '<details open=""><summary>S</summary>T</details>',
        ),
        (
            "<ol start=3 reversed><li value=7>x</li></ol>",
            '<ol start="3" reversed=""><li value="7">x</li></ol>',
        ),
        (
            "<math display=block><mfrac><mi>x</mi><mrow></mrow></mfrac></math>",
            '<math display="block"><mfrac><mi>x</mi><mrow></mrow></mfrac></math>',
        ),
        (
            "<table border=1><tr><th scope=col>A</th><td colspan=2 bgcolor=red>B</td><td></td></tr></table>",
            '<table><tbody><tr><th scope="col">A</th><td colspan="2">B</td><td></td></tr></tbody></table>',
        ),
        ("<h2 id=here>Head</h2>", '<h2 id="here">Head</h2>'),
        ("<h2>Head<a class=headerlink href='#h' title=Link>¶</a></h2>", "<h2>Head</h2>"),
        ("<h2><a class=anchor href='#h' aria-hidden=true><svg></svg></a>Head</h2>", "<h2>Head</h2>"),
        ("<h2><a href='#h'>🔗</a>Head</h2>", "<h2>Head</h2>"),
        ("<div id=gone>x</div>", "<div>x</div>"),
    ],
)
def test_markup(html: str, expected: str) -> None:
    assert clean(html) == expected


@pytest.mark.parametrize(
    ("href", "expected"),
    [
        ("/a?b=1&c=2", "https://example.org/a?b=1&amp;c=2"),
        ("next.html#part", "https://example.org/blog/next.html#part"),
        ("//other.example/x", "https://other.example/x"),
        ("#note", "#note"),
        (f"{BASE}#note", "#note"),
        ("mailto:a@example.org", "mailto:a@example.org"),
        ("  http://x.example/ ", "http://x.example/"),
    ],
)
def test_links_are_absolute(href: str, expected: str) -> None:
    assert clean(f"<a href='{href}'>x</a>") == f'<a href="{expected}">x</a>'


@pytest.mark.parametrize(
    "href",
    ["javascript:alert(1)", "JaVa\tScript:x", " javascript:x", "data:text/html,x", "vbscript:x", "http://…", "", "#"],
)
def test_links_to_nowhere_keep_their_text(href: str) -> None:
    assert clean(f"<a rel=nofollow title=t href='{href}'>x</a>") == "x"


def test_footnotes_keep_their_marks() -> None:
    html = clean(
        "<p>Word<sup id=ref1><a href='#fn1'>1</a></sup></p><p><a name=unused></a>x</p>"
        "<ol><li id=fn1>Note <a href='#ref1'>back</a></li><li id=other>Other</li></ol>"
    )
    assert '<sup id="ref1"><a href="#fn1">1</a></sup>' in html
    assert '<li id="fn1">Note <a href="#ref1">back</a></li><li>Other</li>' in html
    assert "unused" not in html


def test_named_anchors_become_ids() -> None:
    assert clean("<a name=top></a>x<a href='#top'>up</a>") == '<a id="top"></a>x<a href="#top">up</a>'


def test_marks_for_links_nobody_sees_go() -> None:
    assert clean("<p hidden><a href='#x'>skip</a></p><div id=x>text</div>") == "<div>text</div>"


@pytest.mark.parametrize(
    ("html", "src"),
    [
        ("<img src=a.png>", "https://example.org/blog/a.png"),
        (f"<img src='{BLANK}' data-src=/a.png>", "https://example.org/a.png"),
        ("<img src=small.jpg data-original=/a.png>", "https://example.org/a.png"),
        ("<img data-lazy-src=/a.png src=/placeholder.svg>", "https://example.org/a.png"),
        ("<img src=/blank.gif data-orig-file=/a.png>", "https://example.org/a.png"),
        ("<img src=/a-300.png data-orig-file=/a.png>", "https://example.org/a-300.png"),
        ("<img src=/blank.gif><noscript><img src=/a.png></noscript>", "https://example.org/a.png"),
        ("<img data-src=/a.png><noscript><img src=/a.png></noscript>", "https://example.org/a.png"),
        ("<img data-src=/a.png> <noscript><img src=/a-big.png></noscript>", "https://example.org/a.png"),
        ("<noscript><img src=/a.png></noscript><img data-src=/a.png>", "https://example.org/a.png"),
        ("<noscript><img src=/a.png></noscript>", "https://example.org/a.png"),
        ("<img src=/loading.gif>", "https://example.org/loading.gif"),
        (
            "<amp-img src=/a.png width=5 height=5><noscript><img src=/a.png></noscript></amp-img>",
            "https://example.org/a.png",
        ),
    ],
)
def test_lazy_pictures_are_found_once(html: str, src: str) -> None:
    article = clean_article(html, BASE)
    assert re.findall(r'<img src="([^"]*)"', article.html) == [src]
    assert [media.url for media in article.media] == [src]


@pytest.mark.parametrize(
    "html",
    [
        "<img src=/t.gif width=1 height=1>",
        "<img src=/t.gif style='width:1px;height:1px'>",
        f"<img src='{BLANK}'>",
        "<img>",
        "<img src='javascript:x'>",
        "<noscript><img src=/t.gif width=1 height=1></noscript>",
        "<noscript>Please enable scripts</noscript>",
        "<iframe src=/t width=0 height=0></iframe>",
        "<iframe src='javascript:x'></iframe>",
        "<iframe srcdoc='<script>x</script>'></iframe>",
        "<video>Your browser is old</video>",
    ],
)
def test_nothing_to_see(html: str) -> None:
    article = clean_article(html, BASE)
    assert (article.html, article.text, article.media) == ("", "", ())


def test_sets_of_sizes() -> None:
    html = clean("<img alt='A b' srcset='s.png 300w, /l,1.png 900w' sizes='50vw' loading=lazy width=300 height=auto>")
    assert html == (
        '<img src="https://example.org/l,1.png" alt="A b" width="300"'
        ' srcset="https://example.org/blog/s.png 300w, https://example.org/l%2C1.png 900w" sizes="50vw">'
    )


def test_inline_pictures_stay_but_are_no_media() -> None:
    picture = "data:image/png;base64," + "iVBORw0KGgo" * 30
    article = clean_article(f"<p>x<img src='{picture}'></p>", BASE)
    assert picture in article.html
    assert article.media == ()


def test_picture_with_sources() -> None:
    assert clean("<picture><source srcset='a.webp 1x' type=image/webp><img src=a.png></picture>") == (
        '<picture><source srcset="https://example.org/blog/a.webp 1x" type="image/webp">'
        '<img src="https://example.org/blog/a.png"></picture>'
    )


def test_media_with_captions() -> None:
    article = clean_article(
        "<figure><a href=/big.png><img src=/a.png alt=Alt></a><figcaption>A <b>caption</b></figcaption></figure>"
        "<div class='wp-caption'><img src=/b.png><p class=wp-caption-text>Old</p></div>"
        "<video poster=/p.png><source src=/f.mp4 type=video/mp4></video><audio src=/s.mp3></audio>"
        "<iframe src='https://player.example/1' width=500 height=300 onload=x></iframe>",
        BASE,
    )
    assert article.media == (
        MediaRef("https://example.org/a.png", alt="Alt", caption="A caption"),
        MediaRef("https://example.org/b.png", caption="Old"),
        MediaRef("https://example.org/f.mp4", role="video"),
        MediaRef("https://example.org/s.mp3", role="audio"),
        MediaRef("https://player.example/1", role="embed"),
    )
    assert (
        '<iframe src="https://player.example/1" width="500" height="300" allowfullscreen=""></iframe>' in article.html
    )
    assert '<source src="https://example.org/f.mp4" type="video/mp4"></video>' in article.html
    assert article.text == "A caption\n\nOld"


@pytest.mark.parametrize(
    "html",
    [
        "<object><param name=movie value='http://www.youtube.com/v/abcdef'><embed src='http://www.youtube.com/v/abcdef'></object>",
        "<embed src='http://www.youtube.com/v/abcdef'>",
        "<object data='http://www.youtube.com/v/abcdef'></object>",
        "<iframe data-src='http://www.youtube.com/embed/abcdef'></iframe>",
    ],
)
def test_old_players_become_frames(html: str) -> None:
    assert clean(html) == '<iframe src="http://www.youtube.com/embed/abcdef" allowfullscreen=""></iframe>'


@pytest.mark.parametrize(
    "html",
    [
        "<pre class='brush: python'>x = 1</pre>",
        "<pre class='language-python line-numbers'>x = 1</pre>",
        "<div class='language-python highlighter-rouge'><div class=highlight><pre>x = 1</pre></div></div>",
        "<figure class='highlight python'><table><tr><td class=gutter><pre>1</pre></td><td><pre>x = 1</pre></td>"
        "</tr></table></figure>",
    ],
)
def test_listings_keep_their_language_and_lose_their_gutter(html: str) -> None:
    cleaned = clean(html)
    assert '<pre class="language-python">x = 1</pre>' in cleaned
    assert "<table" not in cleaned


COLOURED = "<pre><code class=language-c><span class=k>if</span> (<span>x</span>)\n  {}</code></pre>"


@pytest.mark.parametrize(
    ("last", "written"),
    [
        ("<span class=n>y</span> &lt; 1", "y &lt; 1"),
        ("<span class=ln>2</span>y", "y"),
        ("<span style='display:none'>no</span>y", "y"),
        ("<span class=n><b>y</b></span>", "<b>y</b>"),
        ("y<!-- no -->", "y"),
        ('<span class=n title="<i>">y</span>', "y"),
    ],
)
def test_coloured_words_of_a_listing_are_its_text(last: str, written: str) -> None:
    assert clean(COLOURED.format(last)) == f'<pre><code class="language-c">if (x)\n  {written}</code></pre>'


@pytest.mark.parametrize("begin", ["<span></span>\n", "<span>\n</span>\n", "<span>a\r</span>\n"])
def test_line_ends_that_a_listing_begins_with_are_read_piece_by_piece(begin: str) -> None:
    coloured, plain = f"<pre>{begin}<span class=k>b</span></pre>", f"<pre>{begin}<i>b</i></pre>"
    assert clean(coloured) == clean(plain).replace("<i>b</i>", "b")


class Told:
    """What is told of a tree."""

    def __init__(self) -> None:
        self.steps: list[str] = []

    def text(self, _text: str) -> None:
        self.steps.append("text")

    def open(self, _node: LexborNode, _tag: str, _attributes: Attributes) -> None:
        self.steps.append("open")

    def close(self, _tag: str) -> None:
        self.steps.append("close")


def test_a_coloured_listing_is_walked_over_in_one_step() -> None:
    listing = parse("<pre>" + 100 * "<span class=k>if</span> x\n" + "</pre>").css_first("pre")
    assert listing is not None
    told = Told()
    visit(listing, told)
    assert told.steps == ["open", "text", "close"]


def test_what_is_excluded_is_left_out_of_a_coloured_listing() -> None:
    tree = parse(COLOURED.format("<span class=n>y</span>"))
    body, word = tree.body, tree.css_first(".k")
    assert body is not None
    assert word is not None
    assert clean_node(body, BASE, {word.mem_id}).text == "(x)\n  y"


def test_line_breaks_in_listings_stay() -> None:
    assert clean("<pre>\n\n\n  a\n    b\n</pre>") == "<pre>  a\n    b\n</pre>"


def test_links_are_listed() -> None:
    article = clean_article(
        "<a href=/a rel='nofollow tag'>One <b>two</b></a><a href='#x'>in</a><a href='mailto:x@y.z'>m</a>", BASE
    )
    assert article.links == (Link("https://example.org/a", "One two", "nofollow tag"),)


def test_excluded_parts_are_left_out() -> None:
    tree = parse("<article><p>keep</p><ul class=share><li>drop</li></ul></article>")
    article, share = tree.css_first("article"), tree.css_first("ul")
    assert article is not None
    assert share is not None
    result = clean_node(article, BASE, {share.mem_id})
    assert (result.html, result.text) == ("<p>keep</p>", "keep")


ATTACKS = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg onload=alert(1)><script>alert(1)</script></svg>",
    "<a href='javascript:alert(1)'>x</a>",
    "<a href='java&#x0A;script:alert(1)'>x</a>",
    "<a href='&#106;avascript:alert(1)'>x</a>",
    "<iframe src='javascript:alert(1)'></iframe>",
    "<iframe srcdoc='&lt;script>alert(1)&lt;/script>'></iframe>",
    "<form action='javascript:alert(1)'><input formaction='javascript:alert(1)'></form>",
    "<math><mi xlink:href='javascript:alert(1)'>x</mi></math>",
    "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror=alert(1)&gt;'>",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'></noscript>",
    "<noscript><img src=x title='</noscript><script>alert(1)</script>'></noscript>",
    "<xmp><script>alert(1)</script></xmp>",
    "<textarea><img src=x onerror=alert(1)></textarea>",
    "<template><script>alert(1)</script></template>",
    "<object data='javascript:alert(1)'></object><embed src='data:text/html,<script>alert(1)</script>'>",
    "<meta http-equiv=refresh content='0;url=javascript:alert(1)'><base href='javascript:alert(1)//'>",
    "<link rel=stylesheet href='javascript:alert(1)'><style>@import 'javascript:alert(1)'</style>",
    "<div style='background:url(javascript:alert(1))'>x</div>",
    "<img src='data:image/svg+xml,<svg onload=alert(1)>'>",
    "<img srcset='javascript:alert(1) 1x, data:text/html,x 2x'>",
    "<video poster='javascript:alert(1)' src='javascript:alert(1)' onerror=alert(1)></video>",
    "<source srcset='x' onerror=alert(1)>",
    "<p lang='\"><script>alert(1)</script>' id='\"><script>'>x</p><a href='#\"><script>alert(1)</script>'>y</a>",
    "<pre class='language-\"><script>alert(1)</script>'>x</pre>",
    "<img alt='\"><script>alert(1)</script>' src=x>",
    '<img alt="`><img src=x onerror=alert(1)>" src=x>',
    "<details open ontoggle=alert(1)><summary onclick=alert(1)>x</summary></details>",
    "<<script>alert(1)//<</script>",
    "<lite-youtube videoid='\"><script>alert(1)</script>'></lite-youtube>",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "<plaintext><script>alert(1)</script>",
]
DANGER = "script, style, object, embed, form, input, svg, link, meta, base, template, noscript, textarea, mglyph"


@pytest.mark.parametrize("attack", ATTACKS)
def test_attacks_are_disarmed(attack: str) -> None:
    assert_safe(clean(attack))


@given(
    st.lists(
        st.sampled_from(ATTACKS + [piece for attack in ATTACKS for piece in re.split("(?=<)", attack)]), max_size=8
    )
)
def test_mixed_attacks_are_disarmed(attacks: list[str]) -> None:
    assert_safe(clean("".join(attacks)))


def assert_safe(html: str) -> None:
    tree = parse(html)
    assert not tree.css(f"body :is({DANGER}), head :is({DANGER})")
    for node in tree.css("*"):
        for name, value in node.attributes.items():
            assert not name.startswith("on")
            assert name not in ("style", "srcdoc", "action", "formaction", "xlink:href")
            if name in ("href", "src", "poster", "cite", "srcset"):
                assert re.match(r"https?://|mailto:|#", value or "")


@given(markup())
def test_not_a_word_is_lost_or_added(made: tuple[str, list[str]]) -> None:
    html, words = made
    article = clean_article(html, BASE)
    assert tokenise(article.text) == words
    assert tokenise(html_to_text(article.html)) == words


@given(markup())
@example(("<h2> alpha <a href='#n' id=n><p hidden>unseen</p></a></h2>", ["alpha"]))
@example(("<h2> alpha <a href='#n' id=n><button>unseen</button></a></h2>", ["alpha"]))
def test_cleaning_twice_changes_nothing(made: tuple[str, list[str]]) -> None:
    once = clean(made[0])
    assert clean(once) == once


PIECES = st.sampled_from(
    ["<p>", "</p>", "<div>", "</div>", "<a href=/x>", "</a>", "<b>", "</b>", "<table>", "<tr>", "<td>", "</table>",
     "<ul>", "<li>", "</ul>", "<pre>", "\n", "</pre>", "<br>", "<h2>", "</h2>", "text", " ", "<img src=a.png>", "&amp;",
     "<span id=x>", "</span>", "<a href='#x'>", "<noscript>", "</noscript>", "<form>", "</form>", "<figure>"]
)  # fmt: skip


@settings(max_examples=300)
@given(st.lists(PIECES, max_size=14))
def test_broken_markup_settles(pieces: list[str]) -> None:
    once = clean("".join(pieces))
    assert clean(once) == once


@given(st.text(max_size=300))
def test_cleaning_is_total(html: str) -> None:
    clean(html)


@pytest.mark.parametrize(
    ("before", "piece"),
    [("", "<div>x"), ("", "<p><b>x"), ("", "<a href=#x id=x>"), ("", "<img src=a>"), ("", "<pre>\n"), ("", "<span>"),
     ("<img srcset='", ","), ("<img srcset='", "a "), ("<img srcset='", " "), ("<img srcset='", "a,"),
     ("<img src='", "/blank.gif?")],
)  # fmt: skip
def test_hostile_input_is_linear(before: str, piece: str) -> None:
    assert_linear(clean, lambda size: LOOKED_AT.decode() + before + piece * (size // len(piece)), 200_000)
