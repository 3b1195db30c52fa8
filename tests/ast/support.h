#pragma once

#include <string>
#include <utility>
#include <vector>

#include "ast/ast.h"

namespace smec::test {

/// Makes trees by hand.
struct Tree {
    ast::Module module;

    ast::ExprId add(decltype(ast::Expr::node) node) {
        module.exprs.push_back({{}, std::move(node)});
        return {static_cast<std::uint32_t>(module.exprs.size() - 1)};
    }
    ast::ExprId name(const std::string& text) { return add(ast::Name{text}); }
    ast::ExprId number(int value) { return add(ast::IntLiteral{value}); }
    ast::ExprId binary(ast::BinaryOp op, ast::ExprId left, ast::ExprId right) {
        return add(ast::Binary{op, left, right, {}});
    }
    void declare(decltype(ast::Decl::node) node) { module.decls.push_back({{}, std::move(node)}); }

    static ast::Identifier id(const std::string& text) { return {text, {}}; }
    static ast::TypeExpr type(const std::string& text) {
        return {{}, ast::NamedType{{id(text)}}, std::nullopt};
    }
};

}  // namespace smec::test
