"""Selectors: what runs as CSS and what is shown as XPath mean the same node."""

from __future__ import annotations

import lxml.html
import pytest

from blogforever.learn.candidates import Step, css_of, lasting, selectors, xpath_of
from blogforever.page.view import PageView

HTML = """<html><body><div id="wrap"><div class="post hentry post-17"><h2>One</h2><p>a</p><p class="md:w-1/2 lead">b</p>
</div><section itemprop="articleBody"><span rel="tag author">c</span><div>d</div></section></div><aside><p>e</p></aside>
</body></html>"""


def test_css_and_xpath_select_the_same_nodes() -> None:
    tree = PageView(HTML)
    document = lxml.html.document_fromstring(HTML)
    count = 0
    for i in range(1, len(tree.nodes)):
        for selector in selectors(tree, i):
            by_css = [node.text() for node in tree.tree.css(css_of(selector))]
            by_xpath = ["".join(str(part) for part in node.itertext()) for node in document.xpath(xpath_of(selector))]
            assert by_css == by_xpath, (css_of(selector), xpath_of(selector))
            count += 1
    assert count > 50


@pytest.mark.parametrize("tag", ["h'1", "o:p", "a}b", "{%", "h1\0"])
def test_tags_that_no_selector_can_say_are_found_by_their_marks(tag: str) -> None:
    selector = (Step(tag, classes=("title",)),)
    assert (css_of(selector), css_of((Step(tag),))) == (".title", "*")
    assert lxml.html.document_fromstring("<h1 class='title'>One</h1>").xpath(xpath_of(selector))


def test_every_element_is_found_by_its_whole_path() -> None:
    tree = PageView(HTML)
    for i in range(1, len(tree.nodes)):
        *_, path = selectors(tree, i)
        assert tree.place(tree.tree.css_first(css_of(path))) == i


@pytest.mark.parametrize("token", ["entry-content", "post", "hentry", "e-content", "h1", "md:flex", "post-body"])
def test_lasting_tokens(token: str) -> None:
    assert lasting(token)


@pytest.mark.parametrize("token", ["author-title", "tag-links", "category-list", "user-name"])
def test_tokens_that_name_a_place_last_though_others_like_them_name_a_value(token: str) -> None:
    assert lasting(token)


@pytest.mark.parametrize(
    "token", ["post-1234", "category-news", "tag-x", "postid-9", "y2013", "author-jane", "toc_3", "p12"]
)
def test_passing_tokens(token: str) -> None:
    assert not lasting(token)


def test_odd_names_are_quoted() -> None:
    assert Step("div", id="a b", classes=("1x", "ok")).css() == 'div[id="a b"][class~="1x"].ok'
    assert (
        Step("p", classes=("it's",)).xpath() == """p[contains(concat(' ', normalize-space(@class), ' '), " it's ")]"""
    )
