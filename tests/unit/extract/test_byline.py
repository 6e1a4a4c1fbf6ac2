"""Who wrote the article and under which tags, where the page says it in its own way."""

from __future__ import annotations

import pytest

from blogforever.extract.names import clean_name, is_placeholder, leads_to_person
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
        ("<span>Mira Holt</span> · <span>2 years ago</span>", "Mira Holt"),
    ],
)
def test_a_name_among_the_parts_of_a_dated_line(meta: str, name: str | None) -> None:
    authors = chosen(shown(meta)).get("authors", ())
    assert [author.name for author in authors] == ([name] if name else [])


@pytest.mark.parametrize(
    ("meta", "name"),
    [
        (
            '<i class="fa fa-user"></i> <a href="/m">Mira Holt</a> <i class="fa fa-folder"></i> <a href="/f">Fruit</a>',
            "Mira Holt",
        ),
        (
            '<i class="fa fa-user"></i> <a href="/m"></a> · <i class="fa fa-folder"></i> <a href="/f">Fruit Trees</a>',
            None,
        ),
        ('<i class="fa fa-user"></i> <a href="/f"><i class="fa fa-folder"></i> Fruit Trees</a>', None),
    ],
)
def test_a_name_behind_an_icon_but_not_what_stands_behind_the_next(meta: str, name: str | None) -> None:
    authors = chosen(shown(f"<div>{meta}</div>")).get("authors", ())
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


@pytest.mark.parametrize(
    ("line", "names"),
    [("By the sea, mostly at night.", []), ("By Mira Holt, mostly at night.", ["Mira Holt"]), ("by mira", ["mira"])],
)
def test_words_after_by_above_the_post(line: str, names: list[str]) -> None:
    post = f"<article><h2>Grafting pears</h2><div class='post-content'>{PARAGRAPHS}</div></article>"
    found = chosen(page(f"<div><h1><a href='/'>The Orchard</a></h1><p>{line}</p></div>{post}"))
    assert [author.name for author in found.get("authors", ())] == names


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
    cloud = "".join(f'<a rel="tag" href="/tags/{n}/">tag {n}</a> ' for n in range(30))
    found = chosen(
        shown("May 3, 2014", f"<div>{cloud}</div><div><a rel='category tag' href='/category/trade/'>Trade</a></div>")
    )
    assert (found.get("tags"), found.get("categories")) == (None, ("Trade",))


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


def test_a_line_in_an_aside_right_below_the_heading() -> None:
    found = chosen(
        page(f"""<main><h2>Grafting pears</h2><aside><p>published on 2014-05-03 · tagged with
        <a href="/tags/fruit.html">#fruit</a></p></aside>{PARAGRAPHS}</main>""")
    )
    assert found["published"].iso == "2014-05-03"
    assert found["tags"] == ("fruit",)
    assert "published" not in found["html"]


def test_tags_that_link_nowhere() -> None:
    tags = '<nav class="md-tags"><span class="md-tag">fruit</span> <span class="md-tag">old tools</span></nav>'
    badge = '<div><span class="tag">New</span></div>'
    found = chosen(page(f"<article>{tags}<h1>Grafting pears</h1>{PARAGRAPHS}</article>{badge}"))
    assert found["tags"] == ("fruit", "old tools")


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("كتبها أبو خالد في 04:47 مساء :: 2 أبريل 2023", "أبو خالد"),
        ("07/09 09:35:00 | by <a href='/?memberid=7'>Mira Holt</a> | May 3, 2014", "Mira Holt"),
        ("09:35:00, par <strong>Mira Holt</strong>, 345 mots, 3 mai 2014", "Mira Holt"),
    ],
)
def test_a_dated_line_names_who_wrote_what_begins_with_it(line: str, name: str) -> None:
    found = chosen(page(f"<div class='post'><div class='t'>Grafting pears</div><div>{line}</div>{PARAGRAPHS}</div>"))
    assert [author.name for author in found["authors"]] == [name]


def test_links_to_several_people_below_the_article_are_those_of_who_commented() -> None:
    said = "".join(
        f"<div><a href='/users/{name}/'>{name}</a> May 4, 2014<div>Fine.</div></div>" for name in ("Bo", "Ann")
    )
    assert "authors" not in chosen(shown("<span>May 3, 2014</span>", f"</article><div id='coms'>{said}</div>"))


def test_a_title_that_leads_into_a_persons_folder_names_nobody() -> None:
    found = chosen(
        page(f"""<div class="post"><h1><a href="/users/mira/post7/">Grafting pears</a></h1><span>May 3, 2014</span>
        <div class="post-content">{PARAGRAPHS}</div></div>""")
    )
    assert "authors" not in found


@pytest.mark.parametrize(
    "below",
    [
        "<div>Where did you buy it? Posted by Greta at 4 May 2014</div>",
        "<h2>Vos commentaires</h2><div>4 May 2014, par Greta</div><div>Where did you buy it?</div>",
    ],
)
def test_who_posted_a_comment_did_not_write_the_article(below: str) -> None:
    assert "authors" not in chosen(shown("<span>May 3, 2014</span>", f"</article>{below}"))


@pytest.mark.parametrize(
    "line",
    [
        "Geschrieben von Franz Holm.",
        "Skrivet av Astrid Holm",
        "Publicada por Editora Holm",
        "Escrita por Clarice Holm, 1962",
        "Napisany przez Marka Holma",
    ],
)
def test_who_wrote_what_a_post_ends_with_did_not_write_the_post(line: str) -> None:
    """A post about a book says so in its last line."""
    assert "authors" not in chosen(page(f"<article><h1>Grafting pears</h1>{PARAGRAPHS}<p>{line}</p></article>"))


@pytest.mark.parametrize("when", ["à 10:20", "à 10h20", "le 3 mai 2014"])
def test_who_posted_a_text_is_named_with_the_time_where_it_ends(when: str) -> None:
    line = f"Posté par mirabelle {when}"
    found = chosen(page(f"<article><h1>Grafting pears</h1>{PARAGRAPHS}<p>{line}</p></article>"))
    assert [author.name for author in found["authors"]] == ["mirabelle"]


@pytest.mark.parametrize("name", ["created-by", "published-by"])
def test_who_made_or_publishes_the_site_did_not_write_the_article(name: str) -> None:
    below = (
        f'<div class="{name}">Website {name.replace("-", " ")} <a href="https://acre.example/">Acre Studio</a></div>'
    )
    found = chosen(page(f"<article><h1>Grafting pears</h1><p>By Mira Holt</p>{PARAGRAPHS}</article>{below}"))
    assert [author.name for author in found["authors"]] == ["Mira Holt"]


def test_the_name_beside_its_label_in_a_box_about_the_licence() -> None:
    box = "<p><span>Author</span><span>Ada Quill</span></p><p><span>License</span><span>CC BY 4.0</span></p>"
    found = chosen(
        page(f"<main><h2>Grafting pears</h2>{PARAGRAPHS}<div class='post-copyright'>{box}</div></main>"),
    )
    assert [author.name for author in found["authors"]] == ["Ada Quill"]


def test_a_day_behind_that_of_an_edit_is_when_it_was_published() -> None:
    found = chosen(shown("Updated June 9, 2014 / May 3, 2014"))
    assert found["published"].iso == "2014-05-03"
    assert found["modified"].iso == "2014-06-09"


@pytest.mark.parametrize(
    "line",
    [
        "<span>Written By <b>Mira Holt</b></span><span>May 3, 2014</span>",
        "Published on May 3, 2014 by Mira Holt. Last edited on June 9, 2014",
        "By Mira Holt Saturday, May 3, 2014",
    ],
)
def test_a_name_ends_at_the_day_behind_it_or_with_its_sentence(line: str) -> None:
    found = chosen(page(f"<div><h1>Grafting pears</h1><div>{line}</div><div class='text'>{PARAGRAPHS}</div></div>"))
    assert [author.name for author in found["authors"]] == ["Mira Holt"]


@pytest.mark.parametrize("name", ["J. R. Holt", "Prof. Mira Holt", "Mira St. John"])
def test_a_full_stop_in_a_name_ends_it_not(name: str) -> None:
    assert [author.name for author in chosen(shown(f"May 3, 2014 by {name}"))["authors"]] == [name]


def test_days_in_cards_of_other_posts_are_not_that_of_the_article() -> None:
    def card(day: int) -> str:
        title = f"<a href='/p/{day}'>What else happened</a><div>Some words that it begins with…</div>"
        stamp = f"<time datetime='2013-02-{day}T09:00:00+00:00'>Feb {day}</time>"
        return f"<div class='preview'>{title}<div class='meta'>{stamp} • Otto Brand</div></div>"

    head = "<h1>Grafting pears</h1><h3>How it is done</h3><div><div>Mira Holt</div><div>May 3, 2014</div></div>"
    text = f"<article class='post'>{head}<div class='body'>{PARAGRAPHS[:200]}</div></article>"
    cards = f"<div class='more'>{card(11)}{card(12)}{card(13)}</div>"
    found = chosen(page(f"<div class='single-post-container'>{text}<div>{cards}</div></div>"))
    assert found["published"].iso == "2014-05-03"


@pytest.mark.parametrize("label", ["Filed in", "Posted under", "Tagged with", "Veröffentlicht in"])
def test_links_behind_words_that_file_are_tags(label: str) -> None:
    found = chosen(
        shown("May 3, 2014", f"<p>{label} <a href='/about/fruit'>Fruit</a>, <a href='/about/wood'>Wood</a></p>")
    )
    assert [*found.get("tags", ()), *found.get("categories", ())] == ["Fruit", "Wood"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Mira Holt - https://holt.example/", "Mira Holt"),
        ("Mira Holt <mira@holt.example>", "Mira Holt"),
        ("by Mira Holt (mailto:mira@holt.example)", "Mira Holt"),
        ("Mira Holt | www.holt.example", "Mira Holt"),
        ("mira@holt.example", None),
        ("https://holt.example/", None),
    ],
)
def test_an_address_behind_a_name_is_no_part_of_it(text: str, name: str | None) -> None:
    assert clean_name(text) == name


@pytest.mark.parametrize(
    "words",
    ["Erstellt von", "Veröffentlicht von", "Geplaatst door", "Publicat de", "Udgivet af", "Inserito da", "Đăng bởi"],
)
def test_what_was_done_by_whom_is_no_part_of_the_name(words: str) -> None:
    assert clean_name(f"{words} Mira Holt") == "Mira Holt"


@pytest.mark.parametrize(
    ("text", "name"),
    [("by Mira H.", "Mira H."), ("Ελένη Σ.", "Ελένη Σ."), ("Mira Holt.", "Mira Holt"), ("Mira H", "Mira H")],
)
def test_the_full_stop_behind_an_initial_is_a_part_of_the_name(text: str, name: str) -> None:
    assert clean_name(text) == name


@pytest.mark.parametrize("link", ["permalink", "#", "link"])
def test_a_link_behind_the_name_is_no_part_of_it(link: str) -> None:
    line = f"<p>posted by Mira Holt <a href='/x.html#a1'>{link}</a></p>"
    body = f"<div class='item'><h3>Grafting pears</h3>{PARAGRAPHS}{line}</div>"
    assert chosen(page(body))["authors"] == (Author("Mira Holt"),)


def test_an_account_behind_the_word_that_signs_stays() -> None:
    body = f"<div class='item'><h3>Grafting pears</h3>{PARAGRAPHS}<p>posted by <a href='/u/m'>miraholt</a></p></div>"
    assert chosen(page(body))["authors"][0].name == "miraholt"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("More posts by Ada Quill", "Ada Quill"),
        ("Новости от Анна Ветрова", "Анна Ветрова"),
        ("alle beiträge von Otto Berg", "Otto Berg"),
        ("durch Mira Holt", "Mira Holt"),
        ("Otto von Berg Stein", "Otto von Berg Stein"),
        ("Death by Chocolate", "Death by Chocolate"),
    ],
)
def test_a_name_behind_what_leads_to_all_posts_of_who_has_it(text: str, name: str) -> None:
    assert clean_name(text) == name


@pytest.mark.parametrize(
    ("line", "filed"),
    [
        ("Publié dans : <a href='/p-1.html'>Pain</a>, <a href='/p-2.html'>Sel</a>", ["Pain", "Sel"]),
        (
            "Publié dans : <a href='/p-1.html'>Pain</a> - <a href='#c'>Écrire</a> - <a href='/r'>Recommander</a>",
            ["Pain"],
        ),
        ("Filed under <a href='/tags#pain'>Pain</a>, <a href='/tags#sel'>Sel</a>", ["Pain", "Sel"]),
        ("<small><a href='/index.php?catid=3'>Pain</a></small>", ["Pain"]),
        ("<a href='/categorie-pain.html'>Pain</a>", ["Pain"]),
    ],
    ids=["behind a colon", "up to a link to comments", "in a list of all tags", "by a number", "by a file"],
)
def test_what_a_post_is_filed_under_below_the_text(line: str, filed: list[str]) -> None:
    fields = chosen(shown("May 3, 2014", below=f"<p>{line}</p>"))
    assert sorted((*fields.get("tags", ()), *fields.get("categories", ()))) == filed


def test_the_hour_behind_a_name_is_no_part_of_it() -> None:
    meta = "postato da: gabbianella77 alle ore 20:10"
    assert [author.name for author in chosen(shown(meta)).get("authors", ())] == ["gabbianella77"]


def test_a_menu_above_a_dated_foot_files_no_post() -> None:
    links = (
        "<a href='./index.html'>Blog Index</a> • <a href='./tags/index.html'>Posts by Tag</a> • <a href='/'>Home</a>"
    )
    menu = f"<p>{links}</p>"
    tags = "<p class='post-tags'>Tags: <a href='tags/pears.html'>pears</a></p>"
    found = chosen(
        page(
            f"<div id='top'>{menu}</div><div class='post'><h1>Grafting pears</h1><p>Posted 2014-05-03</p>{PARAGRAPHS}"
            f"{tags}</div><div id='end'>{menu}<p>Copyright 2007-2021 (modified: Mon Jun 28 22:37:01 UTC 2021)</p></div>"
        )
    )
    assert (found["tags"], found.get("categories", ())) == (("pears",), ())


@pytest.mark.parametrize("label", ["文章作者：", "本文作者：", "著者："])
def test_words_that_lead_to_the_name_in_a_box_about_the_licence(label: str) -> None:
    rows = f"<li><strong>{label}</strong>林远舟</li><li><strong>许可：</strong>CC BY 4.0</li>"
    assert chosen(shown("2014-05-03", f"<ul class='post-copyright'>{rows}</ul>"))["authors"] == (Author("林远舟"),)


@pytest.mark.parametrize(
    ("meta", "categories"),
    [
        ("<time>2014-05-03</time><span class='article__category'>Old trees</span>", ("Old trees",)),
        ("<time>2014-05-03</time><span class='category'>Category</span>", ()),
        ("<span class='category'>Old trees</span> <span class='category'>Young trees</span>", ()),
        ("<time>2014-05-03</time>", ()),
    ],
)
def test_the_category_above_the_text_that_links_nowhere(meta: str, categories: tuple[str, ...]) -> None:
    cards = "<div class='more'><span class='category'>Tools</span> <a href='/p/1'>A knife of one's own</a></div>"
    assert chosen(shown(meta, cards)).get("categories", ()) == categories


@pytest.mark.parametrize(
    ("href", "is_person"),
    [
        ("/member/1", True),
        ("/writers/newman", True),
        ("/index.php?author=2", True),
        ("/members/login.php?to=1", False),
        ("/users/sign_in", False),
        ("/user/abologin/", False),
        ("/user/forgot/", False),
        ("/members/mregist.php?to=1", False),
        ("/members/update.php", False),
        ("/user/show.php?id=7", True),
        ("/people/ann/posts", False),
    ],
)
def test_the_pages_of_people_are_told_from_doors(href: str, is_person: bool) -> None:
    assert leads_to_person(href) is is_person


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("By Mira Holt Tags: pears, knives", ["Mira Holt"]),
        ("by Mira Holt / Category: Trees", ["Mira Holt"]),
        ("作者：林远舟 责任编辑：周明", ["林远舟"]),
        ("作者：未知　　责任编辑：周明", []),
        ("The views expressed by the author are personal.", []),
        ("Gespeichert von mira am 3. Mai 2014", ["mira"]),
    ],
)
def test_a_label_behind_a_name_is_no_part_of_it_and_no_label_is_a_name(line: str, names: list[str]) -> None:
    authors = chosen(shown(line)).get("authors", ())
    assert [author.name for author in authors] == names


@pytest.mark.parametrize("label", ["More from this author", "All articles by the author", "The author", "佚名"])
def test_a_label_of_a_link_is_nobodys_name(label: str) -> None:
    assert is_placeholder(label)


def test_the_name_and_the_day_as_drupal_marks_them_and_not_those_of_another_article() -> None:
    def signed(name: str, day: str) -> str:
        who = f"<span class='username' typeof='sioc:UserAccount' property='foaf:name'>{name}</span>"
        what = "property='dc:date dc:created' datatype='xsd:dateTime' rel='sioc:has_creator'"
        return (
            f"<footer><p><span {what} content='{day}T16:22:01+02:00'>Ein Beitrag von {who}, im Mai</span></p></footer>"
        )

    own = f"{signed('Mira Holt', '2014-05-03')}<header><h2>How it is done in spring</h2></header>"
    other = f"<article class='paper'>{signed('Otto Brand', '2012-03-07')}<h3><a href='/7'>Old knives</a></h3></article>"
    found = chosen(
        page(f"<h1>Grafting pears</h1><div><article>{own}<div>{PARAGRAPHS}</div></article><div>{other}</div></div>")
    )
    assert found["published"].iso == "2014-05-03T16:22:01+02:00"
    assert [author.name for author in found["authors"]] == ["Mira Holt"]
