"""WebSub and rssCloud: what is asked, what is confirmed, whose word is believed."""

from __future__ import annotations

import hashlib
import hmac

import pytest

from blogforever.errors import UsageError
from blogforever.ping.rsscloud import (
    asked_of_cloud,
    call_of_cloud,
    confirm_cloud,
    is_called,
    is_refused,
    told_by_call,
)
from blogforever.ping.websub import (
    LONGEST_LEASE,
    SHORTEST_LEASE,
    WANTED_LEASE,
    Confirmed,
    Denied,
    asked_of_hub,
    heard_of_hub,
    is_signed,
)

FEED = "http://a.example/feed"
QUESTION = {"hub.mode": "subscribe", "hub.topic": FEED, "hub.challenge": "xyz", "hub.lease_seconds": "864000"}
CALLBACK = "https://we.example/websub/abc"


def test_the_hub_is_asked_with_a_secret() -> None:
    form = asked_of_hub("subscribe", FEED, CALLBACK, "secret")
    assert (form["hub.callback"], form["hub.topic"], form["hub.secret"]) == (CALLBACK, FEED, "secret")
    assert "hub.secret" not in asked_of_hub("unsubscribe", FEED, CALLBACK, "secret")


def test_what_we_asked_for_is_confirmed_for_the_time_that_is_granted() -> None:
    assert heard_of_hub("subscribe", FEED, QUESTION) == Confirmed("xyz", 864_000)


@pytest.mark.parametrize(
    ("said", "granted"), [("1", SHORTEST_LEASE), ("9" * 11, LONGEST_LEASE), ("", WANTED_LEASE), ("-5", WANTED_LEASE)]
)
def test_a_lease_is_neither_a_moment_nor_for_ever(said: str, granted: int) -> None:
    assert heard_of_hub("subscribe", FEED, QUESTION | {"hub.lease_seconds": said}) == Confirmed("xyz", granted)


@pytest.mark.parametrize(
    "changed",
    [
        {"hub.topic": "http://b.example/"},
        {"hub.topic": "http://b.example/", "hub.mode": "denied"},
        {"hub.mode": "unsubscribe"},
        {"hub.challenge": ""},
        {"hub.challenge": "x" * 5000},
    ],
)
def test_what_we_did_not_ask_for_is_not_confirmed(changed: dict[str, str]) -> None:
    assert heard_of_hub("subscribe", FEED, QUESTION | changed) is None


def test_an_end_that_we_asked_for_is_confirmed() -> None:
    assert heard_of_hub("unsubscribe", FEED, QUESTION | {"hub.mode": "unsubscribe"}) == Confirmed("xyz", None)


def test_a_hub_may_say_no() -> None:
    said = {"hub.mode": "denied", "hub.topic": FEED, "hub.reason": " not\nyou "}
    assert heard_of_hub("subscribe", FEED, said) == Denied("not you")


@pytest.mark.parametrize("kind", ["sha1", "sha256", "sha384", "sha512"])
def test_only_what_is_signed_with_our_secret_is_believed(kind: str) -> None:
    made = hmac.new(b"secret", b"body", getattr(hashlib, kind)).hexdigest()
    assert is_signed("secret", b"body", f"{kind}={made}")
    assert is_signed("secret", b"body", f" {kind}={made.upper()}")
    assert not is_signed("secret", b"other", f"{kind}={made}")
    assert not is_signed("wrong", b"body", f"{kind}={made}")


@pytest.mark.parametrize("header", ["", "md5=" + "a" * 40, "sha256=", "sha256=zz", "sha1"])
def test_a_signature_that_is_none_is_not_believed(header: str) -> None:
    assert not is_signed("secret", b"body", header)


def test_without_a_secret_nothing_is_believed() -> None:
    made = hmac.new(b"", b"body", hashlib.sha256).hexdigest()
    assert not is_signed("", b"body", f"sha256={made}")


def test_a_cloud_is_told_where_we_listen_and_confirmed_for_our_feed_alone() -> None:
    form = asked_of_cloud(FEED, "http://we.example:8150/rsscloud/abc")
    assert (form["domain"], form["port"], form["path"], form["url1"]) == ("we.example", "8150", "/rsscloud/abc", FEED)
    assert asked_of_cloud(FEED, CALLBACK)["protocol"] == "https-post"
    assert confirm_cloud(FEED, {"url": FEED, "challenge": "xyz"}) == "xyz"
    assert confirm_cloud(FEED, {"url": "http://b.example/", "challenge": "xyz"}) is None


def test_a_cloud_is_called_and_calls_back_by_xml_rpc() -> None:
    call = call_of_cloud("rssCloud.pleaseNotify", "http://a.example/?a&b", "http://we.example:8150/rsscloud/abc")
    assert b"<methodName>rssCloud.pleaseNotify</methodName>" in call
    assert b"<string>http://a.example/?a&amp;b</string>" in call
    told = call.replace(b"rssCloud.pleaseNotify", b"rssCloud.notify")
    assert is_called(told)
    assert told_by_call(told) == "rssCloud.notify", "its first parameter"
    with pytest.raises(UsageError):
        told_by_call(call)


@pytest.mark.parametrize(
    "answer",
    [
        b'<notifyResult success="false" msg="no"/>',
        b'{"success": false}',
        b"<value><boolean>0</boolean></value>",
        b"<methodResponse><fault>",
    ],
)
def test_a_cloud_may_say_no(answer: bytes) -> None:
    assert is_refused(answer)
    assert not is_refused(b'<notifyResult success="true" msg="Thanks"/>')
