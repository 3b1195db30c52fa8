#include "driver/hardware/hardware_tools.h"

#include <initializer_list>

namespace smec::driver {

namespace {

using Words = std::vector<std::string>;

/// With the files of the modules in front of the bench.
Words words(std::initializer_list<std::string> first, const Words& files,
            const std::string& bench) {
    Words result(first);
    result.insert(result.end(), files.begin(), files.end());
    result.push_back(bench);
    return result;
}

}  // namespace

std::vector<BenchTool> benchTools(const std::string& bench, const Words& verilog,
                                  const Words& vhdl) {
    BenchTool icarus{.name = "icarus",
                     .title = "Icarus Verilog",
                     .programs = {"iverilog", "vvp"},
                     .package = "iverilog",
                     .commands = {},
                     .made = {bench + ".vvp"}};
    icarus.commands = {
        words({"iverilog", "-g2012", "-o", bench + ".vvp", "-s", bench}, verilog, bench + ".sv"),
        {"vvp", "-N", bench + ".vvp"}};
    BenchTool verilator{.name = "verilator",
                        .title = "Verilator",
                        .programs = {"verilator"},
                        .package = "verilator",
                        .commands = {},
                        .made = {"obj_dir"}};
    verilator.commands = {
        words({"verilator", "--binary", "--timing", "--assert", "-Wno-fatal", "-Wno-lint",
               "-Wno-TIMESCALEMOD", "--top-module", bench, "-Mdir", "obj_dir"},
              verilog, bench + ".sv"),
        {"./obj_dir/V" + bench}};
    BenchTool ghdl{.name = "ghdl",
                   .title = "GHDL",
                   .programs = {"ghdl"},
                   .package = "ghdl",
                   .commands = {},
                   .made = {"work-obj08.cf"},
                   .isVhdl = true};
    ghdl.commands = {words({"ghdl", "-a", "--std=08"}, vhdl, bench + ".vhd"),
                     {"ghdl", "-e", "--std=08", bench},
                     // of what is not known the bench tells itself
                     {"ghdl", "-r", "--std=08", bench, "--ieee-asserts=disable"}};
    return {icarus, verilator, ghdl};
}

}  // namespace smec::driver
