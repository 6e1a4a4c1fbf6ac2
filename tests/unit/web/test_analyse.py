"""The host analyser over the API: a verdict on any address, and a person's word on a source."""

from __future__ import annotations

from pathlib import Path

from fastapi.testclient import TestClient

from blogforever.archive.opening import open_archive
from blogforever.config import Config
from blogforever.service.standing import Standing
from blogforever.service.tokens import create_token
from blogforever.storage.following import FollowedBlog
from server.application import app_for
from server.blogserver import serve, slug


def test_an_address_is_judged_and_a_person_has_the_last_word(tmp_path: Path) -> None:
    with serve() as site, open_archive(tmp_path, writing=True) as archive:
        standing = Standing(archive, config=Config(archive=tmp_path, allow_private=True, delay=0.0))
        secret = create_token(archive.store, "curator", "curate").secret
        headers = {"Authorization": f"Bearer {secret}"}
        client = TestClient(app_for(standing), base_url="http://test/api/v1", headers=headers)
        told = client.post("/analyse", json={"url": f"{site.base}{slug(4)}"}).json()
        assert (told["class"], told["kind"]) == ("blog", "post")
        assert told["root"].rstrip("/") == site.base
        assert told["reasons"][0]["says"]
        plain = client.post("/analyse", json={"url": f"{site.base}{slug(4)}".removeprefix("http://")}).json()
        assert (plain["url"], plain["class"]) == (f"{site.base}{slug(4)}", told["class"]), "it speaks only http"
        nobody = client.post("/analyse", json={"url": f"{site.base}/nothing-is-here/"}).json()
        assert (nobody["class"], nobody["confidence"]) == ("not-known", 0.0)
        archive.store.followed.add([FollowedBlog("a.example", "https://a.example/", "2026-01-01")])
        assert client.get("/blogs/a.example/verdict").status_code == 404
        said = client.post("/blogs/a.example/verdict", json={"decision": "not-a-blog"}).json()
        assert (said["decided"], said["class"], said["by"]) == ("not-a-blog", "not-a-blog", "person")
        assert client.get("/blogs/a.example").json()["verdict"] == "not-a-blog"
        assert client.get("/blogs/a.example/verdict").json() == said
