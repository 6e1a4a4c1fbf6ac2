"""Comments that are taken from a page stay in the archive as missing: the only one of a post, the last of a list."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from blogforever.archive.crawling import crawl_blog
from blogforever.config import Config
from blogforever.store.folder import ArchiveFolder
from server import talkblog
from server.blogserver import Answers, Reply, Site, serve_answers

ALONE, LONG = 3, 5
"""The post with one comment, and the one whose list has several pages."""
FORM = '<form id="respond"><h3>Leave a reply</h3><textarea name="comment"></textarea></form>'
PER_PAGE = 4


def item(number: int) -> str:
    return (
        f'<li class="comment" id="comment-{number}"><cite class="fn">Reader {number}</cite> '
        f'<time datetime="2021-12-{number:02}T10:00:00Z">Dec {number}</time><p>{talkblog.said(number, 1)}</p></li>'
    )


def with_list(page: Reply, items: list[int], stated: str = "", links: str = "") -> Reply:
    before, _comments, _after = page.body.partition(b'<section id="comments">')
    shown = f'<ol class="comment-list">{"".join(map(item, items))}</ol>' if items else ""
    section = f'<section id="comments">{stated}{shown}{links}{FORM}</section></main></body></html>'
    return Reply(before + section.encode(), headers=page.headers)


@dataclass
class Talk:
    """The blog while it is served, with the comments that two of its posts have; the others have none."""

    site: Site = field(init=False)
    alone: list[int] = field(default_factory=lambda: [1])
    long: list[int] = field(default_factory=lambda: list(range(11, 21)))
    is_read_otherwise: bool = False

    def answers(self, base: str) -> Answers:
        plain = talkblog.answers()(base)

        def reply(asked: str) -> Reply | None:
            path, _mark, number = asked.partition("comment-page-")
            answer = plain(path)
            if not isinstance(answer, Reply) or "comments" in path:
                return None
            if "/2021/" not in path:
                return answer
            if path == talkblog.path(LONG):
                return self.listed(answer, int(number.strip("/") or self.pages))
            items = self.alone if path == talkblog.path(ALONE) else []
            page = with_list(answer, items)
            if items and self.is_read_otherwise:
                return Reply(page.body.replace(item(1).encode(), talkblog.said(1, 1).encode()), headers=page.headers)
            return page

        return reply

    @property
    def pages(self) -> int:
        return -(-len(self.long) // PER_PAGE)

    def listed(self, page: Reply, number: int) -> Reply:
        """One page of the long list; the newest is that of the post itself."""
        places = [n for n in range(1, self.pages + 1) if n != number]
        links = "".join(f'<a href="{talkblog.path(LONG)}comment-page-{n}/">{n}</a> ' for n in places)
        items = self.long[(number - 1) * PER_PAGE : number * PER_PAGE]
        return with_list(page, items, f"<h2>{len(self.long)} comments</h2>", links)

    def look(self, archive: Path) -> None:
        values: dict[str, Any] = {"allow_private": True, "delay": 0.0, "retries": 0, "requisites": "none"}
        crawl_blog(self.site.base, Config(archive=archive, render="never", recheck=1.0, **values))


def states(archive: Path, number: int) -> dict[str, str]:
    with ArchiveFolder(archive, writing=False) as opened:
        (blog,) = opened.library.blogs()
        (post,) = [one for one in opened.library.posts(blog.id) if one.url.endswith(talkblog.path(number))]
        return {comment.native_id or "": comment.status for comment in post.comments}


@pytest.fixture
def talk(tmp_path: Path) -> Talk:
    return Talk()


def test_the_only_comment_of_a_post_is_missing_when_it_has_left(talk: Talk, tmp_path: Path) -> None:
    with serve_answers(talk.answers) as talk.site:
        talk.look(tmp_path)
        assert states(tmp_path, ALONE) == {"1": "active"}
        talk.alone = []
        talk.look(tmp_path)
        assert states(tmp_path, ALONE) == {"1": "missing"}
        talk.alone = [1]
        talk.look(tmp_path)
        assert states(tmp_path, ALONE) == {"1": "active"}


def test_a_comment_that_is_only_read_no_more_is_not_missing(talk: Talk, tmp_path: Path) -> None:
    with serve_answers(talk.answers) as talk.site:
        talk.look(tmp_path)
        talk.is_read_otherwise = True
        talk.look(tmp_path)
        assert states(tmp_path, ALONE) == {"1": "active"}


def test_the_last_of_a_list_without_a_number_is_missing_when_it_has_left(talk: Talk, tmp_path: Path) -> None:
    talk.alone = [1, 2, 3]
    with serve_answers(talk.answers) as talk.site:
        talk.look(tmp_path)
        talk.alone = [1, 2]
        talk.look(tmp_path)
        assert states(tmp_path, ALONE) == {"1": "active", "2": "active", "3": "missing"}


def test_the_last_of_a_list_on_several_pages_is_missing_when_the_page_states_fewer(talk: Talk, tmp_path: Path) -> None:
    with serve_answers(talk.answers) as talk.site:
        talk.look(tmp_path)
        assert states(tmp_path, LONG) == {str(number): "active" for number in range(11, 21)}
        talk.long.remove(20)
        talk.look(tmp_path)
        gone = {name for name, state in states(tmp_path, LONG).items() if state == "missing"}
        assert gone == {"20"}
        asked = len(talk.site.asked)
        talk.look(tmp_path)
        assert not [path for path in talk.site.asked[asked:] if "comment-page" in path]
