"""Try it: a page in, its posts out; what is hostile in it stays words; nobody gets in who may not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from lxml import html

from blogforever.archive.onepage import LARGEST_PAGE
from blogforever.service import trying
from blogforever.service.standing import Standing
from server.visitor import PortalClient, words

WORDS = "<p>Nobody in the harbour saw the lantern that hung from the ferry all night long. </p>"
HOSTILE = '<img src=x onerror="alert(1)"><script>alert(2)</script><a href="javascript:alert(3)">a</a>'
POST = f"<html><head><title>The &lt;b&gt; lantern</title></head><body><h1>The &lt;b&gt; lantern</h1>{WORDS * 4}{HOSTILE}</body></html>"  # noqa: E501
ADDRESS = "https://a.example/2020/lantern/"


def test_a_page_is_read_and_shown_in_every_form(viewer: PortalClient) -> None:
    form = viewer.page("/try?url=https://a.example/x").xpath("//main//form")[0]
    assert form.xpath(".//input[@name='url']/@value") == ["https://a.example/x"]
    answer = viewer.submit("/try", url=ADDRESS, html=POST)
    assert answer.status_code == 200
    assert "The &lt;b&gt; lantern</h3>" in answer.text
    shown = answer.text[answer.text.index('<div class="prose"') :]
    body = shown[: shown.index("</div>")]
    assert "nobody in the harbour" in body.lower()
    assert not any(word in body for word in ("<script", "onerror", "javascript:", "<img"))
    for style, beginning in (("json", "[\n"), ("xml", "<?xml"), ("text", "The <b> lantern")):
        assert viewer.submit("/try", url=ADDRESS, html=POST, style=style).text.startswith(beginning)


def test_a_page_of_ones_own_is_handed_over_as_a_file(viewer: PortalClient) -> None:
    said = POST.replace("harbour", "Häfen").replace("<head>", '<head><meta charset="iso-8859-1">').encode("latin-1")

    def handed_over(content: bytes) -> str:
        files = {"file": ("page.html", content, "text/html")}
        headers = {"Origin": str(viewer.base_url).rstrip("/")}
        return viewer.post("/try", data={"form_token": viewer.form_token}, files=files, headers=headers).text

    read = html.document_fromstring(handed_over(said))
    assert "Nobody in the Häfen saw" in words(read.xpath("//div[@class='prose']")[0])
    assert "Häfen" in read.xpath("string(//textarea[@name='html'])")
    assert "no page is" in handed_over(b"x" * (LARGEST_PAGE + 1))


def test_what_was_tried_can_be_kept_at_once_by_who_may(curator: PortalClient, viewer: PortalClient) -> None:
    kept = html.fromstring(curator.submit("/try", url=ADDRESS, html=POST).text)
    assert kept.xpath("//main//form[@action='/add/quick']/input[@name='text']/@value") == [ADDRESS]
    assert not html.fromstring(viewer.submit("/try", url=ADDRESS, html=POST).text).xpath("//form[@action='/add/quick']")


def test_what_cannot_be_read_is_said_above_the_form_which_stays_as_it_was(viewer: PortalClient) -> None:
    answer = viewer.submit("/try", url="file:///etc/passwd")
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text
    assert 'value="file:///etc/passwd"' in answer.text
    answers = [viewer.submit("/try").status_code for _ in range(trying.AT_ONCE + 1)]
    assert answers[-1] == 429


def test_strangers_may_only_where_the_operator_lets_them(
    client_of: Callable[[str], PortalClient], standing: Standing
) -> None:
    stranger = client_of("")
    assert stranger.get("/try").headers["location"].startswith("/login")
    assert stranger.submit("/try", html=POST).status_code == 303
    standing.config = replace(standing.config, public_try=True)
    assert "Try it" in words(stranger.page("/try"))
    assert "lantern" in stranger.submit("/try", html=POST).text
    assert stranger.get("/sources").headers["location"].startswith("/login")


def test_what_a_page_is_is_told_with_reasons(viewer: PortalClient) -> None:
    goods = "".join(f"<li><a href='/p{number}'>Rope</a> €{number}.50</li>" for number in range(12))
    shop = f"<html><body><a href='/cart/'>0</a><ul>{goods}</ul></body></html>"
    answer = viewer.submit("/try", url="https://a.example/", html=shop, ask="kind")
    assert answer.status_code == 200
    said = answer.text[answer.text.index('id="what"') :]
    assert "<strong>shop</strong>" in said
    assert "it has a cart or a checkout" in said
    assert viewer.submit("/try", ask="kind").status_code == 422


def test_what_is_a_blog_can_be_kept_from_there(curator: PortalClient, viewer: PortalClient) -> None:
    head = (
        '<meta name="generator" content="WordPress 6.1"><link rel="alternate" type="application/rss+xml" href="/feed/">'
    )
    posts = "".join(
        f"<article class=post><h2><a href='/2020/0{day}/lantern-{day}/'>Lantern {day}</a></h2>"
        f"<time datetime='2020-0{day}-01'>1 May</time>{WORDS}</article>"
        for day in range(1, 9)
    )
    page = f"<html><head><title>Ferry notes</title>{head}</head><body class=blog>{posts}</body></html>"
    told = curator.submit("/try", url="https://ferry.example/", html=page, ask="kind").text
    assert 'value="https://ferry.example/"><button class="main">' in told
    assert "Keep this blog" not in viewer.submit("/try", url="https://ferry.example/", html=page, ask="kind").text
