"""The FTP server with a real client: list, fetch, check, delete, ask again; nothing else, and nowhere else."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import replace
from ftplib import FTP, FTP_TLS, Error, error_perm
from io import BytesIO
from pathlib import Path

import pytest

from blogforever.archive.opening import open_archive
from blogforever.archive.suppressing import Meant, suppress
from blogforever.errors import UsageError
from blogforever.service.outbox import add_account, list_files
from blogforever.service.outboxfeed import OutboxFeeder
from blogforever.service.standing import Standing
from blogforever.web.ftpcertificate import FILE, certificate_file, fingerprint_of
from blogforever.web.ftpserving import OutboxHandler, ftp_serving, passive_ports
from server.ftp import HOST, PATIENCE, SECRET, client, encrypted, fetched, free_port, ftp_running, xml_names
from server.samplearchive import hash_cheaply
from server.writtenarchive import BLOG, small_post, write_archive


@pytest.fixture
def standing(tmp_path: Path) -> Iterator[Standing]:
    """A service with two accounts and two files that wait."""
    hash_cheaply()
    folder = write_archive(tmp_path / "archive", small_post("old"))
    with open_archive(folder, writing=True) as archive:
        add_account(archive, "ann", SECRET)
        add_account(archive, "bob", SECRET)
        run, _ = archive.store.runs.open(BLOG)
        for name in ("bread", "soup"):
            archive.store.posts.keep(run, small_post(name, name.upper()))
        archive.store.flush()
        fill(Standing(archive))
        yield Standing(archive)


def fill(standing: Standing) -> None:
    feeder = OutboxFeeder(standing.archive)
    while feeder.look():
        pass


def test_files_are_listed_fetched_checked_deleted_and_asked_for_again(standing: Standing) -> None:
    with ftp_running(standing) as port, client(port, "ann") as ftp:
        bread, soup = xml_names(ftp)
        data = fetched(ftp, bread)
        assert b"BREAD" in data
        assert ftp.size(bread) == len(data)
        sums = fetched(ftp, "SHA256SUMS").decode().splitlines()
        assert sums == [f"{hashlib.sha256(fetched(ftp, name)).hexdigest()}  {name}" for name in (bread, soup)]
        manifest = [json.loads(line) for line in fetched(ftp, "manifest.jsonl").splitlines()]
        assert [(one["number"], one["name"], one["blog"]) for one in manifest] == [(1, bread, BLOG), (2, soup, BLOG)]
        facts = dict(ftp.mlsd())
        assert facts[bread]["size"] == str(len(data))
        listed: list[str] = []
        ftp.retrlines("LIST", listed.append)
        assert {line.split()[0] for line in listed} == {"-r--r--r--", "dr-xr-xr-x"}
        ftp.delete(bread)
        assert xml_names(ftp) == [soup]
        with pytest.raises(error_perm):
            fetched(ftp, bread)
        assert b"after 0 " in fetched(ftp, "again/0")
        fill(standing)
        again = xml_names(ftp)
        assert len(again) == 3
        assert fetched(ftp, again[1]) == data
    takings = {one.number: one.takings for one in list_files(standing.archive.store, 9)[0]}
    [taking] = takings[1]
    assert (taking.account, bool(taking.fetched), bool(taking.deleted)) == ("ann", True, True)
    with ftp_running(standing) as port, client(port, "bob") as ftp:
        assert xml_names(ftp) == [bread, soup]


def test_half_a_transfer_is_no_fetch_and_can_be_gone_on_with(standing: Standing) -> None:
    with ftp_running(standing) as port, client(port, "ann") as ftp:
        name = xml_names(ftp)[0]
        whole = fetched(ftp, name)
        rest = BytesIO()
        ftp.retrbinary(f"RETR {name}", rest.write, rest=100)
        assert rest.getvalue() == whole[100:]


def test_an_encrypted_client_knows_the_server_by_its_certificate(standing: Standing) -> None:
    with ftp_running(standing) as port:
        certificate = standing.archive.folder / FILE
        with encrypted(port, "ann", certificate) as ftp:
            assert b"BREAD" in fetched(ftp, xml_names(ftp)[0])
            ftp.delete(xml_names(ftp)[0])
            assert len(xml_names(ftp)) == 1
        assert standing.ftp.fingerprint == fingerprint_of(certificate)
        assert certificate.stat().st_mode & 0o777 == 0o600
        assert standing.ftp.seen_from("blogs.example") == f"ftp://{HOST}:{port}/"


def test_who_comes_from_another_machine_must_encrypt(standing: Standing, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("blogforever.web.ftpserving.is_loopback", lambda _host: False)
    with ftp_running(standing) as port:
        with FTP(timeout=PATIENCE) as ftp:
            ftp.connect(HOST, port)
            with pytest.raises(error_perm, match="TLS"):
                ftp.login("ann", SECRET)
        with FTP_TLS(timeout=PATIENCE) as unprotected:
            unprotected.connect(HOST, port)
            unprotected.login("ann", SECRET)
            with pytest.raises(error_perm, match="TLS"):
                unprotected.nlst()
    with ftp_running(standing, ftp_plain=True) as port, client(port, "ann") as ftp:
        assert len(xml_names(ftp)) == 2


def test_nothing_but_reading_and_deleting_is_possible(standing: Standing) -> None:
    with ftp_running(standing) as port, client(port, "ann") as ftp:
        name = xml_names(ftp)[0]
        for deed in (f"RNFR {name}", "MKD x", "RMD again", f"SITE CHMOD 777 {name}", f"MFMT 20200101000000 {name}"):
            with pytest.raises(error_perm):
                ftp.voidcmd(deed)
        for deed in ("STOR", "APPE", "STOU"):
            with pytest.raises(Error):
                ftp.storbinary(f"{deed} {name}", BytesIO(b"x"))
        for path in ("../archive.db", "/etc/passwd", "again/../../journal", "again/x", "SHA256SUMS/x", "1.xml", "-1-x"):
            with pytest.raises(error_perm):
                fetched(ftp, path)
            with pytest.raises(error_perm):
                ftp.delete(path)
        for path in ("SHA256SUMS", "again/0", "again"):
            with pytest.raises(error_perm):
                ftp.delete(path)
        with pytest.raises(error_perm):
            ftp.cwd("/..x")
        ftp.cwd("again")
        assert ftp.pwd() == "/again"
        assert ftp.nlst() == ["everything", "last-day", "last-week"]
        ftp.cwd("/../..")
        assert ftp.pwd() == "/"
        assert len(xml_names(ftp)) == 2


def test_nobody_enters_without_the_password_and_guessing_is_slow(
    standing: Standing, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(OutboxHandler, "auth_failed_timeout", 0)
    with ftp_running(standing) as port:
        for name, secret in (("ann", "wrong"), ("nobody", SECRET), ("anonymous", "")):
            with pytest.raises(error_perm, match="no such account"), client(port, name, secret):
                pass
        for _ in range(8):
            with pytest.raises(error_perm), client(port, "bob", "wrong"):
                pass
        with pytest.raises(error_perm, match="come again later"), client(port, "bob"):
            pass


def test_what_was_hidden_since_is_not_sent(standing: Standing) -> None:
    with ftp_running(standing) as port, client(port, "ann") as ftp:
        name = xml_names(ftp)[0]
        suppress(standing.archive.folder, Meant(small_post("bread").url, "url"), "asked")
        with pytest.raises(error_perm):
            fetched(ftp, name)


def test_wrong_options_are_said_in_a_sentence(standing: Standing, tmp_path: Path) -> None:
    assert passive_ports("60000-60002") == [60000, 60001, 60002]
    for wrong in ("60000", "3-2", "0-9", "a-b", "60000-70000"):
        with pytest.raises(UsageError, match="range"):
            passive_ports(wrong)
    with pytest.raises(UsageError, match="certificate"):
        certificate_file(tmp_path, "missing.pem", HOST)
    (tmp_path / "empty.pem").touch()
    with pytest.raises(UsageError, match="no certificate"):
        fingerprint_of(tmp_path / "empty.pem")
    with ftp_running(standing) as port:
        standing.config = replace(standing.config, ftp_port=port)
        with pytest.raises(UsageError, match="cannot listen"):
            ftp_serving(standing)


def test_data_comes_over_the_ports_that_were_said(standing: Standing) -> None:
    data = free_port()
    with ftp_running(standing, ftp_passive_ports=f"{data}-{data}") as port, client(port, "ann") as ftp:
        assert ftp.makepasv()[1] == data
