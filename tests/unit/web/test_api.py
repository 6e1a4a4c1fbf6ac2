"""The API from the outside: add, look, change, read; who may what; errors that say what to do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import pytest
from fastapi.testclient import TestClient

from blogforever.archive.opening import open_archive
from blogforever.config import Config
from blogforever.records import BlogRecord
from blogforever.service.errands import Errand, run_errand
from blogforever.service.exports import errand_of
from blogforever.service.jobs import PARTS
from blogforever.service.standing import Standing
from blogforever.service.tokens import create_token
from blogforever.storage.counting import HourCount
from blogforever.storage.hooks import DeadLetter
from blogforever.web.system import Part
from server.application import app_for
from server.somerecords import some_post

pytestmark = pytest.mark.usefixtures("records")

API = "/api/v1"


@pytest.fixture
def standing(tmp_path: Path) -> Iterator[Standing]:
    with open_archive(tmp_path, writing=True) as archive:
        yield Standing(archive)


def client_of(standing: Standing, scope: str) -> TestClient:
    secret = create_token(standing.archive.store, f"a-{scope}", scope).secret
    headers = {"Authorization": f"Bearer {secret}"}
    return TestClient(app_for(standing), base_url=f"http://test{API}", headers=headers)


@pytest.fixture
def client(standing: Standing) -> TestClient:
    return client_of(standing, "admin")


def added(client: TestClient, *urls: str, **more: Any) -> dict[str, Any]:
    answer = client.post("/sources", json={"urls": urls, **more})
    assert answer.status_code == 201, answer.text
    told: dict[str, Any] = answer.json()
    return told


def with_posts(standing: Standing, *published: str) -> None:
    """A followed blog that the archive has posts of."""
    store = standing.archive.store
    run, _ = store.runs.open("a.example")
    store.blogs.keep(BlogRecord(id="a.example", url="https://a.example/"))
    for number, day in enumerate(published):
        url = f"https://a.example/{number}/"
        post = some_post(id=f"p{number}", blog="a.example", url=url, published=day, title=f"Post {number}", text="one")
        store.posts.keep(run, post)


# ------------------------------------------------------------------ who may what


def test_without_a_token_nothing_is_told_and_a_wrong_one_opens_nothing(standing: Standing) -> None:
    bare = TestClient(app_for(standing), base_url=f"http://test{API}")
    for path in ("/blogs", "/posts", "/system", "/tokens", "/sources?batch=x"):
        answer = bare.get(path)
        assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "Bearer")
        assert "blogforever token create" in answer.json()["detail"]
        assert "Settings, Tokens" in answer.json()["detail"]
    assert bare.get("/blogs", headers={"Authorization": "Bearer bf_wrong"}).status_code == 401


def test_each_scope_allows_what_the_one_before_does_and_more(standing: Standing) -> None:
    calls: dict[str, Callable[[TestClient], Any]] = {
        "read": lambda client: client.get("/blogs"),
        "curate": lambda client: client.post("/sources", json={"urls": ["a.example"]}),
        "admin": lambda client: client.get("/audit"),
    }
    scopes = list(calls)
    for scope in scopes:
        client = client_of(standing, scope)
        for wanted, call in calls.items():
            is_allowed = scopes.index(scope) >= scopes.index(wanted)
            assert call(client).is_success is is_allowed, (scope, wanted)


def test_what_is_written_stands_in_the_audit_log_with_who_did_it(client: TestClient) -> None:
    batch = added(client, "a.example")["batch"]
    client.post("/blogs/a.example/pause")
    told = client.get("/audit").json()["items"]
    assert [(deed["who"], deed["what"], deed["target"]) for deed in told] == [
        ("a-admin", "pause blog", "a.example"),
        ("a-admin", "add sources", batch),
    ]


def test_tokens_are_made_listed_and_revoked(client: TestClient) -> None:
    made = client.post("/tokens", json={"name": "desk", "scope": "curate"})
    assert made.status_code == 201
    listed = client.get("/tokens").json()["items"]
    assert [(one["name"], one["scope"]) for one in listed] == [("a-admin", "admin"), ("desk", "curate")]
    assert made.json()["token"] not in client.get("/tokens").text
    assert client.delete("/tokens/desk").status_code == 204
    assert client.delete("/tokens/desk").status_code == 404


# ------------------------------------------------------------------ sources and lists


def test_each_row_is_answered_at_once(client: TestClient) -> None:
    client.post("/blocked", json={"what": "bad.example", "reason": "spam"})
    told = added(client, "https://a.example/", "http://www.a.example", "bad.example", "no address", list="mine")
    verdicts = [(row["verdict"], row["blog"]) for row in told["items"]]
    assert verdicts == [("new", "a.example"), ("known", "a.example"), ("blocked", None), ("invalid", None)]
    assert told["items"][2]["reason"]
    rows = client.get("/sources", params={"batch": told["batch"], "limit": 2}).json()
    assert [row["verdict"] for row in rows["items"]] == ["new", "known"]
    rest = client.get("/sources", params={"batch": told["batch"], "after": rows["next"]}).json()
    assert [row["verdict"] for row in rest["items"]] == ["blocked", "invalid"]
    assert rest["next"] is None
    assert [(one["name"], one["blogs"]) for one in client.get("/lists").json()["items"]] == [("mine", 1)]


def test_a_dry_run_changes_nothing_and_a_batch_is_undone(client: TestClient) -> None:
    dry = client.post("/sources?dry_run=1", json={"text": "a.example; b.example"}).json()
    assert (dry["batch"], dry["verdicts"]) == (None, {"new": 2})
    assert client.get("/blogs").json()["items"] == []
    batch = added(client, "a.example")["batch"]
    assert client.post(f"/batches/{batch}/undo").json()["undone"]
    assert client.get("/blogs").json()["items"] == []
    assert client.post(f"/batches/{batch}/undo").status_code == 422
    assert [one["id"] for one in client.get("/batches").json()["items"]] == [batch]


def test_a_file_is_the_body(client: TestClient) -> None:
    file = b"url,title,topic\nhttps://a.example/,A blog,birds\nnothing,,\n"
    told = client.post("/sources/file?name=list.csv&list=birds", content=file).json()
    assert [row["verdict"] for row in told["items"]] == ["new", "invalid"]
    blog = client.get("/blogs/a.example").json()
    assert (blog["title"], blog["metadata"]["topic"], blog["lists"]) == ("A blog", "birds", ["birds"])
    opml = client.get("/lists/birds/export")
    assert b"https://a.example/" in opml.content
    assert opml.headers["content-type"].startswith("text/x-opml")


def test_metadata_of_a_batch_is_said_of_each_row(client: TestClient) -> None:
    added(client, "a.example", metadata={"language": "de", "topic": "birds"}, tags=["bird"])
    blog = client.get("/blogs/a.example").json()
    assert (blog["metadata"]["language"], blog["metadata"]["topic"], blog["tags"]) == ("de", "birds", ["bird"])


# ------------------------------------------------------------------ blogs


def test_blogs_are_chosen_sorted_and_paged(client: TestClient) -> None:
    added(client, "a.example", "b.example", "c.example", tags=["x"])
    client.patch("/blogs/b.example", json={"tags": ["y"], "notes": "a note", "title": "Zebra"})
    client.post("/blogs/c.example/pause")
    assert [one["id"] for one in client.get("/blogs?tag=x").json()["items"]] == ["a.example", "c.example"]
    assert [one["id"] for one in client.get("/blogs?status=paused").json()["items"]] == ["c.example"]
    assert [one["id"] for one in client.get("/blogs?q=zebr").json()["items"]] == ["b.example"]
    seen, after = [], ""
    while after is not None:
        page = client.get("/blogs", params={"limit": 1, "sort": "-title", "after": after}).json()
        seen += [one["id"] for one in page["items"]]
        after = page["next"]
    assert seen == ["b.example", "c.example", "a.example"]


def test_a_blog_is_looked_at_now_paused_and_dropped(client: TestClient) -> None:
    added(client, "a.example")
    job = client.post("/blogs/a.example/crawl")
    assert (job.status_code, job.json()["kind"], job.json()["priority"]) == (202, "harvest", 0)
    assert client.get("/blogs/a.example/runs").json()["items"][0]["id"] == job.json()["id"]
    assert client.post("/blogs/a.example/pause").json()["state"] == "paused"
    assert client.post("/blogs/a.example/resume").json()["state"] == "waiting"
    assert client.delete("/blogs/a.example").status_code == 204
    assert client.get("/blogs/a.example").status_code == 404


def test_nobody_looks_at_what_is_blocked(client: TestClient) -> None:
    added(client, "a.example")
    client.post("/blocked", json={"what": "a.example", "reason": "sells pills"})
    for deed in ("crawl", "render", "analyse", "accept"):
        refused = client.post(f"/blogs/a.example/{deed}")
        told = "Nobody looks at a.example: it is blocked (sells pills)."
        assert (refused.status_code, refused.json()["detail"]) == (422, told)
    assert client.get("/blogs/a.example/runs").json()["items"] == []


def test_a_policy_is_kept_and_a_day_is_taken_back(client: TestClient) -> None:
    added(client, "a.example")
    blog = client.patch("/blogs/a.example", json={"policy": {"every": 3600}, "until": "2030-01-01"}).json()
    assert (blog["policy"]["every"], blog["until"]) == (3600, "2030-01-01")
    assert client.patch("/blogs/a.example", json={"until": None}).json()["until"] is None
    assert client.patch("/blogs/a.example", json={"until": "soon"}).status_code == 422
    assert client.patch("/blogs/a.example", json={"colour": "red"}).status_code == 422


# ------------------------------------------------------------------ posts


def test_a_policy_may_be_called_a_schedule(client: TestClient) -> None:
    added(client, "a.example")
    changed = client.patch("/blogs/a.example", json={"schedule": {"every": 86400}}).json()
    assert changed["policy"]["every"] == 86400
    both = client.patch("/blogs/a.example", json={"schedule": {"every": 86400}, "policy": {"every": 3600}})
    assert both.status_code == 422
    assert "either policy or schedule" in both.json()["detail"]


def test_a_day_that_is_none_is_told_in_words(client: TestClient) -> None:
    told = client.get("/posts?since=yesterday").json()["detail"]
    assert told.startswith("query.since: write the day as 2030-01-31")
    assert "write the day" in client.get("/jobs?day=today").json()["detail"]


def test_posts_come_newest_first_page_by_page(client: TestClient, standing: Standing) -> None:
    with_posts(standing, "2012-01-01", "2014-01-01", "2013-01-01")
    first = client.get("/posts?limit=2").json()
    assert [one["id"] for one in first["items"]] == ["p1", "p2"]
    assert [one["id"] for one in client.get("/posts", params={"after": first["next"]}).json()["items"]] == ["p0"]
    full = client.get("/posts?full=1&since=2014").json()["items"]
    assert [(one["id"], one["text"], one["type"]) for one in full] == [("p1", "one", "post")]
    assert client.get("/posts?since=tomorrow").status_code == 422


def test_one_post_with_its_versions_and_what_differs(client: TestClient, standing: Standing) -> None:
    with_posts(standing, "2012-01-01")
    store = standing.archive.store
    run, _ = store.runs.open("a.example")
    edited = some_post(id="p0", blog="a.example", url="https://a.example/0/", title="Other", text="two\nlines")
    store.posts.keep(run, edited)
    assert client.get("/posts/p0").json()["version"] == 2
    assert [one["number"] for one in client.get("/posts/p0/versions").json()["items"]] == [1, 2]
    assert client.get("/posts/p0/versions/1").json()["text"] == "one"
    told = client.get("/posts/p0/diff").json()
    assert {(line["what"], line["text"]) for line in told["lines"]} == {
        ("removed", "one"),
        ("added", "two"),
        ("added", "lines"),
    }
    assert "title" in told["fields"]
    assert client.get("/posts/p0/versions/9").status_code == 404
    assert "<Value>two\nlines</Value>" in client.get("/posts/p0/xml").text
    assert client.get("/posts/none").status_code == 404
    url = client.get("/posts/p0").json()["url"]
    assert client.get("/posts/where", params={"url": url}).json()["post"] == "p0"
    assert client.get("/posts/where", params={"url": "nowhere.example"}).json()["fate"] == "unknown"
    assert client.get("/posts/where", params={"url": "http://["}).status_code == 422
    assert client.get("/jobs?day=2020-01-01").json()["items"] == []
    assert client.get("/jobs?day=soon").status_code == 422


def test_the_posts_of_a_followed_blog(client: TestClient, standing: Standing) -> None:
    added(client, "a.example")
    assert client.get("/blogs/a.example/posts").json() == {"items": [], "next": None}
    with_posts(standing, "2012-01-01")
    standing.archive.store.followed.change("a.example", lambda blog: replace(blog, blog="a.example"))
    assert [one["id"] for one in client.get("/blogs/a.example/posts").json()["items"]] == ["p0"]


def indexed(standing: Standing) -> None:
    standing.archive.store.flush()
    standing.archive.hold(["a.example"])
    standing.archive.search.update("a.example")


def test_a_search_finds_words_among_the_posts_that_are_chosen(client: TestClient, standing: Standing) -> None:
    with_posts(standing, "2012-01-01", "2013-01-01", "2014-01-01")
    indexed(standing)
    found = client.get("/posts?q=one&limit=2").json()
    rest = client.get("/posts", params={"q": "one", "limit": 2, "after": found["next"]}).json()
    assert sorted(one["id"] for one in (*found["items"], *rest["items"])) == ["p0", "p1", "p2"]
    assert rest["next"] is None
    newest = client.get("/posts?q=one&sort=newest&since=2013-01-01&blog=a.example").json()["items"]
    assert [one["id"] for one in newest] == ["p2", "p1"]
    assert client.get("/posts?q=missing").json()["items"] == []
    assert client.get("/posts?q=one&tag=x").json()["items"] == []
    assert client.get("/posts?sort=relevance").status_code == 422
    assert client.get("/posts", params={"sort": "newest", "after": found["next"]}).status_code == 422


def test_a_kept_search_fills_itself_and_a_rule_sets_tags(client: TestClient, standing: Standing) -> None:
    with_posts(standing, "2012-01-01", "2013-01-01")
    indexed(standing)
    assert client.post("/searches", json={"name": "none"}).status_code == 422
    kept = client.post("/searches", json={"name": "first", "tag": ["early"]})
    assert (kept.status_code, client.get("/searches/first/posts").json()["items"]) == (201, [])
    rule = client.post("/tagrules", json={"tag": "Early", "address": "https://a.example/0", "words": "one"}).json()
    assert [one["id"] for one in client.get("/searches/first/posts").json()["items"]] == ["p0"]
    assert [one["tag"] for one in client.get("/tagrules").json()["items"]] == ["Early"]
    assert client.delete(f"/tagrules/{rule['id']}").status_code == 204
    assert client.get("/searches/first/posts").json()["items"] == []
    assert client.delete("/searches/first").status_code == 204
    assert client.get("/searches/first/posts").status_code == 404
    assert [deed["what"] for deed in client.get("/audit").json()["items"]][:2] == ["drop search", "drop tag rule"]


# ------------------------------------------------------------------ jobs and the system


def test_jobs_are_listed_cancelled_and_done_again(client: TestClient) -> None:
    added(client, "a.example")
    job = client.post("/blogs/a.example/crawl").json()["id"]
    assert client.post(f"/jobs/{job}/retry").status_code == 409
    assert client.post(f"/jobs/{job}/cancel").json()["state"] == "cancelled"
    assert client.post(f"/jobs/{job}/retry").status_code == 202
    assert [one["state"] for one in client.get("/jobs").json()["items"]] == ["waiting", "cancelled"]
    assert client.get("/jobs?state=cancelled").json()["items"][0]["id"] == job
    assert client.get("/jobs/999").status_code == 404


def test_the_system_tells_how_it_stands_and_its_parts_are_paused(client: TestClient) -> None:
    added(client, "a.example")
    told = client.get("/system").json()
    assert (told["blogs"], told["ready"], told["paused"]) == ({"waiting": 1}, False, [])
    assert [one["part"] for one in client.post("/system/scheduler/pause").json()["items"]] == ["scheduler"]
    assert client.post("/system/scheduler/resume").json()["items"] == []
    assert client.post("/system/moon/pause").status_code == 422


def test_every_part_that_can_be_paused_can_be_paused_over_the_api(client: TestClient) -> None:
    assert set(get_args(Part)) == set(PARTS)
    assert client.post("/system/pings/pause").json()["items"][0]["part"] == "pings"


def test_a_word_is_no_host_to_be_blocked(client: TestClient) -> None:
    refused = client.post("/blocked", json={"what": "list"})
    assert refused.status_code == 422
    assert "spam.example" in refused.json()["detail"]
    for what in ("localhost", "*.example", "bad.example", "http://[::1]/x", "*casino*"):
        assert client.post("/blocked", json={"what": what}).status_code == 201


def test_what_needs_a_person_is_in_review(client: TestClient, standing: Standing) -> None:
    added(client, "a.example", "b.example")
    standing.archive.store.followed.change("b.example", lambda blog: replace(blog, state="frozen", reason="all new"))
    told = client.get("/review").json()["items"]
    assert [(one["id"], one["state"], one["reason"]) for one in told] == [("b.example", "frozen", "all new")]
    assert client.get("/review?state=failing").json()["items"] == []
    assert client.get("/review?reason=nothing").json()["items"] == []
    group = {"kind": "blog", "state": "frozen", "reason": "all new", "number": 1, "said": []}
    assert client.get("/review/summary").json() == {"groups": [group], "failures": []}


def test_posts_that_are_missing_or_read_unsurely_are_in_review(client: TestClient, standing: Standing) -> None:
    store = standing.archive.store
    run, _ = store.runs.open("a.example")
    unsure = {"title": {"by": "generic", "confidence": 0.3}, "html": {"by": "rule", "confidence": 0.9}}
    differing: list[dict[str, Any]] = [{"status": "missing"}, {"provenance": unsure}, {}]
    for number, more in enumerate(differing):
        url = f"https://a.example/{number}/"
        store.posts.keep(run, some_post(id=f"p{number}", blog="a.example", url=url, **more))
    groups = client.get("/review/summary").json()["groups"]
    assert [(one["state"], one["number"]) for one in groups] == [("unsure", 1), ("missing", 1)]
    (missing,) = client.get("/review?state=missing").json()["items"]
    (doubted,) = client.get("/review?state=unsure").json()["items"]
    assert (missing["id"], doubted["id"], doubted["fields"]) == ("p0", "p1", {"title": 0.3})


def test_a_cursor_that_nobody_gave_is_refused_in_one_sentence(client: TestClient) -> None:
    for path in ("/blogs", "/posts", "/jobs", "/batches"):
        for wrong in ("x", "!!", "bnVsbA", "e30"):
            answer = client.get(path, params={"after": wrong})
            assert answer.status_code in (200, 422), (path, wrong)
            assert "error" not in answer.text.lower() or answer.status_code == 422
    assert client.get("/blogs?after=x").json()["detail"] == "`after` is not the `next` of a page of this list."


def test_webhooks_are_made_listed_and_dropped_and_their_secret_is_shown_once(client: TestClient) -> None:
    made = client.post("/webhooks", json={"url": "https://x.example/", "events": ["new"], "list": "art"})
    assert made.status_code == 201
    assert made.json()["secret"].startswith("whsec_")
    (listed,) = client.get("/webhooks").json()["items"]
    assert listed == made.json()["webhook"]
    assert (listed["events"], listed["list"], listed["waiting"]) == (["new"], "art", 0)
    assert "secret" not in listed
    assert client.delete(f"/webhooks/{listed['id']}").status_code == 204
    assert client.delete(f"/webhooks/{listed['id']}").status_code == 404
    for wrong in ({"url": "x.example"}, {"url": "https://x.example/", "events": ["old"]}, {}):
        assert client.post("/webhooks", json=wrong).status_code == 422


def test_dead_letters_are_listed_sent_again_and_thrown_away(client: TestClient, standing: Standing) -> None:
    hooks = standing.archive.store.hooks
    for number in (1, 2):
        hooks.bury(DeadLetter("h", number, number, "2026-01-01T00:00:00+00:00", 8, 500))
    first = client.get("/webhooks/dead?limit=1").json()
    second = client.get(f"/webhooks/dead?limit=1&after={first['next']}").json()
    assert [page["items"][0]["first"] for page in (first, second)] == [2, 1]
    number = first["items"][0]["id"]
    assert client.post(f"/webhooks/dead/{number}/again").json()["again"] is True
    assert client.delete(f"/webhooks/dead/{number}").status_code == 204
    assert client.post(f"/webhooks/dead/{number}/again").status_code == 404


def test_statistics_are_told_of_any_range(client: TestClient, standing: Standing) -> None:
    standing.archive.store.counters.add("2026-01-31T09", [HourCount("looks", "finished", 2)])
    told = client.get("/stats?from=2026-01-30&to=2026-01-31").json()
    assert [one["figures"]["looks"] for one in told["periods"]] == [{}, {"finished": 2}]
    assert told["total"]["looks"] == {"finished": 2}
    assert client.get("/stats?from=tomorrow").status_code == 422
    assert client.get("/stats?from=2020&to=2026&by=hour").status_code == 422


# ------------------------------------------------------------------ people


def test_people_are_let_in_and_sent_away_by_admins(client: TestClient, standing: Standing) -> None:
    ann = {"name": "ann", "role": "admin", "password": "the long shelf"}
    assert client.post("/users", json=ann | {"role": "viewer"}).status_code == 422, "the first one is an admin"
    made = client.post("/users", json=ann)
    assert made.status_code == 201
    assert "password" not in made.json()
    client.post("/users", json=ann | {"name": "bob", "role": "curator"})
    assert [(one["name"], one["role"]) for one in client.get("/users").json()["items"]] == [
        ("ann", "admin"),
        ("bob", "curator"),
    ]
    assert client_of(standing, "curate").get("/users").status_code == 403
    assert client.delete("/users/bob").status_code == 204
    assert client.delete("/users/bob").status_code == 404
    assert client.delete("/users/ann").status_code == 422, "the last admin stays"


def test_a_blog_is_read_again_drawn_and_analysed_by_jobs_of_these_kinds(client: TestClient) -> None:
    added(client, "a.example")
    kinds = {"reread": "reread", "render": "render", "analyse": "analyse"}
    for deed, kind in kinds.items():
        answer = client.post(f"/blogs/a.example/{deed}")
        assert (answer.status_code, answer.json()["kind"], answer.json()["asked_by"]) == (202, kind, "a-admin")
        assert client.post(f"/blogs/none.example/{deed}").status_code == 404


def test_exports_are_asked_for_and_fetched(client: TestClient, standing: Standing) -> None:
    with_posts(standing, "2024-01-01")
    made = client.post("/exports", json={"format": "csv"}).json()
    assert (made["file"], made["job"]["state"], made["format"]) == (None, "waiting", "csv")
    assert client.get(f"/exports/{made['job']['id']}/file").status_code == 404
    run_errand(Config(archive=standing.archive.folder), Errand("export", made["job"]["id"], "", "csv"))
    (listed,) = client.get("/exports").json()["items"]
    fetched = client.get(f"/exports/{made['job']['id']}/file")
    assert listed["file"] in fetched.headers["content-disposition"]
    assert "Post 0" in fetched.text
    assert client.post("/exports", json={"blog": "none.example"}).status_code == 422


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_an_export_holds_the_posts_that_are_chosen(client: TestClient, standing: Standing, form: str) -> None:
    with_posts(standing, "2024-01-01", "2025-01-01")
    made = client.post("/exports", json={"format": form, "since": "2024-06-01"}).json()
    assert made["search"]["since"].startswith("2024-06-01")
    job = standing.archive.store.jobs.find(made["job"]["id"])
    assert job
    assert run_errand(Config(archive=standing.archive.folder), errand_of(job)).error == ""
    fetched = client.get(f"/exports/{made['job']['id']}/file").text
    assert ("2025-01-01" in fetched, "2024-01-01" in fetched) == (True, False)
    assert client.post("/exports", json={"format": "site", "language": "de"}).status_code == 422
