"""One moment: after n steps, all that is read from outside is what row n of a trace has."""
import csv
import subprocess

import pytest

import smec
from conftest import DESIGNS
from smec import _compile

FIELDS = ("n.v", "m.sum", "m.inv")


def now(sim):
    return tuple(sim[path] for path in FIELDS)


def made(count, x):
    """What the design's combinational process makes of a register and an input."""
    return (count, count + x, 255 - count)


@pytest.fixture(params=[{"threads": 1}, {"threads": 2, "model": "m1", "oversubscribe": True}], ids=["one", "two"])
def sim(request, design):
    with design("moment", options=request.param) as made_:
        made_["c.push"] = True
        made_["c.x"] = 3
        yield made_


def test_all_is_of_one_moment(sim):
    assert now(sim) == made(0, 3)  # before anything has run
    for n in range(1, 6):
        sim.step()
        assert now(sim) == made(n, 3)
        assert (sim.dut.n.v, sim.dut.m.sum, sim.signal("m.inv").value) == made(n, 3)
    sim.step(20)
    assert now(sim) == made(25, 3)


def test_what_is_set_is_seen_at_once(sim):
    sim.step(3)
    for x in (9, 0, 255, 255, 9):
        sim["c.x"] = x
        assert now(sim) == made(3, x) and sim["m.all"].tolist() == [3, (3 + x) % 256, (3 + 2 * x) % 256]
    sim.poke("n.v", 40)
    assert now(sim) == made(40, 9)
    sim.step()
    assert now(sim) == made(4, 9)


def test_rows_reads_conditions_benches_and_processes_agree(design, tmp_path):
    def fresh():
        sim = design("moment")
        sim["c.push"], sim["c.x"] = True, 3
        return sim

    sim = fresh()
    table = sim.run(6, record=FIELDS)
    rows = list(zip(*(table[path].tolist() for path in FIELDS)))
    assert rows == [made(k, 3) for k in range(6)]
    sim = fresh()
    with sim.trace(tmp_path / "rows.csv", filter=FIELDS):
        sim.step(6)
    with open(tmp_path / "rows.csv", encoding="utf-8") as file:
        assert [tuple(int(row[path]) for path in FIELDS) for row in csv.DictReader(file)] == rows
    sim, read = fresh(), []
    for _ in range(6):
        read.append(now(sim))
        sim.step()
    assert read == rows
    sim, read = fresh(), [now(fresh())]
    sim.run_until(lambda sim: read.append(now(sim)) or sim.cycle == 5)
    assert read == rows
    sim, read = fresh(), []

    async def look(ctx):
        for _ in range(6):
            read.append(tuple(ctx[path] for path in FIELDS))
            await ctx.tick()

    sim.bench(look)
    assert read == rows
    sim, read = fresh(), []

    @smec.process
    def watch(ctx):
        while True:
            read.append(tuple(ctx[path] for path in FIELDS))
            yield

    sim.add(watch)
    sim.step(6)
    assert read == rows


def test_a_process_reads_what_processes_of_the_design_read(design):
    lines = []
    sim = design("moment", out=lines.append, options={"threads": 1})
    sim["c.push"] = True

    @smec.process
    def watch(ctx):
        while True:
            lines.append(f"Python in {ctx.cycle}: {ctx['m.sum']}\n")
            ctx["c.x"] = ctx.cycle + 1
            yield

    sim.add(watch)
    for _ in range(3):
        sim.step()
    assert "".join(lines) == "".join(f"Python in {k}: {2 * k}\ncycle {k}: {k} and {k}\n" for k in range(3))


def test_looks_say_nothing_and_change_nothing(design, tmp_path):
    lines = []
    sim, other = design("moment", out=lines.append, options={"threads": 1}), design("moment", options={"threads": 1})
    for each in (sim, other):
        each["c.push"] = True
    for k in range(5):
        for x in (k, 100, k):
            sim["c.x"] = x
            assert now(sim)[1] == k + x
        other["c.x"] = k
        sim.eval()
        assert sim.checksum() == other.checksum() and sim.save() == other.save()
        assert len(lines) == k  # one of each cycle
        sim.step()
        other.step()
    sim["c.x"] = 77  # of what fails in the next cycle there is what it had written
    assert now(sim) == (5, 82, 0)
    with pytest.raises(smec.FailedError, match="x is 77 in cycle 5"):
        sim.step()
    sim["c.x"] = 0
    assert now(sim) == made(6, 0)


def test_states_bring_their_moment_back(sim):
    sim.step(4)
    kept, there = sim.snapshot(), now(sim)
    sim["c.x"] = 50
    sim.step(3)
    assert now(sim) == made(7, 50)
    sim.restore(kept)
    assert now(sim) == there == made(4, 3)
    sim.step(3)
    sim.goto(2)
    assert now(sim) == made(2, 3)
    sim.goto(6)
    assert now(sim) == made(6, 3)
    sim.reset()
    assert now(sim) == made(0, 0)


def test_a_view_of_what_is_combinational_ends_when_something_is_set(sim):
    sim.step(3)
    view, values = sim["m.all"], sim["m.all"].tolist()
    assert view.tolist() == values == [3, 6, 9]
    sim["c.x"] = 4
    with pytest.raises(smec.StaleViewError):
        view.tolist()
    assert sim["m.all"].tolist() == [3, 7, 11]


def test_the_command_line_prints_the_same_moment(tmp_path):
    for how in (["-O0"], ["--interpret"]):
        done = subprocess.run([_compile.compiler(), "run", *how, "-q", str(DESIGNS.absolute() / "moment.sme"), "--quiet", "--cycles", "5", "--trace",
                               "x.csv", "--print", "n.v", "--print", "m.sum", "--print", "m.inv", "--print", "m.all"],
                              cwd=tmp_path, check=True, stdout=subprocess.PIPE, text=True)
        assert done.stdout.splitlines()[-4:] == ["n.v: 0", "m.sum: 0", "m.inv: 255", "m.all: [0, 0, 0]"]
    (tmp_path / "in.csv").write_text("cycle,c.push,c.x\n" + "".join(f"{k},true,{k}\n" for k in range(4)))
    for how in (["-O0"], ["--interpret"]):
        done = subprocess.run([_compile.compiler(), "run", *how, "-q", str(DESIGNS.absolute() / "moment.sme"), "--quiet", "--input", "in.csv", "--print",
                               "m.sum", "--print", "m.inv"], cwd=tmp_path, check=True, stdout=subprocess.PIPE, text=True)
        assert done.stdout.splitlines()[-2:] == ["m.sum: 4", "m.inv: 251"]  # of inputs without a row, which are 0


# ---------------------------------------------------------------- traces on the way forth


def rows_of(path):
    with open(path, encoding="utf-8") as file:
        return [row["cycle"] for row in csv.DictReader(file)]


def differences(*paths):
    """What `smec diff` says of two traces, whatever their formats."""
    return subprocess.run([_compile.compiler(), "diff", *map(str, paths)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)


@pytest.mark.parametrize("go", [lambda sim: sim.goto(30), lambda sim: sim.step(10), lambda sim: sim.run_until(cycle=30),
                                lambda sim: (sim.goto(25), sim.step(2), sim.goto(30)), lambda sim: (sim.step(4), sim.goto(22), sim.goto(30))],
                         ids=["goto", "step", "until", "mixed", "back"])
def test_traces_take_what_runs_again(sim, tmp_path, go):
    with sim.trace(tmp_path / "all.csv", "**"):
        sim.step(30)
    lines = (tmp_path / "all.csv").read_text().splitlines()
    for name in ("part.csv", "part.vcd", "part.fst"):
        sim.goto(20)
        with sim.trace(tmp_path / name, "**"):
            go(sim)
        assert sim.cycle == 30
    assert (tmp_path / "part.csv").read_text().splitlines() == [lines[0], *lines[21:]]
    for name in ("part.vcd", "part.fst"):
        done = differences(tmp_path / "part.csv", tmp_path / name)
        assert done.returncode == 0, done.stdout


def test_the_way_back_is_not_traced(sim, tmp_path):
    sim.step(30)
    with sim.trace(tmp_path / "x.csv"):
        sim.goto(20)
        sim.step(3)
    assert rows_of(tmp_path / "x.csv") == ["20", "21", "22"]


def test_nothing_is_printed_a_second_time(design, tmp_path):
    lines = []
    sim = design("moment", out=lines.append, options={"threads": 1})
    sim.step(10)
    sim.goto(4)
    with sim.trace(tmp_path / "x.csv"):
        sim.goto(12)
    assert "".join(lines) == "".join(f"cycle {k}: 0 and 0\n" for k in range(12))
    assert rows_of(tmp_path / "x.csv") == [str(k) for k in range(4, 12)]


def test_a_trace_without_a_row_is_a_file(sim, tmp_path):
    for ending in ("csv", "vcd", "fst"):
        with sim.trace(tmp_path / f"none.{ending}", "**"):
            pass
    for ending in ("vcd", "fst"):
        done = differences(tmp_path / f"none.{ending}", tmp_path / f"none.{ending}")
        assert (done.returncode, done.stdout) == (1, "nothing to compare: neither trace has a cycle\n")


# ---------------------------------------------------------------- states within a past


def test_what_came_before_a_state_of_the_run_is_known(sim):
    moments = [now(sim)]
    for k in range(20):
        sim["c.x"] = 10 + k
        moments[k] = now(sim)
        sim.step()
        moments.append(now(sim))
        if k == 11:
            kept = sim.snapshot()
    sim.restore(kept)
    assert sim.cycle == 12 and now(sim) == moments[12][:1] + (moments[12][0] + 21, moments[12][2])
    sim.goto(5)
    assert now(sim) == moments[5]
    sim.goto(12)
    sim.step(3)  # what was set after that state is no more
    assert now(sim) == made(15, 21)
    sim.goto(8)
    assert now(sim) == moments[8]


def test_of_another_past_a_state_is_the_beginning(sim, design):
    sim.step(10)
    kept = sim.snapshot()
    sim.step(10)
    sim.goto(4)
    sim["c.x"] = 9  # from here on it is another past
    sim.step(10)
    sim.restore(kept)
    assert now(sim) == made(10, 3)
    with pytest.raises(smec.SimulationError, match="nothing is known of what was before cycle 10"):
        sim.goto(9)
    other = design("moment")
    other.step(20)
    other.restore(kept)
    with pytest.raises(smec.SimulationError, match="before cycle 10"):
        other.goto(3)
    sim.reset()
    sim.restore(kept)
    with pytest.raises(smec.SimulationError, match="before cycle 10"):
        sim.goto(3)


def test_two_states_of_one_cycle(sim):
    sim.step(5)
    first = sim.snapshot()
    sim["c.x"] = 7
    second = sim.snapshot()
    sim.step(2)
    sim.restore(first)
    assert now(sim) == made(5, 3)
    sim["c.x"] = 8
    sim.step(2)
    sim.goto(5)
    assert now(sim) == made(5, 8)
    sim.restore(second)  # what led there is no more
    assert now(sim) == made(5, 7)
    with pytest.raises(smec.SimulationError, match="before cycle 5"):
        sim.goto(4)
    sim.step()
    assert now(sim) == made(6, 7)


def test_load_goes_there_and_snapshot_from_does_not(sim, design):
    sim.step(6)
    state, there = sim.save(), now(sim)
    other = design("moment")
    other.step(2)
    before = now(other)
    kept = other.snapshot_from(state)
    assert other.cycle == 2 and now(other) == before
    assert other.save(kept) == state
    loaded = other.load(state)
    assert other.cycle == 6 and now(other) == there and other.checksum() == sim.checksum()
    other.restore(loaded)
    other.step(2)
    sim.step(2)
    assert now(other) == now(sim)
    with pytest.raises(smec.SimulationError, match="before cycle 6"):
        other.goto(5)
    for refused in (other.load, other.snapshot_from):
        with pytest.raises(smec.SimulationError):
            refused(b"nonsense")
    assert other.cycle == 8


def test_processes_go_with_a_state_of_the_run(design):
    @smec.process
    def ramp(ctx):
        while True:
            ctx["c.x"] = ctx.cycle
            yield

    sim = design("moment")
    sim.add(ramp)
    sim.step(4)
    kept = sim.snapshot()
    sim.step(6)
    sim.restore(kept)
    with pytest.raises(smec.SimulationError, match="ramp.* are at cycle 10 and cannot go on from cycle 4"):
        sim.step()
    sim.goto(2)
    sim.goto(4)  # what it drove is known up to there
    with pytest.raises(smec.SimulationError, match="cannot go on from cycle 4"):
        sim.goto(5)
