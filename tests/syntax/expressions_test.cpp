#include <catch2/catch.hpp>

#include "syntax/support.h"

using namespace smec;
using test::expression;

TEST_CASE("binary operators bind as in SMEIL") {
    // From tight to loose; operators of one row have one precedence.
    const std::vector<std::vector<std::string>> levels = {
        {"*", "/", "%"}, {"+", "-"},      {"<<", ">>"}, {"<", ">", "<=", ">="},
        {"==", "!="},    {"&", "^", "|"}, {"&&"},       {"||"}};
    for (std::size_t i = 0; i < levels.size(); ++i) {
        for (std::size_t j = 0; j < levels.size(); ++j) {
            for (const std::string& a : levels[i]) {
                for (const std::string& b : levels[j]) {
                    bool leftFirst = i <= j;
                    std::string expected = leftFirst ? fmt::format("({} ({} x y) z)", b, a)
                                                     : fmt::format("({} x ({} y z))", a, b);
                    CHECK(expression(fmt::format("x {} y {} z", a, b)) == expected);
                }
            }
        }
    }
}

TEST_CASE("unary operators bind tighter than binary ones, looser than suffixes") {
    for (const char* op : {"+", "-", "!", "~"}) {
        CHECK(expression(fmt::format("{}a * b", op)) == fmt::format("(* ({} a) b)", op));
        CHECK(expression(fmt::format("{}a.b", op)) == fmt::format("({} (member a b))", op));
        CHECK(expression(fmt::format("{}a[1]", op)) == fmt::format("({} (index a 1))", op));
        CHECK(expression(fmt::format("{}a(1)", op)) == fmt::format("({} (call a 1))", op));
    }
    CHECK(expression("-!~+a") == "(- (! (~ (+ a))))");
}

TEST_CASE("the conditional is right-associative and loosest") {
    CHECK(expression("a ? b : c ? d : e") == "(?: a b (?: c d e))");
    CHECK(expression("a ? b ? c : d : e") == "(?: a (?: b c d) e)");
    CHECK(expression("a || b ? c || d : e || f") == "(?: (|| a b) (|| c d) (|| e f))");
    CHECK(expression("a + b * c ? d : e - f ? g : h") == "(?: (+ a (* b c)) d (?: (- e f) g h))");
    CHECK(expression("(a ? b : c) + d") == "(+ (paren (?: a b c)) d)");
}

TEST_CASE("conditionals inside of slices and arguments") {
    CHECK(expression("x[a ? 1 : 2 : 0]") == "(slice x (?: a 1 2) 0)");
    CHECK(expression("x[a ? 1 : 2 +: b ? 3 : 4]") == "(slice+ x (?: a 1 2) (?: b 3 4))");
    CHECK(expression("x[a + -b +: 4][0]") == "(index (slice+ x (+ a (- b)) 4) 0)");
    CHECK(expression("f(a ? 1 : 2, b: c ? 3 : 4)") == "(call f (?: a 1 2) b:(?: c 3 4))");
    CHECK(expression("[a ? 1 : 2, 3]") == "(array (?: a 1 2) 3)");
}

TEST_CASE("parentheses are kept") {
    CHECK(expression("((a))") == "(paren (paren a))");
    CHECK(expression("(a) + (b)") == "(+ (paren a) (paren b))");
}

TEST_CASE("ranges of expressions cover what belongs to them") {
    test::Parsed parsed("const x = -a.b + f(c, [1, 2])[3:0] * (d) ? e : 'U;");
    REQUIRE(parsed.messages().empty());
    std::vector<std::string> texts;
    for (const ast::Expr& expr : parsed.module.exprs)
        texts.emplace_back(parsed.sources.text(expr.range));
    std::vector<std::string> expected = {"a",
                                         "a.b",
                                         "-a.b",
                                         "f",
                                         "c",
                                         "1",
                                         "2",
                                         "[1, 2]",
                                         "f(c, [1, 2])",
                                         "3",
                                         "0",
                                         "f(c, [1, 2])[3:0]",
                                         "d",
                                         "(d)",
                                         "f(c, [1, 2])[3:0] * (d)",
                                         "-a.b + f(c, [1, 2])[3:0] * (d)",
                                         "e",
                                         "'U",
                                         "-a.b + f(c, [1, 2])[3:0] * (d) ? e : 'U"};
    CHECK(texts == expected);
}

TEST_CASE("the range of an operator is its token") {
    test::Parsed parsed("const x = a   <<b;");
    const auto& binary = std::get<ast::Binary>(parsed.module.exprs.back().node);
    CHECK(parsed.sources.text(binary.opRange) == "<<");
    CHECK(parsed.sources.position(binary.opRange.file, binary.opRange.begin).column == 15);
}

TEST_CASE("ranges of declarations and statements") {
    test::Parsed parsed(
        "proc p() var x: u8; { x = 1; if (x == 1) { stop; } };\nnetwork n() { bus b { v: u8; } }");
    REQUIRE(parsed.messages().empty());
    CHECK(parsed.sources.text(parsed.module.decls[0].range)
          == "proc p() var x: u8; { x = 1; if (x == 1) { stop; } };");
    const auto& proc = std::get<ast::ProcDecl>(parsed.module.decls[0].node);
    CHECK(parsed.sources.text(proc.name.range) == "p");
    CHECK(parsed.sources.text(proc.decls[0].range) == "var x: u8;");
    CHECK(parsed.sources.text(proc.body.range) == "{ x = 1; if (x == 1) { stop; } }");
    CHECK(parsed.sources.text(proc.body.statements[0].range) == "x = 1;");
    CHECK(parsed.sources.text(proc.body.statements[1].range) == "if (x == 1) { stop; }");
    const auto& network = std::get<ast::NetworkDecl>(parsed.module.decls[1].node);
    CHECK(parsed.sources.text(parsed.module.decls[1].range) == "network n() { bus b { v: u8; } }");
    CHECK(parsed.sources.text(network.decls[0].range) == "bus b { v: u8; }");
}
