"""Replays: the game a log tells, and how a log that does not tell one is reported."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

import msgspec
import pytest

from hexengine.core.errors import ContentError, ReplayDivergence
from hexengine.record.formats import Entry, RecordError, Wanted
from hexengine.record.log import Log, read_log
from hexengine.record.replay import Replay, replay
from tests.record.helpers import child, entry_lines, find, long_scenario, play_out, played, shipped
from tests.toy import SYSTEM, TEXT, scenario


@pytest.fixture
def log_file(tmp_path: Path) -> Path:
    path = tmp_path / "game.jsonl"
    played(long_scenario(), 7).log.save(path)
    return path


def forged(path: Path, change: Callable[[list[Any]], None], **header: Any) -> Path:
    """The log with other entries or another header and all checksums right again."""
    log = read_log(path)
    entries = [msgspec.to_builtins(entry) for entry in log.entries]
    change(entries)
    new = path.with_name("forged.jsonl")
    Log(
        msgspec.structs.replace(log.header, **header), [msgspec.convert(entry, Entry) for entry in entries]
    ).save(new)
    return new


def same(entries: list[Any]) -> None:
    """No change."""


def first(entries: list[Any], **facts: Any) -> int:
    """The index of the first entry with these facts; ``chance=True`` wants some."""
    return next(
        index
        for index, entry in enumerate(entries)
        if all(bool(entry[name]) if value is True else entry[name] == value for name, value in facts.items())
    )


def diverges(path: Path, **options: Any) -> ReplayDivergence:
    """Replays as far as it is good, and says where it is not; its game is the valid part."""
    with pytest.raises(ReplayDivergence) as caught:
        replay(path, find, **options)
    error = caught.value
    assert error.game is not None
    assert error.game.entry == error.entry - 1
    assert f"{path}:{error.entry + 1}: " in str(error)
    good = [(line["order"], line["chance"]) for line in entry_lines(path)[: error.entry - 1]]
    assert [(entry.order, entry.chance) for entry in error.game.log.entries] == good  # type: ignore[attr-defined]
    return error


class TestReplay:
    @pytest.mark.parametrize("seed", range(5))
    def test_ends_where_the_game_ended(self, tmp_path: Path, seed: int) -> None:
        game = played(long_scenario(), seed)
        game.log.save(tmp_path / "game.jsonl")
        again = replay(tmp_path / "game.jsonl", find, verify=True)
        assert (again.digest, again.entry, again.result) == (game.digest, game.entry, game.result)
        assert again.position.streams == game.position.streams
        assert again.log.to_bytes() == game.log.to_bytes()
        assert again.notices == []
        assert again.events

    def test_twice_in_one_process_is_the_same(self, log_file: Path) -> None:
        one, two = replay(log_file, find), replay(log_file, find)
        assert one.log.to_bytes() == two.log.to_bytes()
        assert one.state() == two.state()

    def test_stops_at_any_entry_and_goes_on_from_there(self, log_file: Path) -> None:
        whole = log_file.read_bytes()
        entries = len(read_log(log_file).entries)
        for to in range(entries + 1):
            game = replay(log_file, find, to)
            assert game.entry == to
            assert whole.startswith(game.log.to_bytes())
            if to % 10 == 0:
                assert play_out(game).log.to_bytes() == whole

    @pytest.mark.parametrize("to", [-1, 10_000])
    def test_entries_that_are_not_there(self, log_file: Path, to: int) -> None:
        with pytest.raises(RecordError, match=f"no entry {to}"):
            replay(log_file, find, to)

    def test_games_with_undo(self, tmp_path: Path) -> None:
        path = tmp_path / "game.jsonl"
        game = replay_of_undos()
        game.log.save(path)
        again = replay(path, find, verify=True)
        assert (again.digest, again.entry) == (game.digest, game.entry)
        assert sum(line["order"] == "undo" for line in entry_lines(path)) == 4
        assert again.why_not("undo") == game.why_not("undo")

    def test_a_replay_can_be_undone_where_the_game_could(self, log_file: Path) -> None:
        lines = entry_lines(log_file)
        quiet = next(
            n
            for n in range(1, len(lines))
            if not lines[n - 1]["chance"] and lines[n]["by"] == lines[n - 1]["by"]
        )
        game = replay(log_file, find, quiet)
        game.undo()
        assert game.digest == replay(log_file, find, quiet - 1).digest

    def test_seeks_in_less_than_a_blink(self, tmp_path: Path) -> None:
        """A long game's 600 orders take a small multiple of playing them; the bound is generous."""
        text = long_scenario().source.replace("turns = 12", "turns = 90").replace("steps = 9,", "steps = 99,")
        played(scenario("endless", text), 1, 600).log.save(tmp_path / "game.jsonl")
        start = perf_counter()
        assert replay(tmp_path / "game.jsonl", find, 600).entry == 600
        assert perf_counter() - start < 1

    def test_step_by_step_with_events(self, log_file: Path) -> None:
        steps = Replay(read_log(log_file), find, events=True)
        counts = []
        while (events := steps.step()) is not None:
            counts.append(len(events))
        assert len(counts) == len(read_log(log_file).entries)
        assert all(counts[:1]) and steps.game.decision is None


def replay_of_undos() -> Any:
    from tests.record.test_game import drawn

    game = drawn()
    for order in (
        "move r1 0201",
        "move r2 0401",
        "undo",
        "move r2 0302",
        "undo",
        "undo",
        "move r1 0102",
        "undo",
        "end",
    ):
        game.play(order)
    return game


class TestAnywhere:
    def test_a_log_carries_its_scenario_along(self, tmp_path: Path) -> None:
        path = tmp_path / "game.jsonl"
        game = played(scenario("nowhere", TEXT.replace("0401", "0402")), 3)
        game.log.save(path)
        assert replay(path, find, verify=True).digest == game.digest

    def test_shipped_scenarios_are_asked_for_by_name(self, tmp_path: Path) -> None:
        path = tmp_path / "game.jsonl"
        game = played(shipped(long_scenario()), 3)
        game.log.save(path)
        asked: list[Wanted] = []

        def note(wanted: Wanted) -> Any:
            asked.append(wanted)
            return find(wanted)

        assert replay(path, note, verify=True).digest == game.digest
        digest = long_scenario().digest
        assert asked == [Wanted("long", "toy", digest, None, tmp_path)]


class TestDivergence:
    def test_an_illegal_order(self, log_file: Path) -> None:
        def change(entries: list[Any]) -> None:
            entries[20]["order"] = "move r1 0401" if entries[20]["order"] == "draw" else "draw"

        error = diverges(forged(log_file, change))
        assert error.entry == 21
        assert "[T" in error.got

    def test_an_order_that_cannot_be_read(self, log_file: Path) -> None:
        error = diverges(forged(log_file, lambda entries: entries[5].update(order="dance r1")))
        assert (error.entry, error.expected[:8]) == (6, "dance r1")
        assert "cannot read" in error.got

    @pytest.mark.parametrize(
        "change", [lambda chance: chance[:-1], lambda chance: [*chance, 3], lambda chance: ["nobody"]]
    )
    def test_chance_that_does_not_fit(self, log_file: Path, change: Callable[[list[Any]], list[Any]]) -> None:
        def other(entries: list[Any]) -> None:
            entry = entries[first(entries, chance=True, order="draw")]
            entry["chance"] = change(entry["chance"])

        error = diverges(forged(log_file, other))
        assert "marker" in error.got

    def test_other_dice_give_another_position(self, log_file: Path) -> None:
        def other(entries: list[Any]) -> None:
            entry = next(
                entry for entry in entries if entry["order"].startswith("fire") and 6 in entry["chance"]
            )
            entry["chance"] = [1, 1]

        error = diverges(forged(log_file, other))
        assert "digest" in error.expected or "too" in error.got

    def test_another_digest(self, log_file: Path) -> None:
        error = diverges(forged(log_file, lambda entries: entries[33].update(digest="0" * 16)))
        assert (error.entry, error.expected) == (34, "digest " + "0" * 16)
        assert error.got == f"digest {read_log(log_file).entries[33].digest}"

    def test_another_digest_behind_an_undo(self, tmp_path: Path) -> None:
        replay_of_undos().log.save(tmp_path / "game.jsonl")
        error = diverges(forged(tmp_path / "game.jsonl", lambda entries: entries[3].update(digest="0" * 16)))
        assert error.entry == 4

    def test_another_side(self, log_file: Path) -> None:
        def change(entries: list[Any]) -> None:
            entries[9]["by"] = "blue" if entries[9]["by"] == "red" else "red"

        assert diverges(forged(log_file, change)).entry == 10

    def test_more_orders_than_the_game_has(self, log_file: Path) -> None:
        def change(entries: list[Any]) -> None:
            entries.append({**entries[-1], "n": len(entries) + 1})

        assert diverges(forged(log_file, change)).got == "the game is over"

    def test_numbers_that_do_not_follow(self, log_file: Path) -> None:
        assert "entry 9" in diverges(forged(log_file, lambda entries: entries.pop(7))).got

    def test_an_undo_across_the_fence(self, log_file: Path) -> None:
        error = diverges(forged(log_file, lambda entries: entries[1].update(order="undo", chance=[])))
        assert (error.entry, error.expected) == (2, "undo")

    def test_a_changed_line(self, log_file: Path) -> None:
        data = log_file.read_bytes()
        at = data.index(b'"n":12,') + 4
        log_file.write_bytes(data[:at] + b"9" + data[at + 1 :])
        with pytest.raises(ReplayDivergence) as caught:
            replay(log_file, find)
        assert caught.value.entry == 12
        assert caught.value.game is not None and caught.value.game.entry == 11
        assert str(caught.value).startswith(f"entry 12: {log_file}:13: ")
        assert replay(log_file, find, 11).entry == 11
        with pytest.raises(ReplayDivergence):
            replay(log_file, find, 12)

    def test_a_changed_header(self, log_file: Path) -> None:
        data = log_file.read_bytes()
        log_file.write_bytes(data.replace(b'"seed":7', b'"seed":8', 1))
        with pytest.raises(ReplayDivergence) as caught:
            replay(log_file, find)
        assert (caught.value.entry, caught.value.game) == (0, None)
        assert f"{log_file}:1: " in str(caught.value)

    def test_line_ends_of_another_system(self, log_file: Path) -> None:
        log_file.write_bytes(log_file.read_bytes().replace(b"\n", b"\r\n"))
        with pytest.raises(ReplayDivergence, match=":1: "):
            replay(log_file, find)

    def test_a_torn_line_is_told_and_under_verify_an_error(self, log_file: Path) -> None:
        entries = len(read_log(log_file).entries)
        log_file.write_bytes(log_file.read_bytes()[:-1])
        game = replay(log_file, find)
        assert game.entry == entries - 1
        assert [notice.code for notice in game.notices] == ["torn"]
        with pytest.raises(ReplayDivergence, match="torn") as caught:
            replay(log_file, find, verify=True)
        assert (caught.value.entry, caught.value.game.entry) == (entries, entries - 1)  # type: ignore[union-attr]
        assert replay(log_file, find, 3, verify=True).entry == 3, (
            "the torn line lies behind what is asked for"
        )


class TestOtherRulesOrData:
    def test_a_log_that_still_fits_is_replayed_with_a_notice(self, log_file: Path) -> None:
        for header, code in (({"rules": 0}, "rules"), ({"content": "0" * 16}, "content")):
            path = forged(log_file, same, **header)
            game = replay(path, find, verify=True)
            assert [notice.code for notice in game.notices] == [code]
            path.unlink()

    def test_a_difference_says_what_has_changed(self, log_file: Path) -> None:
        text = long_scenario().source.replace("0202", "0303")
        log = read_log(log_file)
        path = log_file.with_name("other.jsonl")
        Log(msgspec.structs.replace(log.header, source=text), log.entries).save(path)
        with pytest.raises(ReplayDivergence, match="scenario or data have changed") as caught:
            replay(path, find)
        assert caught.value.game is not None
        assert caught.value.game.entry == caught.value.entry - 1

    def test_a_torn_line_is_no_reason_for_a_difference(self, log_file: Path) -> None:
        path = forged(log_file, lambda entries: entries[9].update(digest="0" * 16), rules=0)
        path.write_bytes(path.read_bytes()[:-1])
        with pytest.raises(ReplayDivergence, match="version 0 of the rules") as caught:
            replay(path, find)
        assert caught.value.entry == 10
        assert "last line" not in str(caught.value)

    def test_other_rules_stop_at_the_first_difference(
        self, log_file: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from tests.toy import rules

        monkeypatch.setattr(type(SYSTEM), "rules_version", 2)
        monkeypatch.setattr(rules.Cup, "play", slower(rules.Cup.play))
        with pytest.raises(ReplayDivergence, match="version 1 of the rules, this is version 2") as caught:
            replay(log_file, find)
        assert caught.value.game is not None
        assert caught.value.entry > 1

    @pytest.mark.parametrize(
        "header", [{"players": {"red": "one"}}, {"players": {"red": "a b", "blue": "c"}}, {"system": "other"}]
    )
    def test_headers_that_do_not_fit_the_scenario(self, log_file: Path, header: Any) -> None:
        with pytest.raises(ContentError, match=r"forged\.jsonl:1:1: "):
            replay(forged(log_file, same, **header), find)


def slower(play: Any) -> Any:
    """The cup of other rules: from turn 2 on whoever acts counts as disrupted."""

    def changed(frame: Any, pos: Any, order: Any, dice: Any, emit: Any) -> None:
        play(frame, pos, order, dice, emit)
        if pos.turn > 1:
            pos.disrupted |= 1

    return changed


def test_hash_seeds_change_nothing(tmp_path: Path) -> None:
    """The same game under three orders of hashing: the same bytes."""
    logs = set()
    for hashing in ("0", "1", "random"):
        path = tmp_path / f"{hashing}.jsonl"
        process = child("play", str(path), "21", hash_seed=hashing)
        process.communicate(timeout=60)
        assert process.returncode == 0
        logs.add(path.read_bytes())
    assert logs == {played(long_scenario(), 21).log.to_bytes()}
