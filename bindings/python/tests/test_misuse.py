"""What must be an error and no crash."""
import copy
import gc
import os
import pickle
import pydoc
import subprocess
import sys
import threading
import weakref

import pytest

import smec


def test_use_after_close(design):
    sim = design("kinds")
    signal, view, node, kept = sim.signal("cmd.n"), sim["cmd.list"], sim.dut.cmd, sim.snapshot()
    sim.close()
    sim.close()
    assert sim.closed and "closed" in repr(sim)
    uses = [sim.step, sim.checksum, sim.snapshot, sim.reset, sim.eval, sim.signals, lambda: sim.cycle, lambda: sim.stop_status, lambda: signal.value,
            lambda: setattr(signal, "value", 1), lambda: node.n, lambda: setattr(node, "n", 1), lambda: sim["cmd.n"], lambda: sim.signal("cmd.m"),
            lambda: sim.restore(kept), lambda: sim.save(kept), lambda: sim.load(b""), lambda: sim.run(3), lambda: sim.run_until(cycle=3),
            lambda: sim.trace("x.csv"), lambda: sim.goto(0), lambda: sim.save_inputs("x.csv")]
    for use in uses:
        with pytest.raises(smec.SimulationError, match="closed"):
            use()
    with pytest.raises(BufferError):
        view.tolist()


def test_the_context_closes(design):
    with design("filter") as sim:
        sim.step()
    assert sim.closed


def test_a_run_cannot_be_run_from_within(filter_):
    def within(use):
        def condition(_):
            use()
            return True

        with pytest.raises(smec.SimulationError, match="from within its own run"):
            filter_.run_until(condition)

    kept = filter_.snapshot()
    for use in (filter_.step, filter_.close, filter_.reset, lambda: filter_.run(2), lambda: filter_.run_until(cycle=1000), lambda: filter_.goto(0),
                lambda: filter_.restore(kept), lambda: filter_.trace("x.csv")):
        within(use)
    assert filter_.step() == 1


def test_what_takes_text_cannot_run(design):
    found = []

    def take(_):
        try:
            sim.step()
        except smec.SimulationError as error:
            found.append(str(error))

    sim = design("talk", out=take)
    sim["o.v"] = 1
    for run in (lambda: sim.run_until(lambda _: True), sim.step, lambda: sim.run(1), lambda: sim.goto(sim.cycle + 1)):
        run()
        assert found == ["a simulation cannot be run from within its own run"]
        found.clear()


def test_two_threads_on_one_simulation(filter_):
    """The second one comes while the first is between two cycles of a run, and inside a call that waits for it."""
    errors = []

    def use():
        for call in (filter_.step, lambda: filter_.cycle, lambda: filter_["s.v"], filter_.checksum, filter_.close):
            try:
                call()
            except smec.SimulationError as error:
                errors.append(str(error))

    def condition(_):
        other = threading.Thread(target=use)
        other.start()
        other.join()
        return True

    assert filter_.run_until(condition)
    assert errors == ["the simulation is in use by another thread"] * 5
    assert filter_.step() == 1


def test_many_threads_on_one_simulation(design):
    sim = design("ring", options={"threads": 1}, n=64)
    ran, errors = [], []

    def use():
        for _ in range(200):
            try:
                ran.append(sim.step(50))
            except smec.SimulationError as error:
                errors.append(str(error))

    threads = [threading.Thread(target=use) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sim.cycle == sum(ran) and len(ran) + len(errors) == 800
    assert set(errors) <= {"the simulation is in use by another thread"}


def test_many_simulations_in_many_threads(design):
    sims = [design("ring", options={"threads": 1}, n=6) for _ in range(4)]
    threads = [threading.Thread(target=sim.step, args=(3000,)) for sim in sims]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({sim.checksum() for sim in sims}) == 1 and all(sim.cycle == 3000 for sim in sims)


@pytest.mark.parametrize("threads", [1, 2])
def test_fork(design, threads):
    sim = design("ring", options={"threads": threads}, n=8)
    sim.step(100)
    child = os.fork()
    if child == 0:
        try:
            sim.step()
        except smec.SimulationError as error:
            said = "belongs to the process" in str(error)
            sim.close()
            fresh = design("ring", options={"threads": threads}, n=8)
            fresh.step(100)
            os._exit(0 if said and fresh.cycle == 100 else 1)
        os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert sim.step() == 1


def test_simulations_that_nobody_holds_go(design):
    sim = design("filter")
    sim.dut.s.v = 3
    signal = sim.signal("l.v")
    gone = weakref.ref(sim)
    del sim
    gc.collect()
    assert signal.value == 0 and gone() is not None
    del signal
    gc.collect()
    assert gone() is None


def test_neither_copies_nor_pickles(kinds):
    for use in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match="a simulation cannot be copied or pickled; save"):
            use(kinds)
        for thing in (kinds.signal("cmd.n"), kinds.dut, kinds.snapshot(), kinds.library):
            with pytest.raises(TypeError):
                use(thing)
    with pytest.raises(TypeError, match=r"sim.save\(snapshot\) gives bytes"):
        pickle.dumps(kinds.snapshot())
    error = pickle.loads(pickle.dumps(smec.FailedError("why", 3, 1)))
    assert (str(error), error.cycle, error.status) == ("why", 3, 1)


def test_values_are_copied_and_pickled(kinds):
    for value in (kinds["cmd.colour"], kinds["cmd.at"]):
        for again in (copy.copy(value), copy.deepcopy(value), pickle.loads(pickle.dumps(value))):
            assert again == value and type(again) is type(value)
    view = kinds["cmd.list"]
    copies = [copy.copy(view), copy.deepcopy(view), pickle.loads(pickle.dumps(view))]
    kinds.step()
    assert copies == [[0, 0, 0]] * 3


def test_values_are_unpickled_where_there_is_no_design(kinds):
    written = pickle.dumps([kinds["cmd.colour"], kinds["cmd.at"]])
    script = f"import pickle; colour, at = pickle.loads({written!r}); print(colour.name, int(colour), at)"
    shown = subprocess.run([sys.executable, "-c", script], stdout=subprocess.PIPE, check=True, text=True).stdout
    assert shown == "BLUE 6 point(x=0, y=[0, 0])\n"


def test_a_struct_says_that_it_is_a_copy(kinds):
    with pytest.raises(AttributeError, match=r"a point is a copy; .* sim\['bus.field.x'\] = 4"):
        kinds.dut.cmd.at.x = 4
    kinds["cmd.at"] = {"y": [1, 2], "x": -3}
    assert kinds.dut.cmd.at == (-3, [1, 2])
    for wrong in ({"x": 1}, {"x": 1, "z": 2}):
        with pytest.raises(smec.BadValueError, match="'cmd.at': "):
            kinds["cmd.at"] = wrong


def test_a_snapshot_of_another_design(kinds, filter_):
    with pytest.raises(smec.SimulationError, match="of another library"):
        kinds.restore(filter_.snapshot())
    with pytest.raises(smec.SimulationError, match="of another library"):
        kinds.save(filter_.snapshot())


def test_everything_shows_itself(kinds):
    kinds.add(smec.process(lambda ctx: (None for _ in ())))
    things = [kinds, kinds.library, kinds.dut, kinds.dut.cmd, kinds.signal("cmd.n"), kinds["cmd.list"], kinds["cmd.at"], kinds["cmd.colour"], kinds.snapshot(),
              kinds.trace("shown.csv"), smec.FailedError("why")]
    for thing in things:
        assert " at 0x" not in repr(thing) or isinstance(thing, (smec.Snapshot, smec.Trace))
        pydoc.render_doc(thing)
    assert repr(kinds.dut) == "<Node of the design>" and repr(kinds.library).startswith("<Library of kinds: /")


def test_what_cannot_be_loaded(tmp_path):
    with pytest.raises(smec.SimulationError, match="cannot load .*none.so.*No such file"):
        smec.load(tmp_path / "none.so")
    (tmp_path / "text.so").write_text("text")
    with pytest.raises(smec.SimulationError, match="cannot load .*text.so"):
        smec.load(tmp_path / "text.so")
    import _ctypes
    with pytest.raises(smec.SimulationError, match="none of 'smec compile', with --loadable or --lib"):
        smec.load(_ctypes.__file__)
