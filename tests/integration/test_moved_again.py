"""A blog that has moved, and moves again: back to the address that was given for it, or on from there."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from blogforever.archive.bloglook import BlogLook
from blogforever.archive.following import Follower
from blogforever.config import Config
from server.blogserver import Answers, Reply, Site, serve_answers
from server.movingblog import MovingBlog, told

GIVEN, FIRST, SECOND = "given", "first", "second"


class Wandering:
    """A blog at one of three hosts; the one that was given leads there or has nothing, the others have nothing."""

    def __init__(self) -> None:
        self.blog, self.at, self.leads = MovingBlog(), GIVEN, True
        self.sites: dict[str, Site] = {}

    def answers_of(self, host: str, base: str) -> Answers:
        inner = self.blog.answers(base)

        def answer(path: str) -> Any:
            if host == self.at:
                return inner(path)
            leads = host == GIVEN and self.leads
            return Reply(b"", 301, {"Location": self.sites[self.at].base + path}) if leads else None

        return answer

    def go(self, to: str, leads: bool = True) -> None:
        """Move, and write something new there."""
        self.at, self.leads = to, leads
        self.blog.posts.append(told(len(self.blog.posts)))


@contextmanager
def wandering() -> Iterator[Wandering]:
    made = Wandering()
    with ExitStack() as hosts:
        for host in (GIVEN, FIRST, SECOND):
            made.sites[host] = hosts.enter_context(serve_answers(partial(made.answers_of, host)))
        yield made


def test_a_blog_is_found_wherever_it_goes_from_where_it_had_moved_to(tmp_path: Path) -> None:
    config = Config(
        archive=tmp_path / "a", allow_private=True, delay=0.0, timeout=20.0, retries=0, render="never", brief=True
    )

    async def looks(made: Wandering) -> None:
        async with Follower(config) as follower:
            home = f"{made.sites[GIVEN].base}/"

            async def look() -> BlogLook:
                return await follower.look_at(home, name)

            name = (await follower.look_at(home)).blog
            for place in (FIRST, GIVEN, FIRST, SECOND):
                made.go(place)
                seen = await look()
                moved_to = "" if place == GIVEN else f"{made.sites[place].base}/"
                posts = seen.report.posts if seen.report else 0
                assert (seen.outcome, seen.moved_to, seen.blog) == ("finished", moved_to, name)
                assert (posts, seen.learned.found) == (len(made.blog.posts), 1)
            made.go(FIRST, leads=False)
            assert (await look()).outcome == "unreachable", "nothing says where it is"

    with wandering() as made:
        asyncio.run(looks(made))
