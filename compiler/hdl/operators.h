#pragma once

#include "hdl/module_builder.h"
#include "hdl/sharing.h"

namespace smec::hdl {

class Expressions;

/// How the width of an operator's result depends on its operands.
enum class OperatorKind : std::uint8_t {
    Modular,     ///< low bits depend on the low bits of the operands only
    Whole,       ///< an integer of all bits of the operands
    Comparison,  ///< a bool of integers
    Logical,     ///< a bool of bools
    Floating,    ///< hardware does not have it
};
OperatorKind kindOf(ir::UnaryOp op);
OperatorKind kindOf(ir::BinaryOp op);

/// The operators of a body in the module, over the operands that Expressions makes.
class Operators {
public:
    Operators(const ir::Body& body, ModuleBuilder& builder, Sharing& sharing, Expressions& operands)
        : body_(body), builder_(builder), sharing_(sharing), operands_(operands) {}

    /// The low bits of the value, as the type has them.
    ExprId modular(const ir::Unary& node, const Type& type);
    ExprId modular(const ir::Binary& node, std::uint32_t width);
    ExprId exact(const ir::Unary& node, const Type& type);
    /// Of kind Whole.
    ExprId whole(const ir::Binary& node, const Type& type);
    ExprId boolean(const ir::Unary& node);
    ExprId boolean(const ir::Binary& node);

private:
    ExprId absolute(const ir::Unary& node, const Type& type);
    ExprId divide(Op op, const ir::Binary& node, const Type& type);
    ExprId shiftRight(const ir::Binary& node, const Type& type);
    ExprId shiftCount(ir::ExprId id, std::uint32_t width);
    ExprId extreme(const ir::Binary& node, const Type& type);
    Type common(ir::ExprId a, ir::ExprId b);

    const ir::Body& body_;
    ModuleBuilder& builder_;
    Sharing& sharing_;
    Expressions& operands_;
};

}  // namespace smec::hdl
