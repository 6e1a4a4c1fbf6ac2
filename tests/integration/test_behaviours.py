"""A real browser on pages made for it: what is clicked, what is left alone, and what is kept of the result."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping
from functools import partial
from typing import Any, TypeVar

import pytest
from playwright.async_api import Browser, Page, Playwright, Route, async_playwright

from blogforever.comments import extract_comments
from blogforever.dom import node_text, parse
from blogforever.model import Page as Fetched
from blogforever.render.behaviours import BehaviourLimits, behave
from blogforever.render.capture import HIGHEST, final_dom, screenshot
from blogforever.render.chromium import launch
from blogforever.render.visit import before_scripts

pytestmark = [pytest.mark.browser, pytest.mark.long]
T = TypeVar("T")
HOME = "http://blog.test/post"
QUICK = BehaviourLimits(seconds=60, clicks=12, scrolls=20, patience=2, quiet=0.1, in_vain=0.4)


class Studio:
    """One browser for the tests of this module; pages come out of a table."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.playwright: Playwright = self.run(async_playwright().start())
        self.browser: Browser = self.run(launch(self.playwright))

    def run(self, work: Awaitable[T]) -> T:
        return self.loop.run_until_complete(work)

    def close(self) -> None:
        self.run(self.browser.close())
        self.run(self.playwright.stop())
        self.loop.close()

    def visit(self, pages: Mapping[str, str] | str, then: Callable[[Page], Awaitable[T]]) -> T:
        """Open a page, do something with it."""
        table = {HOME: pages} if isinstance(pages, str) else pages
        return self.run(self._visit(table, then))

    async def _visit(self, table: Mapping[str, str], then: Callable[[Page], Awaitable[T]]) -> T:
        async def answer(route: Route) -> None:
            body = table.get(route.request.url)
            html = {"content_type": "text/html; charset=utf-8", "body": body or ""}
            await route.fulfill(status=200 if body is not None else 404, **html)  # type: ignore[arg-type]  # mixed values

        context = await self.browser.new_context(viewport={"width": 1000, "height": 700})
        try:
            await context.route("**/*", answer)
            await context.add_init_script(before_scripts())
            page = await context.new_page()
            await page.goto(HOME)
            return await then(page)
        finally:
            await context.close()


@pytest.fixture(scope="module")
def studio() -> Iterator[Studio]:
    made = Studio()
    yield made
    made.close()


async def behaved(page: Page, limits: BehaviourLimits = QUICK) -> tuple[list[str], str]:
    """What was done, and what a visitor then reads."""
    done = await behave(page, limits)
    return done, await page.evaluate("document.body.innerText")


def thread(label: str, pages: int, lang: str = "en") -> str:
    """Comments that come three at a time, on a control that goes away at the end."""
    return f"""<html lang="{lang}"><body><article><p>The post.</p></article><div id="comments"><ol></ol>
      <button type="button" id="go">{label}</button></div><script>
      let n = 0; const go = document.querySelector("#go");
      const add = () => {{ for (let i = 0; i < 3; i++) document.querySelector("ol").insertAdjacentHTML("beforeend",
        `<li class="comment" id="comment-${{++n}}"><b class="fn">Reader ${{n}}</b><p>Said number ${{n}}.</p></li>`); }};
      add(); go.onclick = () => setTimeout(() => {{ add(); if (n >= 3 * {pages}) go.remove(); }}, 150);</script>"""


@pytest.mark.parametrize(
    ("lang", "label"),
    [
        ("en", "Load more comments"),
        ("en-GB", "Older comments"),
        ("", "Show more"),
        ("de", "Weitere Kommentare anzeigen"),
        ("ja", "コメントをもっと見る"),
    ],
)
def test_clicks_for_more_comments_until_there_are_no_more(studio: Studio, lang: str, label: str) -> None:
    done, text = studio.visit(thread(label, 3, lang), behaved)
    assert "Said number 9." in text
    assert f"clicked “{label}” (2 times)" in done


LABELS = """Voir plus de commentaires|Cargar más comentarios|Ver mais respostas|Mostra altri commenti|Toon 12 reacties
Pokaż więcej komentarzy|Показать ещё 3 ответа|查看更多评论|댓글 더보기|Daha fazla yorum
عرض المزيد من التعليقات"""


def test_controls_are_known_by_their_words_where_the_page_names_no_language(studio: Studio) -> None:
    labels = LABELS.replace("\n", "|").split("|")
    html = "".join(
        f"<div><button onclick='this.outerHTML = `<p>Said by reader number {n}, at length.</p>`'>{label}</button></div>"
        for n, label in enumerate(labels)
    )
    _done, text = studio.visit(f"<html><body>{html}", behaved)
    assert [n for n in range(len(labels)) if f"number {n}," not in text] == []


def test_a_thread_without_end_ends_at_the_limit(studio: Studio) -> None:
    done, _text = studio.visit(thread("Load more comments", 1000), behaved)
    assert "clicked “Load more comments” (12 times)" in done
    assert "stopped at the click limit" in done


FORBIDDEN = """
<a href="#/older">Show more</a> <a href="#!/next">Load more comments</a>
<a href="/comments/all">Show all comments</a> <a href="http://elsewhere.test/">Load more comments</a>
<form action="/send"><button>Show more comments</button><input type="submit" value="Load more"></form>
<button>Log in to see more comments</button> <button>Share 12 comments</button> <button>Upvote 3 replies</button>
<button>Add a comment</button> <button>Reply</button> <button>Hide 3 replies</button> <button>Report 2 comments</button>
<div class="share-buttons"><button>Show more</button></div> <button aria-haspopup="menu">Show more</button>
<button disabled>Load more comments</button> <button>Accept all cookies</button> <a href="/f.zip" download>Load more</a>
<button style="display: none">Load more comments</button> <button aria-expanded="true">Show replies</button>
<p tabindex="0">We read more comments here than anywhere else, and show more of them than others do on a day.</p>
"""


def test_what_leads_away_or_speaks_for_the_visitor_is_left_alone(studio: Studio) -> None:
    watched = f"""<html lang="en"><body><main>{FORBIDDEN}</main><script>window.touched = [];
      addEventListener("click", e => touched.push(e.target.textContent || e.target.value), true);</script>"""

    async def touched(page: Page) -> Any:
        await behave(page, QUICK)
        return page.url, await page.evaluate("touched")

    assert studio.visit(watched, touched) == (HOME, [])


def test_a_switch_is_left_showing(studio: Studio) -> None:
    html = """<html lang="en"><body><div class="comments"><button onclick="b.hidden = !b.hidden">3 replies</button>
      <p id="b" hidden>What was answered, long enough to be seen as text.</p></div>"""
    _done, text = studio.visit(html, behaved)
    assert "What was answered" in text


def test_banners_are_hidden_and_never_answered(studio: Studio) -> None:
    html = """<html lang="en"><body style="overflow: hidden"><p>The post.</p>
      <div id="onetrust-banner-sdk">We value you. <button onclick="answered = true">OK</button></div>
      <div style="position: fixed; bottom: 0">We use cookies. <button onclick="answered = true">Accept</button></div>
      <header style="position: sticky; top: 0">My blog <a href="/">Home</a> <a href="/c">Cookies and cakes</a></header>
      <div style="position: fixed; top: 9em"><article>Baking with <a href="/b">consent</a>.</article></div>
      <script>answered = false</script>"""

    async def answered(page: Page) -> Any:
        done, text = await behaved(page)
        return done, text, await page.evaluate("[answered, getComputedStyle(document.body).overflowY]")

    done, text, (was_answered, overflow) = studio.visit(html, answered)
    assert "hid a banner (2 times)" in done
    assert "We use cookies" not in text
    assert "Cookies and cakes" in text
    assert "Baking" in text
    assert not was_answered
    assert overflow == "visible"


def test_folded_text_is_opened(studio: Studio) -> None:
    html = """<html lang="de"><body><article><p>Anfang.</p>
      <p id="rest" style="display: none">Der ganze Rest des Textes.</p>
      <span role="button" onclick="rest.style.display = ''; this.remove()">Weiterlesen</span>
      <details><summary>Lösung</summary>Die Antwort ist 42.</details></article>"""
    done, text = studio.visit(html, behaved)
    assert "Der ganze Rest" in text
    assert "Die Antwort ist 42." in text
    assert "unfolded" in done


def test_scrolling_follows_an_end_that_moves_away_but_not_for_ever(studio: Studio) -> None:
    html = """<html lang="en"><body><div id="list"></div><script>
      const add = () => list.insertAdjacentHTML("beforeend", '<p style="height: 900px">More to read.</p>');
      const near = () => scrollY + innerHeight > document.body.scrollHeight - 50;
      add(); add(); addEventListener("scroll", () => { if (near()) setTimeout(add, 50); });</script>"""
    # A page that is still for so long has ended, however late its timers are on a busy machine.
    patient = BehaviourLimits(seconds=300, scrolls=6, patience=30, quiet=2)
    done, _text = studio.visit(html, partial(behaved, limits=patient))
    assert "stopped at the scroll limit" in done


FRAMED = {
    HOME: """<html lang="en"><body><article><p>The post.</p><iframe src="http://film.test/player"></iframe></article>
      <div id="thread"></div><script>
      thread.innerHTML = '<iframe src="http://talk.test/embed" width="600" height="300"></iframe>'</script>""",
    "http://film.test/player": "<p>Watch later</p>",
    "http://talk.test/embed": thread("Load more comments", 2).replace(
        "Said number ${n}.", "Said number ${n}, <a href='/u/7'>see ${n}</a>."
    ),
}


def test_comments_in_a_frame_become_part_of_the_page(studio: Studio) -> None:
    async def kept(page: Page) -> str:
        await behave(page, QUICK)
        return await final_dom(page)

    html = studio.visit(FRAMED, kept)
    comments = extract_comments(Fetched(HOME, html.encode()))
    assert [comment.native_id for comment in comments] == list("123456")
    assert 'href="http://talk.test/u/7"' in comments[0].html
    assert '<iframe src="http://film.test/player"' in html
    shown = parse(html).body
    assert shown
    assert "Watch later" not in node_text(shown)
    assert "Watch later" in html


SHADOWED = """<html lang="en"><body><p>Before.</p><reader-thread><b slot="name">Ann</b></reader-thread><p>After.</p>
  <script>customElements.define("reader-thread", class extends HTMLElement { connectedCallback() {
    const root = this.attachShadow({mode: "MODE"});
    root.innerHTML = `<div class="comments"><div class="comment" id="comment-7">
      <span class="fn"><slot name="name"></slot></span> <time datetime="2024-05-06T07:08:09Z">6 May</time>
      <p class="comment-text">Inside &amp; out.</p><button type="button">Show more replies</button></div></div>`;
    const go = root.querySelector("button");
    go.onclick = () => { go.outerHTML = "<p>A further line from within.</p>"; }; } });</script>"""


@pytest.mark.parametrize("mode", ["open", "closed"])
def test_shadow_roots_are_visited_and_kept_in_their_place(studio: Studio, mode: str) -> None:
    async def kept(page: Page) -> str:
        await behave(page, QUICK)
        return await final_dom(page)

    html = studio.visit(SHADOWED.replace("MODE", mode), kept)
    body = parse(html).body
    assert body
    told = " ".join(node_text(body).split())
    assert told == "Before. Ann 6 May Inside & out. A further line from within. After."
    (comment,) = extract_comments(Fetched(HOME, html.encode()))
    assert (comment.author.name if comment.author else None, comment.native_id) == ("Ann", "7")


def test_the_depth_of_a_page_does_not_matter(studio: Studio) -> None:
    html = """<html lang="en"><body style="display: none"><script>let at = document.body;
      for (let n = 0; n < 5000; n++) at = at.appendChild(document.createElement("div"));
      at.textContent = 'the "deepest" <word>';</script>"""
    kept = studio.visit(html, final_dom)
    assert 'the "deepest" &lt;word&gt;' in kept
    assert kept.count("</div>") == 5000


def test_a_screenshot_shows_the_whole_page_but_not_without_end(studio: Studio) -> None:
    picture = studio.visit("<html><body style='margin: 0'><p style='height: 90000px'>High.</p>", screenshot)
    assert (picture[:4], picture[8:12]) == (b"RIFF", b"WEBP")
    assert picture[12:16] == b"VP8X"
    width, height = (1 + int.from_bytes(picture[at : at + 3], "little") for at in (24, 27))
    assert (width, height) == (1000, HIGHEST)
