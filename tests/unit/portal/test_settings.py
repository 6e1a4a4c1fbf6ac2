"""Settings: one's own password, sessions and view; people, tokens, policies, and what was done."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest
from lxml import html

from blogforever.errors import ArchiveError, UsageError
from blogforever.portal.showing import browser_name
from blogforever.service.keys import service_key
from blogforever.service.people import add_user, begin_session, checked_user, found_user, remove_user, set_role
from blogforever.service.tokens import token_of
from blogforever.storage.following import FollowedQuery
from blogforever.storage.hooks import DeadLetter
from blogforever.testing import MemoryStore
from server.samplearchive import PASSWORD
from server.visitor import HOME, PortalClient, words

NEW = "a hedge knows better"


def test_the_first_password_makes_an_admin_and_shuts_the_door_behind_him(first_visitor: PortalClient) -> None:
    assert "Set the first password" in words(first_visitor.page("/settings"))
    assert first_visitor.submit("/settings/first", name="ann", password=NEW, again="otherwise").status_code == 422
    told = words(first_visitor.submitted("/settings/first", name="ann", password=NEW, again=NEW))
    assert "The password is set: you are logged in as ann" in told
    assert "ann" in words(first_visitor.page("/").xpath("//header")[0])
    other = PortalClient(first_visitor.app, first_visitor.standing, "")
    assert other.get("/").status_code == 303
    late = other.submit("/settings/first", name="eve", password=NEW, again=NEW)
    assert late.headers["location"].startswith("/login")


def test_who_changes_his_password_is_logged_out_elsewhere_and_stays_here(viewer: PortalClient) -> None:
    elsewhere = PortalClient(viewer.app, viewer.standing, "viewer")
    refused = viewer.submit("/settings/password", old="wrong word", password=NEW, again=NEW)
    assert refused.status_code == 422
    viewer.submitted("/settings/password", old=PASSWORD, password=NEW, again=NEW)
    assert elsewhere.get("/settings").status_code == 303
    assert checked_user(viewer.standing.archive.store, "viewer", NEW)


def test_a_session_of_ones_own_can_be_ended_and_no_other(viewer: PortalClient, admin: PortalClient) -> None:
    store = viewer.standing.archive.store
    (strange,) = store.sessions.of("admin")
    viewer.submitted("/settings/sessions/end", digest=strange.digest)
    assert store.sessions.find(strange.digest)
    elsewhere = PortalClient(viewer.app, viewer.standing, "viewer")
    other = next(one for one in viewer.page("/settings").xpath("//input[@name='digest']/@value"))
    viewer.submitted("/settings/sessions/end", digest=other)
    assert elsewhere.get("/settings").status_code == 303


def test_an_admin_lets_people_in_changes_their_roles_and_sends_them_away(admin: PortalClient) -> None:
    page = admin.submitted("/settings/people", name="ann", role="viewer", password=NEW)
    assert "ann can log in now at http://127.0.0.1:8150/login" in words(page)
    assert "Nobody reaches this service from another machine yet" in words(page)
    assert "never" in words(page.xpath("//tbody/tr[th[contains(., 'ann')]]")[0])
    ann = PortalClient(admin.app, admin.standing, "ann")
    assert ann.get("/settings/policies").status_code == 403
    assert "never" not in words(admin.page("/settings/people").xpath("//tbody/tr[th[contains(., 'ann')]]")[0])
    admin.submitted("/settings/people/role", name="ann", role="curator")
    assert ann.get("/settings/policies").status_code == 200
    admin.submitted("/settings/people/logout", name="ann")
    assert ann.get("/").status_code == 303
    admin.submitted("/settings/people/password", name="ann", password=NEW + "!")
    admin.submitted("/settings/people/remove", name="ann")
    done = [(deed.who, deed.what, deed.target) for deed in admin.standing.archive.store.audit.newest(5)]
    whats = ("remove user", "set password", "log out", "set role", "add user")
    assert done == [("admin", what, "ann") for what in whats]
    told = words(admin.page("/settings/audit?who=admin"))
    assert "changed a role" in told
    assert "sent somebody away" in told


def test_what_somebody_did_is_one_click_from_his_name(admin: PortalClient, curator: PortalClient) -> None:
    curator.submitted("/blocked", what="bad.example")
    links = admin.page("/settings/people").xpath("//main//a[starts-with(@href, '/settings/audit')]/@href")
    assert "/settings/audit?who=curator" in links
    assert "/settings/audit?who=curator" in admin.page("/settings/audit").xpath("//tbody//a/@href")
    told = admin.page("/settings/audit?who=curator")
    assert "bad.example" in words(told)
    assert "curator" in told.xpath("//datalist/option/@value")
    assert "Nobody of this name did anything" in words(admin.page("/settings/audit?who=nobody"))


def test_a_browser_is_named_as_people_call_it(admin: PortalClient) -> None:
    agent = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36"
    store = admin.standing.archive.store
    begin_session(store, found_user(store, "admin"), agent)
    told = words(admin.page("/settings"))
    assert "Chrome, Linux" in told
    assert "a test" in told
    assert browser_name(
        agent.replace("X11; Linux x86_64", "Macintosh; Intel Mac OS X 10_15").replace("Chrome", "x")
    ) == ("Safari, macOS")


def test_what_cannot_be_done_leads_back_to_its_form(admin: PortalClient) -> None:
    headers = {"Origin": HOME, "Referer": f"{HOME}/settings/people?x=1"}
    form = {"form_token": admin.form_token, "name": "a name", "password": NEW}
    answer = admin.post("/settings/people", data=form, headers=headers)
    assert answer.status_code == 422
    assert 'href="/settings/people?x=1"' in answer.text
    elsewhere = admin.post("/settings/people", data=form, headers=headers | {"Referer": "https://other.example/x"})
    assert "other.example" not in elsewhere.text


def test_the_last_admin_stays_one(admin: PortalClient) -> None:
    for path, more in (("remove", {}), ("role", {"role": "viewer"})):
        refused = admin.submit(f"/settings/people/{path}", name="admin", **more)
        assert refused.status_code == 422
        assert "only admin" in refused.text


def test_a_token_is_shown_once_and_works_until_it_is_revoked(admin: PortalClient) -> None:
    made = admin.submit("/settings/tokens", name="desk", scope="curate")
    assert made.status_code == 200
    store = admin.standing.archive.store
    secret = next(word for word in made.text.replace("<", " ").replace(">", " ").split() if word.startswith("bf_"))
    found = token_of(store, secret)
    assert found
    assert (found.name, found.scope) == ("desk", "curate")
    assert f'curl -H "Authorization: Bearer {secret}" http://' in html.fromstring(made.text).text_content()
    lines = html.fromstring(made.text).xpath("//pre/text()")
    assert f'curl -H "Authorization: Bearer {secret}" "http://127.0.0.1:8150/api/v1/posts?q=shelf"' in lines
    assert secret not in admin.get("/settings/tokens").text
    admin.submitted("/settings/tokens/revoke", name="desk")
    assert token_of(store, secret) is None


def test_a_webhook_is_made_its_secret_shown_once_and_dropped(admin: PortalClient, curator: PortalClient) -> None:
    store = admin.standing.archive.store
    [blog] = store.followed.page(FollowedQuery()).items
    wish = {
        "url": "https://program.example/hook",
        "events": ["new", "gone"],
        "blog": blog.title,
        "note": "the catalogue",
    }
    made = admin.submit("/settings/webhooks", **wish)
    [hook] = store.hooks.all()
    assert hook.secret in made.text
    assert (hook.events, hook.blog, hook.by) == (("new", "gone"), blog.blog, "admin")
    shown = admin.page("/settings/webhooks")
    assert hook.secret not in words(shown)
    assert "a post is new, it is gone for good" in words(shown)
    assert "nothing was sent yet" in words(shown)
    assert admin.submit("/settings/webhooks", url="ftp://program.example/").status_code == 422
    assert admin.submit("/settings/webhooks", url="https://a.example/", events="full moon").status_code == 422
    assert admin.submit("/settings/webhooks", url="https://a.example/", blog="nowhere.example").status_code == 422
    assert curator.get("/settings/webhooks").status_code == 403
    admin.submitted("/settings/webhooks/drop", hook=hook.id)
    assert store.hooks.all() == []


def test_what_a_webhook_did_not_take_is_sent_again_or_thrown_away(admin: PortalClient) -> None:
    store = admin.standing.archive.store
    admin.submit("/settings/webhooks", url="https://program.example/hook")
    [hook] = store.hooks.all()
    store.hooks.bury(DeadLetter(hook.id, 3, 4, "2026-01-01T00:00:00+00:00", 9, 500, "It answered with status 500."))
    [letter] = store.hooks.dead(9)
    assert "2 events · status 500" in words(admin.page("/settings/webhooks"))
    assert "is sent once more" in words(admin.submitted("/settings/webhooks/again", letter=str(letter.id)))
    admin.submitted("/settings/webhooks/throw", letter=str(letter.id))
    assert store.hooks.dead(9) == []
    assert admin.submit("/settings/webhooks/throw", letter="77").status_code == 422


def test_policies_are_set_for_many_and_taken_back(curator: PortalClient) -> None:
    page = curator.submitted("/settings/policies", scope="list", name="Favourites", every="6h", quiet_hours="22-6")
    assert "1 blog has a new plan" in words(page)
    assert "a look every 6 hours; not from 22:00–06:00 (UTC)" in words(page)
    for wrong in ({"scope": "moon"}, {"scope": "tag"}, {"scope": "all", "every": "often"}):
        assert curator.submit("/settings/policies", **wrong).status_code == 422
    page = curator.submitted("/settings/policies/drop", scope="list", name="Favourites")
    assert curator.standing.archive.store.schedule.policies() == []


def test_language_and_theme_are_kept_for_people_and_for_browsers(viewer: PortalClient, stranger: PortalClient) -> None:
    viewer.submitted("/view", language="de", theme="dark")
    again = PortalClient(viewer.app, viewer.standing, "viewer").page("/")
    assert (again.get("lang"), again.get("data-theme")) == ("de", "dark")
    stranger.submitted("/view", theme="light", next="/login")
    assert stranger.page("/login").get("data-theme") == "light"
    stranger.headers["Accept-Language"] = "fr;q=1, de-AT;q=0.9, en;q=0.5"
    stranger.cookies.clear()
    assert stranger.page("/login").get("lang") == "de"


def test_people_have_names_roles_and_passwords_that_are_some() -> None:
    store = MemoryStore()
    with pytest.raises(UsageError, match="first who gets a password must be an admin"):
        add_user(store, "ann", "viewer", NEW)
    for name, role, password in (
        ("", "admin", NEW),
        ("a b", "admin", NEW),
        ("ann", "king", NEW),
        ("ann", "admin", "x"),
    ):
        with pytest.raises(UsageError):
            add_user(store, name, role, password)
    add_user(store, "ann", "admin", NEW)
    with pytest.raises(UsageError, match="already"):
        add_user(store, "ann", "viewer", NEW)
    with pytest.raises(UsageError, match="only admin"):
        set_role(store, "ann", "viewer")
    with pytest.raises(UsageError, match="nobody called"):
        remove_user(store, "bob")
    assert checked_user(store, "bob", NEW) is checked_user(store, "ann", NEW * 99) is None


def test_the_secret_of_the_service_is_for_its_owner_only_and_stays(admin: PortalClient) -> None:
    folder = admin.standing.archive.folder
    key, path = service_key(folder), folder / "service.key"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.chmod(0o644)
    assert service_key(folder) == key
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.unlink()
    another = service_key(folder)
    assert another == path.read_bytes() != key
    path.write_bytes(key[:-1])
    with pytest.raises(ArchiveError, match="damaged"):
        service_key(folder)


def test_the_secret_of_the_service_is_not_read_again_with_every_page(
    admin: PortalClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    admin.page("/settings")
    read: list[Path] = []
    monkeypatch.setattr(Path, "read_bytes", read.append)
    assert admin.get("/settings").status_code == 200
    assert not read


def test_the_audit_log_leads_to_the_blogs_it_names(admin: PortalClient, curator: PortalClient) -> None:
    [blog] = admin.standing.archive.store.followed.page(FollowedQuery()).items
    curator.submitted(f"/sources/{blog.id}/do/pause")
    [link] = admin.page("/settings/audit").xpath(f"//tbody//a[@href='/sources/{blog.id}']")
    assert words(link) == blog.title
