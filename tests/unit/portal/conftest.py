"""The portal of the sample blog, and clients for people of each role."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI

from blogforever.archive.opening import open_archive
from blogforever.service.standing import Standing
from server.application import app_for
from server.samplearchive import hash_cheaply, sample_archive
from server.visitor import PortalClient


@pytest.fixture(scope="session", autouse=True)
def cheap_passwords() -> None:
    hash_cheaply()


@pytest.fixture(scope="session")
def sample_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The archive of the sample blog; nobody writes into it: see `standing`."""
    own = tmp_path_factory.getbasetemp()
    return sample_archive(own.parent if "PYTEST_XDIST_WORKER" in os.environ else own)


@pytest.fixture
def standing(sample_folder: Path, tmp_path: Path) -> Iterator[Standing]:
    """A service over a copy of the sample archive, which a test may change."""
    shutil.copytree(sample_folder, tmp_path / "archive")
    with open_archive(tmp_path / "archive", writing=True) as archive:
        yield Standing(archive)


@pytest.fixture
def empty_standing(tmp_path: Path) -> Iterator[Standing]:
    """A service over a new archive: no blog, and nobody has a password."""
    with open_archive(tmp_path / "empty", writing=True) as archive:
        yield Standing(archive)


@pytest.fixture
def app(standing: Standing) -> FastAPI:
    """The application, answering for this test's service."""
    return app_for(standing)


@pytest.fixture
def client_of(app: FastAPI, standing: Standing) -> Callable[[str], PortalClient]:
    """Makes a client that is logged in as "viewer", "curator" or "admin"; "" is nobody."""
    return lambda name: PortalClient(app, standing, name)


@pytest.fixture
def first_visitor(empty_standing: Standing) -> PortalClient:
    """Whoever sits at the machine of a new service: nobody has a password, and nothing is there."""
    return PortalClient(app_for(empty_standing), empty_standing, "")


@pytest.fixture
def viewer(client_of: Callable[[str], PortalClient]) -> PortalClient:
    """Somebody who may look."""
    return client_of("viewer")


@pytest.fixture
def curator(client_of: Callable[[str], PortalClient]) -> PortalClient:
    """Somebody who may change what is followed."""
    return client_of("curator")


@pytest.fixture
def admin(client_of: Callable[[str], PortalClient]) -> PortalClient:
    """Somebody who may everything."""
    return client_of("admin")


@pytest.fixture
def stranger(client_of: Callable[[str], PortalClient]) -> PortalClient:
    """Somebody who is not logged in."""
    return client_of("")
