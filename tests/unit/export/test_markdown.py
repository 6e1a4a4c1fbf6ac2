"""Mark-up becomes Markdown that reads the same; what would be a sign stays a letter."""

from __future__ import annotations

import pytest

from blogforever.export.markdown import as_markdown


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<h2>A *b*</h2><p>c</p>", "## A \\*b\\*\n\nc\n"),
        ("<p>1. one</p><p># two</p><p>- three</p>", "1\\. one\n\n\\# two\n\n\\- three\n"),
        ('<p>see <a href="https://b.example/a">th<em>at</em></a>', "see [th*at*](<https://b.example/a>)\n"),
        ("<p>a<br>b <strong>c</strong> <code>d`e</code></p>", "a  \nb **c** `` d`e ``\n"),
        ("<ul><li>one<ul><li>in</li></ul></li><li>two</li></ul>", "- one\n  \n  - in\n- two\n"),
        ("<ol><li>x</li><li>y</li></ol>", "1. x\n2. y\n"),
        ("<pre><code>a\n  ```b</code></pre>", "````\na\n  ```b\n````\n"),
        ("<blockquote><p>q</p><p>r</p></blockquote>", "> q\n>\n> r\n"),
        (
            "<table><tr><th>a</th><th>b</th></tr><tr><td>1|2</td></tr></table>",
            "| a | b |\n| --- | --- |\n| 1\\|2 |  |\n",
        ),
        ('<img src="https://b.example/p.png" alt="A_b">', "![A\\_b](<https://b.example/p.png>)\n"),
        ("<script>x()</script><p>y</p>", "y\n"),
        ("", ""),
    ],
)
def test_each_kind_of_mark_up_has_its_sign(html: str, expected: str) -> None:
    assert as_markdown(html) == expected


def test_what_goes_deep_ends_at_a_depth() -> None:
    assert as_markdown("<blockquote>" * 500 + "deep").endswith("deep\n")
