"""Build blogs with programs and layouts nothing here was made for, crawl them, compare every field with the truth.

    python tools/platforms.py [pelican nikola ablog jekyll chronicle ikiwiki] [cards cards-feedless ...]

Layouts are the templates in `strangers/layouts`, each with a feed and without one.
What is not installed is fetched from PyPI, or said to be missing (Debian's programs). Prints how many posts, fields and
comments are right, and exits with 1 where anything is not.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
import tempfile
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

from blogforever.archive.crawling import crawl_blog
from blogforever.config import Config
from blogforever.records import PostRecord
from blogforever.store.folder import ArchiveFolder
from blogforever.urls import url_key
from labblog import Figures, alike, free_ports, words
from lives.staticsite import StaticSite
from strangers.generators import PROGRAMS, NotHereError
from strangers.layouts import LAYOUTS
from strangers.truth import Built, TruePost

WHOLE = 0.98
"""Share of the words of a text that must be the truth's."""
BLOGS = {**PROGRAMS, **LAYOUTS}


def check(name: str, folder: Path) -> bool:
    """Build, crawl and compare one blog; whether all is right."""
    port = free_ports(1)
    built = BLOGS[name](folder / "blog", f"http://127.0.0.1:{port}")
    site = StaticSite(built.output, port)
    url, archive = site.start(), folder / "archive"
    try:
        crawl_blog(url, Config(archive=archive, allow_private=True, delay=0.0, requisites="none"))
    finally:
        site.stop()
    figures = Figures(name)
    compare(figures, built, kept(archive))
    return figures.tell()


def kept(archive: Path) -> dict[str, PostRecord]:
    """What was kept, under each of its addresses."""
    with closing(ArchiveFolder(archive, writing=False)) as opened:
        (blog,) = opened.library.blogs()
        posts = list(opened.library.posts(blog.id))
    return {url_key(name): post for post in posts for name in post.addresses}


def compare(figures: Figures, built: Built, posts: Mapping[str, PostRecord]) -> None:
    """Count what is right; posts nobody wrote are wrong."""
    true = {url_key(post.url) for post in built.posts}
    for post in built.posts:
        found = posts.get(url_key(post.url))
        figures.add("posts", post.url, found is not None, facts(post, found) if found else {})
        if found:
            compare_comments(figures, post, found)
    for url in sorted({post.url for post in posts.values() if not true & set(map(url_key, post.addresses))}):
        figures.add("posts", url, found=True, facts={"written by somebody": False})


def facts(post: TruePost, found: PostRecord) -> dict[str, bool]:
    """Which fields are right."""
    seed, shown = post.seed, {name.casefold() for name in (*found.tags, *found.categories)}
    text = re.sub(r"<[^>]+>", " ", seed.html)
    right = {
        "title": found.title == seed.title,
        "day": (found.published or "")[:10] == seed.published[:10],
        "tags": shown == {tag.casefold() for tag in post.tags},
        "text": alike(words(found.text), words(text)) >= WHOLE,
        "number of comments": len(found.comments) == len(post.comments),
    }
    return right | ({"author": [one.name for one in found.authors] == [post.author]} if post.author else {})


def compare_comments(figures: Figures, post: TruePost, found: PostRecord) -> None:
    """Count the comments that are right; programs without threads say nothing of answers."""
    said = {" ".join(words(comment.text)): comment for comment in found.comments}
    for true in post.comments:
        comment = said.get(" ".join(words(true.text)))
        if comment is None:
            figures.add("comments", post.url, found=False, facts={})
            continue
        name = comment.author.name if comment.author else None
        day = (comment.published or "")[:10] == true.published[:10]
        figures.add("comments", post.url, found=True, facts={"author": name == true.author, "day": day})


def main() -> int:
    """Check the programs that are named, or all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*", choices=[*BLOGS, []], default=list(BLOGS))
    good = True
    for name in parser.parse_args().programs:
        folder = Path(tempfile.mkdtemp(prefix=f"blogforever-{name}-"))
        try:
            good = check(name, folder) and good
        except NotHereError as error:
            print(f"{name}: {error}")
        finally:
            shutil.rmtree(folder)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
