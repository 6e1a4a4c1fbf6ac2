"""How long what others send may be: names of lists, tags and people, notes, and how many names at once."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Field
from pydantic_core import PydanticCustomError

from blogforever.service.statistics import FIRST_DAY
from blogforever.storage.news import NewsKind

# Nobody calls a list, a tag or a person anything longer, and an address that is blocked fits, too.
LONGEST_NAME = 200
# Several pages: a note says why, it is no document.
LONGEST_NOTE = 10_000
# Servers take no longer addresses, either.
LONGEST_ADDRESS = 4000
# Tags or lists that one request gives.
MOST_NAMES = 100

# Days and moments as they are written; a program reads the pattern, a person the words. So with kinds
# of wrong values, of which the framework speaks as Python does.
DAY = r"^(\d{4}-\d{2}-\d{2})?$"
MOMENT = r"^\d{4}(-\d{2}(-\d{2}([T ].{0,30})?)?)?$"
LOGIN = r"^[\w.@-]{1,64}$"
IN_WORDS = {
    DAY: "write the day as 2030-01-31",
    MOMENT: "write the day as 2030-01-31 (or the month, or the year), or the moment as 2030-01-31T09:00:00Z",
    LOGIN: "a name has up to 64 letters, digits and . _ @ -",
    "tuple_type": "this is a list: [...]",
    "list_type": "this is a list: [...]",
    "model_attributes_type": "this is an object: {...}, sent as Content-Type: application/json",
    "extra_forbidden": "there is nothing of this name",
    "unexpected_keyword_argument": "there is nothing of this name",
    "missing": "this must be given",
}

# Behind a second stands the offset, of which an address that nobody escaped turns the plus into a blank.
SECOND = len("2030-01-31T09:00:00")


def real_moment(said: str) -> str:
    """A moment, or a day, month or year, that is in the calendar; otherwise nothing would be found, without a word."""
    meant = said[:SECOND] + said[SECOND:].replace(" ", "+")
    try:
        datetime.fromisoformat(meant + FIRST_DAY[len(meant) :])
    except ValueError as error:
        told = {"words": IN_WORDS[MOMENT]}
        raise PydanticCustomError("no_moment", "there is no such moment; {words}", told) from error
    return meant


Moment = Annotated[str, Field(pattern=MOMENT, description="ISO 8601."), AfterValidator(real_moment)]
Name = Annotated[str, Field(max_length=LONGEST_NAME)]
# As it is said here, or as news themselves say it: post.new.
Event = Annotated[NewsKind, BeforeValidator(lambda said: said.removeprefix("post.") if isinstance(said, str) else said)]
