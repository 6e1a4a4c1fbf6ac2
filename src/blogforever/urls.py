"""Addresses: made canonical, joined, compared; total functions, whatever a page or a feed puts in a link."""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import SplitResult, quote, urljoin, urlsplit, urlunsplit

LONGEST = 8192
"""A longer address is data or an attack, not a page."""
# Addresses, hosts and origins whose reading is remembered:
# those of one blog's links, which stand on page after page.
_REMEMBERED, _REMEMBERED_HOSTS, _REMEMBERED_ORIGINS = 8192, 4096, 1024
# Characters of a host's name, by the standard.
_LONGEST_HOST = 253
_HEXADECIMAL = 16

_DEFAULT_PORTS = {"http": 80, "https": 443}
_LOCAL_HOSTS = frozenset({"localhost", "127.0.0.1", "0.0.0.0", "[::1]", "localhost.localdomain"})  # noqa: S104 named, not bound
_CONTROL = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]+")
# As most addresses begin.
_ORIGIN = re.compile(r"https?://[a-z0-9.-]+(?::\d{1,5})?(?![^/?#])", re.ASCII)
# Addresses and paths that mean what they say, as nearly all links do.
_PLAIN = r"(?:/[\w%~+,:=@!$'()*./&-]*)?(?:\?[\w%~+,:=@!$'()*./&-]+)?"
_PLAIN_ADDRESS = re.compile(r"https?://[a-z0-9][a-z0-9.-]*(?::[0-9]{1,5})?" + _PLAIN)
_PLAIN_PATH = re.compile("(?=/(?!/))" + _PLAIN)
_PLAIN_MARK = re.compile(r"[\w%~+,:=.-]*")
# Folders and files whose names mean what they say, and no dots among them that lead elsewhere.
_NAME = r"[\w%~+=-][\w%~+=.-]*"
_PLAIN_BELOW = re.compile(rf"((?:\.\./)*)((?:{_NAME}/)*(?:{_NAME})?)")
_PLAIN_FOLDER = re.compile(rf"(https?://[a-z0-9][a-z0-9.-]*(?::[0-9]{{1,5}})?)(/(?:{_NAME}/)*)(?:{_NAME})?(?:[?#]|\Z)")
# Addresses that need no more than their host and their path to be told from others.
_PLAIN_HOST = rf"[a-z0-9](?:[a-z0-9.-]{{0,{_LONGEST_HOST - len('www.') - 2}}}[a-z0-9])?"
_PLAIN_PAGE = re.compile(rf"https?://(?:www\.)?({_PLAIN_HOST})((?:/[\w~-][\w~.-]*)*/?)", re.ASCII)
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
    r"""(?:utm_.*|hsa_.*|_hs.*|mtm_.*|pk_(?:campaign|kwd|source|medium|content)
    |ga_(?:source|medium|campaign)|at_(?:medium|campaign)
    |fb(?:clid|_.*)|gclid|dclid|gbraid|wbraid|msclkid|yclid|twclid|igshid|mc_[ce]id|mkt_tok|vero_.*|oly_.*|spref
    |cmpid|ncid|ref_src|_ga|_gl|wt_mc|xtor|sms_ss|awesm|replytocom|share|nb|like_comment|doing_wp_cron
    |phpsessid|jsessionid|sessionid)""",
    re.IGNORECASE | re.VERBOSE,
)
_WORD = re.compile(r"\w")
# Signs that may stand bare after #.
_MARK_SIGNS = "/:@!$&'()*+,;=~?[]"
# Blogger's mark for pages made for small screens, or not.
_SCREEN = ("m=0", "m=1")


def is_http(url: str) -> bool:
    """Whether it is an absolute http or https address with a host."""
    parts = _split(url)
    return parts is not None and parts.scheme in _DEFAULT_PORTS and bool(_host(parts))


def host_of(url: str) -> str:
    """The host in lower case, internationalised names as ASCII, without user and port.

    Empty where there is none.
    """
    parts = _split(url)
    return _host(parts) if parts else ""


def path_of(url: str) -> str:
    """The path of an address; empty for garbage."""
    # As for the key of a page: most addresses are plain.
    if plain := _PLAIN_PAGE.fullmatch(url):
        return plain[2]
    parts = _split(url)
    return parts.path if parts else ""


def route_of(url: str) -> str:
    """What stands after # where scripts take it for the address of a page (/posts/first).

    Empty for any other mark.

    A heading of the page (?id=some-heading) is no part of it.
    """
    mark = url.partition("#")[2]
    is_route = mark.startswith(("/", "!/")) and len(mark) <= LONGEST and _ROUTE.fullmatch(mark)
    if not is_route:
        return ""
    return _HEADING.sub("", mark.replace(" ", "%20")).rstrip("/")


def routed_path(url: str) -> str:
    """The path of an address, with what scripts add to it after #."""
    route = route_of(url)
    if not route:
        return path_of(url)
    return path_of(url).rstrip("/") + route.removeprefix("!")


def is_local(url: str) -> bool:
    """Whether the address names the machine it was written
    on, as a blog left in its development setting does.
    """
    return host_of(url) in _LOCAL_HOSTS


@lru_cache(maxsize=_REMEMBERED)
def canonical(url: str) -> str:
    """The one way to write an address, without tracking and marks.

    What is no web address comes back as it is.
    """
    parts = _split(url)
    if parts is None or parts.scheme not in _DEFAULT_PORTS:
        return url.strip()
    host = _host(parts)
    if not host:
        return url.strip()
    port = _port(parts)
    netloc = f"{host}:{port}" if port else host
    return urlunsplit((parts.scheme, netloc, _path(parts.path), _query(parts.query), route_of(url)))


@lru_cache(maxsize=_REMEMBERED)
def join(base: str, href: str) -> str | None:
    """The absolute http(s) address a link leads to, without its mark.

    None for other schemes and for garbage.
    """
    return _join_plain(base, href) or _join_any(base, href)


def _join_plain(base: str, href: str) -> str | None:
    """The same for a link that needs no reading: most
    are such, and reading costs several times as much.
    """
    address, _, mark = href.partition("#")
    if len(address) > LONGEST or not _PLAIN_MARK.fullmatch(mark):
        return None
    if _PLAIN_ADDRESS.fullmatch(address):
        return address
    if "/." in address or not _PLAIN_PATH.fullmatch(address):
        return _join_below(base, address)
    origin = _ORIGIN.match(base)
    return origin[0] + address if origin else None


def _join_below(base: str, address: str) -> str | None:
    """The same for a link that begins in the folder of its page, or in one around that."""
    relative = _PLAIN_BELOW.fullmatch(address) if address else None
    folder = _PLAIN_FOLDER.match(base) if relative else None
    if relative is None or folder is None:
        return None
    names = folder[2].split("/")[1:-1]
    steps_up = relative[1].count("/")
    kept = names[: max(0, len(names) - steps_up)]
    return "/".join([folder[1], *kept, relative[2]])


def _join_any(base: str, href: str) -> str | None:
    """The same for any link, by the book."""
    href = _tidy(href)
    is_of_other_kind = _SCHEME.match(href) and not is_http(href)
    if len(href) > LONGEST or is_of_other_kind:
        return None
    try:
        url = urljoin(_tidy(base), href)
    except ValueError:
        return None
    address, mark, _ = url.partition("#")
    address = address.replace(" ", "%20")
    if not is_http(address):
        return None
    route = route_of(url) if mark else ""
    return f"{address}#{route}" if route else address


def same_site(a: str, b: str) -> bool:
    """Whether two addresses are of one host; scheme and `www.` do not count."""
    site = _site(a)
    return bool(site) and site == _site(b)


def mark_of(url: str) -> str:
    """What stands after #, where it names a place of the page and no route of scripts.

    Links are followed without it; in the address of a post it says which of several on a page is
    meant.
    """
    if "#" not in url:
        return ""
    parts = _split(url)
    if parts is None or len(parts.fragment) > LONGEST or not _WORD.search(parts.fragment) or route_of(url):
        return ""
    return _encode(parts.fragment, _MARK_SIGNS)


def with_mark(url: str, mark: str) -> str:
    """The address of a place of a page; that of the page itself where there is no mark."""
    return f"{url.partition('#')[0]}#{mark}" if mark else without_mark(url)


def without_mark(url: str) -> str:
    """The address of the page in which a place is."""
    return url.partition("#")[0] if mark_of(url) else url


def url_key(url: str) -> str:
    """A loose key for "the same post": that of its page, and where several share one, what stands after #."""
    mark = mark_of(url)
    return f"{page_key(url)}#{mark}" if mark else page_key(url)


def host_of_key(key: str) -> str:
    """The host in a key, without its port."""
    return key.partition("/")[0].partition("?")[0].partition(":")[0]


@lru_cache(maxsize=_REMEMBERED)
def page_key(url: str) -> str:
    """A loose key for "the same page": scheme, `www.`, last
    slash, index file, encoding, tracking do not count.
    """
    # Most addresses are plain, and to read one costs several times as much as to see that.
    if plain := _PLAIN_PAGE.fullmatch(url):
        return plain[1] + _INDEX.sub("/", plain[2]).rstrip("/")
    url = canonical(url)
    parts = _split(url)
    site = _site(url)
    if parts is None or not site:
        return url
    path = _INDEX.sub("/", parts.path).rstrip("/")
    query = "&".join(sorted(part for part in parts.query.split("&") if part and part not in _SCREEN))
    key = f"{site}{path}"
    if query:
        key += f"?{query}"
    if parts.fragment:
        key += f"#{parts.fragment}"
    return key


def site_root(url: str) -> str:
    """Scheme and host with a slash; empty for garbage."""
    parts = _split(canonical(url))
    if not parts or parts.scheme not in _DEFAULT_PORTS or not parts.netloc:
        return ""
    return f"{parts.scheme}://{parts.netloc}/"


@lru_cache(maxsize=_REMEMBERED)
def part_of(url: str) -> tuple[str, int] | None:
    """First page and number of a further page of a long text (/slug/2/, ?page=2).

    None for any other address.
    """
    # To read an address costs many times as much as to see that it has no such number.
    parts = _split(url) if may_be_part(_tidy(url)) else None
    if parts is None:
        return None
    if match := _FURTHER.search(parts.path):
        first = urlunsplit(parts._replace(path=parts.path[: match.end(1)] + "/", fragment=""))
        number = int(match[2])
        return (first, number) if number > 1 else None
    return _part_by_query(parts)


def _part_by_query(parts: SplitResult) -> tuple[str, int] | None:
    """The same, where a parameter counts the pages."""
    pairs = parts.query.split("&")
    numbers = [pair for pair in pairs if _FURTHER_QUERY.fullmatch(pair)]
    is_home = parts.path in ("", "/") and len(pairs) == 1
    if len(numbers) != 1 or is_home:
        return None
    kept = "&".join(pair for pair in pairs if pair not in numbers)
    return urlunsplit(parts._replace(query=kept, fragment="")), int(numbers[0].partition("=")[2])


def may_be_part(href: str) -> bool:
    """Whether a link as it is written may lead to what `part_of` takes for a further page.

    Nearly free.
    """
    return _FURTHER_LINK.search(href) is not None


def move_host(url: str, like: str) -> str:
    """The address with the scheme and host of another one."""
    parts, other = _split(url), _split(like)
    if not parts or not other:
        return url
    return urlunsplit((other.scheme, other.netloc, *parts[2:]))


def _tidy(url: str) -> str:
    """An address without what got into it by accident:
    control characters, escapes, slashes of another system.
    """
    if len(url) <= 2 * LONGEST:
        url = _CONTROL.sub("", url.strip())
    if "&" in url or "38;" in url:
        url = _ESCAPED_AMPERSAND.sub("&", url)
    if "\\" not in url:
        return url
    path, mark, query = url.partition("?")
    return path.replace("\\", "/") + mark + query


def _split(url: str) -> SplitResult | None:
    """The parts of an address; None where it has none."""
    try:
        return urlsplit(_tidy(url))
    except ValueError:
        return None


@lru_cache(maxsize=_REMEMBERED_HOSTS)
def _ascii_host(host: str) -> str:
    """A host in lower case, as the network knows it."""
    host = host.lower().rstrip(".")
    if host.isascii() or len(host) > _LONGEST_HOST:
        return host
    from idna import IDNAError, encode  # noqa: PLC0415 its tables are large, and few hosts need them

    try:
        # As browsers do it: by the standard of 2008 with their own table, so that ß and ς stay what
        # they are.
        return encode(host, uts46=True).decode("ascii")
    except IDNAError:
        return _by_former_standard(host)


def _by_former_standard(host: str) -> str:
    """Names that only the standard of 2003 allowed (emoji and the like), and that are in use all the same."""
    try:
        return host.encode("idna").decode("ascii")
    except UnicodeError:
        return host


def _host(parts: SplitResult) -> str:
    """Hosts with characters no host has, or more of them than one can have, are none."""
    host = _ascii_host(parts.hostname or "")
    if ":" in host:
        return f"[{host}]"
    is_none = len(host) > _LONGEST_HOST or re.search(r"[\s<>\"'{}|^`%\\]", host)
    return "" if is_none else host


def _port(parts: SplitResult) -> int | None:
    """The port where it is not the usual one; an impossible one is taken as not given."""
    try:
        port = parts.port
    except ValueError:
        return None
    return None if port in (_DEFAULT_PORTS[parts.scheme], 0) else port


def _site(url: str) -> str:
    """The host of an address with its port, without `www.`; empty for garbage."""
    plain = _ORIGIN.match(url)
    return _site_of(plain[0]) if plain else _read_site(url)


@lru_cache(maxsize=_REMEMBERED_ORIGINS)
def _site_of(origin: str) -> str:
    return _read_site(origin)


def _read_site(url: str) -> str:
    """The same, read from the parts of the address."""
    parts = _split(url)
    if parts is None or parts.scheme not in _DEFAULT_PORTS:
        return ""
    host = _host(parts).removeprefix("www.")
    port = _port(parts)
    return f"{host}:{port}" if host and port else host


def _encode(text: str, safe: str) -> str:
    """Percent-encoding made one: upper case, unreserved
    characters bare, everything outside ASCII as UTF-8.
    """
    if text.isalnum() and text.isascii():
        return text
    return quote(_ESCAPE.sub(_escape, text), safe=safe + "%", errors="replace")


def _escape(match: re.Match[str]) -> str:
    """One escape as it should be: bare where it needs none, a lone % escaped itself."""
    if match[1] is None:
        return "%25"
    character = chr(int(match[1], _HEXADECIMAL))
    return character if character in _UNRESERVED else match[0].upper()


def _path(path: str) -> str:
    """A path without session ids, dots and empty folders."""
    if ";" in path:
        path = _SESSION.sub("", path)
    path = _encode(path, "/:@!$&'()*+,;=~")
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
    """A query without what only tells who came from where."""
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
