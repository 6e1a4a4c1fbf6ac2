"""What we use of Scrapy and Twisted though it is not public is still there, and named in one module only."""

from __future__ import annotations

import ast
import inspect
from importlib import import_module
from pathlib import Path

import pytest
from scrapy.core.downloader.handlers import http11
from scrapy.downloadermiddlewares import cookies
from twisted.web import _newclient
from twisted.web.client import HTTPConnectionPool

FETCH = Path(__file__).parents[3] / "src/blogforever/fetch"
PLACE = "inside_scrapy.py"


@pytest.mark.parametrize(
    ("there", "what", "why"),
    [
        (hasattr(http11, "_LenientHTTP11ClientProtocol"), "scrapy's _LenientHTTP11ClientProtocol", "headers end"),
        (hasattr(http11, "_LenientHTTP11ClientFactory"), "scrapy's _LenientHTTP11ClientFactory", "headers end"),
        ({"HEADER", "STATUS"} <= vars(_newclient).keys(), "twisted's parser states HEADER and STATUS", "headers end"),
        (hasattr(_newclient.HTTP11ClientProtocol, "_giveUp"), "HTTP11ClientProtocol._giveUp", "headers end"),
        ("_parser" in vars(_newclient.HTTP11ClientProtocol), "HTTP11ClientProtocol._parser", "headers end"),
        (
            "quiescentCallback" in inspect.signature(_newclient.HTTP11ClientProtocol).parameters,
            "HTTP11ClientProtocol(quiescentCallback)",
            "headers end",
        ),
        (hasattr(HTTPConnectionPool, "_factory"), "HTTPConnectionPool._factory", "headers end"),
        (
            hasattr(HTTPConnectionPool, "retryAutomatically"),
            "HTTPConnectionPool.retryAutomatically",
            "no extra requests",
        ),
        (
            {"RequestNotSent", "RequestTransmissionFailed"} <= vars(_newclient).keys(),
            "twisted's words for connections that are gone",
            "no extra requests",
        ),
        (
            "self._contextFactory" in inspect.getsource(http11.HTTP11DownloadHandler.download_request),
            "HTTP11DownloadHandler._contextFactory",
            "connections that were looked at and others are kept apart",
        ),
        (
            "self._pool" in inspect.getsource(http11.HTTP11DownloadHandler.download_request),
            "HTTP11DownloadHandler._pool",
            "headers end",
        ),
    ],
)
def test_the_libraries_still_have_what_we_use_of_their_inside(there: bool, what: str, why: str) -> None:
    assert there, f"{what} is gone: find another way to see that {why}, in fetch/{PLACE}"


def test_nothing_else_in_fetch_names_what_is_not_public() -> None:
    found = {path.name: names for path in FETCH.glob("*.py") if path.name != PLACE and (names := private_names(path))}
    assert found == {}, f"what is not public of a library is used in fetch/{PLACE} only, with the reason"


def private_names(path: Path) -> list[str]:
    """Names with an underscore that are looked up in another object, imported from a library, or inherited from it."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = [node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute) and is_foreign(node)]
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and not node.level:
            parts = [*(node.module or "").split("."), *(name.name for name in node.names)]
            found += [part for part in parts if is_private(part) and part != "__future__"]
    return found + overridden(f"blogforever.fetch.{path.stem}")


def is_foreign(node: ast.Attribute) -> bool:
    own = isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")
    return is_private(node.attr) and not own


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.endswith("__")


def overridden(module: str) -> list[str]:
    """Private methods of Scrapy's or Twisted's classes that ours put others in place of."""
    found = []
    for own in vars(import_module(module)).values():
        if inspect.isclass(own) and own.__module__ == module:
            inherited = {name for base in own.__mro__[1:] if is_theirs(base) for name in vars(base)}
            methods = [name for name, value in vars(own).items() if inspect.isfunction(value)]
            found += [name for name in methods if is_private(name) and name in inherited]
    return found


def is_theirs(base: type) -> bool:
    return base.__module__.startswith(("scrapy", "twisted"))


def test_no_list_of_suffixes_is_asked_for_on_the_web(monkeypatch: pytest.MonkeyPatch) -> None:
    import_module("blogforever.fetch.inside_scrapy")

    def asked(*_arguments: object, **_more: object) -> None:
        raise AssertionError("the web was asked")

    monkeypatch.setattr("requests.Session.request", asked)
    assert cookies._split_domain("blog.some.co.uk").suffix == "co.uk", "scrapy no longer has cookies._split_domain"
    assert "_split_domain(" in inspect.getsource(cookies), "scrapy splits domains in another way"
