"""What the experiments share: compile designs, run configurations in turn, compare their results, and make tables and pages."""
import json
import math
import os
import random
import re
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass, field

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
DESIGNS = os.path.join(HERE, "designs")
PAGES = os.path.join(ROOT, "docs", "experiments")
NOTHING = "–"
MOST_CYCLES = 1 << 30
QUIET = 0.1  # of a run's time, in which somebody waited for a processor, is as good as undisturbed
LIMIT_SECONDS = 3600  # of one command; a run that hangs is a failure


class Wrong(Exception):
    """A program that fails, or results that differ."""


class Progress:
    """Tells on a stream how far an experiment is: one line that changes on a terminal, else a line now and then."""

    EVERY = {True: 0.2, False: 10.0}  # seconds between two lines, on a terminal and elsewhere

    def __init__(self, name="", stream=None, clock=time.monotonic):
        self.name, self.stream, self.clock = name, stream, clock
        self.isTerminal = bool(stream) and stream.isatty()
        self.start("", 0)

    def start(self, what, total):
        """Some steps of about equal length are next."""
        self.what, self.total, self.done = what, total, 0
        self.began = self.clock()
        self.told = self.began if self.EVERY[self.isTerminal] > 1 else float("-inf")

    def step(self):
        """One of them is over."""
        self.done += 1
        now = self.clock()
        if self.stream and now - self.told >= self.EVERY[self.isTerminal]:
            self.told = now
            left = (now - self.began) / self.done * (self.total - self.done)
            self.tell(f"{self.name}: {self.what}, {self.done} of {self.total}, {duration(left)} left")

    def tell(self, text):
        self.stream.write(f"\r{text}\033[K" if self.isTerminal else text + "\n")
        self.stream.flush()

    def clear(self):
        """Takes the line off a terminal."""
        if self.isTerminal:
            self.tell("")


def duration(seconds):
    """4 s, 2 min 30 s, 3 h 20 min"""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    return f"{whole // 60} min {whole % 60} s" if whole < 3600 else f"{whole // 3600} h {whole // 60 % 60} min"


@dataclass
class Settings:
    smec: str
    work: str
    size: str = "small"  # smoke, small or full
    threads: tuple = (1, 2)
    repeat: int = 5
    aim: float = 0.05  # seconds of a timed run
    patience: float = 0  # seconds, for each table, to make runs again that were disturbed
    progress: Progress = field(default_factory=Progress)

    def pick(self, small, full, smoke):
        """The value of a parameter at this size."""
        return {"small": small, "full": full, "smoke": smoke}[self.size]

    @property
    def most(self):
        """Threads of the tables that compare plans at one number of them."""
        return max(self.threads)


@dataclass
class Config:
    """A simulator with options. cycles: of a timed run; 0: as many as take `aim` seconds."""
    program: str
    options: tuple = ()
    cycles: int = 0
    steps: int = 1  # processes, for ns/step
    alike: str = ""  # configurations with the same word have the same results
    isCrowded: bool = False  # on purpose: other programs, or more threads than processors


@dataclass
class Times:
    cycles: int
    steps: int
    seconds: list = field(default_factory=list)

    def per(self, what):
        """By unit: a list, one a repeat."""
        divisor = {"s": 1, "us": self.cycles / 1e6, "ns": self.cycles * self.steps / 1e9}[what]
        return [value / divisor for value in self.seconds]

    def median(self, what="us"):
        return statistics.median(self.per(what))


@dataclass
class Page:
    """What an experiment found. parts: texts and tables as (heading, Markdown); pictures: file stem -> data (pictures.py)."""
    title: str
    question: str
    parameters: list  # (name, in this run, full)
    parts: list = field(default_factory=list)
    pictures: dict = field(default_factory=dict)
    answer: list = field(default_factory=list)
    tables: dict = field(default_factory=dict)  # name -> (head, rows), for the test
    method: str = ""  # how times were taken, if not by inTurn()
    runs: list = field(default_factory=list)  # for each table all times that it stands for
    checked: int = 0  # results that were compared
    judged: int = 0  # timed runs that other programs may disturb: not those that are crowded on purpose
    disturbed: int = 0  # of them, those in which other programs wanted the processors
    note: str = ""  # how many of the last inTurn(), for its tables


def say(text):
    print(text, file=sys.stderr, flush=True)


def called(command, environment=None, cwd=None):
    finished = subprocess.run(list(map(str, command)), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              timeout=LIMIT_SECONDS, cwd=cwd, env=dict(os.environ, **(environment or {})))
    if finished.returncode != 0:
        raise Wrong(f"{' '.join(map(str, command))}: status {finished.returncode}\n{(finished.stderr or finished.stdout)[-2000:]}")
    return finished.stdout


# ---------------------------------------------------------------- compile and run


def compiled(settings, source, name, constants=None, simd=False, options=()):
    """The path of a simulator. source: a file, or the text of one."""
    if "\n" in source:
        path = os.path.join(settings.work, name + ".sme")
        with open(path, "w") as file:
            file.write(source)
        source = path
    out = os.path.join(settings.work, name)
    given = [word for key, value in (constants or {}).items() for word in ("-G", f"{key}={value}")]
    called([settings.smec, "compile", source, "-q", "-o", out, "--build-dir", out + ".build", "-Wno-unread", "-j", "1", *given,
            *([] if simd else ["--no-simd"]), *options])
    return out


def ran(config, cycles, *more):
    """(seconds, checksum, the JSON report) of one run."""
    out = called([config.program, "--cycles", cycles, "--checksum", "--quiet", "--report", "json", *config.options, *more])
    checksum, _, report = out.partition("\n")
    report = json.loads(report)
    return report["seconds"], checksum, report


def calibrated(config, aim):
    cycles = 1
    while cycles < MOST_CYCLES:
        share = aim / max(ran(config, cycles)[0], 1e-6)
        if share < 2:
            return cycles if share > 0.7 else max(1, int(cycles * share))
        cycles = int(cycles * min(share, 64))
    return cycles


def agree(configs, cycles, progress=Progress()):
    """Raises Wrong where configurations that must have the same results do not. Returns how many were compared."""
    seen = {}
    progress.start("comparing results", len(configs))
    for name, config in configs.items():
        checksum = ran(config, config.cycles or cycles)[1]
        progress.step()
        key = (config.alike or config.program, config.cycles)
        first, expected = seen.setdefault(key, (name, checksum))
        if checksum != expected:
            raise Wrong(f"after {config.cycles or cycles} cycles '{first}' has {expected}, '{name}' {checksum}")
    return len(configs)


def stalledSeconds():
    """How long, since the system started, somebody waited for a processor; None where the kernel does not say."""
    try:
        with open("/proc/pressure/cpu") as file:
            return int(re.search(r"total=(\d+)", file.readline()).group(1)) / 1e6
    except (OSError, AttributeError):
        return None


def watched(action):
    """(what the action returns, whether other programs wanted the processors meanwhile)"""
    start, before = time.monotonic(), stalledSeconds()
    result = action()
    return result, before is not None and stalledSeconds() - before > QUIET * (time.monotonic() - start)


@dataclass
class Patience:
    left: float  # seconds that may go into runs that do not count


def undisturbed(patience, page, action):
    """What the action returns. Disturbed runs are made again while patience lasts; which runs count does not depend on how long they took."""
    while True:
        start = time.monotonic()
        result, isDisturbed = watched(action)
        if not isDisturbed or patience.left <= 0:
            page.judged += 1
            page.disturbed += isDisturbed
            return result
        time.sleep(0.1)
        patience.left -= time.monotonic() - start


def nameOf(key):
    """A configuration's name as one text."""
    return key if isinstance(key, str) else ", ".join(map(str, key))


def inTurn(settings, configs, page, checkCycles=7):
    """Times each configuration `repeat` times, one after the other in a new random order each round, so that noise hits all alike."""
    page.checked += agree(configs, checkCycles, settings.progress)
    times = {}
    settings.progress.start("looking how many cycles to run", len(configs))
    for name, config in configs.items():
        times[name] = Times(config.cycles or calibrated(config, settings.aim), config.steps)
        settings.progress.step()
    order, rng = list(configs), random.Random(1)
    patience, judged, disturbed = Patience(settings.patience), page.judged, page.disturbed
    settings.progress.start("timed runs", settings.repeat * len(order))
    for _ in range(settings.repeat):
        rng.shuffle(order)
        for name in order:
            once = lambda: ran(configs[name], times[name].cycles)[0]
            times[name].seconds.append(once() if configs[name].isCrowded else undisturbed(patience, page, once))
            settings.progress.step()
    page.runs.append({nameOf(name): {"cycles": of.cycles, "processes": of.steps, "seconds": of.seconds} for name, of in times.items()})
    judged, disturbed = page.judged - judged, page.disturbed - disturbed
    page.note = f"Other programs wanted the processors during {disturbed} of {judged} of these runs.\n\n" if disturbed else ""
    return times


# ---------------------------------------------------------------- numbers and tables


def number(value):
    """Three significant digits, without an exponent."""
    if value is None:
        return NOTHING
    if value == 0:
        return "0"
    digits = 2 - math.floor(math.log10(abs(value)))
    return f"{value:,.{min(max(0, digits), 6)}f}"


def spread(values):
    return f"{number(statistics.median(values))} ({number(min(values))} … {number(max(values))})" if values else NOTHING


def over(a, b):
    """The median of the ratios of runs of the same round."""
    return statistics.median(x / y for x, y in zip(a.per("ns"), b.per("ns")))


def table(head, rows):
    lines = [f"| {' | '.join(head)} |", "|" + "---|" * len(head)]
    return "\n".join(lines + [f"| {' | '.join(map(str, cells))} |" for cells in rows]) + "\n"


def addTable(page, heading, head, rows, words=""):
    page.tables[heading] = (head, rows)
    page.parts.append((heading, (words + "\n\n" if words else "") + page.note + table(head, rows)))


def best(values):
    return min(values, key=values.get)


def listed(names):
    names = list(names)
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]


def bar(values):
    """Median, lowest and highest, for a picture."""
    return [statistics.median(values), min(values), max(values)]


# ---------------------------------------------------------------- pages


def machine():
    version = called(["g++", "--version"]).splitlines()[0]
    return f"{len(os.sched_getaffinity(0))} processors (`nproc`), {version}."


def conditions(page, settings):
    inTurns = (f"Times are medians of {settings.repeat} run{'s' if settings.repeat > 1 else ''}, with the lowest and the highest in brackets. All "
               "configurations of a table ran in turn, in a new order each round; ratios are medians of the ratios within a round.")
    text = (page.method or inTurns) + f" {page.checked} runs were compared by their checksums with others of the same network: all equal."
    if page.disturbed:
        text += (f" Other programs wanted the processors during {page.disturbed} of {page.judged} timed runs"
                 + (", so the figures for several threads say little about a quiet machine." if page.disturbed > page.judged / 4 else "."))
    return text


def markdown(page, name, command, settings, pictures):
    """pictures: stems of those that are there"""
    text = f"# {page.title}\n\n{page.question}\n\n```text\n{command}\n```\n\n"
    text += table(["parameter", "here", "`--full`"], page.parameters) + "\n"
    text += f"{machine()} {conditions(page, settings)}\n\n"
    for heading, part in page.parts:
        text += f"## {heading}\n\n{part}\n"
    for stem in pictures:
        text += f"![{stem.replace('_', ' ')}]({stem}.svg)\n\n"
    return text + "## Answer\n\n" + "\n".join(f"* {sentence}" for sentence in (*pressure(page, settings), *page.answer)) + "\n"


def pressure(page, settings):
    """What stands in front of an answer where threads had to wait for processors."""
    processors = len(os.sched_getaffinity(0))
    if settings.most > processors:
        yield f"There are {processors} processors: what is said of {settings.most} threads is said of how they share them, not of the designs."
    if page.disturbed > page.judged / 4:
        yield (f"Other programs wanted the processors during {page.disturbed} of {page.judged} timed runs: what is said of several threads may be their "
               "doing, not that of the designs.")


# ---------------------------------------------------------------- what is kept of a run


def stored(page, command):
    """The data of a page, from which its pictures can be drawn again, as JSON."""
    return json.dumps({"command": command, "pictures": page.pictures, "tables": {heading: {"head": head, "rows": rows} for heading, (head, rows)
                                                                                in page.tables.items()}, "runs": page.runs}, indent=1, ensure_ascii=False) + "\n"
