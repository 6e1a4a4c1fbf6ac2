"""What is read as a comment does not stand in the post's text, too."""

from __future__ import annotations

from blogforever.comments import extract_comments, without_comments
from blogforever.extract.clean import clean_article
from blogforever.model import Page, Post

URL = "https://blog.example/2013/03/kites/"
ARTICLE = "<p>How to build a kite that flies in the lightest wind of all.</p><p>Take paper and a string.</p>"
FLAT = """<h3>Comments</h3><h4>Ann Poe, March 4, 2013</h4><p>What a fine kite you have built there.</p>
<h4>Bo, March 5, 2013</h4><p>Mine broke in the wind, see the picture below.</p>"""
BOXED = """<div class="old"><p>2 comments</p>
<blockquote id="comment-1"><p><b class="fn">Ann Poe</b> 4 March 2013</p>
<p>What a fine kite you have built there.</p></blockquote>
<blockquote id="comment-2"><p><b class="fn">Bo</b> 5 March 2013</p>
<p>Mine broke in the wind, see the picture below.</p></blockquote></div>"""
ONE = """<div id="comment-1" class="comment"><b class="fn">Ann Poe</b> <i>4 March 2013</i>
<p>What a fine kite you have built there.</p></div>"""
TOLD = "How to build a kite that flies in the lightest wind of all.\n\nTake paper and a string."


def read(body: str, below: str = "") -> Post:
    page = Page(URL, f"<html><body><article>{body}</article>{below}</body></html>".encode())
    cleaned = clean_article(body, URL)
    post = Post(URL, text=cleaned.text, html=cleaned.html)
    comments = extract_comments(page, post)
    assert comments
    return without_comments(post, comments, page)


def test_comments_at_the_end_of_a_text_are_taken_out_with_the_lines_about_them() -> None:
    assert read(ARTICLE + FLAT).text == TOLD
    assert read(ARTICLE + BOXED).text == TOLD
    assert read(ARTICLE + ONE).text == TOLD
    assert "Bo" not in read(ARTICLE + FLAT).html


def test_a_comment_that_the_post_quotes_stays_in_it() -> None:
    quote = "<blockquote>What a fine kite you have built there.</blockquote>"
    assert "What a fine kite" in read(ARTICLE + quote, ONE).text


def test_comments_outside_the_text_change_nothing() -> None:
    assert read(ARTICLE, ONE).text == TOLD


def test_a_text_of_nothing_but_comments_is_left_as_it_is() -> None:
    assert "What a fine kite" in read(ONE).text


def test_a_dated_line_before_the_heading_of_the_comments_is_the_posts() -> None:
    source = "1. The Kite Review, 7 March 1994, page 12."
    assert read(f"{ARTICLE}<p>{source}</p><hr>{FLAT}").text == f"{TOLD}\n\n{source}"
