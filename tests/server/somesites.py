"""Small sites for the analyser: what each address answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from blogforever.analyse.looking import Asked
from blogforever.model import Page

HOME = "https://site.example"
HTML, XML = {"content-type": "text/html; charset=utf-8"}, {"content-type": "application/rss+xml"}
PROSE = "<p>Nobody in the harbour saw the lantern that hung from the ferry all night long.</p>" * 8
TITLES = ("The lantern", "A rope of salt", "Old clocks", "Ink and tea", "The ferry", "Kettles")


def page(body: str, head: str = "") -> str:
    """A page of the site."""
    return f"<!DOCTYPE html><html lang='en'><head><title>Site</title>{head}</head><body>{body}</body></html>"


def fetch_from(answers: Mapping[str, str]) -> Callable[[str], Asked]:
    """Somebody who fetches what is there."""

    def fetch(url: str) -> Asked:
        text = answers.get(url.removeprefix(HOME) or "/")
        if text is None:
            return 404, None
        return 200, Page(url, text.encode(), XML if text.startswith("<?xml") else HTML)

    return fetch


def blog(feed: bool = True, below: str = "") -> dict[str, str]:
    """A blog of six posts, at the root or in a folder."""
    link = f"<link rel='alternate' type='application/rss+xml' href='{below}/feed.xml'>" if feed else ""
    posts = {f"{below}/2024/0{9 - n}/{title.lower().replace(' ', '-')}/": title for n, title in enumerate(TITLES)}
    entries, items = "", ""
    answers: dict[str, str] = {}
    for n, (path, title) in enumerate(posts.items()):
        month = 9 - n
        date = f"<time datetime='2024-0{month}-05'>5.{month}.2024</time>"
        answers[path] = page(f"<article><h1>{title}</h1>{date}{PROSE}</article>", link)
        items += f"<article><h2><a href='{path}'>{title}</a></h2>{date}{PROSE}</article>"
        entries += (
            f"<item><title>{title}</title><link>{HOME}{path}</link><pubDate>2024-0{month}-05T10:00:00Z</pubDate>"
            f"<description>{'word ' * 60}</description></item>"
        )
    answers[f"{below}/"] = page(items, link)
    answers[f"{below}/tag/sea/"] = page(items, link)
    if feed:
        channel = f"<title>Notes</title><link>{HOME}{below}/</link>"
        answers[f"{below}/feed.xml"] = (
            f"<?xml version='1.0'?><rss version='2.0'><channel>{channel}{entries}</channel></rss>"
        )
    return answers


def podcast() -> dict[str, str]:
    """The same blog, but every entry is a recording."""
    answers = blog()
    sound = "<enclosure url='https://site.example/a.mp3' type='audio/mpeg' length='1'/></item>"
    return answers | {"/feed.xml": answers["/feed.xml"].replace("</item>", sound)}


def shop() -> dict[str, str]:
    """Products with prices, and a cart."""
    products = "".join(
        f"<li class='product'><a href='/p/{n}'>{title}</a> <span>{n + 4},50 €</span></li>"
        for n, title in enumerate(TITLES)
    )
    return {"/": page(f"<ul>{products}</ul><form action='/cart/add'><button>+</button></form><a href='/cart'>0</a>")}


def forum() -> dict[str, str]:
    """Topics with numbers of replies."""
    rows = "".join(
        f"<tr><td><a href='/t/{n}'>{title}</a></td><td>{n * 3}</td><td>ann</td></tr>" for n, title in enumerate(TITLES)
    )
    return {"/": page(f"<table>{rows}</table>")}


def documentation() -> dict[str, str]:
    """A table of contents beside text and code."""
    links = "".join(f"<li><a href='/guide/{n}'>{TITLES[n % 6]} {n}</a></li>" for n in range(20))
    text = f"<h2 id='a'>Use<a class='headerlink' href='#a'>¶</a></h2>{PROSE}<pre>boil()</pre>"
    return {"/": page(f"<nav><ul>{links}</ul></nav><main>{text}<h2 id='b'>More<a href='#b'>¶</a></h2></main>")}


def parked() -> dict[str, str]:
    """A domain for sale."""
    return {"/": page("<h1>site.example</h1><p>This domain may be for sale. Buy this domain.</p>")}
