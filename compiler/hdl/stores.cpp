#include "hdl/stores.h"

#include "ir/arithmetic.h"
#include "ir/visit.h"
#include "source/overloaded.h"

namespace smec::hdl {

void Stores::convert(const ir::Set& node) {
    const Module& module = builder_.module();
    const SignalId to = registers_.local(node.local);
    const Type type = module[to].type;
    const bool isInParts =
        module[to].isMemory && !module[to].isBlocking && !written_.follows(node.local);
    if (const auto part = wordPart(body_, values_, node); part && isInParts)
        return setPart(*part, node);
    const ExprId value = expressions_.stored(node.value, type);
    ExprId index;
    if (node.index.valid()) index = expressions_.index(node.index, module[to].length);
    if (written_.follows(node.local)) return setAndFollow(to, index, value, node.local);
    block_.emit(Assign{to, index, value});
}

void Stores::setAndFollow(SignalId to, ExprId index, ExprId value, ir::LocalId memory) {
    WrittenWords::Word word{{}, kept(to, "_at", index), kept(to, "_word", value)};
    if (block_.isNested()) word.isSet = kept(to, "_set", builder_.constant(1, kBool));
    written_.add(memory, word);
    block_.emit(Assign{to, builder_.ref(word.at), builder_.ref(word.value)});
}

void Stores::setPart(const WordPart& part, const ir::Set& node) {
    const SignalId to = registers_.local(node.local);
    ExprId value = insertedBits(part.bits);
    ExprId index = expressions_.index(node.index, builder_.module()[to].length);
    if (!part.lane.valid()) return block_.emit(Assign{to, index, value, part.bits.low});
    value = once(value);
    index = once(index);
    const auto lane = [&](std::uint32_t k) {
        return Block{{block_.range(), Assign{to, index, value, k * part.step}}};
    };
    Case lanes{expressions_.exact(part.lane), {}, lane(part.lanes - 1)};
    const Type type = builder_.type(lanes.subject);
    for (std::uint32_t k = 0; k + 1 < part.lanes; ++k)
        if (ir::wrapInteger(k, type.width, type.isSigned) == k)
            lanes.choices.push_back({{k}, lane(k)});
    block_.emit(std::move(lanes));
}

ExprId Stores::insertedBits(const ir::Inserted& bits) {
    const Type type = unsignedType(bits.width);
    if (!bits.value.valid()) return builder_.constant(0, type);
    if (!bits.isPlaced) return expressions_.low(bits.value, bits.width);
    const Integer& placed = std::get<ir::ConstInt>(body_[bits.value].node).value;
    return builder_.constant(placed >> bits.low, type);
}

/// For several places.
ExprId Stores::once(ExprId value) {
    const Op op = builder_.module()[value].op;
    return op == Op::Ref || op == Op::Slice || op == Op::Const ? value : leaves_.hold(value);
}

/// A local with a value of this activation: 0 where this is not reached.
SignalId Stores::kept(SignalId of, const char* suffix, ExprId value) {
    Signal signal;
    signal.role = Role::Local;
    signal.type = builder_.type(value);
    const SignalId id = builder_.signal(builder_.module()[of].name + suffix, std::move(signal));
    if (block_.isNested()) registers_.startsAtZero(id);
    block_.emit(Assign{id, {}, value});
    return id;
}

void Stores::convert(const ir::CopyArray& node) {
    const SignalId to = registers_.local(node.to);
    smec::visit(Overloaded{
                    [&](const ir::LocalId& from) {
                        block_.emit(CopyArray{to, registers_.local(from)});
                    },
                    [&](const ir::TableId& from) { copyTable(to, from); },
                    [&](const ir::ReadInput& from) { copyInput(to, from); },
                },
                node.from);
}

void Stores::copyTable(SignalId to, ir::TableId from) {
    const ir::Table& table = design_.tables[from.index];
    const Type type = builder_.module()[to].type;
    for (std::uint32_t i = 0; i < table.values.size(); ++i)
        block_.emit(Assign{to, place(to, i),
                           builder_.constant(std::get<Integer>(table.values[i].value), type)});
}

void Stores::copyInput(SignalId to, const ir::ReadInput& read) {
    const std::uint32_t length = builder_.module()[to].length;
    for (std::uint32_t i = 0; i < length; ++i) {
        const SignalId from = registers_.inputs()[read.input];
        const Type type = unsignedType(indexWidth(builder_.module()[from].length));
        ExprId at = builder_.constant(i, type);
        if (read.element.valid()) {
            const ExprId element = expressions_.low(read.element, type.width);
            const ExprId start =
                builder_.make(Op::Mul, type, element, builder_.constant(Integer(length), type));
            at = builder_.make(Op::Add, type, start, at);
        }
        block_.emit(Assign{to, place(to, i), builder_.element(from, at)});
    }
}

ExprId Stores::place(SignalId to, std::uint32_t i) {
    return builder_.constant(i, unsignedType(indexWidth(builder_.module()[to].length)));
}

void Stores::convert(const ir::FillArray& node) {
    const SignalId to = registers_.local(node.to);
    const Type type = builder_.module()[to].type;
    block_.emit(FillArray{to, expressions_.stored(node.value, type)});
}

}  // namespace smec::hdl
