"""A blog in which one post stands everywhere, in every form in which somebody may have written or packed it."""

from __future__ import annotations

import base64
import html
import json
import quopri
import re
from collections.abc import Callable, Iterator
from html import escape
from urllib.parse import quote, unquote

from server.blogserver import Answers, Reply
from server.sought import UNSEEN
from server.talkblog import HTML, RSS, tale

POSTS = 8
SAID = "Quibblefrost said the vermilion gondolier's ukulele drowned beneath seven marzipan chandeliers in Zwischenahn"
"""What must go; nobody else says any two of its words in a row."""
TITLE, SLUG, AUTHOR, TAGS = "Zanzibarness", "zanzibarness-lamplit", "Quillon Osterhagen", ("vexillology", "moonraking")
OTHERS_TITLE = "Tale {}"
ERASED = 3


def _wrapped(change: Callable[[str], str]) -> Callable[[str], str]:
    return lambda said: f"<p>{change(said)}</p>"


def _each(form: str) -> Callable[[str], str]:
    return _wrapped(lambda said: "".join(form.format(ord(letter)) for letter in said))


def _between(mark: str) -> Callable[[str], str]:
    """Inside every word."""
    return lambda said: " ".join(f"{word[:2]}{mark}{word[2:]}" for word in said.split())


def _script(said: str) -> str:
    return f"<script>document.write('{said}')</script>"


FORMS: dict[str, Callable[[str], str]] = {
    "plain": _wrapped(str),
    "upper case": _wrapped(str.upper),
    "soft hyphens": _wrapped(_between("\u00ad")),
    "zero-width spaces": _wrapped(_between("\u200b")),
    "word joiners": _wrapped(_between("\u2060")),
    "byte order marks": _wrapped(_between("\ufeff")),
    "soft hyphens as entities": _wrapped(_between("&shy;")),
    "soft hyphens without semicolon": _wrapped(_between("&shy")),
    "zero-width joiners as numbers": _wrapped(_between("&#8205;")),
    "wbr": _wrapped(_between("<wbr>")),
    "wbr closed": _wrapped(_between("<wbr/>")),
    "wbr escaped": lambda said: escape(_between("<wbr>")(said)),
    "mark-up inside": _wrapped(_between("<b></b>")),
    "mark-up around": _wrapped(lambda said: " ".join(f"<i class='a b'>{word}</i>" for word in said.split())),
    "no-break spaces": _wrapped(lambda said: said.replace(" ", "&nbsp;")),
    "no-break spaces without semicolon": _wrapped(lambda said: said.replace(" ", "&nbsp")),
    "decimal entities": _each("&#{};"),
    "decimal entities without semicolon": _each("&#{:05d}"),
    "hexadecimal entities": _each("&#x{:x};"),
    "hexadecimal entities with zeros": _each("&#x{:08x};"),
    "twice escaped": lambda said: escape(escape(f"<p>{said}</p>")),
    "comment": lambda said: f"<!-- {said} -->",
    "attribute": lambda said: f'<span data-note="{escape(said)}">note</span>',
    "cdata": lambda said: f"<![CDATA[<p>{said}</p>]]>",
    "json": lambda said: _script(json.dumps({"text": f"<p>\n{said}</p>"})),
    "json in json": lambda said: _script(json.dumps(json.dumps({"text": f"<p>\n{said}</p>"}))),
    "json with escaped letters": lambda said: _script("".join(f"\\u{ord(letter):04x}" for letter in said)),
    "script with hexadecimal letters": lambda said: _script("".join(f"\\x{ord(letter):02x}" for letter in said)),
    "script with code points": lambda said: _script("".join(f"\\u{{{ord(letter):x}}}" for letter in said)),
    "script with octal letters": lambda said: _script("".join(f"\\{ord(letter):03o}" for letter in said)),
    "percent": lambda said: f'<a href="https://share.example/?t={quote(said)}">share</a>',
    "every letter in percent": lambda said: (
        f'<a href="https://s.example/?{"".join(f"%{b:02X}" for b in said.encode())}">s</a>'
    ),
    "percent twice": lambda said: f'<a href="https://share.example/?t={quote(quote(said))}">share</a>',
    "percent and plus": lambda said: f'<a href="https://share.example/?t={quote(said).replace("%20", "+")}">share</a>',
    "percent of units": lambda said: _script("".join(f"%u{ord(letter):04x}" for letter in said)),
    "base64": lambda said: f'<div data-state="{base64.b64encode(f"<p>{said}</p>".encode()).decode()}"></div>',
    "base64 for addresses": lambda said: base64.urlsafe_b64encode(f"«{said}»".encode()).decode(),
    "base64 in lines": lambda said: f"<pre>{base64.encodebytes(f'{said}. {said}.'.encode()).decode()}</pre>",
    "base64 as a page": lambda said: (
        f'<iframe src="data:text/html;base64,{quote(base64.b64encode(said.encode()))}"></iframe>'
    ),
    "quoted-printable": lambda said: (
        f"<pre>{quopri.encodestring(('Grüße: ' + said + '. ' + said).encode()).decode()}</pre>"
    ),
    "every letter quoted-printable": lambda said: f"<pre>{''.join(f'={b:02X}' for b in said.encode())}</pre>",
    "lines": lambda said: "<pre>" + said.replace(" ", "\r\n  ") + "</pre>",
    "slug": lambda said: f"<span id='{said.replace(' ', '-').lower()}'>x</span>",
}
"""How the sentence is written on the pages of other posts."""


def path(number: int) -> str:
    """The address of a post."""
    return f"/2021/{number % 12 + 1:02}/{SLUG if number == ERASED else f'tale-of-number-{number}'}/"


def title(number: int) -> str:
    """The title of a post."""
    return TITLE if number == ERASED else OTHERS_TITLE.format(number)


def text_of(number: int) -> str:
    """What a post says; the others quote the one that goes, each in some of the forms."""
    if number == ERASED:
        return f"<p>{SAID}.</p>" + "".join(f"<p>{line}</p>" for line in tale(ERASED))
    forms = [write(SAID) for place, write in enumerate(FORMS.values()) if place % POSTS == number]
    own = "".join(f"<p>{line}</p>" for line in tale(number))
    return own + f'<p>I liked <a href="{path(ERASED)}" title="{TITLE}">{TITLE}</a> very much.</p>' + "".join(forms)


def page(number: int) -> Reply:
    """One post between links to its neighbours, beside a widget."""
    author = AUTHOR if number == ERASED else "Ann Ferrier"
    tags = "".join(
        f'<a rel="tag" href="/tag/{tag}/">{tag}</a> ' for tag in (TAGS if number == ERASED else ("ferries",))
    )
    body = (
        f'<article class="post"><h1 class="entry-title">{title(number)}</h1><p class="meta">'
        f'<span class="author">{author}</span> <time datetime="2021-03-0{number + 1}">March</time></p>'
        f'<div class="entry-content">'
        f"{text_of(number)}</div><footer>{tags}</footer></article>{_neighbours(number)}"
    )
    return Reply(layout(title(number), body), headers=HTML | {"Link": f'<{path(ERASED)}>; rel="prev"'})


def _neighbours(number: int) -> str:
    around = [other for other in (number - 1, number + 1) if 0 <= other < POSTS]
    return (
        "<nav>"
        + "".join(f'<a rel="prev" href="{path(other)}">&larr; {title(other)}</a>' for other in around)
        + "</nav>"
    )


def layout(name: str, body: str) -> bytes:
    """The theme, with a widget that names the newest posts in two ways."""
    listed = "".join(f'<li><a href="{path(n)}" title="{title(n)}">{title(n)}</a></li>' for n in range(POSTS))
    state = json.dumps({"recent": [{"url": path(n), "title": title(n), "by": _by(n)} for n in range(POSTS)]})
    return (
        f"<!doctype html><html lang=en><head><title>{name} - The Hidden Talk</title>"
        '<link rel="alternate" type="application/rss+xml" title="Posts" href="/feed/">'
        f"</head><body><header><a href='/'>The Hidden Talk</a></header><main>{body}</main>"
        f'<aside><ul>{listed}</ul></aside><script type="application/json">{state}</script></body></html>'
    ).encode()


def _by(number: int) -> str:
    return AUTHOR if number == ERASED else "Ann Ferrier"


def home() -> Reply:
    """All posts with their first words, authors and tags."""
    items = "".join(
        f'<article><h2><a href="{path(n)}">{title(n)}</a></h2><p class="by">{_by(n)}</p><p>{tale(n)[0]}</p>'
        f"<p>{', '.join(TAGS if n == ERASED else ('ferries',))}</p></article>"
        for n in range(POSTS)
    )
    return Reply(layout("Home", items), headers=HTML)


def feed(base: str) -> Reply:
    """The posts with everything that belongs to them."""
    items = "".join(
        f"<item><title>{title(n)}</title><link>{base}{path(n)}</link><guid isPermaLink='true'>{base}{path(n)}</guid>"
        f"<dc:creator>{_by(n)}</dc:creator><pubDate>2021-03-0{n + 1}T08:00:00Z</pubDate>"
        f"{''.join(f'<category>{tag}</category>' for tag in (TAGS if n == ERASED else ('ferries',)))}"
        f"<description>{escape(text_of(n))}</description></item>"
        for n in range(POSTS)
    )
    body = (
        '<?xml version="1.0" encoding="UTF-8"?><rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel>'
        f"<title>The Hidden Talk</title><link>{base}/</link><description>Talk</description>{items}</channel></rss>"
    )
    return Reply(body.encode(), headers=RSS)


def api(base: str) -> Reply:
    """The posts as WordPress gives them."""
    posts = [
        {"id": n + 100, "link": base + path(n), "slug": path(n).rstrip("/").rpartition("/")[2]}
        | {"title": {"rendered": title(n)}, "date": f"2021-03-0{n + 1}T08:00:00", "author_name": _by(n)}
        | {"tag_names": list(TAGS) if n == ERASED else ["ferries"], "content": {"rendered": text_of(n)}}
        for n in range(POSTS)
    ]
    return Reply(json.dumps(posts).encode(), headers={"Content-Type": "application/json"})


def answers(base: str) -> Answers:
    """What the blog answers."""
    known = {path(n): page(n) for n in range(POSTS)}
    known |= {"/": home(), "/feed/": feed(base), "/wp-json/wp/v2/posts": api(base)}
    known["/robots.txt"] = Reply(b"", headers={"Content-Type": "text/plain"})
    return lambda asked: known.get(asked.partition("?")[0])


_TAG, _GAPS = re.compile(r"<[^<>]*>"), re.compile(r"[\W_]+")
_BASE64, _QUOTED = re.compile(r"(?:[A-Za-z0-9+/_-]|\n){24,}={0,2}"), re.compile(r"(?:=[0-9A-F]{2})+")
_CODES = re.compile(r"\\+(?:u\{([0-9a-f]+)\}|x([0-9a-f]{2})|u([0-9a-f]{4}))|%u([0-9a-f]{4})")
_OCTAL = re.compile(r"\\([0-7]{3})")
# Letters of a run that is no piece of an address: its first letter begins a group.
LONG = 4000
# Two words in a row of the sentence, as they stand once everything is read.
PAIRS = [" ".join(pair) for pair in zip(SAID.lower().split()[:6], SAID.lower().split()[1:7], strict=True)]


def left_in(data: bytes) -> set[str]:
    """What of the post can still be read in some bytes, whatever was done to hide it."""
    found = set()
    for text in dict.fromkeys(_readings(data.decode("utf-8", "replace"))):
        plain = text.lower()
        found |= {name for name in (TITLE, SLUG, AUTHOR, *TAGS) if name.lower() in plain}
        for parted in (plain, _TAG.sub("", plain), _TAG.sub(" ", plain)):
            words = _GAPS.sub(" ", UNSEEN.sub("", parted).replace("'", "")).strip()
            found |= {pair for pair in _PAIRS if pair in words}
    return found


_PAIRS = [pair.replace("'", "") for pair in PAIRS]


def _readings(text: str) -> Iterator[str]:
    """The text as it is, and as every kind of program would read it."""
    yield text
    once = html.unescape(html.unescape(text))
    yield once
    yield unquote(unquote(unquote(text)))
    yield _CODES.sub(lambda found: chr(int(next(filter(None, found.groups())), 16)), text).replace("\\n", " ")
    yield _OCTAL.sub(lambda found: chr(int(found[1], 8)), text)
    yield _QUOTED.sub(_quoted, re.sub(r"=\r?\n", "", text))
    for run in _BASE64.findall(unquote(text)):
        letters = run.replace("\n", "").rstrip("=").replace("-", "+").replace("_", "/")
        for start in range(4 if len(letters) < LONG else 1):
            piece = letters[start:]
            piece = piece[: len(piece) - (len(piece) % 4 == 1)]
            yield base64.b64decode(piece + "==").decode("utf-8", "replace")


def _quoted(found: re.Match[str]) -> str:
    return bytes.fromhex(found[0].replace("=", "")).decode("utf-8", "replace")
