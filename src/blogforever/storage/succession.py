"""What becomes of a kept post when something new comes: decided here alone, whatever store keeps it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from msgspec import structs

from blogforever.comments import Shown, keep_comments
from blogforever.records import PostRecord, SourceRecord

from .values import BeforeMove, Change, Edit, Name, Rewritten, VersionRow


@dataclass(frozen=True, slots=True)
class KeptVersion:
    """A version of a post with its record, which is None where the post's own row has it."""

    row: VersionRow
    record: PostRecord | None


def is_edited(change: Change, kept_digest: str, digest: str) -> bool:
    """Whether what comes is another version of what is kept, by the digests of their contents."""
    if change == "compare":
        return kept_digest != digest
    return change == "content"


def succeeding(kept: PostRecord, version: int, record: PostRecord, edited: bool) -> PostRecord:
    """The record that is kept from now on in the place of one,
    numbered, with the comments that were there.
    """
    # A page may show only the newest comments, or none while their service is down.
    stated = record.extra.comments_stated
    shown: Shown = "unknown" if stated is None else "some"
    comments = keep_comments(kept.comments, record.comments, shown)
    return structs.replace(record, comments=comments, version=version + 1 if edited else version)


def version_row(record: PostRecord, digest: str, run: int, rules: int | None, now: str) -> VersionRow:
    """What a version says of itself; where nobody knows when it was captured, that is now."""
    capture = record.capture
    return VersionRow(
        post=record.id,
        number=record.version,
        blog=record.blog,
        captured=(capture.captured if capture else None) or now,
        digest=digest,
        rules=rules,
        record_id=capture.record_id if capture else None,
        run=run,
    )


def woven(kept: Mapping[int, KeptVersion], order: Sequence[int | KeptVersion]) -> list[KeptVersion]:
    """Versions in their new order, with their new numbers; those
    that are kept stand as the old ones.
    """
    versions = [kept[one] if isinstance(one, int) else one for one in order]
    return [_numbered(version, number) for number, version in enumerate(versions, 1)]


def renumbering(order: Sequence[int | KeptVersion]) -> dict[int, int]:
    """The new number of each kept version, by its old one; the
    highest first: none is given twice on the way.
    """
    numbers = {old: new for new, old in enumerate(order, 1) if isinstance(old, int)}
    return dict(sorted(numbers.items(), reverse=True))


def _numbered(version: KeptVersion, number: int) -> KeptVersion:
    record = version.record
    numbered = structs.replace(record, version=number) if record else None
    return KeptVersion(replace(version.row, number=number), numbered)


def before_renaming(before: BeforeMove, name: Name, edit: Edit) -> BeforeMove:
    """What was kept before a move, when the post gets another name."""
    if post := before.post:
        number = post.version - name.shift
        record = edit(post.record, number)
        renamed = structs.replace(post, id=name.new, blog=name.blog, version=number, record=record)
        before = structs.replace(before, post=renamed)
    if check := before.check:
        before = structs.replace(before, check=structs.replace(check, post=name.new, blog=name.blog))
    return before


def sources_now(record: PostRecord, rewritten: Rewritten) -> PostRecord:
    """A record with the responses it was made from as they are after an erasure."""
    left = (source for source in record.sources if source.record_id not in rewritten.dropped)
    return structs.replace(record, sources=tuple(_as_rewritten(source, rewritten) for source in left))


def _as_rewritten(source: SourceRecord, rewritten: Rewritten) -> SourceRecord:
    _file, _offset, digest = rewritten.places.get(source.record_id or "", ("", 0, ""))
    return structs.replace(source, digest=digest) if digest else source
