"""How others cite a post, for those who read it in the portal."""

from __future__ import annotations

from blogforever.export.citing import CITATION_FORMS, Cited, cited
from blogforever.records import PostRecord
from blogforever.store.folder import ArchiveFolder

from .reading import title_of

ENDINGS = {form.ending.split(".")[0]: form for form in CITATION_FORMS.values()}
"""The forms by how the addresses of their files end."""


def cited_post(archive: ArchiveFolder, record: PostRecord) -> Cited:
    """What is cited of a post of the archive."""
    return cited(record, title_of(archive, record.blog))


def citations(told: Cited) -> list[tuple[str, str, str]]:
    """The same in every form: what it is called, how its file ends, and its text."""
    return [(form.name, name, form.one(told)) for name, form in ENDINGS.items()]
