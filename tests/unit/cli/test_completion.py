"""What the Tab key completes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from server.commands import done_here


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_gets_what_completes_our_commands(shell: str, tmp_path: Path) -> None:
    done = done_here("completion", shell, cwd=tmp_path)
    assert done.returncode == 0
    assert "_BLOGFOREVER_COMPLETE" in done.stdout


def test_the_commands_that_begin_so_are_offered() -> None:
    asked = {"_BLOGFOREVER_COMPLETE": "bash_complete", "COMP_WORDS": "blogforever unsup", "COMP_CWORD": "1"}
    call = "import sys; sys.argv = ['blogforever']; from blogforever.cli import main; main()"
    words = [sys.executable, "-c", call]
    done = subprocess.run(words, env=os.environ | asked, capture_output=True, encoding="utf-8", check=False)
    assert done.stdout.split() == ["plain,unsuppress"]
