#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ast/ast.h"

namespace smec::rtl {

/// Makes nodes of a syntax tree. The module outlives it.
class Tree {
public:
    explicit Tree(ast::Module& module) : module_(module) {}

    ast::ExprId add(decltype(ast::Expr::node) node) {
        module_.exprs.push_back({{}, std::move(node)});
        return {static_cast<std::uint32_t>(module_.exprs.size() - 1)};
    }
    ast::ExprId integer(ast::Integer value) { return add(ast::IntLiteral{std::move(value)}); }
    ast::ExprId boolean(bool value) { return add(ast::BoolLiteral{value}); }
    ast::ExprId name(std::string_view text) { return add(ast::Name{std::string(text)}); }
    ast::ExprId member(ast::ExprId base, std::string_view field) {
        return add(ast::Member{base, identifier(field)});
    }
    ast::ExprId index(ast::ExprId base, ast::ExprId at) { return add(ast::Index{base, at}); }
    ast::ExprId slice(ast::ExprId base, std::uint64_t high, std::uint64_t low) {
        return add(ast::Slice{base, integer(high), integer(low)});
    }
    ast::ExprId call(std::string_view callee, const std::vector<ast::ExprId>& arguments) {
        std::vector<ast::Argument> list;
        for (const ast::ExprId argument : arguments)
            list.push_back({std::nullopt, argument});
        return add(ast::Call{name(callee), std::move(list)});
    }
    ast::ExprId paren(ast::ExprId inner) { return add(ast::Paren{inner}); }
    ast::ExprId unary(ast::UnaryOp op, ast::ExprId operand) { return add(ast::Unary{op, operand}); }
    ast::ExprId binary(ast::BinaryOp op, ast::ExprId left, ast::ExprId right) {
        return add(ast::Binary{op, left, right, {}});
    }
    ast::ExprId conditional(ast::ExprId condition, ast::ExprId yes, ast::ExprId no) {
        return add(ast::Conditional{condition, yes, no});
    }

    static ast::Identifier identifier(std::string_view text) { return {std::string(text), {}}; }
    static ast::TypeExpr named(std::string_view text) {
        return {{}, ast::NamedType{{identifier(text)}}, std::nullopt};
    }
    /// bool for one bit, u8 for eight; i1 and i8 where they are signed
    static ast::TypeExpr word(std::uint64_t width, bool isSigned = false);
    /// So many low bits of a value, which is not negative, as that type has them.
    ast::ExprId wordValue(const ast::Integer& value, std::uint32_t width, bool isSigned);
    ast::TypeExpr array(std::uint64_t size, ast::TypeExpr element) {
        return {{}, ast::ArrayType{integer(size), {std::move(element)}}, std::nullopt};
    }

    static ast::Stmt statement(decltype(ast::Stmt::node) node) { return {{}, std::move(node)}; }
    static ast::Stmt assign(ast::ExprId target, ast::ExprId value) {
        return statement(ast::Assign{target, std::nullopt, value});
    }
    static ast::Stmt variable(std::string_view name, ast::TypeExpr type, ast::ExprId init) {
        return statement(ast::VarDecl{identifier(name), std::move(type), init});
    }
    static ast::Decl declaration(decltype(ast::Decl::node) node) { return {{}, std::move(node)}; }

    const ast::Module& module() const { return module_; }
    void rename(ast::ExprId name, std::string_view text) {
        module_.exprs[name.index].node = ast::Name{std::string(text)};
    }

private:
    ast::Module& module_;
};

/// The name of a type of so many bits.
std::string wordName(std::uint64_t width, bool isSigned = false);
/// The same for a bus of one field `v` of that type, as all wires are.
std::string wireName(std::uint64_t width, bool isSigned = false);

}  // namespace smec::rtl
