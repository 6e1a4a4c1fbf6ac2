"""Who wrote the article and under which tags, where the page says it in its own way."""

from __future__ import annotations

import pytest

from blogforever.model import Author

from .test_fallback import PARAGRAPHS, chosen, page


def shown(meta: str, below: str = "") -> str:
    return page(
        f"""<article><h1>Grafting pears</h1><div class="post-meta">{meta}</div>
        <div class="post-content">{PARAGRAPHS}</div>{below}</article>"""
    )


@pytest.mark.parametrize(
    ("meta", "name"),
    [
        ("<span>May 3, 2014</span> · 4 min · Mira Holt", "Mira Holt"),
        (
            "<span>May 3, 2014</span> · <span>4 min</span> · <span>Mira Holt</span> | <a href='/edit'>Edit</a>",
            "Mira Holt",
        ),
        ("<span>May 3, 2014</span> · 4 min", None),
        ("<span>May 3, 2014</span> · <a href='/c/fruit'>Fruit Trees</a>", None),
        ("<span>May 3, 2014</span> · Mira Holt · Otto Brand", None),
        ("4 min · Mira Holt", None),
    ],
)
def test_a_name_among_the_parts_of_a_dated_line(meta: str, name: str | None) -> None:
    authors = chosen(shown(meta)).get("authors", ())
    assert [author.name for author in authors] == ([name] if name else [])


def test_the_name_inside_what_is_marked_as_the_person() -> None:
    meta = """May 3, 2014 <div itemprop="author" itemscope><a href="/m"><span itemprop="name">Mira Holt</span></a>
    <small itemprop="description">Keeper of trees</small></div>"""
    assert chosen(shown(meta))["authors"][0].name == "Mira Holt"


@pytest.mark.parametrize("tag", ["aside", "footer", "div"])
def test_a_by_line_in_an_element_of_the_margin(tag: str) -> None:
    found = chosen(
        page(f"""<div class="post"><h1>Grafting pears</h1>
        <{tag} class="entry-meta"><a rel="author" href="/a/m">Mira Holt</a> <span>May 3, 2014</span></{tag}>
        <div class="post-content">{PARAGRAPHS}</div></div>""")
    )
    assert found["authors"][0].name == "Mira Holt"
    assert found["published"].iso == "2014-05-03"


@pytest.mark.parametrize("text", ["miraholt77", "m1ra", "77_holt"])
def test_accounts_may_have_digits(text: str) -> None:
    assert chosen(shown(f"<span class='author'>{text}</span>"))["authors"] == (Author(text),)


@pytest.mark.parametrize("text", ["3 May 2014", "May 3rd", "12 views", "5min read", "2014年5月3日"])
def test_numbers_in_the_place_of_a_name_are_none(text: str) -> None:
    assert "authors" not in chosen(shown(f"<span class='author'>{text}</span>"))


def test_cards_of_other_posts_do_not_outvote_the_by_line() -> None:
    cards = "".join(
        f"<div><a href='/p{n}'>Another tale</a> <span class='xy-card-author'>Otto Brand</span></div>" for n in range(4)
    )
    found = chosen(shown("<h4 class='xy-article-author-name'>Mira Holt</h4> May 3, 2014", cards))
    assert found["authors"] == (Author("Mira Holt"),)


LINKS = (
    '<a href="/tags/pears/">#pears</a> <a href="/tags/old-tools/">old tools</a> <a href="/categories/work/">Work</a>'
)


def test_tags_by_where_their_links_lead() -> None:
    found = chosen(shown("May 3, 2014", f"<div>{LINKS}</div>"))
    assert (found["tags"], found["categories"]) == (("pears", "old tools"), ("Work",))


def test_a_cloud_of_all_tags_is_not_the_posts() -> None:
    cloud = "".join(f'<a href="/tags/{n}/">tag {n}</a> ' for n in range(30))
    assert "tags" not in chosen(shown("May 3, 2014", f"<div>{cloud}</div>"))


@pytest.mark.parametrize("name", ["footer-tags", "panel-footer", "rating-tags"])
def test_tags_in_a_part_of_the_by_line_that_is_called_a_footer(name: str) -> None:
    filed = f'<span class="{name}">Filed <a rel="tag" href="/t/pears">pears</a></span>'
    assert chosen(shown(f"May 3, 2014 {filed}"))["tags"] == ("pears",)


@pytest.mark.parametrize(
    ("places", "categories"),
    [
        (["/category/trees/"], ("Shelf 0",)),
        (["/category/trees/", "/category/trees/pears/"], ("Shelf 0", "Shelf 1")),
        (["/category/trees/", "/category/tools/"], None),
    ],
)
def test_categories_beside_marked_tags_unless_they_are_a_menu(
    places: list[str], categories: tuple[str, ...] | None
) -> None:
    above = " › ".join(f'<a href="{place}">Shelf {n}</a>' for n, place in enumerate(places))
    found = chosen(shown(f'{above} May 3, 2014 <a rel="tag" href="/t/pears">pears</a>'))
    assert found["tags"] == ("pears",)
    assert found.get("categories") == categories


@pytest.mark.parametrize("name", ["datetime", "data-timestamp", "data-utime"])
def test_a_date_for_machines_behind_a_title_that_is_none(name: str) -> None:
    found = chosen(shown(f'<time title="When it was written" {name}="2014-05-03T08:00:00Z">last spring</time>'))
    assert found["published"].iso.startswith("2014-05-03")
