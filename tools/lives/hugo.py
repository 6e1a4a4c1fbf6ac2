"""Hugo, with three layouts of our own that draw the borders of an article differently."""

from __future__ import annotations

import random
import re
import runpy
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from labblog import LAB

from .fileblog import POSTS, FileBlog, Kind, Settings, head, write_post

LAYOUTS = Path(__file__).parent / "hugo-layouts"
KINDS = {
    "hugo": Kind(("column", "paper")),
    "hugo-stamped": Kind(("paper", "bricks"), stamped=True),
    "hugo-moved": Kind(("bricks", "column"), stamped=True, sitemap=False, redirects=True),
    "hugo-bare": Kind(("column", "bricks"), stamped=True, sitemap=False, validators=False, honest=False),
}
CONFIG = """baseURL = "http://127.0.0.1:{port}/"
title = "The Copper Kettle"
languageCode = "en"
paginate = 10
enableRobotsTXT = true
disableKinds = [{disabled}]
[params]
  build = "{build}"
  excerpts = {excerpts}
[author]
  name = "Vera Lind"
[permalinks]
  posts = "{permalink}"
[frontmatter]
  lastmod = [":fileModTime", "date"]
"""
TAGS = ("tea", "ink", "rope", "salt", "old clocks")
FIRST, LATER = "/:year/:month/:filename/", "/notes/:filename/"


@dataclass(slots=True)
class Hugo(FileBlog):
    """A blog of Hugo with posts in two languages."""

    @property
    def sources(self) -> Sequence[str]:
        """A feed for the blog, each section and each tag, and a sitemap."""
        return ("index.xml", "sitemap.xml", "robots.txt")

    @property
    def folder(self) -> Path:
        """Its section of posts."""
        return self.data / "content/posts"

    @property
    def output(self) -> Path:
        """Its folder of pages."""
        return self.data / "public"

    def seed(self) -> None:
        """Posts of five years, with headings, lists, code and pictures."""
        shutil.rmtree(self.data, ignore_errors=True)
        self.folder.mkdir(parents=True)
        (self.data / "content/about.md").write_text("---\ntitle: About\n---\nThis page is no post.\n", encoding="utf-8")
        texts = runpy.run_path(str(LAB / "hexo_blog.py"))["texts"]
        pools = (texts(), texts("de"))
        chance, moment = random.Random(5), datetime.now(UTC) - timedelta(days=1)  # noqa: S311  the same each time
        for number in range(POSTS):
            moment -= timedelta(seconds=chance.randint(40_000, 2_500_000))
            pool = pools[number % 9 == 4]
            paragraphs = [pool.pop() for _ in range(chance.randint(3, 9))]
            title = " ".join(pool.pop().split()[: chance.randint(3, 7)]).strip(" ,.;:\"'-?!")
            slug = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")
            file = self.folder / f"{slug}-{number}.md"
            tags = sorted({TAGS[number % 5], TAGS[number % 3]})  # what all posts alike have nobody takes for a post's
            write_post(file, title, moment, [*paragraphs[:2], *_extra(number), *paragraphs[2:]], tags)

    def path(self, file: Path, moved: bool) -> str:
        """As Hugo makes it of its permalink setting."""
        year, month, _day = head(file, "date")[:10].split("-")
        return f"notes/{file.stem}/" if moved else f"{year}/{month}/{file.stem}/"

    def generate(self, settings: Settings) -> None:
        """Hugo from nothing."""
        disabled = ", ".join(
            f'"{name}"' for name, there in (("RSS", settings.feed), ("sitemap", self.kind.sitemap)) if not there
        )
        values = {"port": self.port, "disabled": disabled, "build": self.build_line()}
        values |= {"excerpts": str(settings.excerpts).lower(), "permalink": LATER if settings.moved else FIRST}
        (self.data / "config.toml").write_text(CONFIG.format(**values), encoding="utf-8")
        for made in (self.output, self.data / "layouts"):
            shutil.rmtree(made, ignore_errors=True)
        shutil.copytree(LAYOUTS / "common", self.data / "layouts")
        shutil.copytree(LAYOUTS / settings.theme, self.data / "layouts", dirs_exist_ok=True)
        subprocess.run(["hugo", "--quiet"], cwd=self.data, check=True, stdout=subprocess.DEVNULL)  # noqa: S607


def _extra(number: int) -> list[str]:
    """What not every post has."""
    extras = {
        1: "## What was left over\n\n- a spoon\n- two clocks that disagree\n- one glove",
        3: f"![The kettle on the stove](/pictures/kettle-{number}.jpg)",
        5: "```python\nfor cup in shelf:\n    fill(cup)\n```",
    }
    return [extras[number % 7]] if number % 7 in extras else []
