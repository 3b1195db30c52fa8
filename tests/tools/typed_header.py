#!/usr/bin/env python3
"""The C++ header of `smec compile --lib`: values of every kind and arrays of instances, linked and by dlopen; names that C++ has other plans
for; and what it comes to for large designs."""
import os
import shutil
import subprocess

from support import ROOT, Tally, read, scratch, smec, write

HERE = os.path.dirname(os.path.abspath(__file__))
DESIGNS = os.path.join(ROOT, "bindings", "python", "tests", "designs")
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]
FLAGS = ["-O0", "-q", "-Wno-unread"]

AWKWARD = """
enum light { OFF, ON };
enum Signal { class, Dut };
type values: bus { light: light; class: u8; Signal: Signal; std: bool; core: u8; path: u8; place_: u8; far: i100; };
proc namespace(in a: values, out b: values)
    var operator: [2]light;
{
    b.light = a.light; b.class = a.class; b.Signal = a.Signal; b.std = a.std; b.core = a.core; b.path = a.path; b.place_ = a.place_; b.far = a.far;
    operator[0] = a.light;
}
network awkward(in template: values, out this: values) { instance _ of namespace(template, this); }
"""
MIXED = """
proc narrow(out o) var n: u8; { n += 1; o.v = n; }
proc wide(out o) var n: u32; var extra: bool; { n += 3; extra = !extra; o.v = u8(n); }
network mixed() {
    exposed bus link[4] { v: u8; };
    generate i = 0 until 4 {
        generate if (i % 2 == 0) { instance at[i] of narrow(link[i]); } else { instance at[i] of wide(link[i]); }
    }
}
"""


def fields(count):
    buses = "".join(f"    exposed bus b{i} {{ v: u8; w: u16; }};\n    instance p{i} of one(b{i});\n" for i in range(count))
    return f"proc one(out o) {{ o.v = 1; o.w = 2; }}\nnetwork fields() {{\n{buses}}}\n"


def compiles(folder, compiler, standard, source):
    include = ["-I", os.path.join(ROOT, "contract", "include"), "-I", "."]
    done = subprocess.run([compiler, f"-std={standard}", *WARNINGS, *include, "-fsyntax-only", source], cwd=folder, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    return done.returncode, done.stdout


def program(tally, folder):
    for name in ("kinds", "ring"):
        shutil.copy(os.path.join(DESIGNS, f"{name}.sme"), folder)
        tally.equal(smec("compile", "--lib", *FLAGS, f"{name}.sme", cwd=folder), (0, "", ""), name)
    shutil.copy(os.path.join(HERE, "typed_user.cpp"), folder)
    include = ["-I", os.path.join(ROOT, "contract", "include"), "-I", "."]
    for compiler, standard in (("g++", "c++17"), ("clang++-16", "c++20")):
        made = subprocess.run([compiler, f"-std={standard}", *WARNINGS, *include, "typed_user.cpp", "-o", "user", "-L.", "-lkinds", "-Wl,-rpath,$ORIGIN",
                               "-ldl", "-pthread"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        tally.equal((made.returncode, made.stdout), (0, ""), f"{compiler} compiles")
        if made.returncode != 0:
            continue
        done = subprocess.run(["./user", "./libring.so", "."], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
                              timeout=100)
        tally.equal((done.returncode, done.stdout), (0, "all good\n"), f"what {compiler} made runs")


def sizes(tally, folder):
    """By kinds of things, not by their number; by names where each has its own."""
    write(folder, "ring.sme", read(os.path.join(DESIGNS, "ring.sme")))
    tally.equal(smec("compile", "--lib", *FLAGS, "ring.sme", "-G", "n=20000", "-o", "libmany.so", cwd=folder), (0, "", ""), "a large ring")
    small, large = read(os.path.join(folder, "ring.hpp")), read(os.path.join(folder, "many.hpp"))
    tally.check(len(large) < len(small) + 20, f"{len(small)} and {len(large)} bytes")
    tally.check("Elements<Node_link, 20000> link" in large, large)
    lengths = []
    for count in (500, 1000):
        write(folder, "fields.sme", fields(count))
        tally.equal(smec("compile", "--lib", *FLAGS, "fields.sme", cwd=folder)[0], 0, f"{2 * count} fields")
        text = read(os.path.join(folder, "fields.hpp"))
        lengths.append(len(text))
        tally.equal(text.count("\nstruct "), 2, "one class for all buses of a kind")
        # compilers take a minute for a constructor of thousands of members
        tally.check("inline Dut::Dut(const Core& core) noexcept { place_.make(core, tables::Dut); }\n" in text, "what a class has is data")
    tally.check(lengths[1] < 2.1 * lengths[0] and lengths[1] < 110 * 1000, f"bytes for 500 and for 1000 buses: {lengths}")


def main():
    tally = Tally()
    with scratch() as folder:
        program(tally, folder)
        sizes(tally, folder)
        for name, text in (("awkward", AWKWARD), ("mixed", MIXED)):
            write(folder, f"{name}.sme", text)
            tally.equal(smec("compile", "--lib", *FLAGS, f"{name}.sme", cwd=folder), (0, "", ""), name)
            write(folder, f"{name}.cpp", f'#include "{name}.hpp"\nvoid use(sme_{name}::Simulation& s);\nvoid use(sme_{name}::Simulation& s) '
                                         + ("{ s.dut.template_.class_ = s.dut.template_.light.get() == sme_awkward::light::ON; s.dut.template_.Signal_2 = "
                                            "sme_awkward::Signal_2::class_; }\n" if name == "awkward" else "{ s.dut.link[1].v.get(); }\n"))
            for compiler in ("g++", "clang++-16"):
                tally.equal(compiles(folder, compiler, "c++17", f"{name}.cpp"), (0, ""), f"{name} with {compiler}")
        mixed = read(os.path.join(folder, "mixed.hpp"))
        tally.check("Signal<bool> extra;" in mixed and " n;" not in mixed, f"what elements have in common: {mixed}")
        write(folder, "mixed.hpp", "int mine;\n")
        status, _, err = smec("compile", "--lib", *FLAGS, "mixed.sme", cwd=folder)
        tally.check(status == 2 and "'mixed.hpp', the header of the library, is there and not smec's" in err, err)
    tally.end()


if __name__ == "__main__":
    main()
