// Whether steps that rest are woken wherever something changes that reaches them: found from the variables back to the
// statements that set them, and not, as in resting.cpp, from branches on.

#include <algorithm>
#include <map>
#include <set>

#include "ir/references.h"
#include "ir/visit.h"
#include "plan/resting.h"
#include "plan/steps.h"

namespace smec::plan {
namespace {

class RestingVerifier {
public:
    RestingVerifier(const ir::Design& design, const Facts& facts, const Kernel& kernel,
                    const Storage& storage)
        : design_(design), facts_(facts), kernel_(kernel), storage_(storage) {
        for (std::uint32_t i = 0; i < kernel.steps.size(); ++i)
            forEachWritten(i, [&](FieldRef field) { drivers_[field] = i; });
        for (const Resting& resting : kernel.resting)
            wakers_[resting.step].insert(resting.wakers.begin(), resting.wakers.end());
    }

    std::vector<std::string> run() {
        for (const auto& [step, wakers] : wakers_) {
            forEachWritten(step, [&](FieldRef field) {
                const auto* upkeep = std::get_if<Recomputed>(&upkeepOf(storage_, field));
                if (!upkeep || !upkeep->acrossCycles)
                    complain(field, "is of a step that rests, and no variable");
            });
            seen_.clear();
            check(step, wakers);
        }
        return std::move(problems_);
    }

private:
    const ir::Class& classOf(std::uint32_t step) const {
        return design_.classes[kernel_.steps[step].cls.index];
    }
    const BodyUses& usesOf(std::uint32_t step) const {
        return facts_.classes[kernel_.steps[step].cls.index].uses;
    }
    template <typename F>
    void forEachWritten(std::uint32_t step, F&& f) const {
        forEachFieldWritten(classOf(step), usesOf(step), kernel_.steps[step].instance, f);
    }

    void complain(FieldRef field, const char* what) {
        problems_.push_back("'" + design_.planes[field.plane].name + "': " + what);
    }

    /// That `step`, which rests or whose results reach one that does, computes a value of what `wakers` tell of.
    void check(std::uint32_t step, const std::set<Waker>& wakers) {
        if (!seen_.insert(step).second) return;
        const BodyUses& uses = usesOf(step);
        if (!classOf(step).combinational || uses.hasVariables || !uses.selected.empty()
            || uses.needsSurroundings)
            forEachWritten(step, [&](FieldRef field) {
                complain(field, "reaches a step that rests, and is no value of inputs alone");
            });
        forEachFieldRead(classOf(step), uses, kernel_.steps[step].instance,
                         [&](FieldRef field, bool) { checkRead(field, step, wakers); });
    }

    void checkRead(FieldRef field, std::uint32_t reader, const std::set<Waker>& wakers) {
        const auto driver = drivers_.find(field);
        if (driver == drivers_.end())
            return complain(field, "reaches a step that rests, and no step sets it");
        const std::uint32_t step = driver->second;
        if (!classOf(step).combinational) return checkVariable(field, step, reader, wakers);
        // one that rests itself is looked at by itself
        const auto own = wakers_.find(step);
        if (own == wakers_.end() || !std::ranges::includes(wakers, own->second))
            check(step, wakers);
    }

    void checkVariable(FieldRef field, std::uint32_t step, std::uint32_t reader,
                       const std::set<Waker>& wakers) {
        const auto* mirror = std::get_if<Mirror>(&upkeepOf(storage_, field));
        if (mirror == nullptr)
            return complain(field, "reaches a step that rests, and mirrors no variable");
        if (step <= reader) return complain(field, "reaches a step that rests in its own cycle");
        if (!areSetsTold(classOf(step).body.statements, step, mirror->variable, wakers, false))
            complain(field, "reaches a step that rests, and changes where nothing wakes it");
    }

    /// Whether each statement that sets a variable of a step stands in a block that wakes somebody.
    bool areSetsTold(const ir::Block& block, std::uint32_t step, ir::PlaneId variable,
                     const std::set<Waker>& wakers, bool isTold) const {
        if (block.empty()) return true;
        isTold = isTold || wakers.contains({step, block.front().id});
        const ir::Class& cls = classOf(step);
        return std::ranges::all_of(block, [&](const ir::Stmt& stmt) {
            bool areTold = true;
            ir::forEachAssigned(stmt, [&](ir::LocalId id) {
                const ir::Local& local = cls.body.locals[id.index];
                const bool isIt =
                    local.kind == ir::LocalKind::State && cls.state[local.slot] == variable;
                areTold = areTold && (isTold || !isIt);
            });
            ir::forEachBlock(stmt, [&](const ir::Block& inner) {
                areTold = areTold && areSetsTold(inner, step, variable, wakers, isTold);
            });
            return areTold;
        });
    }

    const ir::Design& design_;
    const Facts& facts_;
    const Kernel& kernel_;
    const Storage& storage_;
    std::map<FieldRef, std::uint32_t> drivers_;        ///< steps
    std::map<std::uint32_t, std::set<Waker>> wakers_;  ///< of steps that rest
    std::set<std::uint32_t> seen_;                     ///< steps that reach the one at hand
    std::vector<std::string> problems_;
};

}  // namespace

std::vector<std::string> verifyResting(const ir::Design& design, const Facts& facts,
                                       const Kernel& kernel, const Storage& storage) {
    if (kernel.resting.empty()) return {};
    return RestingVerifier(design, facts, kernel, storage).run();
}

}  // namespace smec::plan
