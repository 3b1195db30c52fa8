// One small design per feature of the IR, run as loops and as straight-line code, with known
// results.

#include <catch2/catch.hpp>

#include "compile.h"
#include "designs.h"
#include "ir/analysis.h"

using namespace smec;
using test::contains;
using test::integer;
using test::unsignedType;
using enum ir::BinaryOp;

namespace {

/// The output of a design as loops, as loops in pieces and as straight-line code: all the same.
std::string sameOutputOf(const ir::Design& design, int cycles) {
    for (const std::string& problem : ir::verify(design))
        FAIL_CHECK(problem);
    const std::string arguments = std::to_string(cycles);
    const std::string flags = "-w -O1 -fsanitize=undefined -fno-sanitize-recover";
    plan::Options loops;
    loops.loopThreshold = 1;
    test::Build looped(design, loops);
    const std::string whole = looped.run("step.cpp", arguments, flags).output;
    CHECK(whole
          == test::shell("cd " + looped.folder() + " && ./sim " + arguments + " chunks").output);
    plan::Options lines;
    lines.loopThreshold = 1000;
    test::Build straight(design, lines);
    INFO(looped.units());
    INFO(straight.units());
    CHECK(whole == straight.run("step.cpp", arguments, flags).output);
    return whole;
}

ir::Stmt branch(ir::ExprId condition, ir::Block yes, ir::Block no = {}) {
    return {{}, ir::If{condition, std::move(yes), std::move(no)}};
}

}  // namespace

TEST_CASE("arrays: state in place, partial writes over the default, hold", "[codegen][features]") {
    ir::Design design;
    design.name = "arrays";
    test::ClassBuilder p(design, "p", 5);
    const ir::LocalId memory = p.state("memory", unsignedType(8, 4), test::integers({1, 2, 3, 4}));
    const ir::LocalId fresh = p.output("y.fresh", unsignedType(8, 3), test::integers({7, 8, 9}));
    const ir::LocalId held = p.output("y.held", unsignedType(16, 3), test::integers({0}), true);
    const ir::LocalId copy = p.output("y.copy", unsignedType(8, 4), test::integers({0}));
    const ir::LocalId at = p.state("at", unsignedType(2));
    const ir::LocalId buffer = p.temp("buffer", unsignedType(8, 4));
    const ir::ExprId index = p.read(at);
    p.add(p.set(memory, p.wrap(p.op(Add, p.read(memory, index), p.number(10)), 8), index));
    p.add({{}, ir::CopyArray{buffer, memory}});
    p.add(p.set(buffer, p.number(99), p.number(0)));
    p.add({{}, ir::CopyArray{copy, buffer}});
    p.add(p.set(fresh, p.read(memory, index), p.number(1)));
    p.add(branch(p.op(Lt, index, p.number(3)),
                 {p.set(held, p.wrap(p.op(Add, p.read(held, index), p.number(1)), 16), index)}));
    p.add(p.set(at, p.wrap(p.op(Add, index, p.number(1)), 2)));
    p.finish();
    const std::string output = sameOutputOf(design, 6);
    contains(output, "p[4].memory = [21, 22, 13, 14]\n");
    contains(output, "p[4].y.fresh = [7, 22, 9]\n");
    contains(output, "p[4].y.held = [2, 2, 1]\n");
    contains(output, "p[4].y.copy = [99, 22, 13, 14]\n");
}

TEST_CASE("loops in every direction, break out of a switch, continue", "[codegen][features]") {
    ir::Design design;
    design.name = "loops";
    test::ClassBuilder p(design, "p", 3);
    const ir::LocalId sum = p.state("sum", unsignedType(32));
    const ir::LocalId last = p.state("last", unsignedType(8));
    const ir::LocalId endless = p.state("endless", unsignedType(8));
    const auto site = p.failSite(ir::FailureKind::LoopLimit, "");
    const auto loop = [&](ir::LoopKind kind, int from, int to, ir::Block extra = {}) {
        const ir::LocalId i = p.temp("i", unsignedType(8));
        ir::Block body = std::move(extra);
        body.push_back(
            p.set(sum, p.wrap(p.op(Add, p.op(Mul, p.read(sum), p.number(3)), p.read(i)), 32)));
        body.push_back(p.set(last, p.read(i)));
        p.add({{}, ir::For{i, kind, p.number(from), p.number(to), std::move(body), 256}});
    };
    loop(ir::LoopKind::Up, 250, 255);
    loop(ir::LoopKind::Up, 5, 4);
    loop(ir::LoopKind::Down, 3, 0);
    loop(ir::LoopKind::Down, 1, 2);
    loop(ir::LoopKind::Either, 7, 4);
    loop(ir::LoopKind::Either, 4, 7);
    const ir::LocalId n = p.temp("n", unsignedType(8));
    p.add(p.set(n, p.number(0)));
    ir::Switch choice{p.read(n), {}, {}};
    choice.cases.push_back({{4}, {{{}, ir::Break{}}}});
    choice.cases.push_back({{1, 2}, {{{}, ir::Continue{}}}});
    choice.otherwise = {
        p.set(endless, p.wrap(p.op(Add, p.read(endless), p.op(Shl, p.number(1), p.read(n))), 8))};
    ir::Block body{{{}, ir::CountRound{site}},
                   p.set(n, p.wrap(p.op(Add, p.read(n), p.number(1)), 8)),
                   {{}, choice}};
    p.add({{}, ir::Loop{std::move(body)}});
    p.finish();
    std::uint32_t expected = 0;
    for (const int i : {250, 251, 252, 253, 254, 255, 3, 2, 1, 0, 7, 6, 5, 4, 4, 5, 6, 7})
        expected = expected * 3 + i;
    const std::string output = sameOutputOf(design, 1);
    contains(output, "p[1].sum = " + std::to_string(expected) + "\n");
    contains(output, "p[1].endless = 8\n");
}

TEST_CASE("long bodies are functions one after the other", "[codegen][features]") {
    ir::Design design;
    design.name = "long";
    test::ClassBuilder p(design, "p", 2);
    const ir::LocalId sum = p.state("sum", unsignedType(32));
    const ir::LocalId limit = p.state("limit", unsignedType(8), test::integers({100, 3}));
    const ir::LocalId seen = p.state("seen", unsignedType(16, 2), test::integers({0, 0}));
    const ir::LocalId once =
        p.state("once", unsignedType(32), test::integers({5, 2}));  // in one part
    const ir::LocalId out = p.output("y.v", unsignedType(8), {integer(3)});
    const ir::LocalId across = p.temp("across", unsignedType(32));  // from the first to the last
    const auto site = p.failSite(ir::FailureKind::Assertion, "{}");
    p.body().fails[site].text.args = {{ir::ExprType::Int, false, 8, {}}};
    const auto told = p.traceSite(
        "{} {}", {{ir::ExprType::Int, false, 8, {}}, {ir::ExprType::Int, false, 8, {}}});
    const ir::ExprId cycle = p.b().add({ir::ExprType::Int, ir::Cycle{}});
    constexpr std::uint32_t kCount = 4200, kCheck = 2500;
    p.add(p.set(across, p.wrap(p.op(Add, p.read(sum), p.number(5)), 32)));
    for (std::uint32_t i = 0; i < kCount; ++i) {
        if (i == 1000)
            p.add(p.set(once, p.wrap(p.op(Add, p.op(Mul, p.read(once), p.number(7)), cycle), 32)));
        if (i == kCheck) {
            p.add({{}, ir::Check{p.op(Lt, cycle, p.read(limit)), site, {p.read(limit)}}});
            const ir::ExprId below = p.op(Sub, p.number(99), p.read(limit));
            const ir::ExprId isFirst =
                p.op(BoolAnd, p.op(Lt, cycle, p.number(1)), p.op(Lt, p.number(50), p.read(limit)));
            p.add(branch(isFirst, {{{}, ir::Trace{told, {p.read(limit), below}}}}));
        }
        p.add(p.set(sum, p.wrap(p.op(Add, p.op(Mul, p.read(sum), p.number(3)), p.number(i)), 32)));
    }
    p.add(p.set(seen, p.wrap(p.read(sum), 16), p.number(1)));
    p.add(p.set(out, p.wrap(p.op(Xor, p.read(across), p.read(sum)), 8)));
    p.finish();

    std::uint32_t expected = 0, whole = 0;
    for (int c = 0; c < 4; ++c) {
        for (std::uint32_t i = 0; i < (c == 3 ? kCheck : kCount); ++i)
            expected = expected * 3 + i;
        if (c == 2) whole = expected;
    }
    const std::string three = sameOutputOf(design, 3);
    contains(three, "p[1].sum = " + std::to_string(whole) + "\n");
    contains(three, "p[1].once = " + std::to_string(((2 * 7 + 0) * 7 + 1) * 7 + 2) + "\n");
    const std::string output = sameOutputOf(design, 4);
    contains(output, "fail 3 p[1] kind 0 1:0:3\n");
    contains(output, "trace 0 p[0] {} {} 1:0:64 1:ffffffffffffffff:ffffffffffffffff\n");
    contains(output, "p[1].sum = " + std::to_string(expected) + "\n");
    contains(output, "p[1].seen = [0, " + std::to_string(whole & 0xffff) + "]\n");
    contains(output, "p[1].y.v = 3\n");

    plan::Options loops;
    loops.loopThreshold = 1;
    const std::string units = test::Build(design, loops).units();
    CHECK(units.find("const auto part_4 = [&](Values_4& values_4") != std::string::npos);
    CHECK(units.find("u32 once") == std::string::npos);  // loaded and stored where it lies
}

TEST_CASE("parts of long bodies get what they read", "[codegen][features]") {
    ir::Design design;
    design.name = "long";
    test::ClassBuilder p(design, "p", 2);
    const ir::LocalId sum = p.state("sum", unsignedType(32));
    const ir::LocalId out = p.output("y.v", unsignedType(8), test::integers({3, 4}));
    const ir::LocalId list = p.output("y.list", unsignedType(8, 2), test::integers({5, 6}));
    const auto in = p.input("x.v", unsignedType(8), {{0, 2, p.plane(), 0, 1}});
    const auto array = p.input("x.list", unsignedType(8, 2), {{0, 2, p.plane(1), 0, 1}});
    const ir::ExprId step =
        p.column("step", {ir::ScalarKind::Int, false, 8}, test::integers({1, 2}), {1, 2});
    const auto told = p.traceSite("{}", {{ir::ExprType::Int, false, 8, {}}});
    constexpr std::uint32_t kCount = 3000;
    for (std::uint32_t i = 0; i < kCount; ++i) {
        const ir::ExprId more =
            p.op(Add, p.read(in), p.op(Add, p.read(array, {}, p.number(1)), step));
        p.add(p.set(sum, p.wrap(p.op(Add, p.read(sum), more), 32)));
        if (i == kCount / 2)
            p.add(branch(p.op(Lt, step, p.number(2)), {{{}, ir::Trace{told, {p.read(in)}}}}));
    }
    p.add(p.set(out, p.read(in)));
    p.add(p.set(list, p.number(6), p.number(1)));
    p.finish();
    const std::string output = sameOutputOf(design, 1);
    contains(output, "p[0].sum = " + std::to_string(kCount * (3 + 6 + 1)) + "\n");
    contains(output, "p[1].sum = " + std::to_string(kCount * (4 + 6 + 2)) + "\n");
    const std::string units = test::Build(design, {}).units();
    CHECK(units.find("const auto part = [&](u8 x_v, const u8* x_list, u8 step, ")
          != std::string::npos);
}

TEST_CASE("bounds at the end of 64 bits, a loop over its limit", "[codegen][features]") {
    ir::Design design;
    design.name = "limits";
    test::ClassBuilder p(design, "p", 2);
    const ir::LocalId from =
        p.state("from", unsignedType(64), {integer(ir::Integer(UINT64_MAX) - 2)});
    const ir::LocalId to = p.state("to", unsignedType(64), {integer(ir::Integer(UINT64_MAX))});
    const ir::LocalId rounds = p.state("count", unsignedType(32));
    const ir::LocalId after = p.state("after", test::boolType());
    const auto site = p.failSite(ir::FailureKind::LoopLimit, "");
    const ir::Stmt count{{}, ir::CountRound{site}};
    const ir::LocalId i = p.temp("i", unsignedType(64));
    p.add({{},
           ir::For{i,
                   ir::LoopKind::Up,
                   p.read(from),
                   p.read(to),
                   {count, p.set(rounds, p.wrap(p.op(Add, p.read(rounds), p.number(1)), 32))},
                   {}}});
    p.add(
        {{}, ir::Loop{{count, p.set(rounds, p.wrap(p.op(Add, p.read(rounds), p.number(1)), 32))}}});
    p.add(p.set(after, p.b().constant(true)));
    p.finish();
    const std::string output = sameOutputOf(design, 4);
    contains(output, "fail 0 p[0] kind 7\nfail 0 p[1] kind 7\n");
    contains(output, "p[1].count = 1000\n");
    contains(output, "p[1].after = 0\n");
}

TEST_CASE("functions: pure, failing, tracing", "[codegen][features]") {
    ir::Design design;
    design.name = "functions";
    ir::Function twice;
    twice.name = "class";  // a keyword
    twice.results = {unsignedType(8)};
    twice.paramCount = 1;
    twice.body.locals.push_back({"x", ir::LocalKind::Param, unsignedType(8), 0});
    ir::Builder t(twice.body);
    twice.body.statements.push_back(
        {{},
         ir::Return{{t.wrap(t.binary(Mul, t.read({0}), t.constant(ir::Integer(2))), 8, false)}}});
    ir::numberStatements(twice.body.statements);
    design.functions.push_back(twice);
    ir::Function checked;
    checked.name = "checked";
    checked.owner = {0};
    checked.results = {unsignedType(8)};
    checked.paramCount = 1;
    checked.mayFail = checked.mayTrace = true;
    checked.body.locals.push_back({"x", ir::LocalKind::Param, unsignedType(8), 0});
    checked.body.locals.push_back({"r", ir::LocalKind::Temp, unsignedType(8), 0});
    ir::Builder c(checked.body);
    checked.body.statements.push_back(
        {{}, ir::Check{c.binary(Lt, c.read({0}), c.constant(ir::Integer(8))), 0, {c.read({0})}}});
    checked.body.statements.push_back(
        {{}, ir::Trace{0, {c.read({0}), c.binary(Sub, c.constant(ir::Integer(2)), c.read({0}))}}});
    checked.body.statements.push_back({{}, ir::Call{{{1}}, {0}, {c.read({0})}}});
    checked.body.statements.push_back({{}, ir::Return{{c.read({1})}}});
    ir::numberStatements(checked.body.statements);
    design.functions.push_back(checked);

    test::ClassBuilder p(design, "p", 4);
    const ir::LocalId value = p.state("value", unsignedType(8), test::integers({1, 2, 3, 0}));
    const ir::LocalId result = p.temp("t", unsignedType(8));
    p.traceSite("{} {}", {{ir::ExprType::Int, false, 8, {}}, {ir::ExprType::Int, false, 8, {}}});
    const auto site = p.failSite(ir::FailureKind::Assertion, "{}");
    p.body().fails[site].text.args = {{ir::ExprType::Int, false, 8, {}}};
    p.add({{}, ir::Call{{result}, {1}, {p.read(value)}}});
    p.add(p.set(value, p.read(result)));
    p.finish();
    const std::string output = sameOutputOf(design, 10);
    contains(output, "trace 0 p[2] {} {} 1:0:3 1:ffffffffffffffff:ffffffffffffffff\n");
    contains(output, "fail 2 p[2] kind 0 1:0:c\n");
    contains(output, "p[0].value = 8\n");
    contains(output, "p[2].value = 12\n");
    contains(output, "p[3].value = 0\n");
}

TEST_CASE("bools, floats, tables, cycle, stop", "[codegen][features]") {
    ir::Design design;
    design.name = "mixed";
    design.tables.push_back({unsignedType(16, 4), test::integers({10, 20, 30, 40})});
    design.tables.push_back({unsignedType(16, 2000), std::vector<ir::Constant>(2000, integer(5))});
    test::ClassBuilder p(design, "p", 6);
    const ir::LocalId flag = p.state("flag", test::boolType());
    const ir::LocalId f = p.state("f", test::doubleType(), {ir::Constant{1.5}});
    const ir::LocalId bad = p.state("bad", test::doubleType(), {ir::Constant{0.0}});
    const ir::LocalId sum = p.state("sum", unsignedType(16));
    const ir::LocalId saturated = p.state("saturated", test::signedType(8));
    const ir::ExprId cycle = p.b().add({ir::ExprType::Int, ir::Cycle{}});
    const ir::ExprId small = p.wrap(cycle, 2);
    const ir::ExprId table = p.b().add({ir::ExprType::Int, ir::ReadTable{{0}, small}});
    const ir::ExprId large = p.b().add({ir::ExprType::Int, ir::ReadTable{{1}, p.wrap(cycle, 4)}});
    const ir::ExprId isOdd =
        p.b().convert(ir::ConvertOp::IntToBool, p.wrap(cycle, 1), ir::ExprType::Bool);
    p.add(
        p.set(flag, p.op(BoolXor, p.op(BoolAnd, isOdd, p.b().unary(ir::UnaryOp::Not, p.read(flag))),
                         p.op(Lt, cycle, p.number(100)))));
    p.add(
        p.set(f, p.b().add({ir::ExprType::F64,
                            ir::Binary{FMul, p.read(f), p.b().constant(2.0, ir::ExprType::F64)}})));
    p.add(p.set(
        bad,
        p.b().add({ir::ExprType::F64,
                   ir::Unary{ir::UnaryOp::FNeg,
                             p.b().add({ir::ExprType::F64,
                                        ir::Binary{FDiv, p.b().constant(0.0, ir::ExprType::F64),
                                                   p.read(bad)}})}})));
    p.add(p.set(sum, p.wrap(p.op(Add, p.read(sum), p.op(Add, table, large)), 16)));
    p.add(p.set(saturated,
                p.b().convert(ir::ConvertOp::FloatToInt, p.read(f), ir::ExprType::Int, 8, true)));
    p.add(branch(p.op(Eq, cycle, p.number(3)), {{{}, ir::Stop{p.number(4)}}}));
    p.finish();
    const std::string output = sameOutputOf(design, 4);
    contains(output, "p[5].sum = 120\n");
    contains(output, "p[5].f = 0x4038000000000000\n");
    contains(output, "p[5].bad = 0x7ff8000000000000\n");
    contains(output, "p[5].saturated = 24\n");
    contains(output, "stop 3 p[5] 4\n");
    contains(output, "p[5].flag = 1\n");
}
