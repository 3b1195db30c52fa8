"""A design in smec and in Verilator: built, and run for a number of cycles."""
import os
import re
import shutil
import subprocess

from kept import digest
from tools import TimedYosys, emptied, must

FLAGS = ["-O3", "--x-assign", "fast", "--x-initial", "fast", "--noassert", "-Wno-fatal", "-Wno-lint", "-Wno-style"]
MAIN = """#include "Vtop.h"
#include "verilated.h"
#include <cstdio>
#include <cstdlib>
int main(int, char** argv) {
    VerilatedContext context;
    Vtop top{&context};
    top.clk = 0;
    top.eval();
    for (long k = atol(argv[1]); k > 0; --k) {
        top.clk = 1;
        top.eval();
        top.clk = 0;
        top.eval();
    }
    std::printf("%s\\n", PRINTED);
}
"""


class Smec:
    def __init__(self, smec, work):
        self.smec, self.work = smec, work

    def imported(self, files, includes, name, top="soc"):
        """Seconds of Yosys, of smec, and of both by the clock on the wall, and how many cells. The text is compiled later, so that each is timed."""
        yosys = TimedYosys(self.work)
        options = [word for folder in includes for word in ("--include", folder)]
        ran = must(self.smec, "import", *files, "--top", top, *options, "-o", f"{name}.sme", folder=self.work, env=yosys.env())
        return yosys.seconds(), ran.cpu - yosys.seconds(), ran.wall, yosys.cells()

    def compiled(self, name, *options, source=None):
        """Seconds, and those by the clock on the wall, with nothing kept from an earlier time."""
        shutil.rmtree(os.path.join(self.work, f"{name}.build"), ignore_errors=True)
        ran = must(self.smec, "compile", source or f"{name}.sme", "-o", f"./{name}", "--build-dir", f"{name}.build", "-q", *options, folder=self.work,
                   env={"CCACHE_DISABLE": "1"})
        return ran.cpu, ran.wall

    def code(self, name):
        """A hash of the C++ that it made, and of the data beside."""
        made = os.path.join(self.work, f"{name}.build")
        return digest(*(os.path.join(made, file) for file in sorted(os.listdir(made)) if file.endswith((".cpp", ".bin"))))

    def run(self, name, cycles, threads, printed):
        """(values, what it took)."""
        prints = [word for path in printed for word in ("--print", path)]
        ran = must(f"./{name}", "--cycles", str(cycles), "--threads", str(threads), "--quiet", *prints, folder=self.work)
        return [int(line.split()[1]) for line in ran.out.splitlines()], ran

    def state(self, name, cycles, *how):
        """A hash of all that there is after so many cycles."""
        return must(f"./{name}", "--cycles", str(cycles), "--quiet", "--checksum", *how, folder=self.work).out.strip()


class Verilator:
    def __init__(self, path, work):
        self.path, self.work = path, work
        folder = os.path.dirname(os.path.dirname(os.path.realpath(shutil.which(path) or path)))
        # one that was unpacked somewhere has to be told where it is
        unpacked = os.path.exists(os.path.join(folder, "include", "verilated.h")) and "VERILATOR_ROOT" not in os.environ
        self.env = {"VERILATOR_ROOT": folder} if unpacked else {}

    def version(self):
        return subprocess.run([self.path, "--version"], stdout=subprocess.PIPE, encoding="utf-8", check=True, env={**os.environ, **self.env}).stdout.split()[1]

    def built(self, files, includes, name, printed, top="soc", options=(), main=None, block=None, isInBlocks=False, level="-O3 -march=native", jobs=1, bounds=None):
        """(program, seconds of both parts). `main`: a program of its own around the model; `block`: a module to compile by itself, `isInBlocks`: the
        source says which; `level`: of the C++; `jobs`: compilations at a time."""
        folder = emptied(os.path.join(self.work, f"{name}.verilator"))
        own, blocks = os.path.join(folder, "main.cpp"), os.path.join(folder, "blocks.vlt")
        with open(own, "w", encoding="utf-8") as f:
            values = ", ".join(f"(unsigned long long)top.{port}" for port in printed)
            f.write(MAIN.replace('"%s\\n", PRINTED', '"' + " ".join(["%llu"] * len(printed)) + f'\\n", {values}'))
        if block:
            with open(blocks, "w", encoding="utf-8") as f:
                f.write(f'`verilator_config\nhier_block -module "{block}"\n')
            options = [*options, blocks]
        isInBlocks = isInBlocks or block is not None
        if isInBlocks:
            options = [*options, "--hierarchical"]
        translated = must(self.path, "--cc", "--exe", *FLAGS, *options, "--prefix", "Vtop", "--Mdir", folder, "--top-module", top, "-o", "program", main or own,
                          *files, *[f"-I{path}" for path in includes], folder=self.work, env=self.env, bounds=bounds)
        compiled = must("make", "-s", f"-j{jobs}", "-C", folder, "-f", "Vtop_hier.mk" if isInBlocks else "Vtop.mk", "OBJCACHE=", "VK_PCH_I_FAST=", "VK_PCH_I_SLOW=",
                        f"OPT_FAST={level}", f"OPT_GLOBAL={level}", folder=self.work, env=self.env, bounds=bounds)
        return os.path.join(folder, "program"), translated.cpu + compiled.cpu

    def run(self, program, cycles):
        ran = must(program, str(cycles), folder=self.work)
        return [int(word) for word in ran.out.split()], ran


def processes(path):
    """How many kinds of processes a text of smec's has."""
    with open(path, encoding="utf-8") as f:
        return len(re.findall(r"^(?:async )?proc ", f.read(), re.M))
