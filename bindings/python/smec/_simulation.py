"""Simulations as Python sees them."""
from __future__ import annotations

import functools
import hashlib
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Optional, Union

from . import _blocks, _compile, _core, _process, _tree, _types
from ._errors import CompileError, SimulationError, raise_no_attribute

Options = Optional[Mapping[str, Any]]
Condition = Callable[["Simulation"], Any]


def _model(path: str) -> str:
    """The file beside code that has no model in it."""
    return os.path.splitext(path)[0] + ".bin"


class Library(_core.Library):
    """A compiled design, from which simulations are made: `Library("design.so")`, as `load` takes it.

    It stays loaded as long as the process. Any thread may make simulations of it. SimulationError where the file cannot be read, or is
    none of smec's, or of another version.
    """

    def __new__(cls, path: str):
        # By its descriptor, since dlopen takes what stands at a path that it knows for what stood there before; it stays
        # open, lest another library gets the name.
        try:
            file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        except OSError as error:
            raise SimulationError(f"cannot load '{path}': {error.strerror}", 0, 3) from None
        try:
            return super().__new__(cls, f"/proc/self/fd/{file}", _model(path))
        except SimulationError as error:
            # Code that is loaded already has the name of an earlier descriptor.
            raise SimulationError(re.sub(r"/proc/self/fd/\d+", lambda _: path, str(error)), 0, error.status) from None

    def __init__(self, path: str) -> None:
        self.path = path
        self._types = _types.Types()

    def __repr__(self) -> str:
        return f"<Library of {self.design}: {self.path}>"

    def create(self, *, options: Options = None, out=None) -> Simulation:
        """A simulation before cycle 0.

        `options` are those of a simulator's command line that say how to run, without their dashes: {"threads": 2,
        "seed": 7}. `out` is called with what processes print, or has a method `write` that is; None drops it. SimulationError for an
        option that there is not.
        """
        return Simulation(self, options=options, out=out)


def _pairs(options: Options) -> tuple:
    pairs = []
    for name, value in (options or {}).items():
        if value is not None and value is not False:
            pairs.append((name.replace("_", "-"), None if value is True else str(value)))
    return tuple(pairs)


class Simulation(_core.Simulation):
    """A run of a design, owned by this program, made by `compile`, `load` or `Library.create`.

    `sim[path]` is the value of a field or variable, `sim[path] = value` sets it, `path in sim` asks whether there is one, and iterating gives
    all paths. Used as `with`, it is closed at the end. One thread at a time uses a simulation, and only the process that made it; calls that run
    cycles let other threads of Python run. Misuse is a SimulationError.
    """

    def __new__(cls, library: Library, *, options: Options = None, out=None):
        return super().__new__(cls, library, _pairs(options), getattr(out, "write", out))

    def __init__(self, library: Library, *, options: Options = None, out=None) -> None:
        self.library = library
        self._signals: dict[str, _core.Signal] = {}
        self._trace_open: Optional[Trace] = None
        self._processes: Optional[_process.Processes] = None

    # ---------------------------------------------------------------- names

    @functools.cached_property
    def dut(self) -> Any:
        """The design: `sim.dut.cam.r` is the value of 'cam.r', and can be assigned to where it can be set and is no output."""
        return _tree.tree(self, (path for path, _ in self._names()))

    def signals(self) -> list[str]:
        """The paths of all fields and variables, in source order."""
        return [path for path, _ in self._names()]

    def signal(self, path: str) -> _core.Signal:
        """A field, a variable or a part of one, to be used many times: `r = sim.signal("cam.r"); r.value = 5`.

        SimulationError, with the nearest name, where there is none.
        """
        known = self._signals.get(path)
        if known is None:
            handle = self._find(path)
            codec = self.library._types.of(self, path, handle)
            known = self._signals[path] = _core.Signal(self, path, handle, codec, self._describe(handle)[5])
        return known

    def __getitem__(self, path: str) -> Any:
        return self.signal(path).value

    def __setitem__(self, path: str, value: Any) -> None:
        self.signal(path).value = value

    def poke(self, path: str, value: Any) -> None:
        """Sets what `sim[path] = value` sets, and outputs: these have it in the next cycle, at whose end the design drives them."""
        self.signal(path).poke(value)

    def __contains__(self, path: object) -> bool:
        if not isinstance(path, str):
            return False
        whole = path
        while whole and whole not in self._listed:  # a part of an array or a struct
            whole = whole[:max(whole.rfind("."), whole.rfind("["), 0)]
        try:
            return bool(whole) and self.signal(path) is not None
        except SimulationError:
            return False

    @functools.cached_property
    def _listed(self) -> frozenset[str]:
        return frozenset(self.signals())

    def __iter__(self) -> Iterator[str]:
        return iter(self.signals())

    if not TYPE_CHECKING:  # which is to see that there is none

        def __getattr__(self, name: str) -> Any:
            raise_no_attribute(self, name)

    def __setattr__(self, name: str, value: Any) -> None:
        if type(self) is Simulation and name != "library" and not name.startswith("_") and not hasattr(Simulation, name):
            raise_no_attribute(self, name)
        super().__setattr__(name, value)

    # ---------------------------------------------------------------- cycles

    def run_until(self, condition: Optional[Condition] = None, *, cycle: Optional[int] = None) -> bool:
        """Runs until `cycle` is the next one or, after a cycle, `condition(sim)` is true; whether that came about.

        All that the condition reads is of the moment after that cycle, as the next row of a trace shows it.

        The condition may read and set, but not run the simulation. False: the design stopped before, or `cycle` came
        before the condition was true. FailedError where an assertion or a check fails; what the condition raises comes out.
        """
        if condition is None and cycle is None:
            raise TypeError("run_until needs a cycle or a condition")
        if self._processes is None:
            return self._run_until(cycle, condition)
        while cycle is None or self.cycle < cycle:
            self.step()
            if condition is not None and condition(self):
                return True
            if self.stopped:
                break
        return condition is None and cycle is not None and self.cycle >= cycle

    def run(self, n: int, inputs: Optional[Mapping[str, Any]] = None, record: Union[str, Iterable[str]] = ()) -> dict[str, Any]:
        """Runs `n` cycles; row k of each of `inputs` is what cycle k of them reads.

        The result has, for each path of `record`, what was read in each cycle: arrays of numpy where it is installed and
        has the type, else array.array or a list. They are shorter where the design stopped. Processes that `add` was
        given step in each of the cycles, and drive other inputs. BadValueError, before anything runs, for a row that is no value or a
        column that is too short; FailedError where an assertion or a check fails.
        """
        return _blocks.run(self, n, inputs or {}, [record] if isinstance(record, str) else list(record))

    # ---------------------------------------------------------------- processes

    def add(self, *processes: Callable[[_process.Context], Any]) -> None:
        """Calls factories of processes, as `smec.process` makes them, and has what they give see each cycle from now on."""
        if self._processes is None:
            self._processes = _process.Processes(self)
            self._stepper = self._processes.step
        for each in processes:
            self._processes.add(each)

    def bench(self, *benches: Callable[[_process.Bench], Any], limit: Optional[int] = None) -> list:
        """Runs `async` functions side by side until all have ended, and gives what they return.

        Each gets a context whose values are those of the simulation: `await ctx.tick()`, `await ctx.tick(5)`,
        `await ctx.tick().until(lambda: ctx["l.v"] > 3)`. `limit`: an error where one still waits in that cycle.
        """
        return _process.run_benches(self, benches, limit)

    # ---------------------------------------------------------------- states

    def snapshot(self) -> _core.Snapshot:
        """The state between two cycles; any simulation of the same design can take it. `restore` goes back to it."""
        kept = self._snapshot()
        kept._attached = self._processes.kept() if self._processes is not None else None
        return kept

    def restore(self, snapshot: _core.Snapshot) -> None:
        """Goes to a state. What came after it is forgotten, and what was set since.

        Of one that this simulation had since it was made or reset, what came before can be gone to as ever; after any other one,
        the past begins with it. So it does where another past was made meanwhile: a value was set before its cycle.
        """
        self._restore(snapshot)
        if self._processes is not None:
            self._processes.restore(snapshot._attached)

    def save(self, snapshot: Optional[_core.Snapshot] = None) -> bytes:
        """A state, the present one unless told, as bytes that outlive the process. `load` goes there, in any build of the design."""
        return self._save(self.snapshot() if snapshot is None else snapshot)

    def load(self, state: bytes) -> _core.Snapshot:
        """Goes to the state that `save` wrote, with which the past begins; gives it as a snapshot, too.

        SimulationError where the bytes are damaged, or of another design.
        """
        snapshot = self._load(state)
        self.restore(snapshot)
        return snapshot

    def snapshot_from(self, state: bytes) -> _core.Snapshot:
        """The snapshot that `save` wrote, without going there."""
        return self._load(state)

    def reset(self) -> None:
        """Cycle 0: inputs have their defaults, and what is set from now on is logged anew."""
        self._reset()
        if self._processes is not None:
            self._processes.reset()

    def goto(self, cycle: int) -> None:
        """Any cycle: back by states of the past and the log of inputs, silently; forward by running.

        Cycles that have run before print nothing a second time; a trace takes their rows where it does not have them.
        """
        if self._processes is None:
            self._go_to(cycle)
            return
        self._go_to(min(cycle, self._processes.known))
        self._processes.went_back()
        if cycle > self.cycle:
            self.step(cycle - self.cycle)

    # ---------------------------------------------------------------- files

    def trace(self, path: Union[str, os.PathLike], filter: Union[str, Iterable[str]] = ()) -> Trace:  # pylint: disable=redefined-builtin
        """Writes values into a file in the format of its ending, from the next cycle to `close` or the end of `with`.

        `filter` names them as --trace-filter does; without, they are the exposed fields. SimulationError where the file cannot be
        written, or somebody writes it already.
        """
        filters = (filter,) if isinstance(filter, str) else tuple(filter)
        self._trace(os.fspath(path), filters)
        if self._trace_open:
            self._trace_open.closed = True
        self._trace_open = Trace(self)
        return self._trace_open

    def save_inputs(self, path: Union[str, os.PathLike]) -> None:
        """Writes what the inputs were since the last reset, as rows for --input.

        SimulationError where rows do not lead here: after `restore`, and where a variable or an output was set.
        """
        self._save_inputs(os.fspath(path))

    # ---------------------------------------------------------------- life

    def __enter__(self) -> Simulation:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Simulation of {self.library.design}: {'closed' if self.closed else f'cycle {self.cycle}'}>"


class Trace:
    """A trace that is being written, from `Simulation.trace`; used as `with`, it is closed at the end."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        self.closed = False

    def close(self) -> None:
        """Ends it; the file is complete then."""
        if self.closed:
            return
        self.closed = True
        self._simulation._trace_open = None
        if not self._simulation.closed:  # that ended it, too
            self._simulation._trace(None, ())

    def __enter__(self) -> Trace:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@functools.lru_cache(maxsize=None)
def _loaded(path: str, _content: bytes) -> Library:
    return Library(path)


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _library(path: Union[str, os.PathLike]) -> Library:
    """Each library once, until one of another content stands in its place."""
    whole = os.path.abspath(os.fspath(path))
    try:
        content = hashlib.sha256(_read(whole))
    except OSError as error:
        raise SimulationError(f"cannot load '{whole}': {error.strerror}", 0, 3) from None
    try:
        content.update(_read(_model(whole)))
    except OSError:
        pass  # a library that has it in itself
    return _loaded(whole, content.digest())


def load(path: Union[str, os.PathLike], *, options: Options = None, out=None) -> Simulation:
    """A simulation of a design of `smec compile --loadable` (x.so, with x.bin beside it) or `--lib` (libx.so).

    `options` and `out` are those of `Library.create`.
    """
    return _library(path).create(options=options, out=out)


def compile(file: Union[str, os.PathLike], top: Optional[str] = None, *, options: Options = None, out=None,  # pylint: disable=redefined-builtin
            flags: Iterable[str] = (), **constants: Any) -> Simulation:
    """Compiles a file and gives a simulation of it; what was compiled before is not compiled again.

    `constants` are those of the top network: n=8 is -G n=8 of the command line. `flags` are more words for
    `smec compile`; `options` and `out` are those of `Library.create`. CompileError where the compiler refuses; warnings are CompileWarning.
    """
    try:
        path = _compile.library(file, top, tuple(flags), constants)
    except CompileError as error:
        raise _compile.explained(error, constants, ("file", "top", "options", "out", "flags")) from None
    return _library(path).create(options=options, out=out)
