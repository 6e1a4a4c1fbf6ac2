"""A rule fixed in Chromium: by a click on the archived page, tried, locked, in force, and given back."""

from __future__ import annotations

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from blogforever.service.jobs import cancel_job
from blogforever.storage.work import JobFilter
from server.looking import AXE, wrong_at
from server.portalserver import WIDE, ServedPortal

pytestmark = [pytest.mark.browser, pytest.mark.long]


def test_a_click_on_the_archived_page_becomes_the_rule_of_a_field(
    portal: ServedPortal, context: BrowserContext, page: Page
) -> None:
    portal.log_in(context, "curator")
    context.add_init_script(AXE)
    store = portal.standing.archive.store
    page.goto(f"{portal.url}/sources/{portal.places()['blog']}/rules?field=title")
    archived = page.frame_locator("iframe[data-picked]")
    expect(archived.locator("[data-blogforever-found]").first).to_be_visible()
    title = archived.locator("h1").first.inner_text()
    archived.locator("time").first.click()
    expect(page.get_by_role("heading", name="Rules that find what you clicked on")).to_be_visible()
    page.locator("#picked a").first.click()
    expect(page.locator(".changes del").first).to_have_text(title)
    day = page.locator(".changes ins").first.inner_text()
    assert wrong_at(page, "a rule that is tried") == []
    page.set_viewport_size({"width": WIDE[0], "height": WIDE[1]})
    page.get_by_label("Why").fill("to see it")
    page.get_by_role("button", name="Use this rule, and lock it").click()
    expect(page.get_by_role("status")).to_contain_text("locked")
    expect(page.locator(".changes ins").first).to_have_text(day)
    expect(page.locator(".fields .card", has_text="locked").first).to_contain_text(day)
    (job,) = store.jobs.newest(JobFilter("waiting", "reread"), 2)
    cancel_job(store, job.id)
    page.get_by_role("button", name="Unlock").click()
    expect(page.get_by_role("status")).to_contain_text("unlocked")
    expect(page.locator(".fields .card").first).to_contain_text(title)
