#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ast/ast.h"

namespace smec::ast {

/// Expressions and types in prefix form: `(+ (* b c) 1)`.
class ExpressionDumper {
public:
    explicit ExpressionDumper(const Module& module) : module_(module) {}

    std::string text(ExprId id) const;
    std::string text(const TypeExpr& type) const;
    /// " x", or nothing where x is absent.
    std::string spaced(ExprId id) const;
    std::string spaced(const std::vector<ExprId>& ids) const;
    std::string arguments(const std::vector<Argument>& list) const;
    /// ": T", " = x"; or nothing
    std::string typed(const std::optional<TypeExpr>& type) const;
    std::string init(ExprId value) const;

private:
    void append(std::string& out, ExprId id) const;
    void appendNode(std::string& out, const Expr& expr) const;
    void appendList(std::string& out, std::string_view head,
                    const std::vector<ExprId>& parts) const;
    void appendCall(std::string& out, const Call& call) const;

    const Module& module_;
};

}  // namespace smec::ast
