"""Many cycles in one call: columns in, columns out."""
from __future__ import annotations

import array
from typing import Any

from ._errors import BadValueError, SimulationError

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
    made = numpy.ascontiguousarray(given, dtype=_DTYPES[codec.letter])
    return made if codec.letter not in "fd" or not numpy.isnan(made).any() else numpy.where(numpy.isnan(made), made.dtype.type("nan"), made)


def _input_column(path: str, codec, column, rows: int):
    """Bytes of a value for each row."""
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


def run(simulation, n: int, inputs, record) -> dict[str, Any]:
    """Simulation.run."""
    n = int(n)
    if n < 0:
        raise ValueError(f"{n} is no number of cycles")
    columns = []
    for path, column in inputs.items():
        signal = simulation.signal(path)
        if not signal.input:
            raise SimulationError(f"'{path}' is no input", simulation.cycle)
        columns.append((signal._handle, _input_column(path, signal._codec, column, n), signal._codec.bytes))
    signals = [simulation.signal(path) for path in record]
    rooms = [_room(signal._codec, n) for signal in signals]
    records = tuple((signal._handle, room, signal._codec.bytes) for signal, room in zip(signals, rooms))
    ran = simulation._run_block(n, tuple(columns), records)
    return {path: _shown(signal._codec, room, ran) for path, signal, room in zip(record, signals, rooms)}
