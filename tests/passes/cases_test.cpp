#include <catch2/catch.hpp>

#include "../lower/compile.h"
#include "ir/visit.h"
#include "passes/target.h"

namespace {

using namespace smec;

struct Shape {
    std::size_t switches = 0, cases = 0;
    std::size_t top = 0;      ///< statements that are in no other
    std::size_t longest = 0;  ///< statements of a block
};

Shape shapeOf(const std::string& text) {
    const auto compiled = compile(text, false, true);
    Shape shape;
    const auto look = [&](const ir::Block& block) {
        shape.longest = std::max(shape.longest, block.size());
    };
    const ir::Block& body = compiled->cls("p").body.statements;
    shape.top = body.size();
    look(body);
    ir::forEachStmt(body, [&](const ir::Stmt& stmt) {
        ir::forEachBlock(stmt, look);
        const auto* choice = std::get_if<ir::Switch>(&stmt.node);
        if (choice == nullptr) return;
        ++shape.switches;
        shape.cases += choice->cases.size();
    });
    return shape;
}

/// `count` times what `statement` says of a number, of a process that reads a field which goes
/// through all values of a byte.
std::string many(std::size_t count, const std::function<std::string(std::size_t)>& statement,
                 const std::string& declarations = "") {
    std::string text = "proc p(in x)\n" + declarations + "\n{\n";
    for (std::size_t i = 0; i < count; ++i)
        text += statement(i) + "\n";
    return text
           + "}\nproc count() bus o { v: u8; }; { o.v = (o.v + 85) & 0xff; }\n"
             "network top() { instance c of count(); instance q of p(c.o); }\n";
}

std::string test(std::size_t i, const std::string& what) {
    return "if (x.v == " + std::to_string(i * 7 % 100) + ") { " + what + " }";
}

std::string saying(std::size_t i) { return test(i, "trace(\"" + std::to_string(i) + "\");"); }

bool runsAsBefore(const std::string& text) {
    const std::string output = runBoth(text, 40);
    INFO(output);
    return output.find("passes changed") == std::string::npos
           && output.find("broken") == std::string::npos;
}

const std::size_t kMany = passes::target::kManyTests;

}  // namespace

TEST_CASE("many tests of one value become a tree of switches", "[passes][cases]") {
    const std::string text = many(3 * kMany, saying);
    const Shape shape = shapeOf(text);
    CHECK(shape.switches == 4);
    CHECK(shape.cases == 100);  // of one number all together
    CHECK(shape.longest <= 3 * kMany / 100 + 1);
    CHECK(runsAsBefore(text));
    CHECK(shapeOf(many(kMany - 1, saying)).switches == 0);
}

TEST_CASE("a test whose branch sets what is tested ends them", "[passes][cases]") {
    const auto statement = [](const std::string& at) {
        return [at](std::size_t i) {
            return "if (s == " + std::to_string(i % 9) + ") { trace(\"" + std::to_string(i)
                   + "\"); " + (i == kMany + 3 ? at : "n = n + 1;") + " }";
        };
    };
    const std::string variables = "var s: u8 = 3; var n: u8;";
    const std::string changes = many(kMany + 20, statement("s = u8(x.v[1:0]);"), variables);
    CHECK(shapeOf(changes).switches > 0);
    CHECK(shapeOf(changes).top == 1 + 17);
    CHECK(runsAsBefore(changes));
    const std::string within =
        many(kMany + 20, statement("for i = 0 until 3 { if (x.v > 9) { s = 5; } }"), variables);
    CHECK(shapeOf(within).top == 1 + 17);
    CHECK(runsAsBefore(within));
}

TEST_CASE("what fails for one value is a case of it", "[passes][cases]") {
    const std::string text = many(2 * kMany, [](std::size_t i) {
        return i % 2 == 0 ? saying(i)
                          : "assert(x.v != " + std::to_string(i * 5 % 256) + ", \"no {}\", x.v);";
    });
    CHECK(shapeOf(text).switches > 0);
    CHECK(shapeOf(text).top == 1);
    CHECK(runsAsBefore(text));
}

TEST_CASE("tests with alternatives, and of other values, stay", "[passes][cases]") {
    const std::string other = many(kMany, [](std::size_t i) {
        return "if (x.v + " + std::to_string(i) + " == 100) { trace(\"{}\", x.v); }";
    });
    CHECK(shapeOf(other).switches == 0);
    const std::string two = many(
        kMany,
        [](std::size_t i) {
            return saying(i).substr(0, saying(i).size()) + " else { n = n + 1; }";
        },
        "var n: u32;");
    CHECK(shapeOf(two).switches == 0);
}
