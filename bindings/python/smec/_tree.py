"""Paths as a tree of nodes."""
from __future__ import annotations

import re

from . import _core

_PART = re.compile(r"\.?([^.\[\]]+)|\[(\d+)\]")


def _keys(path: str):
    for name, index in _PART.findall(path):
        yield name if name else int(index)


def tree(simulation: _core.Simulation, paths) -> _core.Node:
    """The node of the whole design; signals are bound when somebody asks for them."""
    root: dict = {}
    for path in paths:
        keys = list(_keys(path))
        children = root
        for key in keys[:-1]:
            below = children.get(key)
            if not isinstance(below, dict):  # a field that has the name of an instance stays reachable by its path
                below = children[key] = {}
            children = below
        children.setdefault(keys[-1], path)
    return _node(simulation, "", root)


def _node(simulation: _core.Simulation, path: str, children: dict) -> _core.Node:
    for key, child in children.items():
        if isinstance(child, dict):
            below = f"{path}[{key}]" if isinstance(key, int) else f"{path}.{key}" if path else key
            children[key] = _node(simulation, below, child)
    return _core.Node(simulation, path, children)
