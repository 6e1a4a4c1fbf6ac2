"""Links that act are known by several signs; posts that are only called like a deed have none of them."""

from __future__ import annotations

import pytest

from blogforever.discover.acting import address_acts
from blogforever.discover.pagefacts import read_facts
from blogforever.model import Page

ROOT = "https://blog.example"
POST = f"{ROOT}/2020/05/a-quiet-harbour/"


@pytest.mark.parametrize(
    "address",
    [
        "/?like=12",
        "/a-quiet-harbour/?replytocom=7",
        "/a-quiet-harbour/?reply_to=7",
        "/entry?id=3&vote=up",
        "/entry?id=3&do=comment",
        "/entry?id=3&do=reply&to=7",
        "/index.php?action=deleteComment&id=4",
        "/index.php?mode=vote&id=4",
        "/shop/?add-to-cart=12",
        "/posts/123/like",
        "/posts/123/vote/up",
        "/comment/reply/12/345",
        "/comments/45/reply",
        "/like/9f8e7d6c5b4a",
        "/user/logout",
        "/logout",
        "/a-quiet-harbour/upvote",
        "/comment/45/delete-comment",
    ],
)
def test_addresses_that_act(address: str) -> None:
    assert address_acts(ROOT + address)


@pytest.mark.parametrize(
    "address",
    [
        "/2020/05/how-to-reply/",
        "/2020/05/vote/",
        "/2020/05/04/like/",
        "/2020/05/unsubscribe/",
        "/reply/",
        "/like/",
        "/notes/delete",
        "/vote/2020/",
        "/how-to-vote/2/",
        "/likes-and-dislikes/",
        "/?p=12",
        "/?p=12&page=2",
        "/entry?id=3&mode=print",
        "/?do=search&q=boats",
        "/?tag=reply",
        "/?s=delete",
        "/category/reply/",
        "/update/12",
        "/",
        "",
    ],
)
def test_addresses_of_posts_called_like_a_deed(address: str) -> None:
    assert not address_acts(ROOT + address)


def links(*anchors: str, url: str = POST) -> list[str]:
    html = f"<html><body><article><h1>A quiet harbour</h1>{''.join(anchors)}</article></body></html>"
    page = Page(url, html.encode(), {"content-type": "text/html"})
    return [link.removeprefix(ROOT) for link in read_facts(page).links]


@pytest.mark.parametrize(
    "anchor",
    [
        '<a rel="nofollow" class="comment-reply-link" href="/c/reply-form">Reply to Ann</a>',
        '<a rel="nofollow ugc" href="/go?c=7">Antworten</a>',
        '<a data-method="delete" href="/comments/7">x</a>',
        '<a class="btn vote_up" href="/2020/05/a-quiet-harbour/?v=1">+</a>',
        '<a class="like-button" href="/2020/05/a-quiet-harbour/like">♥</a>',
        '<a href="?do=comment">Write</a>',
    ],
)
def test_links_that_act_are_not_followed(anchor: str) -> None:
    assert links(anchor, '<a href="/next/">Next</a>') == ["/next/"]


@pytest.mark.parametrize(
    ("anchor", "url"),
    [
        ('<a href="/2020/06/reply/">Reply</a>', POST),
        ('<a rel="nofollow" href="/2020/06/reply/">Reply</a>', POST),
        ('<a class="you-may-also-like" rel="nofollow" href="/2020/06/tides/">Tides</a>', POST),
        ('<a class="format-quote" href="/notes/tides/">Tides</a>', f"{ROOT}/notes/"),
        ('<a class="vote" href="/2020/06/vote/">Vote</a>', ROOT),
        ('<a href="/notes/like/">Like</a>', f"{ROOT}/notes/"),
    ],
)
def test_posts_called_like_a_deed_are_followed(anchor: str, url: str) -> None:
    assert len(links(anchor, url=url)) == 1
