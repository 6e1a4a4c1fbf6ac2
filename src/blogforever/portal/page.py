"""How pages are made: one function that renders a template for whoever asks, and one that sends him on with a word."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from http import HTTPStatus
from importlib.resources import files
from typing import Any
from urllib.parse import quote, unquote, urlencode, urlsplit

from fastapi import Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup, escape

from blogforever.service.keys import is_signed, signature

from .asked import standing_of
from .screens import in_groups
from .showing import FILTERS, UNDER_WAY
from .visitors import Visitor, key_of, visitor_of
from .words import _, catalogue, languages, own_name, speak, spoken

# A word that the page after a form shows once.
SAID_COOKIE, SAID_SECONDS, LONGEST_SAID = "blogforever_said", 60, 1000
SAID = "said"
# Texts of templates that are remembered as they are said: more than all languages have together.
REMEMBERED = 8192


def escaped(value: Any) -> Markup:
    """A value as a page has it. What is safe already stays as it is: to make another of the same takes as long as to
    write it, and pages have more than a thousand.
    """
    return value if type(value) is Markup else escape(value)


class PageTemplate(Template):
    """A template that escapes so."""

    @classmethod
    def from_code(cls, *code: Any, **more: Any) -> Template:
        """The template of this code, which knows by its name what it escapes with."""
        made = super().from_code(*code, **more)
        made.root_render_func.__globals__[escape.__name__] = escaped
        return made


@cache
def templates() -> Environment:
    """The templates; everything put into them is escaped."""
    made = Environment(
        loader=PackageLoader("blogforever.portal"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,  # nobody changes them while they are served, and to look costs a tenth of a page
        extensions=["jinja2.ext.i18n"],
    )
    made.template_class = PageTemplate
    made.install_gettext_callables(  # type: ignore[attr-defined]  # the i18n extension adds it
        lambda text: catalogue(spoken()).gettext(text),
        lambda one, many, number: catalogue(spoken()).ngettext(one, many, number),
        newstyle=True,
    )
    made.filters |= FILTERS
    made.globals |= {
        "_": said_on_page,
        "ngettext": counted_on_page,
        "languages": languages,
        "own_name": own_name,
        "spoken": spoken,
        "static": static_url,
        "under_way": UNDER_WAY,
    }
    return made


def said_on_page(text: str, **values: object) -> Markup:
    """Words of a template in the language that is spoken, as the gettext of Jinja gives them; that one takes ten times
    as long, and pages have hundreds of them.
    """
    return Markup(_(text)) % values if values else _said_plainly(text, spoken())  # noqa: S704  words of our own


def counted_on_page(one: str, many: str, number: int, **values: object) -> Markup:
    """The words for so many of something, likewise; `%(num)s` in them stands for the number."""
    return Markup(catalogue(spoken()).ngettext(one, many, number)) % ({"num": number} | values)  # noqa: S704  our words


@lru_cache(maxsize=REMEMBERED)
def _said_plainly(text: str, language: str) -> Markup:
    """Words with nothing to fill in; a sign for per cent is written twice in all of them."""
    return Markup(catalogue(language).gettext(text)) % {}  # noqa: S704  words of our own


@cache
def static_url(name: str) -> str:
    """The address of a file that never changes under it: the browser keeps it until it has changed."""
    content = files("blogforever.portal").joinpath("static", name).read_bytes()
    return f"/static/{name}?{signature(b'', content.hex())[:12]}"


def page(request: Request, template: str, *, status: int = HTTPStatus.OK, **values: Any) -> HTMLResponse:
    """A template as an answer. It knows `visitor`, `screens`, `here` (the path) and `said` by
    itself.
    """
    visitor = greeted_visitor(request)
    said = said_before(request)
    answer = HTMLResponse(rendered(request, template, visitor, said=said, **values), status)
    answer.headers["Content-Language"] = spoken()
    if said:
        answer.delete_cookie(SAID_COOKIE)
    return answer


def part(request: Request, template: str, **values: Any) -> HTMLResponse:
    """A piece of a page, which is put into a page that is open already."""
    return HTMLResponse(rendered(request, f"parts/{template}", greeted_visitor(request), **values))


def rendered(request: Request, template: str, visitor: Visitor, **values: Any) -> str:
    """A template with what every page knows."""
    shown = [screen for screen in request.app.state.screens if screen.is_for(visitor)]
    known = {"visitor": visitor, "screens": shown, "groups": in_groups(shown), "here": request.url.path}
    return templates().get_template(template).render(known | values)


def greeted_visitor(request: Request) -> Visitor:
    """Who asks, also where no route found that out; his language is spoken."""
    visitor: Visitor = getattr(request.state, "visitor", None) or visitor_of(request, standing_of(request))
    speak(visitor.language)
    return visitor


def go(request: Request, path: str, said: str = "") -> Response:
    """Send somebody on after a form; the page he comes to tells him what is `said`."""
    answer = RedirectResponse(path, HTTPStatus.SEE_OTHER)
    if said:
        text = quote(said[:LONGEST_SAID])
        signed = f"{signature(key_of(standing_of(request)), SAID, text)}.{text}"
        set_cookie(request, answer, SAID_COOKIE, signed, SAID_SECONDS)
    return answer


def set_cookie(request: Request, answer: Response, name: str, value: str, seconds: int) -> None:
    """Give a browser something to keep: no script reads it, no other site's form brings it along."""
    answer.set_cookie(name, value, seconds, httponly=True, samesite="lax", secure=is_secure(request))


def said_before(request: Request) -> str:
    """What was said to whoever comes from a form; only what we said ourselves."""
    signed, _, text = request.cookies.get(SAID_COOKIE, "").partition(".")
    if not text or not is_signed(key_of(standing_of(request)), signed, SAID, text):
        return ""
    return unquote(text)


def is_secure(request: Request) -> bool:
    """Whether pages go over https, here or where people outside see them."""
    public = standing_of(request).names.public_url
    return request.url.scheme == "https" or (public.startswith("https:") and not is_at_home(request))


def is_at_home(request: Request) -> bool:
    """Whether somebody uses the name of this machine itself."""
    return (request.url.hostname or "") in ("localhost", "127.0.0.1", "::1")


def own_path(given: str) -> str:
    """A path of this portal to go on to; the first page where what was given leads elsewhere."""
    is_ours = given.startswith("/") and not given.startswith(("//", "/\\")) and given.isprintable()
    return given if is_ours and not urlsplit(given).netloc else "/"


def came_from(request: Request) -> str:
    """The page of ours that led here; empty where there was none."""
    came = urlsplit(request.headers.get("referer", ""))
    if came.netloc != request.headers.get("host"):
        return ""
    return own_path(f"{came.path}?{came.query}" if came.query else came.path)


def address(path: str, values: Mapping[str, object]) -> str:
    """A path with a question; what is empty is left out, so that addresses stay short enough to be
    kept.
    """
    given = {name: value for name, value in values.items() if value not in ("", None, (), [])}
    return f"{path}?{urlencode(given, doseq=True)}" if given else path
