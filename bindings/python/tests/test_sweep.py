"""Many runs of one design."""
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
