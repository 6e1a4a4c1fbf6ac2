"""Makes an archive of any size, through the store: blogs that are followed, their posts, what happened to them.

For measuring what people wait for: `bench_api.py` asks a small one and a large one the same.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from blogforever.archive.opening import open_archive
from blogforever.pipeline.record import post_id
from blogforever.records import (
    AuthorRecord,
    BlogRecord,
    CommentAuthor,
    CommentRecord,
    FieldSource,
    HowComplete,
    PostRecord,
)
from blogforever.source.given import BlogMetadata
from blogforever.storage.following import BlogList, FollowedBlog, FollowState, SourceBatch, SourceRow, WatchedAddress
from blogforever.storage.people import Deed
from blogforever.storage.tables import Store
from blogforever.storage.work import SCHEDULE, NewJob
from blogforever.store.folder import ArchiveFolder

LANGUAGES = ("en", "de", "fr", "el", "es", "ja", "ar", "ru")
PLATFORMS = ("wordpress", "blogger", "ghost", "hugo", "jekyll")
# Nine of ten are followed, the others stand otherwise.
STATES: tuple[FollowState, ...] = (*("following",) * 27, "failing", "frozen", "dead")
COMPLETENESS: tuple[HowComplete, ...] = (*("complete",) * 8, "incomplete", "not-known")
BEGUN = datetime(2016, 1, 1, tzinfo=UTC)
MINUTES = 10 * 365 * 24 * 60
# One blog has so many times as many posts as the others: those of real blogs differ as much.
LARGEST = 200
# Posts of one transaction: so that the disk is not waited for post by post.
TOGETHER = 2000
WORDS = 120
# How sure titles are: those of most posts, those that somebody should look at, and how many these are.
SURE, UNSURE, UNSURE_SHARE = 0.95, 0.3, 0.03
VOCABULARY = [f"{start}{middle}{end}" for start in "b k l m n p r s t v".split() for middle in "a e i o u".split() for end in "nd rt st l ra mo ti ke su go".split()]  # fmt: skip  # noqa: E501


@dataclass(frozen=True, slots=True)
class Size:
    """How much there is."""

    blogs: int
    posts: int


def make_big(folder: Path, size: Size) -> None:
    """An archive of this size; always the same for the same size."""
    chance = random.Random(size.blogs)  # noqa: S311  nothing secret
    with open_archive(folder, writing=True) as archive:
        store = archive.store
        _add_blogs(store, size, chance)
        _add_posts(store, size, chance)
        _add_happenings(store, size, chance)
        _index_words(archive, size)


def blog_name(number: int) -> str:
    """The id of a blog, here and in the archive."""
    return f"blog{number}.example"


def _add_blogs(store: Store, size: Size, chance: random.Random) -> None:
    for number in range(20):
        store.lists.keep(BlogList(f"list {number}", _stamp(0), "bench"))
    batch = SourceBatch("20260101000000000000-bench", _stamp(0), "bench", "bench.xlsx")
    names = range(size.blogs)
    store.sources.add(batch, [_row(batch.id, number) for number in names])
    store.followed.add(_followed(number, chance) for number in names)
    with store.transaction():
        for number in names:
            name = blog_name(number)
            url, title = f"https://{name}/", _title(number, chance)
            store.blogs.keep(BlogRecord(id=name, url=url, title=title, platform=chance.choice(PLATFORMS)))
            store.followed.watch(WatchedAddress(name, f"{url}feed", "posts"))


def _row(batch: str, number: int) -> SourceRow:
    url = f"https://{blog_name(number)}/"
    return SourceRow(batch, number + 1, url, url, "new", blog_name(number), made=True)


def _followed(number: int, chance: random.Random) -> FollowedBlog:
    name, look = blog_name(number), chance.randrange(MINUTES)
    state = chance.choice(STATES)
    return FollowedBlog(
        name,
        f"https://{name}/",
        _stamp(number),
        blog=name,
        title=_title(number, chance),
        state=state,
        reason="" if state == "following" else f"The server answered {chance.choice((404, 500, 503))}.",
        platform=chance.choice(PLATFORMS),
        last_look=_stamp(look),
        last_found=chance.randrange(3),
        total=15,
        completeness=chance.choice(COMPLETENESS),
        missing=chance.randrange(5),
        # Nothing is due while it is measured.
        next_look="2099-01-01T00:00:00+00:00",
        next_reason="posts on Tuesdays and Fridays; the last look brought nothing",
        lists=(f"list {number % 20}",),
        tags=(f"tag {number % 50}", "all"),
        metadata=BlogMetadata(language=chance.choice(LANGUAGES), location="Bern", topic="history"),
    )


def _add_posts(store: Store, size: Size, chance: random.Random) -> None:
    left = size.posts
    runs = {}
    with store.transaction():
        for number in range(size.blogs):
            runs[number], _ = store.runs.open(blog_name(number))
    posts = _posts(size, chance)
    while left > 0:
        with store.transaction():
            for number, post in _some(posts, min(TOGETHER, left)):
                store.posts.keep(runs[number], post)
                left -= 1
    with store.transaction():
        for run in runs.values():
            store.runs.close(run, "finished")


def _posts(size: Size, chance: random.Random) -> Iterator[tuple[int, PostRecord]]:
    """Posts of all blogs in turn, with the number of the blog; every so many is one of the largest."""
    for place in range(size.posts):
        number = 0 if place % LARGEST == 0 else place % size.blogs
        yield number, _post(number, place, chance)


def _some(posts: Iterator[tuple[int, PostRecord]], most: int) -> Iterator[tuple[int, PostRecord]]:
    for _, one in zip(range(most), posts, strict=False):
        yield one


def _post(number: int, place: int, chance: random.Random) -> PostRecord:
    blog = blog_name(number)
    url = f"https://{blog}/post-{place}/"
    text = " ".join(chance.choices(VOCABULARY, k=WORDS))
    confidence = UNSURE if chance.random() < UNSURE_SHARE else SURE
    return PostRecord(
        id=post_id(blog, url),
        blog=blog,
        url=url,
        title=" ".join(chance.choices(VOCABULARY, k=5)).capitalize(),
        authors=(AuthorRecord(name=f"Author {number % 997}"),),
        published=_stamp(chance.randrange(MINUTES)),
        language=LANGUAGES[number % len(LANGUAGES)],
        text=text,
        html=f"<p>{text}</p>",
        tags=tuple(chance.sample(VOCABULARY, 3)),
        comments=_comments(place, chance) if place % 5 == 0 else (),
        provenance={"title": FieldSource(by="rule", rule="h1", confidence=confidence)},
    )


def _comments(place: int, chance: random.Random) -> tuple[CommentRecord, ...]:
    return tuple(
        CommentRecord(
            id=f"c{place}-{number}",
            author=CommentAuthor(name=f"Reader {chance.randrange(1000)}"),
            published=_stamp(chance.randrange(MINUTES)),
            text=" ".join(chance.choices(VOCABULARY, k=30)),
        )
        for number in range(3)
    )


def _add_happenings(store: Store, size: Size, chance: random.Random) -> None:
    """Jobs that ended, and what people did."""
    with store.transaction():
        for number in range(size.blogs):
            name, now = blog_name(number), _stamp(MINUTES)
            store.jobs.put(NewJob("update", name, SCHEDULE, "2099-01-01T00:00:00+00:00", "bench"), now)
            store.audit.add(Deed(_stamp(chance.randrange(MINUTES)), "bench", "change blog", name, "tags"))


def _index_words(archive: ArchiveFolder, size: Size) -> None:
    archive.hold_all()
    archive.search.update()
    archive.share()


def _title(number: int, chance: random.Random) -> str:
    return f"{' '.join(chance.choices(VOCABULARY, k=2)).title()} {number}"


def _stamp(minutes: int) -> str:
    return (BEGUN + timedelta(minutes=minutes)).isoformat(timespec="seconds")
