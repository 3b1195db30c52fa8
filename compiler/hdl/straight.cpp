#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "hdl/body.h"
#include "hdl/forward.h"
#include "hdl/loop_bounds.h"
#include "hdl/needed.h"
#include "hdl/target.h"
#include "ir/analysis.h"
#include "ir/arithmetic.h"
#include "ir/references.h"
#include "passes/body.h"
#include "source/overloaded.h"

// What a clock cycle computes has no calls, exits and loops whose rounds vary: functions are
// written out where they are called, and the states of a process that waits each after a test.
// Loops with constant bounds stay where all that they do is the same in each round; of others,
// those that are left early or set memories, the rounds are written one after the other.

namespace smec {

namespace {

using namespace ir;
using hdl::forwardValues;
using hdl::Messages;
namespace target = hdl::target;

class Straightener {
public:
    Straightener(const Design& design, const Class& cls, Messages& messages)
        : design_(design), cls_(cls), messages_(messages) {}

    Body run() {
        Body body = cls_.body;
        if (!isPossible(body)) return body;
        dropOutput(body.statements);
        std::uint32_t rounds = 0;
        if (!passes::unrollStates(body, rounds)) {
            messages_.report(DiagId::HardwareWait, cls_.range);
            return body;
        }
        if (!straighten(body, cls_.columns, cls_.inputs)) return body;
        body.statements =
            passes::withoutExits(body, std::move(body.statements), passes::Exit::Return);
        passes::fold(body, cls_.columns, cls_.inputs, design_);
        passes::removeProvedChecks(body, cls_.columns, cls_.inputs, design_);
        for (int i = 0; i < 2; ++i) {  // branches that constants decide set values once
            forwardValues(body, ir::intervals(body, cls_.columns, cls_.inputs, design_));
            passes::fold(body, cls_.columns, cls_.inputs, design_);
            passes::removeDead(body, design_);
        }
        hdl::removeUnneeded(body);
        passes::removeDead(body, design_);  // expressions, and branches in which nothing is left
        hdl::removeUnneeded(body);          // what only these expressions mentioned
        return body;
    }

private:
    /// Floats have no hardware.
    bool isPossible(const Body& body) {
        const bool before = messages_.isUnusable();
        const auto isFloat = [](const Scalar& type) {
            return type.kind == ScalarKind::F32 || type.kind == ScalarKind::F64;
        };
        for (const Local& local : body.locals) {
            if (!isFloat(local.type.scalar)) continue;
            messages_.report(DiagId::HardwareFloat, cls_.range, local.name);
            break;
        }
        const bool computes = std::any_of(body.exprs.begin(), body.exprs.end(), [](const Expr& e) {
            return e.type == ExprType::F32 || e.type == ExprType::F64;
        });
        if (computes && messages_.isUnusable() == before)
            messages_.report(DiagId::HardwareArithmetic, cls_.range);
        for (const Output& output : cls_.outputs)
            if (cls_.combinational && output.hold)
                messages_.report(DiagId::HardwareHold, cls_.range);
        return messages_.isUnusable() == before;
    }

    /// What simulators of the language alone have, by name; rounds need no counting.
    static const char* outputOf(const Stmt& stmt) {
        return smec::visit(
            Overloaded{
                [](const Trace&) { return "'trace' of"; },
                [](const Stop&) { return "'stop' of"; },
                [](const AnyOf<Set, CopyArray, FillArray, Check, If, For, Loop, CountRound, Switch,
                               Break, Continue, Call, Return> auto&) -> const char* {
                    return nullptr;
                },
            },
            stmt.node);
    }

    void dropOutput(Block& block) {
        std::erase_if(block, [this](const Stmt& stmt) {
            const char* output = outputOf(stmt);
            if (output && said_.insert(output).second)
                messages_.report(DiagId::LeftOut, stmt.range, output, cls_.name);
            return output != nullptr;
        });
        for (Stmt& stmt : block)
            forEachBlock(stmt, [this](Block& inner) { dropOutput(inner); });
    }

    static void dropRounds(Block& block) {
        std::erase_if(
            block, [](const Stmt& stmt) { return std::holds_alternative<CountRound>(stmt.node); });
        for (Stmt& stmt : block)
            forEachBlock(stmt, [](Block& inner) { dropRounds(inner); });
    }

    bool straighten(Body& body, const std::vector<Column>& columns,
                    const std::vector<Input>& inputs) {
        const auto function = [this](FunctionId id) { return straight(id); };
        const bool before = messages_.isUnusable();
        if (!passes::inlineCalls(body, function, target::kMostExprs)) {
            if (messages_.isUnusable() == before)
                messages_.report(DiagId::HardwareBodySize, cls_.range);
            return false;
        }
        dropRounds(body.statements);
        passes::fold(body, columns, inputs, design_);
        hdl::boundLoops(body, ir::intervals(body, columns, inputs, design_));
        if (!hasFixedRounds(body) || !hasFewReturns(body)) return false;
        const auto stays = [&](const For& loop, const Rounds& rounds) {
            return staysLoop(body, loop, rounds);
        };
        const auto [largest, count] = largestLoop(body);
        if (count <= target::kMostStatements
            && passes::unrollLoops(
                body, {target::kMostRounds, target::kMostExprs, target::kMostStatements, stays}))
            return true;
        messages_.report(DiagId::HardwareLoopSize, largest);
        return false;
    }

    /// Statements that come of one when its loops are written out; only those that return, or all.
    Integer statementsOf(const Body& body, const Stmt& stmt, bool returns) const {
        const auto* loop = std::get_if<For>(&stmt.node);
        const std::optional<Rounds> rounds = loop ? roundsOf(body, *loop) : std::nullopt;
        Integer count = !returns || std::holds_alternative<Return>(stmt.node) ? 1 : 0;
        forEachBlock(stmt, [&](const Block& nested) {
            for (const Stmt& inner : nested)
                count += statementsOf(body, inner, returns);
        });
        return rounds && !staysLoop(body, *loop, *rounds) ? Integer(count * rounds->count) : count;
    }

    /// Where the loop is of which the most statements come, and how many.
    std::pair<SourceRange, Integer> largestLoop(const Body& body, bool returns = false) const {
        std::pair<SourceRange, Integer> largest{cls_.range, 0};
        forEachStmt(body.statements, [&](const Stmt& stmt) {
            if (!std::holds_alternative<For>(stmt.node) || !stmt.range.valid()) return;
            const Integer count = statementsOf(body, stmt, returns);
            if (count > largest.second) largest = {stmt.range, count};
        });
        return largest;
    }

    bool hasFewReturns(const Body& body) {
        const auto [range, count] = largestLoop(body, true);
        if (count <= target::kMostReturns) return true;
        messages_.report(DiagId::HardwareReturns, range, count.str(), target::kMostReturns);
        return false;
    }

    bool hasFixedRounds(const Body& body) {
        bool found = false;
        forEachStmt(body.statements, [&](const Stmt& stmt) {
            const auto* loop = std::get_if<For>(&stmt.node);
            if (found || !isLoop(stmt)) return;
            const std::optional<Rounds> rounds = loop ? roundsOf(body, *loop) : std::nullopt;
            if (rounds && rounds->count <= target::kMostRounds) return;
            found = true;
            const SourceRange range = stmt.range.valid() ? stmt.range : cls_.range;
            if (rounds)
                messages_.report(DiagId::HardwareRounds, range, target::kMostRounds,
                                 rounds->count.str());
            else
                messages_.report(DiagId::HardwareBounds, range);
        });
        return !found;
    }

    bool staysLoop(const Body& body, const For& loop, const Rounds& rounds) const {
        if (rounds.count < target::kFewestKept || rounds.count > target::kMostKept) return false;
        if (abs(rounds.first) >= ir::powerOfTwo(30) - target::kMostKept) return false;
        bool stays = true;
        std::vector<ExprId> roots;
        forEachStmt(loop.body, [&](const Stmt& stmt) {
            forEachExpr(stmt, [&](ExprId id) { roots.push_back(id); });
            forEachReference<LocalId>(stmt,
                                      [&](LocalId id) { stays = stays && !mayBeMemory(body, id); });
            stays = stays && staysInLoop(body, stmt);
        });
        if (!stays) return false;
        return !readsMemory(body, std::move(roots));
    }

    bool staysInLoop(const Body& body, const Stmt& stmt) const {
        return smec::visit(
            Overloaded{
                [](const AnyOf<Break, Return> auto&) { return false; },
                [&](const Check& n) {
                    return !cls_.combinational || !isAssertion(body.fails[n.site]);
                },
                [](const AnyOf<Set, CopyArray, FillArray, If, For, Loop, CountRound, Switch,
                               Continue, Call, Trace, Stop> auto&) { return true; },
            },
            stmt.node);
    }

    static bool isAssertion(const FailSite& site) {
        return site.kind == FailureKind::Assertion || site.kind == FailureKind::Assumption;
    }

    /// What a function takes may be one of its caller.
    bool mayBeMemory(const Body& body, LocalId id) const {
        if (cls_.combinational) return false;
        const Local& local = body.locals[id.index];
        const bool isOfClass = local.kind == LocalKind::State || local.kind == LocalKind::Param;
        return isOfClass && local.type.elements() > target::kMostReset;
    }

    bool readsMemory(const Body& body, std::vector<ExprId> todo) const {
        std::set<ExprId> seen;
        while (!todo.empty()) {
            const ExprId id = todo.back();
            todo.pop_back();
            if (!seen.insert(id).second) continue;
            const auto* read = std::get_if<ReadLocal>(&body[id].node);
            if (read && mayBeMemory(body, read->local)) return true;
            forEachOperand(body[id], [&](ExprId operand) { todo.push_back(operand); });
        }
        return false;
    }

    const passes::StraightFunction* straight(FunctionId id) {
        const auto [it, added] = functions_.try_emplace(id);
        if (added) {
            std::optional<passes::StraightFunction> result = make(design_.functions[id.index]);
            functions_[id] = std::move(result);
        }
        const auto& function = functions_[id];
        return function ? &*function : nullptr;
    }

    std::optional<passes::StraightFunction> make(const Function& function) {
        if (function.external) {
            messages_.report(DiagId::HardwareFunction, function.range, function.name);
            return std::nullopt;
        }
        Body body = function.body;
        dropOutput(body.statements);
        if (!straighten(body, {}, {})) return std::nullopt;
        return passes::withResults(std::move(body), function.results);
    }

    const Design& design_;
    const Class& cls_;
    Messages& messages_;
    std::set<std::string> said_;  ///< what is left out
    std::map<FunctionId, std::optional<passes::StraightFunction>> functions_;
};

}  // namespace

ir::Body hdl::straightBody(const ir::Design& design, const ir::Class& cls, Messages& messages) {
    return Straightener(design, cls, messages).run();
}

}  // namespace smec
