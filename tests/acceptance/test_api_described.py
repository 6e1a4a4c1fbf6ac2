"""The API as its own description has it: whatever is asked, no fault of ours, and no answer that was not announced.

`make soak` asks far more (BLOGFOREVER_ASKED); here every operation gets a few questions, always the same.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from blogforever import clock
from blogforever.archive.opening import open_archive
from blogforever.errors import NothingHarvested
from blogforever.model import Page
from blogforever.service import trying
from blogforever.service.standing import Standing
from blogforever.service.tokens import create_token
from blogforever.storage.following import FollowedBlog
from blogforever.web.app import make_app
from server.smallarchive import BLOG, make_archive

pytestmark = pytest.mark.long

# Questions for each operation; a hundred times as many where nobody waits.
FEW = 3
ASKED = int(os.environ.get("BLOGFOREVER_ASKED", FEW))
# What is there: half of the questions are about it.
KNOWN = {"blog": BLOG, "post": "p1", "name": "known", "number": 1, "job": 1, "part": "workers"}


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FastAPI]:
    monkeypatch.setattr(trying, "fetch_page", no_page)
    monkeypatch.setattr(trying, "AT_ONCE", 10**9)
    with open_archive(make_archive(tmp_path), writing=True) as archive, archive.store.workers.join("one"):
        archive.store.followed.add([FollowedBlog(BLOG, f"https://{BLOG}/", clock.stamp(), blog=BLOG)])
        yield make_app(Standing(archive), "1")


@pytest.fixture
def headers(app: FastAPI) -> dict[str, str]:
    secret = create_token(app.state.standing.archive.store, "asking", "admin").secret
    headers = {"Authorization": f"Bearer {secret}"}
    client = TestClient(app, base_url="http://test/api/v1", headers=headers)
    for path, given in (
        ("/sources", {"urls": ["a.example", "bad"], "list": "known"}),
        ("/tokens", {"name": "known"}),
        (f"/blogs/{BLOG}/crawl", None),
    ):
        assert client.post(path, json=given).is_success, path
    return headers


async def no_page(url: str, _config: object, _browsers: object) -> Page:
    raise NothingHarvested(f"{url} is in no network.")


@pytest.mark.parametrize("kind", ["positive", "negative"])
def test_every_answer_is_one_that_was_announced(
    app: FastAPI, headers: dict[str, str], kind: Literal["positive", "negative"]
) -> None:
    from server.described import Questions  # noqa: PLC0415  heavy, and only here is it needed

    questions = Questions(ASKED, kind, KNOWN, headers, always_the_same=ASKED == FEW)
    assert list(questions.wrong_answers(app)) == []
