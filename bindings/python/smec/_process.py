"""Processes and test benches that are written in Python.

A process sees cycle k, all fields as the design reads them in it, and drives exposed inputs that the design sees in cycle k + 1, as a clocked
process does. A test bench acts between cycles: it reads what the next one will read, and what it sets is seen in that.
"""
from __future__ import annotations

import inspect
from collections.abc import Callable, Coroutine, Generator
from typing import Any, Optional

from ._errors import SimulationError, nearest_input


class Process:
    """A factory of processes: a generator function, resumed once in each cycle, or what returns an object with `step(ctx)`.

    Such an object may have `save()` and `restore(state)`; then it goes with snapshots of its simulation.
    """

    def __init__(self, factory: Callable[[Context], Any]) -> None:
        if not callable(factory):
            raise TypeError(f"a process is made of a function or a class, not of {factory!r}")
        self.factory = factory
        self.__doc__ = factory.__doc__

    @property
    def name(self) -> str:
        """That of the function or class."""
        return getattr(self.factory, "__name__", repr(self.factory))

    def __call__(self, context: Context) -> Any:
        return self.factory(context)


def process(factory: Callable[[Context], Any]) -> Process:
    """Makes a process of a generator function or a class; `sim.add` has a simulation call it."""
    return Process(factory)


class Context:
    """What a process has of its simulation: `ctx[path]` is a value of the present cycle, `ctx[path] = value` an input of the next one.

    SimulationError for what is no input, BadValueError for a value that it cannot have.
    """

    def __init__(self, simulation, writes: dict) -> None:
        self._simulation = simulation
        self._writes = writes

    @property
    def cycle(self) -> int:
        """The number of the present cycle."""
        return self._simulation.cycle

    def __getitem__(self, path: str) -> Any:
        return self._simulation[path]

    def __setitem__(self, path: str, value: Any) -> None:
        signal = self._simulation.signal(path)
        if not signal.input:
            hint = nearest_input(self._simulation, path) or "; a process drives exposed inputs"
            raise SimulationError(f"'{path}' is no input{hint}", self._simulation.cycle)
        signal._codec.encode(value)  # refused here, in the process that is wrong
        self._writes[path] = value


class _Running:
    def __init__(self, made: Process, context: Context) -> None:
        self.made = made
        self.it = made(context)
        self.context = context
        if not isinstance(self.it, Generator) and not callable(getattr(self.it, "step", None)):
            raise TypeError(f"the process {made.name} is a generator function or gives what has step(ctx), not {self.it!r}")

    def step(self) -> None:
        if isinstance(self.it, Generator):
            next(self.it, None)
        else:
            self.it.step(self.context)

    def can_be_kept(self) -> bool:
        return hasattr(self.it, "save") and hasattr(self.it, "restore")


class Processes:
    """The processes of one simulation. `_head` is the cycle that they are at."""

    def __init__(self, simulation) -> None:
        self._simulation = simulation
        self._factories: list[Process] = []
        self._running: list[_Running] = []
        self._writes: dict[str, Any] = {}
        self._head = simulation.cycle
        self._known = simulation.cycle  # up to there the log has what they drove
        self._sets: Optional[int] = None  # of the simulation when it went back
        self._raised: Optional[str] = None  # the process that did, and where

    def __bool__(self) -> bool:
        return bool(self._factories)

    def add(self, given: Callable[[Context], Any]) -> None:
        made = given if isinstance(given, Process) else Process(given)
        self._running.append(_Running(made, Context(self._simulation, self._writes)))
        self._factories.append(made)
        if len(self._factories) == 1:
            self._head = self._known = self._simulation.cycle

    def step(self, cycles: int) -> int:
        """In place of the simulation's own."""
        return self._run(cycles, None)

    def run(self, cycles: int, rows) -> int:
        """A block of rows, as _blocks has them."""
        return self._run(cycles, rows)

    def _run(self, cycles: int, rows) -> int:
        simulation = self._simulation
        simulation._hold()
        try:
            for ran in range(cycles):
                now = simulation.cycle
                if rows is not None:
                    rows.begin()
                self._resume(now)
                if rows is not None:
                    for path in self._writes:
                        rows.check(path)
                try:
                    if rows is None:
                        simulation._advance(1)
                    else:
                        rows.advance()
                finally:
                    if simulation.cycle > now:
                        self._apply()
                if simulation.stopped:
                    return ran + 1
        finally:
            simulation._let_go()
        return cycles

    def _resume(self, now: int) -> None:
        """All that are at this cycle."""
        if now < self._known and self._sets == self._simulation._sets:
            return  # the log has what they drove
        if self._raised is not None:
            raise SimulationError(f"{self._raised}; reset begins anew", now)
        if now != self._head:
            names = ", ".join(running.made.name for running in self._running)
            raise SimulationError(f"processes of Python ({names}) are at cycle {self._head} and cannot go on from cycle {now}; "
                                  "reset, or give them save and restore", now)
        self._writes.clear()
        for running in self._running:
            self._raised = f"the process {running.made.name} raised an exception in cycle {now}"
            running.step()
        self._raised = None
        self._head = self._known = now + 1

    def _apply(self) -> None:
        writes = dict(self._writes)
        self._writes.clear()
        for path, value in writes.items():
            self._simulation[path] = value

    def reset(self) -> None:
        self._writes.clear()
        self._running = [_Running(made, Context(self._simulation, self._writes)) for made in self._factories]
        self._head, self._known, self._sets, self._raised = 0, 0, None, None

    def went_back(self) -> None:
        self._sets = self._simulation._sets

    def kept(self) -> Optional[list]:
        """Their states, where all can be kept."""
        if not all(running.can_be_kept() for running in self._running):
            return None
        return [running.it.save() for running in self._running]

    def restore(self, states: Optional[list]) -> None:
        self._sets = None
        self._known = min(self._known, self._simulation.cycle)  # what came later is forgotten
        if states is None or len(states) != len(self._running):
            return
        for running, state in zip(self._running, states):
            running.it.restore(state)
        self._head, self._raised = self._simulation.cycle, None

    @property
    def known(self) -> int:
        """Up to this cycle nobody has to ask them: the log has what they drove, or it has passed."""
        return max(self._known, self._simulation.cycle)


class Tick:
    """So many cycles, or cycles until something is true."""

    def __init__(self, cycles: int) -> None:
        self._cycles = cycles
        self._condition: Optional[Callable[[], Any]] = None

    def until(self, condition: Callable[[], Any]) -> Tick:
        """Cycles until the condition holds after one."""
        self._condition = condition
        return self

    def __await__(self):
        if self._condition is None:
            for _ in range(self._cycles):
                yield
            return
        while True:
            yield
            if self._condition():
                return


class Bench:
    """What a test bench has of its simulation: `ctx[path]` reads, and `ctx[path] = value` sets, as those of the simulation."""

    def __init__(self, simulation) -> None:
        self._simulation = simulation

    @property
    def cycle(self) -> int:
        """The number of the next cycle."""
        return self._simulation.cycle

    @property
    def dut(self) -> Any:
        """The design, as `Simulation.dut`."""
        return self._simulation.dut

    def __getitem__(self, path: str) -> Any:
        return self._simulation[path]

    def __setitem__(self, path: str, value: Any) -> None:
        self._simulation[path] = value

    def poke(self, path: str, value: Any) -> None:
        """As `Simulation.poke`."""
        self._simulation.poke(path, value)

    def tick(self, cycles: int = 1) -> Tick:
        """`await ctx.tick()` is a cycle, `await ctx.tick().until(condition)` as many as it takes."""
        return Tick(cycles)


def run_benches(simulation, benches, limit: Optional[int]) -> list:
    """Simulation.bench."""
    waiting: dict[int, Coroutine] = {}
    for number, bench in enumerate(benches):
        made = bench(Bench(simulation))
        if not inspect.iscoroutine(made):
            for coroutine in waiting.values():
                coroutine.close()
            raise TypeError(f"a test bench is an async function, which {bench!r} is not")
        waiting[number] = made
    results: list = [None] * len(waiting)
    is_stopped = False
    try:
        while True:
            for number, coroutine in list(waiting.items()):
                try:
                    coroutine.send(None)
                except StopIteration as end:
                    results[number] = end.value
                    del waiting[number]
            if not waiting:
                return results
            if is_stopped:
                raise SimulationError("the design stopped while a test bench waits", simulation.cycle)
            if limit is not None and simulation.cycle >= limit:
                raise SimulationError(f"a test bench still waits in cycle {limit}", simulation.cycle)
            simulation.step()
            is_stopped = simulation.stopped
    finally:
        for coroutine in waiting.values():
            coroutine.close()
