"""Sources and one blog: found, chosen, changed one by one and many at a time, by those who may."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from typing import Any

import pytest
from lxml import html
from msgspec import structs

from blogforever import clock
from blogforever.portal.blog import hours_between, quiet_span
from blogforever.portal.spans import by_month_or_year, period_name
from blogforever.records import LeftOut
from blogforever.service.following import judged_known
from blogforever.service.standing import Standing
from blogforever.storage.following import FollowedBlog, FollowedQuery, FollowState, SourceBatch, SourceRow
from blogforever.storage.pushes import Subscription
from blogforever.storage.schedule import LookRow
from blogforever.storage.tables import Store
from blogforever.storage.work import ACCEPT, JobFilter
from blogforever.wording import in_english, say
from server.visitor import PortalClient, words

DAY = "2026-01-01T00:00:00+00:00"


def store_of(standing: Standing) -> Store:
    return standing.archive.store


def sample(standing: Standing) -> FollowedBlog:
    return store_of(standing).followed.page(FollowedQuery(limit=1, sort="created", descending=True)).items[0]


def follow(standing: Standing, *names: str, state: FollowState = "following", **more: object) -> None:
    blogs = [FollowedBlog(name, f"https://{name}/", DAY, state=state) for name in names]
    store_of(standing).followed.add(replace(blog, **more) for blog in blogs)  # type: ignore[arg-type]  # any field


def names(client: PortalClient, path: str) -> list[str]:
    return list(map(str, client.page(path).xpath("//tbody/tr/th/a/text()")))


def test_the_table_tells_of_each_blog_what_was_found_and_when_it_is_looked_at_next(
    viewer: PortalClient, standing: Standing
) -> None:
    blog = sample(standing)
    told = words(viewer.page("/sources?column=platform&column=feed&column=total&column=lists&column=state&column=id"))
    assert blog.title in told
    assert str(blog.total) in told
    assert "Favourites" in told
    assert "following" in told
    assert blog.id in told
    feed = store_of(standing).followed.feeds([blog.id])[blog.id]
    assert feed.removeprefix("http://") in told
    assert blog.platform in told


def test_blogs_are_searched_filtered_sorted_and_paged(
    viewer: PortalClient, standing: Standing, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("blogforever.portal.sources.SHOWN", 3)
    store_of(standing).followed.drop([sample(standing).id])
    follow(standing, "a.org", "b.org", "c.org", "d.org", tags=("x",), platform="ghost")
    follow(standing, "gone.org", state="dead", lists=("old",), reason="nobody is there")
    assert names(viewer, "/sources?q=GONE") == ["gone.org"]
    assert names(viewer, "/sources?state=dead&sort=nonsense") == ["gone.org"]
    assert names(viewer, "/sources?list=old") == names(viewer, "/sources?q=gone.org&list=old")
    first = viewer.page("/sources?tag=x&platform=ghost&sort=title")
    assert first.xpath("//tbody/tr/th/a/text()") == ["a.org", "b.org", "c.org"]
    [following] = first.xpath("//nav[@class='pager']/a[@class='next']/@href")
    assert names(viewer, following) == ["d.org"]
    assert names(viewer, "/sources?sort=-title")[0] == "gone.org"
    assert "nobody is there" in words(viewer.page("/sources?state=dead"))


def test_a_blog_that_posts_are_missing_of_is_marked_and_found_by_it(viewer: PortalClient, standing: Standing) -> None:
    store_of(standing).followed.drop([sample(standing).id])
    follow(standing, "short.org", completeness="incomplete", missing=3)
    follow(standing, "cut.org", completeness="incomplete")
    follow(standing, "whole.org", completeness="complete")
    follow(standing, "unknown.org")
    shown = viewer.page("/sources?sort=-missing")
    rows = {row.xpath("string(th/a)"): row for row in shown.xpath("//tbody/tr")}
    assert next(iter(rows)) == "short.org"
    assert rows["short.org"].xpath("td//a[@href='/sources/short.org#complete']/text()") == ["3 missing"]
    told = {name: words(row) for name, row in rows.items()}
    assert "incomplete" in told["cut.org"]
    assert "complete" in told["whole.org"]
    assert "not known" in told["unknown.org"]
    assert names(viewer, "/sources?completeness=incomplete&sort=title") == ["cut.org", "short.org"]
    assert names(viewer, "/sources?completeness=complete") == ["whole.org"]
    assert len(names(viewer, "/sources?completeness=nonsense")) == len(rows)
    chosen = viewer.page("/sources?completeness=complete").xpath("//select[@name='completeness']/option[@selected]")
    assert [option.get("value") for option in chosen] == ["complete"]


def test_nothing_found_and_nothing_there_say_what_to_do_next(viewer: PortalClient, first_visitor: PortalClient) -> None:
    assert "No blog fits" in words(viewer.page("/sources?q=nowhere"))
    empty = first_visitor.page("/sources")
    assert "No blog is followed yet" in words(empty)
    assert "/add" in empty.xpath("//main//a/@href")


def test_the_table_goes_out_as_csv_with_all_that_the_question_finds(viewer: PortalClient, standing: Standing) -> None:
    follow(standing, "a.org", "b.org", title="=HYPERLINK(1)")
    answer = viewer.get("/sources.csv?q=.org")
    rows = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))
    assert [row["url"] for row in rows] == ["https://b.org/", "https://a.org/"]
    assert rows[0]["title"].startswith("'=")
    assert answer.headers["content-disposition"] == 'attachment; filename="sources.csv"'


def test_ticked_blogs_are_changed_together_and_who_comes_back_sees_it(
    curator: PortalClient, standing: Standing
) -> None:
    follow(standing, "a.org", "b.org", "c.org")
    back = "/sources?q=.org"
    told = words(curator.submitted("/sources/deed", deed="pause", blog=["a.org", "b.org"], back=back))
    assert "2 blogs" in told
    curator.submitted("/sources/deed", deed="tag", name="rare", everything="yes", back=back)
    blogs = store_of(standing).followed.page(FollowedQuery(q=".org")).items
    assert [(blog.state, blog.tags) for blog in blogs] == [
        ("paused", ("rare",)), ("paused", ("rare",)), ("following", ("rare",))
    ]  # fmt: skip
    assert sample(standing).tags == ()
    assert store_of(standing).audit.newest(1)[0].what == "tag many blogs"


def test_what_is_hard_to_undo_is_asked_for_twice_where_it_concerns_many(
    curator: PortalClient, standing: Standing
) -> None:
    follow(standing, "a.org", "b.org", "c.org")
    asked = curator.submit("/sources/deed", deed="unfollow", everything="yes", back="/sources?q=.org")
    assert asked.status_code == 200
    assert "This concerns 3 blogs" in asked.text
    assert store_of(standing).followed.find("a.org")
    form = html.document_fromstring(asked.text).xpath("//form[@action='/sources/deed']")[0]
    curator.submitted("/sources/deed", **dict(form.form_values()))
    assert len(store_of(standing).followed.page(FollowedQuery()).items) == 1


def test_a_deed_without_blogs_or_one_that_is_none_is_refused_with_a_sentence(curator: PortalClient) -> None:
    answer = curator.submit("/sources/deed", deed="pause")
    assert answer.status_code == 422
    assert "tick some" in answer.text
    assert curator.submit("/sources/deed", deed="burn", blog=["a"]).status_code == 422


def test_who_may_only_look_is_offered_nothing_and_refused(viewer: PortalClient, standing: Standing) -> None:
    blog = sample(standing)
    for path in ("/sources", f"/sources/{blog.id}"):
        assert not viewer.page(path).xpath("//main//form[@method='post']//button")
    for path in ("/sources/deed", f"/sources/{blog.id}/do/pause", f"/sources/{blog.id}/about"):
        assert viewer.submit(path, deed="pause", blog=[blog.id]).status_code == 403
    assert not sample(standing).paused


# ------------------------------------------------------------------ one blog


def test_one_blog_tells_what_the_archive_has_what_is_missing_and_when_it_is_looked_at(
    viewer: PortalClient, standing: Standing
) -> None:
    blog = sample(standing)
    found = viewer.page(f"/sources/{blog.id}")
    told = words(found)
    for title in ("How complete it is", "Schedule", "Watched addresses", "Looks", "What people decided"):
        assert title in told
    assert f"{blog.total} posts" in told
    assert found.xpath("//figure[@class='chart']//*[local-name()='rect']")
    assert store_of(standing).followed.feeds([blog.id])[blog.id] in told
    assert blog.next_reason in told
    assert "/batches/" in "".join(found.xpath("//main//a/@href"))


def test_what_is_missing_stands_together_by_its_cause_with_what_asks_for_it(
    viewer: PortalClient, curator: PortalClient, standing: Standing
) -> None:
    blog, store = sample(standing), store_of(standing)
    assert blog.blog
    record = store.blogs.find(blog.blog)
    assert record
    assert record.completeness
    gone = [LeftOut(f"https://a.example/{number}", "http_404") for number in range(7)]
    lost = [LeftOut("https://a.example/last", "timeout")]
    statement = structs.replace(record.completeness, missing=[*gone, *lost])
    store.blogs.keep(structs.replace(record, completeness=statement))
    causes = viewer.page(f"/sources/{blog.id}").xpath("//details[@class='cause']")
    assert sorted((len(one.xpath(".//li")), one.get("open") is None) for one in causes) == [(1, False), (7, True)]
    asked = "//section[@aria-labelledby='complete']//form/@action"
    assert curator.page(f"/sources/{blog.id}").xpath(asked) == [f"/sources/{blog.id}/do/look"]
    assert viewer.page(f"/sources/{blog.id}").xpath(asked) == []


def test_a_blog_that_is_harvested_tells_no_moment_of_its_next_look(viewer: PortalClient, standing: Standing) -> None:
    store_of(standing).followed.drop([sample(standing).id])
    queued = {"next_look": "2030-01-01T00:00:00+00:00", "next_reason": "in the queue"}
    follow(standing, "new.org", state="waiting", **queued)
    follow(standing, "now.org", state="harvesting", **queued)
    rows = viewer.page("/sources").xpath("//tbody/tr")
    told = {words(row.xpath("th")[0]): words(row.cssselect("td.next-cell")[0]) for row in rows}
    assert told == {"new.org": "in the queue", "now.org": "now"}


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"state": "active", "until": "2030-01-01T00:00:00+00:00"}, "A hub tells us of new posts until"),
        ({"state": "denied", "error": "not you"}, "Its hub will not tell us of new posts. not you"),
        ({"state": "asked"}, "Its hub was asked to tell us of new posts, and has not confirmed."),
        ({"state": "ended", "wanted": "unsubscribe"}, "it need not any more."),
    ],
)
def test_a_blog_says_whether_a_hub_tells_of_it(
    viewer: PortalClient, standing: Standing, more: dict[str, Any], told: str
) -> None:
    follow(standing, "hubbed.org")
    hub = Subscription("x", "hubbed.org", "websub", "http://hub.example/", "http://a.example/feed", **more)
    store_of(standing).subscriptions.add(hub)
    assert told in words(viewer.page("/sources/hubbed.org"))


def test_a_blog_is_frozen_and_accepted_by_hand(curator: PortalClient, standing: Standing) -> None:
    blog, store = sample(standing), store_of(standing)
    page = curator.submitted(f"/sources/{blog.id}/do/freeze")
    assert "frozen by curator" in words(page)
    frozen = store.followed.find(blog.id)
    assert frozen
    assert (frozen.state, frozen.paused, frozen.next_look) == ("frozen", True, None)
    curator.submitted(f"/sources/{blog.id}/do/accept")
    again = store.followed.find(blog.id)
    assert again
    assert (again.state, again.paused) == ("following", False)
    (job,) = store.jobs.newest(JobFilter("waiting", "update"), 2)
    assert job.input == ACCEPT


def test_reasons_are_told_in_the_language_that_is_spoken(viewer: PortalClient, standing: Standing) -> None:
    blog = sample(standing)
    said = (say("posts on {weekdays}", weekdays="1"), say("looked at all the same after {time}", time=475_200.0))
    failed = (say("nothing has answered since {day}", day="2025-02-17"), say("there is no such host"))
    stored = store_of(standing).followed
    told = replace(blog, next_reason=in_english(said), next_said=said, reason=in_english(failed), said=failed)
    stored.change(blog.id, lambda _one: replace(told, state="failing"))
    viewer.headers["Accept-Language"] = "de"
    for page in (f"/sources/{blog.id}", "/sources"):
        shown = words(viewer.page(page))
        assert "schreibt an diesen Tagen: Dienstag; trotzdem besucht; Abstand: 5,5 Tage" in shown.replace("\xa0", " ")
        assert "nichts hat geantwortet seit 17. Feb. 2025; es gibt keinen solchen Host" in shown
    for page in ("/review", "/"):
        assert "es gibt keinen solchen Host" in words(viewer.page(page))
    # What somebody has written since is told as it stands.
    stored.change(blog.id, lambda one: replace(one, reason="the owner asked for it"))
    assert "the owner asked for it" in words(viewer.page(f"/sources/{blog.id}"))


def test_a_blog_leads_to_its_posts_and_its_rules(viewer: PortalClient, standing: Standing) -> None:
    blog = sample(standing)
    tabs = viewer.page(f"/sources/{blog.id}").xpath("//ul[@class='tabs']//a/@href")
    assert tabs == [f"/sources/{blog.id}", f"/output?blog={blog.blog}", f"/sources/{blog.id}/rules"]
    assert viewer.get(f"/sources/{blog.id}/posts").headers["location"] == tabs[1]
    for tab in tabs:
        assert blog.title in words(viewer.page(tab))


def test_a_blog_that_waits_has_a_page_and_one_that_is_none_says_so(viewer: PortalClient, standing: Standing) -> None:
    follow(standing, "new.org", state="waiting")
    assert "before its first harvest" in words(viewer.page("/sources/new.org"))
    assert "No blog none.org is followed" in words(viewer.page("/sources/none.org", 404))


def test_a_blog_is_paused_resumed_looked_at_and_read_again(curator: PortalClient, standing: Standing) -> None:
    place = f"/sources/{sample(standing).id}"
    assert "paused" in words(curator.submitted(f"{place}/do/pause"))
    curator.submitted(f"{place}/do/resume")
    assert not sample(standing).paused
    told = words(curator.submitted(f"{place}/do/look"))
    assert "before all others" in told
    assert "in the queue since" in told
    curator.submitted(f"{place}/do/reread")
    kinds = {job.kind for job in store_of(standing).jobs.newest(JobFilter("waiting"), 9)}
    assert kinds == {"update", "reread"}


def test_a_frozen_blog_can_be_accepted(curator: PortalClient, standing: Standing) -> None:
    blog = sample(standing)
    store_of(standing).followed.change(blog.id, lambda one: replace(one, state="frozen", reason="half of it changed"))
    told = words(curator.page(f"/sources/{blog.id}"))
    assert "half of it changed" in told
    assert "Accept what it shows" in told
    curator.submitted(f"/sources/{blog.id}/do/accept")
    [job] = store_of(standing).jobs.newest(JobFilter("waiting"), 9)
    assert "accept" in job.input


def test_what_runs_is_told_until_it_has_ended(curator: PortalClient, standing: Standing) -> None:
    blog = sample(standing)
    curator.submitted(f"/sources/{blog.id}/do/look")
    [job] = store_of(standing).jobs.take("w", {"update": 1}, "2099-01-01T00:00:00+00:00")
    running = curator.get(f"/sources/{blog.id}/now")
    assert "every 2s" in running.text
    assert 'id="state-now" hx-swap-oob="true"' in running.text
    store_of(standing).jobs.done(job.id, "w", "{}", "2099-01-01T00:00:00+00:00")
    ended = curator.get(f"/sources/{blog.id}/now")
    assert (ended.text, ended.headers["hx-refresh"]) == ("", "true")


def test_a_blog_that_is_called_by_its_address_is_named_once(curator: PortalClient, standing: Standing) -> None:
    curator.submitted("/add/quick", text="https://plain.example/")
    standing.archive.store.followed.change("plain.example", lambda one: replace(one, title="plain.example"))
    row = next(one for one in curator.page("/sources").xpath("//tbody/tr/th") if "plain" in words(one))
    assert words(row) == "plain.example"


def test_what_is_said_of_a_blog_and_its_schedule_are_kept(curator: PortalClient, standing: Standing) -> None:
    blog = sample(standing)
    curator.submitted(
        f"/sources/{blog.id}/about", title="Ours", tags="a, b; a", lists="Favourites, new one", notes="n", topic="books"
    )
    curator.submitted(
        f"/sources/{blog.id}/schedule", every="86400", quiet_from="22", quiet_to="6", priority="1", until="2099-01-31"
    )
    kept = sample(standing)
    assert (kept.title, kept.tags, kept.lists, kept.notes) == ("Ours", ("a", "b"), ("Favourites", "new one"), "n")
    assert (kept.metadata.topic, kept.until) == ("books", "2099-01-31")
    assert (kept.policy.every, kept.policy.quiet_hours) == (86400, (0, 1, 2, 3, 4, 5, 22, 23))
    told = words(curator.page(f"/sources/{blog.id}"))
    assert "every 1 day" in told
    assert "changed what is said of it · schedule" in told
    assert curator.submit(f"/sources/{blog.id}/schedule", until="tomorrow").status_code == 422


def test_a_blog_that_fails_says_why_and_what_can_be_done(curator: PortalClient, standing: Standing) -> None:
    blog = sample(standing)
    store_of(standing).followed.change(blog.id, lambda one: replace(one, state="failing", reason="nobody answered"))
    (notice,) = curator.page(f"/sources/{blog.id}").cssselect("div.notice")
    assert words(notice).startswith("nobody answered · It is asked again by itself.")
    assert notice.xpath(".//form/@action") == [f"/sources/{blog.id}/do/look"]
    store_of(standing).followed.change(blog.id, lambda one: replace(one, blog=None))
    (notice,) = curator.page(f"/sources/{blog.id}").cssselect("div.notice")
    assert "Is the address right?" in words(notice)
    assert "the archive stays" not in words(notice)


def test_a_blog_is_blocked_with_a_reason_and_followed_no_more(curator: PortalClient, standing: Standing) -> None:
    blog = sample(standing)
    page = curator.submitted(f"/sources/{blog.id}/block", reason="spam")
    assert "Undo it here or in the block list" in words(page)
    assert sample(standing).state == "blocked"
    (entry,) = page.xpath("//div[@class='notice']//input[@name='entry']/@value")
    assert "1 blog goes on." in words(curator.submitted("/blocked/undo", entry=str(entry)))
    assert sample(standing).state != "blocked"
    curator.submitted(f"/sources/{blog.id}/unfollow")
    assert store_of(standing).followed.find(blog.id) is None


def test_a_look_that_brought_only_changes_leads_to_them(viewer: PortalClient, standing: Standing) -> None:
    blog = sample(standing)
    store_of(standing).schedule.add(LookRow(blog.id, clock.stamp(), changed=2))
    (figure,) = viewer.page(f"/sources/{blog.id}").xpath("//div[@class='card figure'][contains(., 'at the last look')]")
    assert "2 posts changed" in words(figure)
    assert figure.xpath(".//a/@href") == [f"/output?is=changed&blog={blog.blog}"]


def test_a_blog_of_which_no_look_found_anything_is_not_said_to_wait_for_its_harvest(
    viewer: PortalClient, standing: Standing
) -> None:
    failed = FollowedBlog(
        "away.example", "https://away.example/", "2026-01-01", state="failing", last_look="2026-01-02"
    )
    store_of(standing).followed.add([failed])
    told = words(viewer.page("/sources/away.example"))
    assert "no look has found a post yet" in told
    assert "No feed of it could be read yet" in told
    assert "first harvest" not in told


def test_a_blog_that_was_just_added_is_not_said_to_have_no_feed(viewer: PortalClient, standing: Standing) -> None:
    follow(standing, "new.org", state="waiting")
    told = words(viewer.page("/sources/new.org"))
    assert "Its feeds are looked for at the first harvest." in told
    assert "no feed that is known" not in told


def test_hostile_names_are_shown_as_they_are_and_lead_nowhere(curator: PortalClient, standing: Standing) -> None:
    evil = "<script>alert(1)</script>" + "x" * 1_000_000
    follow(standing, "a.org", title=evil, reason=evil, tags=(evil[:200],), moved_to="javascript:alert(1)")
    for path in ("/sources", "/sources/a.org"):
        found = curator.page(path)
        assert not found.xpath("//main//script")
        assert len(words(found)) < 10_000
        assert not [link for link in found.xpath("//a/@href") if link.startswith("javascript")]


@pytest.mark.parametrize(
    ("begin", "end", "hours"),
    [(0, 0, ()), (22, 1, (0, 22, 23)), (3, 5, (3, 4)), (1, 0, tuple(range(1, 24)))],
)
def test_quiet_hours_go_over_midnight(begin: int, end: int, hours: tuple[int, ...]) -> None:
    assert hours_between(begin, end) == hours
    assert quiet_span(hours) == ((begin, end) if hours else None)


@pytest.mark.parametrize(
    ("counted", "spans"),
    [
        ({}, []),
        ({"2013-11": 2, "2014-01": 1}, [("Nov 2013", 2), ("Dec 2013", 0), ("Jan 2014", 1)]),
        ({"2001-01": 1, "2003-07": 2, "2003": 3}, [("2001", 1), ("2002", 0), ("2003", 5)]),
        ({"nonsense": 1, "2013-13": 1, "2013-05": 4}, [("May 2013", 4)]),
    ],
)  # fmt: skip
def test_posts_are_counted_by_month_or_where_that_is_too_fine_by_year(
    counted: dict[str, int], spans: list[tuple[str, float]]
) -> None:
    assert by_month_or_year(counted) == spans


def test_a_mistyped_year_draws_no_thousand_bars() -> None:
    assert len(by_month_or_year({"0012-01": 1, "2020-01": 1})) == 121


def test_periods_have_names_that_people_use() -> None:
    names = [period_name(period) for period in ("2013-03-01T09", "2013-03-01", "2013-03", "2013")]
    assert names == ["1 Mar 2013, 09:00", "1 Mar 2013", "Mar 2013", "2013"]


def test_who_waits_for_a_blog_that_turns_out_to_be_a_known_one_is_led_to_it(
    viewer: PortalClient, standing: Standing
) -> None:
    store, known = store_of(standing), sample(standing)
    added = FollowedBlog("page.example", "https://page.example/about/", "2026-01-01")
    store.followed.add([added])
    [live] = viewer.page("/sources/page.example").cssselect("#now")
    judged_known(store, added.id, known.id, "the same blog")
    told = viewer.get(str(live.get("hx-get")))
    assert (told.status_code, told.headers["HX-Redirect"]) == (200, f"/sources/{known.id}")
    assert "followed already" in words(viewer.page(f"/sources/{known.id}"))
    store.followed.drop([known.id])
    assert viewer.get(str(live.get("hx-get"))).headers["HX-Refresh"] == "true"


def test_a_blog_that_waits_for_its_harvest_goes_on_by_itself(viewer: PortalClient, standing: Standing) -> None:
    follow(standing, "a.example", state="waiting")
    (live,) = viewer.page("/sources/a.example").cssselect(".live")
    assert live.get("hx-get") == "/sources/a.example/now?at=https%3A//a.example/"
    assert "this page goes on by itself" in viewer.get("/sources/a.example/now").text
    store_of(standing).followed.change("a.example", lambda one: replace(one, state="following"))
    assert viewer.get("/sources/a.example/now").headers["hx-refresh"] == "true"


def test_a_list_without_blogs_says_how_to_fill_it(curator: PortalClient) -> None:
    curator.submit("/lists", name="New ones")
    told = words(curator.page("/sources?list=New+ones"))
    assert "No blog is in the list New ones yet" in told
    assert "Choose among all blogs" in told
    assert "No blog fits" in words(curator.page("/sources?list=New+ones&q=x"))


def test_what_a_blog_is_frozen_by_is_told(curator: PortalClient, standing: Standing) -> None:
    follow(standing, "a.example", state="frozen", paused=True)
    follow(standing, "b.example", state="frozen")
    assert "Somebody froze it" in words(curator.page("/sources/a.example"))
    assert "So much of it is different" in words(curator.page("/sources/b.example"))


def test_what_a_blog_was_found_to_be_stands_in_its_row_and_a_person_says_otherwise_there(
    curator: PortalClient, standing: Standing
) -> None:
    follow(standing, "goods.example", state="rejected", verdict="not-a-blog", kind="shop")
    store = store_of(standing)
    store.sources.add(SourceBatch("goods", DAY), [SourceRow("goods", 1, "goods.example", blog="goods.example")])
    assert "shop" in words(curator.page("/sources?q=goods"))
    rows = curator.page("/batches/goods")
    assert "shop" in words(rows)
    assert "/sources/goods.example/verdict/blog" in rows.xpath("//tbody//form/@action")
    answer = curator.submit("/sources/goods.example/verdict/blog", back="/batches/goods")
    assert answer.headers["location"] == "/batches/goods"
    row = store.verdicts.find("goods.example")
    assert row is not None
    assert row.decided == "blog"
    assert "blog" in words(curator.page("/sources/goods.example"))
