"""Figures for Prometheus: from this machine for everybody, from others with a token."""

from __future__ import annotations

from pathlib import Path

from fastapi.testclient import TestClient

from blogforever.archive.opening import open_archive
from blogforever.service.standing import Standing
from blogforever.service.tokens import create_token
from blogforever.storage.following import FollowedBlog
from blogforever.storage.work import NewJob
from blogforever.web.app import make_app

NOW = "2024-01-01T00:00:00+00:00"


def test_the_figures_are_those_of_the_store(tmp_path: Path) -> None:
    with open_archive(tmp_path, writing=True) as archive:
        archive.store.followed.add([FollowedBlog("a.example", "https://a.example/", NOW)])
        archive.store.jobs.put(NewJob("harvest", "a.example"), NOW)
        app = make_app(Standing(archive), "1")
        told = TestClient(app, client=("127.0.0.1", 1)).get("/metrics")
        assert told.headers["content-type"].startswith("text/plain")
        assert 'blogforever_blogs{state="waiting"} 1.0' in told.text
        assert 'blogforever_jobs{kind="harvest",state="waiting"} 1.0' in told.text
        assert "blogforever_ready 0.0" in told.text


def test_others_need_a_token(tmp_path: Path) -> None:
    with open_archive(tmp_path, writing=True) as archive:
        app = make_app(Standing(archive), "1")
        secret = create_token(archive.store, "eyes").secret
        stranger = TestClient(app, client=("192.0.2.1", 1))
        assert stranger.get("/metrics").status_code == 401
        assert stranger.get("/metrics", headers={"Authorization": f"Bearer {secret}"}).status_code == 200
        behind = TestClient(app, client=("127.0.0.1", 1))
        assert behind.get("/metrics", headers={"X-Forwarded-For": "192.0.2.1"}).status_code == 401
