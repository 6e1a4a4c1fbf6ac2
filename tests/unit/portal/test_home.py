"""Home: what came in today, what runs, what needs a person; how to begin where nothing is there."""

from __future__ import annotations

from dataclasses import replace

from blogforever import clock
from blogforever.storage.work import NewJob
from server.visitor import PortalClient, words


def test_a_new_service_says_how_to_begin(first_visitor: PortalClient) -> None:
    page = first_visitor.page("/")
    assert "Keep your first blog" in words(page)
    assert page.xpath("//main//form/@action") == ["/add/quick"]
    assert "Set the first password" in words(page)


def test_home_shows_what_came_in_and_the_newest_posts(viewer: PortalClient) -> None:
    page = viewer.page("/")
    figures = [words(one) for one in page.xpath("//*[contains(@class, 'figure')][strong or a]")]
    assert "1 blog followed 1 is well" in figures
    came_in = page.xpath("//*[contains(@class, 'figure')]//@href | //a[contains(@class, 'figure')]/@href")
    assert "/output?view=comments" in came_in
    assert words(page.xpath("//section[@aria-labelledby='newest']//h3")[0]) == "What the hedge knows"
    (bar,) = page.xpath("//*[local-name() = 'rect']")
    assert words(bar).endswith(": 45")
    assert "Nothing. Everything that is followed is well." in words(page)


def test_what_runs_is_looked_at_again_until_nothing_does(viewer: PortalClient) -> None:
    store = viewer.standing.archive.store
    assert viewer.page("/running").xpath("//@hx-get") == []
    (followed,) = store.followed.some(["nobody", *_names(viewer)])
    store.jobs.put(NewJob("update", followed.id), clock.stamp())
    assert "1 job waits" in words(viewer.page("/running"))
    with store.workers.join("one"):
        store.jobs.take("one", {"update": 1}, clock.stamp())
        part = viewer.page("/running")
    assert "The Long Shelf running" in words(part)
    assert part.xpath("//@hx-get") == ["/running"]


def test_what_needs_a_person_is_said_with_its_reason(viewer: PortalClient) -> None:
    (name,) = _names(viewer)
    change = viewer.standing.archive.store.followed.change
    change(name, lambda blog: replace(blog, state="frozen", reason="half of it is gone"))
    assert "frozen 1 to look at half of it is gone" in words(viewer.page("/"))


def _names(client: PortalClient) -> list[str]:
    rows = client.standing.archive.store.blogs.addresses()
    return list(rows)
