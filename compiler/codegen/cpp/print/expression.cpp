// Operands first, over an explicit stack (expressions may be deep). The value of a node is a piece
// of text with a C++ type that holds the node's machine value; it need not be the machine type
// itself, C++'s own conversions do the rest:
//   wrap(x + 1, u8)   →   u8(x + 1u)   of type u8, though the node's machine word is u32

#include "codegen/cpp/print/expression.h"

#include "codegen/cpp/print/arithmetic.h"
#include "codegen/cpp/print/conversions.h"
#include "codegen/cpp/print/lanes.h"
#include "ir/visit.h"
#include "source/overloaded.h"

namespace smec::codegen::cpp {
namespace {

Word wordOfFloat(ir::ExprType type) { return type == ir::ExprType::F32 ? kF32 : kF64; }

}  // namespace

Expressions::Expressions(const CppDesign& cpp, const BodyInfo& info,
                         const std::vector<ir::Input>& inputs, const Leaves& leaves,
                         Selects selects, Names& names, Writer& out)
    : info_(info),
      selects_(selects),
      names_(names),
      out_(out),
      values_(info.body->exprs.size()),
      uses_(info.body->exprs.size(), 0),
      reads_(cpp, info, inputs, leaves, values_) {}

void Expressions::countUses(const std::vector<ir::ExprId>& roots) {
    struct Frame {
        ir::ExprId id;
        bool isDone;
    };
    std::vector<Frame> stack;
    for (auto root = roots.rbegin(); root != roots.rend(); ++root) {
        if (root->valid()) stack.push_back({*root, false});
    }
    order_.clear();
    while (!stack.empty()) {
        const Frame frame = stack.back();
        stack.pop_back();
        if (frame.isDone) {
            order_.push_back(frame.id);
            continue;
        }
        if (uses_[frame.id.index]++ != 0) continue;
        stack.push_back({frame.id, true});
        ir::forEachOperand((*info_.body)[frame.id], [&](ir::ExprId operand) {
            stack.push_back({operand, false});
        });
    }
}

void Expressions::prepare(const std::vector<ir::ExprId>& roots) {
    countUses(roots);
    for (const ir::ExprId id : order_) {
        values_[id.index] = build(id);
        name(id);
    }
    for (const ir::ExprId id : order_)
        uses_[id.index] = 0;
}

bool Expressions::prepareInPlace(const std::vector<ir::ExprId>& roots) {
    countUses(roots);
    bool fits = true;
    for (std::size_t i = 0; i < order_.size() && fits; ++i) {
        values_[order_[i].index] = build(order_[i]);
        fits = !wantsName(order_[i]);
    }
    for (const ir::ExprId id : order_)
        uses_[id.index] = 0;
    return fits;
}

/// Whether it is shared or long.
bool Expressions::wantsName(ir::ExprId id) const {
    const Value& value = values_[id.index];
    const bool isLong = value.text.size() > Writer::kLongText;
    const bool isShared = uses_[id.index] > 1 && value.text.size() > Writer::kShortText;
    if (value.constant || (!isLong && !isShared)) return false;
    bool isLeaf = true;
    ir::forEachOperand((*info_.body)[id], [&](ir::ExprId) { isLeaf = false; });
    return !isLeaf || isLong;
}

void Expressions::name(ir::ExprId id) {
    if (!wantsName(id)) return;
    Value& value = values_[id.index];
    const std::string variable = names_.add("e");
    // Not `const`: where the value comes from a call, g++ takes the cast `i32(array[e])` for the
    // declaration of an array parameter whose bound it cannot tell.
    out_.line("{} {} = {};", nameOf(value.type), variable, value.text);
    value = plain(variable, value.type);
}

Value Expressions::build(ir::ExprId id) const {
    const ir::Expr& expr = (*info_.body)[id];
    return smec::visit(
        Overloaded{
            [&](const ir::ConstInt& n) { return Value::ofInteger(n.value); },
            [&](const ir::ConstBool& n) { return plain(n.value ? "true" : "false", kBool); },
            [&](const ir::ConstFloat& n) {
                const Word word = wordOfFloat(expr.type);
                Value value = plain(literal(n.value, word), word);
                value.isAtom = value.text.front() != '-';
                return value;
            },
            [&](const ir::AnyOf<ir::ReadColumn, ir::ReadInput, ir::ReadLocal, ir::ReadTable> auto&
                    n) { return reads_.of(n); },
            [&](const ir::Cycle&) { return plain("slots.cycle", kU64); },
            [&](const ir::Seed&) { return plain("thread.setup->seed", kU64); },
            [&](const ir::Unary& n) { return applyUnary(n.op, operand(n.operand), facts(id)); },
            [&](const ir::Binary& n) { return binary(id, n); },
            [&](const ir::Select& n) { return select(id, n); },
            [&](const ir::Wrap& n) { return wrapped(n, operand(n.operand), facts(id)); },
            [&](const ir::Convert& n) { return converted(n, values_[n.operand.index], expr.type); },
        },
        expr.node);
}

Value Expressions::binary(ir::ExprId id, const ir::Binary& node) const {
    if (selects_ == Selects::Masks) {
        const Value& left = values_[node.left.index];
        const ir::ExprId tested = facts(id).tested;
        if (tested.valid() && left.type.isInt() && left.type.bits <= 64)
            return lowBit(left, facts(tested), facts(id).isOddTested);
        if (node.op == ir::BinaryOp::BoolXor || node.op == ir::BinaryOp::BoolEq)
            return equalityInLanes(node.op, left, values_[node.right.index]);
    }
    if (selects_ == Selects::Branches && facts(id).isShortCircuit)
        return shortCircuit(node.op, values_[node.left.index], values_[node.right.index]);
    return applyBinary(node.op, operand(node.left), operand(node.right), facts(id));
}

Value Expressions::select(ir::ExprId id, const ir::Select& node) const {
    const auto print = selects_ == Selects::Masks ? maskedSelect : selected;
    return print(values_[node.condition.index], values_[node.yes.index], values_[node.no.index],
                 (*info_.body)[id].type, facts(id));
}

}  // namespace smec::codegen::cpp
