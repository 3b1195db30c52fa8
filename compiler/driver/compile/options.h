#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "diag/diagnostics.h"
#include "driver/cache/folders.h"
#include "driver/compile/verilog_input.h"
#include "rules/rules.h"

namespace smec::driver {

class Interpreter;
class VerilogReader;

/// What all commands that compile take.
struct CompileOptions {
    std::vector<std::string> files;
    VerilogInput verilog;  ///< its files: those among `files`, or for the extern processes of these
    const VerilogReader* reader = nullptr;     ///< the program's
    const Interpreter* interpreter = nullptr;  ///< the program's
    std::vector<std::string> verilogRead;      ///< what `files` were imported from
    std::string output;                        ///< -o; empty: the file's stem in the current folder
    bool library = false;  ///< --lib: a library and its header in place of a simulator
    /// `smec run`: code and model stay files of their own, where the design has no C++ of the user's and
    /// no flags of his, which may be meant for whole programs.
    bool apart = false;
    bool loadable = false;  ///< --loadable: code and model as two files, whatever the design has
    std::string top;
    std::vector<std::string> parameters;   ///< -G name=value
    std::vector<std::string> includeDirs;  ///< -I
    std::string buildDir;                  ///< empty: <stem>-<hash> in the cache
    CacheFolders cache;
    char optimisation = '2';  ///< -O0 … -O3
    std::string march = "native";
    std::string cxx;                  ///< empty: $CXX, else g++, else c++, else clang++
    unsigned jobs = 0;                ///< 0: ninja's choice
    std::uint32_t partitionSize = 0;  ///< 0: the default
    bool unchecked = false;
    bool unwrittenHold = false;
    bool smeil = false;  ///< the rules that programs for libsme assume
    std::uint64_t maxInstances = 100'000'000;
    bool simd = true;  ///< false: --no-simd, or without the rule "lanes"
    rules::Without without;
    std::vector<std::string> withoutWords;  ///< as written after --without
    std::vector<std::string> numbers;       ///< --number: NAME=VALUE
    std::vector<std::string> cxxFlags;
    std::vector<std::string> links;
    std::string emit;                       ///< a stage: driver/compile/stages.h
    bool build = true;                      ///< false: --no-build
    std::vector<std::string> warningWords;  ///< as written after -W
    WarningOptions warnings;
    RenderOptions rendering;
    bool writeDepfile = false;           ///< -MMD
    std::string depfile;                 ///< -MF
    std::string stats;                   ///< "", "text" or "json"
    std::vector<std::string> explained;  ///< --explain: globs of processes
    std::string explanation;             ///< --explain-json: a file, or -
    bool verbose = false;
    bool quiet = false;
};

}  // namespace smec::driver
