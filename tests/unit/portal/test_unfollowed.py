"""Blogs that nobody follows any more: they are found, read, and followed again."""

from __future__ import annotations

from blogforever.archive.suppressing import Meant
from blogforever.service.desk import desk_of
from blogforever.service.following import drop_followed
from blogforever.service.hiding import hide
from blogforever.service.standing import Standing
from blogforever.storage.browsing import PostQuery
from blogforever.storage.following import FollowedBlog, FollowedQuery
from server.visitor import PortalClient, words


def sample(standing: Standing) -> FollowedBlog:
    return standing.archive.store.followed.page(FollowedQuery(limit=1)).items[0]


def test_a_blog_that_is_followed_no_more_shows_what_is_kept_and_the_way_back(
    curator: PortalClient, standing: Standing
) -> None:
    blog = sample(standing)
    assert "Every blog of the archive is followed" in words(curator.page("/unfollowed"))
    page = curator.submitted(f"/sources/{blog.id}/unfollow")
    assert "It is followed no more." in words(page)
    assert "Nobody follows it" in words(page)
    assert f"{blog.total} posts" in words(page)
    assert "/unfollowed" in curator.page("/sources").xpath("//main//a/@href")
    left = curator.page("/unfollowed")
    assert blog.title in words(left)
    (way_back,) = left.xpath("//main//form/@action")
    again = curator.submitted(str(way_back))
    assert "It is followed again" in words(again)
    assert sample(standing).url == blog.url
    assert sample(standing).title == blog.title
    assert blog.title not in words(curator.page("/unfollowed"))


def test_a_post_leads_to_its_blog_also_where_nobody_follows_it(viewer: PortalClient, standing: Standing) -> None:
    blog = sample(standing)
    drop_followed(desk_of(standing.archive, "admin"), [blog.id])
    post = standing.archive.store.posts.page(PostQuery(limit=1)).items[0]
    (link,) = viewer.page(f"/posts/{post.id}").xpath("//dl[@class='facts']//a[starts-with(@href, '/sources/')]/@href")
    page = viewer.page(str(link))
    assert "Nobody follows it" in words(page)
    assert not page.xpath("//main//form")


def test_a_blog_with_another_name_in_the_archive_is_shown_as_it_is_followed(
    viewer: PortalClient, standing: Standing
) -> None:
    blog, store = sample(standing), standing.archive.store
    store.followed.drop([blog.id])
    store.followed.add([FollowedBlog("other.org", "https://other.org/", blog.created, blog=blog.blog)])
    assert viewer.get(f"/sources/{blog.blog}").headers["location"] == "/sources/other.org"


def test_a_hidden_blog_is_not_among_them(curator: PortalClient, standing: Standing) -> None:
    blog = sample(standing)
    assert blog.blog
    drop_followed(desk_of(standing.archive, "admin"), [blog.id])
    hide(standing.archive, Meant(blog.blog, "blog"), "asked for")
    assert blog.title not in words(curator.page("/unfollowed"))
    assert curator.get(f"/sources/{blog.blog}").status_code == 404


def test_a_blocked_blog_says_why_it_is_not_followed_again(curator: PortalClient, standing: Standing) -> None:
    blog = sample(standing)
    curator.submitted(f"/sources/{blog.id}/unfollow")
    curator.submitted("/blocked", what=blog.url, reason="spam")
    assert "It is blocked: spam." in words(curator.submitted(f"/sources/{blog.blog}/follow"))
