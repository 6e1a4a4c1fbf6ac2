"""The captured pages of a blog in one WACZ file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from blogforever.errors import UsageError
from blogforever.export.frame import blog_title
from blogforever.records import BlogSummary
from blogforever.store.folder import ArchiveFolder
from blogforever.store.spare import SpareFolder
from blogforever.store.wacz import Collection, WaczPage, write_wacz

from .erasing import shown_warcs
from .notices import outside_sentence
from .opening import open_archive
from .reading import NAMES_SHOWN, choose_blog, shown_posts
from .referenced import OutsideResponses, responses_outside

# What it means that responses are outside the archive.
LEFT_OUT = "they are not in the WACZ"


@dataclass(frozen=True, slots=True)
class Packed:
    """What went into a WACZ."""

    title: str
    pages: int
    responses: int
    left_out: tuple[OutsideResponses, ...] = ()
    """What the archive has no bytes of."""


def export_wacz(folder: Path, dest: Path, wanted: str | None = None) -> Packed:
    """Pack one blog; without a name the archive must hold just one."""
    with open_archive(folder, writing=False) as archive, ExitStack() as stack:
        blog = choose_blog(archive, wanted) if wanted else _only(archive)
        left_out = responses_outside(archive, blog.id)
        if not archive.warcs(blog.id):
            sentences = [outside_sentence(outside, LEFT_OUT) for outside in left_out]
            nothing = f"The archive holds no captured page of {blog_title(blog.record)}."
            raise UsageError(" ".join([nothing, *sentences]))
        place = stack.enter_context(SpareFolder(beside=_beside(dest)))
        warcs, index_path = shown_warcs(archive, blog.id, place)
        collection = Collection(
            title=blog_title(blog.record),
            description=blog.record.subtitle or "",
            url=blog.url or None,
            software=f"blogforever {version('blogforever')}",
            warcs=warcs,
            index=index_path,
        )
        pages, responses = write_wacz(dest, collection, _pages(archive, blog))
    return Packed(collection.title, pages, responses, left_out)


def _beside(dest: Path) -> Path | None:
    """Where there is room for the file there is room for what goes into it."""
    return dest.parent if dest.parent.is_dir() else None


def _only(archive: ArchiveFolder) -> BlogSummary:
    blogs = archive.library.blogs()
    if not blogs:
        raise UsageError("The archive is empty.")
    if len(blogs) > 1:
        names = ", ".join(blog.id for blog in blogs[:NAMES_SHOWN])
        raise UsageError(f"A WACZ holds one blog; name it with --blog: {names}.")
    return blogs[0]


def _pages(archive: ArchiveFolder, blog: BlogSummary) -> Iterator[WaczPage]:
    for post in shown_posts(archive, blog.id):
        captured = next((source.captured for source in post.sources if source.captured), None)
        yield WaczPage(post.id, post.url, captured, post.title, post.text)
