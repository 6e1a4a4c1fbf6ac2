"""Archives of hand-written records: no page of them was ever captured."""

from __future__ import annotations

from pathlib import Path

from blogforever.pipeline.record import post_id
from blogforever.records import BlogRecord, PostRecord
from blogforever.store.folder import ArchiveFolder

from .somerecords import some_blog, some_post

BLOG = "b.example"
HOME = "https://b.example/"


def small_post(name: str, text: str = "", /, blog: str = BLOG, **fields: object) -> PostRecord:
    """A post of the small blog, at an address of its own."""
    url = f"https://{blog}/{name}/"
    usual = {"id": post_id(blog, url), "blog": blog, "url": url, "title": name.capitalize(), "text": text}
    return some_post(**usual | fields)


def blog_named(name: str = BLOG, **fields: object) -> BlogRecord:
    """The record of a blog."""
    usual = {"id": name, "url": f"https://{name}/", "title": "Small Things"}
    return some_blog(**usual | fields).record


def write_archive(folder: Path, *posts: PostRecord, blog: BlogRecord | None = None) -> Path:
    """An archive with one blog and its posts; a post that stands there twice has two versions."""
    record = blog or blog_named()
    with ArchiveFolder(folder, writing=True) as archive:
        run, _since = archive.store.runs.open(record.id)
        archive.store.blogs.keep(record)
        seen: set[str] = set()
        for post in posts:
            archive.store.posts.keep(run, post, "content" if post.id in seen else "none")
            seen.add(post.id)
        archive.store.runs.close(run, "finished")
        archive.search.update()
    return folder
