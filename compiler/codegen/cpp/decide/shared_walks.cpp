// The levels of a combinational process are classes of their own with one body:
//   wire (level 0)  wire_2 (level 1)  wire_3 (level 2)   →   three kernels, one inner function
// Two walks do the same when their parameters have equal types and uses, when an activation reaches
// equal values in equal ways, and when the bodies compute the same. What is passed differs.

#include "codegen/cpp/decide/shared_walks.h"

#include <algorithm>
#include <unordered_map>

#include "codegen/cpp/decide/same_body.h"

namespace smec::codegen::cpp {
namespace {

bool isSame(const Parameter& a, const Parameter& b) { return a.use == b.use && a.type == b.type; }

template <typename T, typename Same>
bool areSame(const std::vector<T>& a, const std::vector<T>& b, Same same) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), same);
}

/// Pairs what the activations of two classes load and store.
class ActivationMatch {
public:
    ActivationMatch(const Program& program, ir::ClassId a, ir::ClassId b)
        : a_(program.design.classes[a.index]),
          b_(program.design.classes[b.index]),
          body_(program.design, {a_, program.classes[a.index]}, {b_, program.classes[b.index]},
                program.options.lineDirectives ? SourceLines::Count : SourceLines::DoNotCount) {}

    bool isSame(const Activation& a, const Activation& b) {
        return areSame(a.inputs, b.inputs, [&](const auto& x, const auto& y) { return pair(x, y); })
               && areSame(a.selections, b.selections,
                          [&](const auto& x, const auto& y) { return pair(x, y); })
               && areSame(a.columns, b.columns,
                          [&](const auto& x, const auto& y) { return pair(x, y); })
               && areSame(a.state, b.state,
                          [&](const auto& x, const auto& y) { return pair(x, y); })
               && areSame(a.outputs, b.outputs,
                          [&](const auto& x, const auto& y) { return pair(x, y); })
               && body_.isSame();
    }

private:
    bool pair(const InputLoad& a, const InputLoad& b) {
        body_.leaves().pairInputs(a.input, b.input);
        return a.element == b.element && a.from == b.from && a.undriven == b.undriven
               && a_.inputs[a.input].type == b_.inputs[b.input].type;
    }
    bool pair(const InputSelection& a, const InputSelection& b) {
        body_.leaves().pairInputs(a.input, b.input);
        return a.elements == b.elements && a.slot == b.slot && a.index == b.index
               && a_.inputs[a.input].type == b_.inputs[b.input].type;
    }
    bool pair(const ColumnLoad& a, const ColumnLoad& b) {
        body_.leaves().pairColumns(a.column, b.column);
        return a.from == b.from && a_.columns[a.column].type == b_.columns[b.column].type;
    }
    bool pair(const StateAccess& a, const StateAccess& b) {
        return a.place == b.place && a.begin == b.begin && a.isStored == b.isStored
               && a.distance == b.distance && a.worksOn == b.worksOn
               && body_.leaves().pairLocals(a.local, b.local);
    }
    bool pair(const OutputAccess& a, const OutputAccess& b) {
        return a.place == b.place && a.begin == b.begin
               && body_.leaves().pairLocals(a.local, b.local);
    }

    const ir::Class& a_;
    const ir::Class& b_;
    BodyMatch body_;
};

bool isSame(const Program& program, const LoopPlan& loopA, const Walk& a, const LoopPlan& loopB,
            const Walk& b) {
    if (a.kind != b.kind || a.selects != b.selects || a.isSilent != b.isSilent || a.told != b.told)
        return false;
    // Output names the class and its sites.
    if (a.told.instance && loopA.cls != loopB.cls) return false;
    if (isAtSeams(a.kind) && loopA.segments.rowWidth != loopB.segments.rowWidth) return false;
    return areSame(a.parameters, b.parameters,
                   [](const Parameter& x, const Parameter& y) { return isSame(x, y); })
           && ActivationMatch(program, loopA.cls, loopB.cls).isSame(a.activation, b.activation);
}

/// Equal for walks that do the same.
std::size_t bucketOf(const Program& program, const LoopPlan& loop, const Walk& walk) {
    std::size_t hash = static_cast<std::size_t>(walk.kind);
    const auto add = [&](std::size_t x) { hash = (hash ^ x) * 0x9fb21c651e98df25u; };
    for (const Parameter& parameter : walk.parameters) {
        add(static_cast<std::size_t>(parameter.use));
        add(parameter.type.width);
    }
    const ir::Block& statements = program.design.classes[loop.cls.index].body.statements;
    add(statements.size());
    for (const ir::Stmt& stmt : statements)
        add(stmt.node.index());
    return hash;
}

}  // namespace

void shareWalks(Program& program, const plan::TranslationUnit& unit) {
    std::unordered_multimap<std::size_t, WalkRef> known;
    const auto loopOf = [&](const WalkRef& ref) -> LoopPlan& {
        return std::get<LoopPlan>(program.kernels[ref.kernel]);
    };
    for (const std::uint32_t index : unit.kernels) {
        auto* loop = std::get_if<LoopPlan>(&program.kernels[index]);
        if (loop == nullptr) continue;
        for (Walk& walk : loop->walks) {
            const std::size_t bucket = bucketOf(program, *loop, walk);
            const auto [first, last] = known.equal_range(bucket);
            const auto same = std::find_if(first, last, [&](const auto& entry) {
                const LoopPlan& other = loopOf(entry.second);
                return isSame(program, other, other.walks[entry.second.walk], *loop, walk);
            });
            if (same == last
                || !program.options.ledger.ask(rules::Rule::SharedWalks,
                                               rules::Subject::ofClass(loop->cls.index)))
                known.emplace(bucket, walk.function);
            else
                walk.function = same->second;
        }
    }
}

}  // namespace smec::codegen::cpp
