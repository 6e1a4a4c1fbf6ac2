"""The screen of the outbox: the address, accounts, what waits, who fetched it, and asking once more."""

from __future__ import annotations

from blogforever.service.ftpplace import FtpPlace
from blogforever.service.outbox import delete_file, note_fetched
from blogforever.service.outboxfeed import OutboxFeeder
from server.visitor import PortalClient, words

SECRET = "correct horse"


def filled(client: PortalClient) -> None:
    feeder = OutboxFeeder(client.standing.archive)
    while feeder.look():
        pass


def test_an_account_is_let_in_files_are_asked_for_and_what_became_of_them_is_shown(admin: PortalClient) -> None:
    page = admin.page("/outbox")
    assert "The FTP server is off" in words(page)
    assert "Nobody fetches yet" in words(page)
    admin.standing.ftp = FtpPlace("0.0.0.0", 2121, "AB:CD")
    page = admin.submitted("/outbox/accounts", name="library", password=SECRET)
    assert "library can fetch" in words(page)
    assert page.xpath("//main//a[starts-with(., 'ftp:')]/@href") == ["ftp://127.0.0.1:2121/"]
    assert "AB:CD" in words(page)
    assert "ftp://127.0.0.1:2121/" in words(admin.page("/output"))
    archive = admin.standing.archive
    blog = archive.library.blogs()[0].id
    assert "They are made now" in words(admin.submitted("/outbox/ask", blog=blog, after=""))
    filled(admin)
    page = admin.page("/outbox")
    files = archive.store.outbox.waiting_for("library", 0, 1000)
    assert len(files) == archive.library.blogs()[0].kept
    assert len(page.xpath("//caption[contains(., 'Files')]/..//tbody/tr")) == len(files)
    note_fetched(archive.store, 1, "library")
    delete_file(archive, 1, "library")
    row = words(admin.page("/outbox/now?state=taken").xpath("//tbody/tr")[0])
    assert "fetched and deleted" in row
    assert "library" in row
    admin.submitted("/outbox/ask", after="0")
    filled(admin)
    assert len(archive.store.outbox.waiting_for("library", 0, 1000)) == 2 * len(files) - 1
    assert "after 0" in words(admin.page("/outbox"))
    assert "another password" in words(
        admin.submitted("/outbox/accounts/password", name="library", password=SECRET * 2)
    )
    assert "fetches no more" in words(admin.submitted("/outbox/accounts/remove", name="library"))
    for path, fields in (
        ("ask", {"after": "1"}),
        ("ask", {"after": "x"}),
        ("accounts", {"name": "a b", "password": SECRET}),
    ):
        assert admin.submit(f"/outbox/{path}", **fields).status_code == 422


def test_an_account_may_have_some_posts_alone(admin: PortalClient) -> None:
    chosen = {"languages": "de, fr", "tags": "sea"}
    page = admin.submitted("/outbox/accounts", name="museum", password=SECRET, **chosen)
    assert "gets posts of sea, de, fr" in words(page)
    assert page.xpath("//form[contains(@action, 'choice')]//input[@name='languages']/@value") == ["de, fr"]
    page = admin.submitted("/outbox/accounts/choice", name="museum")
    assert "museum gets these posts from now on" in words(page)
    assert "gets posts of" not in words(page)
    assert admin.submit("/outbox/accounts/choice", name="museum", lists="none").status_code == 422


def test_who_only_looks_changes_nothing(viewer: PortalClient, curator: PortalClient) -> None:
    assert viewer.page("/outbox").xpath("//main//form") == []
    assert viewer.submit("/outbox/ask", after="0").status_code == 403
    assert curator.submit("/outbox/accounts", name="x", password=SECRET).status_code == 403
