"""Sites that no program here can make, drawn after the mark-up of well-known ones: forums, shops, papers, profiles.

Each is drawn twice: with the names of the program that makes such sites, and with names that say nothing.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from pathlib import Path

from .others import BuildOther, OtherSite
from .truth import NOW, sown, write

ITEMS = 24
WORDS: Mapping[str, tuple[str, ...]] = {
    "en": ("Home", "About us", "Contact", "Services", "News", "Read more", "Our team", "Careers", "Privacy", "Search"),
    "de": ("Start", "Über uns", "Kontakt", "Leistungen", "Aktuelles", "Weiterlesen", "Team", "Jobs", "Datenschutz", "Suche"),
    "fr": ("Accueil", "À propos", "Contact", "Services", "Actualités", "Lire la suite", "Équipe", "Emplois", "Vie privée", "Chercher"),
    "es": ("Inicio", "Nosotros", "Contacto", "Servicios", "Noticias", "Leer más", "Equipo", "Empleo", "Privacidad", "Buscar"),
    "ru": ("Главная", "О нас", "Контакты", "Услуги", "Новости", "Подробнее", "Команда", "Вакансии", "Политика", "Поиск"),
    "ja": ("ホーム", "会社概要", "お問い合わせ", "サービス", "お知らせ", "続きを読む", "チーム", "採用", "個人情報", "検索"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Drawing:
    """What a drawer needs: the site's address, its language, whether its maker is named."""

    home: str
    language: str
    is_named: bool

    @property
    def words(self) -> tuple[str, ...]:
        """Words of a site's navigation."""
        return WORDS[self.language]

    def name(self, told: str) -> str:
        """A class that names its maker, or one that says nothing."""
        return told if self.is_named else re.sub(r"[a-z]", lambda one: chr(97 + (ord(one[0]) * 7) % 26), told)

    def document(self, title: str, body: str, head: str = "") -> str:
        """A whole page."""
        return (
            f'<!DOCTYPE html><html lang="{self.language}"><head><meta charset="utf-8"><title>{title}</title>{head}'
            f"</head><body>{body}</body></html>"
        )

    def menu(self) -> str:
        """Links to the usual pages."""
        links = (f'<li><a href="/page{number}/">{word}</a></li>' for number, word in enumerate(self.words))
        return f"<header><nav><ul>{''.join(links)}</ul></nav></header>"


Pages = Iterator[tuple[str, str]]
Draw = Callable[[Drawing], Pages]


def _texts() -> list[tuple[str, str, str]]:
    """Names, titles and texts of things."""
    plain = re.compile(r"<[^>]+>")
    return [(name, seed.title, html.escape(" ".join(plain.sub(" ", seed.html).split()))) for name, seed in sown()]


def _feed(home: str, title: str, entry: Callable[[str], str]) -> str:
    items = []
    for number, (name, heading, text) in enumerate(_texts()[:ITEMS]):
        day = NOW - timedelta(days=7 * number)
        items.append(
            f"<item><title>{heading}</title><link>{home}/p/{name}/</link><pubDate>{day:%a, %d %b %Y %H:%M:%S} GMT</pubDate>"
            f"<description>{text[:300]}</description>{entry(name)}</item>"
        )
    return f'<?xml version="1.0"?><rss version="2.0"><channel><title>{title}</title><link>{home}/</link>{"".join(items)}</channel></rss>'


def phpbb(draw: Drawing) -> Pages:
    """A board as phpBB shows it: lists of definitions, not tables."""
    head = '<link href="./styles/prosilver/theme/stylesheet.css" rel="stylesheet">' if draw.is_named else ""
    rows, day = [], NOW
    for number, (_, title, _) in enumerate(_texts()[:ITEMS]):
        day = NOW - timedelta(days=number)
        rows.append(
            f'<li class="row bg1"><dl class="row-item {draw.name("topic_read")}"><dt><div class="list-inner">'
            f'<a href="./viewtopic.php?f=2&amp;t={number}" class="{draw.name("topictitle")}">{title}</a><br>'
            f'<a href="./memberlist.php?u={number}" class="username">sailor{number}</a> » {day:%a %b %d, %Y %I:%M %p}</div></dt>'
            f'<dd class="{draw.name("posts")}">{number * 3}</dd><dd class="{draw.name("views")}">{number * 117}</dd>'
            f'<dd class="lastpost"><span><a href="./memberlist.php?u=3">mate</a> {day:%a %b %d, %Y %I:%M %p}</span></dd></dl></li>'
        )
    board = f'<div class="forumbg"><div class="inner"><ul class="topiclist topics">{"".join(rows)}</ul></div></div>'
    yield "index.html", draw.document("Quay board", draw.menu() + board, head)
    for number, (_, title, text) in enumerate(_texts()[:6]):
        posts = "".join(
            f'<div class="post bg2" id="p{one}"><div class="postbody"><h3><a href="#p{one}">Re: {title}</a></h3><p class="author">'
            f'<a href="./memberlist.php?u={one}">sailor{one}</a> » {NOW - timedelta(hours=9 - one):%a %b %d, %Y %I:%M %p}</p>'
            f'<div class="content">{text[:300]}</div></div></div>'
            for one in range(5)
        )
        yield f"topic{number}.html", draw.document(title, draw.menu() + f'<div id="page-body">{posts}</div>', head)


def discourse(draw: Drawing) -> Pages:
    """A board as Discourse shows it to search engines: a table of topics."""
    head = '<meta name="generator" content="Discourse 3.2.0">' if draw.is_named else ""
    rows = "".join(
        f'<tr class="{draw.name("topic-list-item")}"><td class="main-link"><a href="/t/{name}/{number}">{title}</a>'
        f'<div><a href="/c/deck/3">Deck</a></div></td><td class="replies"><span>{number * 2}</span></td>'
        f'<td class="views"><span>{number * 91}</span></td><td>{NOW - timedelta(days=number):%B %d, %Y}</td></tr>'
        for number, (name, title, _) in enumerate(_texts()[:ITEMS], 1)
    )
    yield "index.html", draw.document("Quay talk", f'{draw.menu()}<table class="topics">{rows}</table>', head)
    for number, (name, title, text) in enumerate(_texts()[:6], 1):
        posts = "".join(
            f'<div id="post_{one}" itemprop="comment" class="{draw.name("crawler-post")}"><span class="creator"><a href="/u/m{one}">'
            f'm{one}</a></span><time datetime="2026-11-0{one}T10:00:00Z">November {one}, 2026</time><p>{text[:250]}</p>'
            f"<span>{one} Likes</span></div>"
            for one in range(1, 6)
        )
        mark = "itemscope itemtype='http://schema.org/DiscussionForumPosting'" if draw.is_named else ""
        yield f"t/{name}/{number}/index.html", draw.document(title, f"<div {mark}><h1>{title}</h1>{posts}</div>", head)


def xenforo(draw: Drawing) -> Pages:
    """A board as XenForo shows it: boxes with numbers of replies and views."""
    head = '<html id="XF">' if draw.is_named else ""
    rows = "".join(
        f'<div class="{draw.name("structItem structItem--thread")}"><div class="cell"><a href="/threads/{name}.{number}/">{title}</a>'
        f'<ul><li><a href="/members/m.{number}/">m{number}</a></li><li><time datetime="2026-11-{28 - number:02d}T08:00:00+0000">'
        f"Nov {28 - number}, 2026</time></li></ul></div>"
        f'<div class="cell meta"><dl><dt>Replies</dt><dd>{number * 4}</dd></dl><dl><dt>Views</dt><dd>{number}K</dd></dl></div>'
        f'<div class="cell latest"><a href="/threads/{name}.{number}/latest"><time>Nov {28 - number}, 2026</time></a></div></div>'
        for number, (name, title, _) in enumerate(_texts()[:ITEMS], 1)
    )
    yield "index.html", head + draw.document("Deck board", f'{draw.menu()}<div class="list">{rows}</div>')


def woocommerce(draw: Drawing) -> Pages:
    """A shop as WooCommerce shows it."""
    cart = f'<a class="cart-contents" href="{draw.home}/{"cart" if draw.is_named else "bag"}/">0,00 €</a>'
    goods = "".join(
        f'<li class="{draw.name("product type-product")}"><a href="{draw.home}/product/{name}/"><img src="/p{number}.jpg" alt="">'
        f'<h2>{title[:30]}</h2><span class="{draw.name("price")}"><bdi>{5 + number * 3},9{number % 10}&nbsp;€</bdi></span></a>'
        f'<a href="?add-to-cart={number}" class="{draw.name("button add_to_cart_button")}">+</a></li>'
        for number, (name, title, _) in enumerate(_texts()[:ITEMS])
    )
    body = f'{draw.menu()}{cart}<ul class="{draw.name("products columns-4")}">{goods}</ul>'
    yield "index.html", draw.document("Quay store", body)
    for number, (name, title, text) in enumerate(_texts()[:6]):
        form = '<form class="cart" method="post"><input type="number" name="quantity" value="1"><button name="add-to-cart">+</button></form>'
        one = f'<div class="{draw.name("product")}"><h1>{title[:30]}</h1><p>{9 + number},90 €</p>{form}<div>{text[:400]}</div></div>'
        yield f"product/{name}/index.html", draw.document(title, draw.menu() + cart + one)


def shopify(draw: Drawing) -> Pages:
    """A shop as Shopify shows it, in dollars."""
    head = '<script src="//cdn.shopify.com/s/files/1/theme.js"></script>' if draw.is_named else ""
    cart = '<a href="/cart" id="cart-icon-bubble">0</a>' if draw.is_named else '<button aria-label="bag">0</button>'
    goods = "".join(
        f'<li class="grid__item"><div class="card"><h3><a href="/products/{name}">{title[:30]}</a></h3>'
        f'<div class="price"><s>${number + 20}.00 USD</s> <span>${number + 12}.00 USD</span></div></div></li>'
        for number, (name, title, _) in enumerate(_texts()[:ITEMS])
    )
    yield "index.html", draw.document("Anchor goods", f"{draw.menu()}{cart}<ul>{goods}</ul>", head)
    for name, title, text in _texts()[:6]:
        form = '<form method="post" action="/cart/add"><button type="submit">+</button></form>' if draw.is_named else ""
        body = f"{draw.menu()}{cart}<main><h1>{title[:30]}</h1><p>$12.00 USD</p><s>$20.00</s>{form}<div>{text[:400]}</div></main>"
        yield f"products/{name}/index.html", draw.document(title, body, head)


def paper(draw: Drawing) -> Pages:
    """A newspaper: sections, many teasers with hours or without any time, hardly a date."""
    texts = _texts()
    sections = []
    for section in range(6):
        teasers = "".join(
            f'<article class="{draw.name("teaser")}"><a href="/{section}/{name}-{section}{number}.html"><h3>{title}</h3>'
            f"<p>{text[:90]}</p></a><time>{10 + number}:{section}0</time></article>"
            for number, (name, title, text) in enumerate(texts[section * 5 : section * 5 + 9])
        )
        sections.append(f'<section><h2><a href="/s{section}/">{draw.words[section]}</a></h2>{teasers}</section>')
    mark = '{"@context":"https://schema.org","@type":"NewsMediaOrganization","name":"The Quay Times"}'
    head = f'<script type="application/ld+json">{mark}</script>' if draw.is_named else ""
    yield "index.html", draw.document("The Quay Times", draw.menu() + "".join(sections), head)
    for number, (name, title, text) in enumerate(texts[:6]):
        day = NOW - timedelta(hours=number)
        fact = f'{{"@type":"NewsArticle","headline":"{title}","datePublished":"{day.isoformat()}"}}'
        mark = f'<script type="application/ld+json">{fact}</script>' if draw.is_named else ""
        more = "".join(f'<li><a href="/1/{one}-{number}.html">{heading}</a></li>' for one, heading, _ in texts[:20])
        body = f"<article><h1>{title}</h1><time datetime='{day.isoformat()}'>{day:%d.%m.%Y %H:%M}</time><p>{text}</p></article>"
        yield (
            f"0/{name}-0{number}.html",
            draw.document(title, f"{draw.menu()}{body}<aside><ul>{more}</ul></aside>", mark),
        )


def landing(draw: Drawing) -> Pages:
    """A product's page: a promise, three reasons, prices of plans, voices of customers."""
    reasons = "".join(
        f"<div class='feature'><h3>{title[:25]}</h3><p>{text[:120]}</p></div>" for _, title, text in _texts()[:6]
    )
    plans = "".join(
        f"<div class='plan'><h4>{name}</h4><p>${price}/mo</p><a href='/signup'>Go</a></div>"
        for name, price in (("S", 9), ("M", 29), ("L", 99))
    )
    voices = "".join(f"<blockquote>{text[:90]}<cite>Customer</cite></blockquote>" for _, _, text in _texts()[6:9])
    foot = f"<footer><p>© 2026 Kettle Inc.</p><a href='/page8/'>{draw.words[8]}</a><a href='mailto:hello@kettle.example'>hello@kettle.example</a></footer>"
    mark = (
        '<script type="application/ld+json">{"@type":"Organization","name":"Kettle"}</script>' if draw.is_named else ""
    )
    body = f"{draw.menu()}<section class='hero'><h1>Boil faster</h1><a class='btn' href='/signup'>Go</a></section>{reasons}{plans}{voices}{foot}"
    yield "index.html", draw.document("Kettle", body, mark)
    for number, word in enumerate(draw.words[1:6], 1):
        yield (
            f"page{number}/index.html",
            draw.document(
                word, f"{draw.menu()}<main><h1>{word}</h1><p>{_texts()[number][2][:500]}</p></main>{foot}", mark
            ),
        )


def office(draw: Drawing) -> Pages:
    """A local business: what it does, where it is, when it is open."""
    where = "<p>Kettle Works, 12 Quay Street, 20457 Port</p><p>Tel. +49 40 123456</p>"
    mark = (
        '<script type="application/ld+json">{"@type":"LocalBusiness","name":"Kettle Works"}</script>'
        if draw.is_named
        else ""
    )
    hours = "<table><tr><td>Mo-Fr</td><td>9-17</td></tr><tr><td>Sa</td><td>10-14</td></tr></table>"
    foot = f"<footer>{where if not draw.is_named else '<address>' + where + '</address>'}</footer>"
    yield (
        "index.html",
        draw.document(
            "Kettle Works", f"{draw.menu()}<h1>Kettle Works</h1><p>{_texts()[0][2][:300]}</p>{hours}{foot}", mark
        ),
    )
    for number, word in enumerate(draw.words[1:7], 1):
        yield (
            f"page{number}/index.html",
            draw.document(word, f"{draw.menu()}<h1>{word}</h1><p>{_texts()[number][2][:600]}</p>{foot}", mark),
        )


def letter(draw: Drawing) -> Pages:
    """A newsletter with its archive, as Substack shows it."""
    head = '<link rel="alternate" type="application/rss+xml" href="/feed.xml">'
    head += '<link rel="preload" href="https://substackcdn.com/bundle/main.css">' if draw.is_named else ""
    form = (
        '<form action="/api/v1/free" method="post"><input type="email" name="email"><button>Subscribe</button></form>'
    )
    items = "".join(
        f'<div class="post-preview"><a href="/p/{name}/">{title}</a><div>{text[:80]}</div><time datetime="{NOW - timedelta(days=7 * number):%Y-%m-%d}">'
        f"{NOW - timedelta(days=7 * number):%b %d}</time></div>"
        for number, (name, title, text) in enumerate(_texts()[:ITEMS])
    )
    yield "index.html", draw.document("The Kettle Letter", f"<h1>The Kettle Letter</h1>{form}{items}{form}", head)
    yield "feed.xml", _feed(draw.home, "The Kettle Letter", lambda _: "")
    for number, (name, title, text) in enumerate(_texts()[:6]):
        day = NOW - timedelta(days=7 * number)
        body = f"<article><h1>{title}</h1><time datetime='{day:%Y-%m-%d}'>{day:%b %d, %Y}</time><p>{text}</p></article>{form}"
        yield f"p/{name}/index.html", draw.document(title, body, head)


def podcast(draw: Drawing) -> Pages:
    """A podcast as its host shows it: players, and a feed of recordings."""
    head = '<link rel="alternate" type="application/rss+xml" href="/feed.xml">'
    items = "".join(
        f'<div class="episode"><h3><a href="/p/{name}/">{title}</a></h3><span>{NOW - timedelta(days=7 * number):%b %d, %Y}</span>'
        f'<audio controls src="/{name}.mp3"></audio><span>00:4{number % 10}:12</span></div>'
        for number, (name, title, _) in enumerate(_texts()[:ITEMS])
    )
    yield "index.html", draw.document("The Kettle Hour", f"{draw.menu()}<h1>The Kettle Hour</h1>{items}", head)
    sound = partial(_enclosure, draw.home)
    yield "feed.xml", _feed(draw.home, "The Kettle Hour", sound)


def _enclosure(home: str, name: str) -> str:
    return f'<enclosure url="{home}/{name}.mp3" type="audio/mpeg" length="1"/>'


PARKED: Mapping[str, tuple[str, str]] = {
    "en": (
        "quay.example is for sale",
        "This domain is for sale. Buy this domain. Related searches: boats, kettles, insurance",
    ),
    "de": ("quay.example", "Diese Domain steht zum Verkauf. Der Inhaber bietet sie an. Jetzt Angebot abgeben"),
    "fr": ("quay.example", "Ce nom de domaine est à vendre. Domaine à vendre. Faire une offre"),
    "es": ("quay.example", "Dominio en venta. Este dominio puede estar a la venta. Haga una oferta"),
    "ru": ("quay.example", "Домен продаётся. Купить домен quay.example"),
    "ja": ("quay.example", "このドメインは販売中です。お名前.com"),
}


def parked(draw: Drawing) -> Pages:
    """A domain that is for sale, or not yet used."""
    title, says = PARKED[draw.language]
    links = "".join(
        f'<li><a href="https://ads.example/c?k={number}">{word}</a></li>' for number, word in enumerate(draw.words)
    )
    body = f"<h1>{title}</h1><p>{says}</p>" + (f"<ul>{links}</ul>" if draw.is_named else "")
    yield "index.html", draw.document(title, body)


def profile(draw: Drawing) -> Pages:
    """Somebody's page on a network: numbers of followers, short remarks."""
    maker = '<meta name="generator" content="Mastodon"><link rel="alternate" type="application/activity+json" href="/users/v">'
    head = f'<meta property="og:type" content="profile"><meta property="profile:username" content="vera@quay.example">{maker}'
    counts = "<ul><li><a href='/@vera'>412 Posts</a></li><li><a href='/@vera/following'>88 Following</a></li><li><a href='/@vera/followers'>1.2K Followers</a></li></ul>"
    items = "".join(
        f'<div class="status"><a href="/@vera/11{number:04d}"><time datetime="2026-11-{15 - number % 14:02d}T09:00:00Z">Nov {15 - number % 14}</time></a>'
        f"<p>{text[:140]}</p></div>"
        for number, (_, _, text) in enumerate(_texts()[:14])
    )
    yield "index.html", draw.document("Vera (@vera@quay.example)", f"<h1>Vera</h1>{counts}{items}", head)


DRAWERS: Mapping[str, tuple[Draw, str]] = {
    "phpbb": (phpbb, "forum"),
    "discourse": (discourse, "forum"),
    "xenforo": (xenforo, "forum"),
    "woocommerce": (woocommerce, "shop"),
    "shopify": (shopify, "shop"),
    "paper": (paper, "news site"),
    "landing": (landing, "company page"),
    "office": (office, "company page"),
    "letter": (letter, "newsletter"),
    "podcast": (podcast, "podcast"),
    "parked": (parked, "parked"),
    "profile": (profile, "social profile"),
}
ALWAYS_NAMED = ("letter", "profile")
"""What cannot be told by anybody who does not know its maker."""


def drawn(drawer: str, language: str, is_named: bool, folder: Path, home: str) -> OtherSite:
    """A drawn site, written as files."""
    draw, kind = DRAWERS[drawer]
    for name, text in draw(Drawing(home, language, is_named)):
        write(folder / name, text)
    return OtherSite(folder, kind)


def _all_drawn() -> Iterator[tuple[str, BuildOther]]:
    for number, drawer in enumerate(DRAWERS):
        for one, is_named in enumerate((True, False)):
            language = list(WORDS)[(number * 2 + one) % len(WORDS)]
            if is_named or drawer not in ALWAYS_NAMED:
                name = f"{drawer}-{'named' if is_named else 'bare'}"
                yield name, partial(drawn, drawer, language, is_named)
    for language in WORDS:
        yield f"parked-{language}", partial(drawn, "parked", language, False)


DRAWN: Mapping[str, BuildOther] = dict(_all_drawn())
