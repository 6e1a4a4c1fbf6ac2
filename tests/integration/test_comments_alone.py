"""A look for late comments alone: the comment feed says where, or else the newest posts are asked; never the feed of
posts.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from blogforever import clock
from blogforever.archive.crawling import crawl_blog
from blogforever.archive.jobs import CrawlReport
from blogforever.config import Config
from blogforever.store.folder import ArchiveFolder
from server import talkblog
from server.blogserver import Answers, Reply, Site, serve_answers

NEWEST = talkblog.path(talkblog.POSTS - 1)
SOON_AFTER = datetime(2021, 9, 12, tzinfo=UTC)
"""Three days after the newest post."""
LATE = "A reader who comes late says: the ferry is on time again."
COMMENTS = "/comments/feed/"


@dataclass
class Talk:
    """The blog while it is served: whether somebody wrote late, and what answers nothing."""

    site: Site = field(init=False)
    is_late: bool = False
    missing: frozenset[str] = frozenset()

    def answers(self, base: str) -> Answers:
        plain = talkblog.answers()(base)

        def reply(asked: str) -> Reply | None:
            answer = plain(asked)
            path = asked.partition("?")[0]
            if path in self.missing or not isinstance(answer, Reply):
                return None
            late = {NEWEST: (b"</ol>", on_page()), COMMENTS: (b"</channel>", in_feed(base))}
            if not self.is_late or path not in late:
                return answer
            end, more = late[path]
            return Reply(answer.body.replace(end, more + end), answer.status, answer.headers)

        return reply

    def look(self, archive: Path, **more: Any) -> tuple[CrawlReport, list[str]]:
        """Look at it; what was asked for beside robots.txt."""
        before = len(self.site.asked)
        values: dict[str, Any] = {"allow_private": True, "delay": 0.0, "retries": 0, "requisites": "none"}
        report = crawl_blog(self.site.base, Config(archive=archive, render="never", **(values | more)))
        return report, [path for path in self.site.asked[before:] if path != "/robots.txt"]


def on_page() -> bytes:
    return (
        f'<li class="comment" id="comment-999"><cite class="fn">Di Late</cite> '
        f'<time datetime="2021-12-08T10:00:00Z">Dec 8</time><p>{LATE}</p></li>'
    ).encode()


def in_feed(base: str) -> bytes:
    link = f"{base}{NEWEST}#comment-999"
    return (
        f"<item><title>By: Di Late</title><link>{link}</link><guid>{link}</guid><dc:creator>Di Late</dc:creator>"
        f"<pubDate>2021-12-08T10:00:00Z</pubDate><description>{LATE}</description></item>"
    ).encode()


@contextmanager
def harvested(archive: Path, missing: frozenset[str] = frozenset()) -> Iterator[Talk]:
    talk = Talk(missing=missing)
    with clock.handed_in(lambda: SOON_AFTER), serve_answers(talk.answers) as talk.site:
        assert talk.look(archive)[0].posts == talkblog.POSTS
        yield talk


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    return tmp_path / "a"


def last_comment(archive: Path) -> str:
    with ArchiveFolder(archive, writing=False) as opened:
        (blog,) = opened.library.blogs()
        (post,) = [one for one in opened.library.posts(blog.id) if one.url.endswith(NEWEST)]
        return post.comments[-1].text


def test_the_comment_feed_says_under_which_post_somebody_wrote(archive: Path) -> None:
    with harvested(archive) as talk:
        before, _asked = talk.look(archive)
        assert talk.look(archive, late_comments=True)[1] == [COMMENTS]
        talk.is_late = True
        report, asked = talk.look(archive, late_comments=True)
        assert asked == [COMMENTS, NEWEST]
        assert report.update
        assert (report.update.comments, report.update.new, report.posts) == (1, 0, talkblog.POSTS)
        assert report.completeness.sources == before.completeness.sources, "nobody asked the others"
        assert talk.look(archive, late_comments=True)[1] == [COMMENTS]
        assert talk.look(archive, brief=True)[1] == ["/feed/"], "what was said before still holds"
    assert last_comment(archive) == LATE


def test_where_no_comment_feed_answers_the_newest_posts_are_asked(archive: Path) -> None:
    with harvested(archive, frozenset({COMMENTS})) as talk:
        talk.is_late = True
        report, asked = talk.look(archive, late_comments=True)
    assert asked == [COMMENTS, NEWEST]
    assert report.update
    assert report.update.comments == 1
    assert last_comment(archive) == LATE


def test_a_host_that_is_away_is_no_host_without_comments(archive: Path) -> None:
    with harvested(archive) as talk:
        site = talk.site
    with clock.handed_in(lambda: SOON_AFTER):
        talk.site = site
        report, _asked = talk.look(archive, late_comments=True, timeout=2.0)
    assert report.home_failure == "connection"
    assert report.update
    assert report.update.unreachable == "connection"
