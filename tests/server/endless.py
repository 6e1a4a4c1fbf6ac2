"""A blog whose lists have no end: sitemaps, feed pages, list pages, links that lead nowhere, routes that hang.

Beside them lie all the pages that misbehave of `hostile`. The good posts are few, and each is named somewhere among all
that: a crawl must find every one and end by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from threading import Event
from urllib.parse import parse_qs, urlsplit

from .blogserver import Reply, Site, layout, serve_answers, story
from .hostile import Hostile, misbehaviour

GOOD = 60
PER_PAGE = 10
IN_SITEMAP = range(10, 30)
"""Posts that only the sitemap names; those before them only the last of the list pages."""
FARM = 50_000
HANGING = 16
LATE = 41
"""A post that hangs when it is asked for the first time, and answers the second."""
XML = {"Content-Type": "application/xml"}
Route = Callable[[BaseHTTPRequestHandler], None]


def slug(number: int) -> str:
    """The path of a good post."""
    return f"/2019/{number % 12 + 1:02}/tale-number-{number}/"


def post_page(number: int) -> Reply:
    """One good post."""
    text = "".join(f"<p>{line}</p>" for line in story(number))
    return Reply(
        layout(
            f"Tale {number}",
            f'<article class="entry"><h1 class="entry-title">Tale {number}</h1><p class="meta">By '
            f'<span class="author">Ann Ferrier</span> on <time datetime="{day(number)}">{day(number)}</time></p>'
            f'<div class="entry-content">{text}</div></article>',
        )
    )


def day(number: int) -> str:
    """The date of a post."""
    return f"2019-{number % 12 + 1:02}-{number % 28 + 1:02}"


def links(urls: Iterable[str]) -> str:
    """Links, one after the other."""
    return "".join(f'<a href="{url}">{url}</a> ' for url in urls)


def feed(base: str, number: int) -> Reply:
    """Three pages of good posts, then pages for ever of posts that are not there; two that hang among the first."""
    newest = range(GOOD - number * PER_PAGE, GOOD - (number - 1) * PER_PAGE)
    paths = [slug(n) for n in newest] if number <= 3 else [f"/2018/01/ghost-{number}-{n}/" for n in range(PER_PAGE)]
    paths += ["/2019/01/hanging-one/", "/2019/01/hanging-two/"] if number == 1 else []
    items = "".join(
        f"<item><title>Tale {path}</title><link>{base}{path}</link><guid>{base}{path}</guid>"
        f"<description>{path}</description></item>"
        for path in paths
    )
    following = f'<atom:link rel="next" href="{base}/feed.xml?page={number + 1}"/>'
    return Reply(
        f'<?xml version="1.0"?><rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>'
        f"<title>The Ferry Log</title><link>{base}/</link>{following}{items}</channel></rss>".encode(),
        headers={"Content-Type": "application/rss+xml"},
    )


def sitemap_index(base: str, number: int) -> Reply:
    """Names itself under another query, for ever; the first time also a sitemap of posts, and one that hangs."""
    maps = [f"{base}/sitemap.xml?n={number + 1}"]
    maps += [f"{base}/post-sitemap.xml", f"{base}/hanging-sitemap.xml"] if number == 0 else []
    named = "".join(f"<sitemap><loc>{url}</loc></sitemap>" for url in maps)
    return Reply(f'<?xml version="1.0"?><sitemapindex>{named}</sitemapindex>'.encode(), headers=XML)


def post_sitemap(base: str) -> Reply:
    """The sitemap of good posts."""
    urls = "".join(f"<url><loc>{base}{slug(n)}</loc></url>" for n in IN_SITEMAP)
    return Reply(f'<?xml version="1.0"?><urlset>{urls}</urlset>'.encode(), headers=XML)


def list_page(number: int) -> Reply:
    """Older and older posts, then pages for ever with nothing on them."""
    last = -(-GOOD // PER_PAGE)
    shown = range(GOOD - number * PER_PAGE, GOOD - (number - 1) * PER_PAGE) if number <= last else range(0)
    shown = range(0) if shown and shown[0] in IN_SITEMAP else shown
    posts = "".join(f'<h2><a href="{slug(n)}">Tale {n}</a></h2>' for n in shown)
    return Reply(layout(f"Page {number}", f'<h1>Page {number}</h1>{posts}<a href="/page/{number + 1}/">Older</a>'))


def ghost_list(number: int) -> Reply:
    """A list for ever of posts that are not there."""
    posts = "".join(f'<h2><a href="/2017/02/ghost-{number}-{n}/">Ghost {n}</a></h2>' for n in range(PER_PAGE))
    more = f'<a href="/tag/ghosts/page/{number + 1}/">Older</a>'
    return Reply(layout(f"Ghosts {number}", f"<h1>Ghosts {number}</h1>{posts}{more}"))


def farm(shape: str) -> Reply:
    """Links that lead nowhere."""
    return Reply(layout("Links", f"<h1>Links</h1>{links(shape.format(n) for n in range(FARM))}"))


def same_everywhere() -> Reply:
    """The page of a host that knows no 404."""
    return Reply(layout("Oops", "<h1>Oops</h1><p>What you look for is not here, but we will not say so.</p>"))


def calendar(path: str) -> Reply:
    """A month that leads to the next, for ever."""
    year, month = (int(part) for part in path.strip("/").split("/")[1].split("-"))
    later = f"/events/{year + month // 12}-{month % 12 + 1:02}/"
    return Reply(layout(f"{year}-{month}", f'<h1>{year}-{month}</h1><p>Nothing.</p><a href="{later}">Later</a>'))


def facets(query: dict[str, list[str]]) -> Reply:
    """Every choice leads to further choices."""
    chosen = "".join(f"{name}={values[0]}&" for name, values in sorted(query.items()))
    more = links(f"/shop/?{chosen}f{n}={len(query)}" for n in range(9) if f"f{n}" not in query)
    return Reply(layout("Shop", f"<h1>Shop {chosen}</h1>{more}"))


def home(others: Iterable[str]) -> Reply:
    """The newest posts beside the way into everything else."""
    posts = "".join(f'<h2><a href="{slug(n)}">Tale {n}</a></h2>' for n in range(GOOD - PER_PAGE, GOOD))
    ways = ["/page/2/", "/tag/ghosts/page/1/", "/links/", "/friends/", "/oops/", "/events/2021-01/", "/shop/"]
    ways += [f"/hang/{n}/" for n in range(HANGING)] + [f"/drip/{n}/" for n in range(4)]
    return Reply(layout("Home", f"<h1>The Ferry Log</h1>{posts}{links([*ways, *others])}"))


class Endless:
    """Answers by path; what hangs does so until the site is closed."""

    def __init__(self, base: str) -> None:
        self._base, self._late = base, True
        self._hostile = Hostile(base)
        self._bad = misbehaviour(self._hostile, urlsplit(base).port or 0)
        self.over = Event()
        posts = {slug(n): post_page(n) for n in range(GOOD)}
        shapes = {"/links/": "/2016/03/farm-{}/", "/friends/": "/friend/{}/", "/oops/": "/2015/04/oops-{}/"}
        robots = Reply(f"Sitemap: {base}/sitemap.xml".encode(), headers={"Content-Type": "text/plain"})
        self._pages = {"/": home(self._bad), "/robots.txt": robots, "/post-sitemap.xml": post_sitemap(base), **posts}
        self._farms = {path: farm(shape) for path, shape in shapes.items()}

    def __call__(self, target: str) -> Reply | Route | None:
        path, query = urlsplit(target).path, parse_qs(urlsplit(target).query)
        if path == slug(LATE) and self._late:
            self._late = False
            return self._hang
        if path.startswith(("/hang", "/2019/01/hanging")):
            return self._hang
        if path.startswith("/drip/"):
            return self._drip
        self._hostile.times.setdefault(target, []).append(0.0)
        known = self._pages.get(path) or self._farms.get(path) or self._endless(path, query)
        return known or self._bad.get(path) or self._bad.get(f"/{path.split('/')[1]}/")

    def _endless(self, path: str, query: dict[str, list[str]]) -> Reply | None:
        last = path.strip("/").rpartition("/")[2]
        number = int(last) if last.isdigit() else 0
        asked = int(next(iter(query.values()))[0]) if query and path != "/shop/" else 0
        made: dict[str, Callable[[], Reply]] = {
            "/feed.xml": lambda: feed(self._base, asked or 1),
            "/sitemap.xml": lambda: sitemap_index(self._base, asked),
            "/tag/ghosts/page/": lambda: ghost_list(number),
            "/page/": lambda: list_page(number),
            "/events/": lambda: calendar(path),
            "/shop/": lambda: facets(query),
            "/2015/04/oops-": same_everywhere,
        }
        return next((make() for start, make in made.items() if path.startswith(start)), None)

    def _hang(self, _handler: BaseHTTPRequestHandler) -> None:
        self.over.wait()

    def _drip(self, handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.end_headers()
        while not self.over.wait(0.2):
            handler.wfile.write(b"x")
            handler.wfile.flush()


@contextmanager
def serve_endless() -> Iterator[Site]:
    """Serve it on a free port of loopback."""
    made: list[Endless] = []

    def make(base: str) -> Endless:
        made.append(Endless(base))
        return made[0]

    try:
        with serve_answers(make) as site:
            yield site
    finally:
        made[0].over.set()
