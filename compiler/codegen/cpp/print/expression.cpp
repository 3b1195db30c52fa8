// Operands first, over an explicit stack (expressions may be deep). The value of a node is a piece
// of text with a C++ type that holds the node's machine value; it need not be the machine type
// itself, C++'s own conversions do the rest:
//   wrap(x + 1, u8)   →   u8(x + 1u)   of type u8, though the node's machine word is u32

#include "codegen/cpp/print/expression.h"

#include <algorithm>

#include "ir/arithmetic.h"
#include "ir/visit.h"
#include "source/internal_error.h"
#include "source/overloaded.h"

namespace smec::codegen::cpp {
namespace {

constexpr std::size_t kLongText = 110;
constexpr std::size_t kShortText = 12;

Value plain(std::string text, const Word& type) { return {std::move(text), type, true, {}}; }

Word wordOfFloat(ir::ExprType type) { return type == ir::ExprType::F32 ? kF32 : kF64; }

/// A stored element as a value: bools are stored as bytes.
Value loaded(std::string text, const ir::Scalar& scalar) {
    if (scalar.kind != ir::ScalarKind::Bool) return plain(std::move(text), storedWord(scalar));
    return {text + " != 0", kBool, false, {}};
}

}  // namespace

Expressions::Expressions(const CppDesign& cpp, const BodyInfo& info,
                         const std::vector<ir::Input>& inputs, const Leaves& leaves,
                         Selects selects, Names& names, Writer& out)
    : cpp_(cpp),
      info_(info),
      inputs_(inputs),
      leaves_(leaves),
      selects_(selects),
      names_(names),
      out_(out),
      values_(info.body->exprs.size()),
      uses_(info.body->exprs.size(), 0) {}

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
    const bool fits = std::all_of(order_.begin(), order_.end(), [&](ir::ExprId id) {
        values_[id.index] = build(id);
        return !wantsName(id);
    });
    for (const ir::ExprId id : order_)
        uses_[id.index] = 0;
    return fits;
}

/// Whether it is shared or long.
bool Expressions::wantsName(ir::ExprId id) const {
    const Value& value = values_[id.index];
    const bool isLong = value.text.size() > kLongText;
    const bool isShared = uses_[id.index] > 1 && value.text.size() > kShortText;
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

std::string Expressions::element(const std::string& array, ir::ExprId index,
                                 std::uint32_t length) const {
    // An index is in range after its check, whatever the word it was computed in.
    const Value& whole = values_[index.index];
    const Value value = whole.type.isWide() ? convert(whole, kU32) : whole;
    if (facts(index).isBelow(length)) return fmt::format("{}[{}]", array, value.text);
    return fmt::format("{}[sme::within({}, {})]", array, value.text, length);
}

std::string Expressions::arrayOfInput(const ir::ReadInput& read) const {
    if (const auto element = constantElement(*info_.body, read))
        return leaves_.inputs.at({read.input, *element}).name;
    const Selection& selection = leaves_.selections.at(read.input);
    const std::string index = element(selection.index, read.element, selection.elements);
    if (selection.slot == Slot::Either)
        return fmt::format("sme::pick<{}>(context, {})", nameOf(selection.type), index);
    return fmt::format("({} + {})", selection.base, index);
}

std::string Expressions::arrayOf(ir::ExprId id) const {
    return std::visit(
        Overloaded{
            [&](const ir::ReadLocal& n) { return leaves_.locals[n.local.index].name; },
            [&](const ir::ReadInput& n) { return arrayOfInput(n); },
            [&](const ir::ReadTable& n) { return tableName(n.table); },
            [](const ir::AnyOf<ir::ConstInt, ir::ConstBool, ir::ConstFloat, ir::ReadColumn,
                               ir::Cycle, ir::Seed, ir::Unary, ir::Binary, ir::Select, ir::Wrap,
                               ir::Convert> auto&) -> std::string {
                throw InternalError("codegen: an array argument that is no array");
            },
        },
        (*info_.body)[id].node);
}

Value Expressions::read(const ir::ReadInput& node) const {
    const ir::Input& input = inputs_[node.input];
    const ir::Scalar& scalar = input.type.scalar;
    const auto constant = constantElement(*info_.body, node);
    if (input.type.isArray()) {
        const std::string array = arrayOfInput(node);
        return node.index.valid() ? loaded(element(array, node.index, input.type.length), scalar)
                                  : plain(array, storedWord(scalar));
    }
    if (constant) {
        const Place& place = leaves_.inputs.at({node.input, *constant});
        return plain(place.name, place.type);
    }
    const Selection& selection = leaves_.selections.at(node.input);
    const std::string index = element(selection.index, node.element, selection.elements);
    if (selection.slot == Slot::Either)
        return loaded(fmt::format("sme::pick<{}>(context, {})[0]", nameOf(selection.type), index),
                      scalar);
    return loaded(fmt::format("{}[{}]", selection.base, index), scalar);
}

Value Expressions::read(const ir::ReadLocal& node) const {
    const Place& place = leaves_.locals[node.local.index];
    const ir::StorageType& type = info_.body->locals[node.local.index].type;
    if (!node.index.valid()) return plain(place.name, place.type);
    return loaded(element(place.name, node.index, type.length), type.scalar);
}

Value Expressions::read(const ir::ReadTable& node) const {
    const ir::StorageType& type = cpp_.program.design.tables[node.table.index].type;
    const std::string name = tableName(node.table);
    if (!node.index.valid()) return plain(name, storedWord(type.scalar));
    return loaded(element(name, node.index, static_cast<std::uint32_t>(type.elements())),
                  type.scalar);
}

Value Expressions::build(ir::ExprId id) const {
    const ir::Expr& expr = (*info_.body)[id];
    return std::visit(
        Overloaded{
            [&](const ir::ConstInt& n) { return Value::ofInteger(n.value); },
            [&](const ir::ConstBool& n) { return plain(n.value ? "true" : "false", kBool); },
            [&](const ir::ConstFloat& n) {
                const Word word = wordOfFloat(expr.type);
                Value value = plain(literal(n.value, word), word);
                value.isAtom = value.text.front() != '-';
                return value;
            },
            [&](const ir::ReadColumn& n) { return leaves_.columns.at(n.column); },
            [&](const ir::ReadInput& n) { return read(n); },
            [&](const ir::ReadLocal& n) { return read(n); },
            [&](const ir::ReadTable& n) { return read(n); },
            [&](const ir::Cycle&) { return plain("context.cycle", kU64); },
            [&](const ir::Seed&) { return plain("context.seed", kU64); },
            [&](const ir::Unary& n) { return unary(id, n); },
            [&](const ir::Binary& n) { return binary(id, n); },
            [&](const ir::Select& n) { return select(id, n); },
            [&](const ir::Wrap& n) { return wrap(id, n); },
            [&](const ir::Convert& n) { return conversion(id, n); },
        },
        expr.node);
}

}  // namespace smec::codegen::cpp
