#!/usr/bin/env python3
"""Time of a process step of the ring over threads, under two models: threads.py [--n N] [--threads 1 2] [--seconds S] [--picture FILE]"""
import argparse
import os
import pathlib
import statistics
import time

import smec

HERE = pathlib.Path(__file__).resolve().parent


def nanoseconds(sim, steps, seconds):
    """Of one process step, in a run of about so many seconds."""
    cycles = 64
    while True:
        start = time.perf_counter()
        sim.step(cycles)
        elapsed = time.perf_counter() - start
        if elapsed > seconds / 2:
            return 1e9 * elapsed / (cycles * steps)
        cycles *= 2


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--n", type=int, nargs="+", default=[1000, 20000, 200000])
    parser.add_argument("--threads", type=int, nargs="+", default=list(range(1, 1 + len(os.sched_getaffinity(0)))))
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.2)
    parser.add_argument("--picture", default="threads.svg")
    options = parser.parse_args()

    times = {}
    for n in options.n:
        for _ in range(options.repeat):  # side by side: what else the machine does hits all of them
            for model in ("m2", "m1"):
                for threads in options.threads:
                    with smec.compile(HERE / "ring.sme", n=n, options={"model": model, "threads": threads}) as sim:
                        times.setdefault((n, model), {}).setdefault(threads, []).append(nanoseconds(sim, n, options.seconds))
    for (n, model), points in times.items():
        for threads, runs in points.items():
            print(f"{n:7} processes  {model}  {threads} threads  {statistics.median(runs):.3f} ns ({min(runs):.3f} … {max(runs):.3f})")
    draw(times, options.picture)


def draw(times, path):
    import matplotlib
    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "smec"  # equal data, equal file
    from matplotlib import pyplot, ticker
    figure, axes = pyplot.subplots(figsize=(7, 4.2))
    for (n, model), points in times.items():
        middle = [statistics.median(runs) for runs in points.values()]
        spread = [[value - min(runs) for value, runs in zip(middle, points.values())], [max(runs) - value for value, runs in zip(middle, points.values())]]
        axes.errorbar(list(points), middle, yerr=spread, marker="o", markersize=4, capsize=3, linestyle="-" if model == "m2" else "--",
                      label=f"{n:,} processes, {model}")
    axes.set(xlabel="threads", ylabel="ns per process step", yscale="log", title="The ring over threads")
    for which in ("major", "minor"):
        axes.yaxis.set_tick_params(which=which, labelsize=8)
    axes.yaxis.set_major_formatter("{x:g}")
    low, high = axes.get_ylim()
    if high < 25 * low:
        axes.yaxis.set_minor_formatter("{x:g}")
    else:
        axes.yaxis.set_major_locator(ticker.LogLocator(subs=(1, 2, 5)))
        axes.yaxis.set_minor_formatter(ticker.NullFormatter())
    axes.set_xticks(sorted({threads for points in times.values() for threads in points}))
    axes.grid(True, which="both", linewidth=0.3)
    axes.legend(fontsize="small")
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


if __name__ == "__main__":
    main()
