"""The types of a design as classes of Python."""
from __future__ import annotations

import collections
import enum
import functools
import keyword

from . import _core

BOOL, UNSIGNED, SIGNED, ENUM, F32, F64, ARRAY, STRUCT = range(8)


# Equal types are one class, in all libraries, and in another process to which a value is sent.


@functools.lru_cache(maxsize=None)
def enum_class(name: str, members: tuple[tuple[str, int], ...]):
    """None: Python has other plans for the name of a member."""
    try:
        made = enum.IntEnum(name, list(members), module="smec.types")
    except (ValueError, TypeError):
        return None
    made.__reduce_ex__ = lambda self, _: (enum_member, (name, members, self.value))
    return made


def enum_member(name: str, members: tuple[tuple[str, int], ...], value: int):
    """What was pickled."""
    return enum_class(name, members)(value)


@functools.lru_cache(maxsize=None)
def struct_class(name: str, members: tuple[str, ...]):
    """A named tuple."""
    plain = [m if m.isidentifier() and not keyword.iskeyword(m) and not m.startswith("_") else f"m{i}" for i, m in enumerate(members)]
    base = collections.namedtuple(name if name.isidentifier() else "struct", plain, rename=True, module="smec.types")

    def refuse(_, member, value):
        raise AttributeError(f"a {name} is a copy; set the whole of it, or a part by its path: sim['bus.field.{member}'] = {value!r}")

    def reduce(self):
        return struct_value, (name, members, tuple(self))

    return type(base.__name__, (base,), {"__slots__": (), "__module__": "smec.types", "__setattr__": refuse, "__reduce__": reduce})


def struct_value(name: str, members: tuple[str, ...], values: tuple):
    """What was pickled."""
    return struct_class(name, members)(*values)


class Types:
    """The codecs of one library, equal types once."""

    def __init__(self) -> None:
        self._known: dict[tuple, _core.Codec] = {}

    def of(self, simulation: _core.Simulation, path: str, handle: int) -> _core.Codec:
        kind, width, count, size, name, _ = simulation._describe(handle)
        if kind == ENUM:
            return self._enum(simulation, handle, width, size, name)
        if kind == ARRAY:
            first = f"{path}[0]"
            parts = (self.of(simulation, first, simulation._find(first)),)
            return self._codec(kind, width, count, size, name, parts)
        if kind == STRUCT:
            names = tuple(member for member, _ in self._members(simulation, handle, 0))
            parts = tuple(self.of(simulation, f"{path}.{m}", simulation._find(f"{path}.{m}")) for m in names)
            return self._codec(kind, width, count, size, name, parts, struct_class(name, names))
        return self._codec(kind, width, count, size, name, ())

    def _enum(self, simulation: _core.Simulation, handle: int, width: int, size: int, name: str) -> _core.Codec:
        room = 8 * (size // 8 + 2)
        members = tuple((member, int.from_bytes(value, "little", signed=True)) for member, value in self._members(simulation, handle, room))
        shown = enum_class(name, members)
        mask = (1 << (8 * size)) - 1
        bits = {value & mask: shown(value) if shown else value for _, value in members}
        key = (ENUM, name, members)
        if key not in self._known:
            self._known[key] = _core.Codec(ENUM, width, 0, size, name, (), shown, bits)
        return self._known[key]

    @staticmethod
    def _members(simulation: _core.Simulation, handle: int, room: int):
        index = 0
        while (member := simulation._member(handle, index, room)) is not None:
            yield member
            index += 1

    def _codec(self, kind, width, count, size, name, parts, shown=None) -> _core.Codec:
        key = (kind, width, count, size, name, parts)
        if key not in self._known:
            self._known[key] = _core.Codec(kind, width, count, size, name, parts, shown)
        return self._known[key]
