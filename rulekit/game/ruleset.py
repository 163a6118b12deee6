"""A ruleset: what a rule file offers, and the games that can be played by it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from rulekit.diagnostics import Diagnostic, Findings, RulesetError, nearest
from rulekit.engine import Machine, State
from rulekit.game.engines import EngineError, Engines
from rulekit.game.errors import MoveError, RecordError, SettingError
from rulekit.game.examples import DEALS, ExampleResult, run_examples
from rulekit.game.game import Beginning, Game
from rulekit.game.loading import Source, open_rules, read_program
from rulekit.game.notation import Notation, NotationError
from rulekit.game.options import Option, describe_option, read_options, shown
from rulekit.game.position import (
    Deal,
    Draws,
    Position,
    PositionError,
    lay,
    read_deal,
    read_draws,
    read_position,
    read_python,
)
from rulekit.game.record import MAX_SEED, Record, seat_and_move
from rulekit.game.snapshot import unpack
from rulekit.game.wording import described, listed, quoted, whole
from rulekit.program import Program, prepare
from rulekit.program.program import MoveDef, PhaseDef, ZoneDef
from rulekit.program.texts import fill

if TYPE_CHECKING:
    from rulekit.game.stepper import Stepper
    from rulekit.playtest import Report
    from rulekit.program.actions import ActionSpace
    from rulekit.rulebook.translate import Translated


def load(source: Source, options: Mapping[str, Any] | None = None) -> Ruleset:
    """A ruleset by path, by the name of a shipped one, or from YAML text (anything with a line end).

    ``options`` are values by name, Python values or text: `{"target": 11, "lapse": "until_cancelled"}`.

    Raises RulesetError, with ``.diagnostics``, if the file cannot be read or has mistakes; SettingError
    for an option or a value that the rules do not have.
    """
    findings = Findings()
    opened = open_rules(source, findings)
    program = None if opened is None else read_program(opened, findings)
    if program is None:
        raise RulesetError(findings.sorted())
    return Ruleset(program, read_options(program, options), findings.sorted())


def replay(
    record: Record | str | os.PathLike[str], rules: Ruleset | Source | None = None, *, strict: bool = True
) -> Game:
    """The game of a record, or of the file it lies in, played again up to its last move.

    The rules are those shipped under the record's name unless ``rules`` are given (a Ruleset, or what `load`
    takes). If ``strict``, other rules than those of the record, a move that cannot be made and another end
    than recorded are errors. If not, play goes on: bad moves are left out, and `Game.remarks` tells of all.

    Raises RecordError (its ``game`` holds what could be played), RulesetError if the rules cannot be loaded.
    """
    if not isinstance(record, Record):
        record = Record.load(record)
    if rules is None:
        rules = record.ruleset
    return (rules if isinstance(rules, Ruleset) else load(rules)).replay(record, strict=strict)


class Ruleset:
    """A ruleset that has been loaded and checked, with values chosen for its options.

    It never changes: `with_options` gives another one. It can be pickled.
    """

    def __init__(
        self,
        program: Program,
        options: Mapping[str, int | bool] | None = None,
        warnings: Iterable[Diagnostic] = (),
    ) -> None:
        self.program = program
        self.warnings = tuple(warnings)  #: what was found when the file was read; no errors
        self._chosen = {name: option.start for name, option in program.options.items()} | dict(options or {})
        self._fingerprint: str | None = None
        self._tables: dict[tuple[int, str | None, tuple[Any, ...]], Engines] = {}

    # ------------------------------------------------------------ what it offers

    @property
    def name(self) -> str:
        """The name, as in `extends` and on the command line."""
        return self.program.name

    @property
    def title(self) -> str:
        return self.program.title

    @property
    def family(self) -> str | None:
        return self.program.family

    @property
    def text(self) -> str | None:
        """What the game is about, with the values of the options chosen."""
        text = self.program.text
        return None if text is None else fill(text, self.machine(self.players[0]).setup)

    @property
    def sources(self) -> tuple[str, ...]:
        """Where the rules come from."""
        return self.program.sources

    @property
    def players(self) -> tuple[int, int]:
        """The fewest and the most who can play."""
        return self.program.players

    @property
    def options(self) -> dict[str, Option]:
        """The options by name, each with its value here, its default, its values and its meaning."""
        return {
            name: describe_option(option, self._chosen[name]) for name, option in self.program.options.items()
        }

    @property
    def chosen(self) -> dict[str, int | bool]:
        """The program's own value of each option (a word by its number)."""
        return dict(self._chosen)

    @property
    def zones(self) -> Mapping[str, ZoneDef]:
        """Where cards lie: kind, whose, and who sees them."""
        return MappingProxyType(dict(self.program.zones))

    @property
    def moves(self) -> Mapping[str, MoveDef]:
        """What players may do."""
        return MappingProxyType(dict(self.program.moves))

    @property
    def phases(self) -> Mapping[str, PhaseDef]:
        """The parts of the game; each can be played alone: `new_game(phase="round")`."""
        return MappingProxyType(dict(self.program.phases))

    @property
    def fingerprint(self) -> str:
        """Hash of what the rules do; files that differ in comments, layout or examples have the same."""
        if self._fingerprint is None:
            self._fingerprint = self.program.fingerprint()
        return self._fingerprint

    def with_options(self, options: Mapping[str, Any] | None = None, **more: Any) -> Ruleset:
        """The same rules with other options, by mapping or by keyword; raises SettingError as `load` does."""
        given = read_options(self.program, options) | read_options(self.program, more)
        return Ruleset(self.program, self._chosen | given, self.warnings)

    # ------------------------------------------------------------ playing

    def machine(self, players: int, phase: str | None = None, arguments: tuple[Any, ...] = ()) -> Machine:
        """The reference engine for so many players, the same each time. It is not for two threads at once."""
        return self.engines(players, phase, arguments).machine

    def engines(self, players: int, phase: str | None = None, arguments: tuple[Any, ...] = ()) -> Engines:
        """The engines for so many players; the same each time. They are not for two threads at once."""
        players = self._number(players)
        key = players, phase, arguments
        if key not in self._tables:
            if phase is not None and phase not in self.program.phases:
                close = nearest(phase, self.program.phases)
                hint = f"did you mean `{close}`?" if close else f"it has {listed(self.program.phases)}"
                raise SettingError("RK927", f"`{self.name}` has no phase {quoted(phase)}: {hint}")
            try:
                setup = prepare(self.program, players, self._chosen)
            except ValueError as error:
                raise SettingError("RK925", f"`{self.name}`: {error}") from None
            self._tables[key] = Engines(setup, phase, arguments)
        return self._tables[key]

    def _number(self, players: int | None) -> int:
        """The number of players, by default the fewest."""
        low, high = self.players
        if players is None:
            return low
        found = whole(players, low, high)
        if found is None:
            span = f"{low}" if low == high else f"{low} to {high}"
            number = whole(players)
            wanted = number if number is not None else described(players)
            raise SettingError("RK926", f"`{self.name}` is for {span} players, not {wanted}")
        return found

    def new_game(
        self,
        players: int | None = None,
        seed: int = 0,
        *,
        deal: str | Deal | None = None,
        draws: Draws | None = None,
        phase: str | None = None,
        arguments: Sequence[Any] = (),
        given: Mapping[str, str] | None = None,
        engine: str | None = None,
    ) -> Game:
        """A new game, played up to its first decision.

        ``players``  how many play; by default the fewest
        ``seed``  0 to 2^64 - 1: all chance comes from it. The default is 0, the same game every time
        ``deal``  forced shuffles, in order: for each the cards in the order in which they leave, as text or
        list; one text is one shuffle. Cards it does not name lie shuffled beneath, later shuffles are random
        ``draws``  forced results of `random(...)`, in order: `["P2"]`, or seats from 0
        ``phase``  one phase as a whole game, with ``arguments`` for its parameters
        ``given``  a position laid over the first decision, as in a rule file's examples:
        `{"hand of P1": "4S KH", "trump": "hearts"}`; cards that are displaced change places at random
        ``engine``  `python` or `reference`, see `Game.engine`; None: generated Python once a thousand moves
        have been made at such tables. With ``deal``, ``draws`` or ``given`` it is the reference

        Raises SettingError for what these rules do not allow.
        """
        number = self._number(players)
        begin = whole(seed, 0, MAX_SEED)
        if begin is None:
            message = f"the seed is a number from 0 to 2^64 - 1, not {described(seed)}"
            raise SettingError("RK928", message)
        engines, values = self._phase_engines(number, phase, arguments)
        if engine is not None:
            if engine == "wasm":
                raise EngineError(
                    "one game is played on `python` or `reference`; see `Ruleset.stepper` for `wasm`"
                )
            engines.take(engine)
        notation = engines.notation
        shuffles = read_deal(notation, deal)
        drawn = read_draws(notation, draws)
        position = read_position(notation, given) if given else None

        def start() -> State:
            state = engines.machine.start(begin, deal=shuffles, draws=drawn)
            if position is not None:
                _lay(engines.machine, notation, state, position)
            return state

        begun = Record(
            ruleset=self.name,
            fingerprint=self.fingerprint,
            options={name: shown(self.program.options[name], v) for name, v in self._chosen.items()},
            players=number,
            seed=begin,
            moves=(),
            deal=tuple(" ".join(notation.cards(cards)) for cards in shuffles) or None,
            draws=drawn or None,
            phase=phase,
            arguments=values,
            given={str(k): str(v) for k, v in given.items()} if given else None,
        )
        game = Game(self, engines, Beginning(begun, start), engine)
        if position is not None or shuffles or drawn:
            _ = game.is_over  # what was forced may be impossible
        return game

    def stepper(
        self,
        players: int | None = None,
        *,
        phase: str | None = None,
        arguments: Sequence[Any] = (),
        engine: str | None = None,
    ) -> Stepper:
        """Games for programs, one at a time: legal actions as numbers, no words, no past. See `Stepper`.

        ``players``, ``phase``, ``arguments``  as in `new_game`
        ``engine``  `wasm`, `python` or `reference`; None: the fastest that can play this

        Raises SettingError as `new_game` does, EngineError, a ValueError, if that engine cannot play this.
        """
        from rulekit.game.stepper import STEPPERS

        number = self.players[0] if players is None else players
        engines, _ = self._phase_engines(number, phase, arguments)
        return STEPPERS[engines.take(engine)[0]](engines)

    def _phase_engines(
        self, players: int, phase: str | None, arguments: Sequence[Any]
    ) -> tuple[Engines, tuple[Any, ...]]:
        """The engines, and the arguments as a record holds them."""
        engines = self.engines(players, phase if phase is None else str(phase))
        definition = self.program.phases[phase] if phase is not None else None
        parameters = definition.parameters if definition else ()
        if isinstance(arguments, str) or not isinstance(arguments, Sequence):
            raise SettingError("RK927", f"the arguments of a phase are a list, not {described(arguments)}")
        if len(arguments) != len(parameters):
            what = f"phase `{phase}`" if phase else "a whole game"
            raise SettingError("RK927", f"{what} takes {len(parameters)} arguments, not {len(arguments)}")
        if not parameters:
            return engines, ()
        notation = engines.notation
        values, texts = [], []
        for number, given in zip(parameters, arguments, strict=True):
            local = self.program.locals[number]
            try:
                values.append(read_python(notation, local.type, given))
            except NotationError as error:
                raise SettingError("RK927", f"`{local.name}` of phase `{phase}`: {error}") from None
            texts.append(notation.value(local.type, values[-1]))
        return self.engines(players, phase, tuple(values)), tuple(texts)

    def simulate(self, games: int, seed: int = 0, players: int | None = None, **settings: Any) -> Report:
        """Let bots play many games and count; see `rulekit.playtest.simulate` for the settings."""
        from rulekit.playtest import simulate

        return simulate(self, games, seed, players, **settings)

    def rulebook(self, players: int | None = None, form: str = "markdown", *, language: str = "en") -> str:
        """The rules as prose, for so many players (by default the fewest) and the options chosen.

        ``form``  `markdown`, or `html`: one page that needs nothing else
        ``language``  one of `languages`; what its catalogues lack stands in English, is marked, and a note
        at the start tells how much it is (`translation` tells what)

        Raises ValueError for another form or a language that there is no catalogue for.
        """
        from rulekit.rulebook import rulebook, to_html, to_markdown

        writers = {"markdown": to_markdown, "html": to_html}
        if not isinstance(form, str) or form not in writers:
            raise ValueError(f"a rulebook is {listed(writers)}, not {quoted(str(form))}")
        if language == "en":
            return writers[form](rulebook(self.engines(self._number(players)).setup))
        return writers[form](self.translation(language, players).book)

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages that a rulebook can be had in."""
        from rulekit.game.languages import languages

        return ("en", *languages(self.program))

    def translation(self, language: str, players: int | None = None) -> Translated:
        """The rulebook in a language, with the number of its passages and those not translated."""
        from rulekit.game.languages import translated

        return translated(self.engines(self._number(players)).setup, language)

    def actions(self, players: int | None = None) -> ActionSpace:
        """The numbers of all actions at a table of so many players (by default the fewest)."""
        from rulekit.program.actions import ActionSpace

        return ActionSpace(self.engines(self._number(players)).setup)

    def play_examples(self, deals: int = DEALS) -> list[ExampleResult]:
        """Run the examples of the rule file, each with so many deals; one result for each, in file order."""
        return run_examples(self, deals)

    # ------------------------------------------------------------ going on

    def replay(self, record: Record | str | os.PathLike[str], *, strict: bool = True) -> Game:
        """The game of a record by these rules; the record's options count. See `rulekit.replay`."""
        if not isinstance(record, Record):
            record = Record.load(record)
        remarks: list[str] = []
        if record.fingerprint != self.fingerprint:
            message = f"the record was made with other rules than this `{self.name}`"
            if record.ruleset != self.name:
                message = f"the record is of `{record.ruleset}`, not of `{self.name}`"
            if strict:
                raise RecordError("RK931", message)
            remarks.append(message)
        game = self._set_up(record)
        for number, text in enumerate(record.moves, 1):
            wrong = _make(game, text)
            if wrong is None:
                continue
            line = record.lines[number - 1] if number <= len(record.lines) else None
            where = f"move {number}" + (f" in line {line}" if line else "")
            message = f"{where}, {quoted(text)}, cannot be made: {wrong}"
            if strict:
                raise RecordError("RK932", message, line=line, move=number, game=game)
            remarks.append(message)
        if record.state is not None and record.state != game.fingerprint and not remarks:
            message = "the moves can be made, but lead to another position than the record says"
            if strict:
                raise RecordError("RK933", message, game=game)
            remarks.append(message)
        game.remarks = tuple(remarks)
        return game

    def _set_up(self, record: Record) -> Game:
        """The game of a record before its first move; raises RecordError (RK931)."""
        try:
            return self.with_options(record.options).new_game(
                record.players,
                record.seed,
                deal=record.deal,
                draws=record.draws,
                phase=record.phase,
                arguments=record.arguments,
                given=record.given,
            )
        except SettingError as error:
            raise RecordError("RK931", f"the record does not fit these rules: {error}") from None

    def restore(self, data: bytes) -> Game:
        """The game in a snapshot, at the decision where it was taken, with its past for undo and record.

        Raises RecordError for bytes that are no snapshot (RK934) or were made with other rules (RK931).
        Nothing in the bytes is ever run, but they are taken at their word: from strangers take records.
        """
        kept = unpack(data)
        if kept.record.fingerprint != self.fingerprint:
            raise RecordError("RK931", f"the snapshot was made with other rules than this `{self.name}`")
        return self._set_up(kept.record).resumed(kept)

    # ------------------------------------------------------------ being kept

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_tables": {}}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Ruleset):
            return NotImplemented
        return self._chosen == other._chosen and self.fingerprint == other.fingerprint

    def __hash__(self) -> int:
        return hash((self.name, tuple(self._chosen.items())))

    def __repr__(self) -> str:
        changed = {n: o.value for n, o in self.options.items() if o.value != o.default}
        return f"<Ruleset {self.name}{''.join(f', {n}={v}' for n, v in changed.items())}>"


def _lay(machine: Machine, notation: Notation, state: State, position: Position) -> None:
    """A position over the first decision."""
    decision = machine.decision(state)
    try:
        lay(machine, notation, state, position, 0 if decision is None else decision.whom)
    except PositionError as error:
        raise SettingError("RK928", str(error)) from None
    machine.resume(state)


def _make(game: Game, text: str) -> str | None:
    """Make a move of a record; returns what is wrong with it, None if it was made."""
    found = seat_and_move(text, game.players)
    if found is None:
        return "it does not begin with a seat of this table"
    seat, move = found
    if game.to_move is None:
        return "the game is over"
    if game.to_move != seat:
        return f"P{game.to_move + 1} is to move"
    try:
        game.play(move)
    except MoveError as error:
        return str(error)
    return None
