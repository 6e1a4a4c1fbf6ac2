"""Add, batches, lists and the block list: looked through before it happens, followed row by row, undone."""

from __future__ import annotations

import io
import zipfile
from dataclasses import replace

from lxml import html

from blogforever import clock
from blogforever.records import read_post
from blogforever.service.browsing import browse_posts
from blogforever.service.standing import Standing
from blogforever.storage.browsing import PostQuery
from blogforever.storage.following import FollowedQuery
from blogforever.storage.work import JobFilter
from server.visitor import PortalClient, words


def followed(standing: Standing) -> set[str]:
    return {blog.id for blog in standing.archive.store.followed.page(FollowedQuery()).items}


def preview(client: PortalClient, **fields: str) -> str:
    """Where the preview of a pasted list is."""
    answer = client.submit("/add/preview", **fields)
    assert answer.status_code == 303, answer.text
    place: str = answer.headers["location"]
    return place


def confirmed(client: PortalClient, place: str, answer: str = "add") -> str:
    """Where the batch is."""
    done = client.submit("/add/confirm", draft=place.rpartition("/")[2], answer=answer)
    assert done.status_code == 303, done.text
    path: str = done.headers["location"]
    return path


def test_the_box_of_every_screen_adds_one_address_at_once(curator: PortalClient, standing: Standing) -> None:
    form = curator.page("/sources").xpath("//form[@class='quick']")[0]
    assert (form.get("action"), form.xpath(".//input[@type='text']/@name")) == ("/add/quick", ["text"])
    told = words(curator.submitted("/add/quick", text="new.example/blog"))
    assert "followed from now on" in told
    assert any(name.startswith("new.example-blog") for name in followed(standing))
    assert "It is known already" in words(curator.submitted("/add/quick", text="https://new.example/blog/"))
    answer = curator.submit("/add/quick", text="a.example; b.example")
    assert answer.headers["location"].startswith("/batches/")


def test_what_cannot_be_added_is_said_on_the_form(curator: PortalClient, standing: Standing) -> None:
    curator.submitted("/blocked", what="bad.example", reason="spam")
    for path, fields, sentence in (
        ("/add/quick", {"text": "not an address"}, "address"),
        ("/add/quick", {"text": "https://bad.example/"}, "It is blocked: spam."),
        ("/add/quick", {}, "Write the address"),
        ("/add/preview", {"text": " "}, "Paste some addresses"),
    ):
        answer = curator.submit(path, **fields)
        assert answer.status_code == 422
        assert sentence in answer.text
    assert not [name for name in followed(standing) if "bad" in name]


def test_who_writes_words_where_addresses_belong_can_search_for_them(curator: PortalClient) -> None:
    page = html.fromstring(curator.submit("/add/quick", text=" hedge blackbird ").text)
    assert page.xpath("//*[@role='alert']//a/@href") == ["/output?q=hedge+blackbird"]
    page = html.fromstring(curator.submit("/add/quick").text)
    assert not page.xpath("//*[@role='alert']//a")


def test_a_pasted_list_is_shown_before_anything_happens_then_added_and_taken_back(
    curator: PortalClient, standing: Standing
) -> None:
    before = followed(standing)
    curator.submitted("/blocked", what="bad.example")
    text = "a.example\nb.example\nhttps://a.example/\nbad.example\nno address at all"
    place = preview(curator, text=text, list="Poets", tags="verse, rare", language="de")
    told = words(curator.page(place))
    for part in ("2 new", "1 known", "1 blocked", "1 no address", "the list Poets", "verse, rare", "Add 2 new blogs"):
        assert part in told
    assert followed(standing) == before
    batch = confirmed(curator, place)
    assert followed(standing) - before == {"a.example", "b.example"}
    found = curator.page(batch)
    assert "2 new blogs are followed from now on." in words(found)
    assert len(found.xpath("//tbody/tr")) == 5
    assert "a.example" in words(found)
    assert "1 known" in words(curator.page("/batches").xpath("//ul[@class='rows']/li")[0])
    blog = standing.archive.store.followed.find("a.example")
    assert blog is not None
    assert (blog.lists, blog.tags, blog.metadata.language) == (("Poets",), ("verse", "rare"), "de")
    undone = curator.submitted(f"{batch}/undo")
    assert "The batch was taken back" in words(undone)
    now = [words(row) for row in undone.xpath("//tbody/tr/td[4]")]
    assert now == ["taken back", "taken back", "", "", ""]
    assert followed(standing) == before
    assert curator.submit(f"{batch}/undo").status_code == 422


def test_a_row_of_which_nothing_came_is_looked_at_again_from_its_batch(
    curator: PortalClient, viewer: PortalClient, standing: Standing
) -> None:
    batch = confirmed(curator, preview(curator, text="a.example\nb.example", list="Poets"))
    store = standing.archive.store
    store.followed.change("a.example", lambda one: replace(one, state="failing", reason="nobody answers"))
    page = curator.page(batch)
    (row,) = page.xpath("//tbody/tr[.//button]")
    assert "nobody answers" in words(row)
    given = {one.get("name"): one.get("value") for one in row.xpath(".//input[@name!='form_token']")}
    assert given == {"deed": "look", "blog": "a.example", "back": batch}
    assert page.xpath("//p[@class='tally']//a/@href")[0].startswith("/sources?list=Poets&state=")
    assert not viewer.page(batch).xpath("//tbody//button")
    assert "Look now · 1 blog: done." in words(curator.submitted("/review/deed", **given))
    assert [job.blog for job in store.jobs.newest(JobFilter("waiting"), 9)] == ["a.example"]


def test_a_list_that_somebody_thinks_better_of_adds_nothing_and_is_gone(
    curator: PortalClient, standing: Standing
) -> None:
    before = followed(standing)
    place = preview(curator, text="a.example")
    assert confirmed(curator, place, "no") == "/add"
    assert followed(standing) == before
    assert curator.get(place).headers["location"] == "/add"


def test_the_preview_has_no_column_for_what_no_row_says(curator: PortalClient) -> None:
    said = "//th[.='What is said of it']"
    assert not curator.page(preview(curator, text="a.example\nb.example")).xpath(said)
    assert curator.page(preview(curator, text="a.example\nb.example", tags="verse")).xpath(said)


def workbook() -> bytes:
    from openpyxl import Workbook  # noqa: PLC0415  only here

    book, out = Workbook(), io.BytesIO()
    sheet = book.active
    assert sheet is not None
    sheet.append(["url", "title"])
    sheet.append(["https://sheet.example/", "From a sheet"])
    book.save(out)
    return out.getvalue()


def test_a_pasted_list_is_changed_before_it_is_added(curator: PortalClient) -> None:
    place = preview(curator, text="a.example\nno addres <at> all", list="Poets", tags="verse, rare", language="de")
    (change,) = curator.page(place).xpath("//main//a[starts-with(@href, '/add?draft=')]/@href")
    form = curator.page(str(change))
    assert form.xpath("string(//textarea[@name='text'])") == "a.example\nno addres <at> all"
    filled = {name: form.xpath(f"string(//input[@name='{name}']/@value)") for name in ("list", "tags", "language")}
    assert filled == {"list": "Poets", "tags": "verse, rare", "language": "de"}
    assert form.xpath("//details[@open]//input[@name='language']")
    # A file is changed where it lies; what is gone, or somebody else's, leaves the form empty.
    curator.submitted("/add/confirm", draft=place.rpartition("/")[2], answer="no")
    assert curator.page(str(change)).xpath("string(//textarea[@name='text'])") == ""


def test_files_of_every_kind_are_taken(curator: PortalClient, standing: Standing) -> None:
    opml = b'<opml version="2.0"><body><outline text="O" xmlUrl="https://opml.example/feed" type="rss"/></body></opml>'
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w") as packed:
        packed.writestr("x", "no workbook")
    files = {
        "blogs.csv": (b"url,tags\nhttps://csv.example/,x\n", "1 new"),
        "blogs.xlsx": (workbook(), "1 new"),
        "blogs.opml": (opml, "1 new"),
        "blogs.txt": (b"text.example\n", "1 new"),
        "broken.xlsx": (bomb.getvalue(), "1 no address"),
        "page.html": (b"<!doctype html><p>a page", "1 no address"),
    }
    headers = {"Origin": str(curator.base_url).rstrip("/")}
    for name, (data, told) in files.items():
        token = {"form_token": curator.form_token}
        answer = curator.post("/add/preview", data=token, files={"file": (name, data)}, headers=headers)
        assert answer.status_code == 303, (name, answer.text)
        page = words(curator.page(answer.headers["location"]))
        assert told in page, name
        assert f"Out of {name}" in page
    assert "csv.example" not in followed(standing)


def test_a_batch_is_told_row_by_row_until_all_are_settled(curator: PortalClient, standing: Standing) -> None:
    batch = confirmed(curator, preview(curator, text="a.example\nb.example"))
    assert "every 2s" in curator.get(batch).text
    part = curator.get(f"{batch}/now")
    assert "waiting" in part.text
    assert "<html" not in part.text
    standing.archive.store.followed.change("a.example", lambda one: replace(one, state="harvesting"))
    record = read_post(next(iter(browse_posts(standing.archive, PostQuery(limit=1)).lines)))
    run = standing.archive.store.runs.begin("a.example", clock.stamp())
    standing.archive.store.runs.add_candidate(run, "https://a.example/1", record)
    assert "1 page read" in curator.get(f"{batch}/now").text
    for blog in ("a.example", "b.example"):
        standing.archive.store.sources.judge(blog, "not-a-blog", "it is a shop")
    standing.archive.store.followed.drop(["a.example", "b.example"])
    settled = curator.get(f"{batch}/now").text
    assert "it is a shop" in settled
    assert "every" not in settled


def test_a_long_batch_is_paged_and_asked_for_seldom(curator: PortalClient, standing: Standing) -> None:
    text = "\n".join(f"b{number}.example" for number in range(60))
    batch = confirmed(curator, preview(curator, text=text))
    first = curator.page(batch)
    assert len(first.xpath("//tbody/tr")) == 50
    assert "new 60" in words(first)
    [following] = first.xpath("//nav[@class='pager']/a[@class='next']/@href")
    rest = curator.get(following)
    assert "b59.example" in rest.text
    assert "every 10s" in rest.text


def test_batches_are_listed_and_what_is_none_says_so(viewer: PortalClient) -> None:
    assert len(viewer.page("/batches").xpath("//ul[@class='rows']/li")) == 1
    assert "There is no such batch" in words(viewer.page("/batches/none", 404))
    assert viewer.get("/batches?after=%00").status_code == 422


def test_who_may_only_look_adds_nothing(viewer: PortalClient) -> None:
    assert viewer.get("/add").status_code == 403
    for path in ("/add/quick", "/add/preview", "/add/confirm", "/lists", "/blocked", "/lists/drop", "/blocked/undo"):
        assert (
            viewer.submit(path, text="a.example", draft="x", name="x", what="x.example", entry="x").status_code == 403
        )


# ------------------------------------------------------------------ lists, block list


def test_lists_are_made_described_dropped_and_handed_out(curator: PortalClient, standing: Standing) -> None:
    told = words(curator.submitted("/lists", name="Poets", remark="who write verse"))
    assert "who write verse" in told
    assert "Favourites" in told
    [bring] = curator.page("/lists").cssselect("td a[href='/add?list=Poets']")
    assert curator.page(str(bring.get("href"))).cssselect("#f-list")[0].get("value") == "Poets"
    for form, begins in (("opml", b"<?xml"), ("csv", b"\xef\xbb\xbfurl,"), ("xlsx", b"PK")):
        answer = curator.get(f"/lists/export?list=Favourites&format={form}")
        assert answer.content.startswith(begins)
        assert answer.headers["content-disposition"] == f'attachment; filename="Favourites.{form}"'
    assert curator.get("/lists/export").content.startswith(b"<?xml")
    assert curator.get("/lists/export?list=none").status_code == 422
    curator.submitted("/lists/drop", name="Poets")
    assert [one.name for one in standing.archive.store.lists.all()] == ["Favourites"]
    assert curator.submit("/lists", name="  ").status_code == 422


def test_what_is_blocked_rests_and_goes_on_when_it_is_undone(curator: PortalClient, standing: Standing) -> None:
    [blog] = standing.archive.store.followed.page(FollowedQuery()).items
    told = words(curator.submitted("/blocked", what=blog.url, kind="address", reason="asked not to be archived"))
    assert "1 followed blog rests now" in told
    assert "asked not to be archived" in told
    curator.submitted("/blocked", what="*casino*", kind="pattern")
    assert len(curator.page("/blocked?q=CASINO").xpath("//tbody/tr")) == 1
    assert "Nothing fits" in words(curator.page("/blocked?q=nowhere"))
    place = next(one for one in standing.archive.store.blocked.all() if one.reason)
    assert "1 blog goes on" in words(curator.submitted("/blocked/undo", entry=place.id))
    assert curator.submit("/blocked/undo", entry=place.id).status_code == 404
    assert curator.submit("/blocked", what="*").status_code == 422
    assert [deed.what for deed in standing.archive.store.audit.newest(3)] == ["unblock", "block", "block"]


def test_what_a_table_says_of_a_blog_is_seen_before_it_is_added(curator: PortalClient) -> None:
    table = b"Blog;Title;Tags;Language\nhttps://csv.example/;The Sea;tide, salt;es\n"
    headers = {"Origin": str(curator.base_url).rstrip("/")}
    token = {"form_token": curator.form_token}
    answer = curator.post("/add/preview", data=token, files={"file": ("blogs.csv", table)}, headers=headers)
    told = words(curator.page(answer.headers["location"]).xpath("//tbody/tr")[0])
    for said in ("The Sea", "Language: es", "tide", "salt"):
        assert said in told
