"""Builds the sample blog with Pelican, once per theme, and merges the two into one site."""

from __future__ import annotations

import argparse
import io
import json
import logging
import re
import shutil
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass
from datetime import datetime
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import markdown
from pelican import Pelican
from pelican.settings import read_settings

HERE = Path(__file__).resolve().parent
CONTENT = HERE / "content"
NEW_THEME_SINCE = "2018"
EXTENSIONS = ["markdown.extensions.extra", "markdown.extensions.meta"]
BLOCKS = {"p", "li", "td", "th", "pre", "blockquote", "h1", "h2", "h3", "br", "hr"}


@dataclass(frozen=True)
class Comment:
    """What a reader said, with what others said to that."""

    id: str
    author: str
    date: datetime
    text: str
    replies: list[Comment]

    def truth(self, parent: str | None = None) -> Iterator[dict[str, str | None]]:
        """What a perfect harvest finds of it and below it; `parent` is whom it answers."""
        yield {"author": self.author, "date": self.date.date().isoformat(), "text": self.text, "answers": parent}
        for reply in self.replies:
            yield from reply.truth(self.author)


def build(site: Path, url: str) -> Path:
    """The whole blog under `site`, as it would be served at `url`; gives the truth file written beside it."""
    shutil.rmtree(site, ignore_errors=True)
    with tempfile.TemporaryDirectory() as folder:
        garden = Path(folder) / "garden"
        run_pelican(garden, url, HERE / "themes/garden", GARDEN_ONLY_ARTICLES)
        run_pelican(site, url, HERE / "themes/paper", {})
        for post in garden.glob("20??/??/*/index.html"):
            if post.relative_to(garden).parts[0] < NEW_THEME_SINCE:
                shutil.copy(post, site / post.relative_to(garden))
        shutil.copytree(garden / "theme", site / "theme", dirs_exist_ok=True)
    truth = site.with_name(site.name + "-truth.jsonl")
    rows = [post_truth(path, url) for path in sorted(CONTENT.glob("*.md"))]
    truth.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return truth


def run_pelican(output: Path, url: str, theme: Path, more: dict[str, Any]) -> None:
    """One Pelican run with one theme."""
    logging.getLogger("pelican").setLevel(logging.ERROR)
    places = {"SITEURL": url, "FEED_DOMAIN": url, "OUTPUT_PATH": str(output), "THEME": str(theme)}
    settings = SETTINGS | places | {"JINJA_GLOBALS": {"COMMENTS": comments()}} | more
    with redirect_stdout(io.StringIO()):
        Pelican(read_settings(override=settings)).run()


def comments() -> dict[str, list[Comment]]:
    """What readers said of posts, by the name of the post in its address; nothing of most."""
    written = json.loads((HERE / "comments.json").read_text(encoding="utf-8"))
    return defaultdict(list, {slug: [comment_of(one) for one in ones] for slug, ones in written.items()})


def comment_of(written: dict[str, Any]) -> Comment:
    """A comment as it is written, and its replies."""
    at = datetime.fromisoformat(written["date"]).replace(tzinfo=ZoneInfo(SETTINGS["TIMEZONE"]))
    replies = [comment_of(one) for one in written.get("replies", ())]
    return Comment(f"{at:%y%m%d%H%M}", written["author"], at, written["text"], replies)


SETTINGS: dict[str, Any] = {
    "PATH": str(CONTENT),
    "SITENAME": "The Long Shelf",
    "SITESUBTITLE": "things worth keeping",
    "AUTHOR": "The Long Shelf",
    "TIMEZONE": "Europe/Vienna",
    "DEFAULT_LANG": "en",
    "LOCALE": ["C"],
    "DEFAULT_DATE_FORMAT": "%d %B %Y",
    "FILENAME_METADATA": r"\d{4}-\d{2}-\d{2}-(?P<slug>.*)",
    "ARTICLE_URL": "{date:%Y}/{date:%m}/{slug}/",
    "ARTICLE_SAVE_AS": "{date:%Y}/{date:%m}/{slug}/index.html",
    "ARTICLE_LANG_URL": "{date:%Y}/{date:%m}/{slug}/",
    "ARTICLE_LANG_SAVE_AS": "{date:%Y}/{date:%m}/{slug}/index.html",
    "PAGE_URL": "{slug}/",
    "PAGE_SAVE_AS": "{slug}/index.html",
    "STATIC_PATHS": ["images"],
    "DEFAULT_PAGINATION": 10,
    "DIRECT_TEMPLATES": ["index", "archives", "tags", "sitemap", "robots"],
    "PAGINATED_TEMPLATES": {"index": None, "tag": None, "category": None, "author": None},
    "SITEMAP_SAVE_AS": "sitemap.xml",
    "ROBOTS_SAVE_AS": "robots.txt",
    "FEED_ALL_ATOM": "feeds/all.atom.xml",
    "CATEGORY_FEED_ATOM": None,
    "TRANSLATION_FEED_ATOM": None,
    "AUTHOR_FEED_ATOM": None,
    "AUTHOR_FEED_RSS": None,
    "FEED_MAX_ITEMS": 12,
    "MARKDOWN": {"extension_configs": {"markdown.extensions.extra": {}, "markdown.extensions.meta": {}}},
    "CACHE_CONTENT": False,
    "LOAD_CONTENT_CACHE": False,
    "PLUGINS": [],
}

GARDEN_ONLY_ARTICLES: dict[str, Any] = {
    "DIRECT_TEMPLATES": [],
    "FEED_ALL_ATOM": None,
    "PAGE_SAVE_AS": "",
    "TAG_SAVE_AS": "",
    "CATEGORY_SAVE_AS": "",
    "AUTHOR_SAVE_AS": "",
}


def post_truth(path: Path, url: str) -> dict[str, Any]:
    """What a perfect harvest finds for one Markdown file."""
    converter = markdown.Markdown(extensions=EXTENSIONS)
    html = converter.convert(path.read_text(encoding="utf-8"))
    meta = {name: " ".join(lines) for name, lines in converter.Meta.items()}
    slug = path.stem[11:]
    return {
        "url": f"{url}/{meta['date'][:4]}/{meta['date'][5:7]}/{slug}/",
        "title": meta["title"],
        "author": meta["author"],
        "date": meta["date"][:10],
        "tags": [tag.strip() for tag in meta["tags"].split(",")],
        "category": meta["category"],
        "text": Words(html).text(),
        "comments": [told for one in comments()[slug] for told in one.truth()],
    }


class Words(HTMLParser):
    """The visible words of a piece of HTML."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.parts: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """A block starts on a new line."""
        if tag in BLOCKS:
            self.parts.append("\n")

    def handle_data(self, data: str) -> None:
        """Text is kept as it stands."""
        self.parts.append(data)

    def text(self) -> str:
        """Everything, with white space made plain."""
        lines = (re.sub(r"\s+", " ", line).strip() for line in "".join(self.parts).split("\n"))
        return "\n".join(line for line in lines if line)


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("out/sample-site"), help="where the site goes (replaced)")
    parser.add_argument("--url", default="http://127.0.0.1:8017", help="where it will be served")
    args = parser.parse_args()
    truth = build(args.out, args.url.rstrip("/"))
    print(f"{args.out}: built; {truth}: what it holds")


if __name__ == "__main__":
    main()
