"""A service that people have used for a while: every screen of its portal has something to show."""

from __future__ import annotations

from blogforever import clock
from blogforever.archive.suppressing import Meant
from blogforever.ping.notice import Notice
from blogforever.service.blocking import block
from blogforever.service.desk import desk_of
from blogforever.service.exports import ExportWish, ask_for_export
from blogforever.service.hiding import hide
from blogforever.service.outbox import add_account
from blogforever.service.pinged import PingReceiver
from blogforever.service.pings import FilterWish, ServerWish, add_server, change_server, keep_filter
from blogforever.service.schedules import Many, PolicyChange, set_policy
from blogforever.service.searches import TagWish, keep_search, set_tag_rule
from blogforever.service.tokens import create_token
from blogforever.service.webhooks import HookWish, create_hook
from blogforever.storage.browsing import PostQuery
from blogforever.storage.people import Deed
from blogforever.storage.searches import PostSearch
from blogforever.store.folder import ArchiveFolder

WHO = "admin"
DAY = 24 * 3600
# Pings of three blogs that filters let in, and of others, which they do not.
PINGED = (
    ("https://kettle.example/", "The Garden Kettle"),
    ("https://hedges.example/notes/", "Garden and Hedge"),
    ("https://frost.example/", "A garden in the frost"),
    ("https://cars.example/", "Cars, new and used"),
    ("https://shop.example/garden/", "Garden shop: everything cheap"),
)


def live_in(archive: ArchiveFolder) -> None:
    """Do what people do in their first weeks: searches, tags, blocks, filters, pings, exports, an embargo."""
    desk, store = desk_of(archive, WHO), archive.store
    keep_search(desk, "About water", PostSearch(words="water"), "For the exhibition in spring")
    set_tag_rule(archive, WHO, TagWish("garden", words="hedge"))
    block(desk, "casino.example", "nothing but advertisements")
    block(desk, "*.spam.example", "many hosts with one text")
    set_policy(desk, Many(scope="list", name="Favourites"), PolicyChange(at_most=7 * DAY))
    create_token(store, "night-job", "read", WHO)
    create_hook(
        desk, HookWish("https://program.example/hook", ("new", "gone"), list="Favourites", note="the catalogue")
    )
    add_account(archive, "library", "a shelf of their own", WHO)
    for what, target in (("keep search", "About water"), ("block", "casino.example"), ("create token", "night-job")):
        store.audit.add(Deed(clock.stamp(), WHO, what, target))
    for wish in (ExportWish("csv"), ExportWish("site")):
        ask_for_export(archive, wish, WHO)
    _hear_pings(archive)
    *_, last = store.posts.page(PostQuery()).items
    hide(archive, Meant(last.id, "url"), "asked for by its author", "2030-01-01")


def _hear_pings(archive: ArchiveFolder) -> None:
    """Filters for blogs about gardens, and pings of which they take some."""
    desk = desk_of(archive, WHO)
    gardens = keep_filter(desk, FilterWish("Gardens", "garden", subject="name"))
    keep_filter(desk, FilterWish("but no shops", "*shop*", "wildcards", excludes=True, parent=gardens.id))
    server = change_server(
        desk,
        add_server(desk, ServerWish("Changes of a server", "changes", "https://pings.example/changes.xml")).id,
        is_on=True,
    )
    PingReceiver(archive.store).receive(server, [Notice(url, name) for url, name in PINGED])
