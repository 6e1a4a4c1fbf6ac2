"""A post is read, cited, compared, looked at in the archive, hidden and shown again."""

from __future__ import annotations

import json

import pytest
from lxml import etree

from blogforever.records import CommentRecord, LinkRecord, PostRecord, SourceRecord, read_post
from blogforever.service.standing import Standing
from blogforever.storage.browsing import PostQuery
from server.visitor import PortalClient, words


def sample(standing: Standing) -> PostRecord:
    return read_post(standing.archive.store.posts.page(PostQuery(limit=1)).items[0].line)


@pytest.fixture
def post(standing: Standing) -> PostRecord:
    """The newest post of the sample blog, with a thread below it."""
    return sample(standing)


def kept(standing: Standing, record: PostRecord) -> None:
    run, _ = standing.archive.store.runs.open(record.blog)
    standing.archive.store.posts.keep(run, record)
    standing.archive.store.flush()


def test_a_post_is_read_with_its_thread_its_facts_and_where_they_came_from(
    viewer: PortalClient, post: PostRecord
) -> None:
    page = viewer.page(f"/posts/{post.id}")
    assert words(page.cssselect(".post h1")[0]) == " ".join((post.title or "").split())
    assert page.cssselect(".post .body p")
    depths = [str(one.get("class")) for one in page.cssselect(".comment")]
    assert depths == ["comment d0", "comment d1", "comment d2", "comment d0", "comment d1"]
    shown = words(page.cssselect(".about")[0])
    assert post.id in shown
    assert post.url in shown
    assert "%" in words(page.cssselect("table.cards tbody")[0])
    [seen] = page.xpath("//*[@id='fields']//tr[th='Comments']/td[1]")
    assert words(seen) == "the page of the post (5)"
    sources = [one.get("src") or "" for one in page.cssselect("main img")]
    assert all(one.startswith("http://127.0.0.1:8151/") for one in sources)


def test_the_posts_beside_it_are_one_key_away_and_hidden_ones_are_passed_over(
    curator: PortalClient, standing: Standing
) -> None:
    lines = standing.archive.store.posts.page(PostQuery(limit=4)).items
    newest, second, third, fourth = (line.id for line in lines)

    def beside(post: str) -> list[tuple[str, str]]:
        links = curator.page(f"/posts/{post}").cssselect(".beside-posts a")
        return [(str(one.get("rel")), str(one.get("href")).rpartition("/")[2]) for one in links]

    assert beside(newest) == [("prev", second)]
    assert beside(third) == [("prev", fourth), ("next", second)]
    curator.submitted(f"/posts/{second}/hide", reason="a test")
    assert beside(newest) == [("prev", third)]
    assert beside(third) == [("prev", fourth), ("next", newest)]


def test_what_others_wrote_stays_words(viewer: PortalClient, standing: Standing) -> None:
    hostile = "<script>x()</script><img src=x onerror=x()>\u202e"
    record = PostRecord(
        id="evil",
        blog=sample(standing).blog,
        url="javascript:x()",
        title=hostile + "t" * 1_000_000,
        language='"><script>',
        html=f"<p>{hostile}<a href='javascript:x()'>a</a><iframe src=//evil.example></iframe><form><input name=q>",
        text="words",
        tags=(hostile,),
        comments=(CommentRecord(id="c", html=hostile, text=hostile),),
        sources=(SourceRecord(url="javascript:x()"),),
    )
    kept(standing, record)
    for path in ("", "/versions", "/diff", "/archived", "/cite"):
        answer = viewer.get(f"/posts/evil{path}")
        assert answer.status_code == 200
        page = etree.HTML(answer.text)
        assert not page.xpath("//script[not(starts-with(@src, '/static/'))] | //main//form//input[@name='q']")
        assert not [one for one in page.xpath("//@href") if one.lower().startswith("javascript")]
        assert not page.xpath("//@onerror | //iframe[starts-with(@src, '//')]")
        assert len(answer.text) < 200_000
        assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert "onerror" not in etree.tostring(etree.HTML(viewer.get("/output").text).xpath("//body")[0]).decode().replace(
        "onerror=x()&gt;", ""
    )


def test_footnotes_and_links_to_archived_posts_lead_there(viewer: PortalClient, standing: Standing) -> None:
    other = sample(standing)
    url = "https://b.example/notes/"
    html = (
        f'<p>See<a href="{url}#fn1" id="r1">1</a> and <a href="{other.url}">that</a>.</p>'
        '<p id="fn1">A note <a href="#r1">back</a></p>'
    )
    kept(standing, PostRecord(id="notes", blog=other.blog, url=url, html=html, links=(LinkRecord(url=other.url),)))
    page = viewer.page("/posts/notes")
    targets = [one.get("href") for one in page.cssselect(".post .body a")]
    assert targets == ["#post-fn1", f"/posts/{other.id}", "#post-r1"]
    assert page.cssselect("#post-fn1")


def test_a_post_is_given_as_json_xml_markdown_and_citations(viewer: PortalClient, post: PostRecord) -> None:
    assert json.loads(viewer.get(f"/posts/{post.id}.json").text)["id"] == post.id
    assert etree.fromstring(viewer.get(f"/posts/{post.id}.xml").content).findtext("BlogEntity/Id") == post.id
    assert viewer.get(f"/posts/{post.id}.md").text.startswith("---\ntitle: ")
    assert viewer.get(f"/posts/{post.id}.bib").text.startswith("@online{")
    assert viewer.get(f"/posts/{post.id}.ris").text.startswith("TY  - BLOG")
    assert json.loads(viewer.get(f"/posts/{post.id}.csl").text)[0]["URL"] == post.url
    assert len(viewer.page(f"/posts/{post.id}/cite").cssselect("pre")) == 3
    assert viewer.get(f"/posts/{post.id}.exe").status_code == 404
    assert viewer.get("/posts/none").status_code == 404


def test_versions_stand_side_by_side_word_by_word(viewer: PortalClient, standing: Standing) -> None:
    blog = sample(standing).blog
    for text in ("One two three.\n\nThe same.", "One 2 three.\n\nThe same."):
        kept(
            standing,
            PostRecord(id="v", blog=blog, url="https://b.example/v", title=text[:5], text=text, html=f"<p>{text}"),
        )
    (changed,) = viewer.page("/posts/v").cssselect(".post .when a[href*=diff]")
    page = viewer.page(str(changed.get("href")))
    assert [words(one) for one in page.cssselect(".diff del")] == ["two"]
    assert [words(one) for one in page.cssselect(".diff ins")] == ["2"]
    assert [words(row) for row in page.cssselect(".diff tr.same")] == ["The same.The same."]
    assert len(viewer.page("/posts/v/versions").cssselect("tbody tr")) >= 2
    assert "version 1" in words(viewer.page("/posts/v?version=1").cssselect(".notice")[0])
    first = viewer.page("/posts/v/archived?version=1")
    captures = first.cssselect(".captures a")
    assert [(str(one.get("href")), one.get("aria-current")) for one in captures] == [
        ("/posts/v/archived?version=1", "page"),
        ("/posts/v/archived?version=2", None),
    ]
    assert words(first.cssselect(".postbar a[href$='/versions']")[0]) == "Versions 2"
    assert viewer.get("/posts/v?version=9").status_code == 404
    assert viewer.get("/posts/v/diff?from=1&to=9").status_code == 404


def test_the_archived_page_is_shown_in_a_frame_of_another_origin(viewer: PortalClient, post: PostRecord) -> None:
    page = viewer.page(f"/posts/{post.id}/archived")
    frame = page.cssselect("iframe")[0]
    assert str(frame.get("src")).startswith("http://127.0.0.1:8151/")
    assert frame.get("sandbox") == ""
    policy = viewer.get(f"/posts/{post.id}/archived").headers["content-security-policy"]
    assert "frame-src 'self' http://127.0.0.1:8151" in policy


def test_a_comment_is_hidden_alone(curator: PortalClient, post: PostRecord) -> None:
    first = curator.page(f"/posts/{post.id}").cssselect(".comment .withhold")[0]
    form = curator.page(str(first.get("href")))
    assert post.comments[0].text[:40] in words(form.cssselect(".withheld")[0])
    curator.submitted(f"/posts/{post.id}/hide", comment=post.comments[0].id, reason="she asked")
    left = curator.page(f"/posts/{post.id}")
    assert len(left.cssselect(".comment")) == len(post.comments) - 1
    assert curator.get(f"/posts/{post.id}/hide?comment={post.comments[0].id}").status_code == 404


def test_a_sentence_is_erased_by_an_admin_once_he_has_seen_what_goes(
    admin: PortalClient, curator: PortalClient, post: PostRecord, standing: Standing
) -> None:
    sentence = post.text.split(". ")[0]
    place, asked = f"/posts/{post.id}/erase", {"passage": sentence, "reason": "a letter of May"}
    assert curator.submit(place, **asked).status_code == 403
    assert not curator.page(f"/posts/{post.id}/hide").cssselect("[name=passage]")
    assert admin.submit(place, passage=sentence, reason=" ").status_code == 422
    assert admin.submit(place, passage="three little words", reason="x").status_code == 422
    assert "become unreadable in part" in admin.submit(place, **asked).text
    assert sentence in words(admin.page(f"/posts/{post.id}").cssselect(".post .body")[0])
    nothing = admin.submit(place, passage="words that nobody ever wrote here", reason="x").text
    assert "Nothing of this is in the archive" in nothing
    admin.submitted(place, **asked, sure="yes")
    shown = words(admin.page(f"/posts/{post.id}").cssselect(".post .body")[0])
    assert sentence not in shown
    assert post.text.split(". ")[1].split(".")[0] in shown
    (deed,) = standing.archive.store.audit.newest(1)
    assert (deed.what, deed.detail) == ("erase", "")


def test_a_field_that_is_read_wrongly_is_put_right_on_the_page_of_the_post(
    curator: PortalClient, viewer: PortalClient, post: PostRecord
) -> None:
    page = curator.page(f"/posts/{post.id}")
    ways = [str(one.get("href")) for one in page.cssselect("#fields a.button")]
    assert any("/rules?field=article&page=" in way for way in ways)
    assert curator.page(ways[0]).cssselect("iframe[data-picked]")
    assert not viewer.page(f"/posts/{post.id}").cssselect("#fields a.button")


def test_a_post_is_hidden_with_a_reason_and_shown_again(
    curator: PortalClient, viewer: PortalClient, post: PostRecord, standing: Standing
) -> None:
    assert viewer.submit(f"/posts/{post.id}/hide", reason="x").status_code == 403
    assert curator.submit(f"/posts/{post.id}/hide", reason=" ").status_code == 422
    page = curator.submitted(f"/posts/{post.id}/hide", reason="The author asked", until="2999-01-01")
    assert "The author asked" in words(page.cssselect("tbody")[0])
    assert curator.get(f"/posts/{post.id}").status_code == 404
    assert post.url not in viewer.get("/output").text
    target = page.cssselect("tbody input[name=target]")[0].get("value")
    curator.submitted("/hidden/show", target=target, kind="url")
    assert viewer.get(f"/posts/{post.id}").status_code == 200
    deeds = [deed.what for deed in standing.archive.store.audit.newest(2)]
    assert deeds == ["show again", "hide post"]
