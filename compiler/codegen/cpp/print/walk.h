#pragma once

#include <map>
#include <string>
#include <vector>

#include "codegen/cpp/print/activation.h"
#include "codegen/cpp/print/names.h"

namespace smec::codegen::cpp {

/// Prints the inner function that a walk of a loop calls, and the calls. Parameters are pointers
/// named after what they reach: `x_v_in`, `n_state`.
class WalkPrinter : private AccessSpeller {
public:
    WalkPrinter(const CppDesign& cpp, const LoopPlan& loop, const Walk& walk);

    /// The function itself.
    void print(Writer& out);
    /// One that calls it with vectors filled (LoopPlan::filledWord).
    void printFilled(const std::string& name, Writer& out) const;
    /// A call for `count` instances from `begin`, of whichever function runs the walk.
    std::string call(const std::string& count) const;
    /// The same of another function with these parameters.
    std::string callOf(const std::string& function, const std::string& count) const;

private:
    std::string of(const Access& access, const ir::StorageType& type) override;
    std::string ofInput(const InputLoad& load, const ir::StorageType& type) override;
    Selection ofSelection(const InputSelection& selection, const ir::Input& input) override;

    void printStages(Writer& out);
    void printStage(const Stage& stage, Writer& out);

    bool isAtSeams() const { return cpp::isAtSeams(walk_.kind); }
    const LoopNames& functionNames() const { return cpp_.names.loops[walk_.function.kernel]; }
    const char* instance() const { return isAtSeams() ? "seam[0]" : "i"; }
    std::string nameOfParameter(const Parameter& parameter) const;
    std::string parameters() const;
    std::string argument(const Parameter& parameter) const;
    std::string inRow(const InRow& row, const std::string& type) const;
    std::string inRowByStep(const InRowByStep& row, const std::string& type) const;

    const CppDesign& cpp_;
    const LoopPlan& loop_;
    const Walk& walk_;
    const ir::Class& cls_;
    Names names_;
    std::vector<std::string> spelled_;            ///< by parameter
    std::map<std::uint32_t, std::string> lanes_;  ///< of temporaries that stages share
};

}  // namespace smec::codegen::cpp
