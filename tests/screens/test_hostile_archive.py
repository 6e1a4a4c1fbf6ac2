"""What others wrote, in Chromium: hostile fields and pages run nothing and load nothing, in the portal and beside it.

Everything hostile tries to reach a server of its own, which writes down who comes; and what runs would say so.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext

from server.hostilearchive import listening, write_archive
from server.portalserver import ServedPortal, patient_context, served_portal

pytestmark = [pytest.mark.browser, pytest.mark.long]


@pytest.fixture(scope="module")
def leaks() -> Iterator[tuple[str, list[str]]]:
    """A server that everything hostile wants to reach, and who came."""
    with listening() as heard:
        yield heard


@pytest.fixture(scope="module")
def portal(tmp_path_factory: pytest.TempPathFactory, leaks: tuple[str, list[str]]) -> Iterator[ServedPortal]:
    folder = tmp_path_factory.mktemp("hostile") / "archive"
    write_archive(folder, leaks[0])
    with served_portal(folder) as served:
        yield served


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    made = patient_context(browser)
    yield made
    made.close()


PAGES = (
    *("/output", "/output?q=words", "/output?view=table", "/output?view=comments", "/searches"),
    *("/posts/evil", "/posts/evil/archived", "/posts/evil/versions", "/posts/evil/diff", "/posts/evil/cite"),
)


def test_nothing_hostile_runs_and_nothing_is_loaded_from_elsewhere(
    portal: ServedPortal, context: BrowserContext, leaks: tuple[str, list[str]]
) -> None:
    replay = portal.standing.replay.seen_from("127.0.0.1")
    page, asked, talked = context.new_page(), list[str](), list[str]()
    context.on("request", lambda request: asked.append(request.url))
    page.on("dialog", lambda dialog: talked.append(dialog.message))
    for path in PAGES:
        answer = page.goto(portal.url + path, wait_until="networkidle")
        assert answer
        assert answer.status == 200, path
        assert [frame.evaluate("document.ran") for frame in page.frames if frame.url.startswith(portal.url)] == [None]
        assert page.locator("main form[action*='/form'], main iframe:not(.replay), main [onerror]").count() == 0
        assert len(page.title()) < 500
    page.goto(f"{portal.url}/posts/evil", wait_until="networkidle")
    assert page.locator(".post #post-words").is_visible()
    # The picture that the archive has is shown, from the other origin.
    shown = page.locator(".post #post-words img").evaluate("one => [one.naturalWidth, one.src]")
    assert (shown[0], shown[1].startswith(f"{replay}/")) == (1, True)
    # Links to the web are the reader's own choice; all others are tried.
    for link in page.locator(".post .body a:not([href^=http])").all():
        link.click(no_wait_after=True, timeout=2000, force=True)
        page.goto(f"{portal.url}/posts/evil", wait_until="load")
    strange = [url for url in asked if not url.startswith((portal.url, replay, "data:image/", "https://evil.example/"))]
    assert (strange, leaks[1], talked) == ([], [], [])
    assert context.cookies() == []


def test_an_archived_page_by_itself_is_in_a_sandbox_and_looks_as_it_did(
    portal: ServedPortal, context: BrowserContext, leaks: tuple[str, list[str]]
) -> None:
    replay = portal.standing.replay.seen_from("127.0.0.1")
    page, asked = context.new_page(), list[str]()
    page.goto(f"{portal.url}/posts/evil/archived", wait_until="networkidle")
    framed = page.frames[1]
    assert framed.url.startswith(replay)
    assert "Words of the post" in framed.content()
    context.on("request", lambda request: asked.append(request.url))
    page.goto(framed.url, wait_until="networkidle")
    # Only the browser itself can look into it: nothing of the page runs.
    seen = page.evaluate(
        "() => [document.ran ?? null, self.origin, getComputedStyle(document.querySelector('#words')).color,"
        " document.querySelector('#kept').naturalWidth]"
    )
    assert seen == [None, "null", "rgb(1, 2, 3)", 1]
    page.locator("#form button").click(no_wait_after=True, force=True)
    page.locator("#script").click(no_wait_after=True, force=True)
    page.wait_for_load_state("networkidle")
    assert ([url for url in asked if not url.startswith((replay, "data:"))], leaks[1]) == ([], [])
    drawing = next(url for url in asked if "evil.svg" in url)
    answer = page.goto(drawing)
    assert answer
    assert answer.status == 404
