"""What is fetched to find out which blog this is: held until it is known whose it is."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from blogforever.archive.scouting import Scouted
from blogforever.protocols import Exchange, Ref

NOW = datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where folders for a while are made."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return tmp_path


def test_a_folder_is_made_with_the_first_response_and_gone_at_the_end(place: Path) -> None:
    given: list[Exchange] = []

    def record(exchange: Exchange) -> Ref:
        given.append(exchange)
        return Ref("own.warc.gz", 7)

    with Scouted() as scouted:
        assert not list(place.iterdir())
        assert scouted.reader("a").find("https://b.example/") is None
        came = Exchange("https://b.example/", "GET", (), 200, "OK", (("Content-Type", "text/html"),), b"<p>hi", NOW)
        held = scouted.recorder("a")(came)
        assert list(place.iterdir())
        assert scouted.reader("a").find("https://b.example/") == held
        assert scouted.reader("a").response(held)[1].content == b"<p>hi"
        assert scouted.hand_over(["a"], record) == {"https://b.example/": Ref("own.warc.gz", 7)}
    assert given == [came]
    assert not list(place.iterdir())
