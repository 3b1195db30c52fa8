"""What the scripts here share: smec export, and the tools that judge what it writes."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.environ.get("SMEC_SOURCE_DIR", os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
SMEC = os.environ.get("SMEC", "smec")
sys.path.insert(0, os.path.join(ROOT, "tests", "tools"))
os.environ.setdefault("SMEC_SOURCE_DIR", ROOT)
os.environ.setdefault("SMEC", SMEC)
from support import Tally  # noqa: E402

DEADLINE = 300
if shutil.which("ccache"):          # the runtime of Verilator need not be compiled for each design
    os.environ.setdefault("OBJCACHE", "ccache")
    os.environ.setdefault("CCACHE_NOHASHDIR", "1")


def run(command, folder, seconds=DEADLINE):
    """Status (or "hang") and all that was printed."""
    try:
        p = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=seconds,
                           check=False)
        return p.returncode, p.stdout.decode("utf-8", "replace")
    except subprocess.TimeoutExpired:
        return "hang", f"no end after {seconds} s"


def scratch():
    return tempfile.TemporaryDirectory(prefix="sme-hardware-")


def exported(path, folder, *options, cycles=60, languages=("--verilog", "--vhdl")):
    return run([os.path.abspath(SMEC), "export", path, *languages, "-o", os.path.join(folder, "rtl"),
                *(["--cycles", str(cycles)] if cycles is not None else []), *options], folder)


def sourcesOf(rtl):
    with open(os.path.join(rtl, "files.f"), encoding="utf-8") as f:
        return f.read().split()


def topOf(rtl):
    return os.path.splitext(sourcesOf(rtl)[-1])[0]


def benchOf(rtl):
    return f"tb_{topOf(rtl)}.sv"


# Each gives what is wrong, or None.

def icarus(rtl, seconds=DEADLINE):
    bench = benchOf(rtl)
    status, out = run(["iverilog", "-g2012", "-Wall", "-o", "lint.vvp", "-s", topOf(rtl), *sourcesOf(rtl)], rtl)
    if status != 0 or out.strip():
        return "icarus -Wall: " + "\n".join(out.splitlines()[:4])
    status, out = run(["iverilog", "-g2012", "-o", "bench.vvp", "-s", bench[:-3], *sourcesOf(rtl), bench], rtl)
    if status != 0:
        return "icarus: " + "\n".join(out.splitlines()[:4])
    status, out = run(["vvp", "-N", "bench.vvp"], rtl, seconds)
    return None if status == 0 and "PASSED" in out else "icarus: " + "\n".join(out.splitlines()[:4])


def verilator(rtl):
    bench = benchOf(rtl)
    status, out = run(["verilator", "--binary", "--timing", "--assert", "-Wno-lint", "-Wno-fatal", "-O0", "-CFLAGS", "-O0", "--top-module", bench[:-3],
                       "-Mdir", "obj_dir", *sourcesOf(rtl), bench], rtl, 900)
    if status != 0:
        return "verilator: " + "\n".join(line for line in out.splitlines() if "rror" in line)[:600]
    status, out = run([f"./obj_dir/V{bench[:-3]}"], rtl)
    shutil.rmtree(os.path.join(rtl, "obj_dir"), ignore_errors=True)
    return None if status == 0 and "PASSED" in out else "verilator: " + "\n".join(out.splitlines()[:4])


def lint(rtl):
    sources = sourcesOf(rtl)
    status, out = run(["verilator", "--lint-only", "-Wall", "--top-module", topOf(rtl), *sources], rtl)
    return None if status == 0 and not out.strip() else "verilator -Wall: " + "\n".join(out.splitlines()[:5])


def yosys(rtl):
    """What `memory` leaves open behind the end of one is not undriven to `synth`, which asks for more than this."""
    sources = sourcesOf(rtl)
    script = f"read_verilog -sv {' '.join(sources)}; hierarchy -check -top {topOf(rtl)}; proc; opt; check -assert; memory; opt_expr -undriven; opt; check -assert"
    status, out = run(["yosys", "-q", "-p", script], rtl)
    noise = [line for line in out.splitlines() if line.strip()]
    return None if status == 0 and not noise else "yosys: " + "\n".join(noise[:4])


def lint2005(rtl):
    """As Verilog-2005, of hand-written files too."""
    sources = sourcesOf(rtl)
    for command in (["iverilog", "-g2005", "-Wall", "-o", "old.vvp", "-s", topOf(rtl), *sources],
                    ["verilator", "--lint-only", "-Wall", "--default-language", "1364-2005", "--top-module", topOf(rtl), *sources]):
        status, out = run(command, rtl)
        if status != 0 or out.strip():
            return f"v2005, {command[0]}: " + "\n".join(out.splitlines()[:4])
    return None


def yosys2005(rtl):
    script = f"read_verilog {' '.join(sourcesOf(rtl))}; hierarchy -check -top {topOf(rtl)}; proc; opt; check -assert"
    status, out = run(["yosys", "-q", "-p", script], rtl)
    return None if status == 0 and not out.strip() else "v2005, yosys: " + "\n".join(out.splitlines()[:4])


def mapped(family):
    """What Yosys makes of it for an FPGA."""
    def judge(rtl):
        sources = sourcesOf(rtl)
        script = f"read_verilog -sv {' '.join(sources)}; synth_{family} -top {topOf(rtl)}; check -assert"
        status, out = run(["yosys", "-q", "-p", script], rtl, 900)
        noise = [line for line in out.splitlines() if line.strip()]
        return None if status == 0 and not noise else f"yosys synth_{family}: " + "\n".join(noise[:4])
    return judge


def vhdlOf(rtl):
    with open(os.path.join(rtl, "files_vhdl.f"), encoding="utf-8") as f:
        return f.read().split()


def ghdl(rtl):
    bench = f"tb_{vhdlOf(rtl)[-1]}"
    for step in (["-a", "--std=08", "-Werror", *vhdlOf(rtl), bench], ["-e", "--std=08", "-Werror", bench[:-4]]):
        status, out = run(["ghdl", *step], rtl)
        if status != 0 or out.strip():
            return f"ghdl {step[0]}: " + "\n".join(out.splitlines()[:4])
    status, out = run(["ghdl", "-r", "--std=08", bench[:-4]], rtl)
    wrong = [line for line in out.splitlines() if not line.startswith("PASSED")]
    return None if status == 0 and "PASSED" in out and not wrong else "ghdl: " + "\n".join(wrong[:4])


def synth(rtl):
    sources = vhdlOf(rtl)
    status, out = run(["ghdl", "-a", "--std=08", *sources], rtl)
    if status == 0:
        status, out = run(["sh", "-c", f"ghdl --synth --std=08 {sources[-1][:-4]} > /dev/null"], rtl)
    wrong = [line for line in out.splitlines() if re.search(r"warning|error|GHDL Bug|internal", line)]
    return None if status == 0 and not wrong else "ghdl --synth: " + "\n".join((wrong or out.splitlines())[:4])


# "written": it is not read by anybody
TOOLS = {"written": lambda rtl: None, "icarus": icarus, "verilator": verilator, "lint": lint, "yosys": yosys, "lint2005": lint2005, "yosys2005": yosys2005, "ice40": mapped("ice40"), "xilinx": mapped("xilinx"), "ghdl": ghdl,
         "synth": synth}


def languagesOf(tools):
    """What smec export has to write for them."""
    vhdl = {"ghdl", "synth"} & set(tools)
    both = "written" in tools
    return (["--vhdl"] if vhdl or both else []) + (["--verilog"] if set(tools) - vhdl or both else [])
