"""Words for people, one at a time, through gettext."""

from __future__ import annotations

import gettext

DOMAIN = "hexengine"


def word(message: str) -> str:
    """The message in the language of the user's locale, or as it stands where no catalogue is installed."""
    return gettext.dgettext(DOMAIN, message)


def words(one: str, many: str, count: int) -> str:
    """The form of a message that fits a number."""
    return gettext.dngettext(DOMAIN, one, many, count)
