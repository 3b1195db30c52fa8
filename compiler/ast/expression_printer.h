#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ast/ast.h"

namespace smec::ast {

/// Appends expressions, types and argument lists as source text. Chains of binary operators are
/// walked, not recursed into.
class ExpressionPrinter {
public:
    ExpressionPrinter(const Module& module, std::string& out) : module_(module), out_(out) {}

    void print(ExprId id);
    void print(const TypeExpr& type);       ///< without its bound
    void printBound(const TypeExpr& type);  ///< " range a to b", or nothing
    void printInit(ExprId value);           ///< " = value", or nothing
    void printTyped(const TypeExpr& type);  ///< ": T" with its bound after the type
    void printTyped(const std::optional<TypeExpr>& type);
    /// ": T = init range a to b", the way SMEIL has it.
    void printTypedInit(const TypeExpr& type, ExprId value);
    void printArguments(const std::vector<Argument>& arguments);
    void printList(const std::vector<ExprId>& list);
    void printIndices(const std::vector<ExprId>& indices);  ///< [a][b]

private:
    void printNode(const Expr& expr);

    const Module& module_;
    std::string& out_;
};

}  // namespace smec::ast
