#include "lower/body/variables.h"

namespace smec::lower {

void Variables::declareForFunction() {
    std::uint32_t stateSlot = 0;
    for (const hir::Variable& variable : source_.vars)
        declare(variable, false, stateSlot);
}

void Variables::declareForProcess() {
    std::uint32_t stateSlot = 0;
    for (const hir::Variable& variable : source_.vars)
        declare(variable, true, stateSlot);
    declareHidden();
    declareOutputs();
}

void Variables::declare(const hir::Variable& variable, bool mayBeKept, std::uint32_t& stateSlot) {
    const auto number = static_cast<std::uint32_t>(vars_.size());
    const auto kept = mayBeKept ? shape_.keptSlots.find(number) : shape_.keptSlots.end();
    const bool isKept = kept != shape_.keptSlots.end();
    std::uint32_t keptSlot = isKept ? kept->second : 0;
    std::uint32_t& slot = isKept ? keptSlot : stateSlot;
    const bool isState = variable.kind == hir::VarKind::Process || isKept;
    const bool isParam = variable.kind == hir::VarKind::Param;
    std::vector<ir::LocalId>& leaves = vars_.emplace_back();
    for (const Leaf& leaf : context_.layouts.of(variable.type)) {
        const ir::LocalKind kind = isState   ? ir::LocalKind::State
                                   : isParam ? ir::LocalKind::Param
                                             : ir::LocalKind::Temp;
        leaves.push_back({static_cast<std::uint32_t>(body_.locals.size())});
        body_.locals.push_back({variable.name + leaf.path, kind, storageOf(leaf),
                                isState ? slot++ : 0, context_.trustedRange(leaf.type)});
    }
}

std::vector<ir::LocalId> Variables::replaceParameter(std::uint32_t number) {
    const hir::Variable& variable = source_.vars[number];
    std::vector<ir::LocalId> given = std::exchange(vars_[number], {});
    for (const Leaf& leaf : context_.layouts.of(variable.type)) {
        vars_[number].push_back({static_cast<std::uint32_t>(body_.locals.size())});
        body_.locals.push_back({variable.name + leaf.path, ir::LocalKind::Temp, storageOf(leaf), 0,
                                context_.trustedRange(leaf.type)});
    }
    return given;
}

namespace {

void findRepeatedCovers(const hir::Block& block, bool isRound, std::vector<bool>& isRepeated) {
    for (const hir::Stmt& stmt : block) {
        if (const auto* cover = std::get_if<hir::Cover>(&stmt.node))
            isRepeated[cover->index] = isRound;
        const bool isLoop = std::holds_alternative<hir::For>(stmt.node)
                            || std::holds_alternative<hir::While>(stmt.node);
        hir::forEachBlock(stmt, [&](const hir::Block& inner) {
            findRepeatedCovers(inner, isRound || isLoop, isRepeated);
        });
    }
}

/// Those that an activation may come to more than once.
std::vector<bool> repeatedCovers(const hir::Body& source, std::size_t count) {
    std::vector<bool> isRepeated(count);
    findRepeatedCovers(source.statements, source.canWait, isRepeated);
    return isRepeated;
}

}  // namespace

void Variables::declareHidden() {
    const ir::Class& cls = context_.out.classes[shape_.id.index];
    const std::uint32_t end = shape_.firstHidden + shape_.hiddenCount;
    for (std::uint32_t slot = shape_.firstHidden; slot < end; ++slot) {
        const ir::Plane& plane = context_.out.planes[cls.state[slot].index];
        hidden_.push_back({static_cast<std::uint32_t>(body_.locals.size())});
        body_.locals.push_back({plane.name, ir::LocalKind::State, plane.type, slot, std::nullopt});
    }
    std::size_t next = (shape_.usesRandom ? 1 : 0) + cls.covers.size();
    if (source_.canWait) {
        state_ = hidden_[next++];
        if (shape_.waits.counts) waitCount_ = hidden_[next++];
        for (const hir::For* loop : shape_.waits.loops)
            lastValues_[loop] = hidden_[next++];
    }
    if (cls.covers.empty()) return;  // of hardware, too
    const std::vector<bool> isRepeated = repeatedCovers(source_, cls.covers.size());
    for (std::size_t i = 0; i < cls.covers.size(); ++i) {
        covered_.emplace_back();
        if (!isRepeated[i]) continue;
        covered_.back() = writer_.temp({ir::ScalarKind::Bool, false, 1}, "covered");
        writer_.set(cls.range, covered_.back(), {}, writer_.builder().constant(false));
    }
}

void Variables::declareOutputs() {
    const ir::Class& cls = context_.out.classes[shape_.id.index];
    for (std::size_t p = 0; p < shape_.spec->ports.size(); ++p) {
        const auto& fields = context_.hir.shapes[shape_.spec->ports[p].shape.index].fields;
        auto& ofPort = outputs_.emplace_back(fields.size());
        for (std::size_t f = 0; f < fields.size(); ++f) {
            std::uint32_t slot = shape_.outputs[p][f];
            if (slot == kNone) continue;
            for (const Leaf& leaf : context_.layouts.of(fields[f].type)) {
                ofPort[f].push_back({static_cast<std::uint32_t>(body_.locals.size())});
                const auto range = context_.trustedRange(leaf.type);
                body_.locals.push_back(
                    {cls.outputs[slot].name, ir::LocalKind::Output,
                     context_.out.planes[cls.outputs[slot].plane.index].ownType(), slot, range});
                ++slot;
            }
        }
    }
}

}  // namespace smec::lower
