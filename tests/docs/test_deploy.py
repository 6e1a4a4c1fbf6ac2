"""What operators take from deploy/: as far as it can be tried without their machines."""

from __future__ import annotations

import configparser
import json
import re
import subprocess
import sys
from pathlib import Path

from blogforever.config import options

ROOT = Path(__file__).parents[2]
UNIT, CONTAINER = ROOT / "deploy/blogforever.service", ROOT / "deploy/Containerfile"
VARIABLES = {f"BLOGFOREVER_{option.name.upper()}" for option in options()}


def test_every_variable_that_is_set_is_an_option() -> None:
    named = set(re.findall(r"BLOGFOREVER_[A-Z_]+", UNIT.read_text() + CONTAINER.read_text()))
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
        [Path(sys.executable).with_name("blogforever"), command, "--help"], capture_output=True, text=True, check=True
    )
    assert [flag for flag in flags if flag.startswith("--") and flag not in listed.stdout] == []
