#include <catch2/catch.hpp>

#include "elab/elements.h"
#include "elab/integer_expr.h"
#include "elab/tuple_table.h"
#include "elaborated.h"

// The quick evaluator must answer what sema::Context::constant answers, or nothing.

using namespace smec;

namespace {

struct Quick {
    explicit Quick(const std::string& expr) {
        const FileId file =
            sources.add("test.sme", "const table: [3][2]u4 = [[1, 2], [3, 4], [5, 14]]; const "
                                    "flags: [2]bool = [true, false];\nconst x = "
                                        + expr + ";");
        program.modules.push_back(
            {syntax::parse(sources, file, diagnostics), "/nowhere/test.sme", false, {}});
        context.emplace(program, sources, diagnostics, design, sema::Rules{});
        context->checkModules();
        const auto* decl = std::get_if<ast::ConstDecl>(&program.modules[0].ast.decls.back().node);
        ref = {{0}, decl->value};
        const auto lookup = [this](ast::ExprId id) -> elab::Leaf {
            const auto& name = std::get<ast::Name>(program.modules[0].ast[id].node).text;
            if (name == "i") return {elab::Leaf::Kind::Slot, &slot, nullptr};
            const sema::Symbol* symbol = context->moduleScope({0}).find(name);
            return symbol ? elab::Leaf{elab::Leaf::Kind::Symbol, nullptr, symbol} : elab::Leaf{};
        };
        compiled = elab::IntegerExpr::compile(*context, ref, lookup);
    }
    std::optional<std::int64_t> value() const {
        return compiled ? compiled->evaluate() : std::nullopt;
    }

    SourceManager sources;
    Diagnostics diagnostics;
    sema::Program program;
    hir::Design design;
    std::optional<sema::Context> context;
    sema::ExprRef ref;
    std::int64_t slot = 7;
    std::optional<elab::IntegerExpr> compiled;
};

}  // namespace

TEST_CASE("the quick evaluator agrees with the checker", "[elab]") {
    for (const std::string expr :
         {"1 + 2 * 3", "-7 / 2", "-7 % 2", "7 / -2", "(3 - 5) * 4", "-(-9)", "2 > 1", "1 == 2",
          "!(1 < 2) || 3 >= 3", "true && 1 != 2", "table[2][1]", "table[1][0] + 1",
          "table[2][1][3]", "table[0][0][1]", "flags[1]"}) {
        const Quick quick(expr);
        INFO(expr);
        const auto slow =
            const_cast<Quick&>(quick).context->constant(quick.ref, quick.context->moduleScope({0}));
        REQUIRE(slow);
        REQUIRE(quick.value());
        CHECK(elab::smallValue(slow->value) == quick.value());
        CHECK(quick.compiled->isBool() == (slow->type == hir::TypeTable::kBool));
    }
}

TEST_CASE("the quick evaluator gives up where it must", "[elab]") {
    CHECK(Quick("i + 1").value() == 8);
    CHECK(Quick("i * (i - 7)").value() == 0);
    for (const char* expr : {"1 / 0", "1 % (i - 7)", "9223372036854775807 + 1", "table[i][0]",
                             "1 << 3", "~1", "1.5", "clog2(8)", "table[0][0][4]",
                             "99999999999999999999", "1 + true", "i && true", "nothing"}) {
        INFO(expr);
        CHECK_FALSE(Quick(expr).value());
    }
    std::string deep = "i";
    for (int k = 0; k < 100; ++k)
        deep = "1 + (" + deep + ")";
    CHECK_FALSE(Quick(deep).value());
    CHECK_FALSE(Quick("i == 7").compiled->evaluate() == 0);
    CHECK(Quick("i + 1").compiled->isUnsized());
    CHECK_FALSE(Quick("table[0][0] + 1").compiled->isUnsized());
}

TEST_CASE("tuples are interned", "[elab]") {
    elab::TupleTable table;
    const std::vector<std::uint64_t> empty, one{1}, two{1, 0};
    CHECK(table.intern(empty) == 0);
    CHECK(table.intern(one) == 1);
    CHECK(table.intern(two) == 2);
    for (std::uint64_t i = 0; i < 1000; ++i)
        CHECK(table.intern(std::vector<std::uint64_t>{i, i * i, 5}) == i + 3);
    CHECK(table.intern(one) == 1);
    CHECK(table.intern(empty) == 0);
    CHECK(table[502][1] == 499 * 499);
}
