"""The search of a static copy in every language it speaks: the script says numbers and days as the pages do."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext

from blogforever.export.frame import static_files
from blogforever.export.language import language_for, languages
from blogforever.export.site import Holdings, Site
from server.somerecords import some_blog, some_post

pytestmark = [pytest.mark.browser, pytest.mark.long]
FOUND = 3


def write_copy(folder: Path, code: str) -> None:
    """A copy of a few posts; their dates go to the day, the month and the year."""
    dates = ("2019-03-07T23:30:00-08:00", "2018-03", "2017")
    posts = [
        some_post(id=day, url=f"https://b.example/{n}/", title=f"{n}", text="ferry", published=day)
        for n, day in enumerate(dates)
    ]
    site = Site(some_blog(title="B", language=code), lambda: posts, Holdings())
    for path, text in (*static_files().items(), *site.files()):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")


@pytest.mark.parametrize("code", languages())
def test_the_search_speaks_as_the_pages_do(code: str, tmp_path: Path, context: BrowserContext) -> None:
    write_copy(tmp_path, code)
    language, page = language_for(code), context.new_page()
    page.goto(f"{(tmp_path / 'search.html').as_uri()}?q=ferry")
    page.locator("#found article").nth(FOUND - 1).wait_for()
    assert page.locator("#told").inner_text() == language.count("posts", FOUND)
    days = [" ".join(day.split()) for day in page.locator("#found .when").all_inner_texts()]
    assert days == [" ".join(language.day(day).split()) for day in ("2019-03-07", "2018-03", "2017")]
    line = page.locator("#found .when").first
    assert (line.get_attribute("lang"), line.get_attribute("dir")) == (code, language.direction)
    page.close()
