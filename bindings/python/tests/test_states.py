"""States, going back, and the log of inputs."""
import subprocess

import numpy
import pytest

import smec
from conftest import DESIGNS
from smec import _compile


def test_snapshot_and_restore(design):
    sim = design("filter")
    sim.dut.s.v = 1000
    sim.step(3)
    kept, before = sim.snapshot(), sim.checksum()
    sim.step(5)
    after = sim.checksum()
    sim.restore(kept)
    assert sim.cycle == 3 and sim.checksum() == before
    other = design("filter", options={"threads": 1})
    other.restore(kept)
    other.step(5)
    assert other.checksum() == after
    with pytest.raises(TypeError, match="no snapshot"):
        sim.restore(3)
    sim.close()
    other.restore(kept)
    assert other.cycle == 3


def test_save_and_load(design):
    sim = design("filter")
    sim.dut.s.v = 1000
    sim.step(3)
    state, before = sim.save(), sim.checksum()
    assert isinstance(state, bytes) and sim.save(sim.snapshot()) == state
    other = design("filter")
    other.load(state)
    assert other.checksum() == before
    with pytest.raises(smec.SimulationError) as caught:
        other.load(b"nonsense")
    assert caught.value.status == 1
    with pytest.raises(smec.SimulationError):
        design("ring").load(state)


def drive(sim, cycles):
    for k in range(cycles):
        sim["s.v"] = 100 * k
        sim.step()


def test_goto_finds_any_cycle(design):
    sim = design("filter")
    sums = {}
    for k in range(40):
        sim["s.v"] = 100 * k
        sums[k] = sim.checksum()
        sim.step()
    for cycle in (0, 39, 17, 18, 3):
        sim.goto(cycle)
        assert sim.cycle == cycle and sim.checksum() == sums[cycle]
    with pytest.raises(ValueError, match="-1 is no number of cycles"):
        sim.goto(-1)
    sim.goto(numpy.int64(60))
    assert sim.cycle == 60


def test_reset_begins_anew(design, tmp_path):
    sim = design("filter")
    fresh = sim.checksum()
    drive(sim, 5)
    sim.reset()
    assert sim.cycle == 0 and sim.checksum() == fresh and sim["s.v"] == 0
    sim["s.v"] = 7
    sim.step(2)
    sim.save_inputs(tmp_path / "run.csv")
    assert (tmp_path / "run.csv").read_text() == "cycle,s.v\n0,7\n1,7\n"


def test_saved_inputs_are_those_of_the_command_line(design, tmp_path):
    sim = design("filter")
    drive(sim, 10)
    sim.save_inputs(tmp_path / "run.csv")
    done = subprocess.run([_compile.compiler(), "run", "-O0", str(DESIGNS.absolute() / "filter.sme"), "-q", "--quiet", "--input", "run.csv",
                           "--print", "it.mean"], cwd=tmp_path, check=True, stdout=subprocess.PIPE, text=True)
    assert done.stdout.split()[-1] == str(sim["it.mean"])


def test_saving_inputs_is_refused_where_internals_were_set(design, tmp_path):
    sim = design("filter")
    drive(sim, 3)
    sim.dut.it.mean = 9
    sim.step()
    with pytest.raises(smec.SimulationError, match="cycle 3"):
        sim.save_inputs(tmp_path / "run.csv")


def test_eval_shows_what_inputs_do(design):
    sim = design("comb")
    sim.step()
    before = sim.checksum()
    sim.dut.a.v = 21
    sim.eval()
    assert sim.dut.double.v == 42
    sim.eval()
    sim.dut.a.v = 0
    sim.eval()
    assert sim.dut.double.v == 0 and sim.checksum() == before


def test_goto_tells_what_a_step_tells(design):
    lines = []
    sim = design("talk", out=lines.append, options={"threads": 1})
    sim["o.v"] = 1
    sim.step(3)
    sim.goto(1)
    sim.goto(5)
    assert "".join(lines) == "".join(f"cycle {k}\n" for k in range(5))  # each once
    sim["o.v"] = 2
    sim.goto(100)
    assert sim.stopped and sim.stop_status == 7 and sim.cycle == 6
    sim.reset()
    sim["o.v"] = 3
    with pytest.raises(smec.FailedError, match="told to fail in cycle 0"):
        sim.goto(100)
    assert sim.cycle == 1
