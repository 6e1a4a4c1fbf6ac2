"""How sure a field is said to be depends on the page it was read from, not on its rule alone."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from importlib.resources import files

import pytest

from blogforever.extract.bodies import DOUBTFUL
from blogforever.extract.confidence import rated, weighed_as
from blogforever.extract.post import extract_post
from blogforever.extract.signs import Signs, Surroundings, signs_of
from blogforever.model import Author, Entry, Link, Moment, Page, Post, Provenance, Rule, Rules, Template

SENTENCE = "The ferry left the island an hour late, and nobody on the quay seemed to mind at all."
TEXT = "\n".join([SENTENCE] * 20)
RULES = Rules("blog", (Template(article=Rule("div.body", "//div", confidence=0.95), pages=10),), full_feed=True)
WAYS = {name: Provenance("rule", "//div", 0.95) for name in ("html", "title", "authors", "published")}
POST = Post(
    url="https://blog.example/2019/03/the-late-ferry/",
    title="The late ferry",
    authors=(Author("Ada Quill"),),
    published=Moment("2019-03-04", "day"),
    text=TEXT,
    provenance=WAYS,
)
ENTRY = Entry(
    url=POST.url, title=POST.title, authors=POST.authors, published=POST.published, html=f"<p>{SENTENCE}</p>" * 20
)


def sureness(field: str, post: Post = POST, rules: Rules | None = RULES, entry: Entry | None = None) -> float:
    return rated(post, Surroundings(rules, entry, len(post.text))).provenance[field].confidence


def body_signs(text: str = TEXT, around: Surroundings | None = None, links: tuple[Link, ...] = ()) -> Signs:
    return signs_of(replace(POST, text=text, links=links), around or Surroundings(RULES))["html"]


def test_a_feed_that_tells_the_same_speaks_for_a_field_and_one_that_tells_another_against_it() -> None:
    other = replace(
        ENTRY,
        title="Bread without yeast",
        authors=(Author("Tom Reed"),),
        published=Moment("2020-01-01", "day"),
        html="<p>Flour, water, patience: whoever waits for both of them will be rewarded</p>" * 20,
    )
    same, others = (signs_of(POST, Surroundings(RULES, entry)) for entry in (ENTRY, other))
    for field in WAYS:
        assert same[field]["feed_says"] == 1, field
        assert others[field]["feed_says"] < -0.5, field


@pytest.mark.parametrize(
    ("sign", "text", "links"),
    [
        ("no_caption", "Read on", ()),
        ("long", SENTENCE, ()),
        ("no_dates", TEXT + "\nAda, 3 March 2019 14:05" * 9, ()),
        ("no_links", TEXT, (Link("https://blog.example/a", TEXT[: len(TEXT) // 2]),)),
        ("is_ended", TEXT + "\nRelated", ()),
    ],
)
def test_what_speaks_against_a_text(sign: str, text: str, links: tuple[Link, ...]) -> None:
    assert body_signs(text, links=links)[sign] < body_signs()[sign]


def test_a_small_part_of_the_element_or_of_the_page_speaks_against_a_text() -> None:
    whole = Surroundings(element_length=len(TEXT), page_words=len(TEXT.split()))
    part = Surroundings(element_length=9 * len(TEXT), page_words=9 * len(TEXT.split()))
    for sign in ("whole_element", "much_of_page"):
        assert body_signs(around=part)[sign] < body_signs(around=whole)[sign] == 0


def test_all_that_speaks_against_a_text_together_makes_it_doubtful() -> None:
    """And nothing that the same rule is worth elsewhere saves it."""
    comments = "Ada, 3 March 2019 14:05\nme too\n" * 3
    assert sureness("html", replace(POST, text=comments), replace(RULES, full_feed=False)) < 0.9 < sureness("html")


def test_the_address_speaks_of_title_and_date() -> None:
    other = replace(POST, url="https://blog.example/2011/07/bread-without-yeast/")
    signs, others = (signs_of(post, Surroundings(RULES)) for post in (POST, other))
    assert [(signs[name]["address_says"], others[name]["address_says"]) for name in ("title", "published")] == [
        (1, -1),
        (1, -1),
    ]


def test_what_is_not_known_is_silent() -> None:
    signs = signs_of(replace(POST, url="https://blog.example/?p=1"), Surroundings())
    silent = {
        "title": ("feed_says", "address_says"),
        "published": ("feed_says", "address_says"),
        "authors": ("feed_says", "only_author"),
        "html": ("feed_says", "whole_element", "much_of_page"),
    }
    assert all(signs[name][sign] == 0 for name, named in silent.items() for sign in named)


def test_a_reading_that_is_not_to_be_believed_stays_so_and_no_other_is_called_that() -> None:
    doubted = replace(POST, provenance={"html": Provenance("rule", "//div", 0.2)})
    assert sureness("html", doubted, entry=ENTRY) <= 0.2
    worst = replace(POST, text="x", provenance={"html": Provenance("generic", "div", DOUBTFUL)})
    assert sureness("html", worst, None) >= DOUBTFUL


def test_fields_without_signs_keep_what_their_way_is_worth() -> None:
    tagged = replace(POST, provenance={**WAYS, "tags": Provenance("feed", "entry categories", 0.9)})
    assert sureness("tags", tagged) == 0.9


def test_a_page_is_rated_where_it_is_read() -> None:
    html = f"<html><body><div class=body><p>{SENTENCE}</p><p>{SENTENCE}</p></div></body></html>"
    long, short = (
        extract_post(Page(POST.url, text.encode()), RULES) for text in (html, html.replace(SENTENCE, "Hear, hear"))
    )
    assert short.provenance["html"].confidence < long.provenance["html"].confidence < 1


def test_every_sign_has_a_weight_and_none_speaks_against_itself() -> None:
    weights = tomllib.loads((files("blogforever.extract") / "data/confidence.toml").read_text("utf-8"))
    guessed = replace(POST, provenance={"html": Provenance("generic", "div", 0.8)})
    read = [*signs_of(POST, Surroundings(RULES, ENTRY)).items(), *signs_of(guessed, Surroundings()).items()]
    named = {weighed_as(field, signs): signs for field, signs in read}
    assert set(weights) == set(named)
    for name, signs in named.items():
        assert set(weights[name]) == {"bias", *signs}
        assert min(weights[name][sign] for sign in signs) >= 0
