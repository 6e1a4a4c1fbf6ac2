"""One portal over the sample archive, and one browser, for all tests of screens that a process has."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from server.livedin import live_in
from server.portalserver import ServedPortal, chromium, patient_context, served_portal
from server.samplearchive import hash_cheaply, sample_archive


@pytest.fixture(scope="session")
def portal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedPortal]:
    with served_portal(copy_of_sample(tmp_path_factory)) as served:
        yield served


@pytest.fixture(scope="module")
def lived_in(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedPortal]:
    """Another portal, where every screen has something to show."""
    with served_portal(copy_of_sample(tmp_path_factory)) as served:
        live_in(served.standing.archive)
        yield served


def copy_of_sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample archive, for one portal alone."""
    hash_cheaply()
    own = tmp_path_factory.getbasetemp()
    sample = sample_archive(own.parent if "PYTEST_XDIST_WORKER" in os.environ else own)
    folder = tmp_path_factory.mktemp("portal") / "archive"
    shutil.copytree(sample, folder)
    return folder


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Not for longer than screens are tested: while it is there, nobody else in this process can have an event loop."""
    with chromium() as started:
        yield started


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    made = patient_context(browser)
    yield made
    made.close()


@pytest.fixture
def page(context: BrowserContext) -> Page:
    return context.new_page()
