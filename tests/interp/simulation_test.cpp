#include <catch2/catch.hpp>

#include "interp/simulation.h"

#include "builder.h"

using namespace smec;
using namespace smec::handmade;
using smec::interp::Settings;
using smec::interp::Simulation;

namespace {

/// Runs up to `cycles` cycles, or until the design ends; the lines of every cycle, failures too.
std::vector<std::string> run(Simulation& simulation, unsigned cycles) {
    std::vector<std::string> lines;
    for (unsigned i = 0; i < cycles && !simulation.ended(); ++i) {
        simulation.runCombinational();
        simulation.runClocked();
        simulation.propagate();
        for (interp::Message& message : simulation.takeMessages())
            lines.push_back(std::move(message.text));
    }
    return lines;
}

using Lines = std::vector<std::string>;

FieldShape field(const std::string& name, TypeId type, bool hold = false) {
    return {name, type, hold, false, {}};
}

/// n = n + 1 and x.v = n, but in cycle `silent` nothing is written.
Body counterBody(DesignBuilder& builder, TypeId type, std::int64_t silent) {
    BodyBuilder b = builder.body();
    const VarId n = b.var("n", VarKind::Process, type);
    const ExprId writes = b.binary(BinaryOp::Ne, b.read(n), b.number(silent));
    b.body.statements.push_back(b.stmt(If{writes, {b.assign(0, 0, type, b.read(n))}, {}}));
    b.body.statements.push_back(b.assign(n, b.binary(BinaryOp::Add, b.read(n), b.number(1))));
    return b.body;
}

Body readerBody(DesignBuilder& builder, TypeId type) {
    BodyBuilder b = builder.body();
    b.body.statements.push_back(b.trace("{}", {b.read(0, 0, type)}));
    return b.body;
}

Lines counterAndReader(bool hold, std::uint32_t delay, unsigned cycles) {
    DesignBuilder builder;
    const TypeId u8 = builder.design.types.integer(8, false);
    const BusId bus = builder.bus("b", {{field("v", u8, hold)}, delay}, {Value{Integer(200)}});
    builder.process("count", ProcKind::Clocked, counterBody(builder, u8, 2), {{bus, false, true}},
                    {Value{Integer(0)}});
    builder.process("read", ProcKind::Clocked, readerBody(builder, u8), {{bus, true, false}});
    Simulation simulation(builder.design, builder.sources, {});
    return run(simulation, cycles);
}

/// A body alone in its network, with one Process variable `n` of type u8 that starts at 0.
struct Alone {
    DesignBuilder builder;
    TypeId u8 = builder.design.types.integer(8, false);
    BodyBuilder b = builder.body();
    VarId n = b.var("n", VarKind::Process, u8);
    Block& statements = b.body.statements;

    Lines run(unsigned cycles, const Settings& settings = {}, ProcKind kind = ProcKind::Clocked) {
        builder.process("p", kind, b.body, {}, {Value{Integer(0)}});
        Simulation simulation(builder.design, builder.sources, settings);
        return ::run(simulation, cycles);
    }
    ExprId cycle() {
        return b.builtin(Builtin::Cycle, {}, builder.design.types.integer(64, false));
    }
};

const std::string kPlace = "t.sme:1:3: error: ";
const std::string kInstance = "\n  in instance 'p', cycle ";

}  // namespace

TEST_CASE("a clocked field is read one cycle later; unwritten it falls back to its default") {
    CHECK(counterAndReader(false, 1, 6) == Lines{"200", "0", "1", "200", "3", "4"});
}

TEST_CASE("hold keeps the last value") {
    CHECK(counterAndReader(true, 1, 6) == Lines{"200", "0", "1", "1", "3", "4"});
}

TEST_CASE("delay d is read d cycles after the write") {
    CHECK(counterAndReader(false, 3, 8) == Lines{"200", "200", "200", "0", "1", "200", "3", "4"});
    CHECK(counterAndReader(true, 2, 7) == Lines{"200", "200", "0", "1", "1", "3", "4"});
}

TEST_CASE("combinational processes run in dependency order and speak in source order") {
    DesignBuilder builder;
    const TypeId u8 = builder.design.types.integer(8, false);
    const BusId source = builder.bus("s", {{field("v", u8)}, 1}, {Value{Integer(7)}});
    const BusId middle = builder.bus("m", {{field("v", u8)}, 1}, {Value{Integer(0)}});
    const BusId end = builder.bus("e", {{field("v", u8)}, 1}, {Value{Integer(0)}});
    const auto addTen = [&] {
        BodyBuilder b = builder.body();
        b.body.statements.push_back(b.trace("in {}", {b.read(0, 0, u8)}));
        b.body.statements.push_back(
            b.assign(1, 0, u8, b.binary(BinaryOp::Add, b.read(0, 0, u8), b.number(10))));
        return b.body;
    };
    builder.process("count", ProcKind::Clocked, counterBody(builder, u8, 99),
                    {{source, false, true}}, {Value{Integer(1)}});
    builder.process("read", ProcKind::Clocked, readerBody(builder, u8), {{end, true, false}});
    builder.process("second", ProcKind::Combinational, addTen(),
                    {{middle, true, false}, {end, false, true}});
    builder.process("first", ProcKind::Combinational, addTen(),
                    {{source, true, false}, {middle, false, true}});
    Simulation simulation(builder.design, builder.sources, {});
    CHECK(run(simulation, 2) == Lines{"27", "in 17", "in 7", "21", "in 11", "in 1"});
}

TEST_CASE("variables of a combinational process begin anew at every run") {
    Alone alone;
    BodyBuilder& b = alone.b;
    alone.statements.push_back(
        b.assign(alone.n, b.binary(BinaryOp::Add, b.read(alone.n), b.number(5))));
    alone.statements.push_back(b.trace("{}", {b.read(alone.n)}));
    CHECK(alone.run(3, {}, ProcKind::Combinational) == Lines{"5", "5", "5"});
}

TEST_CASE("wait keeps its place in nested loops, with block variables") {
    Alone alone;
    BodyBuilder& b = alone.b;
    const VarId i = b.var("i", VarKind::Loop, alone.u8);
    const VarId t = b.var("t", VarKind::Block, alone.u8);
    Block body;
    body.push_back(b.stmt(InitVar{t, b.binary(BinaryOp::Mul, b.read(i), b.number(10))}));
    Block whileBody;
    whileBody.push_back(b.stmt(Wait{{}}));
    whileBody.push_back(b.assign(t, b.binary(BinaryOp::Add, b.read(t), b.number(1))));
    whileBody.push_back(b.trace("{}: {} {}", {alone.cycle(), b.read(i), b.read(t)}));
    const ExprId ends =
        b.binary(BinaryOp::Ge, b.binary(BinaryOp::Mod, b.read(t), b.number(10)), b.read(i));
    whileBody.push_back(b.stmt(If{ends, {b.stmt(Break{})}, {}}));
    body.push_back(b.stmt(While{b.boolean(true), whileBody}));
    alone.statements.push_back(b.stmt(For{i, LoopKind::To, b.number(2), b.number(1), body}));
    CHECK(alone.run(7) == Lines{"1: 2 21", "2: 2 22", "3: 1 11", "5: 2 21", "6: 2 22"});
}

TEST_CASE("wait n and wait until") {
    Alone alone;
    BodyBuilder& b = alone.b;
    alone.statements.push_back(b.trace("{} start", {alone.cycle()}));
    alone.statements.push_back(b.stmt(Wait{b.number(3)}));
    alone.statements.push_back(b.trace("{} waited", {alone.cycle()}));
    const ExprId even =
        b.binary(BinaryOp::Eq, b.binary(BinaryOp::Mod, alone.cycle(), b.number(2)), b.number(0));
    alone.statements.push_back(b.stmt(WaitUntil{even}));
    alone.statements.push_back(b.trace("{} even", {alone.cycle()}));
    CHECK(alone.run(9) == Lines{"0 start", "3 waited", "4 even", "5 start", "8 waited"});
}

TEST_CASE("a wait count below 1 fails") {
    Alone alone;
    alone.statements.push_back(alone.b.stmt(Wait{alone.b.read(alone.n)}));
    CHECK(alone.run(3) == Lines{kPlace + "wait count 0 is below 1" + kInstance + "0"});
}

TEST_CASE("for: to goes both ways, until leaves its end out, bounds are taken once") {
    Alone alone;
    BodyBuilder& b = alone.b;
    const TypeId i8 = alone.builder.design.types.integer(8, true);
    const VarId i = b.var("i", VarKind::Loop, i8);
    const auto loop = [&](LoopKind kind, std::int64_t from, std::int64_t to,
                          const std::string& text) {
        alone.statements.push_back(b.stmt(
            For{i, kind, b.number(from), b.number(to), {b.trace(text + "{}", {b.read(i)})}}));
    };
    loop(LoopKind::To, -1, 1, "a");
    loop(LoopKind::To, 1, 0, "b");
    loop(LoopKind::Until, 1, 3, "c");
    loop(LoopKind::Until, 3, 3, "d");
    loop(LoopKind::Downto, 2, 1, "e");
    loop(LoopKind::Downto, 1, 2, "f");
    CHECK(alone.run(1) == Lines{"a-1", "a0", "a1", "b1", "b0", "c1", "c2", "e2", "e1"});
}

TEST_CASE("continue goes to the next round of the innermost loop") {
    Alone alone;
    BodyBuilder& b = alone.b;
    const VarId i = b.var("i", VarKind::Loop, alone.u8);
    Block body;
    body.push_back(
        b.stmt(If{b.binary(BinaryOp::Eq, b.read(i), b.number(1)), {b.stmt(Continue{})}, {}}));
    body.push_back(b.trace("{}", {b.read(i)}));
    alone.statements.push_back(b.stmt(For{i, LoopKind::To, b.number(0), b.number(2), body}));
    CHECK(alone.run(1) == Lines{"0", "2"});
}

TEST_CASE("the loop limit counts all rounds of an activation") {
    Alone alone;
    alone.statements.push_back(alone.b.stmt(While{alone.b.boolean(true), {}}));
    Settings settings;
    settings.loopLimit = 1000;
    CHECK(alone.run(3, settings)
          == Lines{kPlace + "more than 1000 loop rounds in one activation" + kInstance + "0"});
}

TEST_CASE("a failure skips the rest, what was written counts, the cycle is completed for all") {
    DesignBuilder builder;
    const TypeId u8 = builder.design.types.integer(8, false);
    const BusId bus = builder.bus("b", {{field("v", u8)}, 1}, {Value{Integer(1)}});
    BodyBuilder b = builder.body();
    b.body.statements.push_back(b.assign(0, 0, u8, b.number(42)));
    b.body.statements.push_back(b.trace("{}", {b.binary(BinaryOp::Div, b.number(5), b.number(0))}));
    b.body.statements.push_back(b.assign(0, 0, u8, b.number(43)));
    builder.process("p", ProcKind::Clocked, b.body, {{bus, false, true}});
    builder.process("read", ProcKind::Clocked, readerBody(builder, u8), {{bus, true, false}});
    Simulation simulation(builder.design, builder.sources, {});
    CHECK(run(simulation, 5) == Lines{kPlace + "division by zero" + kInstance + "0", "1"});
    CHECK(simulation.cycle() == 1);
    CHECK(simulation.status() == 1);
    CHECK(simulation.field(0).small() == 42);
}

TEST_CASE("the first stop in output order sets the status; a failure makes it 1") {
    for (const bool fails : {false, true}) {
        DesignBuilder builder;
        for (const int status : {5, 6}) {
            BodyBuilder b = builder.body();
            b.body.statements.push_back(b.stmt(Stop{b.number(status)}));
            b.body.statements.push_back(b.stmt(Stop{b.number(9)}));
            if (fails && status == 6)
                b.body.statements.push_back(b.stmt(Assert{false, b.boolean(false), std::nullopt}));
            builder.process("p" + std::to_string(status),
                            status == 6 ? ProcKind::Combinational : ProcKind::Clocked, b.body, {});
        }
        Simulation simulation(builder.design, builder.sources, {});
        run(simulation, 3);
        CHECK(simulation.cycle() == 1);
        CHECK(simulation.status() == (fails ? 1 : 5));
    }
}

TEST_CASE("a partial write starts from the default, with hold from the last value") {
    for (const bool hold : {false, true}) {
        DesignBuilder builder;
        const TypeId u8 = builder.design.types.integer(8, false);
        const TypeId three = builder.design.types.array(u8, 3);
        const Value start{Value::List{{Integer(1)}, {Integer(2)}, {Integer(3)}}};
        const BusId bus = builder.bus("b", {{field("v", three, hold)}, 1}, {start});
        BodyBuilder b = builder.body();
        const VarId k = b.var("k", VarKind::Process, u8);
        b.body.statements.push_back(
            b.assign(0, 0, u8, b.number(50), {IndexStep{b.read(k), builder.range}}));
        b.body.statements.push_back(b.assign(k, b.binary(BinaryOp::Add, b.read(k), b.number(1))));
        builder.process("p", ProcKind::Clocked, b.body, {{bus, false, true}}, {Value{Integer(0)}});
        builder.process("read", ProcKind::Clocked, readerBody(builder, three),
                        {{bus, true, false}});
        Simulation simulation(builder.design, builder.sources, {});
        const std::string last = "t.sme:1:3: error: index 3 is out of range for 'b.v' of length "
                                 "3\n  in instance 'p', cycle 3";
        CHECK(run(simulation, 9)
              == (hold ? Lines{"[1, 2, 3]", "[50, 2, 3]", "[50, 50, 3]", last, "[50, 50, 50]"}
                       : Lines{"[1, 2, 3]", "[50, 2, 3]", "[1, 50, 3]", last, "[1, 2, 50]"}));
    }
}

TEST_CASE("bits, slices and struct members are written in place") {
    DesignBuilder builder;
    TypeTable& types = builder.design.types;
    const TypeId u8 = types.integer(8, false);
    const TypeId i8 = types.integer(8, true);
    const TypeId pair = types.structure({"pair", builder.range, {{"a", u8}, {"b", i8}}});
    BodyBuilder b = builder.body();
    const VarId p = b.var("p", VarKind::Process, pair);
    const auto set = [&](std::vector<PlaceStep> steps, TypeId type, ExprId value) {
        b.body.statements.push_back(
            b.stmt(Assign{{p, std::move(steps), type, builder.range}, value}));
    };
    set({MemberStep{0}, SliceStep{5, 2}}, types.integer(4, false), b.number(0xA));
    set({MemberStep{1}, BitStep{b.number(7), builder.range}}, TypeTable::kBool, b.boolean(true));
    b.body.statements.push_back(b.trace("{}", {b.read(p)}));
    builder.process("p", ProcKind::Clocked, b.body, {},
                    {Value{Value::List{{Integer(0xFF)}, {Integer(1)}}}});
    Simulation simulation(builder.design, builder.sources, {});
    CHECK(run(simulation, 1) == Lines{"(a: 235, b: -127)"});
}

TEST_CASE("unchecked: every failing operation has a value") {
    Alone alone;
    BodyBuilder& b = alone.b;
    TypeTable& types = alone.builder.design.types;
    const TypeId digit = types.ranged(0, 9);
    const VarId d = b.var("d", VarKind::Block, digit);
    const VarId a = b.var("a", VarKind::Block, types.array(alone.u8, 2));
    alone.statements.push_back(b.stmt(InitVar{d, b.number(26)}));
    alone.statements.push_back(b.stmt(InitVar{a, {}}));
    const ExprId outside = b.number(2);
    alone.statements.push_back(
        b.stmt(Assign{{a, {IndexStep{outside, alone.builder.range}}, alone.u8, alone.builder.range},
                      b.number(5)}));
    const ExprId element = b.expr(alone.u8, ArrayElement{b.read(a), outside});
    const ExprId quotient = b.binary(BinaryOp::Div, b.number(7), b.number(0));
    const ExprId rest = b.binary(BinaryOp::Mod, b.number(7), b.number(0));
    const ExprId shifted = b.binary(BinaryOp::Shl, b.number(7), b.number(-1));
    alone.statements.push_back(
        b.trace("{} {} {} {} {} {}", {b.read(d), b.read(a), element, quotient, rest, shifted}));
    Settings settings;
    settings.unchecked = true;
    CHECK(alone.run(1, settings) == Lines{"10 [0, 0] 0 0 7 7"});
}

TEST_CASE("checked: each failure has its message") {
    const auto failureOf = [](auto build) {
        Alone alone;
        build(alone);
        return alone.run(1).at(0);
    };
    CHECK(failureOf([](Alone& x) {
              const VarId d = x.b.var("d", VarKind::Block, x.builder.design.types.ranged(0, 9));
              x.statements.push_back(x.b.stmt(InitVar{d, x.b.number(10)}));
          })
          == kPlace + "value 10 is outside of the range 0 to 9" + kInstance + "0");
    CHECK(failureOf([](Alone& x) {
              const ExprId count = x.b.number(-1);
              x.statements.push_back(
                  x.b.trace("{}", {x.b.binary(BinaryOp::Shl, x.b.number(1), count)}));
          })
          == kPlace + "negative shift count -1" + kInstance + "0");
    CHECK(failureOf([](Alone& x) {
              const TypeId light = x.builder.design.types.enumeration(
                  {"light", x.builder.range, 2, false, {{"RED", 0}, {"GREEN", 2}}});
              x.statements.push_back(x.b.trace("{}", {x.b.expr(light, CastExpr{x.b.number(10)})}));
          })
          == kPlace + "10 is no member of enum 'light'" + kInstance + "0");
    CHECK(failureOf([](Alone& x) {
              std::string error;
              const Text text{*parseFormat("n is {}", error), {x.b.read(x.n)}};
              x.statements.push_back(x.b.stmt(Assert{true, x.b.boolean(false), text}));
          })
          == kPlace + "assumption failed: n is 0" + kInstance + "0");
}

TEST_CASE("functions wrap arguments and results and return early") {
    Alone alone;
    TypeTable& types = alone.builder.design.types;
    const TypeId u4 = types.integer(4, false);
    BodyBuilder f = alone.builder.body();
    const VarId x = f.var("x", VarKind::Param, u4);
    const VarId i = f.var("i", VarKind::Loop, alone.u8);
    Block body;
    body.push_back(f.stmt(If{f.binary(BinaryOp::Eq, f.read(i), f.read(x)),
                             {f.stmt(Return{f.binary(BinaryOp::Mul, f.read(x), f.number(100))})},
                             {}}));
    f.body.statements.push_back(f.stmt(For{i, LoopKind::To, f.number(0), f.number(20), body}));
    f.body.statements.push_back(f.stmt(Return{f.number(0)}));
    alone.builder.design.functions.push_back({"f", alone.builder.range, 1, alone.u8, f.body, {}});
    BodyBuilder& b = alone.b;
    alone.statements.push_back(b.trace(
        "{}", {b.expr(alone.u8, CallExpr{{0}, {b.number(20)}})}));  // 20 wraps to 4, 400 to 144
    CHECK(alone.run(1) == Lines{"144"});
}

TEST_CASE("only the operands that are needed are evaluated, and long chains need no stack") {
    Alone alone;
    BodyBuilder& b = alone.b;
    const ExprId failing =
        b.binary(BinaryOp::Eq, b.binary(BinaryOp::Div, b.number(1), b.read(alone.n)), b.number(1));
    const ExprId shortAnd = b.binary(BinaryOp::LogicalAnd, b.boolean(false), failing);
    const ExprId shortOr = b.binary(BinaryOp::LogicalOr, b.boolean(true), failing);
    const ExprId choice =
        b.expr(TypeTable::kBool, ConditionalExpr{b.boolean(true), b.boolean(true), failing});
    ExprId sum = b.number(0);
    for (int i = 0; i < 300'000; ++i)
        sum = b.binary(BinaryOp::Add, sum, b.number(1));
    ExprId ladder = b.number(7);
    for (int i = 0; i < 300'000; ++i)
        ladder = b.expr(alone.u8, ConditionalExpr{b.boolean(false), b.number(1), ladder});
    alone.statements.push_back(b.trace("{} {} {} {} {}", {shortAnd, shortOr, choice, sum, ladder}));
    CHECK(alone.run(1) == Lines{"false true true 300000 7"});
}

TEST_CASE("random numbers are SplitMix64 from the seed and the path") {
    Alone alone;
    BodyBuilder& b = alone.b;
    alone.statements.push_back(b.trace(
        "{:x}", {b.builtin(Builtin::Random, {}, alone.builder.design.types.integer(64, false))}));
    Settings settings;
    settings.seed = 0xAF63DD4C8601EE3F ^ 0;  // any number: the first output must follow the formula
    std::uint64_t state = settings.seed ^ (0xCBF29CE484222325 ^ 'p') * 0x100000001B3;
    const auto next = [&] {
        std::uint64_t z = state += 0x9E3779B97F4A7C15;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
        z ^= z >> 31;
        char text[32];
        std::snprintf(text, sizeof text, "%llx", static_cast<unsigned long long>(z));
        return std::string(text);
    };
    const std::string first = next();
    CHECK(alone.run(2, settings, ProcKind::Simulation) == Lines{first, next()});
}

TEST_CASE("builtins work at the width of the operand type") {
    Alone alone;
    BodyBuilder& b = alone.b;
    TypeTable& types = alone.builder.design.types;
    const auto u = [&](std::uint32_t width) { return types.integer(width, false); };
    const ExprId nine = b.expr(u(4), CastExpr{b.number(9)});
    const ExprId minus = b.expr(types.integer(8, true), CastExpr{b.number(-3)});
    const ExprId over =
        b.binary(BinaryOp::Add, b.expr(alone.u8, CastExpr{b.number(255)}), b.number(1), alone.u8);
    alone.statements.push_back(
        b.trace("{:x} {:b} {} {} {} {} {}",
                {
                    b.builtin(Builtin::Cat, {nine, b.boolean(true), minus}, u(13)),
                    b.builtin(Builtin::Rep, {nine}, u(8), 2),
                    b.builtin(Builtin::Popcount, {minus}, u(4)),
                    b.builtin(Builtin::Any, {over}, TypeTable::kBool),
                    b.builtin(Builtin::All, {b.builtin(Builtin::Rep, {b.boolean(true)}, u(70), 70)},
                              TypeTable::kBool),
                    b.builtin(Builtin::Min, {nine, minus}, types.integer(8, true)),
                    b.builtin(Builtin::Abs, {minus}, types.integer(8, true)),
                }));
    CHECK(alone.run(1) == Lines{"13fd 10011001 7 false true -3 3"});
}
