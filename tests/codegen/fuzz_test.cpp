// Random expressions over narrow, wide and odd widths: the generated code, under the
// undefined-behaviour sanitizer, against exact arithmetic.

#include <catch2/catch.hpp>

#include <random>
#include <sstream>

#include "compile.h"
#include "designs.h"
#include "evaluator.h"

using namespace smec;

namespace {

constexpr std::uint32_t kWidths[] = {1,  3,  7,  8,  9,  16, 17,  30, 31,
                                     32, 33, 48, 63, 64, 65, 100, 128};

/// Widths of variables, and how far expressions go.
struct Range {
    std::uint32_t widths = 0;          ///< so many of kWidths; 0: those of kLimbEnds and all others
    std::uint32_t shifts = 70;         ///< counts and wraps are below
    std::uint32_t intermediate = 400;  ///< bits
};
constexpr std::uint32_t kLongest = 300;
constexpr std::uint32_t kLimbEnds[] = {63,  64,  65,  127, 128, 129, 191, 192,
                                       193, 255, 256, 257, 299, 300, 1};

class Fuzzer {
public:
    Fuzzer(std::uint32_t seed, Range range) : random_(seed), range_(range) {}

    ir::Design build(std::uint32_t classes, std::uint32_t instances) {
        ir::Design design;
        design.name = "fuzz";
        for (std::uint32_t i = 0; i < classes; ++i)
            addClass(design, "p" + std::to_string(i), instances);
        return design;
    }

private:
    std::uint32_t pick(std::uint32_t count) {
        return static_cast<std::uint32_t>(random_() % count);
    }

    ir::StorageType type() {
        const std::uint32_t width = range_.widths != 0 ? kWidths[pick(range_.widths)]
                                    : pick(2) == 0     ? kLimbEnds[pick(std::size(kLimbEnds))]
                                                       : 1 + pick(kLongest);
        return pick(2) == 0 ? test::unsignedType(width) : test::signedType(width);
    }

    ir::Constant value(const ir::StorageType& type) {
        ir::Integer bits = random_();
        for (std::uint32_t i = 0; i < kLongest / 32; ++i)
            bits = (bits << 32) | ir::Integer(pick(5) == 0 ? UINT32_MAX : random_());
        if (pick(4) == 0) bits = pick(2) == 0 ? ir::Integer(-1) : ir::Integer(0);
        return test::integer(ir::wrapInteger(bits, type.scalar.width, type.scalar.isSigned));
    }

    void addClass(ir::Design& design, const std::string& name, std::uint32_t instances) {
        test::ClassBuilder p(design, name, instances);
        std::vector<ir::LocalId> state;
        std::vector<ir::ExprId> values;
        for (int i = 0; i < 5; ++i) {
            const ir::StorageType t = type();
            std::vector<ir::Constant> initial;
            for (std::uint32_t k = 0; k < instances; ++k)
                initial.push_back(value(t));
            state.push_back(p.state("s" + std::to_string(i), t, initial));
            values.push_back(p.read(state.back()));
        }
        for (int i = 0; i < 24; ++i) {
            const ir::ExprId next = expression(p, values);
            const ir::Interval& range = p.b().interval(next);
            if (ir::bitsOf(range, true) < range_.intermediate) values.push_back(next);
        }
        for (int i = 0; i < 8; ++i) {
            const ir::LocalId target = state[pick(5)];
            const ir::Scalar scalar = p.body().locals[target.index].type.scalar;
            const ir::ExprId mixed =
                p.op(ir::BinaryOp::Xor, values[values.size() - 1 - pick(12)], values[pick(5)]);
            p.add(p.set(target, p.wrap(mixed, scalar.width, scalar.isSigned)));
        }
        p.finish();
    }

    ir::ExprId expression(test::ClassBuilder& p, const std::vector<ir::ExprId>& values) {
        using enum ir::BinaryOp;
        const auto any = [&] { return values[pick(static_cast<std::uint32_t>(values.size()))]; };
        constexpr ir::BinaryOp kOps[] = {Add, Sub, Mul, And, Or, Xor, Min, Max, Add, Sub};
        const std::uint32_t kind = pick(20);
        if (kind < 10) return p.op(kOps[kind], any(), any());
        if (kind == 10) return p.op(Shl, any(), p.number(pick(range_.shifts)));
        if (kind == 11) return p.op(Shr, any(), p.number(pick(range_.shifts)));
        if (kind == 12) return p.op(Shr, any(), p.wrap(any(), range_.shifts > 128 ? 9 : 7));
        if (kind == 13) return p.op(Shl, p.wrap(any(), 20), p.wrap(any(), 5));
        if (kind == 14) return p.op(pick(2) == 0 ? Div : Mod, any(), nonZero(p, any()));
        if (kind == 15) return p.b().unary(static_cast<ir::UnaryOp>(pick(2)), any());
        if (kind == 16) return p.b().unary(ir::UnaryOp::Abs, any());
        if (kind == 17)
            return p.b().unary(ir::UnaryOp::Popcount, p.wrap(any(), 1 + pick(range_.shifts)));
        if (kind == 18) return p.wrap(any(), 1 + pick(range_.shifts), pick(2) == 0);
        constexpr ir::BinaryOp kComparisons[] = {Lt, Le, Eq, Ne};
        return p.b().select(p.op(kComparisons[pick(4)], any(), any()), any(), any());
    }

    ir::ExprId nonZero(test::ClassBuilder& p, ir::ExprId value) {
        return p.b().select(p.op(ir::BinaryOp::Eq, value, p.number(0)), p.number(1), value);
    }

    std::mt19937 random_;
    Range range_;
};

std::string shown(const ir::Integer& value, const ir::Scalar& scalar) {
    if (scalar.width <= 64) return value.str();
    const std::uint32_t bits = (scalar.width + 63) / 64 * 64;
    std::string digits = ir::wrapInteger(value, bits, false).str(0, std::ios_base::hex);
    return "0x" + std::string(bits / 4 - digits.size(), '0') + digits;
}

/// The final values of all variables after `cycles`, as the harness prints them.
std::string expected(const ir::Design& design, int cycles) {
    std::string text;
    for (const ir::Class& cls : design.classes) {
        std::vector<test::Machine> machines(cls.instances);
        for (std::uint32_t i = 0; i < cls.instances; ++i) {
            for (const ir::Local& local : cls.body.locals) {
                const ir::Plane& plane = design.planes[cls.state[local.slot].index];
                machines[i].locals.push_back(
                    {std::get<ir::Integer>(plane.initial.values[i].value)});
            }
            for (int cycle = 0; cycle < cycles; ++cycle) {
                for (const ir::Stmt& stmt : cls.body.statements) {
                    const auto& set = std::get<ir::Set>(stmt.node);
                    machines[i].locals[set.local.index][0] =
                        test::evaluate(cls.body, set.value, machines[i]);
                }
            }
        }
        for (std::size_t slot = 0; slot < cls.state.size(); ++slot) {
            for (std::uint32_t i = 0; i < cls.instances; ++i) {
                const ir::Plane& plane = design.planes[cls.state[slot].index];
                text += cls.name + "[" + std::to_string(i) + "]." + plane.name + " = "
                        + shown(machines[i].locals[slot][0], plane.type.scalar) + "\n";
            }
        }
    }
    return text;
}

std::string firstDifference(const std::string& got, const std::string& wanted) {
    std::istringstream gotLines(got), wantedLines(wanted);
    std::string a, b;
    while (std::getline(wantedLines, b)) {
        if (!std::getline(gotLines, a) || a != b) return "expected " + b + ", got " + a;
    }
    return "";
}

void check(const ir::Design& design, const plan::Options& options) {
    test::Build build(design, options);
    const test::Outcome outcome =
        build.run("step.cpp", "3", "-w -O1 -fsanitize=undefined -fno-sanitize-recover");
    if (firstDifference(outcome.output, expected(design, 3)).empty()) return;
    INFO(build.units().substr(0, 20'000));
    INFO(outcome.output.substr(0, 3000));
    CHECK(firstDifference(outcome.output, expected(design, 3)) == "");
}

}  // namespace

TEST_CASE("expressions compute what exact arithmetic says", "[codegen][fuzz]") {
    const std::uint32_t seed = GENERATE(1U, 2U, 3U, 4U);
    INFO("seed " << seed);
    plan::Options options;
    options.loopThreshold = seed % 2 == 0 ? 1 : 100;
    check(Fuzzer(seed, {seed <= 2 ? 14U : 17U}).build(20, 5), options);
}

TEST_CASE("long expressions compute what exact arithmetic says", "[codegen][fuzz][wide]") {
    const std::uint32_t seed = GENERATE(11U, 12U, 13U);
    INFO("seed " << seed);
    const bool inLoops = seed != 13;
    plan::Options options;
    options.loopThreshold = inLoops ? 1 : 100;
    check(Fuzzer(seed, {0, 320, 1400}).build(6, inLoops ? 80 : 2), options);
}
