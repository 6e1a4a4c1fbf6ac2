"""Generated mark-up together with the words a reader sees in it."""

from __future__ import annotations

from hypothesis import strategies as st

Made = tuple[str, list[str]]

BLOCKS = ["div", "p", "section", "blockquote", "li", "ul", "h2", "pre", "td", "form", "center", "figure", "custom-tag"]
INLINE = ["b", "i", "span", "a href=/x", "code", "font color=red", "em", "a href='#n' id=n", "label", "sub"]
UNSEEN = [
    *("<script>unseen()</script>", "<style>unseen{}</style>", "<!-- unseen -->", "<p hidden>unseen</p>"),
    *("<button>unseen</button>", "<div style='display:none'><p>unseen</p></div>", "<img src=u.png alt=unseen>"),
    *("<noscript>unseen</noscript>", "<svg><text>unseen</text></svg>", "<div></div>", "<span> </span>", "<br>", "<hr>"),
]


@st.composite
def words(draw: st.DrawFn) -> Made:
    """A few words with odd white space and characters that need escaping around them."""
    parts = draw(st.lists(st.sampled_from(["alpha", "beta", "gamma", "x1", "été", "日"]), min_size=1, max_size=4))
    gap = draw(st.sampled_from([" ", "\n", " &amp; ", " &lt; ", "\t"]))
    return f" {gap.join(parts)} ", parts


def _nested(inner: st.SearchStrategy[Made]) -> st.SearchStrategy[Made]:
    def wrap(tag: str, parts: list[Made]) -> Made:
        name = tag.split(maxsplit=1)[0]
        return f"<{tag}>{''.join(html for html, _ in parts)}</{name}>", [word for _, seen in parts for word in seen]

    return st.builds(wrap, st.sampled_from(BLOCKS + INLINE), st.lists(inner, max_size=4))


def markup() -> st.SearchStrategy[Made]:
    """Trees of blocks and inline elements, some of them unclosed, with parts nobody sees."""
    leaves = st.one_of(words(), st.sampled_from(UNSEEN).map(lambda html: (html, list[str]())))
    return st.recursive(leaves, _nested, max_leaves=20)
