from __future__ import annotations

from blogforever.discover.olderpages import next_feed_page
from blogforever.learn.postpages import Evidence
from blogforever.learn.urlpattern import learn_url_pattern
from blogforever.model import Feed
from blogforever.pipeline.frontier import Frontier
from blogforever.pipeline.harvest import same_posts
from blogforever.pipeline.learning import SeenPage
from blogforever.pipeline.record import post_id
from blogforever.pipeline.scope import Scope

ROOT = "https://blog.example/"


def test_scope_takes_the_folder_where_the_posts_are_in_it() -> None:
    scope = Scope("https://host.example/blog/")
    scope.settle(["https://host.example/blog/a", "https://www.host.example/blog/b"])
    assert scope.admit("http://host.example/blog/c")
    assert scope.admit("https://host.example/shop/c") is None
    scope.settle(["https://host.example/2013/a"])
    assert scope.admit("https://host.example/shop/c")


def test_scope_moves_other_names_of_the_blog_to_its_host() -> None:
    scope = Scope(ROOT)
    scope.add_name("https://old-name.example/")
    assert scope.admit("http://www.old-name.example/post") == "https://blog.example/post"
    assert scope.admit("https://else.example/post") is None
    assert scope.admit("http://localhost:2368/post") == "https://blog.example/post"


def test_frontier_asks_each_page_once_and_another_spelling_after_a_failure() -> None:
    frontier = Frontier(Scope(ROOT))
    asks = frontier.wanted([f"{ROOT}a/", f"{ROOT}a", f"{ROOT}a/index.html", f"{ROOT}a/?utm_source=x"], None)
    assert [ask.url for ask in asks] == [f"{ROOT}a/"]
    again = frontier.retry(f"{ROOT}a/")
    assert again
    assert again.url == f"{ROOT}a"
    assert not frontier.wanted(
        [f"{ROOT}b/?replytocom=1", f"{ROOT}pic.jpg", "https://else.example/", f"{ROOT}1970/01/x"], None
    )[1:]


def test_a_list_of_posts_the_feed_has_named_already_still_shows_posts() -> None:
    frontier = Frontier(Scope(ROOT))
    posts = [f"{ROOT}2013/0{n}/slug/" for n in range(1, 4)]
    frontier.pattern = learn_url_pattern(posts)
    for url in posts:
        frontier.mark(url)
    assert not frontier.wanted([*posts, f"{ROOT}2013/"], None)[1:]
    assert frontier.shown == 3
    assert not frontier.wanted(posts, None)
    assert frontier.shown == 0, "each is shown for the first time only once"


def seen(url: str, **more: object) -> SeenPage:
    evidence = Evidence(url, title="t", length=500, digest="d", published="2013-01-01")
    for name, value in more.items():
        setattr(evidence, name, value)
    return SeenPage(evidence, None)


def urls(pages: list[SeenPage]) -> list[list[str]]:
    return [[page.evidence.url for page in group] for group in same_posts(pages)]


def test_the_same_text_under_two_addresses_is_one_post() -> None:
    assert urls([seen(f"{ROOT}a/b/"), seen(f"{ROOT}b/")]) == [[f"{ROOT}b/", f"{ROOT}a/b/"]]


def test_what_the_feed_names_twice_stays_two_posts() -> None:
    assert len(urls([seen(f"{ROOT}a/", in_feed=True), seen(f"{ROOT}b/", in_feed=True)])) == 2


def test_a_canonical_address_counts_only_where_the_pages_look_alike() -> None:
    home = seen(f"{ROOT}start/", digest="x", title="Home")
    pages = [seen(f"{ROOT}{n}/", digest=n, title=n, canonical=f"{ROOT}start/") for n in "abc"]
    assert len(urls([home, *pages])) == 4
    twin = seen(f"{ROOT}d2/", digest="other", title="d", canonical=f"{ROOT}d/", length=600)
    assert len(urls([seen(f"{ROOT}d/", digest="dd", title="d"), twin])) == 1


def test_older_feed_pages_of_known_platforms() -> None:
    wordpress = Feed(f"{ROOT}feed/", "rss", generator="https://wordpress.org/?v=6.1")
    assert next_feed_page(wordpress) == f"{ROOT}feed/?paged=2"
    blogger = Feed(f"{ROOT}feeds/posts/default", "atom", generator="Blogger")
    assert next_feed_page(blogger) is None or "start-index" in str(next_feed_page(blogger))
    assert next_feed_page(Feed(f"{ROOT}atom.xml", "atom", generator="Hugo")) is None


def test_ids_are_stable_over_spellings() -> None:
    assert post_id("b", "http://www.blog.example/a/") == post_id("b", "https://blog.example/a")
    assert post_id("b", "https://blog.example/a") != post_id("c", "https://blog.example/a")
