"""Many runs of one design."""
import importlib.util
import sys
import types

import pytest
from conftest import DESIGNS

import smec
from smec import _compile

FLAGS = ["-O0", "-Wno-unread"]


def test_each_combination_is_a_row(design, monkeypatch):
    compiled = []
    original = _compile.library
    monkeypatch.setattr(_compile, "library", lambda *words: compiled.append(words) or original(*words))
    table = smec.sweep(DESIGNS / "ring.sme", n=[3, 5], seed=range(3), cycles=20, jobs=2, flags=FLAGS, frame=False, measure=lambda sim: {"sum": sim.checksum()})
    assert len(compiled) == 2
    assert table["n"] == [3, 3, 3, 5, 5, 5] and table["seed"] == [0, 1, 2] * 2
    assert table["cycles"] == [20] * 6 and table["error"] == [None] * 6
    for n, found in zip(table["n"], table["sum"]):
        sim = design("ring", n=n)
        sim.step(20)
        assert sim.checksum() == found


def test_without_a_measure_there_are_the_outputs():
    table = smec.sweep(DESIGNS / "filter.sme", seed=[1, 2], cycles=3, flags=FLAGS, frame=False)
    assert table["l.v"] == [0, 0] and "s.v" not in table


def test_failures_are_rows(capsys):
    def measure(sim):
        if len(sim.dut.link) == 3:
            raise ValueError("three")
        return {"links": len(sim.dut.link)}

    table = smec.sweep(DESIGNS / "ring.sme", n=[3, 4, "nonsense"], flags=FLAGS, frame=False, measure=measure, progress=True)
    assert table["error"][:2] == ["three", None] and "nonsense" in table["error"][2]
    assert table["links"] == [None, 4, None]
    assert capsys.readouterr().err.endswith("[##############################] 3/3\n")


def test_without_pandas_there_are_columns(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    table = smec.sweep(DESIGNS / "filter.sme", seed=[1, 2], cycles=3, flags=FLAGS)
    assert table == {"seed": [1, 2], "error": [None] * 2, "cycles": [3, 3], "stop_status": [0, 0], "l.v": [0, 0]}


def test_pandas_gets_the_columns(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", types.SimpleNamespace(DataFrame=lambda table: ("frame", list(table))))
    assert smec.sweep(DESIGNS / "filter.sme", seed=[1, 2], cycles=3, flags=FLAGS) == ("frame", ["seed", "error", "cycles", "stop_status", "l.v"])


if importlib.util.find_spec("pandas"):

    def test_a_frame_has_a_row_for_each_run():
        frame = smec.sweep(DESIGNS / "ring.sme", n=[3, "nonsense"], seed=[1, 2], cycles=3, flags=FLAGS, measure=lambda sim: {"at": sim.cycle})
        assert list(frame.columns) == ["n", "seed", "error", "cycles", "stop_status", "at"]
        assert len(frame) == 4 and frame["error"].isna().tolist() == [True, True, False, False]
        assert frame[frame["n"] == 3]["at"].sum() == 6


def test_an_interrupt_ends_all_runs():
    measured = []

    def measure(sim):
        measured.append(sim.cycle)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        smec.sweep(DESIGNS / "filter.sme", seed=range(50), cycles=3, flags=FLAGS, measure=measure)
    assert measured == [3]
