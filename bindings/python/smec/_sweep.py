"""Many runs of one design over constants, seeds and options."""
from __future__ import annotations

import concurrent.futures
import itertools
import os
import sys
import threading
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Optional, Union

from . import _compile
from ._errors import Error, SimulationError
from ._simulation import Simulation, load

_OPTIONS = ("seed", "threads", "model")  # of a run; all other axes are constants of the top network
Measure = Callable[[Simulation], Mapping[str, Any]]


def _outcome(sim: Simulation) -> dict[str, Any]:
    """Without a measure: the exposed scalars that the design drives."""
    exposed = [path for path, flags in sim._names() if flags & 1 and not flags & 4]
    signals = [sim.signal(path) for path in exposed]
    return {signal.path: signal.value for signal in signals if signal._codec.letter is not None}


class _Progress:
    """A bar on standard error, where that is a terminal."""

    def __init__(self, total: int, wanted: Optional[bool]) -> None:
        self._total, self._done, self._lock = total, 0, threading.Lock()
        self._shown = sys.stderr.isatty() if wanted is None else wanted

    def one_more(self) -> None:
        with self._lock:
            self._done += 1
            if self._shown:
                filled = 30 * self._done // self._total
                end = "\n" if self._done == self._total else ""
                print(f"\r[{'#' * filled}{'.' * (30 - filled)}] {self._done}/{self._total}", end=end, file=sys.stderr, flush=True)


def _step(sim: Simulation, cycles: int, abandoned: threading.Event) -> None:
    """In a hundred parts, between which it is seen that nobody wants the run any more."""
    part = max(1, cycles // 100)
    while sim.cycle < cycles and not sim.stopped and not abandoned.is_set():
        sim.step(min(part, cycles - sim.cycle))


def _run(library, row: dict, cycles: int, measure: Measure, abandoned: threading.Event) -> dict[str, Any]:
    options = {name: row[name] for name in _OPTIONS if name in row}
    with load(library, options={"threads": 1, **options}) as sim:
        _step(sim, cycles, abandoned)
        if abandoned.is_set():
            return {}
        return {"cycles": sim.cycle, "stop_status": sim.stop_status, **measure(sim)}


def _table(rows: list[dict]) -> dict[str, list]:
    names = list(dict.fromkeys(name for row in rows for name in row))
    return {name: [row.get(name) for row in rows] for name in names}


def _framed(table: dict[str, list]) -> Any:
    try:
        import pandas
    except ImportError:
        return table
    return pandas.DataFrame(table)


def sweep(file: Union[str, os.PathLike], top: Optional[str] = None, *, cycles: int = 1000, measure: Optional[Measure] = None, jobs: int = 1,
          flags: Iterable[str] = (), progress: Optional[bool] = None, frame: bool = True, **axes: Any) -> Any:
    """Runs the design once for each combination of `axes`: `sweep("ring.sme", n=[4, 8], seed=range(100), jobs=2)`.

    `seed`, `threads` and `model` are options of the run, all others constants of the top network, of which each set is compiled once. A
    run is `cycles` cycles; what `measure(sim)` gives then, a dict, are its columns (without: the exposed scalars that the design drives).
    The result is a DataFrame where pandas is installed and `frame` is true, else a dict of lists, in the order of the axes. A run that
    failed, or a design that did not compile, is a row whose `error` says why. `jobs` run at once.
    """
    lists = {name: [axis] if isinstance(axis, str) or not isinstance(axis, Iterable) else list(axis) for name, axis in axes.items()}
    rows = [dict(zip(lists, values)) for values in itertools.product(*lists.values())]
    libraries: dict[tuple, Any] = {}
    for row in rows:
        constants = {name: value for name, value in row.items() if name not in _OPTIONS}
        key = tuple(constants.items())
        if key not in libraries:
            try:
                libraries[key] = _compile.library(file, top, tuple(flags), constants)
            except Error as error:
                libraries[key] = error
    bar = _Progress(len(rows), progress)
    abandoned = threading.Event()

    def one(row: dict) -> dict:
        found = libraries[tuple((name, value) for name, value in row.items() if name not in _OPTIONS)]
        try:
            if isinstance(found, Error):
                raise found
            if abandoned.is_set():
                return {}
            return {**row, "error": None, **_run(found, row, cycles, measure or _outcome, abandoned)}
        except (Error, ArithmeticError, LookupError, TypeError, ValueError) as error:
            return {**row, "error": str(error), "cycles": error.cycle if isinstance(error, SimulationError) else None}
        except BaseException:
            abandoned.set()
            raise
        finally:
            bar.one_more()

    with concurrent.futures.ThreadPoolExecutor(max(1, jobs)) as pool:
        try:
            table = _table(list(pool.map(one, rows)))
        except BaseException:  # Ctrl-C, or one of a measure's that is no failed run: nobody wants the others
            abandoned.set()
            raise
    return _framed(table) if frame else table
