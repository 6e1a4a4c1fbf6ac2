"""Hexo, in themes that people use."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from labblog import CACHE, LAB

from .fileblog import POSTS, FileBlog, Kind, Settings, head

FIRST, LATER = ":year/:month/:day/:title/", "posts/:title/"
KINDS = {
    "hexo": Kind(("landscape", "next")),
    "hexo-stamped": Kind(("next", "butterfly"), stamped=True, redirects=True),
    "hexo-bare": Kind(("fluid", "icarus"), stamped=True, sitemap=False, validators=False, honest=False),
}


@dataclass(slots=True)
class Hexo(FileBlog):
    """The blog the lab builds with Hexo."""

    @property
    def sources(self) -> Sequence[str]:
        """Two feeds and a sitemap."""
        return ("atom.xml", "rss2.xml", "sitemap.xml", "robots.txt")

    @property
    def _blog(self) -> Path:
        return self.data / self.kind.themes[0]

    @property
    def folder(self) -> Path:
        """Hexo's folder of posts."""
        return self._blog / "source/_posts"

    @property
    def output(self) -> Path:
        """Hexo's folder of pages."""
        return self._blog / "public"

    def seed(self) -> None:
        """The lab installs Hexo and writes the posts."""
        shutil.rmtree(self.data, ignore_errors=True)
        self.data.mkdir(parents=True)
        installed = CACHE / "hexo_blog" / "npm"
        if installed.is_dir():
            (self.data / "npm").symlink_to(installed)
        call = [sys.executable, str(LAB / "hexo_blog.py")]
        start = [*call, "start", str(self.data), str(self.port), *self.kind.themes]
        for command in (start, [*call, "stop", str(self.data)]):
            subprocess.run(command, check=True, stdout=sys.stderr, env=os.environ | {"POSTS": str(POSTS)})  # noqa: S603

    def path(self, file: Path, moved: bool) -> str:
        """As Hexo makes it of its permalink setting."""
        year, month, day = head(file, "date")[:10].split("-")
        names = {":year": year, ":month": month, ":day": day, ":title": file.stem}
        return re.sub(r":\w+", lambda found: names[found[0]], LATER if moved else FIRST)

    def generate(self, settings: Settings) -> None:
        """Hexo from nothing."""
        self._configure(settings)
        for command in ("clean", "generate"):
            call = ["node", "node_modules/hexo-cli/bin/hexo", command]
            done = subprocess.run(call, cwd=self._blog, check=True, capture_output=True, text=True)  # noqa: S603
        if "ERROR" in done.stdout + done.stderr:
            raise SystemExit(f"Hexo could not build the theme {settings.theme}: {done.stderr[-500:]}")

    def _configure(self, settings: Settings) -> None:
        config = self._blog / "_config.yml"
        text = config.read_text(encoding="utf-8")
        values = {"theme": settings.theme, "permalink": LATER if settings.moved else FIRST}
        values |= {"content": str(not settings.excerpts).lower(), "enable": str(settings.feed).lower()}
        for name, value in values.items():
            text = re.sub(rf"(?m)^( *){name}: .*$", rf"\g<1>{name}: {value}", text)
        if not self.kind.sitemap:
            text = re.sub(r"(?m)^sitemap:\n.*\n", "sitemap: false\n", text)
        config.write_text(text, encoding="utf-8")
        (self._blog / "scripts").mkdir(exist_ok=True)
        line = f'hexo.extend.injector.register("body_end", "<p class=build>{self.build_line()}</p>");'
        (self._blog / "scripts/build.js").write_text(line, encoding="utf-8")
