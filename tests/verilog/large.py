#!/usr/bin/env python3
"""smec import of a netlist of many cells that are not shared, and of a memory whose first words are a long text of x: memory follows the netlist, and what is
formatted in pieces is what the formatter makes of the whole. Yosys is a script here, which gives the netlist."""
import json
import os
import subprocess
import sys
import tempfile

SMEC = os.path.abspath(os.environ["SMEC"])
CELLS = 300  # of a module
MOST_PER_CELL = 2500
YOSYS = """#!/bin/sh
for word; do case "$word" in *.ys) cp "$NETLIST" "$(sed -n 's/^write_json \\(.*\\)$/\\1/p' "$word")" && exit;; esac; done
echo "Yosys 0.99"
"""


def width(name, count):
    return {name: f"{count:032b}"}


def module(number):
    """A chain of sums and choices into a register, with constants of its own."""
    cells, nets, last, free = {}, {}, list(range(4, 12)), 20
    for k in range(CELLS):
        out = list(range(free, free + 8))
        free += 8
        kind, pins = ("$add", {"A": last, "B": [*(str(number >> i & 1) for i in range(8))], "Y": out}) if k % 2 else ("$mux", {"A": last, "B": [4, 5, 6, 7, 8, 9, 10, 11], "S": [last[k % 8]], "Y": out})
        cells[f"$made{k}"] = {"hide_name": 1, "type": kind, "parameters": {"A_SIGNED": "0", "B_SIGNED": "0", **width("A_WIDTH", 8), **width("B_WIDTH", 8), **width("Y_WIDTH", 8)},
                              "attributes": {"src": f"chain.v:{k}.1-{k}.40"}, "port_directions": {}, "connections": pins}
        nets[f"step{k}"] = {"hide_name": 0, "bits": out, "attributes": {"src": f"chain.v:{k}.1-{k}.40"}}
        last = out
    register = list(range(12, 20))
    cells["$register"] = {"hide_name": 1, "type": "$dff", "parameters": {"CLK_POLARITY": "1", **width("WIDTH", 8)}, "attributes": {}, "port_directions": {},
                          "connections": {"CLK": [2], "D": last, "Q": register}}
    ports = {"clk": {"direction": "input", "bits": [2]}, "a": {"direction": "input", "bits": list(range(4, 12))}, "q": {"direction": "output", "bits": register}}
    return {"attributes": {}, "ports": ports, "cells": cells, "netnames": {**nets, "q": {"hide_name": 0, "bits": register, "attributes": {}}}}


def netlist(path, count, words=0):
    ports, cells, last = {"clk": {"direction": "input", "bits": [2]}, "a": {"direction": "input", "bits": list(range(4, 12))}}, {}, list(range(4, 12))
    for k in range(count):
        out = list(range(20 + 8 * k, 28 + 8 * k))
        cells[f"u{k}"] = {"hide_name": 0, "type": f"chain{k}", "parameters": {}, "attributes": {}, "port_directions": {}, "connections": {"clk": [2], "a": last, "q": out}}
        last = out
    if words:
        out = list(range(20 + 8 * count, 28 + 8 * count))
        ones = {"RD_CLK_ENABLE": "0", "RD_CLK_POLARITY": "1", "WR_CLK_ENABLE": "1", "WR_CLK_POLARITY": "1"}
        cells["ram"] = {"hide_name": 0, "type": "$mem_v2", "attributes": {}, "port_directions": {},
                        "parameters": {"MEMID": "\\ram", "INIT": "@", "WIDTH": "1000", "SIZE": f"{words:b}", "ABITS": "1000", "OFFSET": "0", "RD_PORTS": "1", "WR_PORTS": "1", **ones},
                        "connections": {"RD_CLK": ["x"], "RD_ADDR": last, "RD_DATA": out, "RD_EN": ["1"], "RD_ARST": ["0"], "RD_SRST": ["0"], "WR_CLK": [2], "WR_EN": ["1"] * 8,
                                        "WR_ADDR": last, "WR_DATA": last}}
        last = out
    ports["q"] = {"direction": "output", "bits": last}
    with open(path, "w", encoding="utf-8") as f:
        f.write('{"creator": "none", "modules": {')
        for k in range(count):
            f.write(f"{json.dumps(f'chain{k}')}: {json.dumps(module(k + 1))},\n")
        before, _, after = json.dumps({"attributes": {"top": "1"}, "ports": ports, "cells": cells, "netnames": {}}).partition("@")
        f.write(f'"top": {before}')
        for _ in range(words // 1024):   # what this program takes counts for those that it starts
            f.write("x" * 8 * 1024)
        f.write(after + "}}")


def measured(folder, path):
    """KiB at most."""
    env = {**os.environ, "SMEC_YOSYS": os.path.join(folder, "yosys"), "NETLIST": path}
    with open(os.path.join(folder, "said"), "w+b") as said, \
            subprocess.Popen([SMEC, "import", "top.v", "--top", "top", "-o", "out.sme"], cwd=folder, env=env, stdin=subprocess.DEVNULL, stdout=said, stderr=said) as p:
        _, status, usage = os.wait4(p.pid, 0)
        p.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        if p.returncode != 0:
            sys.exit(f"{path}: status {p.returncode}\n{said.read().decode()}")
    return usage.ru_maxrss


def main():
    with tempfile.TemporaryDirectory(prefix="smec-large-") as folder:
        with open(os.path.join(folder, "yosys"), "w", encoding="utf-8") as f:
            f.write(YOSYS)
        os.chmod(f.name, 0o755)
        with open(os.path.join(folder, "top.v"), "w", encoding="utf-8") as f:
            f.write("module top(input clk); endmodule\n")
        sizes = {}
        for count in (1, 40, 200):
            netlist(os.path.join(folder, f"{count}.json"), count)
            sizes[count] = measured(folder, os.path.join(folder, f"{count}.json"))
        each = (sizes[200] - sizes[40]) * 1024 // (160 * CELLS)
        if each > MOST_PER_CELL:
            sys.exit(f"{each} bytes a cell")
        if os.path.getsize(os.path.join(folder, "out.sme")) < 3 << 19:
            sys.exit("too small to be formatted in pieces")
        subprocess.run([SMEC, "fmt", "--check", "out.sme"], cwd=folder, check=True)
        words = 1 << 24
        netlist(os.path.join(folder, "words.json"), 1, words)
        text = (measured(folder, os.path.join(folder, "words.json")) - sizes[1]) * 1024 / (8 * words)
        if text > 2:
            sys.exit(f"{text:.1f} times the text of a memory's first words")
    print(f"{each} bytes a cell, {text:.1f} times the text of a memory's first words")


main()
