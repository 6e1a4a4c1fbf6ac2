"""Pings by XML-RPC: what blogs send, and what is no ping."""

from __future__ import annotations

import xmlrpc.client

import pytest

from blogforever.errors import UsageError
from blogforever.ping.calls import LARGEST_CALL, THANKS, answer, read_call
from blogforever.ping.notice import Notice


def call(method: str, *values: str) -> bytes:
    return xmlrpc.client.dumps(values, method).encode()


def test_a_ping_names_the_blog_and_its_address() -> None:
    assert read_call(call("weblogUpdates.ping", "A <b>", "http://a.example/")) == Notice(
        "http://a.example/", "A <b>", "", "ping"
    )


@pytest.mark.parametrize("further", [("http://a.example/new", "http://a.example/feed"), ("http://a.example/feed",)])
def test_an_extended_ping_names_the_feed_third_or_fourth(further: tuple[str, ...]) -> None:
    read = read_call(call("weblogUpdates.extendedPing", "A", "http://a.example/", *further))
    assert read.feed == "http://a.example/feed"


def test_values_may_come_without_their_type() -> None:
    body = b"<methodCall><methodName>weblogUpdates.ping</methodName><params><param><value>A</value></param>"
    body += b"<param><value>http://a.example/</value></param></params></methodCall>"
    assert read_call(body).name == "A"


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"not xml",
        b"<methodCall/>",
        b"<html><body/></html>",
        call("weblogUpdates.ping", "A"),
        call("weblogUpdates.ping", "A", ""),
        call("system.listMethods"),
        call("weblogUpdates.ping", "A", "http://a.example/" + "x" * 3000),
        b'<!DOCTYPE x [<!ENTITY a "b">]>' + call("weblogUpdates.ping", "A", "http://a.example/").partition(b"?>")[2],
        b"x" * (LARGEST_CALL + 1),
    ],
)
def test_what_is_no_ping_is_said_in_one_sentence(body: bytes) -> None:
    with pytest.raises(UsageError) as raised:
        read_call(body)
    assert str(raised.value).endswith(".")


def test_answers_are_those_that_blogs_understand() -> None:
    ((thanks,), _) = xmlrpc.client.loads(answer())
    ((refused,), _) = xmlrpc.client.loads(answer("Too many <pings>.", is_error=True))
    assert thanks == {"flerror": False, "message": THANKS}
    assert refused == {"flerror": True, "message": "Too many <pings>."}


def test_an_empty_line_before_a_call_and_a_bare_ampersand_in_a_name_are_forgiven() -> None:
    values = (
        "<param><value>Tea & caf&eacute;</value></param><param><value>http://a.example/?a=1&amp;b=2</value></param>"
    )
    method = "<methodName>weblogUpdates.ping</methodName>"
    body = f'\n<?xml version="1.0"?><methodCall>{method}<params>{values}</params></methodCall>'
    read = read_call(body.encode())
    assert (read.url, read.name) == ("http://a.example/?a=1&b=2", "Tea & caf&eacute;")
