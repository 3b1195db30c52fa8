#!/usr/bin/env python3
"""Latency of the mesh over what is asked of it, for several sizes: latency.py [--cycles N] [--jobs N] [--picture FILE]

Each point is a run of its own for each seed; the first half of a run only fills the network and does not count.
"""
import argparse
import pathlib
import statistics

import smec

HERE = pathlib.Path(__file__).resolve().parent
LOADS = [2, 8, 16, 24, 28, 32, 36, 40, 48, 56, 64, 80]


def latency(sim):
    """Of those that arrive in the second half of the run: cycles under way, and how many a cycle for each source."""
    total, cycles = sim.dut.total, sim.cycle
    count, waited = total.count, total.waited
    sim.step(cycles)
    count, waited = total.count - count, total.waited - waited
    return {"latency": waited / count, "accepted": count / cycles, "lost": total.lost}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cycles", type=int, default=4000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--sizes", type=int, nargs="+", default=[4, 8, 16])
    parser.add_argument("--picture", default="latency.svg")
    options = parser.parse_args()

    table = smec.sweep(HERE / "latency.sme", size=options.sizes, load=LOADS, seed=range(1, 6), cycles=options.cycles // 2,
                       measure=latency, jobs=options.jobs, frame=False)
    for row, error in enumerate(table["error"]):
        if error:
            raise SystemExit(f"size {table['size'][row]}, load {table['load'][row]}: {error}")
    curves = {}
    for size, load, cycles, accepted in zip(table["size"], table["load"], table["latency"], table["accepted"]):
        curves.setdefault(size, {}).setdefault(load / 256, []).append((cycles, accepted / size**2))
    for size, curve in curves.items():
        for load, runs in curve.items():
            print(f"{size:2} x {size:<2}  {load:.3f} wanted  {statistics.median(run[1] for run in runs):.3f} accepted  "
                  f"{statistics.median(run[0] for run in runs):7.1f} cycles")
    draw(curves, options.picture)


def draw(curves, path):
    import matplotlib
    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "smec"  # equal data, equal file
    from matplotlib import pyplot
    figure, axes = pyplot.subplots(figsize=(7, 4.2))
    for size, curve in curves.items():
        loads = list(curve)
        middle = [statistics.median(run[0] for run in runs) for runs in curve.values()]
        line, = axes.plot(loads, middle, marker="o", markersize=4, label=f"{size} × {size}")
        axes.fill_between(loads, [min(run[0] for run in runs) for runs in curve.values()], [max(run[0] for run in runs) for runs in curve.values()],
                          color=line.get_color(), alpha=0.25, linewidth=0)
    axes.set(xlabel="packets wanted per source and cycle", ylabel="cycles from wish to arrival", yscale="log", title="Latency of the mesh over load")
    axes.grid(True, which="both", linewidth=0.3)
    axes.legend(title="routers", loc="upper left")
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


if __name__ == "__main__":
    main()
