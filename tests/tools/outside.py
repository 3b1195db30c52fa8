#!/usr/bin/env python3
"""Going back over calls of foreign code that cannot be made twice: serial functions, and objects that can neither be copied nor saved. They are
given what they gave, under each model, and call on where the run had come to."""
import os
import shutil
import subprocess

from support import ROOT, Tally, scratch, smec, write

# each instance counts for itself, so that values do not depend on who calls first; some calls are in a function that classes share
DESIGN = """
extern serial func ticks(who: u8): u32 from "outer.hpp";
extern proc dial(in q: wish, out d: count) cpp("outer.hpp");
extern proc sink(in d: count) cpp("outer.hpp");
type wish: bus { v: u8; };
type count: bus { n: u32; twice: [2]u8; };
type tally: bus { n: u32; sum: u64; };
func several(who: u8, more: bool): u32 {
    return more ? ticks(who) * 3 + ticks(who) : ticks(who);
}
proc reader(in q: wish, out t: tally, const who: u8)
    var sum: u64;
{
    t.n = several(who, cycle() % 3 == 0);
    sum = u64((sum * 31 + t.n + q.v) % 1000007);
    t.sum = sum;
}
proc other(out t: tally, const who: u8) {
    t.n = several(who, false);
    if (cycle() % 2 == 0) { t.sum = ticks(who); }
}
async proc plus(in q: wish, out s: wish) { s.v = u8((q.v + 1) % 256); }
network world(in q: wish) {
    exposed bus t[6]: tally;
    exposed bus d[3]: count;
    exposed bus s: wish;
    generate i = 0 until 4 { instance r[i] of reader(q, t[i], who: u8(i)); }
    generate i = 4 until 6 { instance o[i] of other(t[i], who: u8(i)); }
    generate i = 0 until 3 {
        instance a[i] of dial(q, d[i]);
        instance z[i] of sink(d[i]);
    }
    instance p of plus(q, s);
}
"""
ASKS = """
extern serial func ticks(who: u8): u32 from "outer.hpp";
type wish: bus { v: u8; };
async proc ask(in q: wish, out r: wish) { r.v = u8((q.v + ticks(0)) % 256); }
network asks(in q: wish, out r: wish) { instance a of ask(q, r); }
"""
LOUD = """
extern proc loud(in q: wish, out d: wish) cpp("outer.hpp");
type wish: bus { v: u8; };
async proc plus(in d: wish, out s: wish) { s.v = u8((d.v + 1) % 256); }
network shouts(in q: wish, out s: wish) { bus d: wish; instance l of loud(q, d); instance p of plus(d, s); }
"""
HEADER = """#pragma once
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
inline std::array<std::uint32_t, 256> counts{};
inline std::uint32_t ticks(std::uint8_t who) { return ++counts[who]; }
struct dial {
    void operator()(const auto& q, auto& d) { d.n = ++*turns; d.twice = {std::uint8_t(*turns), q.v}; }
    std::unique_ptr<std::uint32_t> turns = std::make_unique<std::uint32_t>(0);
};
struct loud {  // can be copied, which is no reason to call the copy
    void operator()(const auto& q, auto& d) { d.v = std::uint8_t(++calls + q.v); std::printf("call %u\\n", calls); }
    unsigned calls = 0;
};
struct sink {
    sink() = default;
    sink(const sink&) = delete;
    void operator()(const auto& d) { ++calls; if (calls % 50 == 0) std::printf("sink %u %u\\n", calls, unsigned(d.n)); }
    unsigned calls = 0;
};
"""
WARNINGS = ["-std=c++17", "-Wall", "-Wextra", "-Werror", "-O0"]
HERE = os.path.dirname(os.path.abspath(__file__))


def main():
    tally = Tally()
    with scratch() as folder:
        write(folder, "world.sme", DESIGN)
        write(folder, "asks.sme", ASKS)
        write(folder, "outer.hpp", HEADER)
        for name in ("world", "asks"):
            tally.equal(smec("compile", "--lib", "-O0", "-q", f"{name}.sme", cwd=folder), (0, "", ""), name)
        shutil.copy(os.path.join(HERE, "outside_user.cpp"), folder)
        made = subprocess.run(["g++", *WARNINGS, "-I", os.path.join(ROOT, "contract", "include"), "outside_user.cpp", "-o", "user", "-L.", "-lworld", "-lasks",
                               "-Wl,-rpath,$ORIGIN"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        tally.equal((made.returncode, made.stdout), (0, ""), "the program compiles")

        def user(*words):
            done = subprocess.run(["./user", *words], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False, timeout=100)
            tally.equal((done.returncode, done.stderr), (0, ""), f"user {words}")
            return done.stdout

        straight = user("straight", "m2", "1", "off")
        tally.check(straight.count("\n") == 126 and straight.count("sink 50 49\n") == 3, straight[:300])
        for model, threads in (("m1", "1"), ("m2", "1"), ("m1", "2"), ("m2", "2"), ("m3", "2")):
            for states in ("off", "64"):
                tally.equal(user("back", model, threads, states), straight, f"back under {model} with {threads} threads, states {states}")
        for mode in ("anew", "states", "eval", "full"):
            tally.check(user(mode, "m2", "2", "64").endswith("good\n"), mode)
        write(folder, "shouts.sme", LOUD)
        for mode in ((), ("--interpret",)):
            status, out, err = smec("run", "asks.sme", "-O0", "-q", *mode, "--quiet", "--cycles", "3", "--print", "r.v", "--print", "q.v", cwd=folder)
            tally.equal((status, out), (0, "r.v: unknown\nq.v: 0\n"), f"what only cycles call {mode}")
            tally.check("warning: --print 'r.v': what is combinational is not known between two cycles: a process calls the 'extern serial' function "
                        "'ticks', which only cycles do" in err, err)
            status, out, err = smec("run", "shouts.sme", "-O0", "-q", *mode, "--quiet", "--cycles", "3", "--print", "s.v", cwd=folder)
            tally.equal((status, sorted(out.splitlines())), (0, ["call 1", "call 2", "call 3", "s.v: 4"]), f"a look calls no object {mode} {err}")
    tally.end()


main()
