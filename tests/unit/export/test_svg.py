"""A drawing goes into a copy where a parser finds nothing in it but a drawing."""

from __future__ import annotations

import pytest

from blogforever.export.media import file_kind

SVG = 'xmlns="http://www.w3.org/2000/svg"'
LINK = 'xmlns:xlink="http://www.w3.org/1999/xlink"'
XHTML = "http://www.w3.org/1999/xhtml"


def drawing(inside: str, attributes: str = "", before: str = "") -> bytes:
    return f"{before}<svg {SVG} {LINK} {attributes}>{inside}</svg>".encode()


@pytest.mark.parametrize(
    "content",
    [
        drawing("<rect width='4' height='4'/>"),
        drawing("<g><path d='M0 0L1 1' style='fill:red'/></g><style>rect{fill:blue}</style>"),
        drawing("<rect/>", before="\ufeff<?xml version='1.0' encoding='UTF-8'?>\n<!-- drawn by hand --><!-- > -->\n"),
        drawing("", before='<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/svg11.dtd">'),
        drawing("<a xlink:href='https://a.example/'><text>onload= and &lt;script&gt; are words</text></a>"),
        drawing("<defs><path id='p'/></defs><use xlink:href='#p'/><image href='data:image/png;base64,AAAA'/>"),
        drawing("<image href=''/><rect style='fill:url(#p)' filter='url(&quot;#p&quot;)' transform='rotate(5)'/>"),
        drawing("<style>.a { fill: url( '#p' ); background: url(data:image/png;base64,AAAA) }</style>"),
        drawing("<rect><animate attributeName='x' from='0' to='9'/></rect>"),
        drawing("<metadata><r:RDF xmlns:r='http://www.w3.org/1999/02/22-rdf-syntax-ns#'/></metadata>"),
        drawing("<s:rect/>", "xmlns:s='http://www.w3.org/2000/svg'"),
        drawing("<rect/>").decode().encode("utf-16"),
    ],
)
def test_a_drawing_is_kept(content: bytes) -> None:
    assert file_kind(content) == "svg"


@pytest.mark.parametrize(
    "content",
    [
        drawing("<script>alert(1)</script>"),
        drawing("<s:script>alert(1)</s:script>", "xmlns:s='http://www.w3.org/2000/svg'"),
        drawing(f"<h:script xmlns:h='{XHTML}'>alert(1)</h:script>"),
        drawing(f"<h:img xmlns:h='{XHTML}' src='x' onerror='alert(1)'/>"),
        drawing("<foreignObject/>"),
        drawing("<handler/>"),
        drawing("", "onload='alert(1)'"),
        drawing("", "onload = 'alert(1)'"),
        drawing("", "ONLOAD='alert(1)'"),
        drawing("<image href='photo.jpg'/>"),
        drawing("<image href='https://a.example/seen.png'/>"),
        drawing("<use href='https://a.example/d.svg#p'/>"),
        drawing("<g xml:base='https://a.example/'><use href='#p'/></g>"),
        drawing("<rect fill='url(https://a.example/d.svg#p)'/>"),
        drawing("<rect style='fill: ur\\6c(//a.example/d.svg#p)'/>"),
        drawing("<rect><set attributeName='fill' to='url(//a.example/d.svg#p)'/></rect>"),
        drawing("<style>@import '//a.example/s.css';</style>"),
        drawing("<style>@im</style><style><![CDATA[@import]]> '//a.example/s.css';</style>"),
        drawing("<style><g/>@import '//a.example/s.css';</style>"),
        drawing("<style>.a { background: image-set('//a.example/p.png' 1x) }</style>"),
        drawing("<style>@font-face { src: url(//a.example/f.woff) }</style>"),
        drawing("<a xlink:href='javascript:alert(1)'/>"),
        drawing("<a href='java&#10;script:alert(1)'/>"),
        drawing("<a href='&#106;avascript:alert(1)'/>"),
        drawing("<a xml:base='javascript:' href='#'/>"),
        drawing("<a><animate attributeName='href' values='javascript:alert(1)'/></a>"),
        drawing("<a><set attributeName='xlink:href' to='javascript:alert(1)'/></a>"),
        drawing("<rect><set attributeName='onmouseover' to='alert(1)'/></rect>"),
        drawing("<use href='data:image/svg+xml,%3Csvg/%3E#x'/>"),
        drawing("", before="<?xml-stylesheet type='text/xsl' href='#x'?>"),
        drawing("", before="<!DOCTYPE svg [<!ATTLIST svg onload CDATA 'alert(1)'>]>"),
        drawing("&a;", before="<!DOCTYPE svg [<!ENTITY a '<script>alert(1)</script>'>]>"),
        drawing("<script/>").decode().encode("utf-16"),
        drawing("<rect/>", before="<?xml version='1.0' encoding='utf-7'?>"),
        drawing("<rect/>", before="<?xml version='1.0' encoding='no-such'?>"),
        drawing("<rect>"),
        b"<svg><rect/></svg>",
        f"<html {SVG}><rect/></html>".encode(),
        f"<p>words</p><svg {SVG}/>".encode(),
        b"<",
    ],
)
def test_what_can_run_or_is_no_drawing_is_not(content: bytes) -> None:
    assert file_kind(content) is None


def test_a_small_picture_full_of_comments_does_not_hold_up_the_copy() -> None:
    assert file_kind(b"<!---->-" * 40) is None
    assert file_kind(b"<!---->" * 40_000) is None
    assert file_kind(drawing("<g>" * 100_000)) is None
