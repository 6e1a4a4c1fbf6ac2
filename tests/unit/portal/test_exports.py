"""Exports: asked for, watched until they are made, fetched while they are there."""

from __future__ import annotations

from lxml import html

from blogforever.config import Config
from blogforever.service.errands import export_path, run_errand
from blogforever.service.exports import errand_of
from blogforever.storage.following import FollowedQuery
from blogforever.storage.searches import PostSearch
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


def test_what_a_search_finds_is_exported_in_whatever_holds_posts(curator: PortalClient) -> None:
    (link,) = curator.page("/output?q=shelf&language=en&tag=books").xpath(
        "//main//a[starts-with(@href, '/exports')]/@href"
    )
    page = curator.page(link)
    assert "Only posts that fit: Words: shelf; Tags: books; Language: en" in words(page)
    (form,) = page.xpath("//form[@action='/exports']")
    offered = form.xpath(".//select[@name='format']/option/@value")
    assert offered == ["jsonl", "csv", "comments", "bibtex", "ris", "csl", "spider-xml"]
    fields = {one.name: one.value for one in form.xpath(".//input") if one.name != "form_token"}
    made = curator.submitted("/exports", **fields | {"format": "ris"})
    assert "Only posts that fit: Words: shelf; Tags: books; Language: en" in words(made.xpath("//tbody/tr")[0])
    archive = curator.standing.archive
    (job,) = archive.store.jobs.newest(JobFilter(kind="export"), 1)
    errand = errand_of(job)
    assert errand.search == PostSearch(words="shelf", language="en", tags=("books",))
    run_errand(Config(archive=archive.folder), errand)
    answer = curator.get(f"/exports/{job.id}/file")
    assert "chosen-posts-" in answer.headers["content-disposition"]
    assert answer.content.startswith(b"TY  - ")
    refused = curator.submit("/exports", **fields | {"format": "site"})
    assert "holds whole blogs" in refused.text
    assert html.document_fromstring(refused.text).xpath("//input[@name='q']/@value") == ["shelf"]


def test_kept_searches_and_lists_lead_to_their_export(curator: PortalClient) -> None:
    curator.submitted("/searches", name="Shelves", q="shelf")
    (link,) = curator.page("/searches").xpath("//main//a[starts-with(@href, '/exports')]/@href")
    assert "Words: shelf" in words(curator.page(link))
    links = curator.page("/lists").xpath("//main//a[starts-with(@href, '/exports')]/@href")
    assert "List: Favourites" in words(curator.page(links[0]))


def test_a_viewer_takes_a_table_at_once(viewer: PortalClient) -> None:
    page = viewer.page("/output?q=shelf")
    assert page.xpath("//main//a[starts-with(@href, '/output.csv')]")
    assert not page.xpath("//main//a[starts-with(@href, '/exports')]")


def test_a_viewer_only_fetches(viewer: PortalClient) -> None:
    assert viewer.page("/exports").xpath("//main//form") == []
    assert viewer.submit("/exports", format="csv").status_code == 403
