#include "lower/body/stores.h"

#include <algorithm>

#include "ir/arithmetic.h"
#include "ir/visit.h"
#include "lower/body/parts.h"
#include "lower/body/scalars.h"
#include "lower/body/source_texts.h"
#include "source/internal_error.h"
#include "source/overloaded.h"

// Stores: the value first, then the indices of the place from left to right, then the store. A bit
// or slice rewrites the scalar it lies in:
//   x[7:4] = v   ->   x = (x & 0x0F) | (wrap u4(v) << 4)
//
// Structs and arrays are stored leaf by leaf. A literal goes straight to its target when nothing in
// it can fail or reads the target, and by way of temporaries otherwise:
//   p = point(x: p.y, y: p.x)   ->   t.x = p.y; t.y = p.x; p.x = t.x; p.y = t.y

namespace smec::lower {

namespace {

/// Nothing but stores, so that all of it happens or (before it) none.
bool onlyStores(const ir::Block& block) {
    return std::all_of(block.begin(), block.end(), [](const ir::Stmt& stmt) {
        return smec::visit(
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

Part Stores::target(const hir::Place& place, std::size_t& steps) {
    Part result = smec::visit(Overloaded{
                                  [&](const hir::VarId& var) { return parts_.variable(var); },
                                  [&](const hir::FieldRef& ref) {
                                      return parts_.field(ref.port, ref.field, ref.element, true,
                                                          place.range);
                                  },
                              },
                              place.root);
    steps = 0;
    while (steps < place.steps.size() && follow(result, place, steps))
        ++steps;
    return result;
}

/// To the element or member that step `number` selects; not where it selects bits.
bool Stores::follow(Part& to, const hir::Place& place, std::size_t number) {
    return smec::visit(
        Overloaded{
            [&](const hir::MemberStep& step) {
                to = parts_.member(std::move(to), step.member);
                return true;
            },
            [&](const hir::IndexStep& step) {
                const ir::ExprId index = scalars_.scalar(step.index);
                to = parts_.element(std::move(to), index, step.range,
                                    sourceTexts_.placeText(place, number));
                return true;
            },
            [](const AnyOf<hir::BitStep, hir::SliceStep, hir::IndexedSliceStep> auto&) {
                return false;
            },
        },
        place.steps[number]);
}

void Stores::assign(const hir::Assign& node, SourceRange range) {
    std::size_t steps = 0;
    if (isAggregate(context_.types(), source_[node.value].type))
        return assignAggregate(node, range);
    ir::ExprId value = scalars_.scalar(node.value);
    Part to = target(node.place, steps);
    if (steps < node.place.steps.size()) {
        ir::ExprId inside = to.inside;
        value = replaceBits(to, inside, node.place, steps, value);
        to.inside = inside;
    }
    storeScalar(to, value, node.place.range);
}

ir::ExprId Stores::replaceBits(const Part& to, ir::ExprId& inside, const hir::Place& place,
                               std::size_t step, ir::ExprId value) {
    const ir::Scalar type = parts_.leafOf(to, 0).scalar;
    const ir::ExprId old = parts_.read(to);
    if (body_[value].type == ir::ExprType::Bool)
        value = builder_.convert(ir::ConvertOp::BoolToInt, value, ir::ExprType::Int);
    const auto atIndex = [&](hir::ExprId low, std::uint32_t width, SourceRange range) {
        const Numbers::FirstBit first = numbers_.firstBit(
            scalars_.scalar(low), width, type.width, sourceTexts_.placeText(place, step), range);
        if (context_.options.unchecked)
            inside = inside.valid() ? builder_.binary(ir::BinaryOp::BoolAnd, inside, first.inside)
                                    : first.inside;
        return withBits(old, first.index, width, value);
    };
    return smec::visit(
        Overloaded{
            [&](const hir::BitStep& bit) { return atIndex(bit.index, 1, bit.range); },
            [&](const hir::IndexedSliceStep& part) {
                return atIndex(part.low, part.width, part.range);
            },
            [&](const hir::SliceStep& slice) { return withBits(old, type, slice, value); },
            [&](const AnyOf<hir::IndexStep, hir::MemberStep> auto&) -> ir::ExprId {
                throw InternalError("an element or member of a number", place.range);
            },
        },
        place.steps[step]);
}

/// `old` with other bits from a constant place on.
ir::ExprId Stores::withBits(ir::ExprId old, const ir::Scalar& type, const hir::SliceStep& slice,
                            ir::ExprId value) {
    const std::uint32_t width = slice.high - slice.low + 1;
    const ir::Integer hole = (ir::powerOfTwo(width) - 1) << slice.low;
    const ir::Integer rest =
        type.isSigned ? ir::Integer(-1 - hole) : ir::Integer(ir::powerOfTwo(type.width) - 1 - hole);
    const ir::ExprId kept = builder_.binary(ir::BinaryOp::And, old, numbers_.integer(rest));
    const ir::ExprId placed = builder_.binary(ir::BinaryOp::Shl, builder_.wrap(value, width, false),
                                              numbers_.integer(slice.low));
    return builder_.binary(ir::BinaryOp::Or, kept, placed);
}

/// `old` with other bits from bit `low` on, which varies.
ir::ExprId Stores::withBits(ir::ExprId old, ir::ExprId low, std::uint32_t width, ir::ExprId value) {
    const ir::ExprId hole =
        builder_.binary(ir::BinaryOp::Shl, numbers_.integer(ir::powerOfTwo(width) - 1), low);
    const ir::ExprId kept =
        builder_.binary(ir::BinaryOp::And, old, builder_.unary(ir::UnaryOp::BitNot, hole));
    const ir::ExprId placed =
        builder_.binary(ir::BinaryOp::Shl, builder_.wrap(value, width, false), low);
    return builder_.binary(ir::BinaryOp::Or, kept, placed);
}

void Stores::storeScalar(const Part& to, ir::ExprId value, SourceRange range) {
    const Leaf& leaf = parts_.leafOf(to, 0);
    const ir::ExprId stored = numbers_.fit(value, leaf.type, range);
    const ir::Set store{localsOf(to)[to.leaf], parts_.offsetOf(to, leaf), stored};
    const bool* inside = to.inside.valid() ? builder_.boolean(to.inside) : nullptr;
    if (inside && !*inside) return;
    if (!to.inside.valid() || inside) return writer_.emit(range, store);
    ir::Block block;
    block.push_back({range, store});
    writer_.emit(range, ir::If{to.inside, std::move(block), {}});
}

void Stores::storeValue(const Part& to, hir::ExprId value, SourceRange range) {
    if (isAggregate(context_.types(), to.type)) return storeLiteral(to, value, range);
    storeScalar(to, scalars_.scalar(value), range);
}

void Stores::storeDefault(const Part& to, SourceRange range) {
    for (std::uint32_t i = 0; i < context_.layouts.of(to.type).size(); ++i) {
        const Leaf& leaf = parts_.leafOf(to, i);
        const ir::ExprId value =
            numbers_.constantOf(hir::defaultValue(context_.types(), leaf.type), leaf.type);
        const ir::LocalId local = localsOf(to)[to.leaf + i];
        if (leaf.dimensions.empty())
            writer_.set(range, local, parts_.offsetOf(to, leaf), value);
        else
            writer_.emit(range, ir::FillArray{local, value});
    }
}

bool Stores::isLiteral(hir::ExprId id) const {
    const auto& node = source_[id].node;
    return std::holds_alternative<hir::MakeArray>(node)
           || std::holds_alternative<hir::MakeStruct>(node)
           || std::holds_alternative<hir::ConditionalExpr>(node);
}

void Stores::assignAggregate(const hir::Assign& node, SourceRange range) {
    if (isLiteral(node.value) && storeDirectly(node)) return;
    parts_.storeAt(node.place.range);
    const Part from = parts_.part(node.value);
    parts_.storeAt({});
    std::size_t steps = 0;
    const Part to = target(node.place, steps);
    copy(to, from, range);
}

bool Stores::storeDirectly(const hir::Assign& node) {
    const Effects effects = writer_.effects();
    std::size_t steps = 0;
    Part to;
    ir::Block before = writer_.capture([&] { to = target(node.place, steps); });
    ir::Block stores = writer_.capture([&] { storeLiteral(to, node.value, node.place.range); });
    if (!onlyStores(stores) || reads(stores, localsOf(to))) {
        writer_.effects() = effects;
        return false;
    }
    for (ir::Block* block : {&before, &stores}) {
        std::move(block->begin(), block->end(), std::back_inserter(*writer_.block()));
    }
    return true;
}

/// Whether an expression of the block reads one of the locals.
bool Stores::reads(const ir::Block& block, const std::vector<ir::LocalId>& locals) const {
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

void Stores::storeLiteral(const Part& to, hir::ExprId value, SourceRange range) {
    smec::visit(
        Overloaded{
            [&](const hir::MakeArray& n) {
                for (std::size_t i = 0; i < n.elements.size(); ++i)
                    storeValue(parts_.elementAt(to, i), n.elements[i], range);
            },
            [&](const hir::MakeStruct& n) {
                for (std::uint32_t i = 0; i < n.members.size(); ++i)
                    storeValue(parts_.member(to, i), n.members[i], range);
            },
            [&](const hir::ConditionalExpr& n) {
                ir::If branch{scalars_.scalar(n.condition), {}, {}};
                branch.yes = writer_.capture([&] { storeLiteral(to, n.yes, range); });
                branch.no = writer_.capture([&] { storeLiteral(to, n.no, range); });
                writer_.emit(range, std::move(branch));
            },
            [&](const hir::CastExpr& n) { copy(to, parts_.part(n.operand), range); },
            [&](const AnyOf<hir::Constant, hir::InstanceConstant, hir::ReadVar, hir::ReadField,
                            hir::ArrayElement, hir::StructMemberOf, hir::CallExpr> auto&) {
                copy(to, parts_.part(value), range);
            },
            [&](const AnyOf<hir::BitSelect, hir::SliceSelect, hir::IndexedSliceSelect,
                            hir::UnaryExpr, hir::BinaryExpr, hir::BuiltinExpr> auto&) {
                throw InternalError("a number stored as an array or struct", range);
            },
        },
        source_[value].node);
}

void Stores::copy(Part to, Part from, SourceRange range) {
    const std::size_t leaves = context_.layouts.of(to.type).size();
    for (Part* part :
         {&to, &from}) {  // taken once: the copy may change what they are computed from
        for (ir::ExprId& index : part->indices)
            index = writer_.held(index, range);
        if (part->element.valid()) part->element = writer_.held(part->element, range);
        if (part->inside.valid()) part->inside = writer_.held(part->inside, range);
    }
    ir::Block block = writer_.capture([&] {
        for (std::uint32_t leaf = 0; leaf < leaves; ++leaf)
            copyLeaf(to, from, leaf, range);
    });
    if (to.inside.valid()) return writer_.emit(range, ir::If{to.inside, std::move(block), {}});
    std::move(block.begin(), block.end(), std::back_inserter(*writer_.block()));
}

void Stores::copyLeaf(const Part& to, const Part& from, std::uint32_t leaf, SourceRange range) {
    if (!copyWhole(to, from, leaf, range)) copyElements(to, from, leaf, range);
}

bool Stores::copyWhole(const Part& to, const Part& from, std::uint32_t leaf, SourceRange range) {
    const Leaf& target = parts_.leafOf(to, leaf);
    const Leaf& source = parts_.leafOf(from, leaf);
    const bool whole = !target.dimensions.empty() && to.indices.empty() && from.indices.empty()
                       && !to.element.valid() && !from.element.valid();
    if (!whole || storageOf(target) != storageOf(source) || from.inside.valid()) return false;
    const ir::LocalId local = localsOf(to)[to.leaf + leaf];
    const std::uint32_t number = from.leaf + leaf;
    if (const auto* root = std::get_if<Part::Locals>(&from.root)) {
        if ((*root->leaves)[number] != local)
            writer_.emit(range, ir::CopyArray{local, (*root->leaves)[number]});
    } else if (const auto* input = std::get_if<Part::Inputs>(&from.root)) {
        writer_.emit(range, ir::CopyArray{local, ir::ReadInput{input->first + number, {}, {}}});
    } else if (const auto* fixed = std::get_if<Part::Fixed>(&from.root)) {
        auto values =
            std::move(constantsOf(context_.types(), from.rootType, *fixed->value)[number]);
        if (values.isUniform())
            writer_.emit(range, ir::FillArray{local, numbers_.constantOf(
                                                         values[0], exprTypeOf(target.scalar))});
        else
            writer_.emit(range,
                         ir::CopyArray{
                             local, context_.table(source.scalar, std::move(values), fixed->name)});
    } else {
        return false;
    }
    return true;
}

void Stores::copyElements(const Part& to, const Part& from, std::uint32_t leaf, SourceRange range) {
    const Leaf& target = parts_.leafOf(to, leaf);
    const ir::LocalId local = localsOf(to)[to.leaf + leaf];
    const std::uint64_t count = parts_.remaining(to, target);
    if (to.indices.size() == target.dimensions.size()) {
        return writer_.set(range, local, parts_.offsetOf(to, target),
                           numbers_.fit(parts_.read(from, leaf), target.type, range));
    }
    const ir::LocalId counter =
        writer_.temp({ir::ScalarKind::Int, false, std::max(1U, ir::bitLength(count - 1))}, "i");
    const ir::ExprId i = builder_.read(counter);
    ir::Block body = writer_.capture([&] {
        const ir::ExprId index = builder_.binary(ir::BinaryOp::Add, parts_.offsetOf(to, target), i);
        writer_.set(range, local, index,
                    numbers_.fit(parts_.read(from, leaf, i), target.type, range));
    });
    writer_.emit(range, ir::For{counter, ir::LoopKind::Up, numbers_.integer(0),
                                numbers_.integer(count - 1), std::move(body), count});
}

}  // namespace smec::lower
