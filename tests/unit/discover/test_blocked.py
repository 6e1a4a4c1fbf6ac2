from __future__ import annotations

import pytest

from blogforever.discover.blocked import diagnose
from blogforever.model import Page

POST = (
    "<html><head><title>{}</title></head><body><article>"
    + "<p>plain words of a real post go on. </p>" * 40
    + "{}</article></body></html>"
)


def page(body: str, **headers: str) -> Page:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Page("https://x.example/", body.encode(), {"content-type": "text/html"} | named)


@pytest.mark.parametrize(
    ("status", "body", "headers", "reason"),
    [
        (403, "<title>Just a moment...</title><script>window._cf_chl_opt={}</script>", {}, "challenge"),
        (200, "<p>hello</p>", {"cf_mitigated": "challenge"}, "challenge"),
        (403, "<h1>Sorry</h1><div class='cf-error-details'>Error 1020</div>", {}, "blocked"),
        (
            200,
            "<title>DDoS-Guard</title><script src='//check.ddos-guard.net/check.js'></script>",
            {},
            "challenge",
        ),
        (200, "<title>You are being redirected...</title><script>sucuri_cloudproxy_js=''</script>", {}, "challenge"),
        (403, '<form><div class="g-recaptcha"></div></form>', {}, "captcha"),
        (200, "<p>Please complete the captcha to go on.</p>", {}, "captcha"),
        (200, '<title>Log In - My Site</title><form><input type="password"></form>', {}, "login"),
        (200, "<p>Please log in to continue.</p>", {}, "login"),
        (200, "<p>Accept cookies to continue</p>", {}, "consent"),
        (429, "<p>Your IP address has been blocked</p>", {}, "blocked"),
        (200, "<h1>x.example</h1><p>This domain may be for sale.</p><h2>Related searches</h2>", {}, "parked"),
        (200, "<p>Diese Domain steht zum Verkauf.</p><p>Die Seite ist geparkt.</p>", {}, "parked"),
        (200, "<script src='https://img.sedoparking.com/js/jquery.js'></script>", {}, "parked"),
        (202, "", {"x_amzn_waf_action": "challenge"}, "challenge"),
    ],
)
def test_what_stands_before_a_page(status: int, body: str, headers: dict[str, str], reason: str) -> None:
    found = diagnose(page(body, **headers), status)
    assert found
    assert found.reason == reason


@pytest.mark.parametrize(
    "body",
    [
        POST.format("Just a moment", ""),
        POST.format("How I log in", '<input type="password">'),
        POST.format("Captchas", 'Please complete the captcha, they say. <div class="g-recaptcha"></div>'),
        POST.format("Cloudflare", "<script src='/cdn-cgi/challenge-platform/scripts/jsd/main.js'></script>"),
        POST.format("My old domain", "This domain is for sale, it said. Related searches: none. Make an offer!"),
        "<title>A short note</title><p>Buy this domain? No, thank you.</p>",
        "<title>A short note</title><p>I parked the car. Related links: none.</p>",
        POST.format("Walls", "log in to continue; accept cookies to continue"),
        "<title>A short note</title><p>Hello.</p><p>You must be logged in to post a comment.</p>",
        "",
    ],
)
def test_posts_that_speak_of_it_are_posts(body: str) -> None:
    assert diagnose(page(body)) is None
