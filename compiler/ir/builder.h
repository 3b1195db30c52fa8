#pragma once

#include <unordered_map>

#include "ir/ir.h"

namespace smec::ir {

/// What is known about the leaves of a body's expressions; null: nothing but their types (columns,
/// inputs and tables: the body reads none, or anything may be in them).
struct Leaves {
    const std::vector<Column>* columns = nullptr;
    const std::vector<Input>* inputs = nullptr;
    const std::vector<Table>* tables = nullptr;
    const std::vector<Interval>* locals = nullptr;  ///< by LocalId, of scalar integers
};
/// Interval of a node that is no operator, or of an operator whose operands have the given
/// intervals (by ExprId).
Interval intervalOf(const Expr& expr, const Body& body, const Leaves& leaves,
                    const std::vector<Interval>& operands);

/// Of what is read from storage of that type.
ExprType exprTypeOf(const Scalar& scalar);

/// Adds expressions to a body with value numbering and the cheap algebraic folds (constants, x+0,
/// x*1, Wrap that changes nothing given the interval). Keeps intervals of what it built.
class Builder {
public:
    explicit Builder(Body& body);
    Builder(Body& body, const Leaves& leaves);

    ExprId add(Expr expr);
    ExprId constant(const Integer& value);
    ExprId constant(bool value);
    ExprId unary(UnaryOp op, ExprId operand);
    ExprId binary(BinaryOp op, ExprId left, ExprId right);
    ExprId select(ExprId condition, ExprId yes, ExprId no);
    ExprId wrap(ExprId operand, std::uint32_t width, bool isSigned);
    ExprId convert(ConvertOp op, ExprId operand, ExprType type, std::uint32_t width = 0,
                   bool isSigned = false);
    /// `value` of a floating type.
    ExprId constant(double value, ExprType type);
    ExprId read(LocalId local, ExprId index = {});
    /// Of an integer expression, from the types of its leaves.
    const Interval& interval(ExprId expr) const;
    /// The value of an expression that is a constant.
    const Integer* integer(ExprId expr) const;
    const bool* boolean(ExprId expr) const;
    const Body& body() const { return body_; }

private:
    ExprId number(Expr expr);

    Body& body_;
    Leaves leaves_;
    std::unordered_multimap<std::size_t, ExprId> numbering_;
    std::vector<Interval> intervals_;
};

}  // namespace smec::ir
