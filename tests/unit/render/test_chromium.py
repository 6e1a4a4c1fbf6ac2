"""Which browser is started, and with what."""

from __future__ import annotations

from pathlib import Path

import pytest

from blogforever.render import chromium


@pytest.fixture
def nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


def program(path: Path) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return str(path)


def test_no_browser_is_said(nothing: Path) -> None:
    assert chromium.find_browser() is None
    assert chromium.lacking() == "Chromium"


def test_the_systems_browser_is_found(nothing: Path) -> None:
    here = program(nothing / "chromium")
    assert chromium.find_browser() == here
    assert chromium.lacking() is None


def test_playwrights_own_browser_goes_first(nothing: Path) -> None:
    program(nothing / "chromium")
    own = program(nothing / "chromium-1254/chrome-linux64/chrome")
    assert chromium.find_browser() == own


def test_the_sandbox_is_given_up_for_root_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    assert "--no-sandbox" not in chromium.arguments()
    monkeypatch.setattr("os.geteuid", lambda: 0)
    assert "--no-sandbox" in chromium.arguments()
