"""Real blog software on loopback, crawled, held against its own truth, stopped, and replayed out of the archive.

    python tools/lab_replay.py [wordpress] [landscape next butterfly fluid icarus redefine] [--pages 12] [--shots DIR]

wordpress: 120 posts of seven years by three authors, drafts and spam that nobody may see, a post behind a password.
the rest:  one blog of 40 posts in six themes of Hexo.
Each archive is checked (`verify`, `warcio check`) and packed as WACZ; then, with the blog gone, pages of it are looked
at in pywb and in ReplayWeb.page with Chromium: at least 99 % of what they ask for must be answered from the archive.
Prints one line for each figure and ends with 1 where one is wrong.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from html import unescape
from pathlib import Path

from warcio.archiveiterator import ArchiveIterator

from blogforever.store.cdxj import read_index
from blogforever.urls import url_key
from labblog import CACHE, LAB, Figures, Json, alike, blogforever, crawl, free_ports, lab_blog, records, words
from labreplay import Eyes, Look, eyes, pywb, replayed, replayed_as_kept, replayweb, spread

THEMES = ("landscape", "next", "butterfly", "fluid", "icarus", "redefine")
UNSEEN = "UNSEEN"
"""Stands in every draft, in spam, and in what waits for moderation."""
FLOOR, ALIKE = 0.99, 0.97
SHOTS = 2

Facts = Callable[[Json, Json], dict[str, bool]]
"""Truth and record of a post to what of it is right."""


def wordpress_facts(told: Json, post: Json) -> dict[str, bool]:
    """What of a post agrees with WordPress's own database; of one behind a password nothing may be known."""
    near = alike(words(plain(told)), words(post.get("text")))
    return {
        "title": words(post.get("title")) == words(unescape(told["title"])),
        "author": [author["name"] for author in post.get("authors", ())] == [told["author"]],
        "date": (post.get("published") or "")[:19].replace("T", " ") == told["date"],
        "tags": _names(post, "tags") == sorted(map(unescape, told["tags"])),
        "categories": _names(post, "categories") == sorted(map(unescape, told["categories"])),
        "text": near <= 1 - ALIKE if told["protected"] else near >= ALIKE,
    }


def plain(told: Json) -> str:
    """The text of a post of WordPress."""
    return unescape(re.sub(r"<[^>]+>", " ", told["content_html"])).strip()


def hexo_facts(told: Json, post: Json) -> dict[str, bool]:
    """What of a post agrees with the file it was made from."""
    return {
        "title": words(post.get("title")) == words(told["title"]),
        "author": [author["name"] for author in post.get("authors", ())] == [told["author"]],
        "date": (post.get("published") or "")[:19].replace("T", " ") == told["date"],
        "tags": _names(post, "tags") == sorted(told["tags"]),
        "categories": _names(post, "categories") == sorted(told["categories"]),
        "text": alike(words(told["body"]), words(post.get("text"))) >= ALIKE,
    }


def _names(post: Json, field: str) -> list[str]:
    return sorted(post.get(field, ()))


def hexo_truth(data: Path, theme: str) -> list[Json]:
    """The posts of a theme, with what stands in their files."""
    truth = json.loads((data / theme / "truth.json").read_text(encoding="utf-8"))
    for told in truth:
        name = told["url"].rstrip("/").rpartition("/")[2]
        source = (data / theme / "source/_posts" / f"{name}.md").read_text(encoding="utf-8")
        _, head, told["body"] = source.split("---\n", 2)
        for field in ("tags", "categories"):
            listed = re.search(rf"{field}: \[(.*)\]", head)
            told[field] = sorted(set(listed[1].split(", "))) if listed else []
    return list(truth)


class Kept:
    """One blog in an archive: compared, checked, packed."""

    def __init__(self, name: str, url: str, folder: Path) -> None:
        self.figures, self._url = Figures(name), url
        self.archive, self.wacz = folder / "archive", folder / "blog.wacz"

    def compare(self, truth: Sequence[Json], facts: Facts) -> None:
        """Crawl, and count what agrees with the truth."""
        posts = crawl(self._url, self.archive, "--render", "never")
        known = {url_key(told["url"]) for told in truth}
        for told in truth:
            post = posts.get(url_key(told["url"]), {})
            self.figures.add("posts", told["url"], bool(post), facts(told, post))
        for post in {post["id"]: post for post in posts.values()}.values():
            if not known & {url_key(url) for url in (post["url"], *post["aliases"])}:
                self.figures.wrong.append(f"{post['url']} is kept as a post")
        self._statement(len(truth))

    def _statement(self, number: int) -> None:
        (blog,) = [record for record in records(self.archive) if record["type"] == "blog"]
        told = blog["completeness"]
        true = told["complete"] and told["announced"] == told["captured"] == number
        self.figures.add("completeness statement", json.dumps(told)[:300], true, {})

    def check(self, hidden: Sequence[str] = ()) -> None:
        """The archive in itself, and that nothing hidden is in it."""
        warcs = sorted(map(str, (self.archive / "warc").rglob("*.warc.gz")))
        call = [sys.executable, "-m", "warcio.cli", "check", *warcs]
        sound = subprocess.run(call, check=False, stdout=sys.stderr).returncode == 0  # noqa: S603
        self.figures.add("archive", "warcio check", sound, {})
        said = blogforever("verify", "--archive", str(self.archive))
        self.figures.add("archive", said, "all sound" in said, {})
        signs = [text.encode() for text in (UNSEEN, *hidden)]
        leaks = [place for place, content in self._contents(warcs) if any(sign in content for sign in signs)]
        self.figures.add("archive", f"hidden things in {leaks}", not leaks, {})
        blogforever("export", "--archive", str(self.archive), "--format", "wacz", str(self.wacz))

    def absent(self) -> set[str]:
        """What the blog itself did not have when it was asked, without the scheme."""
        lines = (line for index in (self.archive / "indexes").glob("*.cdxj") for line in read_index(index))
        return {line.url.partition(":")[2] for line in lines if line.status >= "400"}

    def _contents(self, warcs: Sequence[str]) -> Iterator[tuple[str, bytes]]:
        """Every body, unpacked, and every other file."""
        for name in warcs:
            with Path(name).open("rb") as file:
                for record in ArchiveIterator(file):
                    yield str(record.rec_headers.get_header("WARC-Target-URI")), record.content_stream().read()
        for path in self.archive.rglob("*"):
            if path.is_file() and not path.name.endswith(".gz"):
                yield path.name, path.read_bytes()


def replay(kept: Kept, watcher: Eyes, lives: dict[str, Look], shots: Path | None) -> bool:
    """The same pages in both replay tools, with the blog gone; whether enough is answered."""
    port, work = free_ports(2), kept.wacz.parent
    programs = CACHE / "replay/venv"
    if not (programs / "bin/wayback").exists():
        call = [sys.executable, str(LAB / "replay.py"), "install", str(programs)]
        subprocess.run(call, check=True, stdout=sys.stderr)  # noqa: S603
    absent = kept.absent()
    with pywb(programs / "bin", work / "pywb", port, kept.wacz) as base:
        first, one = replayed(watcher, "pywb", base, lives, absent)
        replayed_as_kept(watcher, port, lives, first)
    with replayweb(LAB, CACHE / "replay/npm", work / "replayweb", port + 1, kept.wacz) as base:
        second, other = replayed(watcher, "ReplayWeb.page", base, lives, absent)
    name, good = kept.figures.name, True
    for line, right in (*first.lines(FLOOR), *second.lines(FLOOR)):
        print(f"{name}, {line}" if right else f"{name}, WRONG: {line}", flush=True)
        good &= right
    for number, url in enumerate(list(lives)[:SHOTS] if shots else ()):
        looks = (("the living blog", lives[url]), ("pywb", one[url]), ("ReplayWeb.page", other[url]))
        place = Path(shots or ".") / f"replay-{name}-{number + 1}.jpg"
        place.write_bytes(watcher.beside((title, look.shot) for title, look in looks))
    return good


def wordpress(number: int, shots: Path | None) -> bool:
    """Every published post of a WordPress, and nothing that was not."""
    with eyes() as watcher, tempfile.TemporaryDirectory() as folder:
        with lab_blog("wordpress.sh", ports=1) as (data, url):
            truth = json.loads((data / "truth.json").read_text(encoding="utf-8"))
            kept = Kept("wordpress", url, Path(folder))
            kept.compare(truth["posts"], wordpress_facts)
            pictured = [post["url"] for post in truth["posts"] if "<img" in post["content_html"]]
            pages = [pictured[0], url, *spread([post["url"] for post in truth["posts"]], number)]
            lives = {page: watcher.look(page) for page in dict.fromkeys(pages)}
        kept.check([plain(post)[:40] for post in truth["posts"] if post["protected"]])
        good = kept.figures.tell()
        return replay(kept, watcher, lives, shots) and good


def hexo(themes: Sequence[str], number: int, shots: Path | None) -> bool:
    """The same blog in several themes."""
    good = True
    with eyes() as watcher, tempfile.TemporaryDirectory() as folder:
        found: list[tuple[Kept, dict[str, Look]]] = []
        with lab_blog("hexo_blog.py", "npm", len(themes), themes) as (data, first):
            port = int(first.rstrip("/").rpartition(":")[2])
            for place, theme in enumerate(themes):
                url = f"http://127.0.0.1:{port + place}/"
                truth, kept = hexo_truth(data, theme), Kept(theme, url, Path(folder) / theme)
                kept.compare(truth, hexo_facts)
                pages = [url, *spread([post["url"] for post in truth], number)]
                found.append((kept, {page: watcher.look(page) for page in pages}))
        for kept, lives in found:
            kept.check()
            good &= kept.figures.tell()
            good &= replay(kept, watcher, lives, shots)
    return good


def main() -> int:
    """Crawl, compare, replay."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("labs", nargs="*", metavar="LAB", help="which; all where none is named")
    parser.add_argument("--pages", type=int, default=12, help="how many posts of each are looked at in replay (12)")
    parser.add_argument("--shots", type=Path, help="folder for screenshots: living blog, pywb and ReplayWeb.page")
    chosen = parser.parse_args()
    if not LAB.is_dir():
        parser.error(f"{LAB} is not there")
    started, good = time.monotonic(), True
    themes = [name for name in THEMES if name in chosen.labs or not chosen.labs]
    if "wordpress" in chosen.labs or not chosen.labs:
        good &= wordpress(chosen.pages, chosen.shots)
    if themes:
        good &= hexo(themes, chosen.pages, chosen.shots)
    print(f"{time.monotonic() - started:.0f} s")
    return 0 if good else 1


if __name__ == "__main__":
    raise SystemExit(main())
