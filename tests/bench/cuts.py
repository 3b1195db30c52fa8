#!/usr/bin/env python3
"""What cutting the list of work costs: the units of each plan on one thread, by the same list in one piece.

    cuts.py --smec PATH [--threads 2,5] [--limit 1.1] [--only uneven,bytes]

Networks of two kinds of processes that differ in their rounds, in sizes that fill no vector. The ratio is T_elision / T_s of `--report factored`, the lowest
times of seven runs; exit status 1 where it is above the limit.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

NETWORK = """
proc work(in x, out y, const rounds: u32)
    var v: {type} = 0;
{{
    v = x.v;
    for i = 0 until rounds {{ v = {step}; }}
    y.v = v;
}}
network top()
{{
    bus link[{all}] {{ v: {type}; }};
    generate i = 0 until {heavy} {{ instance heavy[i] of work(link[i], link[i + 1], rounds: {rounds}); }}
    generate i = {heavy} until {all} - 1 {{ instance light[i] of work(link[i], link[i + 1], rounds: {rounds} / 4); }}
    instance last of work(link[{all} - 1], link[0], rounds: {rounds} / 4);
}}
"""
STEP32 = "(v * 1664525 + 1013904223) & 0xffffffff"
TWISTS = {  # name -> type, what a round does, rounds, heavy processes, all
    "uneven": ("u32", STEP32, 400, 100, 200),
    "odd sizes": ("u32", STEP32, 400, 37, 138),
    "many": ("u32", STEP32, 100, 1003, 1336),
    "bytes": ("u8", "(v * 5 + 3) & 0xff", 600, 211, 308),
    "u16": ("u16", "(v * 25173 + 13849) & 0xffff", 600, 235, 365),
    "f64": ("f64", "v * 0.999 + 1.0", 200, 77, 168),
}
PLANS = [("m2", "--orchestrate", how) for how in ("thesis", "even", "roundrobin", "profile", "montecarlo", "optimize")]
PLANS += [(model, "--chunk", chunk) for model in ("m1", "m3")
          for chunk in ("static", "ss", "gss", "tss", "fac2", "tfss", "fiss", "viss", "pls", "mfsc", "mstatic")]
CYCLES = 200


def ratio(program, threads, plan):
    command = [program, "--cycles", str(CYCLES), "--quiet", "--threads", threads, "--report", "json,factored:7", "--model", plan[0], *plan[1:]]
    out = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    times = json.loads(out[out.index("{"):])["factored"]
    return times["elided"]["min"] / times["sequential"]["min"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--smec", required=True)
    parser.add_argument("--threads", default="2,5")
    parser.add_argument("--limit", type=float, default=1.1)
    parser.add_argument("--only", default="", metavar="NAMES")
    options = parser.parse_args()
    threads, above = options.threads.split(","), 0
    print("| network | plan | " + " | ".join(f"{number} shares" for number in threads) + " |\n|---|---|" + "---|" * len(threads))
    with tempfile.TemporaryDirectory() as folder:
        for name, (word, step, rounds, heavy, count) in TWISTS.items():
            if options.only and name not in options.only.split(","):
                continue
            source, program = os.path.join(folder, "cuts.sme"), os.path.join(folder, "cuts")
            with open(source, "w") as file:
                file.write(NETWORK.format(type=word, step=step, rounds=rounds, heavy=heavy, all=count))
            subprocess.run([options.smec, "compile", source, "-q", "-o", program, "--build-dir", program + ".build"], check=True)
            for plan in PLANS:
                found = [ratio(program, number, plan) for number in threads]
                above += sum(one > options.limit for one in found)
                print(f"| {name} | {plan[0]} {plan[2]} | " + " | ".join(f"{one:.2f}" for one in found) + " |", flush=True)
    print(f"\n{above} above {options.limit:g}")
    return 1 if above else 0


if __name__ == "__main__":
    sys.exit(main())
