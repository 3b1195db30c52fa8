#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "ir/arithmetic.h"
#include "ir/ir.h"
#include "passes/target.h"

/// What passes do to one body. Each leaves a body that behaves as before; when it returns false it
/// gave up, and the body is not to be used any more.
namespace smec::passes {

void fold(ir::Body& body, const std::vector<ir::Column>& columns,
          const std::vector<ir::Input>& inputs, const ir::Design& design);
void removeProvedChecks(ir::Body& body, const std::vector<ir::Column>& columns,
                        const std::vector<ir::Input>& inputs, const ir::Design& design);
/// Temporaries nobody reads, and expressions and locals nobody uses.
void removeDead(ir::Body& body, const ir::Design& design);

/// Expressions, statements and labels.
std::size_t sizeOf(const ir::Body& body);

inline ir::ExprId addExpr(ir::Body& body, ir::Expr expr) {
    body.exprs.push_back(std::move(expr));
    return {static_cast<std::uint32_t>(body.exprs.size() - 1)};
}

/// The smallest integer type that holds the values; nothing when that is longer than 64 bits.
inline std::optional<ir::Scalar> smallestType(const ir::Interval& values) {
    const bool isSigned = values.low < 0;
    const std::uint32_t width = std::max(ir::bitsOf(values, isSigned), 1U);
    if (width > 64) return std::nullopt;
    return ir::Scalar{ir::ScalarKind::Int, isSigned, width};
}

/// The loop over the states of a process that waits.
inline bool isStateMachine(const ir::Stmt& stmt) {
    const auto* loop = std::get_if<ir::Loop>(&stmt.node);
    return loop && loop->isStateMachine;
}

enum class Exit : std::uint8_t { Return, Break, Continue };
/// A block that ends where it left before; `instead`: what an exit becomes. Exits of a kind out of
/// loops inside stay when it is Break or Continue, and must not be there when it is Return.
ir::Block withoutExits(ir::Body& body, ir::Block block, Exit exit,
                       const std::function<ir::Block(const ir::Stmt&)>& instead = {});

/// A function without calls, loops and returns: `results` are temporaries that hold its results at
/// the end.
struct StraightFunction {
    ir::Body body;
    std::vector<ir::LocalId> results;
};
/// From the body of a function without calls and loops.
StraightFunction withResults(ir::Body body, const std::vector<ir::StorageType>& results);
/// Replaces calls by what is called; `function` gives nullptr for one that has to stay.
bool inlineCalls(ir::Body& body,
                 const std::function<const StraightFunction*(ir::FunctionId)>& function,
                 std::size_t mostExprs = target::kMostExprs);

/// Replaces the loop over the states of a process that waits by a sequence of tests. `rounds`
/// becomes the most rounds of loops that an activation takes, which it no longer counts.
bool unrollStates(ir::Body& body, std::uint32_t& rounds);

struct UnrollLimits {
    std::uint64_t rounds = target::kMostUnrolled;  ///< of one loop
    std::size_t exprs = target::kMostExprs;
    std::size_t statements = SIZE_MAX;
    /// Loops that stay, of those with constant bounds: without `continue` then. Nothing: none.
    std::function<bool(const ir::For&, const ir::Rounds&)> stays{};
};
/// Replaces loops by their rounds; false when one has no constant bounds or too many rounds.
bool unrollLoops(ir::Body& body, const UnrollLimits& limits = {});

/// Arrays at indices that are the same in all instances get that form (ir::LocalForm::Spread); what
/// their elements are kept in is for splitArrays() and splitVariables().
void spreadArrays(ir::Body& body, const ir::Class& cls, const ir::Design& design,
                  const std::vector<ir::Interval>& intervals);
/// Variables from which the indices of spread arrays are computed get the form Common. Of a body
/// without branches.
void findCommon(ir::Body& body);

/// Replaces arrays by scalars, their elements; spread ones stay, at the slots of their elements.
/// False when an array is too long, an output, copied from an input, or a long variable of which few
/// elements are touched. `slots` becomes the slots of the class's variables whose elements are
/// variables of their own now.
bool splitArrays(ir::Body& body, const std::vector<ir::Interval>& intervals,
                 std::vector<std::uint32_t>& slots);
/// Gives each element of these variables a plane of its own.
void splitVariables(ir::Design& design, ir::ClassId cls, const std::vector<std::uint32_t>& slots);

/// Whether a class's body, which has branches, can be made one for vector instructions.
bool wouldFillLanes(ir::Design& design, const ir::Class& cls);

/// What both sides of a branch set at last is set behind it, by a select; in a body that suits
/// lanes.
void joinSides(ir::Body& body);

/// Elements of arrays that lie in one piece are read and set by statements of their own
/// (ir::isAccess), with what they need in temporaries in front. Of a body without loops, calls and
/// checks; false when an index needs more than 64 bits.
bool partAccesses(ir::Body& body, const std::vector<ir::Interval>& intervals);
/// Brings the statements of a body of assignments and accesses into an order in which both alternate
/// least: accesses as early, all else as late as what they read allows. False when they still
/// alternate too often.
bool orderStages(ir::Body& body);

/// Branches become selects, in a body that suits lanes, or of loops under no condition among such
/// statements, or of accesses (ir::isAccess), which keep a branch each.
void flattenBranches(ir::Body& body, const std::vector<ir::Interval>& intervals);

}  // namespace smec::passes
