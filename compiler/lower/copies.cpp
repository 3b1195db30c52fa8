#include <algorithm>

#include "ir/arithmetic.h"
#include "ir/visit.h"
#include "lower/body.h"
#include "source/internal_error.h"

// Structs and arrays are stored leaf by leaf. A literal goes straight to its target when nothing in
// it can fail or reads the target, and by way of temporaries otherwise:
//   p = point(x: p.y, y: p.x)   ->   t.x = p.y; t.y = p.x; p.x = t.x; p.y = t.y

namespace smec::lower {

namespace {

/// Nothing but stores, so that all of it happens or (before it) none.
bool onlyStores(const ir::Block& block) {
    return std::all_of(block.begin(), block.end(), [](const ir::Stmt& stmt) {
        return std::visit(
            Overloaded{
                [](const ir::AnyOf<ir::Set, ir::CopyArray, ir::FillArray> auto&) { return true; },
                [](const ir::If& n) { return onlyStores(n.yes) && onlyStores(n.no); },
                [](const ir::For& n) { return onlyStores(n.body); },
                [](const ir::AnyOf<ir::Check, ir::Loop, ir::CountRound, ir::Switch, ir::Break,
                                   ir::Continue, ir::Call, ir::Return, ir::Trace, ir::Stop> auto&) {
                    return false;
                },
            },
            stmt.node);
    });
}

}  // namespace

bool BodyLowering::isLiteral(hir::ExprId id) const {
    const auto& node = source_[id].node;
    return std::holds_alternative<hir::MakeArray>(node)
           || std::holds_alternative<hir::MakeStruct>(node)
           || std::holds_alternative<hir::ConditionalExpr>(node);
}

void BodyLowering::assignAggregate(const hir::Assign& node, SourceRange range) {
    if (isLiteral(node.value) && storeDirectly(node)) return;
    storedAt_ = node.place.range;
    const Part from = part(node.value);
    storedAt_ = {};
    std::size_t steps = 0;
    const Part to = target(node.place, steps);
    copy(to, from, range);
}

bool BodyLowering::storeDirectly(const hir::Assign& node) {
    const auto flags = std::tuple(usesOwner_, mayFail_, mayTrace_);
    std::size_t steps = 0;
    Part to;
    ir::Block before = capture([&] { to = target(node.place, steps); });
    ir::Block stores = capture([&] { storeLiteral(to, node.value, node.place.range); });
    if (!onlyStores(stores) || reads(stores, localsOf(to))) {
        std::tie(usesOwner_, mayFail_, mayTrace_) = flags;
        return false;
    }
    for (ir::Block* block : {&before, &stores}) {
        std::move(block->begin(), block->end(), std::back_inserter(*block_));
    }
    return true;
}

/// Whether an expression of the block reads one of the locals.
bool BodyLowering::reads(const ir::Block& block, const std::vector<ir::LocalId>& locals) const {
    auto isOne = [&](ir::LocalId id) {
        return std::find(locals.begin(), locals.end(), id) != locals.end();
    };
    std::vector<bool> seen(body_.exprs.size());
    std::vector<ir::ExprId> pending;
    bool found = false;
    ir::forEachStmt(block, [&](const ir::Stmt& stmt) {
        ir::forEachExpr(stmt, [&](ir::ExprId id) { pending.push_back(id); });
        const auto* copied = std::get_if<ir::CopyArray>(&stmt.node);
        const auto* source = copied ? std::get_if<ir::LocalId>(&copied->from) : nullptr;
        found = found || (source && isOne(*source));
    });
    while (!pending.empty() && !found) {
        const ir::ExprId id = pending.back();
        pending.pop_back();
        if (seen[id.index]) continue;
        seen[id.index] = true;
        const auto* read = std::get_if<ir::ReadLocal>(&body_[id].node);
        found = read && isOne(read->local);
        ir::forEachOperand(body_[id], [&](ir::ExprId operand) { pending.push_back(operand); });
    }
    return found;
}

void BodyLowering::storeLiteral(const Part& to, hir::ExprId value, SourceRange range) {
    const auto& node = source_[value].node;
    if (const auto* array = std::get_if<hir::MakeArray>(&node)) {
        for (std::size_t i = 0; i < array->elements.size(); ++i)
            storeValue(elementAt(to, i), array->elements[i], range);
    } else if (const auto* structure = std::get_if<hir::MakeStruct>(&node)) {
        for (std::uint32_t i = 0; i < structure->members.size(); ++i)
            storeValue(member(to, i), structure->members[i], range);
    } else if (const auto* choice = std::get_if<hir::ConditionalExpr>(&node)) {
        ir::If branch{scalar(choice->condition), {}, {}};
        branch.yes = capture([&] { storeLiteral(to, choice->yes, range); });
        branch.no = capture([&] { storeLiteral(to, choice->no, range); });
        emit(range, std::move(branch));
    } else if (std::holds_alternative<hir::CallExpr>(node)) {
        copy(to, part(value), range);
    } else if (const auto* cast = std::get_if<hir::CastExpr>(&node)) {
        copy(to, part(cast->operand), range);
    } else {
        copy(to, part(value), range);
    }
}

void BodyLowering::copy(Part to, Part from, SourceRange range) {
    const std::size_t leaves = context_.layouts.of(to.type).size();
    for (Part* part :
         {&to, &from}) {  // taken once: the copy may change what they are computed from
        for (ir::ExprId& index : part->indices)
            index = held(index, range);
        if (part->element.valid()) part->element = held(part->element, range);
        if (part->inside.valid()) part->inside = held(part->inside, range);
    }
    ir::Block block = capture([&] {
        for (std::uint32_t leaf = 0; leaf < leaves; ++leaf)
            copyLeaf(to, from, leaf, range);
    });
    if (to.inside.valid()) return emit(range, ir::If{to.inside, std::move(block), {}});
    std::move(block.begin(), block.end(), std::back_inserter(*block_));
}

void BodyLowering::copyLeaf(const Part& to, const Part& from, std::uint32_t leaf,
                            SourceRange range) {
    if (!copyWhole(to, from, leaf, range)) copyElements(to, from, leaf, range);
}

bool BodyLowering::copyWhole(const Part& to, const Part& from, std::uint32_t leaf,
                             SourceRange range) {
    const Leaf& target = leafOf(to, leaf);
    const Leaf& source = leafOf(from, leaf);
    const bool whole = !target.dimensions.empty() && to.indices.empty() && from.indices.empty()
                       && !to.element.valid() && !from.element.valid();
    if (!whole || storageOf(target) != storageOf(source) || from.inside.valid()) return false;
    const ir::LocalId local = localsOf(to)[to.leaf + leaf];
    const std::uint32_t number = from.leaf + leaf;
    if (const auto* root = std::get_if<Part::Locals>(&from.root)) {
        if ((*root->leaves)[number] != local)
            emit(range, ir::CopyArray{local, (*root->leaves)[number]});
    } else if (const auto* input = std::get_if<Part::Inputs>(&from.root)) {
        emit(range, ir::CopyArray{local, ir::ReadInput{input->first + number, {}, {}}});
    } else if (const auto* fixed = std::get_if<Part::Fixed>(&from.root)) {
        auto values =
            std::move(constantsOf(context_.types(), from.rootType, *fixed->value)[number]);
        const bool uniform = std::equal(values.begin() + 1, values.end(), values.begin());
        if (uniform)
            emit(range, ir::FillArray{local, constantOf(values[0], exprTypeOf(target.scalar))});
        else
            emit(range, ir::CopyArray{
                            local, context_.table(source.scalar, std::move(values), fixed->name)});
    } else {
        return false;
    }
    return true;
}

void BodyLowering::copyElements(const Part& to, const Part& from, std::uint32_t leaf,
                                SourceRange range) {
    const Leaf& target = leafOf(to, leaf);
    const ir::LocalId local = localsOf(to)[to.leaf + leaf];
    const std::uint64_t count = remaining(to, target);
    if (to.indices.size() == target.dimensions.size()) {
        return set(range, local, offsetOf(to, target), fit(read(from, leaf), target.type, range));
    }
    const ir::LocalId counter =
        temp({ir::ScalarKind::Int, false, std::max(1U, ir::bitLength(count - 1))}, "i");
    const ir::ExprId i = builder_.read(counter);
    ir::Block body = capture([&] {
        const ir::ExprId index = builder_.binary(ir::BinaryOp::Add, offsetOf(to, target), i);
        set(range, local, index, fit(read(from, leaf, i), target.type, range));
    });
    emit(range, ir::For{counter, ir::LoopKind::Up, integer(0), integer(count - 1), std::move(body),
                        count});
}

}  // namespace smec::lower
