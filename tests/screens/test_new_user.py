"""Ten things that somebody does who has never seen the portal: by the words on the screens, from Home on."""

from __future__ import annotations

import csv
import io
import re
from datetime import timedelta
from pathlib import Path

import pytest
from msgspec import structs
from openpyxl import Workbook
from playwright.sync_api import Browser, BrowserContext, Page, expect

from blogforever import clock
from blogforever.records import CompletenessRecord, LeftOut
from blogforever.service.jobs import cancel_job
from blogforever.service.people import remove_user
from blogforever.storage.work import JobFilter, NewJob
from server.portalserver import ServedPortal, patient_context

pytestmark = [pytest.mark.browser, pytest.mark.long]
MENU = "Screens"


@pytest.fixture
def home(portal: ServedPortal, context: BrowserContext, page: Page) -> Page:
    """A curator's first look."""
    portal.log_in(context, "admin")
    page.goto(portal.url)
    return page


def go_to(page: Page, screen: str) -> None:
    """By the menu, as everybody does."""
    page.get_by_role("navigation", name=MENU).get_by_role("link", name=screen, exact=True).click()


def open_blog(page: Page) -> None:
    go_to(page, "Sources")
    page.get_by_role("link", name="The Long Shelf").first.click()


def test_add_a_list_of_blogs_from_a_spreadsheet(home: Page, portal: ServedPortal, tmp_path: Path) -> None:
    book = Workbook()
    assert book.active
    for row in (("Blog", "Tags"), ("one.example", "verse"), ("two.example", "prose"), ("no address", "")):
        book.active.append(row)
    book.save(tmp_path / "blogs.xlsx")
    go_to(home, "Add blogs")
    home.get_by_label("Or a file").set_input_files(tmp_path / "blogs.xlsx")
    home.get_by_role("button", name="See what would happen").click()
    expect(home.locator(".figures")).to_contain_text("2 new")
    home.get_by_role("button", name="Add 2 new blogs").click()
    expect(home.locator("#rows")).to_contain_text("one.example")
    home.get_by_role("button", name="Take it back").click()
    expect(home.get_by_role("status").first).to_contain_text("taken back")
    assert portal.standing.archive.store.followed.find("one.example") is None


def test_find_all_posts_of_an_author_in_a_year(home: Page) -> None:
    go_to(home, "Output")
    home.get_by_text("Narrow down").click()
    home.get_by_label("Author", exact=True).fill("Ines Brandt")
    home.get_by_label("Year", exact=True).fill("2020")
    home.get_by_role("button", name="Apply").click()
    lines = home.locator(".found .when").all_inner_texts()
    assert lines
    assert all("2020" in line and "Ines Brandt" in line for line in lines)


def test_correct_an_author_rule_by_a_click(home: Page, portal: ServedPortal) -> None:
    open_blog(home)
    home.get_by_role("link", name="Rules", exact=True).click()
    card = home.locator(".fields .card", has=home.get_by_role("heading", name="Author"))
    card.get_by_role("link", name="Try or change").click()
    archived = home.frame_locator("iframe[data-picked]")
    archived.get_by_role("link", name=re.compile("Brandt|Lindqvist|Theo")).first.click()
    expect(home.get_by_role("heading", name="Rules that find what you clicked on")).to_be_visible()
    home.locator("#picked a").first.click()
    home.get_by_role("button", name="Use this rule, and lock it").click()
    expect(home.get_by_role("status").first).to_contain_text("locked")
    store = portal.standing.archive.store
    for job in store.jobs.newest(JobFilter("waiting", "reread"), 2):
        cancel_job(store, job.id)
    home.get_by_role("button", name="Unlock").first.click()
    expect(home.get_by_role("status").first).to_contain_text("unlocked")


def test_see_why_a_post_is_missing(home: Page, portal: ServedPortal) -> None:
    store = portal.standing.archive.store
    blog = store.followed.find(portal.places()["blog"])
    record = store.blogs.find(blog.blog or "") if blog else None
    assert record
    gone = f"{record.url}2014/01/the-lost-one/"
    told = CompletenessRecord(announced=46, captured=45, missing=(LeftOut(gone, "status 404"),))
    store.blogs.keep(structs.replace(record, completeness=told))
    home.get_by_role("searchbox").fill(gone)
    home.keyboard.press("Enter")
    expect(home.get_by_role("heading", name="It is missing")).to_be_visible()
    expect(home.locator("main")).to_contain_text("404")
    home.locator("main .deeds").get_by_role("link", name="The Long Shelf").click()
    expect(home.get_by_text("Missing, and why")).to_be_visible()
    store.blogs.keep(record)


def test_hide_a_post_until_a_date(home: Page) -> None:
    go_to(home, "Output")
    home.get_by_role("link", name="Forty tomatoes").or_(home.locator(".found h2 a").last).first.click()
    title = home.get_by_role("heading", level=1).inner_text()
    home.locator(".postbar summary").click()
    home.get_by_role("link", name="Hide or erase").click()
    home.get_by_label("Reason").fill("the family asked for it")
    home.get_by_label("Until").fill((clock.now() + timedelta(days=30)).date().isoformat())
    home.get_by_role("button", name="Hide", exact=True).click()
    go_to(home, "Hidden")
    row = home.locator("tbody tr", has_text="the family asked for it")
    expect(row).to_be_visible()
    row.get_by_role("button").click()
    expect(row).to_have_count(0)
    home.get_by_role("searchbox").fill(f'"{title}"')
    home.keyboard.press("Enter")
    expect(home.locator(".found h2").first).to_contain_text(title)


def test_export_a_list_as_csv(home: Page) -> None:
    go_to(home, "Lists")
    with home.expect_download() as fetched:
        home.locator("tbody tr", has_text="Favourites").get_by_role("link", name="CSV").click()
    rows = list(csv.reader(io.StringIO(Path(fetched.value.path()).read_text(encoding="utf-8"))))
    assert any("The Long Shelf" in cell for row in rows for cell in row)


def test_give_a_colleague_a_role(home: Page, portal: ServedPortal, browser: Browser) -> None:
    go_to(home, "Settings")
    home.get_by_role("link", name="People").click()
    home.get_by_label("Name").fill("colleague")
    home.get_by_label("Role").last.select_option("curator")
    home.get_by_label("Password", exact=True).fill("a shelf of her own")
    home.get_by_role("button", name="Add", exact=True).last.click()
    expect(home.locator("tbody tr", has_text="colleague")).to_contain_text("curator")
    hers = patient_context(browser)
    page = hers.new_page()
    page.goto(portal.url)
    page.get_by_label("Name").fill("colleague")
    page.get_by_label("Password").fill("a shelf of her own")
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("navigation", name=MENU).get_by_role("link", name="Add blogs")).to_be_visible()
    hers.close()
    remove_user(portal.standing.archive.store, "colleague")


def test_find_what_failed_yesterday_and_try_again(home: Page, portal: ServedPortal) -> None:
    store, blog = portal.standing.archive.store, portal.places()["blog"]
    yesterday = (clock.now() - timedelta(days=1)).isoformat(timespec="seconds")
    job = store.jobs.put(NewJob("analyse", blog), yesterday)
    assert store.jobs.take("portal-test", {"analyse": 1}, yesterday)
    assert store.jobs.fail(job.id, "portal-test", "the disk was full", yesterday)
    go_to(home, "System")
    home.get_by_role("link", name="All jobs").click()
    home.get_by_role("link", name="failed yesterday").click()
    expect(home.locator("tbody tr")).to_contain_text("the disk was full")
    home.get_by_role("button", name="Try all of these again").click()
    expect(home.get_by_role("status").first).to_contain_text("1 job is tried again")
    (again,) = store.jobs.newest(JobFilter("waiting", "analyse"), 2)
    cancel_job(store, again.id)


def test_what_was_typed_stands_there_again_after_a_refusal(home: Page) -> None:
    go_to(home, "Settings")
    home.get_by_role("link", name="Policies").click()
    home.get_by_label("For", exact=True).select_option(label="blogs of a list")
    home.get_by_label("Name of the list").fill("Favourites")
    home.get_by_label("Look every", exact=True).fill("daily")
    home.get_by_role("button", name="Set it").click()
    expect(home.get_by_role("heading", level=1)).to_have_text("It cannot be done like this")
    home.get_by_role("link", name="Back to where you were").click()
    expect(home.get_by_label("For", exact=True)).to_have_value("list")
    expect(home.get_by_label("Name of the list")).to_have_value("Favourites")
    home.get_by_label("Look every", exact=True).fill("1d")
    home.get_by_role("button", name="Set it").click()
    row = home.locator("tbody tr", has_text="Favourites")
    expect(row).to_be_visible()
    # What was taken is typed no more.
    expect(home.get_by_label("Name of the list")).to_have_value("")
    row.get_by_role("button", name="Take back").click()
    go_to(home, "Settings")
    home.get_by_role("link", name="People").click()
    home.get_by_label("Name", exact=True).last.fill("bob the builder")
    home.get_by_label("Password", exact=True).last.fill("eight letters or more")
    home.locator(".card.form").get_by_role("button", name="Add", exact=True).click()
    home.get_by_role("link", name="Back to where you were").click()
    expect(home.get_by_label("Name", exact=True).last).to_have_value("bob the builder")
    expect(home.get_by_label("Password", exact=True).last).to_have_value("")


def test_follow_a_search_as_a_feed(home: Page, browser: Browser) -> None:
    home.get_by_role("searchbox").fill("shelf")
    home.keyboard.press("Enter")
    to = home.get_by_role("link", name="Feed", exact=True).get_attribute("href")
    # A feed reader has no cookies: it only has the address that was copied.
    reader = patient_context(browser)
    answer = reader.request.get(f"{home.url.partition('/output')[0]}{to}")
    assert answer.headers["content-type"].startswith("application/atom+xml")
    assert "<entry" in answer.text()
    assert reader.request.get(f"{home.url.partition('/output')[0]}{to}0", max_redirects=0).status == 303
    reader.close()


def test_cite_a_post(home: Page) -> None:
    home.locator(".rows h3 a, .rows h2 a").first.click()
    home.get_by_role("link", name="Cite").click()
    expect(home.locator(".cited")).to_contain_text("The Long Shelf")
    with home.expect_download() as fetched:
        home.get_by_role("link", name="As a file bib").click()
    assert Path(fetched.value.path()).read_text(encoding="utf-8").startswith("@")
