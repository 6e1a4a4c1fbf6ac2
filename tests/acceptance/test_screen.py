"""Many blogs in a small terminal, watched through a pty: what stands on the screen, and how Ctrl-C is answered."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import termios
import time
from codecs import getincrementaldecoder
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Event, Thread

import pytest

from server.blogserver import serve_answers
from server.screen import Screen
from server.wpblog import Blog, answer

pytestmark = pytest.mark.long

LINES, COLUMNS = 24, 80
BLOGS = int(os.environ.get("BLOGFOREVER_SCREEN_BLOGS", "60"))
POSTS = 2
PATIENCE = 500.0
TOTAL = re.compile(r"(\d+) of (\d+) blogs done, ([\d,]+) posts?, ([\d,]+) pages?, [\d.]+ requests a second")


class Terminal:
    """A program in a terminal of 24 lines; keeps every state of the screen that had a sum on it."""

    def __init__(self, folder: Path, *words: str) -> None:
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
        environment = os.environ | {"TERM": "xterm", "COLUMNS": str(COLUMNS), "LINES": str(LINES)}
        call = [sys.executable, "-m", "blogforever", *words]
        self.process = subprocess.Popen(
            call, cwd=folder, stdin=theirs, stdout=theirs, stderr=theirs, env=environment, start_new_session=True
        )
        os.close(theirs)
        self.screen = Screen(LINES, COLUMNS)
        self.sums: list[tuple[int, int]] = []
        self.text = ""
        self._letters, self._ours = getincrementaldecoder("utf-8")("replace"), ours
        self._reader = Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        while True:
            try:
                data = os.read(self._ours, 65_536)
            except OSError:
                return
            if not data:
                return
            text = self._letters.decode(data)
            self.screen.feed(text)
            self.text += text
            shown = "\n".join(self.screen.shown)
            if found := TOTAL.search(shown):
                self.sums.append((int(found[1]), int(found[2])))

    def wait_for(self, words: str) -> None:
        until(lambda: words in self.text)

    def end(self) -> int:
        code = self.process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        return code

    def lines(self) -> list[str]:
        """All lines that stand in the terminal at the end, also those that have scrolled away."""
        return [line.rstrip() for line in self.screen.rows]


def until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.05)


@contextmanager
def small_blogs(number: int) -> Iterator[list[str]]:
    blog = Blog(posts=POSTS, in_feed=POSTS)
    with ExitStack() as sites:
        served = (serve_answers(lambda base: lambda path: answer(blog, base, path)) for _ in range(number))
        yield [sites.enter_context(site).base for site in served]


def test_many_blogs_fit_into_a_small_terminal(tmp_path: Path) -> None:
    with small_blogs(BLOGS) as bases:
        (tmp_path / "blogs.txt").write_text("\n".join(bases), encoding="utf-8")
        flags = ("--allow-private", "--delay", "0", "--render", "never", "--requisites", "none")
        terminal = Terminal(tmp_path, "crawl", "--from", "blogs.txt", *flags)
        code = terminal.end()
    lines = terminal.lines()
    assert code == 0, "\n".join(lines)
    assert terminal.sums, "the sum was never on the screen"
    assert {total for _, total in terminal.sums} == {BLOGS}
    assert terminal.sums[0][0] == 0
    assert len({done for done, _ in terminal.sums}) > 5, "it grew while one watched"
    told = [line for line in lines if re.search(rf": {POSTS} posts kept, from \d+ pages?\.", line)]
    assert len(told) == BLOGS, "each blog that is done has one line"
    assert any(line.startswith(f"{BLOGS} blogs: {BLOGS * POSTS} posts kept; ") for line in lines)
    assert not [line for line in lines if "blogs done," in line], "what moved is gone at the end"
    assert len([line for line in lines if line]) <= BLOGS + 3


def test_ctrl_c_is_answered_at_once_and_the_second_ends_it_within_two_seconds(tmp_path: Path) -> None:
    over, asked = Event(), Event()

    def hang(_handler: object) -> None:
        asked.set()
        over.wait(PATIENCE)

    with serve_answers(lambda _base: lambda path: None if path == "/robots.txt" else hang) as site:
        terminal = Terminal(tmp_path, "crawl", site.base, "--allow-private", "--delay", "0", "--render", "never")
        assert asked.wait(PATIENCE)
        terminal.process.send_signal(signal.SIGINT)
        terminal.wait_for("again to stop now.")
        assert terminal.process.poll() is None
        terminal.process.send_signal(signal.SIGINT)
        assert terminal.end() == 130
        over.set()
    assert "Traceback" not in terminal.text
