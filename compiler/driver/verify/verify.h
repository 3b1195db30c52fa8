#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "driver/hardware/trace.h"

namespace smec::driver {

// `smec verify` without processes and files: lists, what test benches print, table, verdict, JSON.

enum class Outcome : std::uint8_t {
    Agrees,
    Differs,
    Failed,  ///< its tool ended with an error, or did not end
    NotFound,
    NotHardware,
    NoCycle,  ///< the run fails in cycle 0
};

/// One engine, compared with the reference interpreter.
struct VerifyRow {
    std::string engine;        ///< "C++", "Icarus Verilog"
    std::string plan;          ///< "m1, 2 threads", "Verilog"
    std::uint64_t cycles = 0;  ///< compared
    std::size_t fields = 0;    ///< compared in each
    double seconds = 0;        ///< of wall time
    Outcome outcome = Outcome::Failed;
    std::string remark;             ///< why it is not compared
    std::size_t different = 0;      ///< values in the first cycle that differs
    std::vector<Difference> first;  ///< some of them
    // What was x or z in a simulator of Verilog, or U, X, W, Z or - in one of VHDL, is not compared,
    // but counted.
    std::uint64_t unknownBits = 0;          ///< in all cycles
    std::uint64_t unknownCycles = 0;        ///< in which there were some
    std::vector<std::string> neverKnown{};  ///< fields of which all bits were, in each cycle
};

struct VerifyResult {
    std::string file;
    VerifyRow reference;  ///< the run of the interpreter
    std::string failure;  ///< how that run failed; empty: it did not
    int referenceStatus = 0;
    std::vector<VerifyRow> rows;
};

/// "cpp,ghdl", each once, in the order given. Returns what is wrong; empty: nothing.
std::string parseEngineList(const std::string& text, std::vector<std::string>& engines);

/// What a test bench printed: cycles that passed, or what differs in the first that does not, and
/// what was unknown. `row.fields` is there already: where none of them was ever known, nothing was
/// compared, and the bench has failed.
void readBench(const std::string& output, VerifyRow& row);

std::string verifyTable(const VerifyResult& result);
std::string verifyJson(const VerifyResult& result);
/// "verify: 11 of 11 agree over 100 cycles; not found: ghdl"
std::string verdict(const VerifyResult& result);
/// 0: all that could run agree; 1: one does not, or did not end well, or nothing is hardware; 3:
/// nothing was found that could run.
int verifyStatus(const VerifyResult& result);

}  // namespace smec::driver
