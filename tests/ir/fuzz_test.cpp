#include <catch2/catch.hpp>

#include "eval.h"

using namespace evaluation;

namespace {

void addLocals(Body& body) {
    for (std::uint32_t width : {1U, 3U, 8U, 8U, 16U, 31U, 32U, 33U, 63U, 64U, 65U, 130U, 200U}) {
        for (bool isSigned : {false, true}) {
            body.locals.push_back(
                {"x", LocalKind::Param, {{ScalarKind::Int, isSigned, width}, 0}, 0, std::nullopt});
        }
    }
}

std::vector<Integer> randomLocals(std::mt19937_64& random, const Body& body) {
    std::vector<Integer> values;
    for (const Local& local : body.locals)
        values.push_back(randomValue(random, local.type.scalar));
    return values;
}

/// Uses the expression as a statement does: stored into a few bits, or looked at whole.
void use(std::mt19937_64& random, Body& body, ExprId id) {
    if (body[id].type == ExprType::Bool) {
        body.statements.push_back({{}, If{id, {}, {}}});
    } else if (random() % 3 == 0) {
        body.statements.push_back({{}, Trace{0, {id}}});
    } else {
        const std::uint32_t width = 1 + static_cast<std::uint32_t>(random() % 220);
        const LocalId local{static_cast<std::uint32_t>(body.locals.size())};
        body.locals.push_back(
            {"r", LocalKind::Temp, {{ScalarKind::Int, false, width}, 0}, 0, std::nullopt});
        body.exprs.push_back({ExprType::Int, Wrap{id, width, false}});
        body.statements.push_back(
            {{}, Set{local, {}, ExprId{static_cast<std::uint32_t>(body.exprs.size() - 1)}}});
    }
}

bool lowBitsEqual(const Integer& a, const Integer& b, std::uint32_t bits) {
    return bits == kAllBits ? a == b : wrapInteger(a, bits, false) == wrapInteger(b, bits, false);
}

}  // namespace

TEST_CASE("machine words give what exact arithmetic gives", "[ir][fuzz]") {
    std::mt19937_64 random(20240917);
    const Design design;
    std::size_t expressions = 0, wrong = 0, outside = 0;
    while (expressions < 120'000) {
        Body body;
        addLocals(body);
        const std::size_t params = body.locals.size();
        auto make = [&](Expr expr) {
            body.exprs.push_back(std::move(expr));
            return ExprId{static_cast<std::uint32_t>(body.exprs.size() - 1)};
        };
        for (int i = 0; i < 20; ++i, ++expressions) {
            Body view;
            view.locals.assign(body.locals.begin(),
                               body.locals.begin() + static_cast<std::ptrdiff_t>(params));
            RandomExpressions generator(random, view, make);
            const int depth = 1 + static_cast<int>(random() % 4);
            use(random, body,
                random() % 6 == 0 ? generator.boolean(depth) : generator.integer(depth));
        }
        const auto ranges = intervals(body, {}, {}, design);
        const auto demanded = demandedBits(body, ranges);
        const auto machines = machineTypes(body, ranges, demanded);
        for (int round = 0; round < 3; ++round) {
            const auto locals = randomLocals(random, body);
            const Values exact = evaluateExactly(body, locals);
            const Values machine = evaluateInMachineWords(body, locals, machines, demanded);
            for (std::size_t i = 0; i < body.exprs.size(); ++i) {
                if (body.exprs[i].type == ExprType::Int && !ranges[i].contains(exact.exprs[i])
                    && !isUnbounded(ranges[i]))
                    ++outside;
                if (demanded[i] != 0
                    && !lowBitsEqual(exact.exprs[i], machine.exprs[i], demanded[i]))
                    ++wrong;
            }
        }
    }
    CHECK(outside == 0);
    CHECK(wrong == 0);
}

TEST_CASE("the builder's folds keep the value", "[ir][fuzz]") {
    std::mt19937_64 random(7);
    std::size_t wrong = 0, outside = 0;
    for (int n = 0; n < 30'000; ++n) {
        Body plain, built;
        addLocals(plain);
        built.locals = plain.locals;
        Builder builder(built);
        std::vector<ExprId> twins;  // by the plain body's ids
        auto make = [&](Expr expr) {
            Expr twin = expr;
            forEachOperand(twin, [&](ExprId& id) { id = twins[id.index]; });
            twins.push_back(builder.add(std::move(twin)));
            plain.exprs.push_back(std::move(expr));
            return ExprId{static_cast<std::uint32_t>(plain.exprs.size() - 1)};
        };
        RandomExpressions generator(random, plain, make);
        generator.integer(4);
        generator.boolean(3);
        for (int round = 0; round < 3; ++round) {
            const auto locals = randomLocals(random, plain);
            const Values before = evaluateExactly(plain, locals),
                         after = evaluateExactly(built, locals);
            for (std::size_t i = 0; i < twins.size(); ++i) {
                if (before.exprs[i] != after[twins[i]]) ++wrong;
                if (built[twins[i]].type != ExprType::Int) continue;
                const Interval& range = builder.interval(twins[i]);
                if (!isUnbounded(range) && !range.contains(after[twins[i]])) ++outside;
            }
        }
    }
    CHECK(wrong == 0);
    CHECK(outside == 0);
}
