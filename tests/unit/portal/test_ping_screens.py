"""Ping servers and filters in the portal: seen by all, changed by curators, tried before anything is kept."""

from __future__ import annotations

from dataclasses import replace

from blogforever.ping.notice import Notice
from blogforever.portal.filters import in_tree
from blogforever.service.pings import list_filters, own_endpoint
from blogforever.service.standing import Standing
from blogforever.storage.pings import PingRow
from blogforever.storage.pushes import Subscription
from server.visitor import PortalClient, words

SCIENCE = {"name": "Science", "pattern": "science physics"}


def test_our_own_endpoint_is_listed_with_what_came(viewer: PortalClient, standing: Standing) -> None:
    standing.archive.store.pings.add(
        [PingRow("2026-01-01T00:00:00+00:00", "ours", "http://a.example/", "A", state="dropped", reason="why not")]
    )
    told = words(viewer.page("/pings"))
    assert "Our own endpoint" in told
    assert "a.example" in told
    assert "why not" in told
    assert "a.example" not in words(viewer.page("/pings/log?state=done"))


def test_where_a_blog_pings_us_can_be_copied(viewer: PortalClient, standing: Standing) -> None:
    assert viewer.page("/pings").xpath("//code/text()") == ["http://127.0.0.1:8150/RPC2"]
    standing.config = replace(standing.config, public_url="https://archive.example/")
    assert viewer.page("/pings").xpath("//code/text()") == ["https://archive.example/RPC2"]


def test_a_server_is_added_turned_on_and_dropped(curator: PortalClient, standing: Standing) -> None:
    store = standing.archive.store
    curator.submit("/pings", name="W", kind="stream", url="ping.example:29999")
    (server,) = store.ping_servers.all()
    assert (server.kind, server.is_on) == ("stream", False)
    curator.submit("/pings/change", server=server.id, limited="yes")
    curator.submit("/pings/change", server=server.id, on="yes")
    (server,) = store.ping_servers.all()
    assert (server.is_on, server.is_limited) == (True, True)
    curator.submit("/pings/drop", server=server.id)
    assert store.ping_servers.all() == []


def test_a_filter_is_tried_kept_changed_and_dropped_with_those_below(curator: PortalClient, standing: Standing) -> None:
    store = standing.archive.store
    assert "No ping has come yet" in curator.submit("/filters", **SCIENCE, deed="try").text
    store.pings.add([PingRow("2026-01-01T00:00:00+00:00", "ours", "http://science.example/", state="dropped")])
    tried = curator.submit("/filters", **SCIENCE, deed="try")
    assert "http://science.example/" in tried.text
    assert store.ping_filters.all() == []
    curator.submit("/filters", **SCIENCE)
    (kept,) = store.ping_filters.all()
    curator.submit("/filters", name="Not shops", pattern="shop", excludes="yes", parent=kept.id, domains="de, com")
    assert [(depth, under) for depth, under, _ in in_tree(list_filters(store))] == [(0, 1), (1, 0)]
    assert "Not shops" in words(curator.page("/filters"))
    assert 'value="science physics"' in curator.get(f"/filters?change={kept.id}").text
    curator.submit("/filters", **SCIENCE | {"name": "Nature"}, changed=kept.id)
    assert store.ping_filters.find(kept.id).name == "Nature"  # type: ignore[union-attr]
    curator.submit("/filters/drop", one=kept.id)
    assert store.ping_filters.all() == []


def test_what_is_wrong_with_a_filter_is_said_and_nothing_that_was_typed_is_lost(
    curator: PortalClient, standing: Standing
) -> None:
    answered = curator.submit("/filters", name="Bad", pattern="(", kind="expression")
    assert "The expression cannot be used" in answered.text
    assert 'value="Bad"' in answered.text
    assert standing.archive.store.ping_filters.all() == []


def test_who_only_reads_changes_nothing(viewer: PortalClient) -> None:
    assert "Add a server" not in viewer.get("/pings").text
    assert viewer.submit("/filters", **SCIENCE).status_code == 403


def test_a_hook_is_made_and_its_secret_is_shown_once(curator: PortalClient, standing: Standing) -> None:
    shown = curator.submit("/pings/hooks", name="gallery")
    (server,) = standing.archive.store.ping_servers.all()
    secret = standing.archive.store.ping_servers.secret(server.id)
    assert secret in shown.text
    told = curator.get("/pings").text
    assert "/hooks/gallery" in told
    assert secret not in told


def test_statistics_packages_and_the_log_are_shown(viewer: PortalClient, standing: Standing) -> None:
    standing.inbox.receiver.receive(own_endpoint(standing.archive.store), [Notice("http://a.example/")], malformed=2)
    told = words(viewer.page("/pings"))
    assert "it is not on the source list" in told
    assert "a.example" in words(viewer.page("/pings/log"))
    assert "Our own endpoint" in words(viewer.page("/pings/packages"))
    assert "ends before it begins" in words(viewer.page("/pings?from=2026-02&to=2026-01"))
    assert "ends before it begins" in words(viewer.page("/filters?from=2026-02&to=2026-01"))


def test_a_dead_letter_is_tried_again_or_dropped_and_kept_pings_are_sent_again(
    curator: PortalClient, standing: Standing
) -> None:
    store = standing.archive.store
    store.pings.add([PingRow("2026-01-01T00:00:00+00:00", "ours", "http://a.example/", state="failed")] * 3)
    assert "3 pings failed by a fault" in words(curator.page("/pings"))
    curator.submitted("/pings/log/drop", number=1)
    curator.submitted("/pings/log/again", number=2)
    curator.submitted("/pings/log/again")
    assert [row.state for row in store.pings.newest(10)] == ["waiting", "waiting", "dropped"]
    assert "Of 3 pings 0 wait now" in words(curator.submitted("/pings/replay", since="2026-01-01"))


def test_filters_go_into_a_file_and_back_and_changes_are_taken_back(curator: PortalClient, standing: Standing) -> None:
    store = standing.archive.store
    curator.submit("/filters", **SCIENCE, languages="de, fr", platforms="WordPress")
    (kept,) = store.ping_filters.all()
    assert (kept.conditions.languages, kept.conditions.platforms) == (("de", "fr"), ("wordpress",))
    file = curator.get("/filters/filters.json").content
    curator.submit("/filters/drop", one=kept.id)
    headers = {"Origin": str(curator.base_url).rstrip("/")}
    fields = {"form_token": curator.form_token}
    answered = curator.post("/filters/import", data=fields, files={"file": ("f.json", file)}, headers=headers)
    assert answered.status_code == 303
    assert store.ping_filters.all() == [kept]
    told = curator.page("/filters/history")
    assert "there was none" in words(told)
    assert [one.text_content().split()[0] for one in told.cssselect("td[data-label=After]")] == [
        "Science",
        "dropped",
        "Science",
    ]
    curator.submitted("/filters/history/back", number=store.ping_filters.changes(1)[0].id)
    assert store.ping_filters.all() == []


def test_it_is_said_which_hubs_tell_us_and_that_none_can_without_an_address(
    viewer: PortalClient, standing: Standing
) -> None:
    assert "start the service with --public-url" in words(viewer.page("/pings"))
    standing.config = replace(standing.config, public_url="http://we.example")
    for name, state in (("a", "active"), ("b", "asked"), ("c", "denied")):
        hub = Subscription(name, name, "websub", "http://hub.example/", "http://a.example/feed", state=state)  # type: ignore[arg-type]
        standing.archive.store.subscriptions.add(hub)
    told = words(viewer.page("/pings"))
    assert "start the service" not in told
    assert "1 blog is told of. 1 was asked for and is not confirmed. 1 was refused." in " ".join(told.split())
