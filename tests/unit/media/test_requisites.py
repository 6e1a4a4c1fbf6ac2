from __future__ import annotations

from urllib.parse import urljoin

import pytest

from blogforever.media.requisites import (
    css_addresses,
    css_files,
    page_files,
    script_addresses,
    script_files,
    set_addresses,
)
from blogforever.model import Page

HTML = """<html><head><base href="/base/"><link rel="stylesheet" href="a.css"><link rel="icon" href="/i.png">
<link rel="alternate" href="/feed.xml"><script src="s.js"></script>
<style>@import "b.css"; p { background: url(c.png) }</style></head>
<body background="bg.gif"><img src="1.jpg" srcset="1.jpg 1x, 2,x.jpg 2x">
<picture><source srcset="3.webp 300w, 4.webp 600w"><img data-src="5.jpg" src="data:image/gif;base64,R0"></picture>
<div style="background-image:url('6.png')"></div><audio src="7.mp3"></audio>
<video poster="8.jpg"><source src="9.mp4"></video><a href="10.pdf">doc</a><a href="/page/">page</a>
<svg><image href="11.png"/></svg></body></html>"""


def test_a_page_names_what_it_loads_and_what_it_offers() -> None:
    files = page_files(Page("https://x.example/p", HTML.encode()))
    loaded = "a.css s.js b.css c.png bg.gif 1.jpg 2,x.jpg 3.webp 4.webp 5.jpg 6.png 8.jpg 11.png ../i.png"
    base = "https://x.example/base/"
    assert {file.url for file in files if file.role == "requisite"} == {urljoin(base, name) for name in loaded.split()}
    assert {file.url for file in files if file.role == "media"} == {base + n for n in ("7.mp3", "9.mp4", "10.pdf")}


def test_a_page_without_an_icon_has_the_usual_one() -> None:
    assert [needed.url for needed in page_files(Page("https://x.example/a/b", b"<p>x"))] == [
        "https://x.example/favicon.ico"
    ]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("a.jpg", ["a.jpg"]),
        ("a.jpg 1x, b.jpg 2x", ["a.jpg", "b.jpg"]),
        ("a.jpg,b.jpg 2x", ["a.jpg,b.jpg"]),
        ("a.jpg, b.jpg", ["a.jpg", "b.jpg"]),
        ("  c,d.jpg 300w ,e.jpg 600w", ["c,d.jpg", "e.jpg"]),
        ("", []),
    ],
)
def test_all_candidates_of_a_set(value: str, expected: list[str]) -> None:
    assert set_addresses(value) == expected


def test_css_in_every_spelling() -> None:
    css = "@import 'a.css'; @import url(b.css) print; x{background:URL( \"c.png\" )} y{fill:url(#z)}"
    css += " @font-face{src:url('d.woff2') format('woff2')}"
    assert list(css_addresses(css)) == ["a.css", "b.css", "c.png", "d.woff2"]
    assert [n.url for n in css_files(b"p{background:url(../i/x.png)}", "https://x.example/css/a.css")] == [
        "https://x.example/i/x.png"
    ]


def test_scripts_in_a_page_may_load_what_they_name_whole() -> None:
    script = r"""x({"a":"http:\/\/x.example\/e.min.js?ver=6","b":".svg","c":"https:\/\/y.example\/images\/"},
    '/f/i.woff2', "//z.example/p.CSS", "relative.js", /[/"]\.js"/, "/page/", "/not a file.js")"""
    assert script_addresses(script) == ["http://x.example/e.min.js?ver=6", "/f/i.woff2", "//z.example/p.CSS"]
    html = f'<link rel=icon href=i.png><script>{script}</script><script type="application/ld+json">["/p.png"]</script>'
    assert [file.url for file in page_files(Page("https://x.example/a/", html.encode()))] == [
        "https://x.example/a/i.png",
        "http://x.example/e.min.js?ver=6",
        "https://x.example/f/i.woff2",
        "https://z.example/p.CSS",
    ]


def test_modules_import_modules() -> None:
    script = b"""import a,{b}from"./a.js";import '../b.mjs'; export * from "/c.js";
    const d = await import( "https://y.example/d.js" ); import e from "bare"; // from the beginning 'x'"""
    assert [needed.url for needed in script_files(script, "https://x.example/js/main.js")] == [
        "https://x.example/js/a.js",
        "https://x.example/b.mjs",
        "https://x.example/c.js",
        "https://y.example/d.js",
    ]
    page = Page("https://x.example/p/", b"<link rel=icon href=i><script type=module>import './m.js'</script>")
    assert [file.url for file in page_files(page)] == ["https://x.example/p/i", "https://x.example/p/m.js"]


def test_hostile_css_and_sets_cost_no_time() -> None:
    assert list(css_addresses("url(" * 200_000)) == []
    assert len(set_addresses("a " * 1_000_000)) <= 20_000
    assert script_files(b"import " * 300_000 + b"from " * 100_000, "https://x.example/") == []
    assert script_addresses('"/.js?' * 200_000) == ["/.js?"]
