#include <catch2/catch.hpp>

#include "hdl/forward.h"
#include "ir/analysis.h"
#include "ir/builder.h"
#include "ir/visit.h"

using namespace smec;
using namespace smec::ir;

namespace {

/// A body over variables of eight bits.
struct Maker {
    Body body;

    LocalId local(const char* name, bool isHelper = false) {
        body.locals.push_back(
            {name, LocalKind::Temp, {{ScalarKind::Int, false, 8}, 0}, 0, std::nullopt, isHelper});
        return {static_cast<std::uint32_t>(body.locals.size() - 1)};
    }
    ExprId read(LocalId id) { return Builder(body).read(id); }
    ExprId least(ExprId a, ExprId b) { return Builder(body).binary(BinaryOp::Min, a, b); }
    ExprId number(int value) { return Builder(body).constant(Integer(value)); }
    static Stmt set(LocalId to, ExprId value) { return {{}, Set{to, {}, value}}; }

    const Expr& forwarded(const Block& block) {
        body.statements = block;
        hdl::forwardValues(body, intervals(body, {}, {}, {}));
        REQUIRE(verifyReads());
        return body[std::get<Set>(body.statements.back().node).value];
    }
    /// Operands stand in front of what uses them.
    bool verifyReads() const {
        bool sound = true;
        for (std::uint32_t i = 0; i < body.exprs.size(); ++i)
            forEachOperand(body.exprs[i], [&](ExprId id) { sound = sound && id.index < i; });
        return sound;
    }
    static bool reads(const Expr& expr, LocalId id) {
        const auto* read = std::get_if<ReadLocal>(&expr.node);
        return read && read->local == id;
    }
};

}  // namespace

TEST_CASE("a helper is what it is set to", "[hdl]") {
    Maker m;
    const LocalId x = m.local("x"), y = m.local("y"), z = m.local("z"), t = m.local("t", true),
                  u = m.local("u", true);
    const ExprId sum = m.least(m.read(x), m.read(y));

    SECTION("read once") {
        const Expr& value = m.forwarded({m.set(t, sum), m.set(z, m.read(t))});
        CHECK(std::holds_alternative<Binary>(value.node));
    }
    SECTION("by way of another") {
        const Expr& value =
            m.forwarded({m.set(t, m.read(x)), m.set(u, m.read(t)), m.set(z, m.read(u))});
        CHECK(m.reads(value, x));
    }
    SECTION("where what it reads is set by the statement that reads it") {
        const Expr& value = m.forwarded({m.set(t, sum), m.set(x, m.read(t))});
        CHECK(std::holds_alternative<Binary>(value.node));
    }
    SECTION("read twice: if it costs nothing") {
        const Expr& value = m.forwarded({m.set(t, sum), m.set(u, m.read(y)),
                                         m.set(z, m.least(m.read(t), m.read(u))),
                                         m.set(z, m.least(m.read(t), m.read(u)))});
        CHECK(m.reads(m.body[std::get<Binary>(value.node).left], t));
        CHECK(m.reads(m.body[std::get<Binary>(value.node).right], y));
    }
}

TEST_CASE("a helper stays", "[hdl]") {
    Maker m;
    const LocalId x = m.local("x"), z = m.local("z"), i = m.local("i"), t = m.local("t", true),
                  u = m.local("u", true);

    SECTION("where what it reads is set in between") {
        CHECK(m.reads(
            m.forwarded({m.set(t, m.read(x)), m.set(x, m.number(3)), m.set(z, m.read(t))}), t));
    }
    SECTION("where another of which it is part is read after such a place") {
        const Expr& value = m.forwarded(
            {m.set(t, m.read(x)), m.set(u, m.read(t)), m.set(x, m.number(3)), m.set(z, m.read(u))});
        CHECK(m.reads(value, u));
    }
    SECTION("where a later round of a loop would read what an earlier one set") {
        const Block round{m.set(z, m.read(t)), m.set(x, m.read(i))};
        const ExprId from = m.number(0), to = m.number(3);
        m.body.statements = {m.set(t, m.read(x)), {{}, For{i, LoopKind::Up, from, to, round, {}}}};
        hdl::forwardValues(m.body, intervals(m.body, {}, {}, {}));
        const auto& loop = std::get<For>(m.body.statements.back().node);
        CHECK(m.reads(m.body[std::get<Set>(loop.body.front().node).value], t));
    }
    SECTION("where it is set twice, or is no helper, or is read in front") {
        CHECK(m.reads(m.forwarded({m.set(t, m.read(x)), m.set(t, m.read(x)), m.set(z, m.read(t))}),
                      t));
        CHECK(m.reads(m.forwarded({m.set(i, m.read(x)), m.set(z, m.read(i))}), i));
        CHECK(m.reads(m.forwarded({m.set(z, m.read(u)), m.set(u, m.read(x)), m.set(z, m.read(u))}),
                      u));
    }
    SECTION("where it is read after the branch that sets it") {
        const Stmt branch{{}, If{Builder(m.body).constant(true), {m.set(t, m.read(x))}, {}}};
        CHECK(m.reads(m.forwarded({branch, m.set(z, m.read(t))}), t));
    }
}
