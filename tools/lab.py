"""Blogs that only a browser can read, crawled from real software on loopback and held against its own truth.

    python tools/lab.py [isso] [csr]

isso: a static blog whose comments Isso draws, 60 of them in nested threads under one post, none in any page's source;
      then readers write three more, and one update must find them, and draw no page where nobody wrote.
csr:  a blog drawn by docsify in the visitor's browser, its comments by Waline, ten threads a page.
Prints one line for each figure and ends with 1 where one is wrong.
"""

from __future__ import annotations

import argparse
import http.client
import json
import sqlite3
import tempfile
import time
from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from urllib.parse import quote, urlsplit

from blogforever.dom import node_text, parse
from blogforever.urls import url_key
from labblog import LAB, Figures, Json, crawl, lab_blog, words

ANONYMOUS = "Anonymous"
"""What Isso shows for a comment without a name."""
LATE: tuple[tuple[str, str, int | None], ...] = (
    ("/posts/first-light.html", "I come late to this, and agree with the first of you.", 1),
    ("/posts/first-light.html", "Is anybody still reading here?", None),
    ("/posts/quiet.html", "Somebody comes by at last.", None),
)
"""Path, text, and the number of the comment that is answered."""


def isso(render: str) -> Figures:
    """All comments, with parent, author, date and text."""
    figures = Figures("isso")
    with lab_blog("isso_blog.py", "venv") as (data, url), tempfile.TemporaryDirectory() as archive:
        posts = crawl(url, Path(archive), "--render", render)
        truth = json.loads((data / "truth.json").read_text(encoding="utf-8"))
        _compare(figures, "", data, url, truth, posts)
        before = _drawn(Path(archive))
        crawl(url, Path(archive), "--render", render)
        figures.add("update", "an unchanged blog", True, {"draws nothing": _drawn(Path(archive)) == before})
        for path, text, parent in LATE:
            truth[path].append(_say(url, path, text, parent))
        posts = crawl(url, Path(archive), "--render", render)
        figures.add("update", "two threads that grew", True, {"draws two pages": _drawn(Path(archive)) == before + 2})
        _compare(figures, "late ", data, url, truth, posts)
    return figures


def _compare(figures: Figures, stage: str, data: Path, url: str, truth: Json, posts: dict[str, Json]) -> None:
    """Every comment of Isso's own database with what is kept of it."""
    with sqlite3.connect(data / "comments.db") as database:
        made = dict(database.execute("select id, created from comments"))
    for path, told in truth.items():
        post = posts.get(url_key(url.rstrip("/") + path))
        figures.add(f"{stage}posts", path, post is not None, {"no comment invented": _count(post) <= len(told)})
        for comment, mine, parent in _pairs(told, post):
            said = parse(comment["html"]).body
            when = datetime.fromtimestamp(int(made[comment["id"]]), UTC)
            facts = {
                "parent": parent == comment["parent"],
                "author": _author(mine) == (comment["author"] or ANONYMOUS),
                "date": _moment(mine) == when,
                "text": said is not None and words(mine.get("text")) == words(node_text(said)),
            }
            figures.add(f"{stage}comments", f"{path} #{comment['id']}", bool(mine), facts)


def _say(url: str, path: str, text: str, parent: int | None) -> Json:
    """One more comment, through Isso's own interface; as its truth has it."""
    address = urlsplit(url)
    isso = http.client.HTTPConnection("127.0.0.1", (address.port or 0) + 1, timeout=20)
    body = json.dumps({"text": text, "author": "Late Reader", "parent": parent})
    headers = {"Content-Type": "application/json", "Origin": url.rstrip("/")}
    isso.request("POST", f"/new?uri={quote(path)}", body, headers)
    said = json.loads(isso.getresponse().read())
    return {"id": said["id"], "parent": said["parent"], "author": said["author"], "html": said["text"]}


def _drawn(archive: Path) -> int:
    """The pages a browser drew so far."""
    with sqlite3.connect(archive / "archive.db") as database:
        return int(database.execute("select count(*) from captures where url like 'urn:dom:%'").fetchone()[0])


def csr(render: str) -> Figures:
    """All posts with title, date, author and text; all comments with parent, author, day and text."""
    figures = Figures("csr")
    today = datetime.now(UTC).date()
    with lab_blog("csr_blog.py", "npm") as (data, url), tempfile.TemporaryDirectory() as archive:
        posts = crawl(url, Path(archive), "--render", render)
        truth = json.loads((data / "truth.json").read_text(encoding="utf-8"))
    for told in truth:
        post = posts.get(url_key(told["url"]))
        figures.add("posts", told["url"], post is not None, _post_facts(told, post or {}))
        for comment, mine, parent in _pairs(told["comments"], post):
            facts = {
                "parent": parent == comment["pid"],
                "author": _author(mine) == comment["nick"],
                "date": _day(mine) in (today, today + timedelta(days=1)),
                "text": words(mine.get("text")) == words(comment["text"]),
            }
            figures.add("comments", f"{told['url']} #{comment['id']}", bool(mine), facts)
    return figures


def _post_facts(told: Json, post: Json) -> dict[str, bool]:
    return {
        "title": words(post.get("title")) == words(told["title"]),
        "date": (post.get("published") or "")[:10] == told["date"],
        "author": [author["name"] for author in post.get("authors", ())] == ["Tomas Reyl"],
        "text": words(post.get("text")) == words(" ".join(told["paras"])),
        "no comment invented": _count(post) <= len(told["comments"]),
    }


def _pairs(told: Iterable[Json], post: Json | None) -> Iterable[tuple[Json, Json, int | None]]:
    """Each comment of the truth, the record's own (empty where it is missing), and the number of its parent."""
    shown = post["comments"] if post else []
    numbers = {comment["id"]: int(comment["native_id"] or 0) for comment in shown}
    found = {numbers[comment["id"]]: comment for comment in shown}
    for comment in told:
        mine = found.get(comment["id"], {})
        yield comment, mine, numbers.get(mine.get("parent") or "")


def _count(post: Json | None) -> int:
    return len(post["comments"]) if post else 0


def _author(comment: Json) -> str | None:
    return (comment.get("author") or {}).get("name")


def _moment(comment: Json) -> datetime | None:
    return datetime.fromisoformat(comment["published"]) if comment.get("published") else None


def _day(comment: Json) -> date | None:
    moment = _moment(comment)
    return moment.date() if moment else None


LABS = {"isso": isso, "csr": csr}


def main() -> int:
    """Crawl and compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("labs", nargs="*", metavar="LAB", help=f"which ({', '.join(LABS)}); all where none is named")
    parser.add_argument("--render", default="auto", help="how the crawl is to use the browser (auto)")
    chosen = parser.parse_args()
    if not LAB.is_dir():
        parser.error(f"{LAB} is not there")
    good = True
    for name in chosen.labs or LABS:
        started = time.monotonic()
        good &= LABS[name](chosen.render).tell()
        print(f"{name}: {time.monotonic() - started:.0f} s")
    return 0 if good else 1


if __name__ == "__main__":
    raise SystemExit(main())
