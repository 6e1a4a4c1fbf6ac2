"""The requests of docs/howto/api.md, asked one after the other: none is refused."""

from __future__ import annotations

import json
import re
from pathlib import Path

from fastapi.testclient import TestClient

from blogforever.archive.opening import open_archive
from blogforever.service.standing import Standing
from blogforever.service.tokens import create_token
from blogforever.web.app import make_app

PAGE = Path(__file__).parents[2] / "docs/howto/api.md"
REQUEST = re.compile(r"^(GET|POST|PATCH|DELETE) (\S+)$")


def requests() -> list[tuple[str, str, str]]:
    """Method, path and body of each request on the page."""
    lines = "\n".join(re.findall(r"```http\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)).splitlines()
    found: list[tuple[str, str, str]] = []
    for line in lines:
        if asked := REQUEST.match(line):
            found.append((asked[1], asked[2], ""))
        elif line.strip():
            method, path, _ = found.pop()
            found.append((method, path, line))
    return found


def test_every_request_of_the_page_is_answered(tmp_path: Path) -> None:
    assert len(requests()) >= 20
    with open_archive(tmp_path, writing=True) as archive, archive.store.workers.join("one"):
        secret = create_token(archive.store, "desk", "admin").secret
        client = TestClient(make_app(Standing(archive), "1"), headers={"Authorization": f"Bearer {secret}"})
        for method, path, body in requests():
            answer = client.request(method, path, json=json.loads(body) if body else None)
            assert answer.is_success, (method, path, answer.text)
