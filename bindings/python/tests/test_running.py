"""Cycles: steps, conditions, blocks, what ends them."""
import io
import os
import signal
import threading

import pytest

import smec


def test_step_counts(filter_):
    assert filter_.cycle == 0
    assert filter_.step() == 1 and filter_.step(5) == 5 and filter_.step(n=2) == 2 and filter_.step(0) == 0
    assert filter_.cycle == 8
    for wrong in (-1, 1 << 64, 1 << 80):
        with pytest.raises(ValueError, match="no number of cycles"):
            filter_.step(wrong)
    with pytest.raises(TypeError):
        filter_.step("1")


def test_run_until(filter_):
    filter_.dut.s.v = 1000
    assert filter_.run_until(cycle=2) is True and filter_.cycle == 2
    assert filter_.run_until(lambda sim: sim["l.v"] > 700) is True
    assert filter_.cycle == 5
    assert filter_.run_until(lambda sim: sim.cycle == 3, cycle=7) is False
    assert filter_.cycle == 7
    assert filter_.run_until(cycle=3) is True and filter_.cycle == 7
    with pytest.raises(TypeError):
        filter_.run_until()


def test_a_condition_may_set(filter_):
    def drive(sim):
        sim["s.v"] = sim.cycle
        return False

    filter_.run_until(drive, cycle=3)
    assert filter_["s.v"] == 3


def test_an_exception_in_a_condition_comes_out(filter_):
    def fail(sim):
        if sim.cycle == 3:
            raise LookupError("mine")
        return False

    with pytest.raises(LookupError, match="mine"):
        filter_.run_until(fail)
    assert filter_.step() == 1 and filter_.cycle == 4


def test_what_processes_print(design):
    text = io.StringIO()
    sim = design("talk", out=text, options={"threads": 1})
    sim["o.v"] = 1
    sim.step(2)
    assert text.getvalue() == "cycle 0\ncycle 1\n"
    lines = []
    sim = design("talk", out=lines.append)
    sim["o.v"] = 1
    sim.step(2)
    assert "".join(lines) == "cycle 0\ncycle 1\n"


def test_an_exception_of_who_takes_the_text_comes_out(design):
    def full(_):
        raise OSError("full")

    sim = design("talk", out=full)
    sim["o.v"] = 1
    with pytest.raises(OSError, match="full"):
        sim.step()
    sim["o.v"] = 0
    assert sim.step() == 1


def test_stop_ends_a_step(design):
    sim = design("talk")
    sim.step(3)
    sim["o.v"] = 2
    assert sim.step(10) == 1
    assert sim.stop_status == 7 and sim.cycle == 4
    assert sim.stopped
    assert sim.run_until(lambda _: False) is False and sim.cycle == 5
    assert sim.run_until(lambda sim: sim.cycle == 6) is True and sim.stopped
    sim["o.v"] = 0
    assert sim.run_until(cycle=8) is True and not sim.stopped


def test_a_failed_assertion_is_raised(design):
    sim = design("talk")
    sim.step(2)
    sim["o.v"] = 3
    with pytest.raises(smec.SimulationError, match="told to fail in cycle 2") as caught:
        sim.step(10)
    assert isinstance(caught.value, AssertionError)
    assert caught.value.cycle == 3 and caught.value.status == 1
    sim["o.v"] = 0
    assert sim.step(2) == 2


def test_options(design):
    for threads in (1, 2):
        sim = design("ring", options={"threads": threads, "seed": 3}, n=6)
        sim.step(50)
        if threads == 1:
            wanted = sim.checksum()
    assert sim.checksum() == wanted
    with pytest.raises(smec.SimulationError, match="no option 'treads' of a run; did you mean 'threads'"):
        design("ring", options={"treads": 1})


def test_traces(filter_, tmp_path):
    path = tmp_path / "x.csv"
    filter_.step()
    with filter_.trace(path, filter="l.*"):
        filter_.dut.s.v = 1000
        filter_.step(2)
    filter_.step()
    assert path.read_text() == "cycle,l.v\n1,0\n2,250\n"
    with filter_.trace(tmp_path / "y.vcd", filter=["s.*", "it.*"]) as trace:
        filter_.step()
    trace.close()
    assert "mean" in (tmp_path / "y.vcd").read_text()
    with pytest.raises(smec.SimulationError):
        filter_.trace(tmp_path / "z.unknown")
    for name in ("l.w", ["l.v", "l.w"]):
        with pytest.raises(smec.SimulationError, match="the filter 'l.w' matches no field or variable; did you mean 'l.v'"):
            filter_.trace(tmp_path / "z.csv", filter=name)
    with filter_.trace(tmp_path / "closed.csv"):
        filter_.step()
        filter_.close()
    assert (tmp_path / "closed.csv").read_text().count("\n") == 2


@pytest.mark.parametrize("go", [lambda sim: sim.step(1 << 60), lambda sim: sim.goto(1 << 60), lambda sim: sim.run_until(lambda _: False)])
def test_control_c_ends_a_long_run(design, go):
    """Without sleeping: who sends the signal waits until cycles run, which another thread may not ask the simulation."""
    lines = threading.Semaphore(0)
    sim = design("talk", out=lambda _: lines.release(), options={"threads": 1})
    sim["o.v"] = 1
    sender = threading.Thread(target=lambda: (lines.acquire(), os.kill(os.getpid(), signal.SIGINT)))
    sender.start()
    with pytest.raises(KeyboardInterrupt):
        go(sim)
    sender.join()
    assert 0 < sim.cycle < 1 << 60
    before = sim.cycle
    assert sim.step(5) == 5 and sim.cycle == before + 5


def test_one_file_has_one_trace_at_a_time(filter_, design, tmp_path):
    path, link = tmp_path / "x.csv", tmp_path / "link.csv"
    link.symlink_to("x.csv")
    other = design("filter", options={"threads": 1})
    with filter_.trace(path, filter="l.*") as first:
        filter_.step(2)
        for name in (path, link):
            for sim in (filter_, other):
                with pytest.raises(smec.SimulationError, match="being written already"):
                    sim.trace(name)
        with pytest.raises(smec.SimulationError, match="being written already"):
            filter_.save_inputs(link)
        assert not first.closed
        filter_.step()
    assert path.read_text() == "cycle,l.v\n0,0\n1,0\n2,0\n"
    with other.trace(link, filter="l.*"):
        other.step()
    assert path.read_text() == "cycle,l.v\n0,0\n"
    other.close()
