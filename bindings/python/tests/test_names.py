"""The design as attributes, and what is said of names that it does not have."""
import pytest

import smec


def test_attributes_and_paths_name_the_same(filter_):
    filter_.dut.s.v = 1000
    assert filter_["s.v"] == filter_.dut.s.v == 1000
    filter_.step()
    assert filter_.dut.l.v == filter_["l.v"] == filter_.signal("l.v").value == 250
    assert filter_.dut.it.mean == 250


def test_elements(design):
    sim = design("ring", n=5)
    sim.step(3)
    assert len(sim.dut.link) == 5
    assert [bus.v for bus in sim.dut.link] == [sim[f"link[{i}].v"] for i in range(5)]
    assert sim.dut.at[-1].seen == sim["at[4].seen"]
    assert [bus.v for bus in sim.dut.link[1:4:2]] == [sim["link[1].v"], sim["link[3].v"]] and sim.dut.link[5:] == []
    with pytest.raises(TypeError, match="one by one"):
        sim.dut.link[1:2] = []
    with pytest.raises(TypeError, match="<Node 'link\\[0\\]'> has no elements"):
        iter(sim.dut.link[0])
    sim.dut.at[2].seen = 9
    assert sim["at[2].seen"] == 9
    with pytest.raises(IndexError, match="'link' has elements 0 to 4, not 5"):
        sim.dut.link[5]
    with pytest.raises(IndexError):
        sim.dut.link[5].v = 1
    with pytest.raises(KeyError, match="'link' has no 'v'"):
        sim.dut.link["v"]  # pylint: disable=expression-not-assigned
    with pytest.raises(TypeError, match="has a number, not None"):
        sim.dut.link[None]  # pylint: disable=expression-not-assigned


def test_completion_lists_what_there_is(filter_):
    assert dir(filter_.dut) == ["it", "l", "s"]
    assert dir(filter_.dut.s) == ["v"]
    assert "run_until" in dir(filter_)
    assert filter_.signals() == ["s.v", "l.v", "it.mean"]
    assert "s.v" in filter_ and "s.w" not in filter_
    assert "" not in filter_ and 5 not in filter_ and "s" not in filter_
    assert list(filter_) == filter_.signals()
    assert repr(filter_.dut.s) == "<Node 's'>"


def test_parts_are_names_too(kinds):
    assert "cmd.list[2]" in kinds and "cmd.at.y[1]" in kinds
    assert "cmd.list[3]" not in kinds and "cmd.at.z" not in kinds and "cmd.n.x" not in kinds


def test_a_simulation_says_where_the_design_is(filter_):
    with pytest.raises(AttributeError, match="a simulation has no 's'; its design has: sim.dut.s"):
        filter_.s.v = 1
    with pytest.raises(AttributeError, match="a simulation has no 'setp'; did you mean 'step'"):
        filter_.setp()
    with pytest.raises(AttributeError, match="a simulation has no 'cycles'; did you mean 'cycle'"):
        filter_.cycles = 5

    class Mine(smec.Simulation):
        pass

    mine = Mine(filter_.library)
    mine.note = 3
    assert mine.note == 3 and not hasattr(mine, "_repr_html_")


def test_an_unknown_name_brings_the_nearest(filter_):
    with pytest.raises(AttributeError, match="'it' has no 'maen'; did you mean 'mean'"):
        filter_.dut.it.maen  # pylint: disable=pointless-statement
    with pytest.raises(AttributeError, match="the design has no 'q'; it has 's', 'l', 'it'"):
        filter_.dut.q = 1
    with pytest.raises(KeyError, match="no field or variable 'it.maen'; did you mean 'it.mean'"):
        filter_["it.maen"] = 1
    with pytest.raises(smec.SimulationError):
        filter_.signal("it")
    assert not hasattr(filter_.dut, "q")


def test_a_bus_alone_is_its_field_v(filter_):
    filter_.signal("s").value = 3
    assert filter_["s"] == filter_["s.v"] == 3


def test_a_bus_is_no_value(filter_):
    with pytest.raises(AttributeError, match="'s' has fields of its own"):
        filter_.dut.s = 1


def test_what_cannot_be_set_says_why(design):
    sim = design("comb")
    for use in (lambda: setattr(sim.dut.double, "v", 1), lambda: sim.poke("double.v", 1)):
        with pytest.raises(smec.SimulationError, match="'double.v' cannot be set: it is combinational: 'twice_0' computes it anew in each cycle"):
            use()


def test_outputs_are_read(filter_):
    signal = filter_.signal("l.v")
    assert (signal.output, signal.input, signal.driver, signal.settable) == (True, False, "it", True)
    uses = [lambda: setattr(filter_.dut.l, "v", 1), lambda: setattr(signal, "value", 1), lambda: filter_.__setitem__("l.v", 1)]
    for use in uses:
        with pytest.raises(smec.OutputError, match="'l.v' is an output, which 'it' drives; poke sets it for a cycle; did you mean 's.v'"):
            use()
    assert filter_["l.v"] == 0 and isinstance(smec.OutputError("x"), AttributeError)
    assert not filter_.signal("s.v").output and not filter_.signal("it.mean").output
    filter_.dut.it.mean = 8


def test_poke_sets_outputs_for_a_cycle(filter_, tmp_path):
    filter_.poke("l.v", 77)
    assert filter_["l.v"] == 77
    filter_.step()
    assert filter_["l.v"] == 0
    filter_.signal("s.v").poke(8)
    filter_.step()
    assert filter_["l.v"] == 2
    with pytest.raises(smec.BadValueError, match="'l.v': 4294967296 does not fit i32"):
        filter_.poke("l.v", 1 << 32)
    with pytest.raises(smec.SimulationError, match="before cycle 0 "):
        filter_.save_inputs(tmp_path / "x.csv")


def test_names_have_a_place_in_the_source(filter_):
    for path, line in (("s.v", 9), ("l.v", 9), ("it.mean", 4)):
        file, found, column = filter_.signal(path).declared.rsplit(":", 2)
        assert file.endswith("filter.sme") and int(found) == line and int(column) > 0
