"""Whether a page needs a browser, told from bytes."""

from __future__ import annotations

from blogforever.model import Entry, Page
from blogforever.render.need import comment_systems, gain, lost, suspicion

URL = "https://blog.example/post/"
STORY = " ".join(f"word{n} lantern harbour" for n in range(60))
SHELL = '<html><body><div id="app">Loading</div><script src="/app.js"></script></body></html>'
ARTICLE = f"<html><body><article><h1>A title</h1><p>{STORY}</p></article><script>count()</script></body></html>"


def page(html: str) -> Page:
    return Page(URL, html.encode(), {"content-type": "text/html; charset=utf-8"})


def test_an_empty_page_with_scripts_is_suspect() -> None:
    assert suspicion(page(SHELL)) == "1 words without scripts"


def test_an_empty_page_without_scripts_is_only_empty() -> None:
    assert suspicion(page("<html><body><p>Soon.</p></body></html>")) is None


def test_an_article_is_not_suspect() -> None:
    assert suspicion(page(ARTICLE), Entry(URL, html=f"<p>{STORY}</p>")) is None


def test_words_in_scripts_and_templates_are_not_seen() -> None:
    hidden = f"<script>var x = '{STORY}'</script><noscript>{STORY}</noscript><template>{STORY}</template>"
    assert suspicion(page(f"<html><body>{hidden}</body></html>")) == "0 words without scripts"


def test_a_page_without_the_text_its_feed_has_is_suspect() -> None:
    menu = "<nav>" + " ".join(f"<a href='/{n}'>Section number {n}</a>" for n in range(40)) + "</nav>"
    entry = Entry(URL, html="<p>" + " ".join(f"thistle{n} granite{n}" for n in range(50)) + "</p>")
    assert suspicion(page(f"<html><body>{menu}<script></script></body></html>"), entry) == (
        "0% of the feed's text without scripts"
    )


def test_a_teaser_in_the_feed_says_too_little() -> None:
    assert suspicion(page(ARTICLE), Entry(URL, summary_html="<p>Other words.</p>")) is None


def test_drawing_that_brings_the_article_is_a_gain() -> None:
    assert gain(page(SHELL), page(ARTICLE)).article
    assert not gain(page(SHELL), page(SHELL)).article
    assert not gain(page(ARTICLE), page(ARTICLE.replace("</article>", f"</article><aside>{STORY}</aside>"))).article


def test_drawing_that_brings_links_to_the_blog_is_a_gain() -> None:
    links = "".join(f'<a href="/p/{n}">{n}</a>' for n in range(8))
    assert gain(page(SHELL), page(f"<html><body>{links}</body></html>")).article
    away = links.replace('"/p', '"https://other.example/p')
    assert not gain(page(SHELL), page(f"<html><body>{away}</body></html>")).article


def test_drawing_that_takes_the_text_away_is_a_loss() -> None:
    assert lost(page(ARTICLE), page(SHELL))
    assert not lost(page(SHELL), page(SHELL))
    assert not lost(page(ARTICLE), page(ARTICLE))


def test_hosted_comments_are_told_from_the_markup() -> None:
    assert comment_systems(page('<div id="disqus_thread"></div>')) == ("disqus",)
    assert comment_systems(page(ARTICLE)) == ()
