"""Many cycles in one call: columns in, columns out."""
from __future__ import annotations

import array
import operator
from typing import Any

from ._errors import BadValueError, SimulationError, nearest_input

try:
    import numpy
except ImportError:
    numpy = None  # type: ignore[assignment]

_DTYPES = {"?": "bool", "b": "int8", "B": "uint8", "h": "int16", "H": "uint16", "i": "int32", "I": "uint32", "q": "int64", "Q": "uint64",
           "f": "float32", "d": "float64"}
_ENUM = 3


def _limits(codec) -> tuple[int, int]:
    if codec.kind == 0:
        return 0, 1
    return (-(1 << (codec.width - 1)), (1 << (codec.width - 1)) - 1) if codec.kind == 2 else (0, (1 << codec.width) - 1)


def _is_plain(codec) -> bool:
    """Whether a column of its values is a column of numbers."""
    return codec.letter is not None and codec.kind != _ENUM


def _from_numpy(path: str, codec, column):
    """The column in the type of the signal; None: it is none of numbers."""
    given = numpy.asarray(column)
    if given.ndim != 1 or given.dtype.kind not in "biuf":
        return None
    if codec.letter not in "fd":
        if given.dtype.kind == "f":
            raise BadValueError(f"'{path}': a column of {given.dtype} for {codec.name}")
        low, high = _limits(codec)
        if len(given) and (int(given.min()) < low or int(given.max()) > high):
            bad = int(numpy.argmax((given < low) | (given > high)))
            raise BadValueError(f"'{path}': row {bad}: {given[bad]} does not fit {codec.name}")
    with numpy.errstate(over="ignore"):
        made = numpy.ascontiguousarray(given, dtype=_DTYPES[codec.letter])
    if codec.letter == "f" and (numpy.isinf(made) & ~numpy.isinf(given)).any():
        bad = int(numpy.argmax(numpy.isinf(made) & ~numpy.isinf(given)))
        raise BadValueError(f"'{path}': row {bad}: {given[bad]} does not fit {codec.name}")
    return made if codec.letter not in "fd" or not numpy.isnan(made).any() else numpy.where(numpy.isnan(made), made.dtype.type("nan"), made)


def _input_column(path: str, codec, column, rows: int):
    """Bytes of a value for each row."""
    if not hasattr(column, "__len__"):
        raise BadValueError(f"'{path}': a column is a sequence of a value for each cycle, not {column!r}")
    if len(column) < rows:
        raise BadValueError(f"'{path}' has {len(column)} rows for {rows} cycles")
    made = _from_numpy(path, codec, column) if numpy is not None and _is_plain(codec) else None
    if made is not None:
        return made
    pieces = bytearray()
    for row, value in enumerate(column):
        try:
            pieces += codec.encode(value)
        except (ValueError, TypeError) as error:
            raise BadValueError(f"'{path}': row {row}: {error}") from None
    return pieces


def _room(codec, rows: int):
    if numpy is not None and _is_plain(codec):
        return numpy.empty(rows, dtype=_DTYPES[codec.letter])
    return bytearray(rows * codec.bytes)


def _shown(codec, room, rows: int):
    """The first rows of a column that was written."""
    if numpy is not None and _is_plain(codec):
        return room[:rows]
    size = codec.bytes
    if _is_plain(codec) and codec.letter != "?":
        return array.array(codec.letter, bytes(room[:rows * size]))
    view = memoryview(room)
    return [codec.decode(view[row * size:(row + 1) * size]) for row in range(rows)]


def _is_within(path: str, other: str) -> bool:
    return path.startswith(other) and path[len(other):][:1] in ("", ".", "[")


class _Rows:
    """A block in whose cycles processes of Python step, so that each is a run of its own."""

    def __init__(self, simulation, columns, records) -> None:
        self._simulation = simulation
        self._inputs = [(signal, memoryview(column).cast("B")) for signal, column in columns]
        self._records = [(handle, memoryview(room).cast("B"), size) for handle, room, size in records]
        self._row = 0

    def begin(self) -> None:
        """What the next cycle reads."""
        for signal, column in self._inputs:
            size = signal._codec.bytes
            signal.value = signal._codec.decode(column[self._row * size:(self._row + 1) * size])

    def advance(self) -> int:
        first = self._row
        self._row += 1
        records = tuple((handle, room[first * size:self._row * size], size) for handle, room, size in self._records)
        return self._simulation._advance_block(1, (), records)

    def check(self, path: str) -> None:
        """Of what a process drives for the cycle after."""
        for signal, _ in self._inputs:
            if _is_within(path, signal.path) or _is_within(signal.path, path):
                raise SimulationError(f"'{path}' is driven by a process and by a column of the block", self._simulation.cycle)


def _columns(simulation, n: int, inputs) -> list:
    columns = []
    for path, column in inputs.items():
        signal = simulation.signal(path)
        if not signal.input:
            raise SimulationError(f"'{path}' is no input{nearest_input(simulation, path)}", simulation.cycle)
        columns.append((signal, _input_column(path, signal._codec, column, n)))
    return columns


def run(simulation, n: int, inputs, record) -> dict[str, Any]:
    """Simulation.run."""
    n = operator.index(n)
    if n < 0:
        raise ValueError(f"{n} is no number of cycles")
    columns = _columns(simulation, n, inputs)
    signals = [simulation.signal(path) for path in record]
    rooms = [_room(signal._codec, n) for signal in signals]
    records = tuple((signal._handle, room, signal._codec.bytes) for signal, room in zip(signals, rooms))
    if simulation._processes and n > 0:
        ran = simulation._processes.run(n, _Rows(simulation, columns, records))
    else:
        ran = simulation._run_block(n, tuple((signal._handle, column, signal._codec.bytes) for signal, column in columns), records)
    return {path: _shown(signal._codec, room, ran) for path, signal, room in zip(record, signals, rooms)}
