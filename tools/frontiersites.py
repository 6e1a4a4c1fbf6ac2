"""Two made sites for the frontier bench: a blog among many other pages, each built in its own way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

BASE = "https://made.example"
IN_FEED = 10
WORDS = (
    "amber birch cobalt delta elm fjord grove hazel iris jade kelp lark moss nova onyx pine quartz reed sage".split()
)


@dataclass(frozen=True)
class MadeSite:
    """All pages by their address, and the addresses of the posts from the oldest on."""

    name: str
    beside: str
    posts: tuple[str, ...]
    pages: dict[str, bytes]

    def feed(self) -> bytes:
        """The last posts, and no more."""
        items = "".join(
            f"<item><title>Post {n}</title><link>{BASE}{url}</link><description>Number {n}</description></item>"
            for n, url in list(enumerate(self.posts))[-IN_FEED:]
        )
        return f'<rss version="2.0"><channel><title>Made</title><link>{BASE}/</link>{items}</channel></rss>'.encode()


def page(title: str, links: Sequence[str], menu: Sequence[str], text: str = "") -> bytes:
    """Every page has the site's menu, and every post's page looks like the others."""
    head = "".join(f'<a href="{url}">{url}</a>' for url in menu)
    items = "".join(f'<li><a href="{url}">{url}</a></li>' for url in links)
    return f"<!doctype html><html><body><nav>{head}</nav><h1>{title}</h1>{text}<ul>{items}</ul></body></html>".encode()


def post_page(number: int, year: int, links: Sequence[str], menu: Sequence[str]) -> bytes:
    """A post: text, date, and links to what lies beside the blog."""
    words = " ".join(WORDS[(number * 7 + i * i) % 19] for i in range(80))
    text = f'<div class="body"><p>Number {number} tells: {words}.</p></div><time>{year}-01-01</time>'
    return page(f"Post {number}", links, menu, text)


def dated_blog() -> MadeSite:
    """Posts with dates in their addresses, one long row of lists; forum, wiki, shop and tags beside it."""
    menu = ("/", "/forum/", "/wiki/", "/shop/", "/tags/", "/notes/")
    posts = tuple(f"/{2005 + n // 30}/{n % 12 + 1:02}/{WORDS[n % 19]}-{WORDS[n % 17]}-{n}/" for n in range(300))
    pages: dict[str, bytes] = {}
    for n, url in enumerate(posts):
        pages[url] = post_page(n, 2005 + n // 30, [f"/tags/{WORDS[n % 19]}/", f"/wiki/{WORDS[n % 13]}_{n % 900}"], menu)
    newest = posts[::-1]
    for n in range(1, 31):
        older = [f"/notes/older-{n + 1}"] if n < 30 else []
        place = "/notes/" if n == 1 else f"/notes/older-{n}"
        pages[place] = page(f"Notes {n}", [*newest[(n - 1) * 10 : n * 10], *older], menu)
    for name, number, width in (("forum", 1200, 40), ("wiki", 900, 30), ("shop", 500, 25)):
        pages |= _section(name, number, width, menu)
    pages |= {f"/tags/{word}/": page(word, newest[i : i + 2], menu) for i, word in enumerate(WORDS)}
    many = [f"/tags/{a}+{b}/" for a in WORDS for b in WORDS if a < b]
    many += [f"/tags/{a}{n}/" for n in range(13) for a in WORDS]
    pages |= {url: page(url, many[i + 1 : i + 4], menu) for i, url in enumerate(many[:400])}
    pages["/tags/"] = page("Tags", [*(f"/tags/{word}/" for word in WORDS), *many[:40]], menu)
    pages["/"] = page("Made", ["/about/", *newest[:3]], menu)
    pages["/about/"] = page("About", [], menu)
    return MadeSite("dates in addresses, one row of lists", "forum, wiki, shop, tags", posts, pages)


def _section(name: str, number: int, width: int, menu: Sequence[str]) -> dict[str, bytes]:
    """A part of the site that is no blog: numbered lists of pages that lead to each other."""
    urls = [f"/{name}/{WORDS[n % 19]}_{n}" for n in range(number)]
    pages = {
        url: page(
            f"{name} {n}", [urls[(n * 3 + i) % number] for i in range(1, 5)], menu, f"<p>{WORDS[n % 19]} talk</p>"
        )
        for n, url in enumerate(urls)
    }
    for n in range(-(-number // width)):
        place = f"/{name}/" if n == 0 else f"/{name}/list/{n + 1}/"
        pages[place] = page(f"{name} list {n}", [*urls[n * width : (n + 1) * width], f"/{name}/list/{n + 2}/"], menu)
    return pages


def _slug(number: int) -> str:
    return f"{WORDS[number % 19]}-{WORDS[number // 19 % 19]}-{WORDS[number * 5 % 17]}"


def folder_blog() -> MadeSite:
    """Posts in a folder, without dates, found through a row of issues and old posts that a post names; a handbook three
    folders deep, an album of pictures, people and a calendar beside it.
    """
    menu = ("/", "/journal", "/handbook", "/photos", "/people", "/events")
    posts = tuple(f"/journal/read/{_slug(n)}" for n in range(240))
    people = [f"/people/{_slug(n + 30)}" for n in range(500)]
    photos = [f"/photos/{WORDS[n // 50]}/{n % 50 + 1}.html" for n in range(900)]
    chapters = [f"/handbook/{a}/{b}/{c}" for a in WORDS[:8] for b in WORDS[:10] for c in WORDS[:8]]
    months = [f"/events/{2009 + n // 12}-{n % 12 + 1:02}" for n in range(72)]
    pages: dict[str, bytes] = {}
    for n, url in enumerate(posts):
        beside = [people[n * 7 % 500], photos[n * 11 % 900], chapters[n * 13 % len(chapters)]]
        named = [posts[n * 3 // 4]] if n % 4 == 0 and n else []
        pages[url] = post_page(n, 2009 + n // 40, [*beside, *named], menu)
    newest = posts[::-1]
    for n in range(20):
        before = [f"/journal/issue-{WORDS[(n + 1) % 19]}-{20 - n - 1}"] if n < 19 else []
        place = "/journal" if n == 0 else f"/journal/issue-{WORDS[n % 19]}-{20 - n}"
        pages[place] = page(f"Issue {20 - n}", [*newest[n * 12 : n * 12 + 12], *before], menu)
    for n, url in enumerate(people):
        pages[url] = page(f"Person {n}", [people[(n * 3 + i) % 500] for i in range(1, 6)], menu)
    pages["/people"] = page("People", people[:60], menu)
    for n, url in enumerate(photos):
        pages[url] = page(f"Picture {n}", [photos[(n + i) % 900] for i in (1, 2, 50)], menu)
    pages["/photos"] = page("Photos", photos[::50], menu)
    for n, url in enumerate(chapters):
        pages[url] = page(f"Chapter {n}", [chapters[(n + i) % len(chapters)] for i in (1, 8, 80)], menu)
    pages["/handbook"] = page("Handbook", chapters[::20], menu)
    for n, url in enumerate(months):
        events = [f"/events/{WORDS[i % 19]}-at-{WORDS[(n + i) % 19]}-{n * 5 + i}" for i in range(5)]
        pages |= {event: page(event, [url], menu) for event in events}
        pages[url] = page(url, [*events, *months[n + 1 : n + 2]], menu)
    pages["/events"] = page("Events", months[-3:] + months[:1], menu)
    pages["/"] = page("Made", ["/about", *newest[:3]], menu)
    pages["/about"] = page("About", [], menu)
    return MadeSite("no dates, a row of issues", "handbook, pictures, people, calendar", posts, pages)


SITES = (dated_blog, folder_blog)
