"""Mark-up of platforms whose comments look otherwise: each page has the same two comments."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from blogforever.comments import extract_comments
from blogforever.model import Moment, Page, Post

URL = "https://blog.example/p/"
PLATFORMS = {
    "drupal6": """<div id="comments"><a id="comment-12"></a><div class="comment odd"><h3>
<a href="/node/5#comment-12">Subject one</a></h3>
<span class="submitted">Submitted by Ann Poe (not verified) on Mon, 2013-03-04 10:00.</span>
<div class="content"><p>What a fine kite.</p></div><ul class="links"><li>
<a href="/comment/reply/5/12">reply</a></li></ul></div><div class="indented"><a id="comment-13"></a>
<div class="comment even"><h3><a href="/node/5#comment-13">Subject two</a></h3>
<span class="submitted">Submitted by <a href="/user/2">Bo</a> on Tue, 2013-03-05 10:00.</span>
<div class="content"><p>Mine broke, see below.</p></div><ul class="links"><li>reply</li></ul></div>
</div></div>""",
    "dotclear": """<div id="comments"><h3>Commentaires</h3><dl><dt id="c12" class="odd first">
<a href="#c12" class="comment-number">1.</a> Le lundi 4 mars 2013, 10:15 par <a href="http://a.ex" rel="nofollow">
Ann Poe</a>
</dt><dd class="odd first"><p>What a fine kite.</p></dd><dt id="c13">
<a href="#c13" class="comment-number">2.</a> Le mardi 5 mars 2013, 10:15 par Bo</dt><dd>
<p>Mine broke, see below.</p></dd></dl></div>""",
    "mt3": """<div class="comments-head"><a name="comments"></a>Comments</div><div class="comments-body">
<a name="1023"></a><p>What a fine kite.</p>
<span class="comments-post">Posted by: <a href="http://a.ex">Ann Poe</a> at March 4, 2013 10:15 PM</span>
</div><div class="comments-body"><a name="1024"></a><p>Mine broke, see below.</p>
<span class="comments-post">Posted by: Bo at March 5, 2013 10:15 PM</span></div>""",
    "mt3b": """<h2 id="comments">Comments</h2><a id="c123"></a><p>What a fine kite.</p>
<p class="posted">Posted by: <a href="http://a.ex">Ann Poe</a> at March 4, 2013 10:15 PM</p>
<a id="c124"></a><p>Mine broke, see below.</p>
<p class="posted">Posted by: Bo at March 5, 2013 10:15 PM</p>""",
    "b2evo": """<h4>2 comments</h4><div class="bComment" id="c12">
<div class="bCommentTitle">Comment from: <strong>Ann Poe</strong> [Visitor]</div>
<div class="bCommentText"><p>What a fine kite.</p></div>
<div class="bCommentSmallPrint">03/04/13 @ 10:15</div></div><div class="bComment" id="c13">
<div class="bCommentTitle">Comment from: Bo [Visitor]</div><div class="bCommentText">
<p>Mine broke, see below.</p></div><div class="bCommentSmallPrint">03/05/13 @ 10:15</div></div>""",
    "typepad": """<div class="comments"><h2>Comments</h2><div class="comments-content">
<div id="comment-6a00d8341bfe" class="comment"><div class="comment-avatar"><img src="x.jpg"></div>
<div class="comment-content"><p>What a fine kite.</p></div>
<p class="comment-footer">Posted by: <a href="http://a.ex" title="http://a.ex">Ann Poe</a> | <a
href="https://blog.example/p/#comment-6a00d8341bfe">March 04, 2013 at 10:15 AM</a>
</p></div><div id="comment-6a00d8341bff" class="comment"><div class="comment-content">
<p>Mine broke, see below.</p></div>
<p class="comment-footer">Posted by: Bo | <a href="https://blog.example/p/#comment-6a00d8341bff">
March 05, 2013 at 10:15 AM</a>
</p></div></div></div>""",
    "s9y": """<a id="comments"></a><h3>Comments</h3><a id="c12"></a>
<div class="serendipity_comment serendipity_comment_author_x comment_oddbox">
<div class="serendipity_commentBody">What a fine kite.</div><div class="serendipity_comment_source">
<a class="comment_source_trace" href="#c12">#1</a> <span class="comment_source_author">
<b>Ann Poe</b>
</span> on <span class="comment_source_date">2013-03-04 10:15</span> (<a href="#">Reply</a>)</div>
</div><a id="c13"></a><div class="serendipity_comment">
<div class="serendipity_commentBody">Mine broke, see below.</div>
<div class="serendipity_comment_source">
<a class="comment_source_trace" href="#c13">#2</a> <span class="comment_source_author"><b>Bo</b>
</span> on <span class="comment_source_date">2013-03-05 10:15</span></div></div>""",
    "wpblock": """<div class="wp-block-comments"><h2 class="wp-block-comments-title">2 responses</h2>
<ol class="wp-block-comment-template"><li id="comment-12" class="comment even depth-1">
<div class="wp-block-group"><div class="wp-block-avatar"><img class="avatar" src="http://g/a.jpg">
</div><div class="wp-block-comment-author-name">Ann Poe</div><div class="wp-block-comment-date">
<time datetime="2013-03-04T10:15:00+00:00">
<a href="https://blog.example/p/#comment-12">March 4, 2013</a></time></div>
<div class="wp-block-comment-content"><p>What a fine kite.</p></div>
<div class="wp-block-comment-reply-link">
<a rel="nofollow" class="comment-reply-link" href="?replytocom=12#respond">Reply</a></div></div><ol>
<li id="comment-13" class="comment odd depth-2"><div class="wp-block-comment-author-name">
<a href="http://bo.ex" rel="external nofollow ugc">Bo</a></div><div class="wp-block-comment-date">
<time datetime="2013-03-05T10:15:00+00:00">
<a href="https://blog.example/p/#comment-13">March 5, 2013</a></time></div>
<div class="wp-block-comment-content"><p>Mine broke, see below.</p></div></li></ol></li></ol></div>""",
    "typecho": """<div id="comments"><h3>2 条评论</h3><ol class="comment-list">
<li itemscope itemtype="http://schema.org/UserComments" id="comment-12"
class="comment-body comment-parent comment-odd">
<div class="comment-author" itemprop="creator" itemscope><span itemprop="image">
<img class="avatar" src="x"></span><cite class="fn" itemprop="name">Ann Poe</cite></div>
<div class="comment-meta"><a href="#comment-12">
<time itemprop="commentTime" datetime="2013-03-04T10:15:00+08:00">March 4</time></a></div>
<div class="comment-content" itemprop="commentText"><p>What a fine kite.</p></div>
<div class="comment-reply"><a href="#">回复</a></div>
<div class="comment-children" itemprop="discusses"><ol class="comment-list">
<li id="comment-13" class="comment-body comment-child"><div class="comment-author">
<cite class="fn">Bo</cite></div><div class="comment-meta"><a href="#comment-13">
<time datetime="2013-03-05T10:15:00+08:00">x</time></a></div><div class="comment-content">
<p>Mine broke, see below.</p></div></li></ol></div></li></ol></div>""",
    "staticman": """<section class="static-comments"><h3>2 Comments</h3><article id="comment1" class="static-comment">
<img class="static-comment-avatar" src="x.png"><h4 class="static-comment-author">Ann Poe</h4>
<div class="static-comment-timestamp"><a href="#comment1"><time datetime="2013-03-04">Mar 4</time>
</a></div><div class="static-comment-content"><p>What a fine kite.</p></div></article>
<article id="comment2" class="static-comment"><h4 class="static-comment-author">Bo</h4>
<div class="static-comment-timestamp"><time datetime="2013-03-05">Mar 5</time></div>
<div class="static-comment-content"><p>Mine broke, see below.</p></div></article></section>""",
    "table": """<h3>Comments</h3><table class="comments"><tr class="comment"><td><b>Ann Poe</b><br>2013-03-04</td>
<td>What a fine kite.</td></tr><tr class="comment"><td><b>Bo</b><br>2013-03-05</td>
<td>Mine broke, see below.</td></tr></table>""",
    "octojekyll": """<h2>Comments</h2><div class="comments"><div class="comment"><p class="meta">
<strong>Ann Poe</strong> &mdash; Mar 4, 2013</p><p>What a fine kite.</p></div><div class="comment">
<p class="meta"><strong>Bo</strong> &mdash; Mar 5, 2013</p><p>Mine broke, see below.</p></div></div>""",
    "oldblogger": """<div id="comments"><a name="comments"></a><h4>2 Comments:</h4><dl id="comments-block">
<dt class="comment-poster" id="c111"><a name="c111"></a>
<a href="https://ann.example/" rel="nofollow">Ann Poe</a> said...</dt><dd class="comment-body">
<p>What a fine kite.</p></dd><dd class="comment-timestamp">
<a href="#111" title="comment permalink">3/04/2013 10:15 PM</a><span class="item-control">x</span>
</dd><dt class="comment-poster" id="c112"><a name="c112"></a>Bo said...</dt>
<dd class="comment-body"><p>Mine broke, see below.</p></dd><dd class="comment-timestamp">
<a href="#112" title="comment permalink">3/05/2013 10:15 PM</a></dd></dl></div>""",
    "webmention": """<section id="webmentions"><h3>Webmentions</h3><ol><li class="u-comment h-cite">
<a class="p-author h-card" href="https://a.ex"><img class="u-photo" src="x.jpg">Ann Poe</a>
<div class="e-content">What a fine kite.</div><a class="u-url" href="https://a.ex/1">
<time class="dt-published" datetime="2013-03-04T10:00:00Z">4 Mar</time></a></li>
<li class="u-comment h-cite"><a class="p-author h-card" href="https://b.ex">Bo</a>
<div class="e-content">Mine broke, see below.</div><a class="u-url" href="https://b.ex/1">
<time class="dt-published" datetime="2013-03-05T10:00:00Z">5 Mar</time></a></li></ol></section>""",
}


@pytest.mark.parametrize("name", PLATFORMS)
def test_both_comments_are_read(name: str) -> None:
    html = f"<html><body><h1>K</h1><article><p>How to build a kite.</p></article>{PLATFORMS[name]}</body></html>"
    post = Post(URL, published=Moment("2013-03-01", "day"))
    found = extract_comments(Page(URL, html.encode(), captured=datetime(2014, 1, 1, tzinfo=UTC)), post)
    told = [(c.author and c.author.name, c.published and c.published.iso[:10], c.text) for c in found]
    assert told == [
        ("Ann Poe", "2013-03-04", "What a fine kite."),
        ("Bo", "2013-03-05", "Mine broke, see below."),
    ]


@pytest.mark.parametrize("name", ["drupal6", "wpblock", "typecho"])
def test_answers_stand_under_what_they_answer(name: str) -> None:
    first, second = extract_comments(Page(URL, PLATFORMS[name].encode()))
    assert (first.parent, second.parent) == (None, first.id)
    assert (first.native_id, second.native_id) == ("12", "13")
