"""The blog's own pages (About, Contact) that a walk found, written down apart from the posts."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import structs

from blogforever.pipeline.harvest import HarvestedPost
from blogforever.pipeline.record import other_addresses, post_id
from blogforever.records import PageRecord
from blogforever.update.fuller import is_bare
from blogforever.urls import url_key

from .saving import NewCrawl


def save_pages(job: NewCrawl, pages: list[HarvestedPost], posts: Iterable[HarvestedPost]) -> frozenset[str]:
    """Keep the pages that say something of their own; the keys of their addresses.

    A page that could be read once keeps its words, whatever it says now; one that is a post now is no page any more.
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
