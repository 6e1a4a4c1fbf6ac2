from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blogforever.dom import parse, tokenise
from blogforever.extract.text import html_to_text, node_to_text
from hostile.growth import assert_linear
from hostile.shapes import LOOKED_AT

from .markup import markup


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("", ""),
        ("plain", "plain"),
        ("<p>One</p><p>Two</p>", "One\n\nTwo"),
        ("<div>One<div>Two</div>Three</div>", "One\n\nTwo\n\nThree"),
        ("foo<b>bar</b> <i>baz</i>", "foobar baz"),
        ("<p>a  b\n c\u00a0d</p>", "a b c d"),
        ("a<br>b<br><br>c", "a\nb\n\nc"),
        ("<ul><li>One</li><li>Two<ul><li>In</li></ul></li></ul>after", "- One\n- Two\n  - In\n\nafter"),
        ("<ol><li>One<li><p>Two</p></ol>", "- One\n\n- Two"),
        ("<ul><li></li><li>x</li></ul>y", "- x\n\ny"),
        ("<table><tr><th>A<th>B<tr><td>1<td>2</table>", "A\tB\n1\t2"),
        ("<dl><dt>T<dd>D</dl>", "T\nD"),
        ("<h2>Head</h2>text", "Head\n\ntext"),
        ("x<pre>\n\n a\n   b\n\n</pre>y", "x\n\n a\n   b\n\ny"),
        ("<pre>a<br>b</pre>", "a\nb"),
        ("<pre><div>a</div><div>b</div></pre>", "a\nb"),
        ("<pre><code><span>if</span> (x)\r\n  y</code></pre>", "if (x)\n  y"),
        ("x<sup>2</sup>", "x2"),
        ("<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>", "漢(kan)"),
        ("a<script>no()</script><style>no{}</style><template>no</template><noscript>no</noscript>b", "ab"),
        ("a<svg><text>no</text></svg><iframe>no</iframe><video>no</video><object>no</object>", "a"),
        (
            "<form>Ask <input value=no><button>no</button><select><option>no</select><textarea>no</textarea></form>",
            "Ask",
        ),
        ("<img alt=no>a", "a"),
        ("a<p hidden>no</p><p style='color:red; DISPLAY : none'>no</p><i style='visibility:hidden'>no</i>", "a"),
        ("<div class=spoiler style='display:none'>the end</div>", "the end"),
        ("<div class=accordion><div style='display:none'>folded</div></div>", "folded"),
        ("<div class=toggle style='display:none'><form>no</form></div>", ""),
        ("<p hidden=until-found>found</p>", "found"),
        ("<span aria-hidden=true>shown</span>", "shown"),
        ("for <script type='math/tex'>n^2</script>, so<script>no()</script>", "for n^2, so"),
        ("<script type='math/tex; mode=display'>% <![CDATA[\na < b %]]></script> holds", "a < b holds"),
        ("a <i class=MathJax_Preview>no</i><script type='math/tex'>x</script> b", "a x b"),
        ("a <i class=MathJax_Preview></i> <i class=MathJax>y</i> <script type='math/tex'>no</script> b", "a y b"),
        ("a <i class=MathJax>y</i><!-- no --><script type='math/tex'>no</script> b", "a y b"),
        ("a <i class=katex><b class=katex-html aria-hidden=true>x</b></i> b", "a x b"),
        ("a <i class=katex><b class=katex-mathml>x</b><b class=katex-html>no</b></i> b", "a x b"),
        ("end.<i>1<b style='display:none'>A note of four words.</b></i> Next.", "end.1A note of four words. Next."),
        ("end.<i>3<b style='display:none'>people like it</b></i> Next.", "end.3 Next."),
        (
            "end.<i>v<b hidden>a note of four words</b></i> Next: a note of four words",
            "end.v Next: a note of four words",
        ),
        ("<sup data-note=n1>*</sup><p id=n1 hidden>Said below.</p>", "*\n\nSaid below."),
        ("<sup data-note=n1>word</sup><p id=n1 hidden>Said below.</p>", "word"),
        ("<h2>Head <a class=headerlink href='#h'>¶</a></h2>", "Head"),
        ("<h2><a href='#h'>#</a> Head</h2>", "Head"),
        ("<h2><a class=anchor href='#h'>Head</a></h2>", "Head"),
        ("<!-- no -->a", "a"),
        ("<details><summary>Sum</summary>More</details>", "Sum\n\nMore"),
        ("<math><semantics><mi>x</mi><annotation>no</annotation></semantics></math>", "x"),
        ("&lt;b&gt; &amp; &eacute;", "<b> & é"),
    ],
)
def test_text(html: str, expected: str) -> None:
    assert html_to_text(html) == expected


CODE = "<pre>let a;\nlet b;</pre>"


@pytest.mark.parametrize(
    "listing",
    [
        f"<figure class=code><table><tr><td class=gutter><pre>1\n2</pre></td><td>{CODE}</td></tr></table></figure>",
        f"<table><tr><td class='rouge-gutter gl'><pre>1\n2\n</pre></td><td class=rouge-code>{CODE}</td></tr></table>",
        f"<table><tr><td class=linenos><div class=linenodiv><pre>1\n2</pre></div></td><td>{CODE}</td></tr></table>",
        f"<table class=lntable><tr><td class=lntd><pre><span class=lnt>1\n</span><span class=lnt>2\n</span></pre></td>"
        f"<td class=lntd>{CODE}</td></tr></table>",
        "<pre><span class=ln>1</span>let a;\n<span class=ln>2</span>let b;</pre>",
        "<pre><span class=lineno>1 </span>let a;\n<span class=lineno>2 </span>let b;</pre>",
        f"<div class=crayon><div class=crayon-toolbar>JS</div><table><tr><td class=crayon-nums><div>1</div><div>2"
        f"</div></td><td>{CODE}</td></tr></table></div>",
    ],
)
def test_line_numbers_are_no_text(listing: str) -> None:
    assert [line.strip() for line in html_to_text(listing).splitlines() if line.strip()] == ["let a;", "let b;"]


def test_a_class_alone_makes_no_gutter() -> None:
    assert html_to_text("<p class=ln>Line 1 of a poem</p>") == "Line 1 of a poem"


def test_an_article_that_a_script_unveils_is_text() -> None:
    words = "word " * 100
    assert html_to_text(f"<div style='visibility:hidden'><p>{words}</p></div><p>by me</p>").startswith("word word")
    assert html_to_text(f"<div style='display:none'><form>{words}</form></div><p>by me</p>") == "by me"
    assert html_to_text(f"<p>{words}</p><div style='display:none'><p>{words}</p></div>") == words.strip()


def test_excluded_parts_are_left_out() -> None:
    tree = parse("<article><p>keep</p><div class=share>drop <b>this</b></div><p>too</p></article>")
    article, share = tree.css_first("article"), tree.css_first(".share")
    assert article is not None
    assert share is not None
    assert node_to_text(article, {share.mem_id}) == "keep\n\ntoo"
    assert node_to_text(share) == "drop this"


def test_a_node_stays_within_itself() -> None:
    node = parse("<p>before</p><p id=x>in</p><p>after</p>").css_first("#x")
    assert node is not None
    assert node_to_text(node) == "in"


@given(markup())
def test_every_visible_word_once_and_in_order(made: tuple[str, list[str]]) -> None:
    html, words = made
    assert tokenise(html_to_text(html)) == words


@given(st.text(max_size=300))
def test_text_is_total(html: str) -> None:
    html_to_text(html)


@pytest.mark.parametrize("piece", ["<div>x", "<ul><li>x", "<b>", "<br>"])
def test_hostile_input_is_linear(piece: str) -> None:
    assert_linear(html_to_text, lambda size: LOOKED_AT.decode() + piece * (size // len(piece)), 400_000)
