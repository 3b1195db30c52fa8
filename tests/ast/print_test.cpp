#include "ast/print.h"

#include <catch2/catch.hpp>

#include "ast/spelling.h"
#include "ast/support.h"

// Printing what the parser made is tested in tests/syntax, over its whole corpus.

using namespace smec;
using ast::BinaryOp;
using test::Tree;

TEST_CASE("expressions print alone, as messages need them") {
    Tree t;
    ast::ExprId member = t.add(ast::Member{t.name("a"), Tree::id("ping")});
    CHECK(ast::print(t.module, member) == "a.ping");
    ast::ExprId star = t.add(ast::Member{t.add(ast::Star{t.name("s")}), Tree::id("status")});
    CHECK(ast::print(t.module, star) == "s[*].status");
    ast::ExprId slice = t.add(ast::Slice{t.name("x"), t.number(7), t.number(4)});
    CHECK(ast::print(t.module, slice) == "x[7:4]");
    ast::ExprId part = t.add(ast::IndexedSlice{t.name("x"), t.name("k"), t.number(4)});
    CHECK(ast::print(t.module, part) == "x[k +: 4]");
    ast::ExprId call =
        t.add(ast::Call{t.name("f"), {{std::nullopt, t.number(1)}, {Tree::id("n"), slice}}});
    CHECK(ast::print(t.module, call) == "f(1, n: x[7:4])");
    ast::ExprId sum =
        t.binary(BinaryOp::Add, t.add(ast::Unary{ast::UnaryOp::Minus, t.name("b")}), call);
    CHECK(ast::print(t.module, sum) == "-b + f(1, n: x[7:4])");
    ast::ExprId choice =
        t.add(ast::Conditional{t.add(ast::BoolLiteral{true}), sum, t.add(ast::Undefined{})});
    CHECK(ast::print(t.module, choice) == "true ? -b + f(1, n: x[7:4]) : 'U");
}

TEST_CASE("every operator has its spelling") {
    std::string all;
    for (int i = 0; i <= static_cast<int>(BinaryOp::LogicalOr); ++i)
        all += std::string(ast::spelling(static_cast<BinaryOp>(i))) + " ";
    CHECK(all == "* / % + - << >> < > <= >= == != & ^ | && || ");
    all.clear();
    for (int i = 0; i <= static_cast<int>(ast::UnaryOp::Complement); ++i)
        all += std::string(ast::spelling(static_cast<ast::UnaryOp>(i))) + " ";
    CHECK(all == "+ - ! ~ ");
}

TEST_CASE("strings and floats print so that they read back") {
    CHECK(ast::stringText("a\"b\\c\nd\te") == R"("a\"b\\c\nd\te")");
    CHECK(ast::characterText('a') == "'a'");
    CHECK(ast::characterText('\'') == R"('\'')");
    CHECK(ast::characterText('"') == R"('"')");
    CHECK(ast::characterText('\n') == R"('\n')");
    CHECK(ast::floatText(2) == "2.0");
    CHECK(ast::floatText(0.1) == "0.1");
    CHECK(ast::floatText(1e300) == "1e+300");
    CHECK(ast::floatText(5e-324) == "5e-324");
    CHECK(ast::floatText(0) == "0.0");
}

TEST_CASE("declarations in the house style") {
    Tree t;
    ast::ProcDecl proc{ast::ProcKind::Combinational, false, Tree::id("p"), {}, {}, {}};
    proc.params.push_back({{}, ast::ParamKind::In, {{}}, Tree::id("x"), Tree::type("t"), {}});
    proc.params.push_back(
        {{}, ast::ParamKind::Const, {}, Tree::id("n"), std::nullopt, t.number(3)});
    ast::TypeExpr digit = Tree::type("uint");
    digit.bound = ast::RangeBound{t.number(0), t.number(9)};
    proc.decls.push_back({{}, ast::VarDecl{Tree::id("d"), digit, t.number(7)}});
    proc.body.statements.push_back({{}, ast::Assign{t.name("d"), BinaryOp::Add, t.number(1)}});
    proc.body.statements.push_back({{}, ast::Switch{t.name("d"), {}, ast::Block{}}});
    proc.body.statements.push_back({{}, ast::Block{}});
    t.declare(std::move(proc));
    CHECK(ast::print(t.module)
          == "async proc p([] in x: t, const n = 3)\n"
             "    var d: uint = 7 range 0 to 9;\n"
             "{\n"
             "    d += 1;\n"
             "    switch d {\n"
             "        default { }\n"
             "    }\n"
             "    { }\n"
             "}\n");
    CHECK(ast::dump(t.module)
          == "Module\n"
             "  Proc async p\n"
             "    Param [] in x: t\n"
             "    Param const n = 3\n"
             "    Var d: uint{0..9} = 7\n"
             "    Block\n"
             "      Assign += d 1\n"
             "      Switch d\n"
             "        Default\n"
             "          Block\n"
             "      Block\n");
}

TEST_CASE("a chain of a million operators prints in one pass") {
    Tree t;
    ast::ExprId chain = t.name("a");
    for (int i = 0; i < 1'000'000; ++i)
        chain = t.binary(BinaryOp::Sub, chain, t.name("b"));
    t.declare(ast::ConstDecl{Tree::id("x"), std::nullopt, chain});
    CHECK(ast::print(t.module).size() == std::string("const x = a;\n").size() + 4'000'000);
    CHECK(ast::dump(t.module).size() > 4'000'000);
}
