"""Every file of a static copy, opened by itself from the disk: nothing runs, nothing is loaded, pictures and all."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext

from blogforever.archive.exporting import export_site
from blogforever.archive.opening import open_archive
from blogforever.records import BlogRecord, PostRecord
from server.hostilearchive import DRAWINGS, listening, write_archive

pytestmark = [pytest.mark.browser, pytest.mark.long]
HARMLESS = 4


@pytest.fixture(scope="module")
def leaks() -> Iterator[tuple[str, list[str]]]:
    with listening() as heard:
        yield heard


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory, leaks: tuple[str, list[str]]) -> Path:
    """The copy of a hostile blog, and of one beside it."""
    folder = tmp_path_factory.mktemp("hostile-copy")
    write_archive(folder / "a", leaks[0])
    with open_archive(folder / "a", writing=True) as archive:
        archive.hold(["kind.example"])
        run, _ = archive.store.runs.open("kind.example")
        post = PostRecord(
            id="kind", blog="kind.example", url="https://kind.example/a", title="Kind", text="Some quiet words"
        )
        archive.store.posts.keep(run, post)
        archive.store.blogs.keep(BlogRecord(id="kind.example", url="https://kind.example/", title="A kind blog"))
        archive.store.runs.close(run, "finished")
    export_site(folder / "a", folder / "copy")
    return folder / "copy"


def test_no_file_of_a_copy_runs_or_loads_anything(
    copy: Path, context: BrowserContext, leaks: tuple[str, list[str]]
) -> None:
    asked, talked = list[str](), list[str]()
    context.on("request", lambda request: asked.append(request.url))
    files = sorted(path for path in copy.rglob("*") if path.is_file())
    assert {path.suffix for path in files} >= {".html", ".svg", ".png", ".js", ".txt", ".xml", ".css"}
    assert len([path for path in files if path.suffix == ".svg"]) == HARMLESS < len(DRAWINGS)
    for path in files:
        page = context.new_page()
        page.on("dialog", lambda dialog: talked.append(dialog.message))
        page.goto(path.as_uri(), wait_until="load")
        assert page.evaluate("document.ran ?? null") is None, path
        page.mouse.move(5, 5)
        page.close()
    inside = (copy.as_uri(), "data:image/")
    assert [url for url in asked if not url.startswith(inside)] == []
    assert (leaks[1], talked) == ([], [])


def test_one_search_goes_through_all_blogs_of_a_copy(copy: Path, context: BrowserContext) -> None:
    page = context.new_page()
    page.goto((copy / "index.html").as_uri())
    page.get_by_role("searchbox").fill("words")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search.html?q=words")
    page.locator("#found article").nth(1).wait_for()
    assert page.locator("#found article").count() == 2
    kind = page.locator("#found article", has_text="A kind blog")
    kind.locator("a").click()
    page.wait_for_load_state("load")
    assert page.locator("h1").inner_text() == "Kind"
    assert page.evaluate("document.ran ?? null") is None
