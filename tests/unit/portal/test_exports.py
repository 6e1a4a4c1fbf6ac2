"""Exports: asked for, watched until they are made, fetched while they are there."""

from __future__ import annotations

from blogforever.service.errands import export_path
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
    for wrong in ({"format": "pdf"}, {"format": "wacz"}, {"format": "csv", "blog": "nobody.example"}):
        assert curator.submit("/exports", **wrong).status_code == 422


def test_a_viewer_only_fetches(viewer: PortalClient) -> None:
    assert viewer.page("/exports").xpath("//main//form") == []
    assert viewer.submit("/exports", format="csv").status_code == 403
