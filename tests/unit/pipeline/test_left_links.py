"""Links that are not followed are counted with their reasons, and named."""

from __future__ import annotations

from blogforever.learn.urlpattern import learn_url_pattern
from blogforever.pipeline.frontier import Frontier
from blogforever.pipeline.scope import Scope

ROOT = "http://b.example/"


def frontier(root: str = ROOT) -> Frontier:
    made = Frontier(Scope(root))
    made.pattern = learn_url_pattern([f"{ROOT}notes/post-{n}/" for n in range(6)])
    return made


def test_every_link_that_is_left_is_counted_once_with_its_reason() -> None:
    links = ["a.jpg", "b.jpg", "a.jpg", "notes/post-1/print/", "notes/print/", "notes/post-2/?replytocom=4", "1950/x/"]
    made = frontier()
    asked = [ask.url for ask in made.wanted([ROOT + link for link in links], ROOT)]
    assert asked == [f"{ROOT}notes/print/"]
    assert {reason: (left.count, len(left.urls)) for reason, left in made.left.items()} == {
        "file": (2, 2),
        "machinery": (2, 2),
        "endless": (1, 1),
    }
    assert made.left["machinery"].urls == [f"{ROOT}notes/post-1/print/", f"{ROOT}notes/post-2/?replytocom=4"]


def test_a_blog_that_lives_in_a_script_is_walked_there() -> None:
    script = f"{ROOT}cgi-bin/blog.cgi"
    links = [f"{script}?month=5", f"{script}?page=2"]
    assert [ask.url for ask in frontier(script).wanted(links, script)] == links
    assert frontier().wanted(links, ROOT) == []


def test_links_that_were_left_are_taken_up_when_posts_have_such_addresses() -> None:
    made = Frontier(Scope(ROOT))
    assert made.wanted([f"{ROOT}notes/print/", f"{ROOT}notes/post-1/print/"], ROOT) == []
    made.pattern = frontier().pattern
    assert [ask.url for ask in made.taken_up(ROOT)] == [f"{ROOT}notes/print/"]
    assert (made.left["machinery"].count, made.left["machinery"].urls) == (1, [f"{ROOT}notes/post-1/print/"])
    assert made.taken_up(ROOT) == []


def test_a_query_that_posts_do_not_have_is_left_out_and_comes_back_where_the_plain_address_fails() -> None:
    made, tracked = frontier(), [f"{ROOT}notes/post-1/?source={place}" for place in ("home", "footer")]
    assert [ask.url for ask in made.wanted(tracked, ROOT)] == [f"{ROOT}notes/post-1/"]
    again = made.retry(f"{ROOT}notes/post-1/")
    assert again is not None
    assert again.url == tracked[0]


def test_where_nobody_knows_the_addresses_of_posts_both_are_asked_for() -> None:
    links = [f"{ROOT}a-post?source=home", f"{ROOT}?month=5", f"{ROOT}a-post?source=footer"]
    asked = [ask.url for ask in Frontier(Scope(ROOT)).wanted(links, ROOT)]
    assert asked == [f"{ROOT}a-post", links[0], links[1], links[2]]
