"""No record is replaced by one with less than half of its words without the reason kept, whatever happens to pages."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from blogforever.archive.crawling import crawl_blog
from blogforever.archive.reextracting import reextract
from blogforever.config import Config
from blogforever.dom import tokenise
from blogforever.records import PostRecord
from blogforever.store.folder import ArchiveFolder
from server.blogserver import Reply, send
from server.editedblog import EditedBlog, Written, page_of, serve_edited

POSTS = 14


def kept(archive: Path) -> dict[str, tuple[PostRecord, list[str]]]:
    """Each post with the reasons that are written down for its readings."""
    with ArchiveFolder(archive, writing=False) as opened:
        (blog,) = opened.library.blogs()
        posts = opened.library.posts(blog.id)
        return {post.id: (post, [row.reason for row in opened.store.versions.extractions(post.id)]) for post in posts}


def maltreat(blog: EditedBlog, post: Written, chance: random.Random) -> None:
    """Something happens to a page: its author shortens it, or it is drawn otherwise, or not at all."""
    page = page_of(post).decode()
    head, mark, rest = page.partition('<div class="entry-content">')
    words, end, tail = rest.partition("</div>")
    begun = words[: int(len(words) * chance.choice((0.05, 0.2, 0.3, 0.45, 0.7)))]
    pages = {
        "cut": f"{head}{mark}{begun}</p>{end}{tail}",
        "empty": f"{head}{mark}{end}{tail}",
        "elsewhere": f"{head}{mark}<p>See below.</p>{end}<section class=rest>{words}</section>{tail}",
        "renamed": page.replace("entry-content", "story"),
        "other": f"{head}{mark}<p>{' '.join(['quite', 'another', 'text'] * 4)}</p>{end}{tail}",
        "bare": "<html><body><p>Come again.</p></body></html>",
        "as it was": page,
    }
    body = chance.choice(list(pages.values())).encode()
    blog.instead[post.path] = lambda handler: send(handler, Reply(body))
    if chance.random() < 0.5:
        blog.clock += 1
        post.lastmod = f"2023-05-{int(blog.clock) % 28 + 1:02}T10:00:00Z"


@pytest.mark.parametrize("seed", range(3))
def test_no_record_is_replaced_by_half_of_it_without_a_reason(tmp_path: Path, seed: int) -> None:
    archive, chance = tmp_path / "a", random.Random(seed)
    values: dict[str, Any] = {"archive": archive, "allow_private": True, "delay": 0.0, "retries": 0, "recheck": 1.0}
    config = Config(**values, requisites="none", render="never", accept_changes=True)
    with serve_edited(POSTS) as blog:
        crawl_blog(blog.base, config)
        for _ in range(2):
            before = kept(archive)
            for post in blog.posts:
                maltreat(blog, post, chance)
            crawl_blog(blog.base, config)
            hold(before, kept(archive))
    before = kept(archive)
    reextract(archive)
    hold(before, kept(archive))


def hold(before: dict[str, tuple[PostRecord, list[str]]], after: dict[str, tuple[PostRecord, list[str]]]) -> None:
    assert before.keys() <= after.keys()
    for name, (old, said) in before.items():
        new, says = after[name]
        if len(tokenise(new.text)) < 0.5 * len(tokenise(old.text)):
            assert len(says) > len(said), f"{old.url}: {len(old.text)} -> {len(new.text)} characters"
            assert all(says)
