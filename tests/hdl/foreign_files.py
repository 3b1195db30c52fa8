#!/usr/bin/env python3
"""What the Verilog of extern processes needs goes along with an export, wherever smec runs and whatever the folder is called later: modules of -y and -f, files of `include
and $readmemh, two of one name, absolute names, computed names, macros. smec verify finds the same, and does not compare what is x."""
import os
import shutil
import subprocess

from judges import SMEC, Tally, run, scratch, sourcesOf
from support import write

DESIGN = """type byte: bus { v: u8; };
extern proc left(in a: byte, out p: byte, const n: uint) verilog("rtl/left.v");
extern proc right(in a: byte, out p: byte) verilog("other/right.v");
proc count(out o: byte) var n: u8; { n += 1; o.v = n; }
network top(out p: byte, out q: byte) {
    bus a: byte;
    instance c of count(a);
    instance l of left(a, p, 2);
    instance r of right(a, q);
}
"""
LEFT = """`include "inc/step.vh"
// `include "comment.vh" and $readmemh("comment.hex", x) name nothing
module left #(parameter n = 1) (input clk, input rst, input [7:0] a_v, output [7:0] p_v);
    reg [7:0] rom [0:3];
    reg [7:0] more [0:3];
    initial $readmemh("rom.hex", rom);
    initial $readmemh({"tab", n == 1 ? "1" : "2", ".hex"}, more);
    wire [7:0] y;
    leaf l(.x(a_v), .y(y));
    reg [7:0] sum;
    always @(posedge clk) if (rst) sum <= 0; else sum <= y + rom[a_v[1:0]] + more[a_v[1:0]] + `STEP;
    assign p_v = sum;
endmodule
"""
RIGHT = """module right(input clk, input rst, input [7:0] a_v, output reg [7:0] p_v);
    reg [7:0] rom [0:3];
    reg [7:0] far [0:3];
    initial begin $readmemh("rom.hex", rom); $readmemh("%s", far); end
`ifdef DOUBLE
    always @(posedge clk) if (rst) p_v <= 0; else p_v <= rom[a_v[1:0]] * 2 + far[a_v[1:0]];
`else
    always @(posedge clk) if (rst) p_v <= 0; else p_v <= rom[a_v[1:0]] + far[a_v[1:0]];
`endif
endmodule
"""
LEAF = '`include "twice.vh"\nmodule leaf(input [7:0] x, output [7:0] y); assign y = x * `TWICE; endmodule\n'
OWN = """`include "own.vh"
module own(input clk, output reg [7:0] q);
    reg [7:0] rom [0:0];
    initial $readmemh("own.hex", rom);
    always @(posedge clk) q <= rom[0] + `OWN;
endmodule
"""
# Bits that nothing sets are x; `never` is so in all of them.
UNKNOWN = """module odd(input clk, input rst, input [7:0] a_v, output [7:0] p_v%s);
    reg [3:0] unset;
    reg [3:0] sum;
    always @(posedge clk) if (rst) sum <= 0; else sum <= sum + a_v[3:0];
    assign p_v = {unset, sum};%s
endmodule
"""
ODD = """type byte: bus { v: u8; };
type pair: bus { v: u8; never: u8; };
extern proc odd(in a: byte, out p: %s) verilog("odd.v");
proc count(out o: byte) var n: u8; { n += 1; o.v = n; }
network top(out p: %s) { bus a: byte; instance c of count(a); instance o of odd(a, p); }
"""


def smec(folder, *words):
    p = subprocess.run([os.path.abspath(SMEC), *words], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8",
                       timeout=300, check=False)
    return p.returncode, p.stdout


def sources(folder):
    for name, text in (("d/top.sme", DESIGN), ("d/rtl/left.v", LEFT), ("d/rtl/inc/step.vh", '`include "deep.vh"\n'), ("d/rtl/inc/deep.vh", "`define STEP 3\n"),
                       ("d/rtl/rom.hex", "1 2 3 4\n"), ("d/rtl/tab1.hex", "9 9 9 9\n"), ("d/rtl/tab2.hex", "10 20 30 40\n"), ("d/other/rom.hex", "5 6 7 8\n"),
                       ("lib/leaf.v", LEAF), ("inc/twice.vh", "`define TWICE 2\n"), ("far/data.hex", "a b c d\n"), ("lib/top.v", "module top(); endmodule\n"),
                       ("else/keep", "")):
        os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)
        write(folder, name, text)
    write(folder, "d/other/right.v", RIGHT % os.path.join(folder, "far", "data.hex"))
    write(folder, "list.f", f"+incdir+{folder}/inc\n+define+DOUBLE\n{folder}/lib/top.v\n{folder}/lib/leaf.v\n")


def exports(tally, folder):
    """From a third folder; moved; the sources gone; all tools elaborate it."""
    for options in (["-y", "../lib", "--include", "../inc", "-D", "DOUBLE"], ["-f", "../list.f"]):
        status, out = smec(os.path.join(folder, "else"), "export", "../d/top.sme", *options, "--verilog", "-o", "made", "--cycles", "40")
        tally.equal((status, "warning" in out), (0, False), f"export {options}: {out}")
        moved = os.path.join(folder, "moved", "made here")
        shutil.rmtree(os.path.dirname(moved), ignore_errors=True)
        os.makedirs(os.path.dirname(moved))
        os.rename(os.path.join(folder, "else", "made"), moved)
        hidden = os.path.join(folder, "hidden")
        os.mkdir(hidden)
        for name in ("d", "lib", "inc", "far"):
            os.rename(os.path.join(folder, name), os.path.join(hidden, name))
        status, out = run(["make", "-s", "icarus"], moved)
        tally.check(status == 0 and "PASSED: 40 cycles" in out and "UNKNOWN" not in out, f"Icarus, moved {options}: {out}")
        for command in (["verilator", "--lint-only", "-Wno-lint", "-Wno-fatal", "--top-module", "top", *sourcesOf(moved)],
                        ["yosys", "-q", "-p", f"read_verilog -sv {' '.join(sourcesOf(moved))}; hierarchy -check -top top"]):
            status, out = run(command, moved)
            tally.check(status == 0, f"{command[0]}, moved {options}: {out[:400]}")
        for name in ("d", "lib", "inc", "far"):
            os.rename(os.path.join(hidden, name), os.path.join(folder, name))
        os.rmdir(hidden)
        there = sorted(os.listdir(moved))
        tally.check({"tab1.hex", "tab2.hex", "rom.hex", "extern_rom.hex", "data.hex", "step.vh", "deep.vh", "twice.vh", "leaf.v"} <= set(there), f"{options}: {there}")
        tally.check("extern_top.v" not in there and sourcesOf(moved).count("leaf.v") == 1, f"what nobody needs stays behind: {there}")


def verifies(tally, folder):
    for place, path in (("else", "../"), ("d", "../"), (".", "")):
        for options in (["-y", path + "lib", "--include", path + "inc"], ["-f", path + "list.f"]):
            status, out = smec(os.path.join(folder, place), "verify", os.path.relpath(os.path.join(folder, "d/top.sme"), os.path.join(folder, place)), *options, "--cycles", "30",
                               "--engines", "icarus,cpp", "--models", "m2", "--threads", "1", "-O0")
            tally.check(status == 0 and "verify: 2 of 2 agree over 30 cycles" in out, f"verify in {place} {options}: {out}")
    both = [smec(os.path.join(folder, "d"), "run", "top.sme", "-y", "../lib", "--include", "../inc", *options, "-O0", "--cycles", "9", "--quiet", "--checksum")[1]
            for options in ([], ["-D", "DOUBLE"], [])]
    tally.check(both[0] == both[2] != both[1], f"another macro is another simulator: {both}")


def decoys(tally, folder):
    """Files of the same names in the current folder are not taken for those beside the Verilog; those that are nowhere else are."""
    words = ["../d/top.sme", "-y", "../lib", "--include", "../inc"]
    make = os.path.join(folder, "else")
    command = ["run", *words, "-O0", "--cycles", "20", "--quiet", "--checksum"]
    wanted = smec(make, *command)
    tally.equal(wanted[0], 0, f"without decoys: {wanted[1]}")
    os.makedirs(os.path.join(make, "inc"))
    for name, text in (("inc/step.vh", "`define STEP 99\n"), ("twice.vh", "`define TWICE 7\n"), ("rom.hex", "f1 f2 f3 f4\n"), ("tab2.hex", "e1 e2 e3 e4\n")):
        write(make, name, text)
    tally.equal(smec(make, *command), wanted, "a run among decoys")
    status, out = smec(make, "verify", *words, "--cycles", "30", "--engines", "icarus,cpp", "--models", "m2", "--threads", "1", "-O0")
    tally.check(status == 0 and "verify: 2 of 2 agree over 30 cycles" in out, f"verify among decoys: {out}")
    os.makedirs(os.path.join(folder, "deep"))
    for at, name in (("else", "own.hex"), (".", "else/own.hex")):
        write(folder, "else/own.hex", "2a\n")
        write(folder, "else/own.vh", "`define OWN 1\n")
        path = os.path.relpath(os.path.join(folder, "deep/own.v"), os.path.join(folder, at))
        text = OWN.replace("own.hex", name).replace("own.vh", name.replace("hex", "vh"))
        write(folder, "deep/own.v", text)
        status, out = smec(os.path.join(folder, at), "import", path)
        tally.check(status == 0 and ("= 43;" in out or "u8(42 + 1)" in out), f"what is in the current folder alone, from {at}: {out}")
    write(folder, "own.hex", "33\n")
    write(folder, "deep/own.v", OWN.replace("own.hex", "../own.hex").replace("own.vh", "../else/own.vh"))
    status, out = smec(make, "import", "../deep/own.v")
    tally.check(status == 0 and ("= 52;" in out or "u8(51 + 1)" in out), f"above the current folder: {out}")


def unknown(tally, folder):
    write(folder, "odd.v", UNKNOWN % (", output [7:0] p_never", " assign p_never = {8{unset[0]}};"))
    write(folder, "odd.sme", ODD % ("pair", "pair"))
    status, out = smec(folder, "verify", "odd.sme", "--engines", "icarus", "--cycles", "10")
    tally.check(status == 0 and "agrees; 120 bits in 10 cycles were x or z, and not compared" in out, f"a count of what is x: {out}")
    tally.check("Icarus Verilog (Verilog): never known, and so not compared: p.never\n" in out, f"what is always x: {out}")
    write(folder, "odd.v", (UNKNOWN % ("", "")).replace("{unset, sum}", "{unset, unset}"))
    write(folder, "all.sme", ODD.split("proc count")[0] % "byte" + "network top(in a: byte, out p: byte) { instance o of odd(a, p); }\n")
    status, out = smec(folder, "verify", "all.sme", "--engines", "icarus", "--cycles", "10")
    tally.check(status == 1 and "failed: all values were x or z in all cycles" in out and "verify: 0 of 1 agree" in out, f"all is x: {out}")
    write(folder, "odd.sme", ODD % ("byte", "byte"))
    write(folder, "odd.v", (UNKNOWN % ("", "")).replace("if (rst) sum <= 0;", "if (rst) sum <= 1;").replace("{unset, sum}", "{unset, sum ^ a_v[3:0]}"))
    status, out = smec(folder, "export", "odd.sme", "--verilog", "-o", "odd", "--cycles", "10")
    write(folder, "odd/odd.v", (UNKNOWN % ("", "")).replace("if (rst) sum <= 0;", "if (rst) sum <= 2;").replace("{unset, sum}", "{unset, sum ^ a_v[3:0]}"))
    status, out = run(["make", "-s", "icarus"], os.path.join(folder, "odd"))
    tally.check(status != 0 and "p.v: expected" in out and "FAILED in cycle 0" in out, f"what is known beside it is compared: {out}")


def unknownInVhdl(tally, folder):
    """The same of a body in VHDL, with each value that is neither 0 nor 1; weak ones are."""
    write(folder, "dim.hpp", "struct dim { unsigned char sum = 0; void operator()(const auto& in, auto& out) { out.v = sum; out.never = 0; sum = (sum + in.v) & 15; } };\n")
    write(folder, "dim.sme", f'type byte: bus {{ v: u8; }};\ntype pair: bus {{ v: u8; never: u8; }};\nextern proc dim(in a: byte, out p: pair) cpp("dim.hpp") vhdl("dim.vhd");\n'
          "network top(in a: byte, out p: pair) { instance o of dim(a, p); }\n")

    def body(high, low, never, first="0000"):
        write(folder, "dim.vhd", f"""library ieee; use ieee.std_logic_1164.all; use ieee.numeric_std.all;
entity dim is port (clk, rst : in std_logic; a_v : in unsigned(7 downto 0); p_v, p_never : out unsigned(7 downto 0)); end entity;
architecture own of dim is signal sum : unsigned(3 downto 0) := "0000"; begin
process (clk) begin if rising_edge(clk) then if rst = '1' then sum <= "{first}"; else sum <= sum + a_v(3 downto 0); end if; end if; end process;
p_v <= {high} & {low}; p_never <= {never}; end architecture;
""")

    agrees = "agrees; {} bits in {} cycles were U, X, W, Z or -, and not compared"
    for bits in '"UXWZ"', '"----"', '"UUUU"':
        body(bits, "sum", '"UX-WZUX-"')
        status, out = smec(folder, "verify", "dim.sme", "--engines", "ghdl", "--cycles", "10")
        tally.check(status == 0 and agrees.format(120, 10) in out, f"a count of {bits}: {out}")
        tally.check("GHDL (VHDL): never known, and so not compared: p.never\n" in out, f"what is always unknown: {out}")
    body('"UUUU"', "sum", '"0000LL00"')
    status, out = smec(folder, "verify", "dim.sme", "--engines", "ghdl", "--cycles", "10")
    tally.check(status == 0 and agrees.format(40, 10) in out and "never known" not in out, f"weak zeros are zeros: {out}")
    body('"UUUU"', "sum", '"0000H000"')
    status, out = smec(folder, "verify", "dim.sme", "--engines", "ghdl", "--cycles", "10")
    tally.check(status == 1 and "p.never: expected 0, got 8" in out, f"a weak one is a one: {out}")
    body('"UUUU"', "sum", '"UUUUUUUU"', "0001")
    status, out = smec(folder, "verify", "dim.sme", "--engines", "ghdl", "--cycles", "10")
    tally.check(status == 1 and "cycle 0: p.v: expected 0" in out, f"what is known beside it is compared: {out}")
    body('"UUUU"', '"XXXX"', '"--------"')
    status, out = smec(folder, "verify", "dim.sme", "--engines", "ghdl", "--cycles", "10")
    tally.check(status == 1 and "failed: all values were U, X, W, Z or - in all cycles" in out and "verify: 0 of 1 agree" in out, f"nothing is known: {out}")


def messages(tally, folder):
    write(folder, "own.sme", 'type w: bus { v: u8; };\nextern proc own(in a: w, out p: w) cpp("own.hpp") verilog("own.v");\n'
          "network top(in a: w, out p: w) { instance d of own(a, p); }\n")
    write(folder, "own.hpp", "struct own { void operator()(const auto& in, auto& out) { out.v = in.v; } };\n")
    write(folder, "own.v", "module own(input clk, input rst, input [7:0] a_v, output reg [7:0] p_v); reg [7:0] m [0:1]; initial $readmemh(\"gone.hex\", m);\n"
          "  always @(posedge clk) p_v <= a_v; endmodule\n")
    status, out = smec(folder, "export", "own.sme", "--verilog", "-o", "own", "--cycles", "0")
    tally.check(status == 0 and "own.v' reads 'gone.hex', which is not there, so the export goes without it [export-data]" in out, f"a file that is missing: {status} {out}")
    write(folder, "plain.sme", "proc p(out o) { o.v = 1; }\nnetwork top() { exposed bus o { v: u8; }; instance _ of p(o); }\n")
    status, out = smec(folder, "run", "plain.sme", "own.v", "--interpret", "--cycles", "1", "--quiet")
    tally.check(status == 0 and "'own.v' is not read, since the design has no extern process with Verilog [verilog-unread]" in out, f"Verilog for nobody: {status} {out}")


def main():
    tally = Tally()
    for test in (exports, verifies, decoys, unknown, *([unknownInVhdl] if shutil.which("ghdl") else []), messages):
        with scratch() as folder:
            folder = os.path.realpath(folder)
            sources(folder)
            test(tally, folder)
    tally.end()


if __name__ == "__main__":
    main()
