"""Where the feed and the home of a blog are found when an address of it is looked at."""

from __future__ import annotations

from blogforever.analyse.judging import judge
from blogforever.analyse.looking import look
from blogforever.analyse.values import HostVerdict
from server.somesites import HOME, PROSE, blog, fetch_from, page

FIRM = "<nav><a href='/products/'>a</a><a href='/careers/'>b</a><a href='tel:+4930123456'>+49 30 123456</a></nav>"


def verdict(answers: dict[str, str], path: str = "/") -> HostVerdict:
    return judge(look(HOME + path, fetch_from(answers)))


def test_the_feed_of_a_service_on_another_host_is_taken_if_its_entries_are_of_the_blog() -> None:
    answers = blog()
    feed, far = answers.pop("/feed.xml"), "https://feeds.example/ann.xml"
    named = {path: text.replace("/feed.xml", far) for path, text in answers.items()}
    assert verdict(named | {far: feed}).post_feed == far
    assert verdict(named | {far: feed.replace(HOME, "https://other.example")}).post_feed == ""


def test_a_post_below_a_folder_called_blog_leads_there_and_not_to_the_home_of_the_firm() -> None:
    answers = blog(feed=False, below="/blog")
    posts = {path: text.replace("<body>", "<body><a href='/blog/'>x</a>") for path, text in answers.items()}
    found = verdict(posts | {"/": page(FIRM + PROSE)}, "/blog/2024/09/the-lantern/")
    assert (found.kind, found.root) == ("post", f"{HOME}/blog/")


def test_a_post_whose_address_is_but_a_day_is_known_by_the_home_that_lists_it() -> None:
    answers = blog(feed=False)
    days = {path: f"/{path[1:5]}-{path[6:8]}-05.html" for path in answers if path.startswith("/2024")}
    for path, day in days.items():
        answers = {at.replace(path, day): text.replace(path, day) for at, text in answers.items()}
    assert verdict(answers, "/2024-09-05.html").kind == "post"


def test_the_folder_of_a_person_on_a_shared_host_is_his_home_without_a_feed_too() -> None:
    answers = blog(feed=False, below="/~ann") | {"/": page(FIRM + PROSE)}
    found = verdict(answers, "/~ann/")
    assert (found.kind, found.root) == ("blog", f"{HOME}/~ann/")
