"""With ReplayWeb.page in a folder, the replay origin shows pages with their scripts, by signed addresses only."""

from __future__ import annotations

import zipfile
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from blogforever.errors import UsageError
from blogforever.portal.replayorigin import make_replay_app
from blogforever.service.replaying import Replay, ReplayPlace
from blogforever.service.standing import Standing
from blogforever.storage.browsing import PostQuery
from server.visitor import PortalClient


@pytest.fixture
def program(tmp_path: Path) -> Path:
    folder = tmp_path / "replayweb"
    folder.mkdir()
    for name in ("ui.js", "sw.js"):
        (folder / name).write_text(f"// {name}")
    return folder


def test_a_page_is_shown_with_its_scripts_out_of_its_packed_blog(
    standing: Standing, program: Path, viewer: PortalClient
) -> None:
    standing.config = replace(standing.config, replay_web=str(program))
    origin = TestClient(make_replay_app(standing), "http://127.0.0.1:8151")
    assert origin.get("/replay/ui.js").text == "// ui.js"
    assert "replay-web-page" in origin.get("/replay/frame.js").text
    assert origin.get("/replay/secret").status_code == 404
    line = standing.archive.store.posts.page(PostQuery(limit=1)).items[0]
    page = viewer.page(f"/posts/{line.id}/archived?scripts=1")
    address = str(page.cssselect("iframe")[0].get("src")).removeprefix("http://127.0.0.1:8151")
    assert page.cssselect("iframe")[0].get("sandbox") == "allow-scripts allow-same-origin"
    frame = origin.get(address)
    assert "default-src 'self'" in frame.headers["content-security-policy"]
    packed = origin.get(frame.text.partition('data-source="')[2].partition('"')[0])
    assert "datapackage.json" in zipfile.ZipFile(BytesIO(packed.content)).namelist()
    assert origin.get(address.replace("/scripted/", "/wacz/")).status_code in (403, 404)
    path = Replay(standing.archive).path(ReplayPlace("wacz", line.blog, "20260101000000", "blog.wacz"))
    assert origin.get(path, headers={"Range": "bytes=0-3"}).content == b"PK\x03\x04"


def test_without_it_nothing_runs_and_a_wrong_folder_is_refused(
    standing: Standing, viewer: PortalClient, tmp_path: Path
) -> None:
    origin = TestClient(make_replay_app(standing), "http://127.0.0.1:8151")
    assert origin.get("/replay/ui.js").status_code == 404
    line = standing.archive.store.posts.page(PostQuery(limit=1)).items[0]
    assert viewer.page(f"/posts/{line.id}/archived?scripts=1").cssselect("iframe")[0].get("sandbox") == ""
    standing.config = replace(standing.config, replay_web=str(tmp_path))
    with pytest.raises(UsageError, match="ReplayWeb"):
        make_replay_app(standing)
