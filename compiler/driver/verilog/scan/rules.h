#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace smec::driver::scan {

/// Who reads the Verilog.
struct Reader {
    bool isSlang = false;
    int version = 0;   ///< of Yosys, 23 for 0.23; 0: not known, read as if it were the oldest
    std::string name;  ///< "Yosys 0.23"
};

/// What becomes of a place that a rule finds.
enum class Effect : std::uint8_t { None, Warned, Refused };

enum class RuleId : std::uint8_t {
    SynthesisWords,
    MemoryLoad,
    MemoryLoadMaybe,
    Hierarchy,
    UnsizedNumber,
    UnsizedNumberMaybe,
    LoopWidth,
    LoopVariable,
    LoopWrap,
    TargetList,
    MixedAssignments,
    UpwardSelect,
    StaticLocal,
    StaticResultMaybe,
    Sensitivity,
    AsyncLoad,
    TwoResets,
    TwoResetsEnd,
    UniqueCase,
    UniqueCaseMaybe,
    UniqueCaseX,
    TaskInout,
    SignedSelect,
    LargeShift,
    AsyncCondition,
    SignedConnection,
    RealNumber,
    CaseOfZ,
    CaseOfX,
    EqualX,
    FunctionRead,
    PullNet,
    NotRead,
};

/// A construct that a reader gets wrong, or does not read.
struct Rule {
    RuleId id;
    std::string_view name;     ///< of the row in docs/verilog.md
    Effect old;                ///< with read_verilog of Yosys before 0.70
    Effect now;                ///< with read_verilog of Yosys 0.70 and later
    Effect slang;              ///< with read_slang
    bool changesValues;        ///< else it is no more than not read
    std::string_view message;  ///< {0}: what it is about; {1}: the reader
};

std::span<const Rule> rules();
const Rule& ruleOf(RuleId id);
Effect effectOf(const Rule& rule, const Reader& reader);

}  // namespace smec::driver::scan
