"""Posts that must not be shown: hidden with a reason, for good or up to a day, and shown again."""

from __future__ import annotations

from blogforever.archive.suppressing import Meant, suppress, unsuppress
from blogforever.care.decisions import Hidden
from blogforever.records import PostRecord
from blogforever.store.folder import ArchiveFolder


def hide_post(archive: ArchiveFolder, post: PostRecord, reason: str, until: str = "") -> None:
    """Show a post to nobody from now on: for good, or up to a day (an embargo). The archive keeps
    it.
    """
    archive.store.flush()
    suppress(archive.folder, Meant(post.url, "url", post.blog), reason, until=until or None, wait=False)
    archive.read_decisions()


def show_again(archive: ArchiveFolder, target: str, kind: str, reason: str) -> None:
    """Show again what was hidden."""
    archive.store.flush()
    unsuppress(archive.folder, target, kind, reason, wait=False)
    archive.read_decisions()


def hidden_things(archive: ArchiveFolder) -> list[Hidden]:
    """What is hidden, the last first; what was erased to the end has no name any more."""
    return sorted(archive.journal.state().hidden, key=lambda one: one.since, reverse=True)
