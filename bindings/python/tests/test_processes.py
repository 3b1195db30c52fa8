"""Processes and test benches of Python."""
import pytest

import smec


@smec.process
def ramp(ctx):
    """Drives 10 k into cycle k + 1."""
    while True:
        ctx["s.v"] = 10 * ctx.cycle
        yield


@smec.process
class Sum:
    """Drives the sum of what it saw; can be kept."""

    def __init__(self, _):
        self.total = 0

    def step(self, ctx):
        self.total += ctx["l.v"] + 1
        ctx["s.v"] = self.total % 1000

    def save(self):
        return self.total

    def restore(self, state):
        self.total = state


def rows(sim, cycles):
    seen = []
    for _ in range(cycles):
        seen.append((sim.cycle, sim["s.v"], sim["l.v"]))
        sim.step()
    return seen


def test_what_a_process_writes_is_seen_in_the_next_cycle(filter_):
    filter_.add(ramp)
    assert [s for _, s, _ in rows(filter_, 5)] == [0, 0, 10, 20, 30]


def test_it_reads_the_present_cycle(design):
    sim, seen = design("filter"), []

    @smec.process
    def watch(ctx):
        while True:
            seen.append((ctx.cycle, ctx["s.v"], ctx["l.v"]))
            yield

    sim.add(ramp, watch)
    plain = rows(sim, 6)
    assert seen == plain


def test_steps_of_any_size_are_the_same(design):
    one, many = design("filter"), design("filter")
    for sim in (one, many):
        sim.add(Sum)
    rows(one, 20)
    assert many.step(20) == 20
    assert many.checksum() == one.checksum()
    assert one.run_until(cycle=25) and many.run_until(lambda sim: sim.cycle == 25)
    assert many.checksum() == one.checksum()


def test_a_process_that_ends_drives_no_more(filter_):
    @smec.process
    def twice(ctx):
        for value in (5, 6):
            ctx["s.v"] = value
            yield

    filter_.add(twice)
    assert [s for _, s, _ in rows(filter_, 5)] == [0, 5, 6, 6, 6]


def test_reset_calls_factories_again(design):
    sim = design("filter")
    sim.add(Sum)
    first = rows(sim, 10)
    sim.reset()
    assert rows(sim, 10) == first


def test_going_back_replays_what_they_drove(design, tmp_path):
    sim = design("filter")
    sim.add(ramp)
    plain = rows(sim, 10)
    end = sim.checksum()
    sim.goto(4)
    assert rows(sim, 6) == plain[4:] and sim.checksum() == end
    sim.step(2)
    after = sim.checksum()
    sim.goto(3)
    sim.goto(12)
    assert sim.checksum() == after
    sim.goto(15)
    assert sim.cycle == 15
    sim.save_inputs(tmp_path / "in.csv")
    assert (tmp_path / "in.csv").read_text().splitlines()[1:4] == ["0,0", "1,0", "2,10"]


def test_another_past_is_refused_without_their_states(design):
    sim = design("filter")
    sim.add(ramp)
    sim.step(10)
    sim.goto(4)
    sim["s.v"] = 77
    with pytest.raises(smec.SimulationError, match="ramp.* are at cycle 10 and cannot go on from cycle 4"):
        sim.step()
    sim.reset()
    kept = sim.snapshot()
    sim.step(3)
    sim.restore(kept)
    with pytest.raises(smec.SimulationError, match="save and restore"):
        sim.step()


def test_processes_that_can_be_kept_go_with_snapshots(design):
    sim = design("filter")
    sim.add(Sum)
    sim.step(7)
    kept = sim.snapshot()
    plain = rows(sim, 8)
    sim.restore(kept)
    assert rows(sim, 8) == plain


def test_errors_of_processes_come_out(design):
    @smec.process
    def wrong(ctx):
        yield
        ctx["s.v"] = 40000
        yield

    @smec.process
    def output(ctx):
        ctx["l.v"] = 1
        yield

    @smec.process
    def stepping(ctx):
        ctx._simulation.step()
        yield

    for made, error, why in ((wrong, ValueError, "40000 does not fit i16"), (output, smec.SimulationError, "'l.v' is no input; did you mean 's.v'"),
                             (stepping, smec.SimulationError, "within its own run")):
        sim = design("filter")
        sim.add(made)
        with pytest.raises(error, match=why):
            sim.step(3)
        with pytest.raises(smec.SimulationError, match=f"the process {made.name} raised an exception in cycle .; reset begins anew"):
            sim.step()


def test_after_an_exception_all_begins_anew(design):
    @smec.process
    def third(ctx):
        for _ in range(3):
            yield
        raise LookupError("mine")

    sim = design("filter")
    sim.add(ramp, third)
    for _ in range(2):
        with pytest.raises(LookupError, match="mine"):
            sim.step(10)
        assert sim.cycle == 3 and sim["s.v"] == 20
        sim.reset()
    assert sim.step(3) == 3


@smec.process
def doubling(ctx):
    """Drives a.w with twice what it reads at a.v."""
    while True:
        ctx["a.w"] = 2 * ctx["a.v"]
        yield


TWO = """type two: bus { v: u16; w: u16; };
type sum: bus { t: u32; };
sim proc adds(in a: two, out s: sum) var t: u32; { t = u32(t + a.v + a.w); s.t = t; if (a.v == 99) { stop(0); } }
network top(in a: two, out s: sum) { instance it of adds(a, s); }
"""


def test_a_block_beside_processes(design, tmp_path):
    source = tmp_path / "two.sme"
    source.write_text(TWO)
    column = [3, 1, 4, 1, 5, 9]
    with smec.compile(source, flags=["-O0"]) as sim:
        sim.add(doubling)
        got = sim.run(6, inputs={"a.v": column}, record=["a.v", "a.w", "s.t"])
        assert got["a.v"].tolist() == column and got["a.w"].tolist() == [0, 6, 2, 8, 2, 10]
        assert got["s.t"].tolist() == [0, 3, 10, 16, 25, 32] and sim["a.w"] == 18
        end = sim.checksum()
        sim.save_inputs(tmp_path / "in.csv")
        assert (tmp_path / "in.csv").read_text().splitlines()[2:4] == ["1,1,6", "2,4,2"]
        sim.goto(2)
        assert (sim["a.v"], sim["a.w"]) == (4, 2)  # what the column has in cycle 2 comes with it
        assert sim.run(4, record=["a.v"])["a.v"].tolist() == column[2:]
        assert sim.checksum() == end
        sim.reset()
        assert sim.run(0, record=["s.t"])["s.t"].tolist() == []
        assert len(sim.run(9, inputs={"a.v": [1, 2, 99, 0, 0, 0, 0, 0, 0]}, record=["s.t"])["s.t"]) == 3 and sim.stopped
        sim.reset()
        with pytest.raises(smec.SimulationError, match="'a.w' is driven by a process and by a column"):
            sim.run(3, inputs={"a.w": [1, 2, 3]})


def test_a_stop_ends_what_runs_beside_processes(tmp_path):
    source = tmp_path / "two.sme"
    source.write_text(TWO)

    async def bench(ctx):
        ctx["a.v"] = 99
        await ctx.tick()
        await ctx.tick().until(lambda: False)

    with smec.compile(source, flags=["-O0"]) as sim:
        sim.add(doubling)
        sim["a.v"] = 99
        assert sim.step(10) == 1 and sim.stopped and sim.stop_status == 0
        assert sim.run_until(lambda _: False) is False and sim.cycle == 2
        assert sim.run_until(cycle=9) is False and sim.cycle == 3
        with pytest.raises(smec.SimulationError, match="the design stopped while a test bench waits"):
            sim.bench(bench)


def test_benches(filter_):
    async def bench(ctx):
        ctx["s.v"] = 1000
        await ctx.tick()
        first = ctx["l.v"]
        await ctx.tick(2)
        assert ctx.cycle == 3
        await ctx.tick().until(lambda: ctx["l.v"] > 900)
        return first, ctx.dut.l.v

    async def clock(ctx):
        for expected in range(5):
            assert ctx.cycle == expected
            await ctx.tick()
        return "done"

    assert filter_.bench(bench, clock) == [(250, 923), "done"]

    async def never(ctx):
        await ctx.tick().until(lambda: False)

    with pytest.raises(smec.SimulationError, match="still waits in cycle 20"):
        filter_.bench(never, limit=20)


def test_a_bench_beside_processes(filter_):
    async def bench(ctx):
        await ctx.tick().until(lambda: ctx["s.v"] == 30)
        return ctx.cycle

    filter_.add(ramp)
    assert filter_.bench(bench) == [4]


def test_what_is_no_process_or_test_bench(filter_):
    with pytest.raises(TypeError, match="made of a function or a class, not of 3"):
        smec.process(3)
    with pytest.raises(TypeError, match="is a generator function or gives what has step"):
        filter_.add(lambda ctx: 3)

    async def bench(ctx):
        await ctx.tick()

    with pytest.raises(TypeError, match="is an async function, which <function"):
        filter_.bench(bench, lambda ctx: 3)
    assert filter_.bench(lambda ctx: bench(ctx)) == [None]


def test_a_function_is_a_process_without_being_told(filter_):
    def count(ctx):
        while True:
            ctx["s.v"] = ctx.cycle + 1
            yield

    filter_.add(count)
    filter_.step(5)
    assert filter_["s.v"] == 5
