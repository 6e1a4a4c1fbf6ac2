from __future__ import annotations

import errno

import pytest

from blogforever import cli


def raised(error: OSError) -> object:
    def main(**_call: object) -> None:
        raise error

    return main


def test_a_full_disk_is_one_sentence_and_exit_code_4(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cli.blogforever, "main", raised(OSError(errno.ENOSPC, "No space left on device")))
    assert cli.run([]) == 4
    assert capsys.readouterr().err == "blogforever: The output cannot be written: No space left on device.\n"


def test_an_error_of_ours_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cli.blogforever, "main", raised(OSError(errno.EBADF, "Bad file descriptor")))
    with pytest.raises(OSError, match="Bad file"):
        cli.run([])
