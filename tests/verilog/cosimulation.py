"""A Verilog module through `smec import` beside the same in Icarus: random inputs, every output in every cycle. A bit that is x in Icarus
may be anything."""
import os
import random
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "judge"))
from sample import sampled  # noqa: E402,F401  # for the tests

EDGES = ("0", "1")   # a clock before and after the edge that counts
SMEC = os.path.abspath(os.environ.get("SMEC", "build/release/bin/smec"))


if os.environ.get("SMEC_SANITIZE"):  # an optimised simulator takes many times as long to compile
    LEVELS = {"-O1": "-O0", "-O2": "-O0"}
else:
    LEVELS = {}


class Different(Exception):
    pass


def run(*words, folder, timeout=600):
    p = subprocess.run(words, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
                       timeout=timeout, check=False)
    return p.returncode, p.stdout, p.stderr


def must(*words, folder, timeout=600):
    status, out, err = run(*words, folder=folder, timeout=timeout)
    if status != 0:
        raise Different(f"{' '.join(words)}: status {status}\n{out[-2000:]}{err[-2000:]}")
    return out


def bench(top, inputs, outputs, clock, cycles):
    """Reads rows of inputs as hex, prints rows of outputs as bits."""
    total = sum(width for _, width in inputs)
    text = f"`timescale 1ns/1ns\nmodule bench;\n  reg clock = {EDGES[0]};\n"
    text += "".join(f"  reg [{w - 1}:0] i_{n} = 0;\n" for n, w in inputs)
    text += "".join(f"  wire [{w - 1}:0] o_{n};\n" for n, w in outputs)
    text += f"  reg [{max(total, 1) - 1}:0] rows [0:{cycles - 1}];\n  integer k;\n"
    pins = [f".{clock}(clock)"] if clock else []
    pins += [f".{n}(i_{n})" for n, _ in inputs] + [f".{n}(o_{n})" for n, _ in outputs]
    text += f"  {top} dut({', '.join(pins)});\n  initial begin\n    $readmemh(\"rows.hex\", rows);\n"
    text += f"    for (k = 0; k < {cycles}; k = k + 1) begin\n"
    if inputs:
        text += f"      {{{', '.join(f'i_{n}' for n, _ in inputs)}}} = rows[k];\n"
    text += f"      #5 $display(\"{' '.join('%b' for _ in outputs)}\", {', '.join(f'o_{n}' for n, _ in outputs)});\n"
    text += f"      clock = {EDGES[1]}; #5 clock = {EDGES[0]};\n    end\n    $finish;\n  end\nendmodule\n"
    return text


def inIcarus(folder, files, top, inputs, outputs, clock, rows, models=()):
    with open(os.path.join(folder, "bench.v"), "w", encoding="utf-8") as f:
        f.write(bench(top, inputs, outputs, clock, len(rows)))
    with open(os.path.join(folder, "rows.hex"), "w", encoding="utf-8") as f:
        for row in rows:
            word = 0
            for name, width in inputs:
                word = word << width | row[name]
            f.write(f"{word:x}\n")
    must("iverilog", "-g2012", "-o", "bench.vvp", "-s", "bench", "bench.v", *files, *models, folder=folder)
    return [line.split() for line in must("vvp", "-n", "bench.vvp", folder=folder).splitlines() if line[:1] in ("0", "1", "x", "z")]


def imported(folder, files, top, options=()):
    must(SMEC, "import", *files, "--top", top, "-o", "dut.sme", *options, folder=folder)


def inSmec(folder, inputs, outputs, rows, mode):
    """Ports are buses of a field `v`."""
    signed = signedPorts(folder)
    with open(os.path.join(folder, "rows.csv"), "w", encoding="utf-8") as f:
        f.write(",".join(["cycle"] + [f"{smeName(n)}.v" for n, _ in inputs]) + "\n")
        for k, row in enumerate(rows):
            values = [written(row[n], w, smeName(n) in signed) for n, w in inputs]
            f.write(",".join([str(k)] + values) + "\n")
    names = [f"{smeName(n)}.v" for n, _ in outputs]
    words = [SMEC, "run", "dut.sme", "-Wno-unused", "--cycles", str(len(rows)), "--trace", "out.csv", *(LEVELS.get(word, word) for word in mode)]
    if inputs:
        words += ["--input", "rows.csv"]
    must(*words, folder=folder)
    with open(os.path.join(folder, "out.csv"), encoding="utf-8") as f:
        header = f.readline().strip().split(",")
        places = [header.index(name) for name in names]
        return [[number(cells[place]) for place in places] for cells in (line.strip().split(",") for line in f)]


def signedPorts(folder):
    """Of the top network, the last declaration of the file."""
    with open(os.path.join(folder, "dut.sme"), encoding="utf-8") as f:
        text = f.read()
    return set(re.findall(r"(\w+): wire_i\d", text[text.rindex("\nnetwork "):]))


def written(bits, width, isSigned):
    if isSigned:
        return str(bits - (bits >> (width - 1) << width))
    return str(bits) if width > 1 else ("true" if bits else "false")


def smeName(name):
    return name + "_v" if name[0] in "ui" and name[1:].isdigit() else name


def number(text):
    return {"true": 1, "false": 0}.get(text) if text in ("true", "false") else int(text)


def compare(outputs, bits, values):
    """How many bits were compared. Raises Different at the first one that differs."""
    if len(bits) != len(values):
        raise Different(f"{len(bits)} cycles in Icarus, {len(values)} in smec")
    compared = 0
    for cycle, (row, found) in enumerate(zip(bits, values)):
        for (name, width), text, value in zip(outputs, row, found):
            known = int("".join("1" if c in "01" else "0" for c in text), 2)
            wanted = int("".join(c if c in "01" else "0" for c in text), 2)
            if value & known != wanted:
                raise Different(f"cycle {cycle}: {name} is {text} in Icarus, {value:0{width}b} in smec")
            compared += known.bit_count()
    return compared


def check(folder, files, top, inputs, outputs, clock="clk", cycles=200, seed=1, mode=("--interpret",), reset=None, options=(), models=()):
    """Ports as lists of (name, width). `reset`: (name, value while it is on, cycles)."""
    draw = random.Random(seed)
    rows = []
    for k in range(cycles):
        row = {name: drawn(draw, width) for name, width in inputs}
        if reset:
            row[reset[0]] = reset[1] if k < reset[2] else 1 - reset[1] if draw.random() < 0.97 else reset[1]
        rows.append(row)
    bits = wanted(folder, files, top, inputs, outputs, clock, rows, options, models)
    return compare(outputs, bits, inSmec(folder, inputs, outputs, rows, mode))


MADE = ("dut.sme", "rows.csv", "out.csv", "rows.hex", "bench.v", "bench.vvp")
asked = {}  # the last question and its answer, for the module's other modes


def wanted(folder, files, top, inputs, outputs, clock, rows, options, models):
    """What Icarus says. dut.sme is what smec imported."""
    texts = {}
    for file in os.scandir(folder):
        if file.is_file() and file.name not in MADE:
            with open(file.path, "rb") as f:
                texts[file.name] = f.read()
    question = repr((folder, texts, files, top, inputs, outputs, clock, rows, options, models, EDGES, os.environ.get("SMEC_YOSYS")))
    if question not in asked:
        imported(folder, files, top, options)
        bits = inIcarus(folder, files, top, inputs, outputs, clock, rows, models)
        asked.clear()
        asked[question] = bits
    return asked[question]


def drawn(draw, width):
    """Ends and small values often."""
    kind = draw.random()
    if kind < 0.12:
        return 0
    if kind < 0.24:
        return (1 << width) - 1
    if kind < 0.36:
        return draw.randrange(min(1 << width, 4))
    if kind < 0.46:
        return 1 << (width - 1)
    return draw.getrandbits(width)
