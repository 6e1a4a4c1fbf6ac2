"""Collecting in Chromium: a list looked through, added and watched until it is settled; many changed; keys."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from blogforever import clock
from blogforever.storage.following import FollowedBlog, FollowState
from blogforever.storage.tables import Store
from server.looking import AXE, wrong_at
from server.portalserver import WIDE, ServedPortal

pytestmark = [pytest.mark.browser, pytest.mark.long]


@pytest.fixture
def store(portal: ServedPortal) -> Iterator[Store]:
    """The store of the portal; blogs that a test adds are gone after it."""
    store = portal.standing.archive.store
    yield store
    store.followed.drop(f"{name}.example" for name in "abcd")


@pytest.fixture
def curator(portal: ServedPortal, context: BrowserContext, page: Page) -> Page:
    portal.log_in(context, "curator")
    context.add_init_script(AXE)
    page.set_viewport_size({"width": WIDE[0], "height": WIDE[1]})
    return page


def test_a_list_is_looked_through_added_watched_live_and_taken_back(
    portal: ServedPortal, curator: Page, store: Store
) -> None:
    curator.goto(f"{portal.url}/add")
    curator.get_by_label("Or a file").set_input_files(
        {
            "name": "list.csv",
            "mimeType": "text/csv",
            "buffer": b"url,tags\na.example,verse\nb.example,\nnonsense here,\n",
        }
    )
    curator.get_by_label("List", exact=True).fill("From a file")
    curator.get_by_role("button", name="See what would happen").click()
    expect(curator.get_by_role("heading", level=1)).to_have_text("Before it happens")
    assert wrong_at(curator, "the preview") == []
    curator.set_viewport_size({"width": WIDE[0], "height": WIDE[1]})
    curator.get_by_role("button", name="Add 2 new blogs").click()
    expect(curator.get_by_text("goes on by itself")).to_be_visible()
    store.followed.change("a.example", lambda one: _settled(one, "following", "A blog of verse"))
    store.followed.change("b.example", lambda one: _settled(one, "dead", ""))
    expect(curator.get_by_text("A blog of verse")).to_be_visible()
    expect(curator.get_by_text("goes on by itself")).to_be_hidden()
    curator.get_by_role("button", name="Take it back").click()
    expect(curator.get_by_text("The batch was taken back")).to_be_visible()
    assert store.followed.find("a.example") is None


def test_what_runs_for_a_blog_is_seen_until_it_has_ended(portal: ServedPortal, curator: Page, store: Store) -> None:
    blog = portal.places()["blog"]
    curator.goto(f"{portal.url}/sources/{blog}")
    curator.get_by_role("button", name="Look now").click()
    expect(curator.locator("#now")).to_contain_text("in the queue")
    [job] = store.jobs.take("w", {"update": 1}, clock.stamp())
    expect(curator.locator("#now")).to_contain_text("running")
    store.jobs.done(job.id, "w", "{}", clock.stamp())
    expect(curator.locator("#now")).to_be_hidden()


def test_ticked_blogs_are_changed_and_the_review_is_gone_through_by_keys(
    portal: ServedPortal, curator: Page, store: Store
) -> None:
    blogs = [FollowedBlog(f"{name}.example", f"https://{name}.example/", clock.stamp()) for name in "cd"]
    store.followed.add(blogs)
    curator.goto(f"{portal.url}/sources?q=.example")
    curator.get_by_label("All on this page").check()
    curator.get_by_label("What to do").select_option("tag")
    curator.get_by_label("Tag, list or reason").fill("rare")
    curator.get_by_role("button", name="Do it").click()
    expect(curator.get_by_role("status")).to_contain_text("2 blogs")
    for blog in blogs:
        store.followed.change(blog.id, lambda one: _settled(one, "frozen", "Frozen one"))
    curator.goto(f"{portal.url}/review?state=frozen")
    assert wrong_at(curator, "review") == []
    curator.keyboard.press("j")
    curator.keyboard.press("j")
    curator.keyboard.press("k")
    curator.keyboard.press("Enter")
    curator.wait_for_url(f"{portal.url}/sources/c.example")


def _settled(blog: FollowedBlog, state: FollowState, title: str) -> FollowedBlog:
    return replace(blog, state=state, title=title)
