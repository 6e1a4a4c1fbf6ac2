"""Which pages are drawn: decided from what comes, with answers made by hand."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from blogforever.config import Render
from blogforever.model import Failure, Need, Page
from blogforever.pipeline.rendering import JUDGED, PROBED, PROBES, Rendering
from blogforever.protocols import Answer, Ask, Drawn, Ref, Role

SHELL = b'<html><body><div id="app"></div><script src="/app.js"></script></body></html>'
STORY = b"<p>" + b" ".join(b"word%d harbour" % n for n in range(80)) + b"</p>"
FULL = b"<html><body><article>" + STORY + b"</article><script></script></body></html>"
HOSTED = FULL.replace(b"</body>", b'<div id="disqus_thread"></div></body>')
TODAY = date(2024, 5, 17)


def place(number: int) -> Ref:
    return Ref("warc/x.warc.gz", number)


def url(number: int) -> str:
    return f"https://blog.example/post-{number}/"


def page(number: int, content: bytes) -> Page:
    return Page(url(number), content, {"content-type": "text/html"})


def answer(number: int, content: bytes, role: Role = "entry") -> Answer:
    return Answer(Ask(url(number), role), 200, page(number, content), ref=place(number))


def drawn(ask: Ask, plain: bytes, content: bytes) -> Answer:
    number = int(ask.url.rpartition("-")[2].rstrip("/"))
    return Answer(
        ask, 200, page(number, plain), ref=place(number), drawn=Drawn(page(number, content), place(1000 + number))
    )


def comments(number: int) -> bytes:
    said = "".join(
        f'<div class="comment" id="comment-{n}"><cite class="comment-author">Reader {n}</cite>'
        f'<div class="comment-body"><p>What reader {n} says of this</p></div></div>'
        for n in range(number)
    )
    return FULL.replace(b"</article>", f'</article><section id="comments">{said}</section>'.encode())


def test_never_and_always_need_no_evidence() -> None:
    asks = [Ask(url(1)), Ask("https://blog.example/feed", "feed")]
    assert [ask.draw for ask in Rendering("never", today=TODAY).marked(asks)] == [False, False]
    assert [ask.draw for ask in Rendering("always", today=TODAY).marked(asks)] == [True, False]
    assert Rendering("never", today=TODAY).receive(answer(1, SHELL)) == ([answer(1, SHELL)], [])


def test_a_blog_that_shows_its_text_is_not_drawn() -> None:
    rendering = Rendering("auto", today=TODAY)
    for number in range(JUDGED + 3):
        assert rendering.receive(answer(number, FULL)) == ([answer(number, FULL)], [])
    assert rendering.drawn == 0
    assert rendering.marked([Ask(url(99))]) == [Ask(url(99))]
    assert rendering.verdict() == Need(False, False, TODAY.isoformat(), ())


def test_an_empty_blog_is_probed_then_drawn_whole() -> None:
    rendering = Rendering("auto", today=TODAY)
    probes = [ask for number in range(PROBED) for ask in rendering.receive(answer(number, SHELL))[1]]
    assert [(ask.draw, ask.kept) for ask in probes] == [(True, place(number)) for number in range(PROBED)]
    held = [rendering.receive(answer(number, SHELL)) for number in range(10, 30)]
    assert held == [([], [])] * 20
    ready, asks = rendering.receive(drawn(probes[0], SHELL, FULL))
    assert (ready[0].page, ready[0].ref, asks) == (page(0, FULL), place(1000), [])
    ready, asks = rendering.receive(drawn(probes[1], SHELL, FULL))
    assert len(ready) == 1
    assert [ask.url for ask in asks] == [url(number) for number in range(10, 30)]
    assert rendering.marked([Ask(url(99))])[0].draw
    assert rendering.receive(answer(50, SHELL))[1][0].kept == place(50)
    verdict = rendering.verdict()
    assert verdict
    assert verdict.articles


def test_one_page_is_enough_where_there_is_no_other() -> None:
    rendering = Rendering("auto", today=TODAY)
    (probe,) = rendering.receive(answer(0, SHELL, "home"))[1]
    rendering.receive(drawn(probe, SHELL, FULL))
    rendering.decide()
    assert rendering.articles
    mixed = Rendering("auto", today=TODAY)
    (probe,) = mixed.receive(answer(0, SHELL, "home"))[1]
    mixed.receive(drawn(probe, SHELL, FULL))
    mixed.receive(answer(1, FULL))
    mixed.decide()
    assert mixed.articles is None


def test_pages_that_differ_after_the_hash_are_fetched_once() -> None:
    rendering = Rendering("always", today=TODAY)
    rendering.receive(Answer(Ask("https://blog.example/", "home"), 200, page(0, SHELL), ref=place(7)))
    (ask,) = rendering.marked([Ask("https://blog.example/#/posts/one")])
    assert (ask.draw, ask.kept) == (True, place(7))


def test_where_drawing_brings_nothing_everything_stays_as_it_came() -> None:
    rendering = Rendering("auto", today=TODAY)
    probes = [ask for number in range(PROBED) for ask in rendering.receive(answer(number, SHELL))[1]]
    rendering.receive(answer(10, SHELL))
    first = drawn(probes[0], SHELL, SHELL)
    assert rendering.receive(first) == ([first], [])
    second = drawn(probes[1], SHELL, SHELL)
    assert rendering.receive(second) == ([second, answer(10, SHELL)], [])
    assert rendering.receive(answer(11, SHELL)) == ([answer(11, SHELL)], [])
    assert rendering.sources(page(0, SHELL), place(0))[0].role == "page"


def test_a_drawing_that_loses_the_text_is_not_taken() -> None:
    rendering = Rendering("always", today=TODAY)
    spoiled = drawn(Ask(url(1), draw=True), FULL, SHELL)
    assert rendering.receive(spoiled) == ([spoiled], [])


def test_a_failed_drawing_is_recorded_and_the_page_is_taken_as_it_came() -> None:
    failures: list[Failure] = []
    rendering = Rendering("always", fail=failures.append, today=TODAY)
    failed = Answer(Ask(url(1), draw=True), 200, page(1, FULL), ref=place(1), failure=Failure(url(1), "timeout"))
    assert rendering.receive(failed) == ([failed], [])
    assert failures == [Failure(url(1), "timeout")]


def test_a_drawn_page_says_where_both_its_bytes_are() -> None:
    rendering = Rendering("always", today=TODAY)
    rendering.receive(drawn(Ask(url(1), draw=True), SHELL, FULL))
    roles = [(source.role, source.url) for source in rendering.sources(page(1, FULL), place(1001))]
    assert roles == [("rendered", url(1)), ("page", url(1))]


def test_hosted_comments_are_looked_for_on_a_few_posts_first() -> None:
    rendering = Rendering("auto", today=TODAY)
    for number in range(40):
        rendering.note_thread(page(number, HOSTED), place(number))
    posts = [f"blog.example/post-{number}" for number in range(40)]
    probes = rendering.thread_asks(posts)
    assert len(probes) == PROBES
    assert all(ask.draw and ask.kept and ask.role == "comments" for ask in probes)
    for ask in probes[:-1]:
        assert rendering.drawn_thread(drawn(ask, HOSTED, HOSTED)) is None
    assert rendering.drawn_thread(drawn(probes[-1], HOSTED, comments(3))) is not None
    assert len(rendering.thread_asks(posts)) == 40 - PROBES
    assert rendering.thread_asks(posts) == []
    assert rendering.comments


def test_where_comments_are_known_to_be_drawn_a_post_is_drawn_with_them_at_once() -> None:
    rendering = Rendering("auto", need=Need(comments=True, checked=TODAY.isoformat()), today=TODAY)
    assert rendering.receive(answer(1, FULL)) == ([answer(1, FULL)], [])
    ready, (ask,) = rendering.receive(answer(2, HOSTED))
    assert (ready, ask.kept) == ([], place(2))
    back = drawn(ask, HOSTED, comments(3))
    assert rendering.receive(back) == ([back], [])
    assert rendering.commented(url(2)) == place(1002)
    assert rendering.commented(url(1)) is None
    assert rendering.receive(answer(2, HOSTED)) == ([answer(2, HOSTED)], [])


def test_where_no_comments_come_the_rest_is_not_drawn() -> None:
    rendering = Rendering("auto", today=TODAY)
    for number in range(40):
        rendering.note_thread(page(number, HOSTED), place(number))
    posts = [f"blog.example/post-{number}" for number in range(40)]
    for ask in rendering.thread_asks(posts):
        rendering.drawn_thread(drawn(ask, HOSTED, HOSTED))
    assert rendering.thread_asks(posts) == []
    assert rendering.comments is False
    assert rendering.drawn == PROBES


@pytest.mark.parametrize(("days", "relied_on"), [(0, True), (29, True), (31, False), (-2, False)])
def test_a_verdict_holds_for_a_month(days: int, relied_on: bool) -> None:
    need = Need(articles=True, checked=(TODAY - timedelta(days=days)).isoformat())
    assert Rendering("auto", need=need, today=TODAY).marked([Ask(url(1))])[0].draw is relied_on


@pytest.mark.parametrize("mode", ["auto", "never"])
def test_without_a_browser_it_is_told_what_was_not_seen(mode: Render) -> None:
    rendering = Rendering(mode, able=False, today=TODAY)
    rendering.receive(answer(1, SHELL))
    rendering.receive(answer(2, FULL))
    rendering.note_thread(page(3, HOSTED), place(3))
    said = rendering.unseen("get one")
    if mode == "never":
        assert said is None
    else:
        assert said == (
            "Not seen for want of a browser: pages that scripts draw (1 of the first 2), comments by Disqus (1 posts)."
            " To have one: get one"
        )
    assert rendering.thread_asks(["blog.example/post-3"]) == []
    assert rendering.verdict() is None


def test_a_guessed_page_is_looked_at_first_and_the_answer_to_everything_says_nothing() -> None:
    rendering = Rendering("always", today=TODAY)
    asks = rendering.marked([Ask(url(1)), Ask(url(2))], guessed=lambda address: address == url(2))
    assert [ask.draw for ask in asks] == [True, False]
    assert not rendering.is_shell(answer(9, SHELL))
    for number in range(3):
        rendering.receive(drawn(Ask(url(number), draw=True), SHELL, FULL))
    assert rendering.is_shell(answer(9, SHELL))
    assert not rendering.is_shell(answer(9, FULL))
    assert not Rendering("auto", today=TODAY).is_shell(answer(9, SHELL))


def test_what_a_system_counts_says_which_posts_are_drawn() -> None:
    rendering, keys = Rendering("auto", today=TODAY), [f"blog.example/post-{n}" for n in range(30)]
    for number in range(30):
        rendering.note_thread(page(number, HOSTED), place(number))
    assert [counted.id for counted in rendering.uncounted(keys)] == keys
    rendering.counts |= dict.fromkeys(keys[:29], 0) | {keys[7]: 4}
    (first, second) = rendering.thread_asks(keys)
    assert {first.url, second.url} == {url(7), url(29)}


@pytest.mark.parametrize(("walks", "presumed"), [(True, None), (False, True)])
def test_an_update_relies_on_an_old_finding_that_comments_are_drawn(walks: bool, presumed: bool | None) -> None:
    need = Need(comments=True, checked=(TODAY - timedelta(days=400)).isoformat())
    assert Rendering("auto", need=need, walks=walks, today=TODAY).comments is presumed
