"""Values of every kind, there and back."""
import enum
import math
import random
import subprocess

import numpy
import pytest
from conftest import DESIGNS

import smec
from smec import _compile


def through(sim, name, value):
    """What comes out a cycle after the value went in."""
    sim[f"cmd.{name}"] = value
    assert sim[f"cmd.{name}"] == value
    sim.step()
    return sim[f"res.{name}"]


LIMITS = {"n": (0, 31), "m": (-(1 << 16), (1 << 16) - 1), "w": (0, (1 << 64) - 1), "long": (0, (1 << 200) - 1),
          "far": (-(1 << 99), (1 << 99) - 1), "digit": (1, 9)}


@pytest.mark.parametrize("name", LIMITS)
def test_integers_of_any_width(kinds, name):
    low, high = LIMITS[name]
    dice = random.Random(1)
    for value in [low, high, low + 1, high - 1, *(dice.randint(low, high) for _ in range(20))]:
        assert through(kinds, name, value) == value
    for value in (low - 1, high + 1, 1 << 300, -(1 << 300)):
        with pytest.raises(smec.SimulationError):
            kinds[f"cmd.{name}"] = value


def test_what_is_no_integer_is_refused(kinds):
    for value in ("x", "", "1.0", "_1", "0x", "32", "-1", 1.5, None, [1]):
        with pytest.raises(ValueError, match="cmd.n"):
            kinds["cmd.n"] = value


def stored(kinds, name, value):
    """What is read of a value that is written otherwise."""
    kinds[f"cmd.{name}"] = value
    return kinds[f"cmd.{name}"]


def test_integers_as_text_and_truth(kinds):
    for value, wanted in (("7", 7), ("0x1F", 31), ("0b1_01", 5), ("0o17", 15), ("007", 7), ("true", 1), (True, 1), (numpy.bool_(True), 1)):
        assert stored(kinds, "n", value) == wanted
    assert stored(kinds, "m", "-0x10") == -16
    assert stored(kinds, "long", "0x" + "f" * 50) == (1 << 200) - 1
    assert list(kinds.run(2, inputs={"cmd.n": ["0x1f", "1"]}, record=["cmd.n"])["cmd.n"]) == [31, 1]


# None: both refuse it
TEXTS = [("n", "7", 7), ("n", "0x1F", 31), ("n", "0X1F", None), ("n", "0x1f", 31), ("n", "0b1_01", 5), ("n", "0o17", 15), ("n", "007", 7),
         ("n", "true", 1), ("n", "false", 0), ("n", "-0", 0), ("n", "1_1", 11), ("n", "0x_f", None), ("n", "1__1", None), ("n", "1_", None),
         ("n", "_1", None), ("n", "0x", None), ("n", "0b2", None), ("n", "0o8", None), ("n", "+1", None), ("n", "--1", None), ("n", "1.0", None),
         ("n", "True", None), ("n", "-true", None), ("n", "32", None), ("n", "-1", None), ("n", "9" * 200, None),
         ("n", "0" * 200 + "1", 1), ("m", "-0x10", -16), ("m", "-0b1_0", -2), ("m", "-0o7", -7), ("m", "0xFFFF", 65535), ("m", "0x1FFFF", None),
         ("m", "-65_536", -65536), ("m", "-65537", None), ("w", str((1 << 64) - 1), (1 << 64) - 1), ("w", str(1 << 64), None),
         ("w", "0x" + "f" * 16, (1 << 64) - 1), ("long", "0x" + "f" * 50, (1 << 200) - 1), ("long", "0x1" + "0" * 50, None),
         ("far", "-" + str(1 << 99), -(1 << 99)), ("far", str(1 << 99), None), ("far", "-0x" + "f" * 60, None),
         ("b", "1", 1), ("b", "0x0", 0), ("b", "0b1", 1), ("b", "true", 1), ("b", "2", None), ("b", "-1", None), ("b", "0x" + "f" * 16, None),
         ("colour", "GREEN", 5), ("colour", "0x5", 5), ("colour", "0", 0), ("colour", "6", 6), ("colour", "1", None), ("colour", "true", None),
         ("colour", "green", None), ("level", "-70_000", -70000), ("level", "HIGH", 3), ("level", "-3", None)]


def of_files(tmp_path, rows):
    """What the interpreter makes of texts in a file of inputs; None where it refuses them."""
    (tmp_path / "in.csv").write_text("cycle," + ",".join(f"cmd.{name}" for name, _ in rows) + "\n0," + ",".join(text for _, text in rows) + "\n")
    done = subprocess.run([_compile.compiler(), "run", "--interpret", DESIGNS.absolute() / "kinds.sme", "-q", "--quiet", "-Wno-unread", "--input", "in.csv",
                           "--cycles", "2", "--trace", "out.csv"],
                          cwd=tmp_path, stderr=subprocess.PIPE, encoding="utf-8", check=False)
    if done.returncode != 0:
        assert "in.csv:2:" in done.stderr, done.stderr
        return None
    head, *_, last = (tmp_path / "out.csv").read_text().split()
    return dict(zip(head.split(","), last.split(",")))


@pytest.mark.parametrize("name, text, wanted", TEXTS)
def test_a_text_means_what_it_does_in_a_file(kinds, tmp_path, name, text, wanted):
    there = of_files(tmp_path, [(name, text)])
    if wanted is None:
        assert there is None
        with pytest.raises(ValueError, match=f"'cmd.{name}': "):
            kinds[f"cmd.{name}"] = text
        return
    value = stored(kinds, name, text)
    assert value == wanted
    shown = value.name if isinstance(value, enum.Enum) else str(value).lower()
    assert there[f"res.{name}"] == shown


def test_floats_mean_what_they_do_in_a_file(kinds, tmp_path):
    for text in ("0.5", "-1.25", "1e300", "inf", "-inf", "nan", "2", "5e-324"):
        there = of_files(tmp_path, [("twice", text)])
        assert repr(stored(kinds, "twice", float(text))) == repr(float(there["res.twice"]))


def test_bools(kinds):
    assert through(kinds, "b", True) is True
    assert through(kinds, "b", 0) is False
    with pytest.raises(ValueError, match="2 does not fit bool"):
        kinds["cmd.b"] = 2
    for value, wanted in (("1", True), ("false", False), ("true", True), ("0b0", False)):
        assert stored(kinds, "b", value) is wanted
    for value in ("", "2", "True", None, 0.0, []):
        with pytest.raises(ValueError, match="does not fit bool"):
            kinds["cmd.b"] = value


def test_scalars_of_numpy(kinds):
    assert through(kinds, "b", numpy.bool_(True)) is True
    assert through(kinds, "n", numpy.uint64(31)) == 31
    assert through(kinds, "m", numpy.array(-5)) == -5
    assert through(kinds, "single", numpy.float32(0.25)) == 0.25
    assert through(kinds, "list", numpy.array([1, -2, 3])) == [1, -2, 3]
    assert through(kinds, "colour", numpy.int8(5)).name == "GREEN"
    for name, value in (("n", numpy.float64(1)), ("n", numpy.int64(-1)), ("b", numpy.float64(1)), ("n", numpy.array([1]*2))):
        with pytest.raises(ValueError, match=f"'cmd.{name}': "):
            kinds[f"cmd.{name}"] = value


def test_floats(kinds):
    for value in (0.0, -1.25, math.inf, 1e300):
        assert through(kinds, "twice", value) == value
    assert through(kinds, "single", 0.5) == 0.5
    for name in ("single", "twice"):
        kinds[f"cmd.{name}"] = math.nan
        kinds.step()
        assert math.isnan(kinds[f"res.{name}"])
    for value in (1e300, "1", None, 1 << 2000):
        with pytest.raises(ValueError, match="'cmd.single': "):
            kinds["cmd.single"] = value


def test_enums_are_int_enums(kinds):
    colour = kinds["cmd.colour"]
    assert isinstance(colour, enum.IntEnum) and colour.name == "BLUE" and colour == 6
    assert through(kinds, "colour", type(colour).GREEN) is type(colour).GREEN
    assert through(kinds, "colour", 0).name == "RED"
    kinds["cmd.colour"] = "GREEN"
    assert kinds["cmd.colour"] == 5
    level = kinds["cmd.level"]
    assert through(kinds, "level", -70000) is type(level).DEEP
    assert through(kinds, "level", type(level).HIGH) == 3
    for value in (1, "PINK", -1, 1 << 40, None):
        with pytest.raises(ValueError, match="no member of light; it has 'RED', 'GREEN', 'BLUE'"):
            kinds["cmd.colour"] = value
    with pytest.raises(ValueError, match="'GREN' is no member of light; did you mean 'GREEN'"):
        kinds["cmd.colour"] = "GREN"


def test_structs(kinds):
    assert through(kinds, "at", (-5, [1, 127])) == (-5, [1, 127])
    assert kinds["res.at"].x == -5 and kinds["res.at"].y == [1, 127]
    assert kinds["res.at.y[1]"] == 127
    kinds["cmd.at.x"] = 9
    assert kinds["cmd.at"].x == 9
    with pytest.raises(ValueError, match="2 does not fit|1 values where point has 2"):
        kinds["cmd.at"] = (1,)
    with pytest.raises(ValueError, match="128 does not fit u7"):
        kinds["cmd.at"] = (1, [128, 0])


def test_arrays(kinds):
    assert through(kinds, "list", [-1, 0, 255]) == [-1, 0, 255]
    assert through(kinds, "grid", [[1, 2], [3, 1 << 39]]) == [[1, 2], [3, 1 << 39]]
    kinds["cmd.list[1]"] = 7
    assert list(kinds["cmd.list"]) == [-1, 7, 255]
    with pytest.raises(ValueError, match="2 values where .* has 3"):
        kinds["cmd.list"] = [1, 2]


def test_a_signal_says_what_it_is(kinds):
    signal = kinds.signal("cmd.far")
    assert (signal.path, signal.type, signal.input, signal.settable, signal.variable, signal.exposed) == ("cmd.far", "i100", True, True, False, True)
    assert kinds.signal("cmd.far") is signal
    assert repr(signal) == "<Signal 'cmd.far': i100>"
    assert kinds.signal("it.n").variable


def test_variables_can_be_set(kinds):
    kinds.dut.it.n = 41
    kinds.step()
    assert kinds.dut.it.n == 42
