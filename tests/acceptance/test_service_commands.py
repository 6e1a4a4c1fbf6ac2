"""stats, webhooks, ping and filters, as a person or a script calls them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from blogforever.archive.opening import open_archive
from blogforever.cli import run
from blogforever.ping.notice import Notice
from blogforever.service.pinged import PingReceiver
from blogforever.service.pings import own_endpoint
from blogforever.storage.hooks import DeadLetter
from blogforever.storage.pings import PingRow
from server.storedposts import post

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    with open_archive(tmp_path / "blogforever-archive", writing=True) as archive:
        archive.store.posts.keep(archive.store.runs.open("b")[0], post(1))
    return tmp_path / "blogforever-archive"


def told(capsys: Capture, *arguments: str) -> Any:
    capsys.readouterr()
    run([*arguments, "--json"])
    return json.loads(capsys.readouterr().out)


def test_statistics_of_a_range_for_people_and_programs(archive: Path, capsys: Capture) -> None:
    assert run(["stats"]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert shown[0].split() == ["looks", "requests", "bytes", "new", "changed", "gone", "comments", "failures"]
    assert [line.split()[-5] for line in shown[1:]] == ["1", "1"]
    plain = told(capsys, "stats", "--by", "month")
    assert (plain["total"]["posts"], plain["by"]) == ({"new": 1}, "month")
    assert run(["stats", "--from", "soon"]) == 2
    assert "is no day" in capsys.readouterr().err


def test_webhooks_for_people_and_programs(archive: Path, capsys: Capture) -> None:
    assert run(["webhooks"]) == 0
    assert "There are no webhooks" in capsys.readouterr().out
    made = told(capsys, "webhooks", "add", "https://a.example/hook", "--event", "new", "--list", "art")
    assert made["secret"].startswith("whsec_")
    (listed,) = told(capsys, "webhooks")["items"]
    assert (listed["id"], listed["events"], listed["list"]) == (made["id"], ["new"], "art")
    assert "secret" not in listed
    assert told(capsys, "webhooks", "dead")["items"] == []
    with open_archive(archive, writing=True) as opened:
        opened.store.hooks.bury(DeadLetter(made["id"], 1, 1, "2026-01-01T00:00:00+00:00", 8, 500))
    assert run(["webhooks", "dead"]) == 0
    assert "8 tries: status 500" in capsys.readouterr().out
    assert told(capsys, "webhooks", "again", "1")["again"] is True
    assert told(capsys, "webhooks", "drop", made["id"]) == {"dropped": made["id"]}
    assert run(["webhooks", "drop", made["id"]]) == run(["webhooks", "again", "1"]) == 2
    assert run(["webhooks", "add", "no address"]) == 2


def test_ping_servers_for_people_and_programs(archive: Path, capsys: Capture) -> None:
    assert run(["ping"]) == 0
    assert "ours  Our own endpoint" in capsys.readouterr().out
    made = told(capsys, "ping", "add", "Weblogs", "http://ping.example/changes.xml", "--every", "60")
    assert (made["kind"], made["is_on"]) == ("changes", False)
    assert run(["ping", "change", made["id"], "--on"]) == 2
    assert "Without a filter" in capsys.readouterr().err
    changed = told(capsys, "ping", "change", made["id"], "--on", "--limit-to-sources")
    assert (changed["is_on"], changed["is_limited"], changed["every"]) == (True, True, 60)
    assert told(capsys, "ping", "drop", made["id"]) == {"dropped": made["id"]}
    assert run(["ping", "drop", made["id"]]) == run(["ping", "add", "x", "no stream", "--stream"]) == 2
    assert run(["ping", "log"]) == 0
    assert "No ping has come" in capsys.readouterr().out


def test_filters_for_people_and_programs(archive: Path, capsys: Capture) -> None:
    with open_archive(archive, writing=True) as opened:
        opened.store.pings.add([PingRow("2026-01-01T00:00:00+00:00", "ours", "http://science.example/")])
    assert run(["filters", "try", "Science", "science", "physics"]) == 0
    assert "Of 1 ping that came last it takes 1" in capsys.readouterr().out
    top = told(capsys, "filters", "add", "Science", "science", "physics", "--domain", "example")
    below = told(capsys, "filters", "add", "No shops", "*shop*", "--wildcards", "--exclude", "--below", top["id"])
    assert (top["pattern"], below["kind"], below["parent"]) == ("science physics", "wildcards", top["id"])
    assert run(["filters"]) == 0
    assert "excludes by address, wildcards: *shop*" in capsys.readouterr().out
    assert run(["filters", "add", "Bad", "(", "--expression"]) == 2
    assert set(told(capsys, "filters", "drop", top["id"])["dropped"]) == {top["id"], below["id"]}
    assert [row["url"] for row in told(capsys, "ping", "log")["items"]] == ["http://science.example/"]


def test_pings_are_looked_after_by_commands(archive: Path, capsys: Capture) -> None:
    made = told(capsys, "ping", "hook", "gallery")
    assert made["secret"].startswith("whsec_")
    assert run(["ping", "hook", "gallery"]) == 2
    assert run(["ping"]) == 0
    assert "/hooks/gallery of serve" in capsys.readouterr().out
    told(capsys, "filters", "add", "Science", "science", "--language", "de", "--platform", "WordPress")
    with open_archive(archive, writing=True) as opened:
        server = replace(own_endpoint(opened.store), is_limited=False)
        PingReceiver(opened.store).receive(server, [Notice("http://science.example/"), Notice("nothing")], 1)
        opened.store.pings.add([PingRow("2026-01-01T00:00:00+00:00", "ours", "http://a.example/", state="failed")] * 2)
    (package,) = told(capsys, "ping", "packages")["items"]
    assert (package["received"], package["malformed"], package["unknown"]) == (2, 1, 1)
    assert told(capsys, "ping", "stats")["total"]["received"] == 2
    for words in (["ping", "packages"], ["ping", "stats"]):
        assert run(words) == 0
        assert "received" in capsys.readouterr().out
    assert told(capsys, "ping", "replay", "--since", "2000-01-01")["read"] == 4
    first, second = (row["id"] for row in told(capsys, "ping", "log", "--state", "failed")["items"])
    assert told(capsys, "ping", "bury", str(first)) == {"dropped": first}
    assert run(["ping", "again"]) == run(["ping", "again", str(first)]) == 2
    assert told(capsys, "ping", "again", "--all") == {"again": 1}
    assert second


def test_filters_go_into_a_file_and_back_by_commands(archive: Path, tmp_path: Path, capsys: Capture) -> None:
    made = told(capsys, "filters", "add", "Science", "science")
    capsys.readouterr()
    assert run(["filters", "export"]) == 0
    file = tmp_path / "filters.json"
    file.write_text(capsys.readouterr().out, encoding="utf-8")
    told(capsys, "filters", "drop", made["id"])
    assert told(capsys, "filters", "import", str(file)) == {"new": 1, "changed": 0, "same": 0}
    number = told(capsys, "filters", "history")["items"][0]["id"]
    assert run(["filters", "history"]) == 0
    assert "made Science: science" in capsys.readouterr().out
    told(capsys, "filters", "back", str(number))
    assert told(capsys, "filters", "list")["items"] == []
    file.write_text("[]", encoding="utf-8")
    assert run(["filters", "import", str(file)]) == run(["filters", "back", "99"]) == 2
