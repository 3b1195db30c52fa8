"""The types of a design as classes of Python."""
from __future__ import annotations

import collections
import enum
import keyword

from . import _core

BOOL, UNSIGNED, SIGNED, ENUM, F32, F64, ARRAY, STRUCT = range(8)


def _enum_class(name: str, members: tuple[tuple[str, int], ...]):
    try:
        return enum.IntEnum(name, list(members), module="smec.types")
    except (ValueError, TypeError):  # a member's name that Python has other plans for
        return None


def _struct_class(name: str, members: tuple[str, ...]):
    plain = [m if m.isidentifier() and not keyword.iskeyword(m) and not m.startswith("_") else f"m{i}" for i, m in enumerate(members)]
    return collections.namedtuple(name if name.isidentifier() else "struct", plain, rename=True, module="smec.types")


class Types:
    """The codecs of one library, equal types once."""

    def __init__(self) -> None:
        self._known: dict[tuple, _core.Codec] = {}
        self._classes: dict[tuple, object] = {}

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
            shown = self._class(("struct", name, names), lambda: _struct_class(name, names))
            return self._codec(kind, width, count, size, name, parts, shown)
        return self._codec(kind, width, count, size, name, ())

    def _enum(self, simulation: _core.Simulation, handle: int, width: int, size: int, name: str) -> _core.Codec:
        room = 8 * (size // 8 + 2)
        members = tuple((member, int.from_bytes(value, "little", signed=True)) for member, value in self._members(simulation, handle, room))
        shown = self._class(("enum", name, members), lambda: _enum_class(name, members))
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

    def _class(self, key: tuple, make):
        if key not in self._classes:
            self._classes[key] = make()
        return self._classes[key]

    def _codec(self, kind, width, count, size, name, parts, shown=None) -> _core.Codec:
        key = (kind, width, count, size, name, parts)
        if key not in self._known:
            self._known[key] = _core.Codec(kind, width, count, size, name, parts, shown)
        return self._known[key]
