"""Sites that publish dated things and are no blogs, and blogs that look like other things."""

from __future__ import annotations

import pytest

from blogforever.analyse.features import answers_of
from blogforever.analyse.judging import judge
from blogforever.analyse.looking import Asked, look
from blogforever.analyse.values import Answer, HostVerdict, Kind
from blogforever.model import Page
from server.somesites import HOME, PROSE, TITLES, blog, fetch_from, forum, page

RSS = "<link rel='alternate' type='application/rss+xml' href='{}'>"
MENU = "<nav><a href='/products/'>a</a><a href='/careers/'>b</a><a href='tel:+4930123456'>+49 30 123456</a></nav>"
DAYS = ("9 September 2024", "5 August 2024", "7 July 2024", "2 May 2024")


def verdict(answers: dict[str, str], path: str = "/") -> HostVerdict:
    return judge(look(HOME + path, fetch_from(answers)))


def answer(answers: dict[str, str], question: str, path: str = "/") -> Answer:
    return answers_of(look(HOME + path, fetch_from(answers)))[question]


def sections(*names: str) -> str:
    return "".join(f"<a href='{name}'>x</a>" for name in names)


def dated(title: str = "The lantern") -> str:
    return f"<article><h1>{title}</h1><time datetime='2024-09-05'>5.9.2024</time>{PROSE}</article>"


SECTIONS = sections("/world/", "/politics", "/sport/index.html", "/news/business", "https://culture.site.example/")


def test_a_page_of_a_paper_is_known_by_the_sections_it_leads_to() -> None:
    found = verdict({"/2024/09/05/story.html": page(SECTIONS + dated())}, "/2024/09/05/story.html")
    assert found.kind == "news site"


def test_subjects_of_a_blog_are_no_sections() -> None:
    subjects = ("world", "politics", "sport", "business", "culture", "science", "travel")
    named = sections(*(f"/category/{name}/" for name in subjects))
    assert answer({"/": page(named + dated())}, "news sections") is False
    few = sections("/travel/", "/culture/", "/technology/")
    assert answer({"/": page(few + dated())}, "news sections") is False


def test_a_forum_with_a_feed_of_its_topics_is_no_blog() -> None:
    answers = blog()
    topics = "".join(f"<a href='/viewtopic.php?t={n}'>x</a>" for n in range(6))
    answers["/"] = answers["/"].replace("<body>", "<body>" + topics + forum()["/"].partition("<body>")[2])
    assert verdict(answers).kind == "forum"


def test_rows_with_numbers_of_one_person_are_no_forum() -> None:
    answers = {"/@ann": forum()["/"], "/": forum()["/"]}
    assert answer(answers, "thread table", "/@ann") is False
    assert answer(answers, "thread table") is True


def test_a_script_for_late_pictures_makes_no_forum() -> None:
    script = "<script src='/js/vanilla-lazyload.min.js'></script>"
    assert answer({"/": page(PROSE, script)}, "forum program") is False


def test_a_site_with_the_first_post_that_its_program_brought_is_no_blog() -> None:
    day = "<pubDate>2024-09-05T10:00:00Z</pubDate>"
    entry = f"<item><title>Hello world!</title><link>{HOME}/hello-world/</link>{day}</item>"
    channel = f"<channel><title>Roofs</title><link>{HOME}/</link>{entry}</channel>"
    feed = f"<?xml version='1.0'?><rss version='2.0'>{channel}</rss>"
    link = RSS.format("/feed/")
    answers = {"/": page(MENU + PROSE, link), "/feed/": feed, "/hello-world/": page(dated("Hello world!"), link)}
    assert verdict(answers).kind == "company page"


def test_a_new_blog_with_one_post_is_one() -> None:
    answers = blog()
    first = answers["/"].partition("</article>")[0] + "</article></body></html>"
    one = answers["/feed.xml"].partition("</item>")[0] + "</item></channel></rss>"
    assert verdict(answers | {"/": first, "/feed.xml": one}).said == "blog"


@pytest.mark.parametrize(
    ("head", "kind"),
    [("<meta name='generator' content='Docusaurus v3'>", "documentation"), ("", "company page")],
)
def test_a_blog_in_a_folder_makes_no_blog_of_the_site_around_it(head: str, kind: Kind) -> None:
    answers = blog(below="/blog")
    answers["/"] = page(MENU + PROSE, head + RSS.format("/blog/feed.xml"))
    assert verdict(answers).kind == kind
    assert verdict(answers, "/blog/").said == "blog"


def test_a_feed_of_what_many_write_elsewhere_makes_no_blog() -> None:
    answers = blog()
    feed = answers["/feed.xml"]
    for n, path in enumerate(path for path in list(answers) if path.startswith("/2024")):
        feed = feed.replace(f"{HOME}{path}", f"https://blog{n % 3}.example{path}")
    found = verdict(answers | {"/feed.xml": feed, "/": page(answers["/"].replace("/2024/", "https://b.example/2024/"))})
    assert found.kind == "something else"
    assert any(reason.name == "feed of others" for reason in found.reasons)


@pytest.mark.parametrize(
    ("url", "kind"),
    [("https://github.com/ann/ferry", "something else"), ("https://www.youtube.com/@ann", "social profile")],
)
def test_hosts_of_profiles_and_of_programs_are_known(url: str, kind: Kind) -> None:
    html = page(dated(), "<meta property='og:type' content='profile'>").encode()

    def fetch(asked: str) -> Asked:
        return (200, Page(asked, html, {"content-type": "text/html"})) if asked == url else (404, None)

    assert judge(look(url, fetch)).kind == kind


@pytest.mark.parametrize(
    ("head", "is_forge"),
    [
        ("<meta name='go-import' content='a.example/lamp git https://a.example/lamp'>", True),
        ("<meta name='go-import' content='//[ git'>", True),
        ("<meta property='og:site_name' content='Gitea'>", True),
        ("<meta name='author' content='Gitea'>", False),
        ("<meta property='og:site_name' content='My life with Gitea'>", False),
        ("<meta name='keywords'>", False),
    ],
)
def test_places_for_sources_say_how_to_fetch_them_or_who_made_them(head: str, is_forge: bool) -> None:
    assert answer({"/": page(dated(), head)}, "code host") is is_forge


@pytest.mark.parametrize(
    "head",
    [
        '<script type=\'application/ld+json\'>{"@type": "JobPosting"}</script>',
        "<meta name='citation_arxiv_id' content='2411.00001'>",
    ],
)
def test_a_job_or_a_paper_is_no_post(head: str) -> None:
    answers = {"/": page(PROSE), "/abs/1": page(dated(), head)}
    assert verdict(answers, "/abs/1").kind == "something else"


def test_a_show_is_known_without_its_feed() -> None:
    items = "".join(
        f"<div><h2><a href='/e/{n}'>{TITLES[n]}</a></h2><time datetime='2024-0{9 - n}-05'>5.{9 - n}.2024</time>{PROSE}"
        f"<audio src='/{n}.mp3'></audio></div>"
        for n in range(6)
    )
    directory = "<a href='https://podcasts.apple.com/podcast/id1'>x</a>"
    assert verdict({"/": page(directory + items)}).kind == "podcast"
    assert verdict({"/": page(items)}).said == "blog"


@pytest.mark.parametrize("line", ["<p><b>{}</b></p>", "<table><tr><td>{}</td></tr></table>", "<h3>{}</h3>"])
def test_a_diary_without_a_feed_or_titles_is_a_blog(line: str) -> None:
    diary = "".join(line.format(day) + PROSE + "<hr>" for day in DAYS)
    assert verdict({"/": page(diary)}).said == "blog"


@pytest.mark.parametrize(
    "rows",
    [
        "".join(f"<p><b>{day}</b></p><p>Rain, 4 degrees</p>" for day in DAYS),
        "".join(f"<p><b>{day}</b></p>{PROSE}" for day in reversed(DAYS)),
    ],
    ids=["hardly text", "oldest first"],
)
def test_dates_without_text_or_in_another_order_are_no_diary(rows: str) -> None:
    assert answer({"/": page(rows)}, "dated lines") is False


def test_a_blog_with_a_cart_for_its_book_is_a_blog() -> None:
    answers = blog()
    cart = "<body class='woocommerce'><a href='/cart/'>0</a><link rel='stylesheet' href='/woocommerce.css'>"
    front = answers["/"].replace("<body>", cart).replace("<time", "<i").replace("</time>", "</i>")
    assert verdict(answers | {"/": front}).said == "blog"


def test_what_speaks_for_something_else_is_not_let_in_by_the_tree_alone() -> None:
    front = "".join(
        f"<h3><a href='/2024/09/05/{n}.html'>{TITLES[n % 6]} {n}</a></h3><p>{'word ' * 20}</p>" for n in range(32)
    )
    assert verdict({"/": page(front)}).said != "blog"
