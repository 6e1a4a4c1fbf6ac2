"""Every screen in Chromium, as it is registered: wide and narrow, light and dark; nothing that axe-core finds wrong,
nothing wider than a phone, nothing that the content policy had to stop.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from blogforever import clock
from blogforever.storage.following import FollowedBlog
from server.looking import AXE, TOO_WIDE, wrong_at
from server.portalserver import NARROW, WIDE, ServedPortal, patient_context, served_portal
from server.samplearchive import PASSWORD
from server.service import until

pytestmark = [pytest.mark.browser, pytest.mark.long]


def test_no_screen_has_anything_wrong(lived_in: ServedPortal, context: BrowserContext, page: Page) -> None:
    lived_in.log_in(context, "admin")
    stopped: list[str] = []
    context.add_init_script(AXE)
    page.on("console", lambda message: stopped.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: stopped.append(str(error)))
    found = []
    for address in lived_in.addresses():
        answer = page.goto(lived_in.url + address)
        assert answer
        found += [f"{address}: {answer.status}"] if answer.status != 200 else wrong_at(page, address)
    assert (found, stopped) == ([], [])


def test_the_table_of_sources_fits_a_desktop(lived_in: ServedPortal, context: BrowserContext, page: Page) -> None:
    lived_in.log_in(context, "admin")
    followed = lived_in.standing.archive.store.followed
    reason = "posts on Tuesdays and Fridays; the last look brought 39 new; looked at all the same after 7 days"
    blog = FollowedBlog("wide.example", "https://a-long-name.of-a-host.example/", clock.stamp(), state="following")
    followed.add([replace(blog, tags=("pilot", "demo"), missing=241, completeness="incomplete", next_reason=reason)])
    page.set_viewport_size({"width": WIDE[0], "height": WIDE[1]})
    page.goto(f"{lived_in.url}/sources")
    try:
        assert page.evaluate(
            "[...document.querySelectorAll('.scroll')].every((one) => one.scrollWidth <= one.clientWidth)"
        )
    finally:
        followed.drop([blog.id])


def test_the_log_in_and_the_first_page_of_a_new_service_are_as_good(
    portal: ServedPortal, context: BrowserContext, page: Page, tmp_path: Path
) -> None:
    context.add_init_script(AXE)
    page.goto(f"{portal.url}/login")
    found = wrong_at(page, "/login")
    with served_portal(tmp_path / "empty") as new:
        for address in ("/", "/settings", "/add", "/sources"):
            page.goto(new.url + address)
            found += wrong_at(page, f"new {address}")
    assert found == []


def test_german_words_fit_on_a_phone(lived_in: ServedPortal, browser: Browser) -> None:
    context = patient_context(browser, "de-DE", NARROW)
    lived_in.log_in(context, "admin")
    page = context.new_page()
    found = []
    for address in lived_in.addresses():
        page.goto(lived_in.url + address)
        assert page.evaluate("document.documentElement.lang") == "de"
        found += [f"{address}: {one}" for one in page.evaluate(TOO_WIDE)]
    context.close()
    assert found == []


def focused(page: Page) -> dict[str, Any]:
    """What has the focus: its words, its name, and whether somebody sees that it has it."""
    told: dict[str, Any] = page.evaluate(
        """() => { const one = document.activeElement, style = getComputedStyle(one)
        return {words: (one.innerText || "").trim(), id: one.id, name: one.name || "",
                seen: style.outlineStyle != "none" && parseFloat(style.outlineWidth) >= 2} }"""
    )
    return told


def tab_to(page: Page, words: str) -> dict[str, Any]:
    """Press Tab until something with these words, this id or this name has the focus."""
    for _ in range(80):
        page.keyboard.press("Tab")
        now = focused(page)
        if words in (now["words"], now["id"], now["name"]):
            assert now["seen"], f"nobody sees where the focus is: {words}"
            return now
    raise AssertionError(f"the keyboard never came to {words!r}")


def test_the_main_paths_can_be_gone_by_keyboard_alone(portal: ServedPortal, page: Page) -> None:
    page.set_viewport_size({"width": WIDE[0], "height": WIDE[1]})
    page.goto(portal.url)
    until(lambda: focused(page)["name"] == "name")
    page.keyboard.type("curator")
    tab_to(page, "password")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url(f"{portal.url}/")
    tab_to(page, "Skip to the content")
    page.keyboard.press("Enter")
    until(lambda: focused(page)["id"] == "main")
    page.keyboard.press("g")
    page.keyboard.press("s")
    page.wait_for_url(f"{portal.url}/sources*")
    page.keyboard.press("a")
    until(lambda: focused(page)["id"] == "quick-add")
    page.keyboard.type("not an address")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    page.keyboard.press("g")
    page.keyboard.press("t")
    page.wait_for_url(f"{portal.url}/settings")
    tab_to(page, "Log out")
    page.keyboard.press("Enter")
    page.wait_for_url(f"{portal.url}/login")
