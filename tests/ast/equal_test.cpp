#include "ast/equal.h"

#include <catch2/catch.hpp>

#include "ast/support.h"

using namespace smec;
using ast::BinaryOp;
using test::Tree;

namespace {

Tree constant(const std::string& name, int left, BinaryOp op, int right) {
    Tree t;
    ast::ExprId a = t.number(left);
    ast::ExprId b = t.number(right);
    t.declare(ast::ConstDecl{Tree::id(name), Tree::type("u8"), t.binary(op, a, b)});
    return t;
}

}  // namespace

TEST_CASE("equal trees are equal, whatever their places and arena order") {
    Tree a = constant("x", 1, BinaryOp::Add, 2);
    Tree b;
    b.name("unused");
    ast::ExprId two = b.number(2);
    ast::ExprId one = b.number(1);
    ast::ExprId sum = b.binary(BinaryOp::Add, one, two);
    b.module.exprs[sum.index].range = {FileId{3}, 4, 5};
    b.declare(ast::ConstDecl{{"x", {FileId{1}, 2, 3}}, Tree::type("u8"), sum});
    b.module.comments.push_back({{FileId{1}, 0, 1}});
    CHECK(ast::equal(a.module, b.module));
    CHECK(ast::equal(b.module, a.module));
}

TEST_CASE("any difference is found") {
    Tree a = constant("x", 1, BinaryOp::Add, 2);
    CHECK_FALSE(ast::equal(a.module, constant("y", 1, BinaryOp::Add, 2).module));
    CHECK_FALSE(ast::equal(a.module, constant("x", 2, BinaryOp::Add, 2).module));
    CHECK_FALSE(ast::equal(a.module, constant("x", 1, BinaryOp::Sub, 2).module));
    CHECK_FALSE(ast::equal(a.module, constant("x", 1, BinaryOp::Add, 3).module));
    CHECK_FALSE(ast::equal(a.module, ast::Module{}));

    auto changed = [&](auto change) {
        Tree b = constant("x", 1, BinaryOp::Add, 2);
        change(b, std::get<ast::ConstDecl>(b.module.decls[0].node));
        return !ast::equal(a.module, b.module);
    };
    CHECK_FALSE(changed([](Tree&, ast::ConstDecl&) {}));
    CHECK(changed([](Tree&, ast::ConstDecl& d) { d.type.reset(); }));
    CHECK(changed([](Tree&, ast::ConstDecl& d) { d.type = Tree::type("u9"); }));
    CHECK(changed([](Tree&, ast::ConstDecl& d) { d.value = {}; }));
    CHECK(changed([](Tree& t, ast::ConstDecl& d) { d.value = t.add(ast::Paren{d.value}); }));
    CHECK(changed([](Tree& t, ast::ConstDecl& d) {
        d.type->bound = ast::RangeBound{t.number(0), t.number(1)};
    }));
    CHECK(changed([](Tree& t, ast::ConstDecl&) { t.declare(ast::Import{}); }));
}

TEST_CASE("long chains are compared without recursion") {
    auto chain = [](int length) {
        Tree t;
        ast::ExprId id = t.name("a");
        for (int i = 0; i < length; ++i)
            id = t.binary(BinaryOp::Add, id, t.name("b"));
        t.declare(ast::ConstDecl{Tree::id("x"), std::nullopt, id});
        return t;
    };
    Tree a = chain(1'000'000);
    CHECK(ast::equal(a.module, a.module));
    CHECK_FALSE(ast::equal(a.module, chain(999'999).module));
}
