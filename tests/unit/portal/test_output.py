"""Output: everything newest first, what is looked for with hits, as list, table, comments and feed; kept searches."""

from __future__ import annotations

import csv
from dataclasses import replace
from urllib.parse import quote

from fastapi.testclient import TestClient
from lxml import etree, html
from msgspec import structs

from blogforever.records import CommentRecord, read_post
from blogforever.service.standing import Standing
from blogforever.service.tokens import create_token
from blogforever.storage.browsing import PostQuery
from blogforever.storage.following import FollowedQuery
from server.visitor import PortalClient, words

ATOM = {"a": "http://www.w3.org/2005/Atom"}


def link(feed: etree._Element, place: str) -> str:
    found = feed.find(place, ATOM)
    assert found is not None
    return str(found.get("href"))


def titles(page: html.HtmlElement) -> list[str]:
    return [words(one) for one in page.cssselect(".found h2")]


def test_the_newest_posts_come_first_with_tags_and_the_archived_page_one_click_away(viewer: PortalClient) -> None:
    page = viewer.page("/output")
    shown = [str(one.get("datetime")) for one in page.cssselect(".found time")]
    assert len(shown) > 3
    assert shown == sorted(shown, reverse=True)
    first = page.cssselect(".found > li")[0]
    assert first.cssselect("a[href$='/archived']")
    assert any("/output?tag=" in str(one.get("href")) for one in page.cssselect(".found a.tag"))


def test_a_post_shows_a_picture_of_its_own_and_none_that_others_beside_it_show(
    viewer: PortalClient, standing: Standing
) -> None:
    def pictured() -> list[str]:
        page = viewer.page("/output?view=list")
        return [words(one.cssselect("h2")[0]) for one in page.cssselect(".found .pictured") if one.cssselect("img")]

    assert pictured() == ["Window, seven in the morning", "Marbled"]
    sources = [str(one.get("src")) for one in viewer.page("/output").cssselect(".found img")]
    assert all(one.startswith("http://127.0.0.1:8151/") for one in sources)
    records = [read_post(line.line) for line in standing.archive.store.posts.page(PostQuery(limit=25)).items]
    frost, marbled = (one for one in records if one.media)
    run, _ = standing.archive.store.runs.open(frost.blog)
    standing.archive.store.posts.keep(run, structs.replace(marbled, media=(*frost.media, *marbled.media)))
    standing.archive.store.flush()
    assert pictured() == ["Marbled"]
    assert "marbled.png" in str(viewer.page("/output").cssselect(".found img")[0].get("src"))


def test_words_are_marked_where_they_were_found_and_narrowed_down(viewer: PortalClient, standing: Standing) -> None:
    page = viewer.page("/output?q=the")
    assert {words(one).casefold() for one in page.cssselect("mark")} == {"the"}
    blog = standing.archive.store.posts.page(PostQuery(limit=1)).items[0].blog
    narrowed = viewer.page(f"/output?q=the&blog={blog}&sort=newest&since=2000-01-01")
    assert titles(narrowed)
    assert not titles(viewer.page(f"/output?q=the&blog={blog}&until=1990-01-01"))
    wrong = viewer.page("/output?blog=nowhere.example")
    assert "nowhere.example" in words(wrong.cssselect(".alert")[0])


def test_who_knows_a_part_of_a_name_is_shown_the_whole_names_of_authors(viewer: PortalClient) -> None:
    assert not titles(viewer.page("/output?author=brandt"))
    [offered] = viewer.page("/output?author=brandt&until=2030-01-01").cssselect(".empty .chips a")
    assert words(offered) == "Ines Brandt"
    assert "until=2030-01-01" in str(offered.get("href"))
    assert titles(viewer.page(str(offered.get("href"))))
    assert not viewer.page("/output?author=nobody+brandt").cssselect(".empty .chips a")
    assert not viewer.page("/output?author=brandt&until=1990-01-01").cssselect(".empty .chips a")
    assert not viewer.page("/output?author=...").cssselect(".empty .chips a")


def test_a_language_is_also_meant_by_its_name(viewer: PortalClient) -> None:
    asked_by_code = titles(viewer.page("/output?language=en"))
    assert asked_by_code
    for typed in ("English", "englisch", " ENGLISH "):
        assert titles(viewer.page(f"/output?language={quote(typed)}")) == asked_by_code
    assert not titles(viewer.page("/output?language=ga"))


def test_a_blog_is_also_meant_by_its_title(viewer: PortalClient, standing: Standing) -> None:
    followed = standing.archive.store.followed
    [blog] = followed.page(FollowedQuery()).items
    for typed in (blog.title, blog.title.upper(), blog.title.split()[-1]):
        assert titles(viewer.page(f"/output?blog={quote(typed)}"))
    followed.add([replace(blog, id="twin.example", url="https://twin.example/", title=f"{blog.title} too")])
    assert titles(viewer.page(f"/output?blog={quote(blog.title)}"))
    several = words(viewer.page(f"/output?blog={quote(blog.title[:-2])}").cssselect(".alert")[0])
    assert "name one of them: " in several
    assert "twin.example" in several


def test_where_no_post_holds_all_words_as_many_as_one_holds_are_offered(viewer: PortalClient) -> None:
    page = viewer.page("/output?q=rule+of+thum+xylophone+hedge+-casino&language=en")
    (offered,) = page.cssselect("main .empty a.main")
    assert words(offered) == "rule of thum* hedge -casino"
    found = viewer.page(str(offered.get("href")))
    assert "What the hedge knows" in titles(found)
    assert "language=en" in str(offered.get("href"))
    # Words in a row that stand there in another order are looked for one by one.
    (offered,) = viewer.page("/output?q=%22thumb+of+rule%22").cssselect("main .empty a.main")
    assert words(offered) == "thumb of rule"
    # Another ending, and a slip behind the middle of a word.
    (offered,) = viewer.page("/output?q=blackbirds+telefone").cssselect("main .empty a.main")
    assert words(offered) == "blackbird* tele*"
    assert titles(viewer.page(str(offered.get("href")))) == ["What the hedge knows"]
    assert not viewer.page("/output?q=qqzzxx+zzqqxx").cssselect("main .empty a.main")


def test_a_hit_in_the_comments_is_what_is_shown_of_the_post(viewer: PortalClient) -> None:
    """`count` stands in the text, too; `ivy` only in what others say."""
    (teaser,) = viewer.page("/output?q=ivy+count").cssselect(".found .teaser")
    assert "ivy" in words(teaser)


def test_a_post_leads_back_to_the_list_in_which_it_was_found(viewer: PortalClient) -> None:
    found = "/output?q=hedge&language=en"
    post = str(viewer.page(found).cssselect(".found h2 a")[0].get("href"))

    def way_back(came_from: str) -> str:
        read = html.document_fromstring(viewer.get(post, headers={"Referer": came_from}).text)
        return str(read.cssselect(".postbar a[rel=up]")[0].get("href"))

    assert way_back(f"{viewer.base_url}{found}") == found
    for elsewhere in ("", "https://other.example/output?q=hedge", f"{viewer.base_url}/sources?q=hedge"):
        assert way_back(elsewhere).startswith("/output?blog=")


def test_an_empty_page_says_what_to_do_next(viewer: PortalClient, first_visitor: PortalClient) -> None:
    assert "find more" in words(viewer.page("/output?q=zzyzzy").cssselect(".empty")[0])
    assert first_visitor.page("/output").cssselect(".empty a[href='/add']")
    assert "no comments" in words(first_visitor.page("/output?view=comments").cssselect(".empty")[0])


def test_an_address_is_told_what_became_of_it(curator: PortalClient, standing: Standing) -> None:
    post = read_post(standing.archive.store.posts.page(PostQuery(limit=1)).items[0].line)
    home = post.url.partition("/20")[0]

    def told(url: str) -> html.HtmlElement:
        return curator.page(f"/output?q={quote(url)}").cssselect("section.card")[0]

    kept = told(post.url)
    assert kept.cssselect(f"a[href='/posts/{post.id}']")
    unseen = told(f"{home}/1999/01/never/")
    assert "Nobody has met" in words(unseen)
    assert unseen.cssselect("form[action$='/do/look']")
    unknown = told("https://elsewhere.example/a/post")
    assert unknown.cssselect("form[action='/add/quick']")
    curator.submitted(f"/posts/{post.id}/hide", reason="a test")
    assert "Nobody has met" in words(told(post.url))
    assert curator.page("/output?q=http://[&year=zzzz").cssselect(".empty")


def test_pages_follow_each_other(viewer: PortalClient) -> None:
    for address in ("/output?limit=2", "/output?q=the&limit=2", "/output?q=the&sort=newest&limit=2"):
        first = viewer.page(address)
        second = viewer.page(str(first.cssselect(".pager .next")[0].get("href")))
        assert len(titles(first)) == 2
        assert not set(titles(first)) & set(titles(second))


def test_the_same_as_a_table_and_the_comments(viewer: PortalClient, standing: Standing) -> None:
    table = viewer.page("/output?view=table")
    heads = [words(one) for one in table.cssselect("thead th")]
    assert heads == ["Published", "Title", "Blog", "Author", "Tags", "Comments"]
    assert table.cssselect("tbody a[href$='.xml']")
    comments = viewer.page("/output?view=comments&limit=100")
    shown = [str(one.get("datetime")) for one in comments.cssselect(".found time")]
    assert len(shown) == len(read_comments(standing))
    assert shown == sorted(shown, reverse=True)
    assert comments.cssselect(".found a[href$='#comments']")


def read_comments(standing: Standing) -> list[CommentRecord]:
    """All comments of the sample blog."""
    lines = standing.archive.store.posts.page(PostQuery(limit=100)).items
    return [comment for line in lines for comment in read_post(line.line).comments]


def test_posts_and_comments_come_together_in_the_order_of_time(viewer: PortalClient, standing: Standing) -> None:
    store = standing.archive.store
    posts = [read_post(line.line) for line in store.posts.page(PostQuery(limit=100)).items]
    run, _ = store.runs.open(posts[0].blog)
    undated = CommentRecord(id="c2", text="undated")
    store.posts.keep(run, structs.replace(posts[2], comments=(*posts[2].comments, undated)))
    seen: list[tuple[str, str]] = []
    address = "/output?view=together&limit=30"
    while address:
        page = viewer.page(address)
        for row in page.cssselect("tbody tr"):
            at = [str(one.get("datetime")) for one in row.cssselect("time")]
            seen.append((words(row.cssselect("td[data-label=Id]")[0]), at[0] if at else ""))
        following = page.cssselect(".pager .next")
        address = str(following[0].get("href")) if following else ""
    names, moments = [name for name, _at in seen], [at for _name, at in seen]
    assert len(names) == len(set(names)) == len(posts) + len(read_comments(standing))
    assert moments == sorted(moments, reverse=True)
    assert names[-1] == "c2"


def test_all_that_a_search_finds_is_a_table_for_spreadsheets(viewer: PortalClient) -> None:
    to = viewer.page("/output?author=Ines+Brandt&until=2012-01-01").cssselect(".deeds a[href^='/output.csv']")[0]
    answer = viewer.get(str(to.get("href")))
    assert answer.headers["content-type"].startswith("text/csv")
    rows = list(csv.DictReader(answer.content.decode("utf-8-sig").splitlines()))
    assert rows
    assert {row["authors"] for row in rows} == {"Ines Brandt"}
    assert max(row["published"] for row in rows) < "2012"


def test_all_comments_that_are_found_are_a_table_for_spreadsheets(viewer: PortalClient, standing: Standing) -> None:
    def table_of(asked: str) -> list[dict[str, str]]:
        page = viewer.page(f"/output?view=comments&limit=1{asked}")
        [to] = [str(one.get("href")) for one in page.cssselect(".deeds a[href^='/output.csv']")]
        answer = viewer.get(to)
        assert 'filename="comments.csv"' in answer.headers["content-disposition"]
        return list(csv.DictReader(answer.content.decode("utf-8-sig").splitlines()))

    assert {row["id"] for row in table_of("")} == {one.id for one in read_comments(standing)}
    by_ines = [one for one in read_comments(standing) if one.author.name == "Ines Brandt"]
    found = table_of("&author=Ines+Brandt")
    assert sorted(row["id"] for row in found) == sorted(one.id for one in by_ines)
    # An answer stands as deep as in its thread, though what it answers was not looked for.
    assert {bool(int(row["depth"])) == bool(row["parent"]) for row in found} == {True}
    assert any(row["parent"] for row in found)
    assert not viewer.page("/output?view=comments&q=nobodysaidthis").cssselect(".deeds a[href^='/output.csv']")


def test_posts_that_stand_with_their_comments_are_exported_as_in_the_list(curator: PortalClient) -> None:
    assert curator.page("/output?view=together&q=shelf").cssselect(".deeds a[href^='/exports?']")


def test_any_search_is_a_feed_for_whoever_is_logged_in_or_has_a_token(
    viewer: PortalClient, stranger: PortalClient, standing: Standing
) -> None:
    answer = viewer.get("/output.atom?q=the")
    assert answer.headers["content-type"].startswith("application/atom+xml")
    feed = etree.fromstring(answer.content)
    assert feed.findall("a:entry", ATOM)
    assert "q=the" in link(feed, "a:link[@rel='self']")
    assert "/posts/" in link(feed, "a:entry/a:link[@rel='alternate']")
    assert stranger.get("/output.atom").status_code == 303
    secret = create_token(standing.archive.store, "reader").secret
    assert stranger.get(f"/output.atom?token={secret}").status_code == 200
    assert secret not in stranger.get(f"/output.atom?token={secret}").text
    assert stranger.get("/output.atom?token=bf_wrong").status_code == 303


def test_a_search_is_kept_shown_and_dropped(curator: PortalClient, viewer: PortalClient, standing: Standing) -> None:
    form = curator.page("/output?q=the&tag=x&is=commented").cssselect("form.keep")[0]
    names = {one.get("name") for one in form.cssselect("input")}
    assert names == {"q", "tag", "is", "name", "form_token"}
    page = curator.submitted("/searches", name="My list", q="the")
    row = page.cssselect("tbody tr")[0]
    assert "My list" in words(row)
    assert titles(viewer.page(str(row.cssselect("th a")[0].get("href"))))
    assert viewer.submit("/searches", name="No", q="the").status_code == 403
    assert not viewer.page("/output?q=the").cssselect("form.keep")
    curator.submitted("/searches/drop", name="My list")
    assert standing.archive.store.searches.all() == []


def test_a_rule_sets_a_tag_that_can_be_chosen(curator: PortalClient, standing: Standing) -> None:
    standing.archive.hold(standing.archive.search.blogs_waiting())
    standing.archive.search.update()
    page = curator.submitted("/searches/rules", tag="Ours", words="the")
    to = str(page.cssselect("tbody a.tag")[0].get("href"))
    assert titles(curator.page(to))
    rule = standing.archive.store.tag_rules.all()[0].id
    curator.submitted("/searches/rules/drop", rule=rule)
    assert not titles(curator.page(to))
    assert curator.submit("/searches/rules", tag="Nothing").status_code == 422


def test_nobody_reads_without_having_logged_in(stranger: TestClient) -> None:
    for path in ("/output", "/searches", "/hidden", "/posts/x", "/posts/x.json", "/posts/x/archived"):
        assert stranger.get(path).status_code == 303, path


def test_a_post_without_a_title_is_called_by_its_first_words(viewer: PortalClient, standing: Standing) -> None:
    record = read_post(standing.archive.store.posts.page(PostQuery(limit=1)).items[0].line)
    run, _ = standing.archive.store.runs.open(record.blog)
    standing.archive.store.posts.keep(run, structs.replace(record, title=None))
    standing.archive.store.flush()
    begin = " ".join(record.text.split())[:40]
    item = viewer.page("/output").cssselect(".found > li")[0]
    assert words(item.cssselect("h2.untitled a")[0]).startswith(begin)
    assert not item.cssselect(".teaser")
    assert words(viewer.page("/output?view=table").xpath("//tbody/tr[1]/th/a")[0]).startswith(begin)
    post = viewer.page(f"/posts/{record.id}")
    assert words(post.cssselect("h1.hidden")[0]).startswith(begin)
    assert words(post.xpath("//title")[0]).startswith(begin)


def test_comments_are_found_by_their_words_their_authors_and_their_days(viewer: PortalClient) -> None:
    def shown(asked: str) -> list[str]:
        return [words(one) for one in viewer.page(f"/output?view=comments&{asked}").cssselect(".found li")]

    by_harry = shown("author=harry")
    assert by_harry
    assert all("Old Harry" in one for one in by_harry)
    of_2025 = shown("author=Harry&year=2025")
    assert 0 < len(of_2025) < len(by_harry)
    assert all("2025" in one and "Old Harry" in one for one in of_2025)
    ivy = viewer.page("/output?view=comments&q=ivy%20-hedge")
    assert {words(one) for one in ivy.cssselect(".found mark")} == {"ivy"}
    assert "comment found" in words(ivy.cssselect("[role=status]")[0])
    assert len(shown("year=2025&limit=100")) < len(shown("limit=100"))
    assert not shown("q=zzyzzy")
    # Who looks for posts of a commenter is told where his comments are.
    instead = viewer.page("/output?author=Harry").cssselect(".empty a[href*='view=comments']")
    assert viewer.page(str(instead[0].get("href"))).cssselect(".found li")


def test_pages_of_found_comments_follow_each_other(viewer: PortalClient) -> None:
    def all_of(address: str) -> list[str]:
        seen = []
        while address:
            shown = viewer.page(address)
            seen += [words(one) for one in shown.cssselect(".found li")]
            address = "".join(str(one.get("href")) for one in shown.cssselect(".pager .next"))
        return seen

    whole = all_of("/output?view=comments&author=Ines&limit=100")
    assert len(whole) > 3
    assert all_of("/output?view=comments&author=Ines&limit=1") == whole


def test_posts_that_were_found_stand_together_with_their_comments(viewer: PortalClient) -> None:
    shown = viewer.page("/output?view=together&q=hedge&year=2025")
    rows = [words(one) for one in shown.cssselect("tbody td[data-label=Kind]")]
    assert rows[0] == "post"
    assert "comment" in rows
    assert "What the hedge knows" in words(shown.cssselect("tbody th")[0])


def test_all_that_is_found_is_counted_not_only_the_first_page(viewer: PortalClient, standing: Standing) -> None:
    def told(asked: str) -> str:
        return words(viewer.page(f"/output?{asked}").cssselect("[role=status]")[0])

    every = len(standing.archive.store.posts.page(PostQuery(limit=100)).items)
    assert told("limit=5") == f"{every} posts"
    for asked in (
        "q=the",
        "tag=books",
        "author=Ines+Brandt&since=2015-01-01",
        "q=water&language=en",
        "tag=people&is=commented",
    ):
        [whole] = {told(f"{asked}&limit={limit}{order}") for limit in (2, 100) for order in ("", "&sort=newest")}
        assert whole.endswith("posts found")
    followed = told("q=the&limit=2")
    second = viewer.page(str(viewer.page("/output?q=the&limit=2").cssselect(".pager .next")[0].get("href")))
    assert words(second.cssselect("[role=status]")[0]) == followed


def test_what_is_hidden_is_not_counted(curator: PortalClient) -> None:
    shown = curator.page("/output?limit=5")
    curator.submitted(f"{shown.cssselect('.found h2 a')[0].get('href')}/hide", reason="a test")
    assert not curator.page("/output?limit=5").cssselect("main p[role=status]:not(.said)")


def test_the_posts_of_a_blog_lead_back_to_it(viewer: PortalClient, standing: Standing) -> None:
    [blog] = standing.archive.store.followed.page(FollowedQuery()).items
    crumb = viewer.page(f"/output?blog={blog.blog}").cssselect(".crumb a")[-1]
    assert (words(crumb), crumb.get("href")) == (blog.title, f"/sources/{blog.id}")
    assert not viewer.page("/output").cssselect(".crumb")
