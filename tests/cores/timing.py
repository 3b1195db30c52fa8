"""Speeds, by runs by turns of which none is shorter than asked."""
import statistics

from tools import Failed

MARGIN = 1.04  # more cycles than seem to be needed
GROWTH = 10    # times the cycles of the run before, at most
MOST = 10**13  # cycles; a program that takes no longer for more of them has ended by itself


class Runner:
    """`run`: of so many cycles, gives a Ran. What a run of one cycle takes is the start, which counts in none. `kHz` and `seconds`: of the runs that count."""

    def __init__(self, run, asked, isOnTheWall=False):
        self.run, self.asked, self.isOnTheWall = run, asked, isOnTheWall
        self.kHz, self.seconds = [], []
        self.start = 0
        self.start = min(self.taken(1) for _ in range(3))
        self.cycles = self.cyclesFor()

    def taken(self, cycles):
        ran = self.run(cycles)
        return (ran.wall if self.isOnTheWall else ran.cpu) - self.start

    def more(self, cycles, took, wanted):
        if cycles > MOST:
            raise Failed(f"{cycles} cycles take {took:.3f} s")
        return max(cycles + 1, int(cycles * min(GROWTH, MARGIN * wanted / max(took, 1e-9))))

    def cyclesFor(self):
        """What a tenth of the time foretells."""
        cycles = 1_000
        while (took := self.taken(cycles)) < self.asked / 10:
            cycles = self.more(cycles, took, self.asked / 10)
        return max(1, int(cycles * MARGIN * self.asked / took))

    def count(self):
        """One more run that counts. One that is too short is none: it is made again, with more cycles."""
        while (took := self.taken(self.cycles)) < self.asked:
            self.cycles = self.more(self.cycles, took, self.asked)
        self.seconds.append(took)
        self.kHz.append(self.cycles / took / 1000)


def times(runs, asked, repeat, onTheWall=("two",)):
    """`kHz` of each: medians of runs by turns, by processor time, which other programs disturb least, or by the clock on the wall; `all`: of each run;
    `shortest`: the seconds of the shortest one."""
    runners = {kind: Runner(run, asked, kind in onTheWall) for kind, run in runs.items()}
    for _ in range(repeat):
        for runner in runners.values():
            runner.count()
    return {"kHz": {kind: statistics.median(runner.kHz) for kind, runner in runners.items()}, "all": {kind: runner.kHz for kind, runner in runners.items()},
            "shortest": min(min(runner.seconds) for runner in runners.values())}
