"""A static blog whose comments a script draws out of a comment server's answers, as Isso does: none is in the pages.

The server counts comments for whoever posts it a list of paths; pages have an ETag and answer 304.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from urllib.parse import parse_qs, urlsplit

from .blogserver import IN_FEED, POSTS, Answers, Reply, Site, feed, list_page, post_page, send, serve_answers, slug

# The posts of the feed and one more: each is drawn by a browser, which takes its time.
HOSTED = range(POSTS - IN_FEED - 1, POSTS)
SCRIPT = {"Content-Type": "text/javascript"}
JSON = {"Content-Type": "application/json"}
EMBEDDED = b'<script data-isso="/talk/" src="/talk/embed.js"></script>'
EMBED = """
(async () => {
  const root = document.getElementById("isso-thread");
  const answer = await fetch("/talk/?uri=" + encodeURIComponent(location.pathname));
  const box = document.createElement("div"); box.className = "isso-postbox"; root.append(box);
  for (const said of await answer.json()) {
    const item = document.createElement("div"); item.className = "isso-comment"; item.id = "isso-" + said.id;
    item.innerHTML = '<div class="isso-text-wrapper"><div class="isso-comment-header"><span class="isso-author"></span>'
      + '<time></time></div><div class="isso-text"><p></p></div></div>';
    item.querySelector(".isso-author").textContent = said.author;
    item.querySelector("time").dateTime = said.day;
    item.querySelector("p").textContent = said.text;
    root.append(item);
  }
})();
"""


class Talk:
    """What readers wrote, by the path of the post, and how often the server was asked to count."""

    def __init__(self, counts: bool = True) -> None:
        self.said: dict[str, list[dict[str, object]]] = {}
        self.counts = counts
        self.counted: list[list[str]] = []

    def say(self, number: int, text: str) -> None:
        """One more comment on a post."""
        thread = self.said.setdefault(slug(number), [])
        total = sum(map(len, self.said.values()))
        thread.append({"id": total + 1, "author": f"Reader {total}", "day": "2021-12-30T10:00:00Z", "text": text})

    def count(self, handler: BaseHTTPRequestHandler) -> None:
        """Numbers in the order of the paths that were sent."""
        paths = json.loads(handler.rfile.read(int(handler.headers["Content-Length"])))
        self.counted.append(paths)
        numbers = [len(self.said.get(path, ())) for path in paths]
        send(handler, Reply(json.dumps(numbers).encode(), headers=JSON) if self.counts else Reply(b"no", 403))

    def thread(self, path: str) -> Reply:
        """The comments of one post."""
        said = self.said.get(parse_qs(urlsplit(path).query)["uri"][0], [])
        return Reply(json.dumps(said).encode(), headers=JSON)


def page(number: int) -> bytes:
    """A post that draws its comments."""
    return alone(post_page(number), b'<section id="isso-thread"></section>') + EMBEDDED


def alone(page: bytes, more: bytes = b"") -> bytes:
    """A page without what the theme shows beside it: links to posts that are not here."""
    return page.partition(b"<aside>")[0] + more


def answers(base: str, talk: Talk) -> Answers:
    """The blog and its comment server."""
    listing = alone(list_page("Home", HOSTED))
    fixed = {
        "/": Reply(listing),
        "/feed.xml": Reply(feed(base), headers={"Content-Type": "application/rss+xml"}),
        "/robots.txt": Reply(b"", headers={"Content-Type": "text/plain"}),
        "/talk/embed.js": Reply(EMBED.encode(), headers=SCRIPT),
    }
    posts = {slug(number): page(number) for number in HOSTED}

    def answer(path: str) -> object:
        if path == "/talk/count":
            return talk.count
        if path.startswith("/talk/?"):
            return talk.thread(path)
        return unless_known(posts[path]) if path in posts else fixed.get(path)

    return answer  # type: ignore[return-value]  # each of the three is an answer


def unless_known(body: bytes) -> object:
    """304 for who has it already."""

    def reply(handler: BaseHTTPRequestHandler) -> None:
        etag = f'"{len(body)}"'
        known = handler.headers.get("If-None-Match") == etag
        headers = {"Content-Type": "text/html; charset=utf-8", "ETag": etag}
        send(handler, Reply(b"" if known else body, 304 if known else 200, headers))

    return reply


@contextmanager
def serve_hosted(talk: Talk) -> Iterator[Site]:
    """Serve it on loopback."""
    with serve_answers(lambda base: answers(base, talk)) as site:
        yield site
