from __future__ import annotations

from typing import Any

from blogforever.learn.postpages import Evidence, TemplateModel, Vocabulary, post_score, survey


def evidence(url: str, **more: Any) -> Evidence:
    values: dict[str, Any] = {
        "title": "t",
        "length": 500,
        "fits": True,
        "date_by": "rule",
        "address": 2.0,
        "matches": True,
    }
    return Evidence(url, **(values | more))


def blog_of_posts_and_lists() -> tuple[list[Evidence], Vocabulary]:
    words = Vocabulary()
    posts = [evidence(f"p{n}", in_feed=True, template=words.mask(["entry", "single", "nav"])) for n in range(6)]
    lists = [evidence(f"l{n}", kind="list", template=words.mask(["entry", "archive", "nav"])) for n in range(6)]
    return posts + lists, words


def test_a_page_like_the_feeds_pages_is_a_post() -> None:
    pages, words = blog_of_posts_and_lists()
    blog = survey(pages, date_rule=True)
    assert post_score(evidence("x", template=words.mask(["entry", "single", "nav"])), blog) > 0


def test_what_the_feed_names_is_a_post_whatever_it_looks_like() -> None:
    pages, _ = blog_of_posts_and_lists()
    assert post_score(evidence("x", in_feed=True, kind="list", length=0), survey(pages, date_rule=True)) > 0


def test_an_about_page_in_the_feed_is_none_unless_it_has_a_date() -> None:
    pages, _ = blog_of_posts_and_lists()
    blog = survey(pages, date_rule=True)
    assert post_score(evidence("x", in_feed=True, kind="static", published="0001-01-01"), blog) < 0
    assert post_score(evidence("x", in_feed=True, kind="static", published="2013-01-01"), blog) > 0


def test_static_pages_without_the_blogs_date_are_none() -> None:
    pages, words = blog_of_posts_and_lists()
    blog = survey(pages, date_rule=True)
    page = evidence("x", date_by="generic", address=-3.0, template=words.mask(["entry", "single", "nav"]))
    assert post_score(page, blog) <= 0


def test_a_page_called_thanks_is_a_post_where_a_list_and_the_date_say_so() -> None:
    pages, words = blog_of_posts_and_lists()
    blog = survey(pages, date_rule=True)
    template = words.mask(["entry", "single", "nav"])
    shown = {"kind": "static", "address": -3.0, "template": template, "is_beside_posts": True, "listed": True}
    assert post_score(evidence("x", **shown), blog) > 0
    for lacks in ({"listed": False}, {"is_beside_posts": False}, {"date_by": "generic"}, {"says_page": True}):
        assert post_score(evidence("x", **(shown | lacks)), blog) < 0


def test_lists_and_marked_pages_are_none() -> None:
    pages, words = blog_of_posts_and_lists()
    blog = survey(pages, date_rule=True)
    post = words.mask(["entry", "single", "nav"])
    assert post_score(evidence("x", kind="list", template=post), blog) < 0
    assert post_score(evidence("x", says_other=True, template=post), blog) < 0
    assert post_score(evidence("x", heading_links=9, template=words.mask(["entry", "archive"])), blog) < 0


def test_an_empty_page_is_none() -> None:
    pages, _ = blog_of_posts_and_lists()
    assert post_score(Evidence("x", address=2.0), survey(pages, date_rule=False)) < 0


def test_a_blog_whose_posts_are_a_type_of_its_own_is_not_emptied() -> None:
    pages = [evidence(f"p{n}", in_feed=True, says_other=True) for n in range(4)]
    assert post_score(evidence("x", says_other=True), survey(pages, date_rule=True)) > 0


def test_template_model_knows_nothing_without_both_sides() -> None:
    assert TemplateModel([3, 3], []).score(3) == 0.0
    assert TemplateModel([], [3]).score(3) == 0.0
    model = TemplateModel([0b01] * 5, [0b10] * 5)
    assert model.score(0b01) > 0 > model.score(0b10)


def test_vocabulary_is_bounded() -> None:
    words = Vocabulary()
    mask = words.mask(f"w{n}" for n in range(10_000))
    assert mask.bit_length() <= 3000
    assert words.mask(["w1"]) == words.mask(["w1", "w9999"])


def test_where_every_post_shows_its_date_a_page_without_one_needs_a_list_that_has_it_as_an_entry() -> None:
    pages, words = blog_of_posts_and_lists()
    blog = survey(pages, date_rule=True)
    like_a_post = {"address": 1.5, "date_by": "", "template": words.mask(["entry", "single", "nav"])}
    assert blog.always_dated
    assert post_score(evidence("https://b.example/crew/", **like_a_post), blog) < 0
    assert post_score(evidence("https://b.example/crew/", listed=True, **like_a_post), blog) > 0


def test_a_page_with_a_posts_address_and_nothing_to_read_is_none() -> None:
    pages, words = blog_of_posts_and_lists()
    blog = survey(pages, date_rule=True)
    template = words.mask(["entry", "single", "nav"])
    dated = {"address": 3.0, "date_by": "generic", "template": template}
    assert post_score(evidence("https://b.example/2013/03/soon/", length=9, fits=False, **dated), blog) <= 0
    assert post_score(evidence("https://b.example/2013/03/late/", length=400, **dated), blog) > 0


def declaring(words: str) -> frozenset[str]:
    return frozenset(words.split())


def blog_that_declares(posts: str, lists: str) -> list[Evidence]:
    sure = [evidence(f"p{n}", in_feed=True, declared=declaring(posts)) for n in range(6)]
    return sure + [evidence(f"l{n}", kind="list", declared=declaring(lists)) for n in range(3)]


def test_a_page_that_calls_itself_what_lists_do_is_no_post_where_posts_say_another_word() -> None:
    blog = survey(blog_that_declares("og:article ld:Organization", "og:website ld:Organization"), date_rule=True)
    assert post_score(evidence("x", declared=declaring("og:website ld:Organization")), blog) < 0
    assert post_score(evidence("x", declared=declaring("og:article ld:Organization")), blog) > 0


def test_silence_another_word_or_the_address_of_a_dated_post_is_nothing_against_a_page() -> None:
    blog = survey(blog_that_declares("og:article", "og:website"), date_rule=True)
    assert post_score(evidence("x"), blog) > 0
    assert post_score(evidence("x", declared=declaring("og:video")), blog) > 0
    assert post_score(evidence("http://b/2013/03/x.html", declared=declaring("og:website")), blog) > 0


def test_what_pages_call_themselves_says_nothing_where_posts_and_lists_say_the_same() -> None:
    blog = survey(blog_that_declares("og:website", "og:website"), date_rule=True)
    assert post_score(evidence("x", declared=declaring("og:website")), blog) > 0


def test_types_for_search_engines_tell_pages_from_posts_too() -> None:
    blog = survey(blog_that_declares("ld:WebPage ld:BlogPosting", "ld:WebPage ld:CollectionPage"), date_rule=True)
    assert post_score(evidence("x", declared=declaring("ld:WebPage")), blog) < 0
    assert post_score(evidence("x", declared=declaring("ld:WebPage ld:Recipe")), blog) > 0


def test_posts_that_show_other_posts_and_no_date_are_known_by_the_blogs_lists() -> None:
    undated: dict[str, Any] = {"date_by": "", "heading_links": 4}
    posts = [evidence(f"p{n}", listed=True, **undated) for n in range(6)]
    home = evidence("/", kind="home", heading_links=6)
    blog = survey([*posts, home], date_rule=False)
    assert all(post_score(post, blog) > 0 for post in posts)
    assert post_score(evidence("x", address=-1.5, matches=False, **undated), blog) < 0


def test_a_page_without_title_and_text_is_a_post_where_all_else_is_as_in_posts() -> None:
    pages, words = blog_of_posts_and_lists()
    blog = survey(pages, date_rule=True)
    blank = {"title": None, "length": 0, "template": words.mask(["entry", "single", "nav"])}
    assert post_score(evidence("x", **blank), blog) > 0
    for lacks in ({"matches": False}, {"fits": False}, {"date_by": "generic"}):
        assert post_score(evidence("x", **(blank | lacks)), blog) < 0


def test_an_entry_of_a_list_that_reads_like_the_one_post_told_is_a_post_in_whatever_folder_it_lies() -> None:
    told = evidence("/life/a-walk", in_feed=True, fits=True, date_by="rule", address=2.0)
    blog = survey([told, evidence("/", kind="home", length=0)], date_rule=True)
    other = {"matches": False, "fits": True, "date_by": "rule", "address": -3.0, "template": 0}
    assert post_score(evidence("/tech/a-saw", listed=True, **other), blog) > 0
    assert post_score(evidence("/shop/a-saw", listed=False, **other), blog) < 0
