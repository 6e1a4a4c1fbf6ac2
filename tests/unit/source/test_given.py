"""Lists of blogs as people have them: text, tables, OPML; a bad row is one sentence and costs no other."""

from __future__ import annotations

import io

import pytest

from blogforever.source.columns import field_named, named_columns
from blogforever.source.given import GivenRow
from blogforever.source.reading import given_as_addresses, given_in_file, given_in_paste
from blogforever.source.typed import addresses_in, given_address


def read(data: str | bytes, name: str = "") -> list[GivenRow]:
    return list(given_in_file(io.BytesIO(data.encode() if isinstance(data, str) else data), name))


def urls(rows: list[GivenRow]) -> list[str]:
    return [row.url for row in rows]


@pytest.mark.parametrize(
    ("line", "pieces"),
    [
        ("a.blog;b.blog,c.blog", ["a.blog", "b.blog", "c.blog"]),
        ("a.blog ; b.blog, c.blog", ["a.blog", "b.blog", "c.blog"]),
        ("https://a.blog/0,2817,1234.html", ["https://a.blog/0,2817,1234.html"]),
        ("https://a.blog/x;jsessionid=1.2", ["https://a.blog/x;jsessionid=1.2"]),
        ("http://a.blog/x,http://b.blog/y", ["http://a.blog/x", "http://b.blog/y"]),
        ("a.blog/x;b.blog/y;www.c.blog", ["a.blog/x", "b.blog/y", "www.c.blog"]),
        ("My blog - https://a.blog/x and http://b.blog", ["https://a.blog/x", "http://b.blog"]),
        ("a.blog b.blog", ["a.blog", "b.blog"]),
        ("some words", ["some words"]),
        (" ; ,", []),
    ],
)
def test_a_line_is_cut_where_an_address_ends(line: str, pieces: list[str]) -> None:
    assert list(addresses_in(line)) == pieces


@pytest.mark.parametrize(
    ("typed", "url"),
    [
        ("<https://a.blog/>", "https://a.blog/"),
        ('"a.blog"', "https://a.blog/"),
        ("http://a.blog/x.", "http://a.blog/x"),
        ("feed://a.blog/rss", "https://a.blog/rss"),
        ("feed:https://a.blog/rss", "https://a.blog/rss"),
        ("localhost:8000", "https://localhost:8000/"),
        ("http://127.0.0.1:81/x", "http://127.0.0.1:81/x"),
        ("münchen.example", "https://münchen.example/"),
    ],
)
def test_what_stands_around_an_address_is_no_part_of_it(typed: str, url: str) -> None:
    assert given_address(typed) == (url, "")


@pytest.mark.parametrize(
    ("typed", "word"),
    [
        ("", "no address"),
        ("hello", "names no host"),
        ("12.03.2024", "names no host"),
        ("a@b.example", "e-mail"),
        ("javascript:alert(1)", "begin with http"),
        ("ftp://a.blog/", "begin with http"),
        ("=HYPERLINK(A1)", "formula"),
        ("a\0b.example", "characters"),
        ("https://" + "a" * 9000, "so long"),
        ("https://-.example/", "names no host"),
        ("https://" + "a" * 64 + ".example", "names no host"),
    ],
)
def test_what_is_no_address_is_told_in_one_sentence(typed: str, word: str) -> None:
    url, problem = given_address(typed)
    assert url == ""
    assert word in problem
    assert problem.endswith(".")
    assert len(problem) < 200


def test_lines_comments_and_bad_rows() -> None:
    rows = list(given_in_paste("# my blogs\na.blog\n\nnot one\r\nb.blog;c.blog\n"))
    assert [(row.number, row.input) for row in rows] == [(1, "a.blog"), (2, "not one"), (3, "b.blog"), (4, "c.blog")]
    assert urls(rows) == ["https://a.blog/", "", "https://b.blog/", "https://c.blog/"]


def test_addresses_of_a_program_are_one_row_each() -> None:
    rows = list(given_as_addresses(["a.blog", "x;y", "b.blog/1,2"]))
    assert [(row.number, row.url) for row in rows] == [(1, "https://a.blog/"), (2, ""), (3, "https://b.blog/1,2")]


def test_cells_of_a_spreadsheet() -> None:
    rows = read("Blog\tURL\tSprache\nMeins\thttps://a.blog\tde\n\tkaputt\t\n\t\t\n")
    assert [(row.title, row.url, row.metadata.language) for row in rows] == [
        ("Meins", "https://a.blog/", "de"),
        ("",) * 3,
    ]
    assert rows[1].problem == "Row 3: 'kaputt' is not the address of a blog: it names no host."


def test_lines_between_cells_are_cut_like_other_lines() -> None:
    rows = read("a.blog/x; https://b.blog\nA name\thttps://c.blog\nd.blog;e.blog\tnice ones\nftp://f.blog/\n")
    assert urls(rows) == [
        *("https://a.blog/x", "https://b.blog/", "https://c.blog/"),
        *("https://d.blog/", "https://e.blog/", ""),
    ]
    assert rows[2].title == "A name"
    assert "does not begin with http" in rows[5].problem


def test_the_columns_of_the_spider_document() -> None:
    header = "Blog URLs;Language;Location;Topic;Author institution;Tags;Notes;Until"
    (row,) = read(f'{header}\na.blog;en;Bern;"Cats; dogs";ETH;"x, y";hm;2030-01-31\n')
    said = row.metadata
    assert (said.language, said.location, said.topic, said.institution) == ("en", "Bern", "Cats; dogs", "ETH")
    assert (row.tags, row.notes, row.until) == (("x", "y"), "hm", "2030-01-31")


@pytest.mark.parametrize(
    ("names", "fields"),
    [
        (["Adresse", "Titel", "Schlagworte"], ["url", "title", "tags"]),
        (["Adresse du blog", "Langue", "Mots-clés"], ["url", "language", "tags"]),
        (["Dirección web", "Título", "Institución"], ["url", "title", "institution"]),
        (["ссылка", "Язык", "Автор"], ["url", "language", "author"]),
        (["网址", "标题", "作者"], ["url", "title", "author"]),
        (["リンク", "タイトル", "言語"], ["url", "title", "language"]),
        (["رابط", "عنوان المدونة", "اللغة"], ["url", "title", "language"]),
        (["xmlUrl", "text", "author_kind"], ["feed", "title", "author_kind"]),
    ],
)
def test_columns_are_known_in_many_languages(names: list[str], fields: list[str]) -> None:
    assert [field_named(name) for name in names] == fields


def test_a_column_called_blog_is_the_address_where_no_other_is() -> None:
    assert named_columns(["Blog", "Language"]) == {"url": 0, "language": 1}
    assert named_columns(["Blog", "URL"]) == {"title": 0, "url": 1}


def test_a_heading_above_the_table_gives_nothing() -> None:
    rows = read("List of November\n\nName,Website\nMine,a.blog\n", "x.csv")
    assert [(row.title, row.url) for row in rows] == [("Mine", "https://a.blog/")]


def test_a_table_without_names_is_read_by_what_its_cells_hold() -> None:
    rows = read("a.blog,Mine\nYours,b.blog\nno address,here\n", "x.csv")
    assert [(row.title, row.url) for row in rows[:2]] == [("Mine", "https://a.blog/"), ("Yours", "https://b.blog/")]
    assert rows[2].problem == "Row 3: there is no address in it."


def test_a_missing_quote_costs_its_own_row_only() -> None:
    broken = 'url;title\na.blog;"x\n' + "".join(f"b{n}.blog;y\n" for n in range(100))
    rows = read(broken)
    assert urls(rows)[1:] == [f"https://b{n}.blog/" for n in range(100)]


def test_a_quoted_cell_may_have_several_lines() -> None:
    (first, second) = read('url,notes\na.blog,"one\ntwo"\nb.blog,\n')
    assert first.notes == "one\ntwo"
    assert second.url == "https://b.blog/"


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-32", "cp1252"])
def test_whatever_the_encoding(encoding: str) -> None:
    rows = read("url;title\r\na.blog;Café\r\nb.blog;x\r\n".encode(encoding))
    assert [(row.url, row.title) for row in rows] == [("https://a.blog/", "Café"), ("https://b.blog/", "x")]


def test_one_line_in_another_encoding_costs_no_other() -> None:
    rows = read(b"a.blog\n" + b"http://b.blog/caf\xe9\n" + "ü.example\n".encode())
    assert urls(rows) == ["https://a.blog/", "http://b.blog/café", "https://ü.example/"]


def test_an_outline_with_folders_and_categories() -> None:
    outline = """<?xml version="1.0"?><opml version="2.0"><head><title>Mine</title></head><body>
    <outline text="Science"><outline text="Bugs">
      <outline text="T &amp; U" xmlUrl="http://a.blog/feed?x=1&y=2" htmlUrl="http://a.blog/" category="/x/y,z"/>
    </outline></outline>
    <outline title="B" xmlUrl="http://b.blog/rss"/><outline xmlUrl="nothing"/></body></opml>"""
    first, second, third = read(outline)
    assert (first.url, first.title, first.tags) == ("http://a.blog/", "T & U", ("Science", "Bugs", "x", "y", "z"))
    assert first.feeds == ("http://a.blog/feed?x=1&y=2",)
    assert (second.url, second.title, second.tags, second.feeds) == ("http://b.blog/rss", "B", (), ())
    assert "nothing" in third.problem


def test_an_outline_with_entities_of_pages_and_without_its_root() -> None:
    outline = '<outline text="Caf&eacute; &harbour; &#8211; R&D" xmlUrl="http://a.blog/feed?x=1&copy=2"/>'
    whole, bare = read(f"<opml><body>{outline}</body></opml>")[0], read(f"<body>{outline}</body>")[0]
    assert whole.title == bare.title == "Café &harbour; – R&D"
    assert whole.url == "http://a.blog/feed?x=1&copy=2"


def test_other_files_are_told_apart() -> None:
    assert "before 2007" in read(b"\xd0\xcf\x11\xe0\xa1\xb1")[0].problem
    picture = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 4
    assert "is no list" in read(picture, "blogs.csv")[0].problem
    assert [row.url for row in read("https://a.blog/\n".encode("utf-16"))] == ["https://a.blog/"]
    assert "page or a feed" in read("<!doctype html><p>")[0].problem
    assert "page or a feed" in read('<?xml version="1.0"?><rss/>')[0].problem
    assert read("") == []


def test_a_file_with_a_mark_stays_open_for_whom_it_belongs_to() -> None:
    file = io.BytesIO(b"\xef\xbb\xbfhttps://a.example/\n")
    assert [row.url for row in given_in_file(file, "blogs.txt")] == ["https://a.example/"]
    assert not file.closed
