"""Reading by keyboard alone, in Chromium: down the list, into a post, to its archived page, back to what was found."""

from __future__ import annotations

import pytest
from playwright.sync_api import BrowserContext, Page

from server.portalserver import ServedPortal

pytestmark = pytest.mark.browser


@pytest.fixture
def reader(portal: ServedPortal, context: BrowserContext) -> Page:
    portal.log_in(context, "viewer")
    return context.new_page()


def test_a_search_is_read_without_the_mouse(portal: ServedPortal, reader: Page) -> None:
    found = f"{portal.url}/output?q=apples"
    reader.goto(found)
    second = reader.locator(".found h2 a").nth(1).get_attribute("href")
    # The first link of a row is that of the blog: what is opened is the post all the same.
    reader.keyboard.press("j")
    reader.keyboard.press("j")
    reader.keyboard.press("Enter")
    reader.wait_for_url(f"{portal.url}{second}")
    reader.keyboard.press("u")
    reader.wait_for_url(found)
    reader.keyboard.press("j")
    reader.keyboard.press("v")
    reader.wait_for_url("**/archived")


def test_a_post_leads_on_to_the_next_of_the_list(portal: ServedPortal, reader: Page) -> None:
    reader.goto(f"{portal.url}/output")
    first, second = (reader.locator(".found h2 a").nth(number).get_attribute("href") for number in range(2))
    reader.goto(f"{portal.url}{first}")
    reader.keyboard.press("j")
    reader.wait_for_url(f"{portal.url}{second}")
    reader.keyboard.press("k")
    reader.wait_for_url(f"{portal.url}{first}")
