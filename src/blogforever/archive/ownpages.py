"""The blog's own pages (About, Contact) that a walk found, written down apart from the posts."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import structs

from blogforever.extract.content import content_of
from blogforever.pipeline.harvest import HarvestedPost
from blogforever.pipeline.record import other_addresses, post_id
from blogforever.records import PageRecord, PostRecord
from blogforever.storage.tables import Store
from blogforever.update.fuller import is_bare
from blogforever.urls import url_key

from .saving import NewCrawl


def write_pages(store: Store, run: int, blog: str, found: Iterable[PostRecord]) -> int:
    """Keep what an update found of the blog's own pages; how many it is news of. One that is a post
    now goes.
    """
    before = {page.id: page for page in store.pages.of_blog(blog)}
    store.pages.drop([page for page in before if store.posts.find(page)])
    news = 0
    for record in found:
        page, kept = PageRecord.of(record), before.get(record.id)
        store.pages.keep(run, page)
        is_same = kept is not None and (kept.status, content_of(kept)) == (page.status, content_of(page))
        news += not is_same
    return news


def save_pages(job: NewCrawl, pages: list[HarvestedPost], posts: Iterable[HarvestedPost]) -> frozenset[str]:
    """Keep the pages that say something of their own; the keys of their addresses.

    A page that could be read once keeps its words, whatever it says now; one that is a post now is
    no page any more.
    """
    this = job.this
    names = (name for post in posts for name in (post.url, *post.aliases))
    table, before = this.archive.store.pages, {page.id: page for page in this.archive.store.pages.of_blog(this.blog)}
    table.drop(before.keys() & {post_id(this.blog, name) for name in names})
    kept: set[str] = set()
    candidates = this.archive.store.runs.candidates(this.run, [page.url for page in pages])
    for page, candidate in zip(pages, candidates, strict=True):
        if candidate is None or is_bare(candidate):
            continue
        aliases = other_addresses(candidate.url, page.aliases)
        made = structs.replace(candidate, id=post_id(this.blog, page.url), aliases=aliases)
        record = PageRecord.of(job.files.described(made))
        table.keep(this.run, record)
        kept |= {url_key(name) for name in record.addresses}
    return frozenset(kept)
