#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "codegen/cpp/decide/body_parts.h"
#include "codegen/cpp/decide/set_paths.h"
#include "codegen/cpp/decide/word.h"
#include "ir/analysis.h"
#include "ir/ir.h"
#include "plan/body_uses.h"
#include "plan/facts.h"
#include "rules/ledger.h"

/// What code generation decides about a body before it prints any of it.
namespace smec::codegen::cpp {

/// What a body or function asks of its surroundings.
struct Needs {
    bool context = false;   ///< traces, fails, stops, reads the cycle number, counts rounds
    bool cycle = false;     ///< reads the cycle number
    bool instance = false;  ///< traces, fails, stops
    bool rounds = false;    ///< counts rounds of loops
    bool leave = false;     ///< may end before its last statement
    bool returns = false;   ///< does so though nothing has failed
    bool fails = false;
    bool stops = false;
    bool traces = false;
    std::uint64_t stackBytes = 0;  ///< of arrays, its own and those of the calls in it at one time
    void include(const Needs& callee);
};

struct LocalInfo {
    bool isUsed = false;
    bool isWritten = false;
    /// The statement that declares it (its first use, which sets all of it, and whose block holds
    /// every other); invalid: declared in front.
    ir::StmtId declaredBy{};
    /// Array outputs: the body's first use sets every element before anything can leave, so that no
    /// default is needed.
    bool isOverwritten = false;
    /// Temporary arrays: more than the stack is for. Kernels do not nest, and functions do not recurse.
    bool isStatic = false;
    /// A variable of a long body that a part of it or a branch uses alone: it is loaded and stored
    /// there, where it lies.
    bool isOfOneBlock = false;
    /// A float that outlives the activation: every NaN in it is the canonical one.
    bool isCanonical = false;
};

/// How values of a trace or failure travel.
enum class ArgumentForm : std::uint8_t {
    Array,     ///< one that is filled in place
    Registers  ///< as arguments: of a long body, which would have an array for each
};

/// What printers need to know of an expression's values. Intervals are for deciding alone.
struct ExprFacts {
    Word word;                 ///< that it is computed in, of integers
    Extent extent;             ///< of integers
    std::uint64_t atMost = 0;  ///< no value is greater, of integers; UINT64_MAX: not known
    /// What the operator needs beside that holds. Wrap: every value is in its range already; Div and
    /// Mod: the divisor is not 0, and nothing traps; Add, Sub, Mul and Neg: the word holds operands and
    /// result, so that nothing overflows; Shl: the count is below the word's bits.
    bool isProven = false;
    std::uint32_t laneBits =
        0;                     ///< of the smallest word of 8, 16 or 32 that holds it; 0: none does
    ir::ExprId tested{};       ///< of `(x & 1) != 0`, `x[0:0] == 0` and their like: x
    bool isOddTested = false;  ///< else whether it is even
    /// BoolAnd, BoolOr: outside of lanes the right side is only looked at where the left one does not decide.
    bool isShortCircuit = false;

    bool isBelow(std::uint64_t length) const { return !extent.isNegative && atMost < length; }
};

/// The word of a `for` loop's counter.
struct CounterWord {
    Word word;
    bool toTheEnd;  ///< it does not hold one step beyond the last value
    bool operator==(const CounterWord&) const = default;
};

struct BodyInfo {
    const ir::Body* body = nullptr;
    std::vector<ExprFacts> facts;                ///< by expression
    std::map<ir::StmtId, CounterWord> counters;  ///< of For
    std::vector<LocalInfo> locals;
    const plan::BodyUses* uses = nullptr;  ///< of inputs
    std::set<std::uint32_t> columns;
    std::set<std::uint32_t> tables;
    std::set<std::uint32_t> functions;  ///< called directly
    Needs needs;
    std::map<ir::StmtId, BodyPart> parts;  ///< by their first statements
    std::vector<ir::LocalId> inFront;      ///< temporaries that stand in front of the statements
    ArgumentForm arguments = ArgumentForm::Array;
    /// Parts take copies of what is shared, before it is set, too: so it begins with something.
    bool isCopiedToParts = false;
    /// Straight code, of which one instance may work on variables where they lie: in a loop over many
    /// copies are what becomes vectors.
    bool isPlain = false;
    std::size_t changedVariables = 0;  ///< scalars
    std::vector<SetOn> setOn;          ///< by local
    /// Of arrays in memory, at places that are not constant: for a C++ compiler also of what lies beside them.
    bool setsElements = false;
};

using plan::constantElement;

/// `facts`: of the body, whose statements are numbered. `functions`: the needs of all functions called.
BodyInfo analyse(BodyOf kind, const ir::Body& body, const plan::BodyFacts& facts,
                 const std::vector<Needs>& functions, const rules::Asker& ledger,
                 rules::Subject subject);

/// All functions a body reaches, callees before callers.
std::vector<std::uint32_t> reachableFunctions(const std::set<std::uint32_t>& direct,
                                              const std::vector<BodyInfo>& functions);

}  // namespace smec::codegen::cpp
