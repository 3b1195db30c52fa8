// What a decoder says is a function of variables that one step sets under an enable, and nothing
// else reads:
//   decode: wide = op & 3; …      fetch: if (ack) { op = word >> 2; }
// Between two words its results stay what they are. Every branch of a later step that sets such a
// variable is found; the decoder runs in the first cycle of a stretch, and in each cycle after one
// in which such a branch was taken. A step that reads what a resting one says follows the same
// branches.
//
// The verifier asks the other way round. It knows no branches: every statement that sets a variable from which
// something reaches a step that rests has to stand in a block whose first statement wakes that step.

#include "plan/resting.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "ir/references.h"
#include "ir/visit.h"
#include "plan/steps.h"
#include "plan/target.h"

namespace smec::plan {
namespace {

/// The first statements of the branches of a step's body that set a value; none among them: each activation does.
using Branches = std::set<std::optional<ir::StmtId>>;

/// No more than target::kRestingWakers.
using Wakers = std::set<Waker>;

/// By local.
using SetIn = std::map<std::uint32_t, Branches>;

void noteSets(const ir::Block& block, std::optional<ir::StmtId> branch, SetIn& setIn) {
    for (const ir::Stmt& stmt : block) {
        ir::forEachAssigned(stmt, [&](ir::LocalId id) { setIn[id.index].insert(branch); });
        ir::forEachBlock(stmt, [&](const ir::Block& inner) {
            if (!inner.empty())
                noteSets(inner, ir::isBranch(stmt) ? inner.front().id : branch, setIn);
        });
    }
}

/// By the planes of a class's fields: where the variables are set that they mirror.
std::map<std::uint32_t, Branches> branchesOf(const ir::Class& cls, const BodyFacts& facts) {
    SetIn setIn;
    noteSets(cls.body.statements, std::nullopt, setIn);
    std::map<std::uint32_t, Branches> found;
    for (const auto& [output, variable] : facts.mirrors)
        found[cls.outputs[cls.body.locals[output].slot].plane.index] = setIn[variable];
    return found;
}

std::size_t operators(const ir::Body& body) {
    return static_cast<std::size_t>(std::ranges::count_if(body.exprs, [](const ir::Expr& expr) {
        bool hasOperands = false;
        ir::forEachOperand(expr, [&](ir::ExprId) { hasOperands = true; });
        return hasOperands;
    }));
}

class RestingSteps {
public:
    RestingSteps(const ir::Design& design, const Facts& facts, Kernel& kernel, Storage& storage)
        : design_(design),
          facts_(facts),
          kernel_(kernel),
          storage_(storage),
          wakers_(kernel.steps.size()) {
        for (std::uint32_t i = 0; i < kernel.steps.size(); ++i) {
            forEachFieldWritten(classOf(i), usesOf(i), kernel.steps[i].instance,
                                [&](FieldRef field) { drivers_[field] = i; });
            operators_ += operators(classOf(i).body);
        }
    }

    void find() {
        for (std::uint32_t i = 0; i < kernel_.steps.size(); ++i) {
            wakers_[i] = wakersOf(i);
            if (wakers_[i] && isWorthIt(i)) rest(i);
        }
    }

private:
    const ir::Class& classOf(std::uint32_t step) const {
        return design_.classes[kernel_.steps[step].cls.index];
    }
    const BodyUses& usesOf(std::uint32_t step) const {
        return facts_.classes[kernel_.steps[step].cls.index].uses;
    }

    bool isWorthIt(std::uint32_t step) const {
        return operators(classOf(step).body) * target::kRestingShare >= operators_;
    }

    void rest(std::uint32_t step) {
        kernel_.resting.push_back({step, {wakers_[step]->begin(), wakers_[step]->end()}});
        forEachFieldWritten(classOf(step), usesOf(step), kernel_.steps[step].instance,
                            [&](FieldRef field) {
                                Upkeep& upkeep = storage_[field.plane].upkeep[field.element];
                                std::get<Recomputed>(upkeep).acrossCycles = true;
                            });
    }

    /// Whether all that a step drives is a variable of the block.
    bool isRecomputed(std::uint32_t step) const {
        bool are = true;
        forEachFieldWritten(
            classOf(step), usesOf(step), kernel_.steps[step].instance, [&](FieldRef field) {
                are = are && std::holds_alternative<Recomputed>(upkeepOf(storage_, field));
            });
        return are;
    }

    /// Where all that a step reads is set; none for one whose results are not its inputs' alone, or
    /// are wanted in memory, or that too many places wake: they wake all that reads it, too.
    std::optional<Wakers> wakersOf(std::uint32_t step) {
        const BodyUses& uses = usesOf(step);
        if (!classOf(step).combinational || uses.hasVariables || !uses.selected.empty()
            || uses.needsSurroundings || !isRecomputed(step))
            return std::nullopt;
        std::optional<Wakers> wakers(std::in_place);
        forEachFieldRead(classOf(step), uses, kernel_.steps[step].instance,
                         [&](FieldRef field, bool) {
                             if (!wakers) return;
                             const std::optional<Wakers> more = wakersOf(field, step);
                             if (more) wakers->insert(more->begin(), more->end());
                             if (!more || wakers->size() > target::kRestingWakers) wakers.reset();
                         });
        return wakers;
    }

    std::optional<Wakers> wakersOf(FieldRef field, std::uint32_t reader) {
        const auto driver = drivers_.find(field);
        if (driver == drivers_.end()) return std::nullopt;
        const std::uint32_t step = driver->second;
        if (classOf(step).combinational) return wakers_[step];
        if (step <= reader || !std::holds_alternative<Mirror>(upkeepOf(storage_, field)))
            return std::nullopt;
        const Branches& branches = branchesOf(step).at(field.plane);
        if (branches.contains(std::nullopt) || branches.size() > target::kRestingWakers)
            return std::nullopt;
        Wakers wakers;
        for (const std::optional<ir::StmtId>& branch : branches)
            wakers.insert({step, *branch});
        return wakers;
    }

    const std::map<std::uint32_t, Branches>& branchesOf(std::uint32_t step) {
        const std::uint32_t cls = kernel_.steps[step].cls.index;
        const auto found = branches_.find(cls);
        if (found != branches_.end()) return found->second;
        return branches_[cls] = plan::branchesOf(classOf(step), facts_.classes[cls]);
    }

    const ir::Design& design_;
    const Facts& facts_;
    Kernel& kernel_;
    Storage& storage_;
    std::size_t operators_ = 0;                  ///< of all steps
    std::vector<std::optional<Wakers>> wakers_;  ///< by step; none: it may change in any cycle
    std::map<FieldRef, std::uint32_t> drivers_;  ///< steps
    std::map<std::uint32_t, std::map<std::uint32_t, Branches>> branches_;  ///< by class
};

}  // namespace

void findResting(const ir::Design& design, const Facts& facts, Kernel& kernel, Storage& storage) {
    RestingSteps(design, facts, kernel, storage).find();
}

}  // namespace smec::plan
