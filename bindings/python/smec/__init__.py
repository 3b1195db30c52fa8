"""Simulations of .sme hardware networks.

    import smec

    sim = smec.compile("counter.sme", n=8)
    sim.dut.cam.r = 5
    sim.step(100)
    print(sim["cam.total"], sim.checksum())
"""
from ._core import Node, Signal, Snapshot, View
from ._errors import (BadValueError, CompileError, CompileWarning, Diagnostic, Error, FailedError, OutputError, SimulationError, StaleViewError,
                      UnknownNameError)
from ._process import Bench, Context, Process, process
from ._simulation import Library, Simulation, Trace, compile, load  # pylint: disable=redefined-builtin
from ._sweep import sweep

__all__ = ["BadValueError", "Bench", "CompileError", "CompileWarning", "Context", "Diagnostic", "Error", "FailedError", "Library", "Node", "OutputError", "Process", "Signal", "Simulation",
           "SimulationError", "Snapshot", "StaleViewError", "Trace", "UnknownNameError", "View", "compile", "load", "process", "sweep"]
