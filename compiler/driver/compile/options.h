#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "diag/diagnostics.h"

namespace smec::driver {

enum class Command : std::uint8_t {
    Compile,
    Run,
    Check,
    Bench,
    Export,
    Verify,
    Format,
    Explain,
    Completion,
    Manual
};

/// What `smec compile`, `run` and `check` take (CLI.md).
struct CompileOptions {
    std::vector<std::string> files;
    std::string output;  ///< -o; empty: the file's stem in the current folder
    std::string top;
    std::vector<std::string> parameters;   ///< -G name=value
    std::vector<std::string> includeDirs;  ///< -I
    std::string buildDir;                  ///< empty: .smec/<stem>-<hash>
    char optimisation = '2';               ///< -O0 … -O3
    std::string march = "native";
    std::string cxx;                  ///< empty: $CXX, else g++, else c++, else clang++
    unsigned jobs = 0;                ///< 0: ninja's choice
    std::uint32_t partitionSize = 0;  ///< 0: the default
    bool unchecked = false;
    bool unwrittenHold = false;
    bool smeil = false;  ///< the rules that programs for libsme assume
    std::uint64_t maxInstances = 100'000'000;
    bool simd = true;
    std::vector<std::string> cxxFlags;
    std::vector<std::string> links;
    std::string emit;                       ///< ast, hir, ir, graph, plan, cpp
    bool build = true;                      ///< false: --no-build
    std::vector<std::string> warningWords;  ///< as written behind -W
    WarningOptions warnings;
    RenderOptions rendering;
    bool writeDepfile = false;  ///< -MMD
    std::string depfile;        ///< -MF
    std::string stats;          ///< "", "text" or "json"
    bool verbose = false;
    bool quiet = false;
};

/// What `smec bench` takes beside the compile options.
struct BenchOptions {
    std::vector<unsigned> threads;    ///< ascending; empty: powers of two up to the processors
    std::vector<std::string> models;  ///< m1, m2, m3
    unsigned repeats = 5;
    std::optional<std::uint64_t> cycles;
    std::string json;     ///< file to write; empty: none
    std::string picture;  ///< the same
};

/// What `smec export` takes beside the compile options.
struct HardwareOptions {
    bool isVerilog = false;
    bool isVhdl = false;
    bool isVerilog2005 = false;  ///< instead of SystemVerilog
    bool isAsync = false;
    bool isActiveLow = false;
    /// Of the recorded run, 0: none; nothing: until the design or its input ends, at most
    /// kMostCycles.
    std::optional<std::uint64_t> cycles;
    std::string input;     ///< CSV file that drives the inputs of the recorded run
    std::string estimate;  ///< ice40, xilinx: an FPGA family; empty: none
};

/// What `smec verify` takes beside the compile options and those of `smec export`.
struct VerifyOptions {
    std::vector<unsigned> threads;    ///< ascending; empty: 1, 2, 4
    std::vector<std::string> models;  ///< m1, m2, m3
    std::vector<std::string> tools;   ///< cpp and names of BenchTools; empty: all
    unsigned seconds = 600;           ///< of wall time, for each engine
    bool json = false;                ///< instead of the table
    std::string formal;               ///< other revision (.sme) or reference (.v, .sv); empty: none
    std::string process;              ///< of the design, to compare; empty: the top
    std::string referenceModule;      ///< of the other; empty: the same name, or its only one
};

struct Invocation {
    Command command = Command::Compile;
    CompileOptions compile;
    BenchOptions bench;
    HardwareOptions hardware;
    VerifyOptions verify;
    bool interpret = false;                 ///< smec run --interpret
    std::vector<std::string> runArguments;  ///< options of the simulator, in order
    std::vector<std::string> words;  ///< files of fmt, ids of explain, the shell of completion
    bool checkOnly = false;          ///< smec fmt --check
};

/// Parses the command line. Returns the invocation, or the exit status to end with (help, version,
/// wrong usage), after printing.
struct ParsedCommandLine {
    std::optional<Invocation> invocation;
    int status = 0;
};
ParsedCommandLine parseCommandLine(int argc, char** argv);

}  // namespace smec::driver
