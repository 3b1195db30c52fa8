#!/usr/bin/env python3
"""Yosys' memory cell with random ports, by its name in Verilog: what `smec import` makes of it does what the cell's model in Yosys' simlib.v does in
Icarus. Reads at the edge with enables, resets of both kinds, first values and words written at the same edge; writes by bits, several at once."""
import argparse
import os
import random
import shutil
import sys
import tempfile

import cells
import cosimulation


def bits(draw, count, chance=0.5):
    return f"{count}'b" + "".join("1" if draw.random() < chance else "0" for _ in range(count))


def module(draw):
    width, size, offset = draw.choice([1, 4, 8, 33]), draw.choice([4, 6, 8]), draw.choice([0, 0, 1])
    abits, readers, writers = 4 if size + offset > 8 else 3, draw.randrange(1, 4), draw.randrange(1, 4)
    inputs = [("raddr", readers * abits), ("ren", readers), ("rst", readers), ("waddr", writers * abits), ("data", writers * width), ("wen", writers), ("part", writers)]
    clocked = [draw.random() < 0.75 for _ in range(readers)]
    mask = [[int(clocked[r] and draw.random() < 0.5) for _ in range(writers)] for r in range(readers)]
    resets = [draw.choice(["none", "sync", "async", "both"]) if c else "none" for c in clocked]
    flat = [one for reader in mask for one in reader]
    parameters = {
        "MEMID": '"\\\\ram"', "SIZE": size, "OFFSET": offset, "ABITS": abits, "WIDTH": width, "INIT": bits(draw, size * width),
        "RD_PORTS": readers, "RD_CLK_ENABLE": f"{readers}'b" + "".join(str(int(c)) for c in reversed(clocked)), "RD_CLK_POLARITY": f"{readers}'b" + "1" * readers,
        "RD_TRANSPARENCY_MASK": f"{len(flat)}'b" + "".join(str(one) for one in reversed(flat)),
        "RD_COLLISION_X_MASK": f"{len(flat)}'b" + "".join(str(int(clocked[i // writers] and not flat[i] and draw.random() < 0.3)) for i in reversed(range(len(flat)))),
        "RD_CE_OVER_SRST": bits(draw, readers), "RD_ARST_VALUE": bits(draw, readers * width), "RD_SRST_VALUE": bits(draw, readers * width),
        "RD_INIT_VALUE": bits(draw, readers * width), "RD_WIDE_CONTINUATION": f"{readers}'b0",
        "WR_PORTS": writers, "WR_CLK_ENABLE": f"{writers}'b" + "1" * writers, "WR_CLK_POLARITY": f"{writers}'b" + "1" * writers,
        "WR_PRIORITY_MASK": bits(draw, writers * writers, 0), "WR_WIDE_CONTINUATION": f"{writers}'b0",
    }
    # later writers come first, which the model does and the mask says
    parameters["WR_PRIORITY_MASK"] = f"{writers * writers}'b" + "".join(str(int(i > j)) for i in reversed(range(writers)) for j in reversed(range(writers)))
    always = [draw.random() < 0.3 for _ in range(readers)]
    pins = {
        "RD_CLK": f"{{{readers}{{clk}}}}", "RD_ADDR": "raddr", "RD_DATA": "q", "WR_CLK": f"{{{writers}{{clk}}}}", "WR_ADDR": "waddr", "WR_DATA": "data",
        "RD_EN": "{" + ", ".join("1'b1" if always[i] or not clocked[i] else f"ren[{i}]" for i in reversed(range(readers))) + "}",
        "RD_ARST": "{" + ", ".join(f"rst[{i}]" if resets[i] in ("async", "both") else "1'b0" for i in reversed(range(readers))) + "}",
        "RD_SRST": "{" + ", ".join(f"{'ren' if resets[i] == 'both' else 'rst'}[{i}]" if resets[i] in ("sync", "both") else "1'b0" for i in reversed(range(readers))) + "}",
        "WR_EN": "{" + ", ".join(", ".join(f"wen[{i}] & part[{i}]" if b >= width // 2 else f"wen[{i}]" for b in reversed(range(width))) for i in reversed(range(writers))) + "}",
    }
    ports = ["input clk"] + [f"input [{w - 1}:0] {n}" for n, w in inputs] + [f"output [{readers * width - 1}:0] q"]
    text = f"module dut({', '.join(ports)});\n  \\$mem_v2 #({', '.join(f'.{n}({v})' for n, v in parameters.items())})\n"
    return text + f"    ram ({', '.join(f'.{n}({v})' for n, v in pins.items())});\nendmodule\n", inputs, [("q", readers * width)]


# Chisel makes queues of one entry like this.
ONE_WORD = """module dut(input clk, input en, input [7:0] d, output [7:0] q, output reg [7:0] old);
  reg [7:0] ram [0:0];
  initial begin ram[0] = 93; old = 0; end
  wire at = 1'd0;
  assign q = ram[at];
  always @(posedge clk) begin if (en) ram[at] <= d; old <= ram[at] ^ d; end
endmodule
"""

# What is written beyond the end is lost; addresses have more bits than it takes, also of a wire that is counted from below zero.
BEYOND = """module dut(input clk, input we, input [7:0] a, input [15:0] d, input [7:0] r, output [7:0] q, output reg [7:0] s);
  reg [7:0] mem [0:15];
  reg [15:0] odd [0:9];
  wire [6:-1] at = a;
  integer i;
  initial begin s = 0; for (i = 0; i < 16; i = i + 1) mem[i] = i * 3; for (i = 0; i < 10; i = i + 1) odd[i] = i; end
  assign q = mem[r[3:0]] ^ odd[r];
  always @(posedge clk) begin
    if (we) begin mem[a] <= d; odd[at[5:0]][7:0] <= d; end
    if (a[7]) odd[d[4:0]][15:8] <= r;
    s <= mem[a] + odd[r][15:8];
    mem[r + 9'd16] <= d;
  end
endmodule
"""

FIXED = [(ONE_WORD, [("en", 1), ("d", 8)], [("q", 8), ("old", 8)]),
         (BEYOND, [("we", 1), ("a", 8), ("d", 16), ("r", 8)], [("q", 8), ("s", 8)])]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--modules", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cycles", type=int, default=300)
    parser.add_argument("--keep", help="where files of findings go")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="smec-models-") as scratch:
        library = cells.models(scratch)
        if not shutil.which("yosys") or not shutil.which("iverilog") or not library:
            print("yosys and iverilog are needed: apt-get install yosys iverilog")
            return 77
        failed = compared = 0
        for seed in range(options.seed - len(FIXED), options.seed + options.modules):
            if seed < options.seed:
                text, inputs, outputs = FIXED[seed - options.seed]
            else:
                text, inputs, outputs = module(random.Random(seed))
            folder = tempfile.mkdtemp(prefix="smec-memories-")
            with open(os.path.join(folder, "dut.v"), "w", encoding="utf-8") as f:
                f.write(text)
            try:
                compared += cosimulation.check(folder, ["dut.v"], "dut", inputs, outputs, "clk", options.cycles, seed, models=library)
            except cosimulation.Different as found:
                failed += 1
                print(f"seed {seed}: {found}")
                if options.keep:
                    shutil.copytree(folder, os.path.join(options.keep, f"memory_{seed}"), dirs_exist_ok=True)
            shutil.rmtree(folder)
    print(f"{compared} bits compared, {failed} of {options.modules + len(FIXED)} modules differ")
    return 1 if failed or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
