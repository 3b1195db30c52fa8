#!/usr/bin/env python3
"""Write a network of N processes that are all different (BENCHMARKS: `hetero`), in one of three languages.

    hetero.py N [--every E] [--seed S] [--edit K] [--language sme|cpp|v] > hetero.sme

Each process has a random body of ten u32 operations (+ - ^ & | shift by a constant, compare-select) on two inputs and one variable, and
one output; every output is read exactly twice. --every E: a process works in one of E cycles, another part of them in each. --edit K changes process K alone, to time an incremental compile. The random program is
the same in all languages. The C++ takes the number of cycles; it and the Verilog follow the conventions of designs/.
"""
import argparse
import random

PER_FUNCTION = 250  # processes of the C++: functions that the optimiser takes seconds, not minutes, for


class Process:
    """Operations as texts over the names a, b (inputs), s (the variable) and t0 ... t8."""

    def __init__(self, rng, edited):
        self.start = rng.randrange(2**32)
        names = ["a", "b", "s"]
        self.steps = []
        for k in range(9):
            self.steps.append(operation(rng, names))
            names.append(f"t{k}")
        self.next = f"t8 + {rng.choice(names)}{' + 1' if edited else ''}"
        self.out = rng.choice(names[3:])


def operation(rng, names):
    a, b = rng.choice(names), rng.choice(names)
    kind = rng.randrange(8)
    if kind < 5:
        return f"{a} {'+-^&|'[kind]} {b}"
    if kind == 5:
        return f"{a} << {rng.randrange(1, 31)}"
    if kind == 6:
        return f"{a} >> {rng.randrange(1, 31)}"
    return f"{a} < {b} ? {a} : {b}"


def network(n, seed, edit):
    """The processes, and for each the two numbers of those it reads."""
    rng = random.Random(seed)
    processes = [Process(random.Random(rng.randrange(2**62)), i == edit) for i in range(n)]
    readers = list(range(n)) * 2
    rng.shuffle(readers)
    return processes, [(readers[2 * i], readers[2 * i + 1]) for i in range(n)]


def results(n):
    return [0, n // 3, n // 2, n - 1]


def portsOf(text):
    """The names of inputs in an operation as the fields they are in .sme."""
    return " ".join({"a": "a.v", "b": "b.v"}.get(word, word) for word in text.split())


def asSme(processes, wires, every):
    lines = []
    if every > 1:
        lines += ["proc turns(out o)", "{", f"    o.n = o.n == {every - 1} ? 0 : o.n + 1;", "}", ""]
    for i, p in enumerate(processes):
        lines += [f"proc p{i}(in a, in b, {'in turn, ' if every > 1 else ''}out y)", f"    var s: u32 = {p.start};", "{"]
        body = [f"    var t{k}: u32 = {portsOf(step)};" for k, step in enumerate(p.steps)]
        body += [f"    s = {portsOf(p.next)};", f"    y.v = {p.out} ^ s;"]
        if every > 1:
            body = [f"    if (turn.n == {i % every}) {{", *("    " + line for line in body), "    }"]
        lines += [*body, "}", ""]
    lines += ["network hetero()", "{", f"    {'hold ' if every > 1 else ''}bus w[{len(processes)}] {{ v: u32; }};"]
    if every > 1:
        lines += ["    bus turn { n: u32; };", "    instance clock of turns(turn);"]
    turn = "turn, " if every > 1 else ""
    lines += [f"    instance q{i} of p{i}(w[{a}], w[{b}], {turn}w[{i}]);" for i, (a, b) in enumerate(wires)]
    return lines + ["}"]


def cppBody(i, p, a, b):
    lines = ["    {", f"        const u32 a = in[{a}], b = in[{b}], s = state[{i}];"]
    lines += [f"        const u32 t{k} = {step};" for k, step in enumerate(p.steps)]
    return lines + [f"        const u32 next = {p.next};", f"        state[{i}] = next;", f"        out[{i}] = {p.out} ^ next;", "    }"]


def asCpp(processes, wires, every):
    if every > 1:
        raise ValueError("there is no C++ with --every")
    n = len(processes)
    lines = ['#include "limit.hpp"', ""]
    steps = []
    for first in range(0, n, PER_FUNCTION):
        steps.append(f"step{first // PER_FUNCTION}")
        lines.append(f"static void {steps[-1]}(const u32* __restrict in, u32* __restrict out, u32* __restrict state) {{")
        for i in range(first, min(n, first + PER_FUNCTION)):
            lines += cppBody(i, processes[i], *wires[i])
        lines += ["}", ""]
    lines += [f"static u32 state[{n}] = {{{', '.join(f'{p.start}u' for p in processes)}}};", "", "int main(int argc, char** argv) {",
              f"    const u32* end = twoBuffers(cyclesOf(argc, argv), zeroed<u32>({n}), zeroed<u32>({n}), [](const u32* in, u32* out) {{"]
    lines += [f"        {step}(in, out, state);" for step in steps]
    lines += ["    });"] + [f"    printResult(std::uint64_t{{end[{i}]}});" for i in results(n)]
    return lines + ["}"]


def asVerilog(processes, wires, every):
    lines = []
    on = lambda i: f"if (turn == {i % every}) " if every > 1 else ""
    for i, p in enumerate(processes):
        turn = ", input [31:0] turn" if every > 1 else ""
        lines += [f"module p{i}(input clk, input [31:0] a, input [31:0] b{turn}, output reg [31:0] y);", "    reg [31:0] s;"]
        lines += [f"    wire [31:0] t{k} = {step};" for k, step in enumerate(p.steps)]
        lines += [f"    wire [31:0] next = {p.next};", "    initial begin", f"        s = 32'd{p.start};", "        y = 0;", "    end",
                  f"    always @(posedge clk) {on(i)}begin", "        s <= next;", f"        y <= {p.out} ^ next;", "    end", "endmodule", ""]
    shown = results(len(processes))
    ports = ", ".join(f"output [31:0] result{k}" for k in range(len(shown)))
    lines += [f"module hetero(input clk, {ports});"]
    lines += [f"    wire [31:0] w{i};" for i in range(len(processes))]
    if every > 1:
        lines += ["    reg [31:0] turn = 0;", f"    always @(posedge clk) turn <= turn == {every - 1} ? 0 : turn + 1;"]
    turn = ", .turn(turn)" if every > 1 else ""
    lines += [f"    p{i} q{i}(.clk(clk), .a(w{a}), .b(w{b}){turn}, .y(w{i}));" for i, (a, b) in enumerate(wires)]
    lines += [f"    assign result{k} = w{i};" for k, i in enumerate(shown)]
    return lines + ["endmodule"]


WRITERS = {"sme": asSme, "cpp": asCpp, "v": asVerilog}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("n", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--edit", type=int, default=-1)
    parser.add_argument("--language", choices=WRITERS, default="sme")
    parser.add_argument("--every", type=int, default=1)
    options = parser.parse_args()
    print("\n".join(WRITERS[options.language](*network(options.n, options.seed, options.edit), options.every)))


if __name__ == "__main__":
    main()
