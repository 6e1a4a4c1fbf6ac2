"""Exports: asked for, watched until they are made, fetched while they are there."""

from __future__ import annotations

from lxml import html

from blogforever.service.errands import export_path
from blogforever.storage.following import FollowedQuery
from blogforever.storage.work import JobFilter
from server.visitor import PortalClient, words


def test_an_export_is_asked_for_and_fetched_when_it_is_made(curator: PortalClient) -> None:
    assert "Nothing was exported yet" in words(curator.page("/exports"))
    page = curator.submitted("/exports", format="csv")
    assert "It is made now" in words(page)
    (row,) = page.xpath("//tbody/tr")
    assert [words(cell) for cell in row.xpath("td")] == ["CSV: a table of posts", "all blogs", "curator", "waiting", ""]
    assert page.xpath("//@hx-get") == ["/exports/now"]
    archive = curator.standing.archive
    (job,) = archive.store.jobs.newest(JobFilter(kind="export"), 1)
    assert curator.get(f"/exports/{job.id}/file").status_code == 404
    path = export_path(archive.folder, job.id, "csv")
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"title,url")
    (link,) = curator.page("/exports/now").xpath("//@href")
    assert curator.get(link).content == b"title,url"
    for wrong, why in (
        ({"format": "pdf"}, "no such form"),
        ({"format": "wacz"}, "A WACZ holds one blog"),
        ({"format": "csv", "blog": "nobody.example"}, "nothing of a blog"),
    ):
        answer = curator.submit("/exports", **wrong)
        assert answer.status_code == 422
        assert why in words(html.document_fromstring(answer.text).xpath("//*[@role='alert']")[0])
        assert f'value="{wrong.get("blog", "")}"' in answer.text


def test_a_blog_is_exported_by_words_of_its_title_under_a_name_that_says_what_it_is(curator: PortalClient) -> None:
    archive = curator.standing.archive
    (blog,) = archive.store.followed.page(FollowedQuery()).items
    assert [one.get("value") for one in curator.page("/exports").xpath("//datalist/option")] == [blog.id]
    page = curator.submitted("/exports", format="csv", blog="long shelf")
    assert "The Long Shelf" in words(page.xpath("//tbody/tr")[0])
    (job,) = archive.store.jobs.newest(JobFilter(kind="export"), 1)
    path = export_path(archive.folder, job.id, "csv")
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"title,url")
    named = curator.get(f"/exports/{job.id}/file").headers["content-disposition"]
    assert f"{blog.blog}-{job.created[:10]}.csv" in named
    assert "9 B" in words(curator.page("/exports/now"))
    (link,) = curator.page(f"/sources/{blog.id}").xpath("//a[starts-with(@href, '/exports?')]/@href")
    assert curator.page(link).xpath("//input[@name='blog']/@value") == [blog.id]


def test_a_viewer_only_fetches(viewer: PortalClient) -> None:
    assert viewer.page("/exports").xpath("//main//form") == []
    assert viewer.submit("/exports", format="csv").status_code == 403
