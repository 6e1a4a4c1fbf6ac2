"""An archived page loads files of the archive, links into it, and has nothing left that acts."""

from __future__ import annotations

import pytest

from blogforever.export.inert import Use, inert_page, inert_sheet

PAGE = "https://b.example/2020/post/"


def address(use: Use, url: str) -> str:
    return f"/{use}/{url.removeprefix('https://').replace('/', '+')}"


def shown(html: str) -> str:
    return inert_page(html, PAGE, address)


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ('<img src="a.png">', '<img src="/file/b.example+2020+post+a.png">'),
        ('<img src="x.gif" data-src="/a.png">', 'src="/file/b.example+a.png"'),
        ('<img srcset="/a.png 1x, /a.png?b 2x">', 'srcset="/file/b.example+a.png 1x, /file/b.example+a.png?b 2x"'),
        ('<a href="../other/#here">x</a>', 'href="/page/b.example+2020+other+"'),
        ('<a href="#here">x</a>', 'href="#here"'),
        ('<link rel="stylesheet" href="/s.css" integrity="x">', '<link rel="stylesheet" href="/file/b.example+s.css">'),
        ('<p style="background: url(a.png)">x</p>', "url(&quot;/file/b.example+2020+post+a.png&quot;)"),
        ("<style>@import 'a.css'; p { src: url(/f.woff) }</style>", '@import "/file/b.example+2020+post+a.css";'),
        ('<base href="https://c.example/"><img src="a.png">', "/file/c.example+a.png"),
        ('<svg><image xlink:href="/a.png"></image></svg>', 'xlink:href="/file/b.example+a.png"'),
        ('<video poster="/p.jpg" src="/v.mp4"></video>', 'poster="/file/b.example+p.jpg" src="/file/b.example+v.mp4"'),
        ('<img src="data:image/gif;base64,AA">', 'src="data:image/gif;base64,AA"'),
        ("<noscript><img src=/a.png></noscript>", "/file/b.example+a.png"),
    ],
)
def test_what_is_loaded_comes_out_of_the_archive(html: str, expected: str) -> None:
    assert expected in shown(html)


@pytest.mark.parametrize(
    "html",
    [
        "<script>evil()</script>",
        "<img src=x onerror=evil()>",
        "<body onload=evil()>",
        '<a href="javascript:evil()">x</a>',
        '<a href=" java&#10;script:evil()">x</a>',
        '<iframe src="https://evil.example/"></iframe>',
        '<object data="https://evil.example/"></object>',
        '<meta http-equiv="refresh" content="0; url=https://evil.example/">',
        '<link rel="preconnect" href="https://evil.example/">',
        '<form action="https://evil.example/"><input formaction="https://evil.example/"></form>',
        '<a ping="https://evil.example/" href="/x">x</a>',
        "<template><img src=https://evil.example/></template>",
        '<svg><a xlink:href="javascript:evil()">x</a></svg>',
        "<style>p { background: url(https://evil.example/a.png) } </style>",
        "<p style='background: url(//evil.example/a.png)'>x</p>",
    ],
)
def test_nothing_acts_and_nothing_comes_from_elsewhere(html: str) -> None:
    made = shown(html)
    assert "evil()" not in made
    assert "//evil.example" not in made


def test_a_sheet_cannot_be_ended_by_an_address() -> None:
    css = "a { background: url('x\\\"</style><script>') }"
    made = inert_sheet(css, PAGE, lambda _use, url: f'/"{url}</style>')
    assert "</style>" not in made
    assert made.count('"') == 2
