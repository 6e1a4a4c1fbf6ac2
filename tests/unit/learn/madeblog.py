"""A blog made for a test: posts of random words, poured into a page layout, with the feed that goes with them."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from blogforever.model import Author, Entry, Feed, Moment, Page

WORDS = """
river stone window morning ladder copper quiet garden engine paper winter lantern bridge signal harbour velvet
market needle orchard pepper saddle thunder violin walnut yellow anchor basket candle desert ember forest glacier
hammer island jungle kettle lemon meadow nickel ocean pillow quarry ribbon silver timber umbrella valley willow
""".split()


@dataclass(frozen=True)
class MadePost:
    """What a post truly is."""

    number: int
    title: str
    author: str
    day: date
    paragraphs: tuple[str, ...]

    @property
    def url(self) -> str:
        return f"https://made.example/{self.day:%Y/%m}/post-{self.number}/"

    @property
    def html(self) -> str:
        return "".join(f"<p>{text}</p>" for text in self.paragraphs)

    @property
    def words(self) -> list[str]:
        return " ".join(self.paragraphs).lower().replace(".", "").split()


Layout = Callable[[MadePost], str]


def make_posts(
    count: int, seed: int = 1, authors: Sequence[str] = ("Ada Quill",), words: tuple[int, int] = (20, 60)
) -> list[MadePost]:
    """Posts a week apart, each of a few paragraphs."""
    rnd = random.Random(seed)
    return [
        MadePost(
            n,
            f"The {rnd.choice(WORDS)} and the {rnd.choice(WORDS)} of {n}",
            authors[n % len(authors)],
            date(2013, 1, 5) + timedelta(days=11 * n),
            tuple(" ".join(rnd.choices(WORDS, k=rnd.randint(*words))) + "." for _ in range(rnd.randint(2, 5))),
        )
        for n in range(count)
    ]


def feed_of(posts: Sequence[MadePost], content: Callable[[MadePost], str] = lambda post: post.html) -> Feed:
    """A feed with what `content` says of each post."""
    return Feed(
        url="https://made.example/feed/",
        kind="rss",
        title="A made blog",
        link="https://made.example/",
        language="en",
        entries=tuple(
            Entry(
                url=post.url,
                title=post.title,
                authors=(Author(post.author),),
                published=Moment(f"{post.day.isoformat()}T08:00:00+00:00", "second"),
                html=content(post),
                tags=("walks", "tools"),
            )
            for post in posts
        ),
    )


def pages_of(posts: Sequence[MadePost], layout: Layout) -> list[Page]:
    """The posts' pages in one layout."""
    return [Page(post.url, layout(post).encode()) for post in posts]


SIDEBAR = (
    "<div id='side'><h3>Archives</h3><ul>"
    + "".join(f"<li><a href='/{n}'>{w} days</a></li>" for n, w in enumerate(WORDS))
    + "</ul></div>"
)


def page(head: str, body: str) -> str:
    """A whole page around a body."""
    top = "<div id='top'><a href='/'>A made blog</a></div>"
    foot = "<div id='foot'>Made by hand</div>"
    return f"<!doctype html><html><head>{head}</head><body>{top}{body}{SIDEBAR}{foot}</body></html>"
