"""What `--render auto` does to blogs that need no browser: the corpus by replay, once without and once with a browser.

    python tools/render_corpus.py [--blogs a,b]      needs ../shared/corpus and Chromium

For each blog: how many pages were drawn, and in how many posts which field came out otherwise. Out of WARC files
a crawl uses a browser only with `--render always`; here it gets one with `auto`, fed from the WARC file alone.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest.mock import patch

from blogforever.archive import crawling
from blogforever.archive.fetchers import renderer
from blogforever.config import Config

CORPUS = Path(__file__).resolve().parents[2] / "shared/corpus"
FIELDS = ("title", "authors", "published", "text", "tags", "categories", "comments", "media", "links")
ALLOWED = 5


@dataclass(slots=True)
class Outcome:
    """One blog with a browser beside without."""

    blog: str
    drawn: int = 0
    posts: tuple[int, int] = (0, 0)
    changed: Counter[str] = field(default_factory=Counter)

    def line(self) -> str:
        """For people."""
        fields = ", ".join(f"{name} {count}" for name, count in self.changed.items()) or "nothing"
        return f"{self.blog}: {self.drawn} drawn, {self.posts[0]} -> {self.posts[1]} posts, changed: {fields}"


def with_a_browser(config: Config) -> Any:
    """The renderer that a live crawl would have."""
    return renderer(Config(timeout=config.timeout))


def crawl(blog: Path, url: str, render: Any, folder: Path) -> tuple[int, dict[str, Any]]:
    """How many pages were drawn, and the posts."""
    config = Config(archive=folder / render, replay=(str(blog / "blog.warc.gz"),), render=render)
    report = crawling.crawl_blog(url, config)
    records = [json.loads(line) for line in crawling.write_run(config, report.run)]
    return report.drawn, {record["url"]: record for record in records if record["type"] == "post"}


def compare(blog: Path) -> Outcome:
    """Both crawls of one blog."""
    url = json.loads((blog / "meta.json").read_text(encoding="utf-8"))["base_url"]
    with tempfile.TemporaryDirectory() as folder:
        _, plain = crawl(blog, url, "never", Path(folder))
        with patch.object(crawling, "renderer", with_a_browser):
            drawn, seen = crawl(blog, url, "auto", Path(folder))
    outcome = Outcome(blog.name, drawn, posts=(len(plain), len(seen)))
    for address in plain.keys() & seen.keys():
        outcome.changed.update(name for name in FIELDS if plain[address][name] != seen[address][name])
    return outcome


def main() -> int:
    """All blogs, or those named; 1 where too much was drawn of a blog that shows its text."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--blogs", default="")
    options = parser.parse_args()
    names = set(filter(None, options.blogs.split(",")))
    blogs = [path for path in sorted(CORPUS.iterdir()) if path.is_dir() and (not names or path.name in names)]
    most, changed = 0, 0
    for blog in blogs:
        outcome = compare(blog)
        most, changed = max(most, outcome.drawn), changed + bool(outcome.changed)
        print(outcome.line(), flush=True)
    print(f"{len(blogs)} blogs, at most {most} pages drawn of one; {changed} blogs came out otherwise")
    return int(most > ALLOWED)


if __name__ == "__main__":
    raise SystemExit(main())
