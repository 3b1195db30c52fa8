#include "driver/verilog/scan/rules.h"

#include <algorithm>

namespace smec::driver::scan {
namespace {

using enum Effect;

constexpr int kNewer = 70;

// clang-format off
constexpr Rule kRules[] = {
    {RuleId::SynthesisWords, "synthesis-words", Warned, Warned, Warned, true,
     "{1} reads for synthesis, a simulator does not: {0}"},
    {RuleId::MemoryLoad, "memory-load", Refused, Refused, None, true,
     "'{0}' is loaded after it is written, and {1} lets what is written win over the file; write it after the file is loaded"},
    {RuleId::MemoryLoadMaybe, "memory-load", Warned, Warned, None, true,
     "'{0}' may be loaded after it is written, and {1} lets what is written win over the file; load it in the other branch"},
    {RuleId::Hierarchy, "hierarchical-name", Refused, Refused, None, true,
     "'{0}' is a name in another module, and {1} makes a new net of it that nothing drives; take it through a port"},
    {RuleId::UnsizedNumber, "unsized-number", Refused, Refused, None, true,
     "{1} extends '{0}' beyond 32 bits as if it were negative; give it a size"},
    {RuleId::UnsizedNumberMaybe, "unsized-number", Warned, Warned, None, true,
     "{1} extends '{0}' as if it were negative where more than 32 bits are wanted; give it a size"},
    {RuleId::LoopWidth, "loop-width", Refused, Refused, None, true,
     "{1} reads the loop's variable '{0}' as a number of 32 bits in the body, which it is not; make it an integer"},
    {RuleId::LoopVariable, "loop-variable", Refused, Refused, None, true,
     "the body of the loop changes its variable '{0}', which {1} loses"},
    {RuleId::LoopWrap, "loop-wrap", Refused, Refused, None, true,
     "the loop's variable '{0}' leaves its range before the loop ends, and {1} counts on in 32 bits; make it wider"},
    {RuleId::TargetList, "target-list", Refused, Refused, None, true,
     "{1} loses what is written to '{0}' with an index in a list of targets; give it an assignment of its own"},
    {RuleId::MixedAssignments, "mixed-assignments", Refused, Refused, None, true,
     "'{0}' is assigned with '<=' and then with '=', and {1} takes the last one where the first one counts later; use one of them"},
    {RuleId::UpwardSelect, "upward-select", Refused, Refused, None, true,
     "'{0}' counts its bits upwards, and {1} loses what a chosen part writes across its edge; declare it downwards"},
    {RuleId::StaticLocal, "static-local", Refused, Refused, None, true,
     "'{0}' keeps its value from call to call, and {1} forgets it; give it a value on every path, or make the routine automatic"},
    {RuleId::StaticResultMaybe, "static-local", Warned, Warned, None, true,
     "'{0}' keeps its value from call to call where no item matches, and {1} forgets it; add a default"},
    {RuleId::Sensitivity, "sensitivity-list", Refused, Refused, Refused, true,
     "'{0}' is read but does not wake the block, and {1} lets the block follow it; use @*"},
    {RuleId::AsyncLoad, "async-load", Warned, Warned, Warned, true,
     "'{0}' follows what it loads while its reset is on, as {1} reads it; in a simulator it loads at edges alone"},
    {RuleId::TwoResets, "two-resets", Refused, Warned, None, true,
     "which of two asynchronous resets of '{0}' counts is another thing to {1} where both are on, or one ends first; leave one"},
    {RuleId::TwoResetsEnd, "two-resets", Warned, Warned, None, true,
     "an asynchronous reset of '{0}' that ends before another one hands over to it in {1}, in a simulator at the next edge alone"},
    {RuleId::UniqueCase, "unique-case", None, Refused, Refused, true,
     "{1} takes '{0}' without a match as any value, where a simulator keeps the old one; add a default"},
    {RuleId::UniqueCaseMaybe, "unique-case", None, Warned, Warned, true,
     "{1} takes '{0}' without a match as any value, where a simulator keeps the old one; add a default"},
    {RuleId::UniqueCaseX, "unique-case", Refused, Refused, Refused, true,
     "{1} takes '{0}' without a match as any value, where a simulator keeps the old one; add a default"},
    {RuleId::TaskInout, "task-inout", Refused, None, None, true,
     "{1} does not hand the value of '{0}' to the task; give it an input and an output"},
    {RuleId::SignedSelect, "signed-select", Refused, None, None, true,
     "{1} does not extend the sign of what is written to a chosen part of '{0}'; give it all its bits"},
    {RuleId::LargeShift, "large-shift", Refused, None, None, true,
     "{1} shifts by another count than '{0}', which is 2^31 and more or has too many bits; take fewer"},
    {RuleId::AsyncCondition, "async-condition", Refused, Refused, None, false,
     "{1} does not read a condition with an asynchronous reset and '{0}' in one; nest two conditions, the reset outside"},
    {RuleId::SignedConnection, "signed-connection", Refused, Refused, None, false,
     "{1} does not read '{0}' as what is connected; declare a wire for it"},
    {RuleId::RealNumber, "real-number", Refused, Refused, None, false,
     "{1} does not compute with '{0}', a real number, in hardware; make it a localparam of whole numbers first"},
    {RuleId::CaseOfZ, "case-z", Refused, None, None, false,
     "{1} does not read z in an item of a plain 'case', which matches nothing here; leave the item out, or write 'casez'"},
    {RuleId::CaseOfX, "case-x", Refused, None, None, true,
     "{1} takes x in an item of 'case' and 'casez' for any value, where it matches nothing here; leave the item out, or write 'casex'"},
    {RuleId::EqualX, "equal-x", Refused, Refused, Refused, true,
     "'{0}' has x or z, so that '==' with it never holds in a simulator, and {1} takes them for values; write '===' or 'casez'"},
    {RuleId::FunctionRead, "function-read", Warned, Warned, Warned, true,
     "'{0}' is read by a function, which does not wake the block of @*, and {1} lets the block follow it; make it an argument"},
    {RuleId::PullNet, "pull-net", Refused, Refused, Refused, false,
     "{1} does not read {0}, nets that have a value where nothing drives them; choose between their drivers"},
    {RuleId::NotRead, "not-read", Refused, Refused, None, false,
     "{1} does not read {0}"},
};
// clang-format on

}  // namespace

std::span<const Rule> rules() { return kRules; }

const Rule& ruleOf(RuleId id) { return *std::ranges::find(kRules, id, &Rule::id); }

Effect effectOf(const Rule& rule, const Reader& reader) {
    if (reader.isSlang) return rule.slang;
    return reader.version >= kNewer ? rule.now : rule.old;
}

}  // namespace smec::driver::scan
