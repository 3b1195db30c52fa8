"""What is raised."""
from __future__ import annotations

import difflib
from dataclasses import dataclass, field

_INPUT = 4  # SME_INPUT

class Error(Exception):
    """Whatever smec raises of its own."""


class SimulationError(Error):
    """A run that cannot go on, or a call that a simulation refuses.

    `cycle` is the next cycle of the simulation, `status` a number of sme_status.
    """

    def __init__(self, message: str, cycle: int = 0, status: int = 2) -> None:
        super().__init__(message)
        self.cycle = cycle
        self.status = status

    def __str__(self) -> str:
        return str(self.args[0])

    def __reduce__(self):
        return type(self), (self.args[0], self.cycle, self.status)


class FailedError(SimulationError, AssertionError):
    """An assertion or a check of the design failed."""


class BadValueError(SimulationError, ValueError):
    """A value that its signal cannot have."""


class StaleViewError(SimulationError, BufferError):
    """A view of an array that was used after its simulation went on."""


class OutputError(SimulationError, AttributeError):
    """A field that the design drives was assigned to."""


class UnknownNameError(SimulationError, AttributeError, KeyError, IndexError):
    """No field, variable, instance or bus has this name."""


@dataclass(frozen=True)
class Diagnostic:
    """A message of the compiler.

    `severity` is "error", "warning" or "note"; `id` the name that stands in brackets behind it, as `smec explain` takes it. Lines and columns
    count from 1; 0: it has no place. `notes` are messages that belong to it.
    """

    severity: str
    id: str
    message: str
    file: str = ""
    line: int = 0
    column: int = 0
    notes: tuple["Diagnostic", ...] = field(default=())

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}: " if self.file else ""
        return f"{place}{self.severity}: {self.message}"


class CompileError(Error):
    """The compiler refused; `diagnostics` has what it said about the source, `status` its exit status."""

    def __init__(self, message: str, diagnostics: tuple[Diagnostic, ...] = (), status: int = 1) -> None:
        super().__init__(message)
        self.diagnostics = diagnostics
        self.status = status

    def __reduce__(self):
        return type(self), (self.args[0], self.diagnostics, self.status)


class CompileWarning(UserWarning):
    """What the compiler warns of."""


def _listed(names: list[str]) -> str:
    shown = [f"'{name}'" for name in names[:5]]
    return ", ".join(shown) + (f" and {len(names) - 5} more" if len(names) > 5 else "")


def nearest(word: str, names) -> str:
    """; did you mean 'X'?, or nothing."""
    names = list(names)
    near = difflib.get_close_matches(word, names, 1) or [name for name in names if name.lower() == word.lower()]
    return f"; did you mean '{near[0]}'?" if near else ""


def nearest_input(simulation, path: str) -> str:
    return nearest(path, (name for name, flags in simulation._names() if flags & _INPUT))


def raise_output(simulation, signal) -> None:
    """For an assignment to what the design drives."""
    hint = nearest_input(simulation, signal.path)
    driver = f"'{signal.driver}'" if signal.driver else "the design"
    raise OutputError(f"'{signal.path}' is an output, which {driver} drives; poke sets it for a cycle{hint}", simulation.cycle)


def raise_no_attribute(simulation, name: str) -> None:
    """For what a simulation does not have; its design may."""
    if name.startswith("_"):
        raise AttributeError(f"'{type(simulation).__name__}' object has no attribute '{name}'")
    if not simulation.closed and name in simulation.dut.__children__:
        raise AttributeError(f"a simulation has no '{name}'; its design has: sim.dut.{name}")
    raise AttributeError(f"a simulation has no '{name}'" + nearest(name, (known for known in dir(simulation) if not known.startswith("_"))))


def raise_no_member(value, name: str, shown) -> None:
    """For a value that is none of an enum's."""
    members = [member.name for member in shown] if shown is not None else []
    hint = (nearest(value, members) if isinstance(value, str) else "") or (f"; it has {_listed(members)}" if members else "")
    raise ValueError(f"{value!r} is no member of {name}{hint}")


def raise_unknown(node, key) -> None:
    """For an attribute or an index that a node does not have."""
    path, children = node.__path__, node.__children__
    here = f"'{path}'" if path else "the design"
    if isinstance(key, int):
        indices = [k for k in children if isinstance(k, int)]
        text = f"has no element {key}" if not indices else f"has elements {min(indices)} to {max(indices)}, not {key}"
        raise UnknownNameError(f"{here} {text}")
    if not isinstance(key, str):
        raise TypeError(f"an element of {here} has a number, not {key!r}")
    if key.endswith("_") and key[:-1] in children:
        raise UnknownNameError(f"{here} has no '{key}'; getattr(…, '{key[:-1]}') is the one called '{key[:-1]}'")
    names = [k for k in children if isinstance(k, str)]
    hint = nearest(key, names) or (f"; it has {_listed(names)}" if names else "")
    raise UnknownNameError(f"{here} has no '{key}'{hint}")
