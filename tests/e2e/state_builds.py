#!/usr/bin/env python3
"""A state is the design's, not the build's: what one build keeps, each other one goes on from, to the end of a run without a break.

    state_builds.py [DESIGN...]
"""
import os
import subprocess
import sys
import tempfile

SMEC = os.environ["SMEC"]
BENCH = os.path.join(os.environ["SMEC_SOURCE_DIR"], "tests", "bench", "designs")
BUILDS = {"default": ["-O2"], "nosimd": ["-O0", "--no-simd"], "parts": ["-O0", "--partition-size", "1"], "generic": ["-O1", "--march", "generic"]}
RULES = [line.split()[0] for line in subprocess.run([SMEC, "compile", "--without", "help"], stdout=subprocess.PIPE, encoding="utf-8", check=True).stdout.splitlines()]
BUILDS["bare"] = ["-O0", *(word for rule in RULES for word in ("--without", rule))]
RUNS = (["--model", "m1", "--threads", "1"], ["--model", "m2", "--threads", "2"], ["--model", "m3", "--threads", "2"], ["--ranks", "2", "--threads", "1"])
MIDDLE, END = 23, 61

# What is hidden and what options treat differently: arrays that a body keeps at a wait, fields on their way, a held array that is only partly
# copied, random numbers, counts; arrays that lanes take apart or spread; kinds that are merged; all types.
PROGRAMS = {
    "waits": """type link: bus { v: u16; b: u8; };
proc worker(in x, const k: u8)
    hold bus o { v: u16 = k; b: u8 = 3; };
    var total: u32 = 0;
{
    var last: [4]u16 = [1, 2, 3, 4];
    var odd: bool = false;
    last[1] = x.v;
    wait;
    last[x.b & 3] = u16(x.v + k);
    odd = x.b[0];
    wait;
    o.v = u16(last[0] + last[1] * 3 + last[2] * 5 + last[3] * 7 + (odd ? 1 : 0));
    o.b = u8(o.b + last[1]);
    total = u32(total + o.v);
}
network top() { generate i = 0 until 40 { instance p[i] of worker(p[(i + 39) % 40].o, i); } }
""",
    "delays": """type link: bus { v: u16; b: u8; };
proc cell(in x, out y: link, const k: u8) { y.v = u16(x.v * 3 + k); y.b = u8(x.b + 1); cover(x.v[2], "bit"); }
network top() {
    delay 3 bus l[24]: link;
    hold delay 2 bus m: link;
    generate i = 0 until 24 { instance p[i] of cell(l[(i + 23) % 24], l[i], i); }
    instance q of cell(l[5], m, 9);
    instance r of cell(m, n, 2);
    bus n: link;
}
""",
    "held": """sim proc noise() bus o { v: u64; }; { o.v = random(); }
proc memory(in x) hold bus o { m: [256]u32; n: [64]u8; }; var at: u8 = 0;
{
    at = u8(at + 1);
    o.m[at] = u32(x.v + o.m[u8(at + 7)]);
    if (x.v[3]) { o.n[x.v[5:0]] = u8(x.v); }
}
proc sum(in x) var s: u64 = 0; { for i = 0 until 256 { s = u64(s * 3 + x.m[i]); } s = u64(s + x.n[7]); }
network top() { instance a of noise(); instance m of memory(a.o); instance s of sum(m.o); }
""",
    "kinds": """proc one(in x, in w, const k: u8)
    bus o { v: u16 = k; };
    var a: [16]u8; var at: u4; var few: [3]u8 = [4, 5, 6];
{
    a[at] = u8(x.v); at = u4(at + 1);
    few[1] = u8(few[2] + x.v); few[2] = u8(w.v);
    o.v = u16(w.v * 3 + a[u4(at + 5)] + few[0]);
}
proc other(in x, in w, const k: u8)
    bus o { v: u16 = k; };
    var n: u8 = 5;
{
    n = u8(n + x.v);
    if (x.v > 900) { o.v = u16(x.v ^ n); } else { o.v = u16(w.v + n); }
}
proc tap(in x) bus o { v: u16; }; { o.v = u16(x.v + 1); }
network top() {
    generate i = 0 until 64 {
        generate if (i % 3 == 1) { instance p[i] of other(p[(i + 63) % 64].o, p[(i + 8) % 64].o, i); }
        else { instance p[i] of one(p[(i + 63) % 64].o, p[(i + 8) % 64].o, i); }
    }
    generate i = 0 until 64 { instance t[i] of tap(p[i].o); }
}
""",
    "types": """type pair: struct { p: u8; q: [3]u16; };
enum mood { GLAD, SAD, CALM }
proc cell(in x, const k: u8)
    bus o { v: u16 = k; e: mood; f: f32 = 0.5; s: pair; };
    var s: pair; var wide: u130 = k; var r: int range -5 to 5; var d: f64 = 0.25; var m: [2][3]i5;
{
    s = x.s; s.p = u8(s.p + 1); s.q[1] = x.v; m[s.p & 1][2] = i5(s.p); wide = u130(wide * 5 + x.v);
    o.v = u16(wide >> 3); o.s = s; o.e = x.v[0] ? mood.SAD : x.e; o.f = x.f * 0.5 + 1.0; r = r == 5 ? -5 : r + 1; d = d * 0.75 + 1.0;
}
network top() { generate i = 0 until 20 { instance p[i] of cell(p[(i + 19) % 20].o, i); } }
""",
    "numbers": """type link: bus { n: int; u: uint; a: [3]int; };
proc cell(in x, const k: u8) bus o: link; var s: int = -3; var t: [2]uint; var r: int range -5 to 5;
{ s = int(i64(s * 7 + k)); t[k & 1] = uint(u64(t[k & 1] + 3)); o.n = x.a[2]; o.u = t[1]; o.a[2] = int(i64(x.n + s)); r = r == 5 ? -5 : r + 1; }
network top() { generate i = 0 until 20 { instance p[i] of cell(p[(i + 19) % 20].o, i); } }
""",
    "machines": """type pair: struct { p: u8; q: [3]u16; f: f32; };
enum mood { GLAD, SAD, CALM }
sim proc noise(out x) { x.v = u16(random()); x.b = u8(random() >> 60); cover(x.v[0], "odd"); cover(x.v > 60000, "much"); }
proc worker(in x, const k: u8)
    bus o { v: u16 = k; s: pair; };
    var total: u32 = 0;
{
    var last: pair; var now: mood = mood.SAD;
    var grid: [2][3]i5;
    last.q[1] = u16(k);
    for i = 0 until 3 {
        for j = 4 downto 2 {
            if (x.b[0]) { wait u8(x.b[1:0]) + 1; cover(true, "here"); } else { wait until (x.v[0]); now = mood.CALM; }
            grid[i & 1][j - 2] = i5(x.v);
            last.p = u8(last.p + j); last.q[i] = u16(last.q[i] + x.v); last.f = last.f * 0.5 + 1.5;
        }
        for n = i to 2 { wait; total = u32(total + n); }
        o.s = last;
    }
    if (total == 77) { var late: int range 40 to 144 = 40; wait; total = u32(total + late); }
    var rounds: u4 = 0;
    while (rounds < 3) { rounds = rounds + 1; switch now { case mood.SAD { wait 2; } case mood.CALM { wait; total = total ^ 5; } default { } } }
    o.v = u16(last.q[0] + last.q[1] * 3 + last.q[2] * 5 + total + (grid[1][2] < 0 ? 1 : 0));
    trace("{} {} {}", k, total, o.v);
}
network top() {
    bus w: link; type link: bus { v: u16; b: u8; };
    instance a of noise(w);
    generate i = 0 until 24 { instance p[i] of worker(w, i); }
}
""",
    "lines": """type pair: struct { p: u8; q: [3]u16; };
type link: bus { v: u16; s: pair; a: [2]i5; };
proc cell(in x, out y: link, const k: u8) { y.v = u16(x.v * 3 + k); y.s.q[1] = x.v; y.s.p = u8(x.s.p + 1); y.a[x.v & 1] = i5(x.v); }
proc some(in x, out y: link, const k: u8) { if (x.v[1]) { y.v = u16(x.v * 5 + k); y.s.q[2] = x.s.q[1]; } if (cycle() == 0) { y.s.p = 77; } }
network top() {
    delay 5 bus l[24]: link;
    hold delay 4 bus m: link;
    hold delay 2 bus n: link;
    generate i = 0 until 24 { instance p[i] of cell(l[(i + 23) % 24], l[i], i); }
    instance q of some(l[5], m, 9);
    instance r of some(m, n, 2);
    instance s of some(n, t, 3);
    bus t: link;
}
""",
    "waiting": (os.path.join(BENCH, "waiting.sme"), ["-G", "n=64"]),
    "mesh": (os.path.join(BENCH, "mesh.sme"), ["-G", "n=9"]),
    "noc": (os.path.join(BENCH, "noc.sme"), []),
}


def covered(summary):
    return [line for line in summary.splitlines() if "cover" in line]


class Design:
    def __init__(self, name, folder):
        self.name, self.folder = name, folder
        program = PROGRAMS[name]
        self.path, self.words = program if isinstance(program, tuple) else (os.path.join(folder, name + ".sme"), [])
        if not isinstance(program, tuple):
            with open(self.path, "w", encoding="utf-8") as f:
                f.write(program)
        self.failures = self.resumed = 0

    def run(self, command):
        p = subprocess.run(command, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=300)
        return p.returncode, p.stdout, p.stderr

    def start(self, build, number=0):
        if build == "interpreter":
            return [SMEC, "run", "--interpret", self.path, *self.words]
        return [f"./{build}", *RUNS[number % len(RUNS)]]

    def fail(self, text):
        self.failures += 1
        print(f"{self.name}: {text}", flush=True)

    def test(self):
        for build, words in BUILDS.items():
            status, _, err = self.run([SMEC, "compile", self.path, *self.words, *words, "-q", "-o", build, "--build-dir", "build_" + build])
            if status != 0:
                return self.fail(f"{build}: {err[:400]}")
        builds = [*BUILDS, "interpreter"]
        _, wanted, summary = self.run([*self.start("default"), "--cycles", str(END), "--checksum"])
        covers = covered(summary)
        for number, writer in enumerate(builds):
            state = f"{writer}.state"
            status, before, err = self.run([*self.start(writer, number), "--cycles", str(MIDDLE), "--checkpoint", state])
            if status != 0:
                self.fail(f"{writer} keeps no state: {err[:400]}")
                continue
            for reader in builds:
                self.resumed += 1
                status, out, err = self.run([*self.start(reader, number + 1), "--resume", state, "--cycles", str(END), "--checksum"])
                if status != 0 or before + out != wanted or covered(err) != covers:
                    self.fail(f"{writer} to {reader}: status {status}, {out.strip()[-400:]} instead of {wanted.strip()[-400:]} {err[:300]}")
        self.test_bytes()

    def test_bytes(self):
        with open(os.path.join(self.folder, "default.state"), "rb") as a, open(os.path.join(self.folder, "parts.state"), "rb") as b:
            if a.read() != b.read():
                self.fail("two builds keep different bytes")


def main():
    failures = 0
    for name in sys.argv[1:] or PROGRAMS:
        with tempfile.TemporaryDirectory() as folder:
            design = Design(name, folder)
            design.test()
            failures += design.failures
            print(f"{name}: {design.resumed} states resumed, {design.failures} failures", flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
