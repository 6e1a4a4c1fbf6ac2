"""One small page for each way blogs write their comments."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from blogforever.comments import extract_comments
from blogforever.model import Author, Comment, Moment, Page, Post

URL = "https://blog.example/2013/03/kites/"
POST = Post(URL, authors=(Author("Mara Lind"),), published=Moment("2013-03-01", "day"), language="en")
ARTICLE = "<h1>Kites</h1><article><p>How to build a kite that flies in the lightest wind of all.</p></article>"


def comments_of(markup: str, post: Post = POST) -> tuple[Comment, ...]:
    html = f"<html><body>{ARTICLE}{markup}</body></html>"
    return extract_comments(Page(URL, html.encode(), captured=datetime(2014, 1, 1, tzinfo=UTC)), post)


def told(markup: str) -> list[tuple[str | None, str | None, str]]:
    return [
        (c.author.name if c.author else None, c.published.iso[:10] if c.published else None, c.text)
        for c in comments_of(markup)
    ]


BOTH = [("Ann Poe", "2013-03-04", "What a fine kite."), ("Bo", "2013-03-05", "Mine broke, see below.")]
LIST_ITEMS = """<h3>2 Responses</h3><ol class="commentlist">
<li id="comment-7"><cite>Ann Poe</cite> Says: <br><small><a href="#comment-7">March 4th, 2013 at 8:44 pm</a></small>
<p>What a fine kite.</p></li>
<li id="comment-8"><cite><a href="https://bo.example/">Bo</a></cite> Says: <br><small><a href="#comment-8">March 5th,
2013 at 9:00 am</a></small><p>Mine broke, see below.</p></li></ol>"""
BARE_DIVS = """<div class="comment"><div class="author">Ann Poe</div><div class="date">2013-03-04 10:00</div>
<div class="text">What a fine kite.</div></div>
<div class="comment"><div class="author">Bo</div><div class="date">2013-03-05 11:00</div>
<div class="text">Mine broke, see below.</div></div>"""
TRIPLES = """<h4>2 comments:</h4><dl id="comments-block">
<dt class="comment-author" id="c811"><a name="c811"></a>Ann Poe said...</dt>
<dd class="comment-body"><p>What a fine kite.</p></dd>
<dd class="comment-footer"><span class="comment-timestamp"><a href="#c811">March 4, 2013 at 1:55 AM</a></span></dd>
<dt class="comment-author" id="c812"><a name="c812"></a><a href="https://bo.example/">Bo</a> said...</dt>
<dd class="comment-body"><p>Mine broke, see below.</p></dd>
<dd class="comment-footer"><span class="comment-timestamp"><a href="#c812">March 5, 2013 at 2:55 AM</a></span></dd>
</dl>"""
NEXT_ELEMENT = """<h2>Comments</h2><div id="c31"><p>What a fine kite.</p></div>
<p class="posted">Posted by: <a href="mailto:a@x.example">Ann Poe</a> at March 4, 2013 10:04 PM</p>
<div id="c32"><p>Mine broke, see below.</p></div>
<p class="posted">Posted by: Bo at March 5, 2013 06:00 AM</p>"""
AFTER_TEXT = """<h3>2 Comments</h3><ul id="commentlist">
<li id="comment-61"><p>What a fine kite.</p><p class="postMeta">Comment by Ann Poe on March 4, 2013 @
<a href="#comment-61">March 4, 2013</a></p></li>
<li id="comment-62"><p>Mine broke, see below.</p><p class="postMeta">Comment by Bo on March 5, 2013 @
<a href="#comment-62">March 5, 2013</a></p></li></ul>"""
COUNTED = """<div id="comments"><div class="comment" id="comment-94a9af"><div class="comment-subject">
<a href="https://blog.example/2013/03/kites/#comment-94a9af">comment 1</a></div>
<div class="inlinecontent">What a fine kite.</div><div class="comment-header">Comment by
<span class="author">Ann Poe</span> &mdash; <span class="date">Mon Mar 4 23:50:00 2013</span></div></div>
<div class="comment" id="comment-b3fdaf"><div class="comment-subject">
<a href="https://blog.example/2013/03/kites/#comment-b3fdaf">comment 2</a></div>
<div class="inlinecontent">Mine broke, see below.</div><div class="comment-header">Comment by
<span class="author"><a href="/users/bo">Bo</a></span> &mdash; <span class="date">Tue Mar 5 02:50:00 2013</span></div>
</div></div>"""
HEADING_AND_PARAGRAPHS = """<h2>Comments</h2><h4>Ann Poe, March 4, 2013</h4><p>What a fine kite.</p>
<h4>Bo, March 5, 2013</h4><p>Mine broke, see below.</p>"""
CITES = """<footer><h3>Comments</h3><div class="u-comment h-cite"><p class="p-content p-name">What a fine kite.</p>
<a class="u-author h-card" href="https://ann.example">Ann Poe</a>
<time class="dt-published" datetime="2013-03-04T02:05:57-07:00">2013-03-04T02:05:57-07:00</time></div>
<div class="u-comment h-cite"><p class="p-content p-name">Mine broke, see below.</p>
<a class="u-author h-card" href="#">Bo</a><time class="dt-published" datetime="2013-03-05T02:05:57-07:00"></time></div>
</footer>"""
UNCLOSED = """<ol class="commentlist"><li id="comment-1"><span class="auth-name">Ann Poe</span><br>
<span class="auth-time"> March 4th, 2013 @ 4:00 pm <div class="commenttext"><p>What a fine kite.</p></div></li>
<li id="comment-2"><span class="auth-name">Bo</span><br>
<span class="auth-time"> March 5th, 2013 @ 4:00 pm <div class="commenttext"><p>Mine broke, see below.</p></div></li>
</ol>"""
MICRODATA = """<section><div itemprop="comment" itemscope itemtype="http://schema.org/Comment">
<span itemprop="author" itemscope><b itemprop="name">Ann Poe</b></span>
<time itemprop="datePublished" datetime="2013-03-04T10:00:00Z">4 March</time>
<div itemprop="text">What a fine kite.</div></div>
<div itemprop="comment" itemscope itemtype="http://schema.org/Comment">
<span itemprop="author" itemscope><b itemprop="name">Bo</b></span>
<time itemprop="datePublished" datetime="2013-03-05T10:00:00Z">5 March</time>
<div itemprop="text">Mine broke, see below.</div></div></section>"""
QUOTES = """<article><p>More of it.</p><h3>Comments</h3>
<blockquote><p><strong>Ann Poe</strong> on March 4, 2013:</p><p>What a fine kite.</p></blockquote>
<blockquote><p><strong>Bo</strong> on March 5, 2013:</p><p>Mine broke, see below.</p></blockquote></article>"""


@pytest.mark.parametrize(
    "markup",
    [
        LIST_ITEMS,
        BARE_DIVS,
        TRIPLES,
        NEXT_ELEMENT,
        AFTER_TEXT,
        COUNTED,
        HEADING_AND_PARAGRAPHS,
        CITES,
        UNCLOSED,
        MICRODATA,
        QUOTES,
    ],
)
def test_every_layout_gives_both_comments(markup: str) -> None:
    assert told(markup) == BOTH


def test_a_link_to_the_comment_itself_is_no_word_of_it() -> None:
    item = """<div id="comment-{0}" class="comment media"><div class="media-body"><h4>{1} <small>{2}</small></h4>
    <p>{3}</p><a href="/2013/03/kites/#comment-{0}"><i></i> Link</a> | <a class=reply href="#r">Reply</a></div></div>"""
    first = item.format(7, "Ann Poe", "March 4, 2013", 'What a fine kite, as <a href="#comment-8">8</a> says.')
    markup = f"<div id=comments><h3>Comments</h3>{first}{item.format(8, 'Bo', 'March 5, 2013', 'Mine broke.')}</div>"
    assert [text for _name, _day, text in told(markup)] == ["What a fine kite, as 8 says.", "Mine broke."]


def test_undated_fallback_lists_have_no_dates() -> None:
    markup = """<div id="disqus_thread"><ul id="dsq-comments"><li class="comment depth-1" id="dsq-comment-45">
    <div class="dsq-comment-header"><cite><span id="dsq-author-user-45">Ann Poe</span></cite></div>
    <div class="dsq-comment-body"><div class="dsq-comment-message"><p>What a fine kite.</p></div></div></li></ul>
    </div>"""
    assert told(markup) == [("Ann Poe", None, "What a fine kite.")]


def test_a_time_of_day_is_no_date() -> None:
    markup = TRIPLES.replace("March 4, 2013 at ", "").replace("March 5, 2013 at ", "")
    assert [day for _name, day, _text in told(markup)] == [None, None]


def test_pingbacks_are_told_apart() -> None:
    markup = """<ol class="commentlist"><li class="post pingback"><p>Pingback:
    <a href="https://other.example/" rel="external nofollow" class="url">A list of kites | Other</a></p></li></ol>"""
    (found,) = comments_of(markup)
    assert (found.kind, found.author) == ("pingback", Author("A list of kites | Other", "https://other.example/"))
    assert found.text == "Pingback: A list of kites | Other"


NESTED = """<ol class="commentlist"><li class="comment depth-1" id="li-comment-1">
<article id="comment-1" class="comment">
<span class="fn">Ann Poe</span> <time datetime="2013-03-04T10:00">March 4</time>
<div class="comment-content"><p>What a fine kite.</p></div><a class="comment-reply-link" href="#r">Reply</a></article>
<ul class="children"><li class="comment bypostauthor depth-2" id="li-comment-2"><article id="comment-2" class="comment">
<span class="fn">Mara Lind</span> <time datetime="2013-03-04T11:00">March 4</time>
<div class="comment-content"><p>Thank you.</p></div></article>
<ul class="children"><li class="comment depth-3" id="li-comment-3"><article id="comment-3" class="comment">
<span class="fn">Bo</span> <time datetime="2013-03-05T11:00">March 5</time>
<div class="comment-content"><p>Indeed.</p></div></article></li></ul></li></ul></li>
<li class="comment depth-1" id="li-comment-4"><article id="comment-4" class="comment"><span class="fn">Cy</span>
<div class="comment-content"><p>Late.</p></div></article></li></ol>"""


def test_answers_hang_under_what_they_answer() -> None:
    found = comments_of(NESTED)
    ids = [comment.id for comment in found]
    assert [comment.parent for comment in found] == [None, ids[0], ids[1], None]
    assert [comment.by_post_author for comment in found] == [False, True, False, False]
    assert [comment.native_id for comment in found] == ["1", "2", "3", "4"]
    assert found[0].text == "What a fine kite."


def test_ids_stay_the_same_when_others_are_added() -> None:
    few, more = comments_of(BARE_DIVS), comments_of(BARE_DIVS + BARE_DIVS.replace("Ann", "Eve"))
    assert [comment.id for comment in few] == [comment.id for comment in more][:2]
    assert all(comment.id.startswith("built-") for comment in few)
    assert len({comment.id for comment in more}) == len(more)


@pytest.mark.parametrize(
    "markup",
    [
        "",
        "<p>A comment on comments: they are good.</p>",
        '<div id="comments"><h3>No comments yet</h3><p>Be the first to comment.</p></div>',
        '<div class="comment"><a href="#respond">Leave a comment</a></div><div class="comments">3 Comments</div>',
        '<aside class="sidebar"><h3>Recent comments</h3><ul class="commentlist"><li class="comment" id="comment-9">'
        '<a href="/2012/other/#comment-9">Ann Poe</a> on 4 March 2013: fine</li></ul></aside>',
        '<ul class="related-posts"><li><a href="/a">One</a> March 4, 2013</li><li><a href="/b">Two</a> 2013</li></ul>',
        '<div class="posts"><article class="post"><h2><a href="/a">One</a></h2><p class="date">March 4, 2013</p>'
        "<p>Some text of the first post.</p><span class='comments-link'>5 comments</span></article>"
        "<article class='post'>"
        "<h2><a href='/b'>Two</a></h2><p class='date'>March 5, 2013</p><p>Text of the second.</p></article></div>",
        '<p class="tags"><a href="/t/a">comment</a> <a href="/t/b">comments</a></p>',
        '<div class="author-box"><h4>Mara Lind</h4><p>Writes about kites since March 4, 2003.</p></div>',
        '<div class="reviews"><div class="comment"><b>Ann</b> March 4, 2013 <p>Five stars.</p></div></div>',
        '<form id="commentform" class="comment"><p>Name</p><p>Comment</p><textarea></textarea></form>',
    ],
)
def test_nothing_else_is_a_comment(markup: str) -> None:
    assert comments_of(markup) == ()
