"""A post is cited so that programs read it: nothing of it ends a field or begins another."""

from __future__ import annotations

import json

from blogforever.export.citing import CITATION_FORMS, as_bibtex, as_csl, as_ris, cited, with_own_keys
from server.somerecords import some_post

POST = some_post(
    title="The {Big}\n& sea",
    url="https://b.example/x_{1}",
    authors=[{"name": "Ann Lee"}],
    published="2012-03-04T05:06:07+02:00",
    language="en",
    sources=[{"url": "https://b.example/", "captured": "2020-01-02T03:04:05Z"}],
)


def test_bibtex_has_each_field_in_braces_of_its_own() -> None:
    text = as_bibtex(cited(POST, "A blog"))
    assert text.startswith("@online{lee2012,\n")
    assert "  title = {{The \\{Big\\} \\& sea}},\n" in text
    assert "  date = {2012-03-04},\n" in text
    assert "  month = {mar},\n" in text
    assert "  url = {https://b.example/x_%7B1%7D},\n" in text
    assert "  urldate = {2020-01-02},\n" in text


def test_ris_has_one_line_for_each_field() -> None:
    lines = as_ris(cited(POST, "A blog")).split("\r\n")
    assert lines[:4] == ["TY  - BLOG", "TI  - The {Big} & sea", "AU  - Ann Lee", "T2  - A blog"]
    assert "DA  - 2012/03/04" in lines
    assert lines[-2:] == ["ER  - ", ""]


def test_csl_is_json_without_what_is_not_known() -> None:
    (item,) = json.loads(as_csl(cited(POST, "A blog")))
    assert item["issued"] == {"date-parts": [[2012, 3, 4]]}
    assert item["accessed"] == {"date-parts": [[2020, 1, 2]]}
    (bare,) = json.loads(as_csl(cited(some_post(published="no day"), "")))
    assert bare.keys() == {"id", "type", "title", "URL"}


def test_two_posts_never_share_a_key() -> None:
    keys = [post.key for post in with_own_keys([cited(POST, "A blog")] * 3)]
    assert keys == ["lee2012", "lee2012-2", "lee2012-3"]


def test_many_citations_are_one_document_in_each_form() -> None:
    posts = list(with_own_keys([cited(POST, "A blog")] * 2))
    written = {name: "".join(form.many(posts)) for name, form in CITATION_FORMS.items()}
    assert written["bibtex"].count("@online{") == 2
    assert written["ris"].count("ER  - \r\n") == 2
    assert [item["id"] for item in json.loads(written["csl"])] == ["lee2012", "lee2012-2"]
    assert json.loads("".join(CITATION_FORMS["csl"].many([]))) == []
