"""Columns in, columns out."""
import array
import pathlib
import random
import subprocess
import sys

import numpy
import pytest

import smec
from smec import _compile

DESIGNS = pathlib.Path(__file__).parent.absolute() / "designs"


def stepwise(sim, column):
    rows = []
    for value in column:
        sim["s.v"] = int(value)
        rows.append((sim["s.v"], sim["l.v"]))
        sim.step()
    return rows


def columns():
    dice = random.Random(3)
    return [dice.randint(-30000, 30000) for _ in range(200)]


@pytest.mark.parametrize("form", [list, lambda c: array.array("h", c), lambda c: numpy.array(c), lambda c: numpy.array(c, dtype="int16")])
def test_a_block_is_as_many_steps(design, form):
    column = columns()
    wanted = stepwise(design("filter"), column)
    sim = design("filter")
    got = sim.run(200, inputs={"s.v": form(column)}, record=["s.v", "l.v"])
    assert list(got) == ["s.v", "l.v"]
    assert got["l.v"].dtype == numpy.int32 and got["s.v"].dtype == numpy.int16
    assert list(zip(got["s.v"].tolist(), got["l.v"].tolist())) == wanted
    assert sim.cycle == 200


def test_a_block_is_what_the_command_line_traces(design, tmp_path):
    column = columns()
    got = design("filter").run(200, inputs={"s.v": column}, record=["s.v", "l.v"])
    rows = "cycle,s.v\n" + "".join(f"{k},{v}\n" for k, v in enumerate(column))
    (tmp_path / "in.csv").write_text(rows)
    source = str(DESIGNS / "filter.sme")
    subprocess.run([_compile.compiler(), "run", "-O0", source, "-q", "--quiet", "--input", "in.csv", "--trace", "out.csv"], cwd=tmp_path, check=True)
    mine = "cycle,l.v,s.v\n" + "".join(f"{k},{b},{a}\n" for k, (a, b) in enumerate(zip(got["s.v"], got["l.v"])))
    assert (tmp_path / "out.csv").read_text() == mine


def test_values_that_are_no_numbers_of_numpy(kinds):
    colour = type(kinds["cmd.colour"])
    inputs = {"cmd.long": [1 << k for k in range(5)], "cmd.colour": [colour.RED, "GREEN", 6, 0, 0], "cmd.b": [True, False, True, True, False],
              "cmd.list": [[k, -k, k] for k in range(5)], "cmd.at": [(k, [k, k]) for k in range(5)]}
    got = kinds.run(5, inputs=inputs, record=["res.long", "res.colour", "res.b", "res.list", "res.at", "cmd.single"])
    assert got["res.long"][1:] == [1, 2, 4, 8]
    assert got["res.colour"][1:] == [colour.RED, colour.GREEN, colour.BLUE, colour.RED]
    assert got["res.b"].tolist()[1:] == [True, False, True, True]
    assert got["res.list"][4] == [3, -3, 3] and got["res.at"][2].x == 1
    assert got["cmd.single"].dtype == numpy.float32


def test_what_a_block_refuses(filter_):
    for inputs, why in [({"s.v": [1, 40000, 2]}, "row 1: 40000 does not fit i16"), ({"s.v": numpy.array([1, -40000, 2])}, "row 1: -40000"),
                        ({"s.v": [1, 2]}, "has 2 rows for 3 cycles"), ({"s.v": [1.5, 2, 3]}, "'s.v'"), ({"s.v": ["a", "b", "c"]}, "row 0"),
                        ({"l.v": [1, 2, 3]}, "'l.v' is no input; did you mean 's.v'"), ({"q": [1]}, "no field")]:
        with pytest.raises(smec.SimulationError, match=why):
            filter_.run(3, inputs=inputs)
    with pytest.raises(ValueError):
        filter_.run(-1)
    with pytest.raises(TypeError):
        filter_.run(1.5)
    for record, why in [(["l.v", "l.w"], "'l.w'"), (["*"], "no field"), ("s.*", "no field")]:
        with pytest.raises(smec.SimulationError, match=why):
            filter_.run(3, record=record)
    assert filter_.cycle == 0
    assert filter_.run(3) == {} and filter_.cycle == 3


def test_floats_that_do_not_fit(kinds):
    with pytest.raises(smec.BadValueError, match="'cmd.single': row 1: 1e\\+300 does not fit f32"):
        kinds.run(3, inputs={"cmd.single": [1.0, 1e300, float("inf")]})
    kinds.run(3, inputs={"cmd.single": [1.0, float("inf"), float("nan")]})


def test_a_block_ends_with_the_design(design):
    sim = design("talk")
    got = sim.run(10, inputs={"o.v": [0, 0, 2, 0, 0, 0, 0, 0, 0, 0]}, record=["c.n"])
    assert got["c.n"].tolist() == [0, 1, 2] and sim.cycle == 3


def test_without_numpy(tmp_path):
    """The same in a process that does not find it."""
    (tmp_path / "numpy.py").write_text("raise ImportError('none here')\n")
    script = f"""
import array, sys
sys.path.insert(0, {str(tmp_path)!r})
import smec
sim = smec.compile({str(DESIGNS / 'kinds.sme')!r}, flags=["-O0", "-Wno-unread"])
got = sim.run(3, inputs={{"cmd.n": [1, 2, 3], "cmd.b": [True, False, True]}}, record=["res.n", "res.b", "res.long", "res.single"])
assert got["res.n"] == array.array("B", [3, 1, 2]), got
assert got["res.b"] == [False, True, False], got
assert got["res.long"] == [0, 0, 0] and got["res.single"].typecode == "f", got
try:
    sim.run(1, inputs={{"cmd.n": [32]}})
except smec.BadValueError as error:
    assert "row 0: 32 does not fit u5" in str(error)
else:
    raise AssertionError
"""
    subprocess.run([sys.executable, "-c", script], check=True)


def test_a_column_and_a_record_by_themselves(filter_):
    assert list(filter_.run(2, record="l.v")) == ["l.v"]
    with pytest.raises(smec.BadValueError, match="'s.v': a column is a sequence of a value for each cycle, not 3"):
        filter_.run(2, inputs={"s.v": 3})
