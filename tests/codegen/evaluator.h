#pragma once

#include <map>
#include <variant>

#include "ir/arithmetic.h"
#include "ir/ir.h"

/// What expressions mean, in exact arithmetic: the judge of generated code. Integers and bools
/// only.
namespace smec::test {

using Integer = ir::Integer;

struct Machine {
    std::vector<std::vector<Integer>> locals;  ///< elements (scalars: one)
    std::vector<std::vector<Integer>> inputs;  ///< per input: elements
    std::vector<Integer> columns;
    Integer cycle = 0;
};

inline Integer evaluate(const ir::Body& body, ir::ExprId id, const Machine& machine);

inline Integer evaluateBinary(const ir::Binary& n, const Integer& x, const Integer& y) {
    using enum ir::BinaryOp;
    switch (n.op) {
    case Lt: return x < y;
    case Le: return x <= y;
    case Eq:
    case BoolEq: return x == y;
    case Ne:
    case BoolXor: return x != y;
    case BoolAnd: return x & y;
    case BoolOr: return x | y;
    default: break;
    }
    const std::optional<Integer> result = ir::apply(n.op, x, y);
    return result ? *result : 0;
}

inline Integer evaluate(const ir::Body& body, ir::ExprId id, const Machine& machine) {
    const auto of = [&](ir::ExprId operand) { return evaluate(body, operand, machine); };
    const auto at = [&](const std::vector<Integer>& values, ir::ExprId index) {
        return values.at(index.valid() ? static_cast<std::size_t>(of(index)) : 0);
    };
    if (const auto* n = std::get_if<ir::ConstInt>(&body[id].node)) return n->value;
    if (const auto* n = std::get_if<ir::ConstBool>(&body[id].node)) return n->value;
    if (const auto* n = std::get_if<ir::ReadColumn>(&body[id].node))
        return machine.columns.at(n->column);
    if (const auto* n = std::get_if<ir::ReadInput>(&body[id].node))
        return at(machine.inputs.at(n->input), n->index);
    if (const auto* n = std::get_if<ir::ReadLocal>(&body[id].node))
        return at(machine.locals.at(n->local.index), n->index);
    if (std::holds_alternative<ir::Cycle>(body[id].node)) return machine.cycle;
    if (const auto* n = std::get_if<ir::Unary>(&body[id].node)) {
        if (n->op == ir::UnaryOp::Not) return of(n->operand) == 0;
        return *ir::apply(n->op, of(n->operand));
    }
    if (const auto* n = std::get_if<ir::Binary>(&body[id].node))
        return evaluateBinary(*n, of(n->left), of(n->right));
    if (const auto* n = std::get_if<ir::Select>(&body[id].node))
        return of(n->condition) != 0 ? of(n->yes) : of(n->no);
    if (const auto* n = std::get_if<ir::Wrap>(&body[id].node))
        return ir::wrapInteger(of(n->operand), n->width, n->isSigned);
    if (const auto* n = std::get_if<ir::Convert>(&body[id].node))
        return n->op == ir::ConvertOp::IntToBool ? Integer(of(n->operand) != 0) : of(n->operand);
    return 0;
}

}  // namespace smec::test
