#include <algorithm>
#include <map>
#include <optional>

#include "ir/analysis.h"
#include "ir/lanes.h"
#include "ir/reach.h"
#include "ir/target.h"
#include "ir/visit.h"
#include "passes/body.h"
#include "passes/passes.h"
#include "passes/target.h"
#include "passes/wires.h"
#include "source/overloaded.h"

// Brings bodies of classes with enough instances to fill the lanes into a form that vector
// instructions compute: calls become what they call, loops their rounds, small arrays scalars, and
// branches selects, one after the other on a copy of the body. It is kept where all that went well
// and the result is small enough.

namespace smec::passes {

using namespace ir;

namespace {

class Straightener {
public:
    Straightener(Design& design, const rules::Asker& ledger) : design_(design), ledger_(ledger) {}

    /// Whether a class's body can be brought into that form, wherever its inputs come from.
    bool suits(const Class& cls) {
        Body body = cls.body;
        std::vector<std::uint32_t> slots;
        std::uint32_t rounds = 0;
        if (!needsMore(body) && !suitBranches(cls)) return false;
        if (needsMore(body)
            && (!isCandidate(body) || !writeStates(body, rounds) || !straighten(cls, body, slots)))
            return false;
        return suitsLanes(body, intervals(body, cls.columns, cls.inputs, design_));
    }

    bool run(ClassId id) {
        subject_ = rules::Subject::ofClass(id.index);
        why_.reset();
        if (change(id)) return true;
        const Class& cls = design_.classes[id.index];
        if (why_ && ledger_.isHeard() && !isInLanes(cls))
            ledger_.ask(rules::Rule::Lanes, *subject_, {*why_}, cls.instances > 1 ? 1 : 0);
        return false;
    }

private:
    /// What a class's body is looked at for in front of what changes it.
    struct Contents {
        bool states = false, rounds = false, arrays = false;
    };

    /// Says why there are no lanes, as far as nothing in front of it did.
    bool refuse(const rules::Finding& why) {
        if (!why_) why_ = why;
        return false;
    }
    bool refuse(rules::Rule rule, const rules::Finding& why) {
        const rules::Finding told =
            ledger_.allows(rule) ? why : rules::Finding{rules::Condition::SwitchedOff, false};
        if (subject_) ledger_.ask(rule, *subject_, {told});
        return refuse(told);
    }

    bool change(ClassId id) {
        using enum rules::Condition;
        Class& cls = design_.classes[id.index];
        if (cls.instances < ir::target::kLaneInstances)
            return refuse({Instances, cls.instances, ir::target::kLaneInstances});
        if (!needsMore(cls.body)) return flattenAlone(cls);
        // without vector code branches are cheaper
        if (!isCandidate(cls.body)) {
            const std::size_t size = sizeOf(cls.body);
            return size > target::kMostLaneSize ? refuse({LaneSize, size, target::kMostLaneSize})
                                                : refuse({PlainStatements, false});
        }
        if (isScattered(design_, cls)) return refuse({RegularInputs, false});
        return fill(id) || fillStages(cls) || flattenRounds(cls);
    }

    /// As it is.
    bool isInLanes(const Class& cls) const {
        if (cls.instances < ir::target::kLaneInstances) return false;
        const auto values = intervals(cls.body, cls.columns, cls.inputs, design_);
        return fillsLanesInRounds(cls, values) || fillsLanesInStages(cls, values);
    }

    /// Of a body with branches alone, or without.
    bool flattenAlone(Class& cls) {
        if (suitBranches(cls)) return flatten(cls, cls.body);
        if (!ledger_.isHeard()) return false;
        const auto values = intervals(cls.body, cls.columns, cls.inputs, design_);
        if (!suitsLanes(cls.body, values)) return refuse({rules::Condition::LaneOperators, false});
        if (std::ranges::none_of(cls.body.statements, isBranch)) return false;
        return refuse({rules::Condition::LaneBytes, laneBytes(cls.body, values),
                       std::min(mostLaneBytes(cls.body), target::kMostLaneBytes)});
    }

    static Contents contentsOf(const Body& body) {
        Contents contents;
        forEachStmt(body.statements, [&](const Stmt& stmt) {
            contents.states = contents.states || isStateMachine(stmt);
            contents.rounds = contents.rounds || std::holds_alternative<For>(stmt.node);
        });
        contents.arrays = std::ranges::any_of(
            body.locals, [](const Local& local) { return local.type.isArray(); });
        return contents;
    }

    static std::uint32_t spreadIn(const Body& body) {
        return static_cast<std::uint32_t>(
            std::ranges::count(body.locals, LocalForm::Spread, &Local::form));
    }

    /// What was done to a body that runs in lanes now.
    void noteFilled(const Contents& before, std::uint32_t spread) const {
        using enum rules::Rule;
        ledger_.ask(WrittenStates, *subject_, {}, before.states ? 1 : 0);
        ledger_.ask(WrittenRounds, *subject_, {}, before.rounds ? 1 : 0);
        ledger_.ask(SplitArrays, *subject_, {}, before.arrays && spread == 0 ? 1 : 0);
        ledger_.ask(SpreadArrays, *subject_, {{rules::Condition::CommonIndices, spread > 0}},
                    before.arrays ? std::max(spread, 1U) : 0);
    }

    bool fill(ClassId id) {
        Class& cls = design_.classes[id.index];
        Body body = cls.body;
        std::vector<std::uint32_t> slots;
        std::uint32_t rounds = 0;
        if (!writeStates(body, rounds) || !straighten(cls, body, slots) || !flatten(cls, body))
            return false;
        noteFilled(contentsOf(cls.body), spreadIn(body));
        findCommon(body);
        cls.body = std::move(body);
        design_.uncountedRounds = std::max(design_.uncountedRounds, rounds);
        splitVariables(design_, id, slots);
        return true;
    }

    /// Arrays stay in memory, and what reads and sets them apart from what is computed.
    bool fillStages(Class& cls) {
        using enum rules::Condition;
        const auto ask = [&](const rules::Finding& found) {
            return ledger_.ask(rules::Rule::LaneStages, *subject_, {found});
        };
        if (!ledger_.allows(rules::Rule::LaneStages))
            return contentsOf(cls.body).arrays && ask({PartedAccesses, true});
        Body body = cls.body;
        std::uint32_t rounds = 0;
        const auto values = [&] { return intervals(body, cls.columns, cls.inputs, design_); };
        if (!writeStates(body, rounds) || rounds > 0
            || !removeCallsAndLoops(body, cls.columns, cls.inputs))
            return false;
        clean(cls, body);
        if (!isAssignmentsAndBranches(body) || !partAccesses(body, values())) return false;
        const double least = double(target::kOperationsOfAccess * accessesOf(body));
        if (operationsOf(body) < least) return ask({OperationsOfAccess, operationsOf(body), least});
        const std::size_t most = std::max(target::kMostLaneBytes, mostLaneBytes(body));
        joinSides(body);
        flattenBranches(body, values());
        if (!orderStages(body)) return ask({PartedAccesses, false});
        std::swap(body, cls.body);
        const auto now = intervals(cls.body, cls.columns, cls.inputs, design_);
        if (ask(fillsLanesInStages(cls, now)
                    ? rules::Finding{LaneBytes, laneBytes(cls.body, now), most}
                    : rules::Finding{PartedAccesses, false}))
            return true;
        std::swap(body, cls.body);
        return false;
    }

    static bool isAssignmentsAndBranches(const Body& body) {
        bool are = sizeOf(body) <= target::kMostLaneSize;
        const Overloaded look{
            [](const AnyOf<Set, If, Switch> auto&) { return true; },
            [](const AnyOf<CopyArray, FillArray, Check, For, Loop, CountRound, Break, Continue,
                           Call, Return, Trace, Stop> auto&) { return false; },
        };
        forEachStmt(body.statements,
                    [&](const Stmt& stmt) { are = are && smec::visit(look, stmt.node); });
        return are;
    }

    /// Beyond which lanes lose what they gain, by the operations of an instance that goes through
    /// its branches alone.
    static std::size_t mostLaneBytes(const Body& body) {
        return static_cast<std::size_t>(operationsOf(body)) * target::kMostVectors
               * target::kVectorBytes;
    }

    static std::size_t accessesOf(const Body& body) {
        std::size_t count = 0;
        forEachStmt(body.statements,
                    [&](const Stmt& stmt) { count += isAccess(body, stmt) ? 1 : 0; });
        return count;
    }

    /// On average: half of the time a branch is taken, and each case of a switch as often.
    static double operationsOf(const Body& body) {
        Reach reach(body);
        return operationsOf(body, body.statements, reach);
    }

    static double operationsOf(const Body& body, const Block& block, Reach& reach) {
        double sum = 0;
        for (const Stmt& stmt : block) {
            sum += ownOperations(body, stmt, reach);
            double inside = 0;
            std::size_t blocks = 0;
            forEachBlock(stmt, [&](const Block& inner) {
                inside += operationsOf(body, inner, reach);
                ++blocks;
            });
            if (blocks > 0) sum += inside / static_cast<double>(blocks);
        }
        return sum;
    }

    /// The next statement may find other values in the same variables.
    static double ownOperations(const Body& body, const Stmt& stmt, Reach& reach) {
        double count = 0;
        reach.restart();
        reach.from(stmt, [&](ExprId id) { count += isLeaf(body, id) ? 0 : 1; });
        return count;
    }

    /// Of a loop that is too long to be written out. g++ makes no vector code around one with branches.
    bool flattenRounds(Class& cls) {
        using enum rules::Condition;
        const auto ask = [&](const rules::Finding& found) {
            return ledger_.ask(rules::Rule::LaneRounds, *subject_, {found});
        };
        if (!hasBranchesInRounds(cls.body)) return false;
        if (!ledger_.allows(rules::Rule::LaneRounds)) return ask({OneLongLoop, true});
        Body body = cls.body;
        joinSides(body);
        flattenBranches(body, intervals(body, cls.columns, cls.inputs, design_));
        std::swap(body, cls.body);
        const auto values = intervals(cls.body, cls.columns, cls.inputs, design_);
        if (ask(fillsLanesInRounds(cls, values)
                    ? rules::Finding{LaneBytes, laneBytes(cls.body, values), target::kMostLaneBytes}
                    : rules::Finding{LaneOperators, false}))
            return true;
        std::swap(body, cls.body);
        return false;
    }

    /// One loop under no condition, and nothing else but assignments and branches.
    static bool hasBranchesInRounds(const Body& body) {
        if (sizeOf(body) > target::kMostBranches) return false;
        std::size_t loops = 0, all = 0, branches = 0;
        bool fits = true;
        const Overloaded look{
            [&](const For&) { ++all; },
            [&](const AnyOf<If, Switch> auto&) { ++branches; },
            [](const Set&) {},
            [&](const AnyOf<CopyArray, FillArray, Check, Loop, CountRound, Break, Continue, Call,
                            Return, Trace, Stop> auto&) { fits = false; },
        };
        forEachStmt(body.statements, [&](const Stmt& stmt) { smec::visit(look, stmt.node); });
        for (const Stmt& stmt : body.statements)
            loops += std::holds_alternative<For>(stmt.node) ? 1 : 0;
        return fits && loops == 1 && all == 1 && branches > 0;
    }

    /// Whether there is more than branches to be done.
    static bool needsMore(const Body& body) {
        bool needs = std::any_of(body.locals.begin(), body.locals.end(),
                                 [](const Local& local) { return local.type.isArray(); });
        const Overloaded isMore{
            [](const AnyOf<Call, For> auto&) { return true; },
            [](const Loop& n) { return n.isStateMachine; },
            [](const AnyOf<Set, CopyArray, FillArray, Check, If, CountRound, Switch, Break,
                           Continue, Return, Trace, Stop> auto&) { return false; },
        };
        forEachStmt(body.statements,
                    [&](const Stmt& stmt) { needs = needs || smec::visit(isMore, stmt.node); });
        return needs || std::any_of(body.exprs.begin(), body.exprs.end(), readsElement);
    }

    /// Of an array that is no variable.
    static bool readsElement(const Expr& expr) {
        const auto* input = std::get_if<ReadInput>(&expr.node);
        return std::holds_alternative<ReadTable>(expr.node)
               || (input != nullptr && input->index.valid());
    }

    bool suitBranches(const Class& cls) const {
        const Body& body = cls.body;
        const std::size_t size = sizeOf(body);
        if (std::none_of(body.statements.begin(), body.statements.end(), isBranch)) return false;
        if (size <= target::kMostBranches) return true;
        return size <= target::kMostLaneSize
               && laneBytes(body, intervals(body, cls.columns, cls.inputs, design_))
                      <= mostLaneBytes(body);
    }

    /// Looks for what no step removes, before anything is copied.
    static bool isCandidate(const Body& body) {
        bool fits = sizeOf(body) <= target::kMostLaneSize;
        const Overloaded isRemovable{
            [](const Loop& n) { return n.isStateMachine; },
            [](const AnyOf<Trace, Stop> auto&) { return false; },
            [](const AnyOf<Set, CopyArray, FillArray, Check, If, For, CountRound, Switch, Break,
                           Continue, Call, Return> auto&) { return true; },
        };
        forEachStmt(body.statements,
                    [&](const Stmt& stmt) { fits = fits && smec::visit(isRemovable, stmt.node); });
        return fits;
    }

    bool straighten(const Class& cls, Body& body, std::vector<std::uint32_t>& slots) {
        using enum rules::Condition;
        if (!removeCallsAndLoops(body, cls.columns, cls.inputs)) return false;
        clean(cls, body);
        if (sizeOf(body) > target::kMostLaneSize)
            return refuse({LaneSize, sizeOf(body), target::kMostLaneSize});
        if (ledger_.allows(rules::Rule::SpreadArrays))
            spreadArrays(body, cls, design_, intervals(body, cls.columns, cls.inputs, design_));
        if (!mayTakeApart(body)
            || !splitArrays(body, intervals(body, cls.columns, cls.inputs, design_), slots))
            return refuse(rules::Rule::SplitArrays, {SmallArrays, false});
        clean(cls, body);
        const std::size_t bytes =
            laneBytes(body, intervals(body, cls.columns, cls.inputs, design_));
        return bytes <= target::kMostLaneBytes
               || refuse({LaneBytes, bytes, target::kMostLaneBytes});
    }

    /// Whether its arrays may become scalars; those that are spread may.
    bool mayTakeApart(const Body& body) const {
        return ledger_.allows(rules::Rule::SplitArrays)
               || std::ranges::none_of(body.locals, [](const Local& local) {
                      return local.type.isArray() && local.form != LocalForm::Spread;
                  });
    }

    bool writeStates(Body& body, std::uint32_t& rounds) {
        const rules::Finding failure{rules::Condition::OrderedStates, false};
        if (contentsOf(body).states && !ledger_.allows(rules::Rule::WrittenStates))
            return refuse(rules::Rule::WrittenStates, failure);
        return unrollStates(body, rounds) || refuse(rules::Rule::WrittenStates, failure);
    }

    bool removeCallsAndLoops(Body& body, const std::vector<Column>& columns,
                             const std::vector<Input>& inputs) {
        const rules::Finding failure{rules::Condition::FewRounds, false};
        if (!inlineCalls(body, [this](FunctionId id) { return straight(id); }))
            return refuse(failure);
        fold(body, columns, inputs, design_);
        if (contentsOf(body).rounds && !ledger_.allows(rules::Rule::WrittenRounds))
            return refuse(rules::Rule::WrittenRounds, failure);
        return unrollLoops(body) || refuse(rules::Rule::WrittenRounds, failure);
    }

    void clean(const Class& cls, Body& body) {
        fold(body, cls.columns, cls.inputs, design_);
        removeProvedChecks(body, cls.columns, cls.inputs, design_);
        removeDead(body, design_);
    }

    const StraightFunction* straight(FunctionId id) {
        const auto [it, added] = functions_.try_emplace(id);
        if (added) {
            std::optional<StraightFunction> result = straightened(design_.functions[id.index]);
            functions_[id] = std::move(result);
        }
        const std::optional<StraightFunction>& function = functions_[id];
        return function ? &*function : nullptr;
    }

    std::optional<StraightFunction> straightened(const Function& function) {
        if (function.mayTrace || function.callsForeign || function.external
            || !isCandidate(function.body))
            return std::nullopt;
        Body body = function.body;
        if (!removeCallsAndLoops(body, {}, {})) return std::nullopt;
        return withResults(std::move(body), function.results);
    }

    /// Bytes of a lane that an activation computes.
    static std::size_t laneBytes(const Body& body, const std::vector<Interval>& values) {
        const std::vector<std::uint32_t> demanded = demandedBits(body, values);
        std::size_t sum = 0;
        for (std::size_t i = 0; i < body.exprs.size(); ++i) {
            switch (body.exprs[i].type) {
            case ExprType::Bool: sum += 1; break;
            case ExprType::Int: sum += bytesOf(values[i], demanded[i]); break;
            case ExprType::F32: sum += 4; break;
            case ExprType::F64: sum += 8; break;
            }
        }
        return sum;
    }

    /// Of the smallest word that holds a value, or its low bits where no others matter.
    static std::size_t bytesOf(const Interval& values, std::uint32_t demanded) {
        for (const std::uint32_t bytes : {1, 2, 4}) {
            const std::uint32_t bits = 8 * bytes;
            if (demanded <= bits) return bytes;
            for (const bool isSigned : {false, true}) {
                const Interval all = intervalOf(Scalar{ScalarKind::Int, isSigned, bits});
                if (all.low <= values.low && values.high <= all.high) return bytes;
            }
        }
        return 8;
    }

    bool flatten(const Class& cls, Body& body) {
        const auto values = [&] { return intervals(body, cls.columns, cls.inputs, design_); };
        if (!suitsLanes(body, values())) return refuse({rules::Condition::LaneOperators, false});
        joinSides(body);
        flattenBranches(body, values());
        return true;
    }

    Design& design_;
    const rules::Asker& ledger_;
    std::optional<rules::Subject> subject_;  ///< the class at hand; none: nothing is noted
    std::optional<rules::Finding> why_;      ///< it has no lanes
    std::map<FunctionId, std::optional<StraightFunction>> functions_;
};

}  // namespace

std::size_t sizeOf(const Body& body) {
    std::size_t sum = body.exprs.size();
    forEachStmt(body.statements, [&](const Stmt& stmt) {
        ++sum;
        if (const auto* choice = std::get_if<Switch>(&stmt.node))
            for (const SwitchCase& one : choice->cases)
                sum += one.labels.size();
    });
    return sum;
}

bool wouldFillLanes(Design& design, const Class& cls) {
    const rules::Asker nobody;
    return Straightener(design, nobody).suits(cls);
}

bool fillLanes(Design& design, const rules::Asker& ledger) {
    bool changed = false;
    Straightener straightener(design, ledger);
    for (std::uint32_t i = 0; i < design.classes.size(); ++i)
        changed = straightener.run({i}) || changed;
    return changed;
}

}  // namespace smec::passes
