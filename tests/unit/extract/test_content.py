from __future__ import annotations

import pytest

from blogforever.extract.content import content_of, letters, media_names
from blogforever.model import MediaRef, Post
from server.somerecords import some_post


def digest(**fields: object) -> str:
    return content_of(some_post(**{"title": "A title", "text": "Some words"} | fields)).digest


@pytest.mark.parametrize(
    "text", ["Some\n\nwords", " Some words ", "So\u00adme words", "Some\u00a0words", "Some \u200bwords"]
)
def test_the_look_of_a_text_is_not_its_content(text: str) -> None:
    assert digest(text=text) == digest()


@pytest.mark.parametrize("fields", [{"text": "Some words."}, {"title": "Another"}, {"media": [{"url": "/a.jpg"}]}])
def test_what_the_author_changes_is(fields: dict[str, object]) -> None:
    assert digest(**fields) != digest()


def test_a_post_and_its_record_have_the_same_content() -> None:
    post = Post("https://b.example/", title="A title", text="Some words", media=(MediaRef("/a.jpg"),))
    assert content_of(post).digest == digest(media=[{"url": "/a.jpg"}])


def test_quotes_and_dashes_are_filters_work() -> None:
    assert letters("“It’s here” – at last …") == letters('"It\'s here" - at last ...')


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("http://a.example/up/cat-300x200.jpg", "https://cdn.example/up/cat-1024x768.jpg?ssl=1"),
        ("https://a.example/cat.jpg", "https://a.example/i/cat-scaled.JPG"),
        ("/img/cat.3f2a9c81d0.png", "/img/cat.99aa77bb11.png"),
        ("/img/cat_hu1a2b3c_300x0_resize_q75.jpg", "/img/cat.jpg"),
        ("https://bp.example/s320/cat.jpg", "https://bp.example/s1600/cat.jpg"),
    ],
)
def test_one_picture_in_many_sizes(one: str, other: str) -> None:
    assert media_names([one]) == media_names([other])


def test_pictures_that_differ() -> None:
    assert media_names(["/cat-1.jpg"]) != media_names(["/cat-2.jpg"])
    assert media_names(["https://v.example/embed/a1"]) != media_names(["https://v.example/embed/a2"])
    assert media_names(["data:image/png;base64,xx", "https://s.example/images/core/emoji/14/72x72/1f600.png"]) == set()
