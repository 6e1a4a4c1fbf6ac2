"""Addresses: made canonical, joined, compared; total functions, whatever a page or a feed puts in a link."""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import SplitResult, quote, urljoin, urlsplit, urlunsplit

LONGEST = 8192
"""A longer address is data or an attack, not a page."""

_DEFAULT_PORTS = {"http": 80, "https": 443}
_LOCAL_HOSTS = frozenset({"localhost", "127.0.0.1", "0.0.0.0", "[::1]", "localhost.localdomain"})  # noqa: S104 named, not bound
_CONTROL = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]+")
_ORIGIN = re.compile(r"https?://[a-z0-9.-]+(?::\d{1,5})?(?![^/?#])", re.ASCII)  # as most addresses begin
# Addresses and paths that mean what they say, as nearly all links do.
_PLAIN = r"(?:/[\w%~+,:=@!$'()*./&-]*)?(?:\?[\w%~+,:=@!$'()*./&-]+)?"
_PLAIN_ADDRESS = re.compile(r"https?://[a-z0-9][a-z0-9.-]*(?::[0-9]{1,5})?" + _PLAIN)
_PLAIN_PATH = re.compile("(?=/(?!/))" + _PLAIN)
_PLAIN_MARK = re.compile(r"[\w%~+,:=.-]*")
_SCHEME = re.compile(r"([a-zA-Z][a-zA-Z0-9+.-]*):")
_ESCAPE = re.compile(r"%([0-9a-fA-F]{2})?")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_ESCAPED_AMPERSAND = re.compile(r"(?:&?#0?38;|&amp;)(?:#0?38;|amp;)*", re.IGNORECASE)
_SESSION = re.compile(r";(?:jsessionid|phpsessid|sessionid|sid)=[^/;]*", re.IGNORECASE)
_ROUTE = re.compile(r"!?/[^#]*\w[^#]*")
_HEADING = re.compile(r"\?id=[^\d&][^&]*$")
_INDEX = re.compile(r"/(?:index|default)\.(?:html?|xhtml|php\d?|aspx?|jsp|cgi)$", re.IGNORECASE)
_FURTHER = re.compile(r"(/(?=[^/]*[^/\d])[^/]*+)/(?:page[-/]?)?(\d{1,2})/?$")
_FURTHER_QUERY = re.compile(r"(?:page|pg)=[1-9]\d?")
_FURTHER_LINK = re.compile(r"\d[/\\\s]*(?:[?#]|$)|(?:page|pg)=[1-9]")
_TRACKING = re.compile(
    r"""(?:utm_.*|hsa_.*|_hs.*|mtm_.*|pk_(?:campaign|kwd|source|medium|content)|ga_(?:source|medium|campaign)|at_(?:medium|campaign)
    |fb(?:clid|_.*)|gclid|dclid|gbraid|wbraid|msclkid|yclid|twclid|igshid|mc_[ce]id|mkt_tok|vero_.*|oly_.*|spref|cmpid|ncid|ref_src
    |_ga|_gl|wt_mc|xtor|sms_ss|awesm|replytocom|share|nb|like_comment|doing_wp_cron|phpsessid|jsessionid|sessionid)""",
    re.IGNORECASE | re.VERBOSE,
)


def is_http(url: str) -> bool:
    """Whether it is an absolute http or https address with a host."""
    parts = _split(url)
    return parts is not None and parts.scheme in _DEFAULT_PORTS and bool(_host(parts))


def host_of(url: str) -> str:
    """The host in lower case, internationalised names as ASCII, without user and port; empty where there is none."""
    parts = _split(url)
    return _host(parts) if parts else ""


def path_of(url: str) -> str:
    """The path of an address; empty for garbage."""
    parts = _split(url)
    return parts.path if parts else ""


def route_of(url: str) -> str:
    """What stands after # where scripts take it for the address of a page (/posts/first); empty for any other mark.

    A heading of the page (?id=some-heading) is no part of it.
    """
    mark = url.partition("#")[2]
    if not mark.startswith(("/", "!/")) or len(mark) > LONGEST or not _ROUTE.fullmatch(mark):
        return ""
    return _HEADING.sub("", mark.replace(" ", "%20")).rstrip("/")


def routed_path(url: str) -> str:
    """The path of an address, with what scripts add to it after #."""
    route = route_of(url)
    return path_of(url).rstrip("/") + route.removeprefix("!") if route else path_of(url)


def is_local(url: str) -> bool:
    """Whether the address names the machine it was written on, as a blog left in its development setting does."""
    return host_of(url) in _LOCAL_HOSTS


@lru_cache(maxsize=8192)
def canonical(url: str) -> str:
    """The one way to write an address, without tracking and marks; what is no web address comes back as it is."""
    parts = _split(url)
    if parts is None or parts.scheme not in _DEFAULT_PORTS:
        return url.strip()
    host = _host(parts)
    if not host:
        return url.strip()
    port = _port(parts)
    netloc = f"{host}:{port}" if port else host
    return urlunsplit((parts.scheme, netloc, _path(parts.path), _query(parts.query), route_of(url)))


@lru_cache(maxsize=8192)
def join(base: str, href: str) -> str | None:
    """The absolute http(s) address a link leads to, without its mark; None for other schemes and for garbage."""
    return _join_plain(base, href) or _join_any(base, href)


def _join_plain(base: str, href: str) -> str | None:
    """The same for a link that needs no reading: most are such, and reading costs several times as much."""
    address, _, mark = href.partition("#")
    if len(address) > LONGEST or not _PLAIN_MARK.fullmatch(mark):
        return None
    if _PLAIN_ADDRESS.fullmatch(address):
        return address
    origin = _ORIGIN.match(base) if _PLAIN_PATH.fullmatch(address) and "/." not in address else None
    return origin[0] + address if origin else None


def _join_any(base: str, href: str) -> str | None:
    href = _tidy(href)
    scheme = _SCHEME.match(href)
    if len(href) > LONGEST or (scheme and not is_http(href)):
        return None
    try:
        url = urljoin(_tidy(base), href)
    except ValueError:
        return None
    address, mark, _ = url.partition("#")
    route = route_of(url) if mark else ""
    address = address.replace(" ", "%20")
    return (f"{address}#{route}" if route else address) if is_http(address) else None


def same_site(a: str, b: str) -> bool:
    """Whether two addresses are of one host; scheme and `www.` do not count."""
    site = _site(a)
    return bool(site) and site == _site(b)


@lru_cache(maxsize=8192)
def url_key(url: str) -> str:
    """A loose key for "the same page": scheme, `www.`, last slash, index file, encoding, tracking do not count."""
    url = canonical(url)
    parts = _split(url)
    site = _site(url)
    if parts is None or not site:
        return url
    path = _INDEX.sub("/", parts.path).rstrip("/")
    query = "&".join(sorted(part for part in parts.query.split("&") if part and part not in ("m=0", "m=1")))
    route = f"#{parts.fragment}" if parts.fragment else ""
    return f"{site}{path}?{query}{route}" if query else f"{site}{path}{route}"


def site_root(url: str) -> str:
    """Scheme and host with a slash; empty for garbage."""
    parts = _split(canonical(url))
    return f"{parts.scheme}://{parts.netloc}/" if parts and parts.scheme in _DEFAULT_PORTS and parts.netloc else ""


def part_of(url: str) -> tuple[str, int] | None:
    """First page and number of a further page of a long text (/slug/2/, ?page=2); None for any other address."""
    parts = _split(url)
    if parts is None:
        return None
    if match := _FURTHER.search(parts.path):
        first = urlunsplit(parts._replace(path=parts.path[: match.end(1)] + "/", fragment=""))
        return (first, int(match[2])) if int(match[2]) > 1 else None
    pairs = parts.query.split("&")
    numbers = [pair for pair in pairs if _FURTHER_QUERY.fullmatch(pair)]
    if len(numbers) != 1 or (parts.path in ("", "/") and len(pairs) < 2):
        return None
    kept = "&".join(pair for pair in pairs if pair not in numbers)
    return urlunsplit(parts._replace(query=kept, fragment="")), int(numbers[0].partition("=")[2])


def may_be_part(href: str) -> bool:
    """Whether a link as it is written may lead to what `part_of` takes for a further page; nearly free."""
    return _FURTHER_LINK.search(href) is not None


def move_host(url: str, like: str) -> str:
    """The address with the scheme and host of another one."""
    parts, other = _split(url), _split(like)
    return urlunsplit((other.scheme, other.netloc, *parts[2:])) if parts and other else url


def _tidy(url: str) -> str:
    url = _CONTROL.sub("", url.strip()) if len(url) <= LONGEST * 2 else url
    url = _ESCAPED_AMPERSAND.sub("&", url) if "&" in url or "38;" in url else url
    if "\\" not in url:
        return url
    path, mark, query = url.partition("?")
    return path.replace("\\", "/") + mark + query


def _split(url: str) -> SplitResult | None:
    try:
        return urlsplit(_tidy(url))
    except ValueError:
        return None


@lru_cache(maxsize=4096)
def _ascii_host(host: str) -> str:
    host = host.lower().rstrip(".")
    if host.isascii() or len(host) > 253:
        return host
    try:
        return host.encode("idna").decode("ascii")
    except UnicodeError:
        return host


def _host(parts: SplitResult) -> str:
    """Hosts with characters no host has are none."""
    host = _ascii_host(parts.hostname or "")
    if ":" in host:
        return f"[{host}]"
    return "" if re.search(r"[\s<>\"'{}|^`%\\]", host) else host


def _port(parts: SplitResult) -> int | None:
    """The port where it is not the usual one; an impossible one is taken as not given."""
    try:
        port = parts.port
    except ValueError:
        return None
    return None if port in (_DEFAULT_PORTS[parts.scheme], 0) else port


def _site(url: str) -> str:
    plain = _ORIGIN.match(url)
    return _site_of(plain[0]) if plain else _read_site(url)


@lru_cache(maxsize=1024)
def _site_of(origin: str) -> str:
    return _read_site(origin)


def _read_site(url: str) -> str:
    parts = _split(url)
    if parts is None or parts.scheme not in _DEFAULT_PORTS:
        return ""
    host = _host(parts).removeprefix("www.")
    port = _port(parts)
    return f"{host}:{port}" if host and port else host


def _encode(text: str, safe: str) -> str:
    """Percent-encoding made one: upper case, unreserved characters bare, everything outside ASCII as UTF-8."""
    if text.isalnum() and text.isascii():
        return text
    return quote(_ESCAPE.sub(_escape, text), safe=safe + "%", errors="replace")


def _escape(match: re.Match[str]) -> str:
    if match[1] is None:
        return "%25"
    character = chr(int(match[1], 16))
    return character if character in _UNRESERVED else match[0].upper()


def _path(path: str) -> str:
    path = _encode(_SESSION.sub("", path) if ";" in path else path, "/:@!$&'()*+,;=~")
    if "/." not in path and "//" not in path:
        return path or "/"
    kept: list[str] = []
    for segment in path.split("/"):
        if segment == "..":
            del kept[-1:]
        elif segment not in ("", "."):
            kept.append(segment)
    slash = "/" if kept and path.endswith(("/", "/.", "/..")) else ""
    return "/" + "/".join(kept) + slash


def _query(query: str) -> str:
    if not query:
        return ""
    kept = [part for part in query.split("&") if part and not _TRACKING.fullmatch(part.partition("=")[0])]
    return _encode("&".join(kept), "/:@!$&'()*+,;=~?[]")


def with_or_without_www(url: str) -> str:
    """The other of the two names most hosts have."""
    scheme, mark, rest = url.partition("://")
    return f"{scheme}{mark}{rest[4:] if rest.startswith('www.') else 'www.' + rest}"


def other_spellings(url: str) -> tuple[str, str, str]:
    """The addresses a server usually redirects this one to: with or without a slash at the end, and `www.`."""
    parts = urlsplit(url)
    path = parts.path.rstrip("/") if parts.path.endswith("/") else f"{parts.path}/"
    slashed = urlunsplit(parts._replace(path=path, fragment=""))
    return slashed, with_or_without_www(url), with_or_without_www(slashed)
