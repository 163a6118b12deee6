"""The WebAssembly runtime: games side by side, arrays, faults, calls, the cache."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
import wasm_modules as m

from rulekit.compiled import cache, lir, wasm, wasm_call
from rulekit.compiled.lir import NUMBER, Binary, Bits, Get, Int, Load, Set, Var
from rulekit.compiled.wat_blocks import ILLEGAL
from rulekit.engine.chance import mix, streams

numpy = pytest.importorskip("numpy")


@pytest.fixture(scope="module", params=[False, True], ids=["in place", "in a window"])
def deal(request: pytest.FixtureRequest) -> wasm.CompiledModule:
    return wasm.compile_module(m.deal(), window=request.param, cached=False)


def raw(games: wasm.Games) -> bytes:
    return bytes(games._memory.bytes)


def states(games: wasm.Games) -> bytes:
    return raw(games)[games.compiled.layout.games :]


# ---------------------------------------------------------------- games side by side


def test_a_game_is_dealt_and_played_out(deal: wasm.CompiledModule) -> None:
    games = deal.games(1)
    assert games.begin(0, *streams(7, 0)) == lir.WAIT
    hands = deal.codec.named(games.read(0))["hands"]
    assert [hand.bit_count() for hand in hands] == [13] * 4
    assert hands[0] | hands[1] | hands[2] | hands[3] == 2**52 - 1
    for _ in range(51):
        assert games.step(0, 0) == lir.WAIT
    assert games.step(0, 0) == lir.OVER
    assert sorted(games.pile(0, 1)) == list(range(52))


def test_games_of_a_batch_are_those_begun_one_by_one(deal: wasm.CompiledModule) -> None:
    many, one = deal.games(8), deal.games(1)
    many.begin_many(mix(42), 100)
    for game in range(8):
        one.begin(0, *streams(42, 100 + game))
        assert many.read(game) == one.read(0)
    parts = deal.games(8)
    parts.begin_many(mix(42), 103, start=3)
    parts.begin_many(mix(42), 100, count=3)
    assert states(parts) == states(many)


def test_stepping_many_is_stepping_each(deal: wasm.CompiledModule) -> None:
    many, each = deal.games(5), deal.games(5)
    many.begin_many(1)
    each.begin_many(1)
    for places in ([0, 1, 2, 3, 4], [12, 0, 5, 7, 1]):
        many.step_many(places)
        results = [each.step(game, place) for game, place in enumerate(places)]
        assert many.results.tolist() == results
        assert [many.read(game) for game in range(5)] == [each.read(game) for game in range(5)]
    many.places[:] = 3
    many.step_placed(start=1, count=2)
    assert many.view("turn").tolist() == [2, 3, 3, 2, 2]


def test_copies_and_forks(deal: wasm.CompiledModule) -> None:
    games = deal.games(4)
    games.begin_many(1)
    games.roll(2, 10)
    games.copy(0, 2)
    assert games.read(0) == games.read(2) != games.read(1)
    games.fork_many(2, mix(9), 50, start=0, count=2)
    for game in range(2):
        assert games.read(game)[:-2] == games.read(2)[:-2]
        assert tuple(games.read(game)[-2:]) == streams(9, 50 + game)
    with pytest.raises(ValueError, match="copy of itself"):
        games.fork_many(2, 1)


def test_whole_games_are_played_in_one_call(deal: wasm.CompiledModule) -> None:
    one, two = deal.games(4), deal.games(4)
    one.begin_many(mix(3), 7)
    assert one.roll_many(20) == two.play_many(mix(3), 7, 20) == 80
    assert states(one) == states(two)
    assert one.play_many(mix(3), start=1, count=2) == 104
    assert [one.status(game) for game in range(4)] == [lir.WAIT, lir.OVER, lir.OVER, lir.WAIT]
    two.play_many(mix(3), 7, 0)
    one.begin_many(mix(3), 7)
    assert states(one) == states(two)
    assert one.play_many(1, most=-1) == 0


def test_a_batch_may_be_one_game_or_none(deal: wasm.CompiledModule) -> None:
    games = deal.games(3)
    games.begin_many(mix(1))
    before = states(games)
    games.begin_many(5, count=0)
    games.step_many(numpy.array([], int))
    assert games.roll_many(count=0) == 0
    assert (games.play_many(5, count=0), games.begin_over(5, 0, count=0)) == (0, 0)
    games.fork_many(0, 5, count=0)
    assert states(games) == before
    games.begin_many(mix(2), 9, start=1, count=1)
    assert games.read(1)[-2] != games.read(0)[-2]
    games.step_many([3], start=1)
    assert games.results.tolist()[1] == lir.WAIT
    assert games.view("turn").tolist() == [0, 1, 0]
    assert games.roll_many(start=1, count=1) == 51
    assert games.begin_over(mix(2), 9, start=1, count=1) == 1
    games.fork_many(0, mix(4), start=2, count=1)
    assert games.read(2)[:-2] == games.read(0)[:-2]
    assert games.play_many(mix(4), start=2, count=1) == 52
    assert [games.status(game) for game in range(3)] == [lir.WAIT, lir.WAIT, lir.OVER]


def test_games_that_are_over_begin_anew(deal: wasm.CompiledModule) -> None:
    games = deal.games(4)
    games.begin_many(mix(1))
    for game in (1, 3):
        games.roll(game)
        assert games.status(game) == lir.OVER
    kept = games.read(0), games.read(2)
    assert games.begin_over(mix(1), 4) == 2
    assert (games.read(0), games.read(2)) == kept
    fresh = deal.games(2)
    fresh.begin_many(mix(1), 4)
    assert [games.read(1), games.read(3)] == [fresh.read(0), fresh.read(1)]


# ---------------------------------------------------------------- what is not allowed


@pytest.mark.parametrize(
    "place", [-1, 13, 14, 255, 2**31 - 1, 2**31, 2**32, -(2**31), 2**63, 2**64, -(2**64)]
)
def test_an_illegal_place_changes_nothing(deal: wasm.CompiledModule, place: int) -> None:
    games = deal.games(3)
    games.begin_many(3)
    before = raw(games)
    with pytest.raises(IndexError, match="no legal action at place"):
        games.step(1, place)
    assert raw(games) == before
    if -(2**63) <= place < 2**63:
        games.step_many([0, place, 1])
        assert games.results.tolist() == [lir.WAIT, ILLEGAL, lir.WAIT]
        size = deal.layout.size
        first = deal.layout.games + size
        assert raw(games)[first : first + size] == before[first : first + size]


def test_a_game_that_is_over_cannot_be_played_on(deal: wasm.CompiledModule) -> None:
    games = deal.games(1)
    games.begin_many(3)
    assert games.roll(0) == 52
    state = games.read(0)
    assert games.roll(0) == 0
    with pytest.raises(IndexError):
        games.step(0, 0)
    assert games.read(0) == state


@pytest.mark.parametrize("game", [-1, 3, 2**40])
def test_there_are_no_other_games(deal: wasm.CompiledModule, game: int) -> None:
    games = deal.games(3)
    games.begin_many(3)
    before = raw(games)
    for use in (
        lambda: games.step(game, 0),
        lambda: games.roll(game),
        lambda: games.begin(game, 0, 0),
        lambda: games.copy(game, 0),
        lambda: games.copy(0, game),
        lambda: games.read(game),
        lambda: games.begin_many(1, start=2, count=2),
        lambda: games.roll_many(start=-1),
        lambda: games.step_many([0] * 4),
        lambda: games.fork_many(0, 1, start=1, count=3),
    ):
        with pytest.raises(IndexError):
            use()
    assert raw(games) == before


def test_a_game_touches_no_other_one(deal: wasm.CompiledModule) -> None:
    """The games around it, and all other memory above, hold a pattern that must stand."""
    games = deal.games(5)
    size, first = deal.layout.size, deal.layout.games
    memory = games._memory.bytes
    for at in range(first, len(memory)):
        memory[at] = 0xA5
    games.begin(2, 1, 2)
    games.roll(2)
    kept = bytes(memory)
    start, end = first + 2 * size, first + 3 * size
    assert set(kept[first:start]) == set(kept[end:]) == {0xA5}


def test_nonsense_is_refused(deal: wasm.CompiledModule) -> None:
    with pytest.raises(ValueError, match="0 games"):
        deal.games(0)
    with pytest.raises(ValueError, match="do not fit into one instance"):
        deal.games(2**31)
    games = deal.games(2)
    with pytest.raises(ValueError, match="one whole number"):
        games.step_many([[0, 0]])
    with pytest.raises(ValueError, match="one whole number"):
        games.step_many([0.5, 0])


# ---------------------------------------------------------------- faults


def faulty() -> lir.Module:
    """Place 0 faults, others go on; so does the function `check` with a number above 5."""
    x = Var(0, NUMBER)
    check = lir.Function(
        "check",
        (x,),
        Bits(64),
        (
            lir.If(Binary(">", Get(x), Int(5)), (lir.Trap(2, (Get(x), Int(-1))),)),
            lir.Return(Set(1 << 63 | 1, Bits(64))),
        ),
    )
    apply = (
        lir.If(Binary("==", Get(m.PLACE), Int(0)), (lir.Trap(1, (Int(-7), Int(9))),)),
        lir.Store("seen", None, Get(m.PLACE)),
        lir.Return(Int(0)),
    )
    field = lir.Field("seen", NUMBER, start=-1)
    return m.module(m.wait(0, Int(3)), fields=(field,), functions=(check,), apply=apply, faults=2)


@pytest.mark.parametrize("window", [False, True])
def test_a_fault_is_told_with_its_site_and_arguments(window: bool) -> None:
    module = faulty()
    games = wasm.compile_module(module, window=window, cached=False).games(3)
    games.begin_many(1)
    games.step_many([1, 0, 2])
    assert games.results.tolist() == [lir.WAIT, lir.FAULT, lir.WAIT]
    assert games.fault(1) == wasm.GameFault(module.faults[0], (-7, 9))
    assert [games.status(game) for game in range(3)] == [lir.WAIT, lir.FAULT, lir.WAIT]
    assert (games.fault(0), games.load(0, "seen"), games.load(2, "seen")) == (None, 1, 2)
    with pytest.raises(IndexError):
        games.step(1, 1)


@pytest.mark.parametrize("window", [False, True])
@pytest.mark.parametrize("fast", [True, False])
def test_functions_can_be_called(fast: bool, window: bool) -> None:
    module = faulty()
    games = wasm.compile_module(module, window=window, cached=False).games(2, fast_calls=fast)
    games.begin_many(1)
    assert games.call("check", 1, 5) == 1 << 63 | 1
    before = games.read(1)
    with pytest.raises(wasm.FunctionFault, match="6 -1") as caught:
        games.call("check", 1, 6)
    assert caught.value.fault == wasm.GameFault(module.faults[1], (6, -1))
    assert games.read(1) == before
    with pytest.raises(KeyError, match="no function `chek`"):
        games.call("chek", 0)
    none = wasm.compile_module(module, (), cached=False).games(1)
    with pytest.raises(KeyError, match="no function `check` is exported"):
        none.call("check", 0, 1)


# ---------------------------------------------------------------- freshness of scratch


@pytest.mark.parametrize("window", [False, True])
def test_scratch_is_told_to_be_fresh_only_if_nothing_else_ran(window: bool) -> None:
    """`apply` records what it was told in the field `told`."""
    apply = (lir.Store("told", None, Get(m.FRESH)), lir.Return(Int(0)))
    module = m.module(m.wait(0, Int(2)), fields=(lir.Field("told", NUMBER, start=9),), apply=apply)
    games = wasm.compile_module(module, window=window, cached=False).games(2)

    def told_after(*between: Any) -> int:
        games.begin(0, 0, 0)
        for action in between:
            action()
        games.step(0, 0)
        return games.load(0, "told")

    assert told_after() == 1
    assert told_after(lambda: games.step(0, 1)) == 1
    assert told_after(lambda: games.read(0)) == 1
    assert told_after(lambda: games.begin(1, 0, 0)) == 0
    assert told_after(lambda: games.begin(1, 0, 0), lambda: games.step(0, 1)) == 1
    assert told_after(lambda: games.copy(1, 0)) == 0
    assert told_after(lambda: games.write(0, games.read(0))) == 0
    assert told_after(lambda: games.roll(1, 1)) == 0
    assert told_after(lambda: games.call("apply", 1, 0, 0)) == 0
    games.play_many(0, most=1)
    assert games.load(0, "told") == 1
    games.begin_many(0)
    games.roll(0, 1)
    assert games.load(0, "told") == 0
    games.roll(0, 2)
    assert games.load(0, "told") == 1


# ---------------------------------------------------------------- data


def test_states_go_out_and_come_in_as_plain_data() -> None:
    kinds = [Bits(width) for width in (3, 9, 20, 40, 64, 65, 190)]
    fields = [lir.Field(f"b{n}", kind, 1 + n % 3, start=1 << kind.width - 1) for n, kind in enumerate(kinds)]
    fields += [lir.Field("n", NUMBER, 2, start=-5), lir.Field("small", NUMBER, 3, start=255, small=True)]
    fields += [lir.Field("s", NUMBER, 2, start=77, scratch=True)]
    compiled = wasm.compile_module(
        m.module((lir.Goto(Int(lir.OVER)),), fields=fields, piles=2, capacity=3), cached=False
    )
    games = compiled.games(3)
    games.begin_many(0)
    named = compiled.codec.named(games.read(1))
    assert named["b6"] == [1 << 189]
    assert (named["n"], named["small"], named["piles"]) == ([-5, -5], [255] * 3, [(), ()])
    assert (games.load(0, "b5", 2), games.load(0, "n", 1), games.load(0, "s", 1)) == (1 << 64, -5, 77)
    flat = games.read(1)
    flat[-4:] = [(1, 2, 3), (255,), 2**64 - 1, 5]
    flat[flat.index(1 << 189)] = 2**190 - 1
    games.write(1, flat)
    assert games.read(1) == flat
    assert games.read(0)[:-2] == games.read(2)[:-2] != flat[:-2]
    assert games.pile(1, 0) == (1, 2, 3)


@pytest.mark.parametrize(
    "change",
    [
        lambda flat: flat[:-1],
        lambda flat: [*flat, 0],
        lambda flat: [2**31, *flat[1:]],
        lambda flat: [None, *flat[1:]],
        lambda flat: [*flat[:-3], (256,), 0, 0],
        lambda flat: [*flat[:-3], tuple(range(53)), 0, 0],
        lambda flat: [*flat[:5], 2**52, *flat[6:]],
        lambda flat: [*flat[:5], -1, *flat[6:]],
        lambda flat: [*flat[:-1], 2**64],
    ],
)
def test_what_is_no_state_is_refused_whole(deal: wasm.CompiledModule, change: Any) -> None:
    games = deal.games(2)
    games.begin_many(3)
    before = raw(games)
    with pytest.raises(ValueError, match=r"state|pile|set|range"):
        games.write(0, change(games.read(0)))
    assert raw(games) == before


def test_arrays_see_the_games_themselves(deal: wasm.CompiledModule) -> None:
    games = deal.games(6)
    games.begin_many(mix(5))
    hands, choices, piles = games.view("hands"), games.view("choices"), games.view("piles")
    assert hands.shape == (6, 4)
    assert hands.dtype == numpy.uint64
    named = [deal.codec.named(games.read(game)) for game in range(6)]
    assert hands.tolist() == [state["hands"] for state in named]
    assert games.view("chance").tolist() == [state["chance"] for state in named]
    games.roll_many(30)
    assert choices.tolist() == [deal.codec.named(games.read(game))["choices"][0] for game in range(6)]
    assert piles["size"].tolist() == [[0, 30]] * 6
    assert tuple(piles[2, 1]["items"][:30]) == games.pile(2, 1)
    with pytest.raises(ValueError, match="read-only"):
        choices[0] = 1


def test_an_array_keeps_the_memory_alive(deal: wasm.CompiledModule) -> None:
    def made() -> Any:
        games = deal.games(2000)
        games.begin_many(1)
        return games.view("hands"), games.results

    hands, results = made()
    for _ in range(20):
        deal.games(2000).begin_many(2)
    assert int(numpy.bitwise_count(hands).sum()) == 2000 * 52 if hasattr(numpy, "bitwise_count") else True
    assert results.shape == (2000,)


def test_wide_sets_are_arrays_of_words() -> None:
    field = lir.Field("wide", Bits(130), 2, start=1 << 129 | 1)
    games = wasm.compile_module(m.module((lir.Goto(Int(lir.OVER)),), fields=(field,)), cached=False).games(2)
    games.begin_many(0)
    assert games.view("wide").tolist() == [[[1, 0, 2]] * 2] * 2


# ---------------------------------------------------------------- calls


def test_fast_and_plain_calls_do_the_same(deal: wasm.CompiledModule) -> None:
    assert wasm_call.fast_works()
    fast, plain = deal.games(3), deal.games(3, fast_calls=False)
    for games in (fast, plain):
        games.begin_many(2**64 - 1, 2**63)
        games.begin(1, 2**64 - 1, 2**63)
        games.step(0, 12)
        games.roll(1, 7)
        games.copy(2, 1)
        games.roll_many(3)
        with pytest.raises(IndexError):
            games.step(2, 50)
    assert states(fast) == states(plain)


def test_without_the_fast_way_the_plain_one_is_taken(
    deal: wasm.CompiledModule, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any) -> Any:
        raise AttributeError("wasmtime_func_call_unchecked")

    wasm_call.fast_works.cache_clear()
    monkeypatch.setattr(wasm_call, "fast_call", broken)
    assert not wasm_call.fast_works()
    games = deal.games(1)
    games.begin(0, 1, 2)
    assert games.roll(0) == 52
    monkeypatch.undo()
    wasm_call.fast_works.cache_clear()
    assert wasm_call.fast_works()


@pytest.mark.parametrize("fast", [True, False])
def test_a_trap_of_the_machine_is_an_error_and_not_the_end(fast: bool) -> None:
    """Such a trap is a mistake of the lowering: here an index that is out of range."""
    index = Load("far", None, NUMBER)
    table = lir.Table("t", NUMBER, (1,))
    apply = (
        lir.If(Get(m.PLACE), (lir.Store("far", None, lir.Lookup("t", index, NUMBER)),)),
        lir.Return(Int(0)),
    )
    field = lir.Field("far", NUMBER, start=2**30)
    module = m.module(m.wait(0, Int(2)), fields=(field,), tables=(table,), apply=apply)
    games = wasm.compile_module(module, cached=False).games(1, fast_calls=fast)
    games.begin(0, 0, 0)
    for _ in range(3):
        with pytest.raises(wasm_call.WasmTrap, match="out of bounds"):
            games.step(0, 1)
        assert games.step(0, 0) == lir.WAIT


def test_threads_each_have_their_games(deal: wasm.CompiledModule) -> None:
    found: dict[int, list[Any]] = {}

    def play(number: int) -> None:
        games = deal.games(50)
        games.begin_many(mix(11), 50 * number)
        games.roll_many()
        found[number] = [games.read(game) for game in range(50)]

    threads = [threading.Thread(target=play, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    whole = deal.games(200)
    whole.begin_many(mix(11))
    whole.roll_many()
    assert [state for number in range(4) for state in found[number]] == [whole.read(n) for n in range(200)]


# ---------------------------------------------------------------- the cache


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RULEKIT_CACHE", str(tmp_path))
    return tmp_path / "wasm"


def count_compiles(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    import wasmtime

    compiles: list[int] = []
    real = wasmtime.wat2wasm

    def counted(text: str) -> Any:
        compiles.append(len(text))
        return real(text)

    monkeypatch.setattr(wasmtime, "wat2wasm", counted)
    return compiles


def rolled(compiled: wasm.CompiledModule) -> list[Any]:
    games = compiled.games(1)
    games.begin(0, 1, 2)
    games.roll(0)
    return games.read(0)


def test_a_module_is_compiled_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiles = count_compiles(monkeypatch)
    first = rolled(wasm.compile_module(m.deal()))
    assert rolled(wasm.compile_module(m.deal())) == first
    assert (len(compiles), len(list(folder.iterdir()))) == (1, 1)
    wasm.compile_module(m.deal(3, 51))
    assert (len(compiles), len(list(folder.iterdir()))) == (2, 2)
    assert folder.stat().st_mode & 0o77 == 0


@pytest.mark.parametrize(
    "damage", ["cut", "flip", "empty", "other", "moved", "folder", "link", "pipe", "unreadable"]
)
def test_a_damaged_file_is_compiled_again(folder: Path, monkeypatch: pytest.MonkeyPatch, damage: str) -> None:
    compiles = count_compiles(monkeypatch)
    first = rolled(wasm.compile_module(m.deal()))
    (path,) = folder.iterdir()
    data = path.read_bytes()
    match damage:
        case "cut":
            path.write_bytes(data[: len(data) // 2])
        case "flip":
            path.write_bytes(data[:5000] + bytes([data[5000] ^ 1]) + data[5001:])
        case "empty":
            path.write_bytes(b"")
        case "other":
            cache.save(path.name, b"not a compiled module")
        case "moved":  # whole and right, of another module
            wasm.compile_module(m.deal(3, 51))
            (another,) = (one for one in folder.iterdir() if one != path)
            another.replace(path)
            compiles.pop()
        case "folder":
            path.unlink()
            path.mkdir()
        case "link":
            elsewhere = folder.parent / "elsewhere"
            path.rename(elsewhere)
            path.symlink_to(elsewhere)
        case "pipe":
            path.unlink()
            os.mkfifo(path)
        case "unreadable":
            path.unlink()
            path.symlink_to(path)
    assert rolled(wasm.compile_module(m.deal())) == first
    assert len(compiles) == 2
    assert rolled(wasm.compile_module(m.deal())) == first
    assert len(compiles) == (3 if damage == "folder" else 2), "what was compiled again was kept"


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="no file modes")
def test_a_folder_that_others_may_write_to_is_not_used(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiles = count_compiles(monkeypatch)
    wasm.compile_module(m.deal())
    folder.chmod(0o777)
    wasm.compile_module(m.deal())
    assert len(compiles) == 2
    folder.chmod(0o700)
    wasm.compile_module(m.deal())
    assert len(compiles) == 2


def test_without_a_place_for_it_nothing_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "file"
    file.write_text("not a folder")
    first = rolled(wasm.compile_module(m.deal(), cached=False))
    for value in (str(file), "", str(tmp_path / "a\0b")):
        if "\0" in value:
            continue
        monkeypatch.setenv("RULEKIT_CACHE", value)
        assert rolled(wasm.compile_module(m.deal())) == first
    assert file.read_text() == "not a folder"


def test_the_folder_is_the_users_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("RULEKIT_CACHE", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    assert cache.folder() == tmp_path / ".cache" / "rulekit" / "wasm"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "elsewhere"))
    assert cache.folder() == tmp_path / "elsewhere" / "rulekit" / "wasm"
    monkeypatch.setattr(sys, "platform", "darwin")
    assert cache.folder() == tmp_path / "Library" / "Caches" / "rulekit" / "wasm"


def test_files_not_used_for_longest_go(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "MOST_FILES", 3)
    for number in range(5):
        cache.save(f"n{number}", b"x")
        os.utime(folder / f"n{number}", (number, number))
        if number == 3:
            assert cache.load("n1") == b"x"
    assert sorted(path.name for path in folder.iterdir()) == ["n1", "n3", "n4"]


WRITER = """
import sys
from rulekit.compiled import cache
for n in range(60):
    cache.save("same", bytes([n % 7]) * 100_000)
    found = cache.load("same")
    assert found is None or (len(found) == 100_000 and len(set(found)) == 1), len(found)
"""


def test_writers_at_the_same_time_do_not_disturb_each_other(folder: Path) -> None:
    writers = [subprocess.Popen([sys.executable, "-c", WRITER], env=os.environ) for _ in range(3)]
    assert [writer.wait() for writer in writers] == [0, 0, 0]
    assert [path.name for path in folder.iterdir()] == ["same"]


# ---------------------------------------------------------------- without the packages

WITHOUT_WASMTIME = """
import sys
sys.modules["wasmtime"] = None
import rulekit
from rulekit.compiled import lir, wasm
try:
    wasm.compile_module(lir.Module("m", (), (), 0, 0, (), (), 0, ()))
except wasm.WasmUnavailable as error:
    assert "wasmtime" in str(error) and isinstance(error, ImportError)
    print("unavailable")
"""

WITHOUT_NUMPY = """
import sys
sys.path.insert(0, sys.argv[1])
import wasm_modules
from rulekit.compiled import wasm
assert "wasmtime" not in sys.modules and "numpy" not in sys.modules
sys.modules["numpy"] = None
games = wasm.compile_module(wasm_modules.deal(), cached=False).games(3)
games.begin_many(1)
assert games.roll_many() == 156
assert sorted(games.pile(2, 1)) == list(range(52))
try:
    games.view("hands")
except ImportError:
    print("no arrays")
"""


@pytest.mark.parametrize(("code", "says"), [(WITHOUT_WASMTIME, "unavailable"), (WITHOUT_NUMPY, "no arrays")])
def test_a_missing_package_is_missed_only_where_it_is_needed(code: str, says: str) -> None:
    folder = str(Path(__file__).parent)
    result = subprocess.run([sys.executable, "-c", code, folder], capture_output=True, text=True, check=False)
    assert (result.stdout.strip(), result.returncode) == (says, 0), result.stderr
