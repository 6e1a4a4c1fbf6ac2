"""The first hour of somebody who never opens a terminal, with the service itself, in Chromium: from an empty page to a
blog that is read, searched, corrected and guarded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from server.blogserver import serve_answers
from server.editedblog import EditedBlog, serve_edited
from server.portalserver import patient_context
from server.service import Service, serving, until
from server.talkblog import answers

pytestmark = [pytest.mark.browser, pytest.mark.long]
PASSWORD = "the long shelf"
POSTS = 6


@pytest.fixture(scope="module")
def blog() -> Iterator[EditedBlog]:
    with serve_edited(POSTS) as served:
        yield served


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with serving(tmp_path_factory.mktemp("first-hour"), "--workers", "1", "--replay-port", "0") as started:
        yield started


@pytest.fixture(scope="module")
def desk(browser: Browser, service: Service, blog: EditedBlog) -> Iterator[Page]:
    """Somebody at the portal, whose first blog has just been harvested before his eyes."""
    context = patient_context(browser)
    page = context.new_page()
    page.goto(service.url)
    expect(page.get_by_role("heading", level=1)).to_have_text("Keep your first blog")
    page.get_by_label("Address of a blog").fill(blog.base)
    page.get_by_role("button", name="Keep this blog").click()
    page.goto(f"{service.url}sources")
    page.get_by_role("link", name=re.compile("127.0.0.1|Ferry Log")).first.click()
    # Nothing is pressed from here on: the page follows the harvest by itself until there is nothing more to see.
    expect(page.locator(".standing .state, main .state").first).to_have_text("following")
    yield page
    context.close()


def a_blog_is_read_searched_and_seen_as_it_was(desk: Page, service: Service) -> None:
    desk.goto(f"{service.url}output")
    desk.get_by_role("searchbox").fill('"Story 3 begins"')
    desk.get_by_role("button", name="Search", exact=True).click()
    expect(desk.locator("mark").first).to_be_visible()
    desk.get_by_role("link", name="Post 3").or_(desk.get_by_role("link", name="Story 3")).first.click()
    expect(desk.get_by_role("heading", level=1)).to_contain_text("3")
    desk.get_by_role("link", name="Archived page").first.click()
    archived = desk.frame_locator("iframe")
    expect(archived.locator("h1.entry-title")).to_contain_text("3")


def a_list_is_looked_through_before_it_is_added_and_can_be_taken_back(desk: Page, service: Service) -> None:
    with serve_answers(answers()) as talk:
        desk.goto(f"{service.url}add")
        desk.get_by_label("Addresses").fill(f"{talk.base}/\nnot an address at all\n")
        desk.get_by_label("List").fill("Talk")
        desk.get_by_role("button", name="See what would happen").click()
        expect(desk.locator(".figures")).to_contain_text("1 new")
        desk.get_by_role("button", name="Add 1 new blog").click()
        # The rows go on by themselves until the blog is harvested.
        expect(desk.locator("#rows tbody .state.following")).to_be_visible()
        desk.locator("#rows tbody a").first.click()
        desk.goto(f"{service.url}output?view=comments")
        expect(desk.get_by_text("Reader 1 of tale").first).to_be_visible()
        desk.goto(f"{service.url}batches")
        desk.locator("main .rows a").first.click()
        desk.get_by_role("button", name="Take it back").click()
        expect(desk.get_by_text("It was taken back on")).to_be_visible()


def what_the_author_changed_is_shown_word_by_word(desk: Page, service: Service, blog: EditedBlog) -> None:
    blog.edit(blog.posts[-1], lastmod="2024-01-01")
    desk.goto(f"{service.url}sources")
    desk.get_by_role("link", name="The Ferry Log").first.click()
    desk.get_by_role("button", name="Look now").click()
    desk.goto(f"{service.url}output?is=changed")
    until(lambda: bool(desk.reload() and desk.locator("main h2 a, main h3 a").count()))
    desk.locator("main h2 a, main h3 a").first.click()
    desk.get_by_role("link", name="Versions").first.click()
    desk.get_by_role("link", name="What changed last").first.click()
    expect(desk.locator("ins").first).to_contain_text("rewritten")


def a_rule_is_mended_by_a_click_on_the_page(desk: Page, service: Service) -> None:
    desk.goto(f"{service.url}sources")
    desk.get_by_role("link", name="The Ferry Log").first.click()
    desk.get_by_role("link", name="Rules").first.click()
    desk.get_by_role("link", name="Try or change").first.click()
    desk.frame_locator("iframe[data-picked]").locator(".author").first.click()
    expect(desk.get_by_role("heading", name="Rules that find what you clicked on")).to_be_visible()
    desk.locator("#picked a").first.click()
    desk.get_by_role("button", name="Use this rule, and lock it").click()
    expect(desk.get_by_role("status").first).to_contain_text("locked")


def the_first_password_shuts_the_door_and_a_viewer_only_looks(desk: Page, service: Service) -> None:
    desk.goto(f"{service.url}settings")
    desk.get_by_label("Name").fill("ann")
    desk.get_by_label("Password", exact=True).fill(PASSWORD)
    desk.get_by_label("Password, once more").fill(PASSWORD)
    desk.get_by_role("button", name="Set the password").click()
    desk.goto(f"{service.url}settings/people")
    desk.get_by_label("Name").fill("bob")
    desk.locator("form[action='/settings/people'] input[type=password]").fill(PASSWORD)
    desk.get_by_role("button", name="Add", exact=True).last.click()
    expect(desk.get_by_role("status").first).to_contain_text("bob can log in now")
    desk.get_by_role("button", name="Log out", exact=True).click()
    desk.get_by_label("Name").fill("bob")
    desk.get_by_label("Password").fill(PASSWORD)
    desk.get_by_role("button", name="Log in").click()
    expect(desk.get_by_role("heading", level=1)).to_have_text("Home")
    assert desk.locator("#quick-add").count() == 0
    desk.goto(f"{service.url}settings/people")
    expect(desk.get_by_role("heading", level=1)).to_have_text("Not allowed")


def test_the_first_hour(desk: Page, service: Service, blog: EditedBlog) -> None:
    a_blog_is_read_searched_and_seen_as_it_was(desk, service)
    a_list_is_looked_through_before_it_is_added_and_can_be_taken_back(desk, service)
    what_the_author_changed_is_shown_word_by_word(desk, service, blog)
    a_rule_is_mended_by_a_click_on_the_page(desk, service)
    the_first_password_shuts_the_door_and_a_viewer_only_looks(desk, service)
