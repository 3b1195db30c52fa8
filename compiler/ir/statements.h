#pragma once

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "ir/expressions.h"
#include "source/source_manager.h"

/// Statements, which set locals, fail, trace and call; in blocks that nest.
namespace smec::ir {

struct Stmt;
using Block = std::vector<Stmt>;

/// local = value, or local[index] = value with index in range. `value` lies within the local's type
/// (a Wrap or proof stands in it).
struct Set {
    LocalId local;
    ExprId index;
    ExprId value;
};
/// Whole array: from a local, an input (element invalid: 0) or a table of the same length and
/// scalar.
struct CopyArray {
    LocalId to;
    std::variant<LocalId, ReadInput, TableId> from;
};
/// Every element becomes `value`.
struct FillArray {
    LocalId to;
    ExprId value;
};
/// Leaves the activation with a failure unless `ok` holds. `args` as in sme::FailSite.
struct Check {
    ExprId ok;
    std::uint32_t site;
    std::vector<ExprId> args;
};
struct If {
    ExprId condition;
    Block yes;
    Block no;
};
/// for (var = from; …): `from`, `to` evaluated once. Up: var ≤ to; Down: var ≥ to; Either: up when
/// from ≤ to, else down. `to` is included; nothing runs when Up and from > to (Down: from < to).
/// `rounds`: most rounds, where known when compiling; the body of a loop without counts them.
enum class LoopKind : std::uint8_t { Up, Down, Either };
struct For {
    LocalId var;
    LoopKind kind;
    ExprId from;
    ExprId to;
    Block body;
    std::optional<std::uint64_t> rounds;
};
/// Forever until Break. The body counts its rounds, after the test of its condition.
struct Loop {
    Block body;
    /// The states of a process that waits: one switch over the state variable; a round goes from
    /// one state to another within an activation, and Return ends it.
    bool isStateMachine = false;
};
/// One more round of this activation; fails at `site` beyond the loop limit.
struct CountRound {
    std::uint32_t site;
};
struct SwitchCase {
    std::vector<Integer> labels;
    Block body;
};
struct Switch {
    ExprId subject;
    std::vector<SwitchCase> cases;
    Block otherwise;
};
struct Break {};
struct Continue {};
/// results = function(args). Scalar arguments lie within the parameters' types; an array argument
/// is a ReadLocal of the whole array. One local for each of Function::results, different from the
/// arguments'. May fail or trace (see Function).
struct Call {
    std::vector<LocalId> results;
    FunctionId function;
    std::vector<ExprId> args;
};
/// In functions: one value (arrays: a ReadLocal of the whole) for each of Function::results. In
/// processes: none; leaves the activation.
struct Return {
    std::vector<ExprId> values;
};
struct Trace {
    std::uint32_t site;
    std::vector<ExprId> args;
};
struct Stop {
    ExprId status;
};
struct Stmt {
    SourceRange range;
    std::variant<Set, CopyArray, FillArray, Check, If, For, Loop, CountRound, Switch, Break,
                 Continue, Call, Return, Trace, Stop>
        node;
    /// Its place in the body, in the order of forEachStmt(): what is found out about a statement is kept
    /// by it. Holds while nothing changes behind numberStatements(), which passes end with.
    StmtId id{};
};

}  // namespace smec::ir
