// What a decoder says is a function of variables that one step sets under an enable, and nothing
// else reads:
//   decode: wide = op & 3; …      fetch: if (ack) { op = word >> 2; }
// Between two words its results stay what they are. Every branch of a later step that sets such a
// variable is found; the decoder runs in the first cycle of a stretch, and in each cycle after one
// in which such a branch was taken. A step that reads what a resting one says follows the same
// branches.

#include "codegen/cpp/decide/steady.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "codegen/cpp/decide/port.h"
#include "codegen/cpp/decide/published.h"
#include "codegen/cpp/target.h"
#include "ir/references.h"

namespace smec::codegen::cpp {
namespace {

/// The branches of a step's body that set a value; `nullptr` among them: some activation does in
/// any case.
using Branches = std::set<const ir::Block*>;

/// Steps and their branches.
using Wakers = std::set<std::pair<std::uint32_t, const ir::Block*>>;

/// By local.
using SetIn = std::map<std::uint32_t, Branches>;

void noteSets(const ir::Block& block, const ir::Block* branch, SetIn& setIn) {
    for (const ir::Stmt& stmt : block) {
        ir::forEachAssigned(stmt, [&](ir::LocalId id) { setIn[id.index].insert(branch); });
        ir::forEachBlock(stmt, [&](const ir::Block& inner) {
            noteSets(inner, ir::isBranch(stmt) ? &inner : branch, setIn);
        });
    }
}

/// By the planes of a class's fields: where the variables are set that they publish.
std::map<std::uint32_t, Branches> publishedBy(const ir::Class& cls, const BodyInfo& info) {
    SetIn setIn;
    noteSets(cls.body.statements, nullptr, setIn);
    std::map<std::uint32_t, Branches> found;
    for (const auto& [output, variable] : publishedVariables(cls.body, info))
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

class SteadySteps {
public:
    SteadySteps(const Program& program, const BlockFields& fields, BlockPlan& block)
        : program_(program), fields_(fields), block_(block), wakers_(block.steps.size()) {
        for (std::uint32_t i = 0; i < block.steps.size(); ++i) {
            const ir::Class& cls = classOf(i);
            for (const OutputAccess& output : block.steps[i].activation.outputs)
                drivers_[{cls.outputs[output.slot].plane.index, block.steps[i].instance.instance}] =
                    i;
            operators_ += operators(cls.body);
        }
    }

    void decide() {
        for (std::uint32_t i = 0; i < block_.steps.size(); ++i) {
            wakers_[i] = wakersOf(i);
            if (!wakers_[i] || !isWorthIt(i)) continue;
            block_.steps[i].rests = true;
            for (const auto& [step, branch] : *wakers_[i])
                block_.steps[step].wakes.push_back({branch->front().id, i});
        }
    }

private:
    const ir::Class& classOf(std::uint32_t step) const {
        return program_.design.classes[block_.steps[step].instance.cls.index];
    }

    bool isWorthIt(std::uint32_t step) const {
        return wakers_[step]->size() <= target::kRestingWakers
               && operators(classOf(step).body) * target::kRestingShare >= operators_;
    }

    /// Where all that a step reads is set; none for one whose results are not its inputs' alone, or
    /// are wanted in memory.
    std::optional<Wakers> wakersOf(std::uint32_t step) {
        const Activation& plan = block_.steps[step].activation;
        const bool isKept = std::ranges::all_of(plan.outputs, &OutputAccess::isForLookers);
        const bool tellsCycle =
            program_.classes[block_.steps[step].instance.cls.index].needs.context;
        if (!classOf(step).combinational || !plan.state.empty() || !plan.selections.empty()
            || !isKept || tellsCycle)
            return std::nullopt;
        Wakers wakers;
        for (const InputLoad& input : plan.inputs) {
            const ir::Connection& connection =
                classOf(step).inputs[input.input].elements[input.element];
            const Source source =
                sourceOf(program_, connection, block_.steps[step].instance.instance);
            const std::optional<Wakers> more = wakersOf(source, step);
            if (!more) return std::nullopt;
            wakers.insert(more->begin(), more->end());
        }
        return wakers;
    }

    std::optional<Wakers> wakersOf(const Source& source, std::uint32_t reader) {
        const auto driver = drivers_.find({source.plane.index, source.instance});
        if (driver == drivers_.end()) return std::nullopt;
        const std::uint32_t step = driver->second;
        if (classOf(step).combinational) return wakers_[step];
        if (step <= reader || !fields_.variableOf(source.plane, source.instance))
            return std::nullopt;
        Wakers wakers;
        for (const ir::Block* branch : publishedOf(step).at(source.plane.index)) {
            if (branch == nullptr) return std::nullopt;
            wakers.insert({step, branch});
        }
        return wakers;
    }

    const std::map<std::uint32_t, Branches>& publishedOf(std::uint32_t step) {
        const std::uint32_t cls = block_.steps[step].instance.cls.index;
        const auto found = published_.find(cls);
        if (found != published_.end()) return found->second;
        return published_[cls] = publishedBy(classOf(step), program_.classes[cls]);
    }

    const Program& program_;
    const BlockFields& fields_;
    BlockPlan& block_;
    std::size_t operators_ = 0;                  ///< of all steps
    std::vector<std::optional<Wakers>> wakers_;  ///< by step; none: it may change in any cycle
    /// Steps by plane and element of what they drive.
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> drivers_;
    std::map<std::uint32_t, std::map<std::uint32_t, Branches>> published_;  ///< by class
};

}  // namespace

void decideSteady(const Program& program, const BlockFields& fields, BlockPlan& block) {
    if (program.options.ledger.allows(rules::Rule::RestingSteps) && block.runsUnobserved
        && block.cuts.empty())
        SteadySteps(program, fields, block).decide();
}

}  // namespace smec::codegen::cpp
