"""What operators take from deploy/: as far as it can be tried without their machines."""

from __future__ import annotations

import configparser
import json
import re
import subprocess
import sys
from pathlib import Path

import yaml  # type: ignore[import-untyped]  # it says nothing of its types
from click.testing import CliRunner
from fastapi.testclient import TestClient

from blogforever.archive.opening import open_archive
from blogforever.cli import COMMANDS, blogforever
from blogforever.config import options
from blogforever.service.standing import Standing
from blogforever.web.app import make_app

ROOT = Path(__file__).parents[2]
UNIT, CONTAINER = ROOT / "deploy/blogforever.service", ROOT / "deploy/Containerfile"
ALERTS = ROOT / "deploy/alerts.yml"
COMPOSE, KUBERNETES = ROOT / "deploy/compose.yml", ROOT / "deploy/kubernetes.yml"
VARIABLES = {f"BLOGFOREVER_{option.name.upper()}" for option in options()}


def test_every_variable_that_is_set_is_an_option() -> None:
    files = (UNIT, CONTAINER, COMPOSE, KUBERNETES)
    named = {name for file in files for name in re.findall(r"BLOGFOREVER_[A-Z_]+", file.read_text(encoding="utf-8"))}
    assert len(named) >= 4
    assert named <= VARIABLES


def test_the_unit_lets_the_service_drain_by_itself() -> None:
    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str  # type: ignore[assignment,method-assign]  # names keep their case
    unit.read_string(UNIT.read_text(encoding="utf-8"))
    service = unit["Service"]
    assert service["KillMode"] == "mixed"
    assert service["ExecStart"].split()[1:] == ["serve"]
    assert service["WorkingDirectory"].endswith(service["StateDirectory"])


def test_the_container_copies_what_there_is_and_calls_what_is_known() -> None:
    text = CONTAINER.read_text(encoding="utf-8")
    copied = [name for line in re.findall(r"^COPY (.*)$", text, re.M) for name in line.split()[:-1]]
    assert "src" in copied
    assert [name for name in copied if not (ROOT / name).exists()] == []
    called = re.search(r"^CMD (.*)$", text, re.M)
    assert called
    command, *flags = json.loads(called[1])
    listed = subprocess.run(
        [Path(sys.executable).with_name("blogforever"), command, "--help"],
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert [flag for flag in flags if flag.startswith("--") and flag not in listed.stdout] == []


def test_every_rule_of_prometheus_names_figures_that_the_service_tells(tmp_path: Path) -> None:
    rules = [rule for group in yaml.safe_load(ALERTS.read_text(encoding="utf-8"))["groups"] for rule in group["rules"]]
    assert len(rules) >= 8
    assert all({"alert", "expr", "labels", "annotations"} <= set(rule) for rule in rules)
    with open_archive(tmp_path, writing=True) as archive:
        told = TestClient(make_app(Standing(archive), "1"), client=("127.0.0.1", 1)).get("/metrics").text
    known = set(re.findall(r"^# TYPE (\w+) ", told, re.M))
    named = {name for rule in rules for name in re.findall(r"\bblogforever_\w+", rule["expr"])}
    assert named - known == set()


def containers() -> list[list[str]]:
    """How compose and Kubernetes call the program."""
    services = yaml.safe_load(COMPOSE.read_text(encoding="utf-8"))["services"]
    calls = [one["command"] for one in services.values() if one["image"] == "blogforever"]
    for part in yaml.safe_load_all(KUBERNETES.read_text(encoding="utf-8")):
        if part["kind"] == "Deployment":
            calls += [one["args"] for one in part["spec"]["template"]["spec"]["containers"]]
    return calls


def test_compose_and_kubernetes_call_what_is_known() -> None:
    assert sorted(call[0] for call in containers()) == ["serve", "serve", "worker", "worker"]
    for command, *flags in containers():
        told = CliRunner().invoke(blogforever, [command, "--help"]).output
        assert [flag for flag in flags if flag.startswith("--") and flag not in told] == []


def test_the_runbook_names_commands_that_are_there() -> None:
    text = (ROOT / "docs/howto/runbook.md").read_text(encoding="utf-8")
    named = {words[0] for words in (call.split() for call in re.findall(r"`blogforever ([^`]+)`", text))}
    assert len(named) >= 6
    assert named <= set(COMMANDS)
