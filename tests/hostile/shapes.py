"""Hostile bytes of any size: what attackers send, and what old, odd and broken pages have, in masses."""

from __future__ import annotations

from collections.abc import Callable

SITE = "https://example.org/"
WORDS = "river stone window morning ladder copper quiet garden engine paper winter lantern".split()


def address(n: int) -> str:
    """The address of a hostile page."""
    return f"{SITE}2013/01/post-{n}/"


# Put before a page it has the page's tags looked at closely, as those of a large one are, whatever its size: else the
# step between the two ways to read a page would seem to be growth.
LOOKED_AT = b"<br title='" + b"x" * 20_000 + b"'>"


def _filled(piece: Callable[[int], str], size: int, before: str = "<body>") -> bytes:
    out, length = [before], 0
    while length < size:
        out.append(piece(len(out)))
        length += len(out[-1])
    return "".join(out).encode()


def _words(n: int, count: int) -> str:
    return " ".join(WORDS[(n * 7 + k * 5) % len(WORDS)] for k in range(count))


def _item(n: int) -> str:
    return (
        f"<item><title>{_words(n, 3)}</title><link>{address(n)}</link><description>{_words(n, 9)}</description></item>"
    )


def _nest(opening: str, closing: str, size: int) -> bytes:
    depth = size // len(opening + closing)
    return (opening * depth + _words(1, 40) + closing * depth).encode()


_SIGNS = [sign.encode() for sign in "- . / : , ( ) & ; # @ ' \" = | [ ] { } \\ % * ~ _".split()]
BOMB = "<!DOCTYPE x [<!ENTITY a 'ha'>" + "".join(f"<!ENTITY {'b' * n} '{'&a;' * 9}'>" for n in range(1, 30)) + "]>"

SHAPES: dict[str, Callable[[int], bytes]] = {
    "nested divs": lambda size: b"<div>" * (size // 5),
    "nested tables": lambda size: _filled(lambda n: "<table><tr><td>x ", size),
    "nested lists": lambda size: _filled(lambda n: "<ul><li>a", size),
    "unclosed formatting": lambda size: _filled(lambda n: "<p><font size=1><b><i>x", size),
    "options": lambda size: _filled(lambda n: "<option>a", size, "<select>"),
    "option groups": lambda size: b"<optgroup>" * (size // 10),
    "deep and wide": lambda size: _filled(lambda n: f"<span>{_words(n, 1)}</span> ", size, "<div>" * 240),
    "headings": lambda size: _filled(lambda n: f"<h2>{_words(n, 2)}</h2>", size, "<div>"),
    "headings with parts": lambda size: _filled(lambda n: "<h2>river stone <i>x</i></h2>", size),
    "links": lambda size: _filled(lambda n: f"<a href=/p/{n}/>{_words(n, 1)}</a> ", size),
    "dated links": lambda size: _filled(
        lambda n: f"<li><a href=/p-{n}/>{_words(n, 2)}</a> {n % 28} May 2012</li>", size
    ),
    "dates": lambda size: _filled(lambda n: f"<p>{n % 28 + 1} May 20{n % 90 + 10}</p>", size),
    "dates in one text": lambda size: _filled(lambda n: f"{n % 28 + 1}/0{n % 9 + 1}/2012, ", size, "<p>"),
    "digits": lambda size: b"<p>" + b"1" * size,
    "times": lambda size: _filled(lambda n: f"<time datetime=2012-0{n % 9 + 1}-11>x</time>", size),
    "tiny elements": lambda size: b"<i></i>" * (size // 7),
    "one text": lambda size: _filled(lambda n: _words(n, 12) + ". ", size, "<p>"),
    "one word": lambda size: b"<p>" + b"x" * size,
    "one word again and again": lambda size: b"<p>" + b"stone " * (size // 6),
    "white space": lambda size: b"<p>a" + b" " * size + b"b",
    "one huge attribute": lambda size: b"<p class='" + b"c" * size + b"'>x",
    "many attributes": lambda size: _filled(lambda n: f"a{n}=1 ", size, "<p ") + b">x",
    "many classes": lambda size: _filled(lambda n: f"<p class='k{n} m{n % 99}' id=i{n}>{_words(n, 3)}</p>", size),
    "one figure": lambda size: _filled(lambda n: f"<img src=/{n}.jpg>", size, "<figure>"),
    "one film": lambda size: _filled(lambda n: f"<source src=/{n}.mp4>", size, "<video>"),
    "inner links": lambda size: _filled(lambda n: f"<a id=f{n} href='#f{n + 1}'></a>", size),
    "comments": lambda size: _filled(lambda n: f"<div class=comment>by {_words(n, 2)}, {n % 28} May 2012</div>", size),
    "by-lines": lambda size: _filled(lambda n: "<p>Posted by Ada Quill on 5 May 2012</p>", size, "<h1>T</h1>"),
    "open tags": lambda size: b"<a b='" * (size // 6),
    "open comments": lambda size: b"<!-- <p>" * (size // 8),
    "JSON-LD, deep": lambda size: b"<script type='application/ld+json'>" + b"[" * size,
    "JSON-LD, many": lambda size: _filled(
        lambda n: f'<script type="application/ld+json">{{"@type":"BlogPosting","name":"{n}"}}</script>', size
    ),
    "microformats": lambda size: _filled(lambda n: "<div class=h-entry><div class=e-content>x", size),
    "microdata": lambda size: _filled(lambda n: "<div itemscope itemtype=http://schema.org/BlogPosting>x", size),
    "combining marks": lambda size: b"<p>a" + "\u0301\u0327".encode() * (size // 4),
    "bidi": lambda size: _filled(lambda n: "<p>\u202e\u2066stone\u2069\u202c", size),
    "no spaces": lambda size: "<p>東京日本語年月日".encode() * (size // 27),
    "binary": lambda size: bytes(range(256)) * (size // 256),
    "NULs": lambda size: b"\0" * size,
    "wrong charset": lambda size: b"<meta charset=utf-8><p>" + "日本語 ".encode("shift_jis") * (size // 7),
    "half characters": lambda size: b"<p>" + b"&#xD800;" * (size // 8),
    "a feed": lambda size: _filled(_item, size, "<rss><channel>"),
    "an entity bomb": lambda size: _filled(_item, size, BOMB + "<rss><channel>&bbbbbbbbbb;"),
    "a JSON feed": lambda size: (
        b'{"version":"https://jsonfeed.org/version/1","items":['
        + b",".join([b'{"id":"x","url":"/a","title":"\\ud800","content_html":"<p>\\udfff"}'] * (size // 70))
        + b"]}"
    ),
    "a sitemap": lambda size: _filled(lambda n: f"<url><loc>{address(n)}</loc></url>", size, "<urlset>"),
    # Mark-up as old, odd or broken pages really have it, in masses.
    "nested tables, closed": lambda size: _nest("<table><tr><td>", "</td></tr></table>", size),
    "tables in a row": lambda size: _filled(lambda n: f"<table><tr><td>{_words(n, 3)}</td></tr></table>", size),
    "table cells": lambda size: _filled(lambda n: f"<tr><td>{_words(n, 2)}</td><td>{n}</td></tr>", size, "<table>"),
    "nested quotes": lambda size: _filled(lambda n: f"<blockquote>{_words(n, 2)} ", size),
    "nested quotes, closed": lambda size: _nest("<blockquote><p>stone river</p>", "</blockquote>", size),
    "quoted replies": lambda size: _filled(lambda n: f"{'&gt; ' * (n % 9)}{_words(n, 6)}<br>", size, "<p>"),
    "nested definitions": lambda size: _filled(lambda n: f"<dl><dt>{_words(n, 1)}<dd>{_words(n, 2)}", size),
    "definitions": lambda size: _filled(lambda n: f"<dt>{_words(n, 1)}<dd>{_words(n, 4)}", size, "<dl>"),
    "lists in lists": lambda size: _filled(lambda n: "<ul>" + f"<li>{_words(n, 2)}" * 9 + "</ul>" * (n % 2), size),
    "one long list": lambda size: _filled(lambda n: f"<li>{_words(n, 4)}</li>", size, "<ul>"),
    "nested sections": lambda size: _filled(lambda n: f"<section><h2>{_words(n, 2)}</h2><p>{_words(n, 6)}</p>", size),
    "nested divs of one class": lambda size: _filled(lambda n: f'<div class="post-content">{_words(n, 3)} ', size),
    "divs of one class": lambda size: _filled(lambda n: f'<div class="post-content">{_words(n, 3)}</div>', size),
    "nested divs of many classes": lambda size: _filled(
        lambda n: f'<div class="c{n} d e{n % 7}">{_words(n, 3)} ', size
    ),
    "stairs": lambda size: _filled(lambda n: "<div>" * 60 + _words(n, 3) + "</div>" * 60, size),
    "stairs, wide": lambda size: _filled(
        lambda n: "<div><p>" + _words(n, 9) + "</p>" * (n % 5) + "</div>" * (n % 2), size
    ),
    "unclosed inline tags": lambda size: _filled(lambda n: f"<i>{_words(n, 2)} <em>", size),
    "unclosed links": lambda size: _filled(lambda n: f"<a href=/{n}/>{_words(n, 2)}<p>", size),
    "fonts": lambda size: _filled(lambda n: f"<font color={n % 99}>{_words(n, 2)} ", size),
    "forms": lambda size: _filled(lambda n: f"<form action=/{n}><input name=q{n}><textarea>x</textarea></form>", size),
    "fields": lambda size: _filled(lambda n: f"<label>{_words(n, 1)}<input name=q{n}></label>", size, "<form>"),
    "articles": lambda size: _filled(
        lambda n: (
            f"<article><h2><a href=/p-{n}/>{_words(n, 3)}</a></h2><time>{n % 28 + 1} May 2012</time>"
            f"<p>{_words(n, 20)}</p></article>"
        ),
        size,
    ),
    "nested articles": lambda size: _filled(lambda n: f"<article><h2>{_words(n, 3)}</h2><p>{_words(n, 9)}</p>", size),
    "h-entries": lambda size: _filled(
        lambda n: (
            f"<div class=h-entry><a class=u-url href=/p-{n}/><b class=p-name>{_words(n, 3)}</b></a>"
            f"<p class=e-content>{_words(n, 9)}</p></div>"
        ),
        size,
    ),
    "nested comments": lambda size: _filled(
        lambda n: (
            f"<ul class=children><li class=comment id=comment-{n}><cite class=fn>{_words(n, 1)}</cite> "
            f"{n % 28 + 1} May 2012 <p>{_words(n, 8)}</p>"
        ),
        size,
    ),
    "comments, closed": lambda size: _filled(
        lambda n: (
            f"<li class=comment id=comment-{n}><cite class=fn>{_words(n, 1)}</cite> <a href=#comment-{n}>"
            f"{n % 28 + 1} May 2012</a><p>{_words(n, 8)}</p></li>"
        ),
        size,
        "<h1>Stone</h1><h3>9 Comments</h3><ol class=commentlist>",
    ),
    "comments without a name": lambda size: _filled(
        lambda n: (
            f"<p><a name=c{n}></a>{_words(n, 8)}<br>"
            f"Posted by {_words(n, 1)} at {n % 12}:0{n % 9} on May {n % 28 + 1}, 2012"
        ),
        size,
        "<h1>Stone</h1><h3>Comments</h3>",
    ),
    "answers to comments": lambda size: _filled(
        lambda n: (
            f"<div class=comment id=c{n}><b class=author>{_words(n, 1)}{n}</b> <a href=#c{n - 1}>in reply to</a>"
            f" @{_words(n - 1, 1)}{n - 1} <p>{_words(n, 8)}</p></div>"
        ),
        size,
    ),
    "comments in a table": lambda size: _filled(
        lambda n: f"<tr class=comment><td class=author>{_words(n, 1)}<td>{n % 28 + 1} May 2012<td>{_words(n, 6)}",
        size,
        "<h3>Comments</h3><table>",
    ),
    "titles": lambda size: _filled(lambda n: "<h1>river stone</h1>", size, "<title>river stone</title>"),
    "tags": lambda size: _filled(lambda n: f"<a rel=tag href=/tag/{n}/>{_words(n, 1)}</a>, ", size),
    "names": lambda size: _filled(lambda n: f"<span class=author>{_words(n, 1)}</span> ", size),
    "breaks": lambda size: b"<br>" * (size // 4),
    "loose lines": lambda size: _filled(lambda n: f"{_words(n, 9)}<br><br>", size, "<h2>river stone</h2>"),
    "rules": lambda size: _filled(lambda n: f"<hr><h3>{_words(n, 2)}</h3>{_words(n, 9)}", size),
    "hidden": lambda size: _filled(lambda n: f"<div style='display:none'>{_words(n, 2)}", size),
    "figures": lambda size: _filled(
        lambda n: (
            f"<figure><a href=/{n}.jpg><img src=/{n}-300x200.jpg srcset='/{n}.jpg 2x, /{n}.png 3x'></a>"
            f"<figcaption>{_words(n, 3)}</figcaption></figure>"
        ),
        size,
    ),
    "nested figures": lambda size: _filled(lambda n: f"<figure><figcaption>{_words(n, 3)}", size),
    "code": lambda size: _filled(lambda n: f"<pre><code>{_words(n, 3)}\n", size),
    "drawings": lambda size: b"<svg><g>" * (size // 8),
    "templates": lambda size: b"<template><p>x" * (size // 14),
    "objects": lambda size: b"<object><param name=a value=b>" * (size // 29),
    "no script": lambda size: _filled(lambda n: f"<noscript><img src=/{n}.jpg></noscript>", size),
    "frames": lambda size: _filled(lambda n: f"<iframe src=https://video.example/{n}></iframe>", size),
    "meta elements": lambda size: _filled(
        lambda n: f"<meta property=og:title content='{_words(n, 2)}'><meta name=author content=x{n}>", size, "<head>"
    ),
    "link elements": lambda size: _filled(
        lambda n: f"<link rel=alternate type=application/rss+xml href=/f{n}><link rel=canonical href=/{n}>", size
    ),
    "scripts": lambda size: _filled(lambda n: f"<script>var a{n} = '<div>';</script>", size),
    "entities": lambda size: b"<p>" + b"&amp;&nbsp;&hellip;" * (size // 19),
    "addresses in text": lambda size: _filled(lambda n: f"https://example.org/{n}/ a{n}@example.org ", size, "<p>"),
    "hours": lambda size: _filled(lambda n: f"{n % 24}:{n % 60:02}:00 ", size, "<p>"),
    "months": lambda size: b"<p>" + b"May 2012 " * (size // 9),
    "by by by": lambda size: b"<p>" + b"by " * (size // 3),
    "long address": lambda size: b"<a href='/" + b"a/" * (size // 2) + b"'>x</a>",
    "long query": lambda size: _filled(lambda n: f"&a{n}=1", size, "<a href='/?x=1") + b"'>x</a>",
    "long title": lambda size: b"<title>" + b"a | b - " * (size // 8) + b"</title><h1>a</h1><p>stone",
    "runs of signs": lambda size: b"<p>" + b" ".join(sign * (size // 24) for sign in _SIGNS),
    "one item, many categories": lambda size: _filled(
        lambda n: f"<category>{_words(n, 1)}{n}</category>", size, f"<rss><channel><item><link>{SITE}</link>"
    ),
    "one item, long text": lambda size: _filled(
        lambda n: f"&lt;div&gt;{_words(n, 4)}", size, f"<rss><channel><item><link>{SITE}</link><description>"
    ),
    "a feed of elements": lambda size: b"<rss><channel>" + b"<item><a>" * (size // 9),
    "an Atom feed": lambda size: _filled(
        lambda n: (
            f"<entry><id>{n}</id><link href='{address(n)}'/><title>{_words(n, 3)}</title>"
            f"<content type='xhtml'><div>{_words(n, 9)}</div></content></entry>"
        ),
        size,
        '<feed xmlns="http://www.w3.org/2005/Atom">',
    ),
    "a feed of links": lambda size: _filled(
        lambda n: f"<link rel=alternate href='{address(n)}'/>",
        size,
        '<feed xmlns="http://www.w3.org/2005/Atom"><entry>',
    ),
    "a sitemap index": lambda size: _filled(
        lambda n: f"<sitemap><loc>{SITE}{n}.xml</loc></sitemap>", size, "<sitemapindex>"
    ),
    "a sitemap, unclosed": lambda size: _filled(lambda n: f"<url><loc>{address(n)}", size, "<urlset>"),
    "a list of addresses": lambda size: _filled(lambda n: f"{address(n)}\n", size, ""),
}
