"""A person at the portal, for tests: a browser's headers, a session, forms that are sent as pages send them."""

from __future__ import annotations

from typing import Any

from fastapi.testclient import TestClient
from lxml import html

from blogforever.portal.visitors import FORM, NOBODY, key_of, session_cookie
from blogforever.service.keys import signature
from blogforever.service.people import begin_session, found_user
from blogforever.service.standing import Standing
from blogforever.service.tokens import digest_of

HOME = "http://127.0.0.1:8150"
HERE = "127.0.0.1"
HEADERS = {"Accept": "text/html,application/xhtml+xml", "Accept-Language": "en"}


class PortalClient(TestClient):
    """Asks as a browser of somebody who is logged in; an empty name is nobody."""

    def __init__(self, app: Any, standing: Standing, name: str, home: str = HOME, came_from: str = HERE) -> None:
        super().__init__(app, home, headers=HEADERS, follow_redirects=False, client=(came_from, 50_000))
        self.standing, self.name = standing, name
        key, self.secret = key_of(standing), ""
        if name:
            store = standing.archive.store
            self.secret = begin_session(store, found_user(store, name), "a test").secret
            self.cookies.set(session_cookie(key), self.secret)
        self.form_token = signature(key, FORM, digest_of(self.secret) if name else NOBODY)

    def submit(self, path: str, **fields: Any) -> Any:
        """Post a form as a page of ours does; the answer, without going where it leads."""
        headers = {"Origin": str(self.base_url).rstrip("/")}
        return self.post(path, data={"form_token": self.form_token, **fields}, headers=headers)

    def submitted(self, path: str, **fields: Any) -> html.HtmlElement:
        """The page to which a form leads, which must be accepted."""
        answer = self.submit(path, **fields)
        assert answer.status_code == 303, answer.text
        return self.page(answer.headers["location"])

    def page(self, path: str, status: int = 200) -> html.HtmlElement:
        """A page, read."""
        answer = self.get(path)
        assert answer.status_code == status, (answer.status_code, answer.headers.get("location"), answer.text[:2000])
        return html.document_fromstring(answer.text)


def words(found: html.HtmlElement) -> str:
    """What somebody reads of a page, or a part of it."""
    return " ".join(found.text_content().split())
