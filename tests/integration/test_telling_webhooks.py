"""Webhooks from the archive to a receiver: the one of the docs checks the signature; a slow one delays nobody."""

from __future__ import annotations

import asyncio
import re
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from blogforever.archive.opening import open_archive
from blogforever.config import Config
from blogforever.service import sending
from blogforever.service.desk import desk_of
from blogforever.service.jobs import pause_part, resume_part
from blogforever.service.sending import HookSender
from blogforever.service.webhooks import HookWish, create_hook
from blogforever.store.folder import ArchiveFolder
from server.storedposts import post

pytestmark = pytest.mark.anyio
PAGE = Path(__file__).parents[2] / "docs/howto/webhooks.md"


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ArchiveFolder]:
    monkeypatch.setattr(sending, "LOOKING", 0.01)
    with open_archive(tmp_path, writing=True) as opened:
        yield opened


def receiver_of_the_page() -> dict[str, Any]:
    """The names that the example defines."""
    (code,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)
    names: dict[str, Any] = {}
    exec(code, names)
    names["Receiver"].log_message = lambda *_words: None
    return names


@contextmanager
def served(handler: Any) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/hook"
        server.shutdown()


@contextmanager
def silent() -> Iterator[str]:
    """Takes connections and never answers."""

    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/"


def keep(archive: ArchiveFolder, number: int) -> None:
    store = archive.store
    store.posts.keep(store.runs.open("b")[0], post(number))


async def until(archive: ArchiveFolder, is_so: Callable[[], bool], allow_private: bool = True) -> None:
    """Let webhooks be told until something is so."""
    draining = asyncio.Event()
    sender = HookSender(archive, replace(Config(), allow_private=allow_private))
    running = asyncio.create_task(sender.run(draining))
    async with asyncio.timeout(60):
        while not is_so():
            await asyncio.sleep(0.01)
    draining.set()
    await running


async def test_the_receiver_of_the_page_takes_what_is_signed_and_nothing_else(
    archive: ArchiveFolder, capsys: pytest.CaptureFixture[str]
) -> None:
    names = receiver_of_the_page()
    store = archive.store
    with served(names["Receiver"]) as address:
        hook = create_hook(desk_of(archive), HookWish(address))
        keep(archive, 1)
        names["SECRET"] = "whsec_c29tZSBvdGhlciBzZWNyZXQ="
        await until(archive, lambda: store.hooks.standing(hook.id).status == 401)
        store.hooks.stand(replace(store.hooks.standing(hook.id), next_try=""))
        names["SECRET"] = hook.secret
        await until(archive, lambda: store.hooks.standing(hook.id).sent == 1)
    assert capsys.readouterr().out == "post.new https://b.example/1/\n"


async def test_a_slow_receiver_delays_no_other(archive: ArchiveFolder) -> None:
    names = receiver_of_the_page()
    store = archive.store
    with served(names["Receiver"]) as address, silent() as nobody:
        slow = create_hook(desk_of(archive), HookWish(nobody))
        quick = create_hook(desk_of(archive), HookWish(address))
        names["SECRET"] = quick.secret
        keep(archive, 1)
        await until(archive, lambda: store.hooks.standing(quick.id).sent == 1)
    # It was under way, and is told again the next time.
    assert (store.hooks.standing(slow.id).tries, store.hooks.standing(slow.id).sent) == (0, 0)


async def test_private_places_are_told_only_where_that_is_allowed(archive: ArchiveFolder) -> None:
    store = archive.store
    hook = create_hook(desk_of(archive), HookWish("http://localhost:9/"))
    keep(archive, 1)
    await until(archive, lambda: store.hooks.standing(hook.id).tries == 1, allow_private=False)
    assert "private places" in store.hooks.standing(hook.id).error


async def test_nobody_is_told_anything_while_that_is_paused(archive: ArchiveFolder) -> None:
    store = archive.store
    hook = create_hook(desk_of(archive), HookWish("http://localhost:9/"))
    pause_part(store, "webhooks", "ann")
    keep(archive, 1)
    sender = HookSender(archive, Config())
    await sender.look()
    await asyncio.sleep(0)
    assert store.hooks.standing(hook.id).tries == 0
    resume_part(store, "webhooks")
    await until(archive, lambda: store.hooks.standing(hook.id).tries == 1, allow_private=False)
