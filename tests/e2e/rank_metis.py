#!/usr/bin/env python3
"""Ranks whose design METIS cuts, where it is there: they show what one process shows, also where some ranks have none of it, a wrong one or another one."""
import ctypes
import os
import random
import re
import subprocess
import sys
import tempfile

from ranks import ENVIRONMENT, LAUNCHERS, LIMIT, SMEC, SOON, kinds

SIDE, READS = 20, 60    # of a grid of processes, all of them different, and how many others each reads
CYCLES = ["--cycles", "50", "--threads", "1", "--quiet", "--checksum"]
FORCED = {"SME_RANKS_CUT": "metis"}
# It cuts whatever it is given as if all were one part.
WRONG = """
#include <cstring>
extern "C" int METIS_SetDefaultOptions(int* options) { std::memset(options, 0xFF, 160); return 1; }
extern "C" int METIS_PartGraphRecursive(int* count, int*, int*, int*, int*, int*, int*, int*, float*, float*, int*, int*, int* parts) {
    std::memset(parts, 0, *count * sizeof *parts);
    return 1;
}
"""
# METIS itself, with numbers of another width and from another place to begin by chance.
OTHER = """
#include <cstdint>
#include <cstring>
#include <dlfcn.h>
#include <vector>
using Number = NUMBER;
using Numbers = std::vector<int>;
namespace { void* find(const char* name) { return dlsym(dlopen("METIS", RTLD_NOW | RTLD_LOCAL), name); } }
extern "C" int METIS_SetDefaultOptions(Number* options) { std::memset(options, 0xFF, 40 * sizeof(Number)); return 1; }
extern "C" int METIS_PartGraphRecursive(Number* count, Number* costsEach, Number* begins, Number* neighbours, Number* costs, Number*, Number* bytes,
                                        Number* parts, void*, void*, void*, Number* cut, Number* partOf) {
    int n = *count, each = *costsEach, wanted = *parts, edges = 0;
    Numbers b(begins, begins + n + 1), to(neighbours, neighbours + b[n]), c(costs, costs + n * each), w(bytes, bytes + b[n]), options(40), all(n);
    reinterpret_cast<int (*)(int*)>(find("METIS_SetDefaultOptions"))(options.data());
    if (SEED >= 0) options[8] = SEED;
    using Cut = int (*)(int*, int*, int*, int*, int*, int*, int*, int*, void*, void*, int*, int*, int*);
    const int status = reinterpret_cast<Cut>(find("METIS_PartGraphRecursive"))(&n, &each, b.data(), to.data(), c.data(), nullptr, w.data(), &wanted,
                                                                               nullptr, nullptr, options.data(), &edges, all.data());
    *cut = edges;
    for (int i = 0; i < n; ++i) partOf[i] = all[i];
    return status;
}
"""


def near(i, rng):
    """Those that are closest in a closed grid."""
    def distance(other):
        apart = [abs(i % SIDE - other % SIDE), abs(i // SIDE - other // SIDE)]
        return sum(min(each, SIDE - each) ** 2 for each in apart)
    return sorted((other for other in range(SIDE * SIDE) if other != i), key=lambda other: (distance(other), rng.random()))[:READS]


def design():
    """A large graph, whose best cut is METIS' on three ranks."""
    rng = random.Random(3)
    lines = ["type w: bus { v: u32; };"]
    for i in range(SIDE * SIDE):
        lines += [f"proc p{i}([{READS}] in a: w, out y: w)", f"    var s: u32 = {i};",
                  f"{{ for k = 0 until {READS} {{ s = (s * {rng.randrange(3, 99, 2)}) ^ (a[k].v >> {rng.randrange(1, 9)}); }} y.v = s; }}"]
    lines += ["network top()", "{", f"    exposed bus x[{SIDE * SIDE}]: w;"]
    rng = random.Random(5)
    lines += [f"    instance q{i} of p{i}([{', '.join(f'x[{other}]' for other in near(i, rng))}], x[{i}]);" for i in range(SIDE * SIDE)]
    return "\n".join(lines + ["}", ""])


def here():
    """The library that ranks would find; none where there is none."""
    try:
        ctypes.CDLL("libmetis.so.5")
    except OSError:
        return None
    with open("/proc/self/maps", encoding="utf-8") as f:
        return next(line.split()[-1] for line in f if "/libmetis.so" in line)


class Cuts:
    def __init__(self, folder):
        self.folder, self.checks, self.failures = folder, 0, []

    def check(self, is_good, text):
        self.checks += 1
        if not is_good:
            self.failures.append(text)

    def path(self, name):
        return os.path.join(self.folder, name)

    def library(self, name, text):
        """Words that make the rank after them find it."""
        os.makedirs(self.path(name), exist_ok=True)
        source, library = self.path(name + ".cpp"), self.path(f"{name}/libmetis.so.5")
        with open(source, "w", encoding="utf-8") as f:
            f.write(text)
        subprocess.run(["g++", "-shared", "-fPIC", "-o", library, source], check=True, timeout=LIMIT)
        return ["env", f"LD_LIBRARY_PATH={self.path(name)}"]

    def run(self, *words, environment=None):
        """Status, standard output, standard error."""
        p = subprocess.run(words, cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LIMIT, check=False,
                           env={**ENVIRONMENT, **SOON, **(environment or {})})
        return p.returncode, p.stdout, p.stderr

    def same(self, name, wanted, got):
        self.check(got[:2] == (0, wanted) and "error" not in got[2], f"{name}: {got}, wanted {wanted!r}")

    def refused(self, name, says, got):
        said = [line for line in got[2].splitlines() if line.startswith("d: error: ")]
        self.check(got[:2] == (2, "") and len(said) == 1 and says in said[0], f"{name}: {got}, wanted {says!r}")

    def in_process(self, program, wanted, missing, wrong):
        for ranks in ("2", "3", "7"):
            for way in ("metis", "graph", None):
                environment = {"SME_RANKS_CUT": way} if way else None
                self.same(f"{ranks} ranks, {way}", wanted, self.run(*program, "--ranks", ranks, "--oversubscribe", environment=environment))
        report = [*program, "--ranks", "3", "--oversubscribe", "--report", "text"]
        cuts = [self.run(*report, environment={"SME_RANKS_CUT": way} if way else None) for way in ("metis", None, "graph")]
        told = [re.findall(r"^ +\d+ +\d+ +[\d.]+% +(\d+) ", out + err, re.M) for _, out, err in cuts]
        self.check(len(told[0]) == 3 and told[0] == told[1] != told[2], f"METIS is what ranks take where it cuts best: bytes a cycle are {told}")
        for name, words, says in (("missing", missing, "libmetis.so.5: file too short"), ("wrong", wrong, "libmetis.so.5 does not cut a graph as METIS 5 does")):
            self.same(name, wanted, self.run(*words, *program, "--ranks", "3", "--oversubscribe"))
            self.refused(name, f"SME_RANKS_CUT=metis: {says}" if name == "wrong" else says, self.run(*words, *program, "--ranks", "3", "--oversubscribe", environment=FORCED))

    def on_ranks(self, kind, program, wanted, missing, wrong, other, wide):
        launch = [*LAUNCHERS[kind], "1"]
        two = lambda first, second, environment=None: self.run(*launch, *first, *program, ":", "-np", "2", *second, *program, environment=environment)
        for name, words in (("missing", missing), ("wrong", wrong), ("other", other)):
            self.same(f"{kind}, {name} on other ranks", wanted, two([], words))
            self.same(f"{kind}, {name} on rank 0", wanted, two(words, []))
            self.refused(f"{kind}, {name}", "ranks have METIS of several kinds" if name == "other" else "other ranks have no METIS", two([], words, FORCED))
        self.same(f"{kind}, numbers of 64 bits on other ranks", wanted, two([], wide, FORCED))
        self.same(f"{kind}, all", wanted, two([], [], FORCED))


def main():
    real = here()
    with tempfile.TemporaryDirectory(prefix="sme metis ") as folder:
        test = Cuts(folder)
        with open(test.path("d.sme"), "w", encoding="utf-8") as f:
            f.write(design())
        subprocess.run([SMEC, "compile", "d.sme", "-O0", "-q", "--partition-size", "5", "-o", "d"], cwd=folder, check=True, timeout=LIMIT,
                       stderr=subprocess.DEVNULL)
        program = [test.path("d"), *CYCLES]
        status, wanted, _ = test.run(*program)
        test.check(status == 0 and len(wanted) == 17, f"one process: {status} {wanted!r}")
        os.makedirs(test.path("missing"))
        with open(test.path("missing/libmetis.so.5"), "wb"):
            missing = ["env", f"LD_LIBRARY_PATH={test.path('missing')}"]
        wrong = test.library("wrong", WRONG)
        if real is None:
            print("no METIS here: only how ranks do without it was tried")
            test.same("without it", wanted, test.run(*program, "--ranks", "3", "--oversubscribe"))
        else:
            test.in_process(program, wanted, missing, wrong)
            other, wide = (test.library(name, OTHER.replace("METIS\"", real + "\"", 1).replace("NUMBER", number).replace("SEED", seed))
                           for name, number, seed in (("other", "int", "77"), ("wide", "std::int64_t", "-1")))
            for kind in kinds():
                test.on_ranks(kind, program, wanted, missing, wrong, other, wide)
    for text in test.failures[:10]:
        print(text)
    print(f"{test.checks} checks, {' and '.join(kinds()) or 'no MPI found'}: {len(test.failures)} failed")
    return 1 if test.failures else 0


if __name__ == "__main__":
    sys.exit(main())
