"""What a post is filed under: learned from the feed, and from the pages alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from blogforever import Feed, Page, Post, extract_post, learn_rules
from blogforever.dom import tokenise
from blogforever.learn.samples import gather
from blogforever.learn.sharedlinks import shared_names
from blogforever.model import Author

from .madeblog import Layout, MadePost, feed_of, make_posts, page, pages_of

POSTS = make_posts(16)
SEEN, UNSEEN = POSTS[:10], POSTS[10:]
MARK, CATEGORY = "rel='tag'", "rel='category tag'"
LINE = "What somebody wrote about the same thing in another year, cut short here. " * 3
KINDS = ("frost", "seeds", "old tools", "bees")


def own_tags(post: MadePost) -> list[str]:
    return sorted({KINDS[post.number % 4], KINDS[post.number % 3]})


def feed_with(tags_of: Callable[[MadePost], Sequence[str]]) -> Feed:
    feed = feed_of(SEEN)
    told = zip(feed.entries, SEEN, strict=True)
    return replace(feed, entries=tuple(replace(entry, tags=tuple(tags_of(post))) for entry, post in told))


def linked(names: Sequence[str], mark: str, folder: str) -> str:
    return " ".join(f"<a {mark} href='/{folder}/{name.replace(' ', '-')}/'>{name}</a>" for name in names)


def body(post: MadePost, above: str, below: str = "") -> str:
    return page(
        f"<title>{post.title}</title>",
        f"<div class='post'><h1>{post.title}</h1>{above}<div class='text'>{post.html}</div>{below}</div>",
    )


def read(post: MadePost, layout: Layout, feed: Feed) -> Post:
    rules = learn_rules(feed, pages_of(SEEN, layout))
    return extract_post(Page(post.url, layout(post).encode()), rules)


def filed(post: Post) -> list[str]:
    return sorted({*post.tags, *post.categories})


def test_tags_are_learned_from_the_pages_where_the_feed_has_none() -> None:
    def marked(post: MadePost) -> str:
        return body(post, "", f"<p>{linked(own_tags(post), MARK, 'about')}</p>")

    for post in UNSEEN:
        assert filed(read(post, marked, feed_with(lambda _post: ()))) == own_tags(post)


def test_a_list_may_be_called_one_of_categories_by_the_theme_alone() -> None:
    def named(post: MadePost) -> str:
        names = linked(own_tags(post), "class='post-category-link'", "x")
        return body(post, f"<div>{names}</div>")

    for post in UNSEEN:
        assert filed(read(post, named, feed_with(lambda _post: ()))) == own_tags(post)


def test_the_blogs_own_list_of_categories_is_no_posts() -> None:
    def with_list(post: MadePost) -> str:
        everything = linked(["Garden", "House", "Road"], "", "category")
        return body(post, f"<p class='all'>{everything}</p>", f"<p>{linked(own_tags(post), MARK, 'tag')}</p>")

    for post in UNSEEN:
        assert filed(read(post, with_list, feed_with(lambda _post: ()))) == own_tags(post)


def test_tags_that_all_posts_have_among_others_are_each_posts() -> None:
    usual = ["Garden", "Poems", "Ann Lee"]

    def with_usual(post: MadePost) -> str:
        row = f"<p class='filed'>{linked([*usual, *own_tags(post)], MARK, 'tag')}</p>"
        return body(post, "", row).replace("</body>", f"<ul>{linked(KINDS, '', 'tag')}</ul></body>")

    for post in UNSEEN:
        found = filed(read(post, with_usual, feed_with(lambda _post: ())))
        assert found == sorted([*usual, *own_tags(post)])


def test_tags_are_learned_from_the_few_pages_that_have_some_beside_the_category_of_all() -> None:
    def tags(post: MadePost) -> list[str]:
        return own_tags(post) if post.number > 6 else []

    def with_category(post: MadePost) -> str:
        row = f"<span class='tags'>{linked(tags(post), MARK, 'tag')}</span>" if tags(post) else ""
        above = f"<p class='meta'>in {linked(['Diary'], CATEGORY, 'category')} {row}</p>"
        return body(post, above).replace("</body>", f"<ul>{linked(['Diary', *KINDS], '', 'category')}</ul></body>")

    for post in UNSEEN:
        found = read(post, with_category, feed_with(lambda _post: ()))
        assert (sorted(found.tags), found.categories) == (tags(post), ("Diary",))


def test_a_post_may_have_more_tags_than_those_that_were_learned_from() -> None:
    many = [f"word {chr(ord('a') + n)}" for n in range(24)]

    def tags_of(post: MadePost) -> list[str]:
        return own_tags(post) if post.number % 2 else many

    def with_many(post: MadePost) -> str:
        above = f"<p class='meta'>in {linked(['Diary'], CATEGORY, 'category')}</p>"
        return body(post, above, f"<p class='tags'>{linked(tags_of(post), MARK, 'tag')}</p>")

    for post in UNSEEN:
        found = read(post, with_many, feed_with(lambda _post: ()))
        assert (sorted(found.tags), found.categories) == (tags_of(post), ("Diary",))


def test_what_stands_in_two_places_is_read_in_both() -> None:
    def parted(post: MadePost) -> str:
        first, *others = own_tags(post)
        return body(
            post,
            f"<p class='top'>in {linked([first], '', 'shelf')}</p>",
            f"<p class='end'>{linked(others, '', 'word')}</p>",
        )

    for post in UNSEEN:
        assert filed(read(post, parted, feed_with(own_tags))) == own_tags(post)


def test_a_tag_that_is_called_as_who_wrote_the_post_hides_no_other_tags() -> None:
    def writer(post: MadePost) -> str:
        return "Old Tools" if post.number == 8 else "Ann Lee"

    def tags(post: MadePost) -> list[str]:
        return sorted({*KINDS, *own_tags(post)}) if post.number % 4 == 0 else []

    def in_two_places(post: MadePost) -> str:
        above = f"<p>by <a rel='author' href='/people/{post.number % 8}/'>{writer(post)}</a></p>"
        row = f"<p>Tags: {linked(tags(post), MARK, 'tag')}</p>" if tags(post) else ""
        below = f"{row}<p><small>Filed under {linked(['Diary'], CATEGORY, 'category')}.</small></p>"
        return body(post, above, below)

    feed = feed_with(lambda _post: ())
    told = zip(feed.entries, SEEN, strict=True)
    signed = tuple(replace(entry, authors=(Author(writer(post)),)) for entry, post in told)
    for post in UNSEEN:
        found = filed(read(post, in_two_places, replace(feed, entries=signed)))
        assert found == sorted({"Diary", *tags(post)})


def test_one_category_that_all_posts_have_is_each_posts() -> None:
    def with_one(post: MadePost) -> str:
        above = f"<p class='top'>in {linked(['Diary'], '', 'category')}</p>"
        return body(post, above, f"<p>{linked(own_tags(post), '', 'tag')}</p>")

    feed = feed_with(lambda post: [*own_tags(post), "Diary"])
    for post in UNSEEN:
        found = read(post, with_one, feed)
        assert (sorted(found.tags), found.categories) == (own_tags(post), ("Diary",))


def test_the_section_in_the_head_is_a_category() -> None:
    def in_head(post: MadePost) -> str:
        section = f"<meta property='article:section' content='{KINDS[post.number % 4]}'>"
        return body(post, "").replace("<title>", f"{section}<title>")

    for post in UNSEEN:
        assert read(post, in_head, feed_with(own_tags)).categories == (KINDS[post.number % 4],)


def test_tags_are_learned_from_the_pages_where_the_feed_has_but_the_category() -> None:
    def category(post: MadePost) -> list[str]:
        return [KINDS[post.number % 4]]

    def with_tags(post: MadePost) -> str:
        above = f"<p class='top'>in {linked(category(post), '', 'category')}</p>"
        return body(post, above, f"<ul class='tags'>Tags: {linked(own_tags(post), '', 'tag')}</ul>")

    def with_cloud(post: MadePost) -> str:
        cloud = f"<aside class='cloud'>{linked(KINDS, '', 'tag')}</aside></body>"
        return with_tags(post).replace("</body>", cloud)

    for post in UNSEEN:
        assert filed(read(post, with_tags, feed_with(category))) == own_tags(post)
        assert filed(read(post, with_cloud, feed_with(category))) == own_tags(post)


def test_a_feed_of_one_entry_that_tells_but_the_category_does_not_hide_the_tags_of_the_pages() -> None:
    def in_two_boxes(post: MadePost) -> str:
        kind = ("Journal", "Workshop")[post.number % 2]
        category = f"<div class='kind'>{linked([kind], '', 'categories')}</div>"
        tags = f"<div class='words'>{linked(own_tags(post), '', 'tags')}</div>"
        return body(post, "", f"<div class='tail'>{category}{tags}</div>")

    feed = feed_with(lambda post: [("Journal", "Workshop")[post.number % 2]])
    rules = learn_rules(replace(feed, entries=feed.entries[:1]), pages_of(SEEN, in_two_boxes))
    for post in UNSEEN:
        found = filed(extract_post(pages_of([post], in_two_boxes)[0], rules))
        assert found == sorted([*own_tags(post), ("Journal", "Workshop")[post.number % 2]])


def test_tags_of_other_posts_below_are_not_this_posts() -> None:
    def with_others(post: MadePost) -> str:
        others = "".join(
            f"<li><h3>Another one</h3><p>{LINE}</p>{linked([kind], MARK, 'tag')}</li>"
            for kind in own_tags(POSTS[(post.number + 5) % len(POSTS)])
        )
        below = f"<p class='end'>{linked(own_tags(post), MARK, 'tag')}</p><ul class='related'>{others}</ul>"
        return body(post, "", below)

    for post in UNSEEN:
        assert filed(read(post, with_others, feed_with(own_tags))) == own_tags(post)


def test_categories_on_the_cards_of_the_posts_before_and_after_are_not_this_posts() -> None:
    def with_cards(post: MadePost) -> str:
        cards = "".join(
            f"<div class='card'><p class='label'>{linked([KINDS[other.number % 4]], '', 'categories')}</p>"
            f"<h5><a href='{other.url}'>{other.title}</a></h5></div>"
            for other in (POSTS[post.number - 1], POSTS[(post.number + 1) % len(POSTS)])
        )
        return body(post, "", f"<div class='row'>{cards}</div>")

    samples = gather(feed_with(lambda _post: ()), pages_of(SEEN, with_cards), len(SEEN), 0)
    assert shared_names(samples) == [()] * len(SEEN)


def test_links_in_the_text_are_no_tags_where_the_tags_stand_below_it_in_the_same_box() -> None:
    def inside(post: MadePost) -> str:
        names = linked(own_tags(post), MARK, "about")
        text = f"{post.html}<p class='filed'>Filed as {names}</p>"
        return page(
            f"<title>{post.title}</title>", f"<div class='b'><h1>{post.title}</h1><div class='t'>{text}</div></div>"
        )

    rules = learn_rules(feed_with(lambda _post: ()), pages_of(SEEN, inside))
    for post in UNSEEN:
        said = replace(
            post, paragraphs=(*post.paragraphs, "As <a href='https://other.example/'>others say</a>, it is.")
        )
        assert filed(extract_post(Page(post.url, inside(said).encode()), rules)) == own_tags(post)


def test_links_in_the_text_are_no_tags_where_nothing_names_the_line_below_it() -> None:
    def bare(post: MadePost) -> str:
        line = " ".join(f"<a href='/tags/{name.replace(' ', '-')}/'>#{name}</a>" for name in own_tags(post))
        text = f"<main><h1>{post.title}</h1><section>{post.html}</section><p>{line}</p></main>"
        return page(f"<title>{post.title}</title>", text)

    rules = learn_rules(None, pages_of(SEEN, bare))
    for post in UNSEEN:
        linking = "As <a href='https://other.example/'>others say</a>, it is."
        said = replace(post, paragraphs=(*post.paragraphs, linking))
        assert filed(extract_post(Page(post.url, bare(said).encode()), rules)) == own_tags(post)


def test_links_that_take_turns_file_posts_and_links_to_other_posts_do_not() -> None:
    def beside_the_date(post: MadePost) -> str:
        kind = KINDS[post.number % 3]
        link = f"<a href='/{kind.replace(' ', '-')}'>{kind}</a>"
        other = f"<a href='{POSTS[(post.number + 1) % 4].url}'>next</a>"
        return body(post, f"<p>1{post.number % 9} May 2020 / {link}</p>", f"<p>2 May 2020 {other}</p>")

    rules = learn_rules(feed_with(lambda _post: ()), pages_of(SEEN, beside_the_date))
    for post in UNSEEN:
        found = extract_post(pages_of([post], beside_the_date)[0], rules)
        assert (*found.tags, *found.categories) == (KINDS[post.number % 3],)


def test_readers_who_come_again_and_numbers_of_comments_file_no_post() -> None:
    def with_readers(post: MadePost) -> str:
        kind = KINDS[post.number % 3]
        link = f"<a href='/{kind.replace(' ', '-')}'>{kind}</a>"
        line = f"<p>1{post.number % 9} May 2020 / {link} | <a href='#c'>{post.number % 5 + 2} comments</a></p>"
        names = [("Mara", "Ilya", "Noor")[(post.number + n) % 3] for n in range(2)]
        below = "".join(
            f"<div><p>12 May 2020 <a href='/users/{name}'>{name}</a></p><p>Quite so.</p></div>" for name in names
        )
        return body(post, line, below)

    rules = learn_rules(feed_with(lambda _post: ()), pages_of(SEEN, with_readers))
    for post in UNSEEN:
        found = extract_post(pages_of([post], with_readers)[0], rules)
        assert (*found.tags, *found.categories) == (KINDS[post.number % 3],)


def test_authors_who_take_turns_beside_the_date_file_no_post() -> None:
    def with_authors(post: MadePost) -> str:
        kind, name = KINDS[post.number % 3], ("Ilya Marsh", "Noor Vale")[post.number % 2]
        links = (
            f"<a class='x1' href='/{kind.replace(' ', '-')}'>{kind}</a> <a rel='author' href='/{name[:4]}'>{name}</a>"
        )
        return body(post, f"<p>1{post.number % 9} May 2020 {links}</p>")

    rules = learn_rules(None, pages_of(SEEN, with_authors))
    for post in UNSEEN:
        found = extract_post(pages_of([post], with_authors)[0], rules)
        assert (*found.tags, *found.categories) == (KINDS[post.number % 3],)


def test_the_year_month_and_day_on_the_way_to_a_post_file_it_under_nothing() -> None:
    def below_the_way(post: MadePost) -> str:
        month = ("June", "July", "August")[post.number % 3]
        parts = {"/2020/": "2020", f"/2020/{6 + post.number % 3:02}/": month, f"/2020/06/1{post.number % 9}/": "12"}
        way = "".join(f"<li><a href='{to}'>{name}</a></li>" for to, name in parts.items())
        tags = f"<p>Tags: {linked(own_tags(post), MARK, 'tags')}</p>"
        return body(post, f"<ul class='way'>{way}<li>{post.title}</li></ul>", tags)

    rules = learn_rules(None, pages_of(SEEN, below_the_way))
    for post in UNSEEN:
        found = extract_post(pages_of([post], below_the_way)[0], rules)
        assert filed(found) == own_tags(post)


def test_lists_below_a_word_file_posts_where_they_differ() -> None:
    def with_lists(post: MadePost) -> str:
        items = "".join(f"<li><a href='/{name.replace(' ', '-')}'>{name}</a></li>" for name in own_tags(post))
        every = "".join(f"<li><a href='/{name.replace(' ', '-')}'>{name}</a></li>" for name in KINDS)
        return body(post, "", f"<div><h4>Tags:</h4><ul>{items}</ul></div>") + f"<h4>Tags</h4><ul>{every}</ul>"

    rules = learn_rules(None, pages_of(SEEN, with_lists))
    for post in UNSEEN:
        found = extract_post(pages_of([post], with_lists)[0], rules)
        assert sorted((*found.tags, *found.categories)) == own_tags(post)


def test_what_microformats_call_categories_are_tags_unless_they_lead_to_a_category() -> None:
    def marked(post: MadePost) -> str:
        above = linked(["garden"], "class='p-category'", "category")
        return body(post, above, linked(own_tags(post), "class='p-category'", "about"))

    for post in UNSEEN:
        found = read(post, marked, feed_with(lambda _post: ()))
        assert sorted(found.tags) == own_tags(post)
        assert found.categories == ("garden",)


def test_names_without_links_are_tags_behind_a_word_that_says_so() -> None:
    def in_cells(post: MadePost) -> str:
        names = "".join(f"<span class='name'>{name}</span>, " for name in own_tags(post))
        weather = "<div>Weather</div><div><span class='name'>Fog</span></div>"
        return body(post, "", f"{weather}<table><tr><td>Tags</td><td>{names}</td></tr></table>")

    for post in UNSEEN:
        assert filed(read(post, in_cells, feed_with(lambda _post: ()))) == own_tags(post)


def test_links_to_the_post_itself_are_none_of_its_tags() -> None:
    def signed(post: MadePost) -> str:
        names = ", ".join(f"<a href='/{name.replace(' ', '-')}/'>{name}</a>" for name in own_tags(post))
        own = f"<a href='{post.url}'>Permalink</a> | <a href='{post.url}#said'>Comments (2)</a>"
        return body(post, "", f"<p class='posted'>Posted at 9:12 in {names} | {own}</p>")

    for post in UNSEEN:
        assert filed(read(post, signed, feed_with(own_tags))) == own_tags(post)


def test_tags_that_lead_nowhere_yet_are_tags() -> None:
    def waiting(post: MadePost) -> str:
        names = "".join(f"<a class='kind' href='#'>{name}</a>" for name in own_tags(post))
        return body(post, "", f"<p>{names}</p>")

    for post in UNSEEN:
        assert filed(read(post, waiting, feed_with(own_tags))) == own_tags(post)


def as_one_text(post: MadePost) -> str:
    """Tags that link nowhere, in a line called as the one with the author is."""
    above = f"<p class='line'>{post.day:%B %d, %Y} by {post.author}</p>"
    return body(post, above, f"<p class='line'>Tags: {', '.join(own_tags(post))}</p>")


@pytest.mark.parametrize("told", [own_tags, lambda _post: ()])
def test_tags_may_be_one_text_behind_a_word_that_says_so(told: Callable[[MadePost], Sequence[str]]) -> None:
    for post in UNSEEN:
        assert filed(read(post, as_one_text, feed_with(told))) == own_tags(post)


def test_a_sentence_behind_such_a_word_lists_no_tags() -> None:
    def spoken(post: MadePost) -> str:
        return body(post, "", "<p>Topic: what my neighbours told me of the long winter, and how it ended.</p>")

    assert filed(read(UNSEEN[0], spoken, feed_with(lambda _post: ()))) == []


def test_a_line_of_tags_is_no_text_though_the_feed_has_one_entry() -> None:
    def layout(post: MadePost) -> str:
        tags = "".join(f" <a href='/tags/{name}/'>#{name}</a>" for name in own_tags(post))
        head = f"<h1>{post.title}</h1><p>{post.author}, {post.day:%d %B %Y}</p>"
        return page(f"<title>{post.title}</title>", f"<article>{head}{post.html}<p>Tags:{tags}</p></article>")

    feed = feed_with(own_tags)
    rules = learn_rules(replace(feed, entries=feed.entries[:1]), pages_of(SEEN, layout))
    for post in UNSEEN:
        found = extract_post(Page(post.url, layout(post).encode()), rules)
        assert sorted(found.tags) == own_tags(post)
        assert tokenise(found.text) == post.words


def test_a_line_of_tags_that_an_author_wrote_stays() -> None:
    posts = make_posts(16, seed=4)

    def layout(post: MadePost) -> str:
        tags = ", ".join(f"<a rel='tag' href='/tags/{name}/'>{name}</a>" for name in (post.words[0], "review"))
        own = f"<p>Review tags: {tags}</p>" if post.number % 5 == 0 else ""
        filed = f"<p class='filed'>Tags: {tags}</p>"
        head = f"<h1>{post.title}</h1><p>{post.author}, {post.day:%d %B %Y}</p>"
        return page(f"<title>{post.title}</title>", f"<article>{head}{post.html}{own}{filed}</article>")

    rules = learn_rules(None, pages_of(posts[:12], layout))
    found = extract_post(Page(posts[15].url, layout(posts[15]).encode()), rules)
    assert found.text.endswith(f"Review tags: {posts[15].words[0]}, review")


def test_who_signs_in_the_line_of_categories_is_no_tag() -> None:
    def in_one_line(post: MadePost) -> str:
        writer = "Ann Lee" if post.number % 2 else "Bo Tern"
        by = f"<a href='/authors/{post.number % 2}'>{writer}</a>"
        tags = f"<div class='free'>Tags: {linked(own_tags(post), '', 'plugin/tag')}</div>"
        return body(post, "", f"<div class='foot'>by {by} in {linked(['Diary'], '', 'shelf')}{tags}</div>")

    feed = feed_with(lambda post: ["Diary", *own_tags(post)])
    told = zip(feed.entries, SEEN, strict=True)
    signed = tuple(
        replace(entry, authors=(Author("Ann Lee" if post.number % 2 else "Bo Tern"),)) for entry, post in told
    )
    for post in UNSEEN:
        assert filed(read(post, in_one_line, replace(feed, entries=signed))) == sorted({"Diary", *own_tags(post)})


def test_a_word_that_leads_somewhere_else_on_each_page_is_no_category() -> None:
    def beside_day(post: MadePost) -> str:
        feed = f"<a href='/rss.php?post={post.number}'>rss</a>"
        names = linked(own_tags(post)[:1], "", "index.php")
        return body(post, f"<p class='info'>{post.day:%d.%m.%Y} 10:14 :: {names} :: {feed}</p>")

    for post in UNSEEN:
        assert filed(read(post, beside_day, feed_with(lambda _post: ()))) == own_tags(post)[:1]
