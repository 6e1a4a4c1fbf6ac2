"""Cookies and passwords of the operator's own: to the blog they were given for, and to nobody else."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from warcio.archiveiterator import ArchiveIterator

from blogforever.archive.crawling import crawl_blog, crawl_blogs, write_run
from blogforever.archive.opening import open_archive
from blogforever.config import Config, Policy, read_policy
from blogforever.errors import UsageError
from blogforever.fetch import guard
from blogforever.records import json_line
from server.blogserver import Answers, Reply, Site, send, serve_answers
from server.proxy import serve_tunnels
from server.tls import EXPIRED, SELF_SIGNED, STRANGER, VALID, WRONG_NAME, Authority
from server.wpblog import Blog, answer

PNG = {"Content-Type": "image/png"}
PASSWORD = "Basic " + base64.b64encode(b"me:sesame").decode()


class Heard(NamedTuple):
    """What a server was told with a request."""

    host: str
    path: str
    cookie: str
    password: str


class Listening:
    """A blog that answers under any name and writes down what it is told.

    Every page holds `more`, /away.png leads `away`, and each answer `sets` a cookie.
    """

    def __init__(self, more: str = "", posts: int = 2) -> None:
        self.more, self.away, self.sets = more, "", ""
        self.blog, self.heard = Blog(posts=posts, in_feed=posts), list[Heard]()

    def __call__(self, base: str) -> Answers:
        def route(target: str) -> Any:
            def reply(handler: BaseHTTPRequestHandler) -> None:
                told = [handler.headers.get(name) or "" for name in ("Host", "Cookie", "Authorization")]
                self.heard.append(Heard(told[0], target, told[1], told[2]))
                send(handler, self.answer(base, target))

            return reply

        return route

    def answer(self, base: str, target: str) -> Reply:
        if target == "/away.png":
            return Reply(b"", 302, {"Location": self.away})
        if target.endswith(".png"):
            return Reply(b"\x89PNG", headers=PNG)
        found = answer(self.blog, base, target) or Reply(b"<h1>Not here</h1>", 404)
        headers = found.headers | ({"Set-Cookie": self.sets} if self.sets else {})
        return Reply(found.body.replace(b"</body>", self.more.encode() + b"</body>"), found.status, headers)

    def told(self, host: str) -> list[Heard]:
        """What was asked under this name."""
        found = [one for one in self.heard if one.host.partition(":")[0] == host]
        assert found, f"nothing was asked of {host}"
        return found


@pytest.fixture(autouse=True)
def every_name_is_here(monkeypatch: pytest.MonkeyPatch) -> None:
    async def look_up(_name: str) -> tuple[str, ...]:
        return ("127.0.0.1",)

    monkeypatch.setattr(guard, "_look_up", look_up)


def settings(folder: Path, **more: Any) -> Config:
    values: dict[str, Any] = {"archive": folder / "a", "allow_private": True, "delay": 0.0, "timeout": 20.0}
    return Config(**(values | {"retries": 0, "render": "never"} | more))


def cookies(folder: Path, *hosts: str, secure: bool = False) -> str:
    """A cookies.txt as a browser exports it: of everything its owner is logged in to."""
    file = folder / "cookies.txt"
    mark = "TRUE" if secure else "FALSE"
    lines = ["\t".join((host, "FALSE", "/", mark, "4102444800", "member", f"of-{host}")) for host in hosts]
    file.write_text("\n".join(("# Netscape HTTP Cookie File", *lines, "")), encoding="utf-8")
    return str(file)


def named(site: Site, host: str) -> str:
    """The same server by a name."""
    return site.base.replace("127.0.0.1", host)


@contextmanager
def served(page: Listening) -> Iterator[Site]:
    with serve_answers(page) as site:
        yield site


def test_cookies_go_to_the_blog_and_not_where_its_pages_point(tmp_path: Path) -> None:
    blog, other = Listening(), Listening()
    with served(blog) as site, served(other) as elsewhere:
        bank, port = named(site, "bank.example"), named(elsewhere, "my.example")
        blog.more = f'<img src="{bank}/a.png"><img src="{port}/b.png"><a href="{bank}/about/">Bank</a>'
        config = settings(tmp_path, cookies=cookies(tmp_path, "my.example", "bank.example"))
        crawl_blog(named(site, "my.example"), config)
    assert {one.cookie for one in blog.told("my.example")} == {"member=of-my.example"}
    assert {one.cookie for one in blog.told("bank.example")} == {""}
    assert {one.cookie for one in other.told("my.example")} == {""}


def test_a_redirect_takes_no_cookie_along(tmp_path: Path) -> None:
    blog = Listening('<img src="/away.png">')
    with served(blog) as site:
        blog.away = f"{named(site, 'bank.example')}/a.png"
        config = settings(tmp_path, cookies=cookies(tmp_path, "my.example", "bank.example"))
        crawl_blog(named(site, "my.example"), config)
    assert {one.cookie for one in blog.told("my.example")} == {"member=of-my.example"}
    assert {one.cookie for one in blog.told("bank.example")} == {""}


@pytest.mark.browser
@pytest.mark.long
def test_a_script_in_the_browser_has_no_cookie_to_send_elsewhere(tmp_path: Path) -> None:
    blog = Listening()
    with served(blog) as site:
        bank = named(site, "bank.example")
        blog.more = f"<script>fetch('{bank}/transfer/', {{mode: 'no-cors', credentials: 'include'}})</script>"
        config = settings(tmp_path, cookies=cookies(tmp_path, "my.example", "bank.example"), render="always")
        crawl_blog(named(site, "my.example"), config)
    assert {one.cookie for one in blog.told("bank.example")} == {""}
    assert {one.cookie for one in blog.told("my.example")} == {"member=of-my.example"}


def test_a_password_is_for_one_blog_its_scheme_and_its_port(tmp_path: Path) -> None:
    blog, other = Listening(), Listening()
    with served(blog) as site, served(other) as elsewhere:
        blog.more = f'<img src="{named(elsewhere, "my.example")}/b.png"><img src="{named(site, "bank.example")}/a.png">'
        policies = (
            Policy("my.example", user="me", password="sesame"),
            Policy("bank.example", user="me", password="sesame"),
        )
        crawl_blog(named(site, "my.example"), settings(tmp_path, policy=policies))
    assert {one.password for one in blog.told("my.example")} == {PASSWORD}
    assert {one.password for one in other.told("my.example")} == {""}
    assert {one.password for one in blog.told("bank.example")} == {""}


def test_of_two_blogs_each_has_its_own_password_only_for_itself(tmp_path: Path) -> None:
    one, two = Listening(), Listening()
    with served(one) as first, served(two) as second:
        one.more = f'<img src="{named(second, "two.example")}/of-one.png">'
        policies = (Policy("two.example", user="me", password="sesame"),)
        blogs = [named(first, "one.example"), named(second, "two.example")]
        crawl_blogs(blogs, settings(tmp_path, policy=policies))
    passwords = {heard.path: heard.password for heard in two.told("two.example")}
    assert passwords["/of-one.png"] == ""
    assert passwords["/"] == PASSWORD


class Vouched:
    """A blog over https with some certificate, and the authority that the operator trusts."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.authority = Authority(folder)
        monkeypatch.setenv("SSL_CERT_FILE", str(self.authority.file))

    @contextmanager
    def serves(self, page: Listening, kind: str = VALID) -> Iterator[Site]:
        with serve_answers(page, context=self.authority.context(kind)) as site:
            yield site


@pytest.fixture
def vouched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Vouched:
    return Vouched(tmp_path, monkeypatch)


def test_what_is_given_for_https_does_not_go_over_http(tmp_path: Path, vouched: Vouched) -> None:
    blog, plain = Listening(), Listening()
    with vouched.serves(blog) as site, served(plain) as http:
        blog.more = f'<img src="{http.base}/b.png">'
        policies = (Policy("127.0.0.1", user="me", password="sesame"),)
        crawl_blog(site.base, settings(tmp_path, cookies=cookies(tmp_path, "127.0.0.1"), policy=policies))
    assert {(one.cookie, one.password) for one in blog.heard} == {("member=of-127.0.0.1", PASSWORD)}
    assert {(one.cookie, one.password) for one in plain.told("127.0.0.1")} == {("", "")}


def test_secure_cookies_need_https(tmp_path: Path, vouched: Vouched) -> None:
    blog, plain = Listening(), Listening()
    with vouched.serves(blog) as site, served(plain) as http:
        config = settings(tmp_path, cookies=cookies(tmp_path, "127.0.0.1", secure=True))
        crawl_blogs([site.base, http.base], config)
    assert {one.cookie for one in blog.heard} == {"member=of-127.0.0.1"}
    assert {one.cookie for one in plain.heard} == {""}


def logged_in(folder: Path) -> dict[str, Any]:
    """Cookies and a password for the blog on this machine."""
    return {
        "cookies": cookies(folder, "127.0.0.1"),
        "policy": (Policy("127.0.0.1", user="me", password="sesame"),),
    }


def records_of(archive: Path, kind: str) -> list[str]:
    """The blocks of all records of this kind in the WARC files."""
    found = []
    for path in (archive / "warc").rglob("*.warc.gz"):
        with path.open("rb") as file:
            for record in ArchiveIterator(file, no_record_parse=True):
                if record.rec_type == kind and record.rec_headers.get_header("WARC-Target-URI"):
                    found.append(record.content_stream().read().decode("latin-1"))
    assert found
    return found


def certificates_of(archive: Path) -> object:
    with open_archive(archive, writing=False) as folder:
        record = folder.library.blogs(everything=True)[0].record
    return json.loads(json_line(record))["completeness"]["certificates"]


def texts(lines: list[str]) -> dict[str, str]:
    """The text of each post."""
    return {record["url"]: record["text"] for record in map(json.loads, lines) if record["type"] == "post"}


NOT_VALID = {
    EXPIRED: "expired",
    WRONG_NAME: "it is for another name",
    SELF_SIGNED: "self-signed",
    STRANGER: "its issuer is not known",
}


def test_a_valid_certificate_is_nothing_to_speak_of(tmp_path: Path, vouched: Vouched) -> None:
    with vouched.serves(Listening()) as site:
        report = crawl_blog(site.base, settings(tmp_path))
    assert report.posts == 2
    assert not [fact for fact in records_of(tmp_path / "a", "metadata") if "certificate" in fact]
    assert not [line for line in report.completeness.sentences() if "certificate" in line]
    assert certificates_of(tmp_path / "a") == []


@pytest.mark.parametrize(("kind", "reason"), NOT_VALID.items())
def test_where_the_certificate_is_not_valid_pages_are_kept_and_nothing_is_given_away(
    tmp_path: Path, vouched: Vouched, kind: str, reason: str
) -> None:
    blog = Listening()
    with vouched.serves(blog, kind) as site:
        config = settings(tmp_path, **logged_in(tmp_path))
        report = crawl_blog(site.base, config)
        again = crawl_blog(site.base, config)
    host = site.base.removeprefix("https://")
    assert report.posts == again.posts == 2
    assert {(one.cookie, one.password) for one in blog.heard} == {("", "")}
    facts = records_of(tmp_path / "a", "metadata")
    assert facts
    assert all(f"certificate: not valid ({reason})" in fact for fact in facts)
    for one in (report, again):
        told = [line for line in one.completeness.sentences() if f"{host} is not valid ({reason})" in line]
        assert len(told) == 1
    assert certificates_of(tmp_path / "a") == [{"host": host, "not_valid": reason}]


def test_only_insecure_trusts_a_certificate_that_is_not_valid(tmp_path: Path, vouched: Vouched) -> None:
    blog = Listening()
    with vouched.serves(blog, EXPIRED) as site:
        report = crawl_blog(site.base, settings(tmp_path, insecure=True, **logged_in(tmp_path)))
    assert {(one.cookie, one.password) for one in blog.heard} == {("member=of-127.0.0.1", PASSWORD)}
    assert report.completeness.distrusted == {site.base.removeprefix("https://"): "expired"}


def test_a_policy_trusts_one_host_and_the_warc_says_by_what_it_was_trusted(tmp_path: Path, vouched: Vouched) -> None:
    blog = Listening()
    with vouched.serves(blog, SELF_SIGNED) as site:
        host = site.base.removeprefix("https://")
        other = Policy("other.example", insecure=True, note="theirs is old", user="me", password="sesame")
        policy = Policy(host, insecure=True, note="seen at their desk", user="me", password="sesame")
        crawl_blog(site.base, settings(tmp_path, policy=(policy, other)))
        assert {one.password for one in blog.heard} == {PASSWORD}
        blog.heard.clear()
        distrusted = replace(policy, insecure=False)
        crawl_blog(site.base, settings(tmp_path / "b", policy=(distrusted, other)))
        assert {one.password for one in blog.heard} == {""}
        crawl_blog(site.base, settings(tmp_path / "c", policy=(distrusted,), insecure=True))
    said = {"a": ", trusted by a policy: seen at their desk", "b/a": "", "c/a": ", trusted by --insecure"}
    for folder, why in said.items():
        facts = records_of(tmp_path / folder, "metadata")
        assert all(f"certificate: not valid (self-signed){why}\r\n" in fact for fact in facts)


def test_a_policy_that_trusts_any_certificate_needs_a_note() -> None:
    with pytest.raises(UsageError, match="ignores its certificate and needs a note"):
        read_policy({"blog": "some.blog", "insecure": True})
    with pytest.raises(UsageError, match="insecure = 'yes'"):
        read_policy({"blog": "some.blog", "insecure": "yes", "note": "it is"})


def test_a_replay_gives_the_same_posts_whatever_the_certificate_was(tmp_path: Path, vouched: Vouched) -> None:
    with vouched.serves(Listening(), EXPIRED) as site:
        config = settings(tmp_path)
        live = list(write_run(config, crawl_blog(site.base, config).run))
    warcs = (str(tmp_path / "a" / "warc"),)
    other = settings(tmp_path / "replayed", replay=warcs)
    replayed = list(write_run(other, crawl_blog(site.base, other).run))
    assert texts(replayed) == texts(live)
    assert len(texts(live)) == 2


@pytest.mark.browser
@pytest.mark.long
def test_a_script_gets_nothing_for_a_host_whose_certificate_is_not_valid(tmp_path: Path, vouched: Vouched) -> None:
    blog = Listening("<script>fetch('/api.json', {credentials: 'include'})</script>")
    with vouched.serves(blog, EXPIRED) as site:
        crawl_blog(site.base, settings(tmp_path, render="always", **logged_in(tmp_path)))
    assert "/api.json" in [one.path for one in blog.heard]
    assert {(one.cookie, one.password) for one in blog.heard} == {("", "")}


def test_what_a_server_sets_for_who_is_logged_in_stays_with_the_log_in(tmp_path: Path, vouched: Vouched) -> None:
    blog, plain = Listening(), Listening()
    blog.sets = "session=opened; Path=/"
    with vouched.serves(blog) as site, served(plain) as http:
        blog.more = f'<img src="{http.base}/b.png">'
        policies = (Policy("127.0.0.1", user="me", password="sesame"),)
        crawl_blog(site.base, settings(tmp_path, policy=policies))
    assert "session=opened" in {one.cookie for one in blog.heard}
    assert {one.cookie for one in plain.told("127.0.0.1")} == {""}
    assert not [text for text in records_of(tmp_path / "a", "request") if "session=opened" in text]


@pytest.mark.parametrize("kind", [VALID, EXPIRED])
def test_through_a_proxy_certificates_count_as_well(tmp_path: Path, vouched: Vouched, kind: str) -> None:
    blog = Listening()
    with vouched.serves(blog, kind) as site, serve_tunnels() as proxy:
        report = crawl_blog(site.base, settings(tmp_path, proxy=proxy, **logged_in(tmp_path)))
    assert report.posts == 2
    expected = ("member=of-127.0.0.1", PASSWORD) if kind == VALID else ("", "")
    assert {(one.cookie, one.password) for one in blog.heard} == {expected}


def test_behind_a_proxy_a_dead_host_is_no_matter_of_robots(tmp_path: Path) -> None:
    with serve_tunnels(dead=True) as proxy:
        report = crawl_blog("https://dead.example/", settings(tmp_path, proxy=proxy))
    assert report.home_failure == "connection"


def test_an_authority_that_is_not_there_is_an_error_of_usage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "none.pem"))
    with pytest.raises(UsageError, match="SSL_CERT_FILE"):
        crawl_blog("https://my.example/", settings(tmp_path))
