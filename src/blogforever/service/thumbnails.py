"""The picture that stands for a post in a list: its first one that the archive has and no post beside it shows, too."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from blogforever.records import PostRecord

from .replaying import Replay, moment_of

# Pictures of one post that are looked up in the archive: where the first ones are not there, the
# others seldom are.
TRIED = 4
PICTURE = "picture"


def thumbnails_of(replay: Replay, records: Sequence[PostRecord], origin: str) -> dict[str, str]:
    """Where the replay origin shows a picture of each post, by the post's id.

    What several posts of the same list show (a signature, a button, a smiley) tells nothing of one
    of them.
    """
    shown = Counter(url for record in records for url in set(_pictures(record)))
    found = {record.id: _thumbnail(replay, record, shown) for record in records}
    return {post: origin + path for post, path in found.items() if path}


def _thumbnail(replay: Replay, record: PostRecord, shown: Counter[str]) -> str | None:
    moment = moment_of(record.capture.captured if record.capture else None)
    own = [url for url in _pictures(record) if shown[url] == 1][:TRIED]
    return next(filter(None, (replay.file(record.blog, moment, url) for url in own)), None)


def _pictures(record: PostRecord) -> Iterator[str]:
    """The pictures of a post that were fetched."""
    return (one.url for one in record.media if one.role == PICTURE and one.sha256)
