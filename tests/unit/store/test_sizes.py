"""How much room archived pages take."""

from __future__ import annotations

from pathlib import Path

import pytest

from blogforever.store.folder import ArchiveFolder
from blogforever.store.sizes import KeptBytes, kept_of_blog


def test_a_file_that_goes_while_it_is_asked_has_no_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    there = tmp_path / "there.warc.gz"
    there.write_bytes(b"123")
    with ArchiveFolder(tmp_path / "archive", writing=True) as archive:
        monkeypatch.setattr(archive, "warc_paths", lambda _blog: [there, tmp_path / "gone.warc.gz"])
        monkeypatch.setattr(Path, "is_file", lambda _path: True)
        assert kept_of_blog(archive, "b.example") == KeptBytes(3, 1)
