"""Pages of many made-up themes and languages, with the comments they show: for measuring what is found in them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date

ARTICLE = "".join(
    f"<p>The ferry left the harbour {when} and the copper lantern swung above the meadow, as it had done for years. "
    "Nobody on the pier took it for a sign, and the heron on the ladder did not move.</p>"
    for when in ("at dawn", "at noon", "on 3 May 2009", "in the evening")
)
SAID = (
    "I had a lantern like this as a child, and my brother lost it in the marsh.",
    "Thank you for this. Could you tell us which ferry it was?",
    "The heron never moves.",
    "Lovely! The second paragraph reminds me of my own years at the quarry, long ago.",
)
LONG = " ".join(
    f"When the {bird} comes back, nobody asks where it has been." for bird in ("heron", "gull", "swan", "crow", "owl")
)
NAMES = ("Ann Poe", "bo_reed", "Čeněk", "Мария")


@dataclass(frozen=True)
class Said:
    """One comment as a theme is given it."""

    number: int
    name: str
    when: date
    text: str


@dataclass(frozen=True)
class Tongue:
    """How a theme of one language speaks."""

    heading: str  # with a place for the number
    says: str
    by: str
    day: Callable[[date], str]
    reply: str


def _long(months: Sequence[str], form: str) -> Callable[[date], str]:
    return lambda when: form.format(d=when.day, m=months[when.month - 1], y=when.year)


ENGLISH = "January February March April May June July August September October November December".split()
TONGUES = {
    "en": Tongue("{} comments", "says", "Posted by", _long(ENGLISH, "{m} {d}, {y}"), "Reply"),
    "de": Tongue(
        "{} Kommentare",
        "schrieb",
        "Von",
        _long(
            "Januar Februar März April Mai Juni Juli August September Oktober November Dezember".split(), "{d}. {m} {y}"
        ),
        "Antworten",
    ),
    "fr": Tongue(
        "{} commentaires",
        "a dit",
        "Par",
        _long(
            "janvier février mars avril mai juin juillet août septembre octobre novembre décembre".split(),
            "{d} {m} {y}",
        ),
        "Répondre",
    ),
    "es": Tongue(
        "{} comentarios",
        "dijo",
        "Por",
        _long(
            "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre".split(),
            "{d} de {m} de {y}",
        ),
        "Responder",
    ),
    "ru": Tongue(
        "{} комментария",
        "пишет",
        "Автор",
        _long(
            "января февраля марта апреля мая июня июля августа сентября октября ноября декабря".split(), "{d} {m} {y}"
        ),
        "Ответить",
    ),
    "ja": Tongue("コメント ({})", "より", "投稿者", lambda when: f"{when.year}年{when.month}月{when.day}日", "返信"),
    "nl": Tongue(
        "{} reacties",
        "zegt",
        "Door",
        _long(
            "januari februari maart april mei juni juli augustus september oktober november december".split(),
            "{d} {m} {y}",
        ),
        "Reageer",
    ),
    "pl": Tongue(
        "Komentarze ({})",
        "pisze",
        "Autor",
        _long(
            "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada "
            "grudnia".split(),
            "{d} {m} {y}",
        ),
        "Odpowiedz",
    ),
    "iso": Tongue("Comments ({})", "wrote", "by", date.isoformat, "Reply"),
}


def comments(number: int) -> list[Said]:
    """So many comments, a few days apart."""
    return [
        Said(
            n + 101,
            NAMES[n % len(NAMES)],
            date(2013, 3 + n % 9, 2 + 3 * n % 25),
            SAID[n % len(SAID)] + (f" This is what I think, {n} times over. {LONG}" if n > 3 else ""),
        )
        for n in range(number)
    ]


Theme = Callable[[Sequence[Said], Tongue], str]


def _each(form: Callable[[Said, Tongue], str], around: str = "{}", heading: str = "<h3>{}</h3>") -> Theme:
    def draw(said: Sequence[Said], tongue: Tongue) -> str:
        top = heading.format(tongue.heading.format(len(said)))
        return top + around.format("".join(form(each, tongue) for each in said))

    return draw


THEMES: dict[str, Theme] = {
    "list, bold name, date in brackets": _each(
        lambda c, t: f"<li><b>{c.name}</b> ({t.day(c.when)}): {c.text}</li>", "<ol>{}</ol>"
    ),
    "list, bold name and says": _each(
        lambda c, t: f"<li><strong>{c.name}</strong> {t.says}: <br>{t.day(c.when)}<p>{c.text}</p></li>", "<ul>{}</ul>"
    ),
    "bare divs, line first": _each(lambda c, t: f"<div><p>{t.by} {c.name}, {t.day(c.when)}</p><p>{c.text}</p></div>"),
    "bare divs, line last": _each(
        lambda c, t: (
            f"<div><p>{c.text}</p><p>{t.by} <a href='http://{c.number}.example/'>{c.name}</a> {t.day(c.when)}</p></div>"
        )
    ),
    "dl with dt and dd": _each(
        lambda c, t: f"<dt><b>{c.name}</b> {t.day(c.when)}</dt><dd><p>{c.text}</p></dd>", "<dl>{}</dl>"
    ),
    "dl of three": _each(
        lambda c, t: f"<dt>{c.name}</dt><dd>{c.text}</dd><dd class='date'>{t.day(c.when)}</dd>",
        "<dl class='comments'>{}</dl>",
    ),
    "heading and paragraphs": _each(lambda c, t: f"<h4>{c.name}</h4><p class='d'>{t.day(c.when)}</p><p>{c.text}</p>"),
    "heading with name and date": _each(lambda c, t: f"<h4>{c.name}, {t.day(c.when)}</h4><p>{c.text}</p>"),
    "blockquotes": _each(lambda c, t: f"<blockquote><p>{c.text}</p><p>{c.name}, {t.day(c.when)}</p></blockquote>"),
    "rules between": _each(
        lambda c, t: f"<p><a href='http://{c.number}.example/'>{c.name}</a> - {t.day(c.when)}</p><p>{c.text}</p><hr>"
    ),
    "paragraph pairs, line after": _each(
        lambda c, t: f"<p>{c.text}</p><p class='posted'>{t.by}: {c.name} | {t.day(c.when)}</p>"
    ),
    "anchors": _each(lambda c, t: f"<a name='c{c.number}'></a><p>{c.text}</p><p>{c.name} @ {t.day(c.when)}</p>"),
    "numbered divs, line beside": _each(
        lambda c, t: f"<div id='c{c.number}'><p>{c.text}</p></div><p class='posted'>{t.by} {c.name} {t.day(c.when)}</p>"
    ),
    "table": _each(
        lambda c, t: f"<tr class='comment'><td><b>{c.name}</b><br>{t.day(c.when)}</td><td>{c.text}</td></tr>",
        "<table>{}</table>",
    ),
    "named blocks": _each(
        lambda c, t: (
            f"<article class='c-comment comment-{c.number}'><div class='comment__author'>{c.name}</div>"
            f"<time datetime='{c.when}'>{t.day(c.when)}</time><div class='comment__body'><p>{c.text}</p></div>"
            f"<a class='comment__reply' href='#r'>{t.reply}</a></article>"
        ),
        "<section class='comments'>{}</section>",
    ),
    "microdata": _each(
        lambda c, t: (
            f"<div itemprop='comment' itemscope itemtype='https://schema.org/Comment'><span itemprop='author'>"
            f"{c.name}</span> <meta itemprop='datePublished' content='{c.when}'>{t.day(c.when)}"
            f"<div itemprop='text'>{c.text}</div></div>"
        )
    ),
    "h-cite": _each(
        lambda c, t: (
            f"<li class='h-cite u-comment'><a class='p-author h-card' href='http://{c.number}.example/'>{c.name}</a>"
            f" <time class='dt-published' datetime='{c.when}'>{t.day(c.when)}</time>"
            f"<p class='p-content'>{c.text}</p></li>"
        ),
        "<ul>{}</ul>",
    ),
    "static comments": _each(
        lambda c, t: (
            f"<div class='static-comment' id='comment-{c.number}'><img class='avatar' src='/a.png'><div>"
            f"<strong>{c.name}</strong> <small>{t.day(c.when)}</small><p>{c.text}</p></div></div>"
        )
    ),
    "undated fallback list": _each(
        lambda c, t: (
            f"<li id='dsq-comment-{c.number}'><div class='dsq-comment-header'><cite>{c.name}</cite></div>"
            f"<div class='dsq-comment-body'><p>{c.text}</p></div></li>"
        ),
        "<div id='disqus_thread'><ul id='dsq-comments'>{}</ul></div>",
        heading="",
    ),
    "old WordPress": _each(
        lambda c, t: (
            f"<li class='alt' id='comment-{c.number}'><cite><a href='http://{c.number}.example/'>{c.name}</a></cite> "
            f"{t.says}:<br><small class='commentmetadata'><a href='#comment-{c.number}'>{t.day(c.when)}</a>"
            f"</small><p>{c.text}</p></li>"
        ),
        "<ol class='commentlist'>{}</ol>",
    ),
    "Blogger": _each(
        lambda c, t: (
            f"<dt class='comment-author' id='c{c.number}'><a name='c{c.number}'></a>"
            f"<a href='http://{c.number}.example/'>"
            f"{c.name}</a> {t.says}...</dt><dd class='comment-body'><p>{c.text}</p></dd>"
            f"<dd class='comment-footer'><span class="
            f"'comment-timestamp'><a href='?showComment=1#c{c.number}'>{t.day(c.when)}</a></span></dd>"
        ),
        "<dl id='comments-block'>{}</dl>",
        heading="<h4>{}</h4>",
    ),
    "Movable Type": _each(
        lambda c, t: (
            f"<div class='comments-body'><p>{c.text}</p><span class='comments-post'>{t.by}: {c.name} "
            f"{t.day(c.when)}</span></div>"
        )
    ),
    "Drupal": _each(
        lambda c, t: (
            f"<a id='comment-{c.number}'></a><div class='comment'><h3>"
            f"<a href='#comment-{c.number}'>{c.text[:20]}</a></h3>"
            f"<div class='submitted'>{t.by} {c.name} {t.day(c.when)}</div><div class='content'><p>{c.text}</p>"
            f"</div></div>"
        ),
        heading="<h2>{}</h2>",
    ),
    "label without a heading": _each(
        lambda c, t: f"<div class='reader'><b>{c.name}</b> <i>{t.day(c.when)}</i><div>{c.text}</div></div>",
        heading="<p><b>{}</b></p>",
    ),
    "names that say": _each(lambda c, t: f"<p><b>{c.name}</b>: {c.text}</p>"),
    "utility classes": _each(
        lambda c, t: (
            f"<div class='flex p-4 mt-2'><div class='w-8'><img src='/x.png' alt=''></div><div class='ml-3'>"
            f"<p class='text-sm'>"
            f"<span class='font-bold'>{c.name}</span> <span class='text-gray-500'>{t.day(c.when)}</span></p>"
            f"<p class='mt-1'>{c.text}</p></div></div>"
        ),
        "<div class='mt-8'>{}</div>",
        heading="<h2 class='text-xl'>{}</h2>",
    ),
    "table pairs": _each(
        lambda c, t: f"<tr><td><b>{c.name}</b></td><td>{t.day(c.when)}</td></tr><tr><td colspan=2>{c.text}</td></tr>",
        "<table>{}</table>",
    ),
    "unnamed name, then date": _each(
        lambda c, t: (
            f"<div class='response'><p class='who'>{c.name}</p><p class='when'>{t.day(c.when)}</p><p>{c.text}</p></div>"
        ),
        "<section id='responses'>{}</section>",
    ),
    "name with a colon": _each(
        lambda c, t: f"<div><span>{c.name}:</span> <span>{t.day(c.when)}</span><br><span>{c.text}</span></div>"
    ),
    "date first": _each(
        lambda c, t: f"<div class='entry'><em>{t.day(c.when)}</em> <strong>{c.name}</strong><br>{c.text}</div>"
    ),
    "date and name in a heading": _each(
        lambda c, t: f"<h5>{t.day(c.when)} {c.name} {t.says}:</h5><blockquote><p>{c.text}</p></blockquote>"
    ),
    "counted names": _each(
        lambda c, t: (
            f"<a id='c{c.number}'></a><div class='serendipity_comment'>"
            f"<div class='serendipity_commentBody'>{c.text}</div><div class='serendipity_comment_source'>"
            f"<a href='#c{c.number}'>#{c.number}</a> {c.name} {t.day(c.when)}</div></div>"
        )
    ),
    "Dotclear": _each(
        lambda c, t: (
            f"<dt id='c{c.number}'><a href='#c{c.number}'>{c.number}.</a> {t.day(c.when)}, {t.by} <a href='http://a.example/'>"
            f"{c.name}</a></dt><dd><p>{c.text}</p></dd>"
        ),
        "<dl>{}</dl>",
    ),
    "fieldsets": _each(lambda c, t: f"<fieldset><legend>{c.name} - {t.day(c.when)}</legend>{c.text}</fieldset>"),
    "font tags": _each(lambda c, t: f"<p><font size=2>{c.text}<br><i>{t.by} {c.name} - {t.day(c.when)}</i></font></p>"),
    "wrappers": _each(
        lambda c, t: (
            f"<div><div><div><span>{c.name}</span> · <span>{t.day(c.when)}</span></div><div>{c.text}</div></div></div>"
        ),
        "<div><div><div>{}</div></div></div>",
    ),
}

MARGINS = (
    "<aside class='sidebar'><h3>Recent comments</h3><ul>"
    "<li class='comment'><a href='/other/#comment-3'>Zoe on Ferries</a> 2 May 2012</li>"
    "<li class='comment'><a href='/other/#comment-4'>Yan on Herons</a> 3 May 2012</li></ul></aside>",
    "<div id='recent-comments'><h3>Comments</h3><ul><li>Zoe: nice! (2 May 2012)</li>"
    "<li>Yan: I agree (3 May 2012)</li></ul></div>",
    "<div class='related-posts'><h3>Related</h3><ul><li><a href='/a/'>Ferries</a> 2 May 2012</li>"
    "<li><a href='/b/'>Herons</a> 3 May 2012</li></ul></div>",
    "<div class='author-box'><h4>About Ann</h4><p>Ann writes about ferries since 4 May 2001.</p></div>",
    "<p class='tags'>Tags: <a href='/tag/a'>ferry</a>, <a href='/tag/b'>heron</a></p>",
    "<div id='respond'><h3>Leave a comment</h3><form><p>Name</p><p>Your comment is reviewed.</p></form></div>",
    "<div class='reviews'><h3>Reviews</h3><div><b>Zoe</b> 2 May 2012 <p>Five stars for the ferry.</p></div>"
    "<div><b>Yan</b> 3 May 2012 <p>Four stars for the heron.</p></div></div>",
    "<div class='teasers'><article class='post'><h2><a href='/a/'>Ferries</a></h2>"
    "<p>2 May 2012 by Ann. 3 comments</p><p>Of ferries.</p>"
    "</article><article class='post'><h2><a href='/b/'>Herons</a></h2><p>3 May 2012 by Ann. 2 comments</p>"
    "<p>Of herons.</p></article></div>",
    "<nav><a href='/x/'>Previous: 2 comments on ferries</a></nav>",
    "<h3>Comments are closed</h3><p>Since 4 May 2012 there is no form here.</p>",
    "<h3>Share this</h3><ul><li>Mail</li><li>Print</li></ul>",
)


def page(theme: Theme | None, tongue: Tongue, said: Sequence[Said], margins: str = "") -> bytes:
    """A post in a theme."""
    below = theme(said, tongue) if theme and said else ""
    head = "<header><a href='/'>The Ferry Log</a></header>"
    post = f"<article><h1>Of a lantern</h1><p class='meta'>1 March 2013</p><div class='text'>{ARTICLE}</div></article>"
    html = f"<body>{head}<main>{post}<div>{below}</div></main>{margins}<footer>Since 2009.</footer></body>"
    return f"<!doctype html><html><head><title>x</title></head>{html}</html>".encode()
