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

    for made, error, why in ((wrong, ValueError, "40000 does not fit i16"), (output, smec.SimulationError, "'l.v' is no input"),
                             (stepping, smec.SimulationError, "within its own run")):
        sim = design("filter")
        sim.add(made)
        with pytest.raises(error, match=why):
            sim.step(3)
    with pytest.raises(smec.SimulationError, match="not in blocks"):
        sim.run(3)


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
