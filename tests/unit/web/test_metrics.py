"""Figures for Prometheus: from this machine for everybody, from others with a token."""

from __future__ import annotations

import asyncio
from pathlib import Path

from fastapi.testclient import TestClient

from blogforever.archive.opening import open_archive
from blogforever.fetch.turns import turns_in
from blogforever.service.desk import desk_of
from blogforever.service.standing import Standing
from blogforever.service.tokens import create_token
from blogforever.service.webhooks import HookWish, create_hook
from blogforever.storage.counting import HourCount, this_hour
from blogforever.storage.following import FollowedBlog
from blogforever.storage.turns import BudgetNews
from blogforever.storage.work import NewJob, PausedPart, WorkerRow
from blogforever.store.blobplace import settle_blobs
from blogforever.store.catalogue import Sealed
from blogforever.store.inside import LOCKS, TURNS
from blogforever.store.place import settle
from blogforever.store.turntable import PostgresTurns
from blogforever.web.app import make_app
from server.postgres import emptied_database, postgres

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


def test_work_queue_disk_webhooks_and_budgets_are_told(tmp_path: Path) -> None:
    with open_archive(tmp_path, writing=True) as archive:
        store = archive.store
        store.jobs.put(NewJob("update", "a.example"), NOW)
        store.parts.pause(PausedPart("scheduler", NOW, "ann"))
        create_hook(desk_of(archive), HookWish("https://x.example/"))
        app = make_app(Standing(archive), "1")
        counts = [HourCount("looks", "finished", 2), HourCount("bytes", "", 50), HourCount("jobs", "update done", 3)]
        store.counters.add(this_hour(), counts)
        turns = turns_in(tmp_path / LOCKS / TURNS)
        turns.pause("service:blogger", 600)

        async def ask() -> None:
            async with turns.turn("service:wordpress", 0, 1):
                pass

        asyncio.run(ask())
        told = TestClient(app, client=("127.0.0.1", 1)).get("/metrics").text
    figures = dict(line.rsplit(" ", 1) for line in told.splitlines() if not line.startswith("#"))
    assert float(figures["blogforever_queue_lag_seconds"]) > 0
    assert figures['blogforever_paused{part="scheduler"}'] == "1.0"
    assert figures['blogforever_looks_total{outcome="finished"}'] == "2.0"
    assert figures["blogforever_bytes_total"] == "50.0"
    assert figures['blogforever_jobs_ended_total{job="update done"}'] == "3.0"
    assert figures["blogforever_webhook_dead_letters"] == "0.0"
    assert float(figures["blogforever_disk_free_bytes"]) > 0
    assert float(figures["blogforever_database_bytes"]) > 0
    assert float(figures["process_resident_memory_bytes"]) > 0
    services = {name for name in figures if name.startswith("blogforever_service_asked")}
    assert services == {'blogforever_service_asked_seconds_ago{service="wordpress"}'}


def test_files_that_wait_for_the_store_of_blobs_are_told(tmp_path: Path) -> None:
    settle_blobs(tmp_path / "a", f"file://{tmp_path}/store")
    with open_archive(tmp_path / "a", writing=True) as archive:
        assert archive.mirror
        files = [Sealed(f"warc/b/{number}.warc.gz", 100, "0" * 64) for number in range(3)]
        archive.mirror.list.wait(files)
        archive.mirror.list.stored(files[0])
        archive.mirror.list.failed([file.name for file in files[:2]], "The store is away.")
        machine = archive.mirror.list.machine
        here = TestClient(make_app(Standing(archive), "1"), client=("127.0.0.1", 1))
        token = {"Authorization": f"Bearer {create_token(archive.store, 'eyes').secret}"}
        told, system = here.get("/metrics").text, here.get("/api/v1/system", headers=token).json()
        archive.mirror.list.gone([file.name for file in files])
        assert here.get("/api/v1/system", headers=token).json()["blobs"] == []
    figures = dict(line.rsplit(" ", 1) for line in told.splitlines() if not line.startswith("#"))
    assert figures[f'blogforever_blobs_waiting{{machine="{machine}"}}'] == "2.0"
    assert figures[f'blogforever_blobs_waiting_bytes{{machine="{machine}"}}'] == "200.0"
    assert float(figures[f'blogforever_blobs_waiting_seconds{{machine="{machine}"}}']) >= 0
    (waiting,) = system["blobs"]
    assert (waiting["machine"], waiting["files"], waiting["error"]) == (machine, 2, "The store is away.")


def test_others_need_a_token(tmp_path: Path) -> None:
    with open_archive(tmp_path, writing=True) as archive:
        app = make_app(Standing(archive), "1")
        secret = create_token(archive.store, "eyes").secret
        stranger = TestClient(app, client=("192.0.2.1", 1))
        assert stranger.get("/metrics").status_code == 401
        assert stranger.get("/metrics", headers={"Authorization": f"Bearer {secret}"}).status_code == 200
        behind = TestClient(app, client=("127.0.0.1", 1))
        assert behind.get("/metrics", headers={"X-Forwarded-For": "192.0.2.1"}).status_code == 401


def test_machines_and_the_budgets_they_share_in_a_database_are_told(tmp_path: Path) -> None:
    emptied_database().dispose()
    settle(tmp_path, postgres())
    with open_archive(tmp_path, writing=True) as archive:
        table = PostgresTurns(postgres())
        news = [BudgetNews("service:blogger", asked=5.0, rests=600.0), BudgetNews("ip:192.0.2.1", asked=1.0)]
        assert table.exchange("one", "one", news) == {}
        table.close()
        with archive.store.workers.join("one"):
            worker = WorkerRow("one", 1, NOW, NOW, 1, 0, host="box", version="9", slots=4)
            archive.store.workers.tell(worker)
            here = TestClient(make_app(Standing(archive), "1"), client=("127.0.0.1", 1))
            told = here.get("/metrics").text
    figures = dict(line.rsplit(" ", 1) for line in told.splitlines() if not line.startswith("#"))
    assert figures['blogforever_machine_workers{machine="box",version="9"}'] == "1.0"
    assert figures['blogforever_worker_slots{worker="one"}'] == "4.0"
    assert 500 < float(figures['blogforever_service_rests_seconds{service="blogger"}']) <= 600
    assert 5 <= float(figures['blogforever_service_asked_seconds_ago{service="blogger"}']) < 500
