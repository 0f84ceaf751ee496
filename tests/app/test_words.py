"""What the commands say goes through gettext."""

from __future__ import annotations

import gettext

from hexengine.app.words import said


def test_messages_are_translated_before_their_facts_are_filled_in(monkeypatch):
    russian = {"{side} wins": "победили {side}"}
    monkeypatch.setattr(gettext, "dgettext", lambda domain, message: russian.get(message, message))
    assert said("{side} wins", side="{x}") == "победили {x}"
    assert said("a draw") == "a draw"
