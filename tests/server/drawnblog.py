"""A blog that scripts draw: every address answers the same empty page, and a script loads the text of the post."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from .blogserver import IN_FEED, POSTS, Answers, Reply, Site, day, feed, serve_answers, slug, story

# The posts of the feed and one more; without a feed, fewer do: a browser takes its time for each.
DRAWN, UNFED = range(POSTS - IN_FEED - 1, POSTS), range(6)
JSON = {"Content-Type": "application/json"}
SCRIPT = {"Content-Type": "text/javascript"}
STYLE = {"Content-Type": "text/css"}

SHELL = """<!doctype html><html lang=en><head><title>The Ferry Log</title>
<link rel="stylesheet" href="/style.css"><link rel="alternate" type="application/rss+xml" href="/feed.xml">
</head><body><div id="app"></div><noscript>Please enable JavaScript.</noscript><script src="/app.js"></script>
<script src="https://www.google-analytics.com/analytics.js"></script></body></html>"""

APP = """
const make = (name, text) => { const node = document.createElement(name); node.textContent = text; return node; };
const open = (path) => { history.pushState(null, "", path); draw(); };
const entry = (item) => {
  const box = make("div", item.title + ", told on " + item.day);
  box.className = "entry"; box.style.cursor = "pointer";
  box.addEventListener("click", () => open(item.path));
  return box;
};
const link = (item) => {
  if (CLICKED) return entry(item);
  const a = make("a", item.title), heading = make("h2", "");
  a.href = (HASHED ? "#" : "") + item.path;
  heading.append(a);
  return heading;
};
const draw = async () => {
  const root = document.getElementById("app");
  root.replaceChildren();
  const path = HASHED ? location.hash.slice(1) || "/" : location.pathname;
  const answer = await fetch("/api" + (path === "/" ? "/all" : path.replace(/\\/$/, "")) + ".json");
  if (!answer.ok) { root.append(make("h1", "Nothing here")); return; }
  const found = await answer.json();
  if (Array.isArray(found)) { found.forEach((item) => root.append(link(item))); return; }
  const article = make("article", "");
  const title = make("h1", HASHED ? found.title : ""), anchor = make("a", found.title);
  title.id = "the-story"; anchor.href = location.pathname + "?id=the-story";
  if (!HASHED) title.append(anchor);
  article.append(title);
  const meta = make("p", "By Ann Ferrier on ");
  const time = make("time", found.day); time.dateTime = found.day; meta.append(time);
  const text = make("div", ""); text.className = "text";
  found.text.forEach((line) => text.append(make("p", line)));
  const picture = document.createElement("img"); picture.src = "/picture.png"; text.append(picture);
  article.append(meta, text); root.append(article);
  // A control that a visitor takes for more of this story, and that leads to another one.
  const more = make("button", "Show more");
  more.addEventListener("click", () => { location.hash = "/2021/01/story-number-0"; draw(); });
  if (HASHED) root.append(more);
  (found.comments || []).forEach((words, n) => {
    const box = make("div", ""); box.className = "comment"; box.id = "comment-" + n;
    const name = make("cite", "Reader " + n); name.className = "comment-author";
    const body = make("div", words); body.className = "comment-body";
    box.append(name, body); root.append(box);
  });
};
draw();
window.addEventListener("popstate", draw);
"""


def entry(number: int) -> dict[str, object]:
    """A post as the blog's own interface gives it."""
    said = [f"Reader {n} says {line}" for n, line in enumerate(story(number + 20)[: number % 3])]
    return {
        "title": f"Story {number}",
        "day": day(number),
        "text": story(number),
        "path": slug(number),
        "comments": said,
    }


def answers(base: str, hashed: bool = False, clicked: bool = False) -> Answers:
    """The shell for the home page, every post and whatever nobody has written, and what its script asks for."""
    numbers = UNFED if hashed or clicked else DRAWN
    script = f"const HASHED = {str(hashed).lower()}, CLICKED = {str(clicked).lower()};{APP}"
    fixed = {
        "/app.js": Reply(script.encode(), headers=SCRIPT),
        "/style.css": Reply(b"body { font: serif }", headers=STYLE),
        "/feed.xml": Reply(feed(base), headers={"Content-Type": "application/rss+xml"}),
        "/api/all.json": Reply(json.dumps([entry(n) for n in numbers]).encode(), headers=JSON),
        "/robots.txt": Reply(b"", headers={"Content-Type": "text/plain"}),
    }
    posts = {f"/api{slug(n).rstrip('/')}.json": Reply(json.dumps(entry(n)).encode(), headers=JSON) for n in numbers}
    shells = {path: Reply(SHELL.encode()) for path in ("/", *map(slug, () if hashed else numbers))}
    if not hashed:
        shells |= {path: Reply(SHELL.encode()) for path in ("/archive/", "/archives/", "/archives.html", "/2021/")}
    if hashed or clicked:
        del fixed["/feed.xml"]
    return {**fixed, **posts, **shells}.get


@contextmanager
def serve_drawn(port: int = 0, hashed: bool = False, clicked: bool = False) -> Iterator[Site]:
    """Serve it on loopback; `hashed` has its posts at /#/path, `clicked` a list without links; neither has a feed."""
    with serve_answers(partial(answers, hashed=hashed, clicked=clicked), port) as site:
        yield site
