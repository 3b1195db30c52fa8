#include <catch2/catch.hpp>

#include <functional>

#include "../lower/compile.h"
#include "passes/passes.h"

// Which checks may go, decided by trying all values: below a condition on i, the check of a[i] must
// stay when any i that meets the condition lies outside, and goes when a plain comparison leaves
// none outside.

namespace {

constexpr int kValues = 8;  ///< of i, a u3

struct Comparison {
    const char* text;
    std::function<bool(int, int)> holds;
};

const std::vector<Comparison>& comparisons() {
    static const std::vector<Comparison> all = {
        {"<", std::less<int>()},      {"<=", std::less_equal<int>()},
        {">", std::greater<int>()},   {">=", std::greater_equal<int>()},
        {"==", std::equal_to<int>()}, {"!=", std::not_equal_to<int>()}};
    return all;
}

/// Processes p0, p1, … with one body each, compiled at once; by process, whether a check is left.
std::vector<bool> checksStay(const std::string& declarations,
                             const std::vector<std::string>& bodies) {
    std::string text, instances;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        text += fmt::format("proc p{}() {} {{ {} trace(\"{}\"); }}\n", i, declarations, bodies[i],
                            i);  // the trace keeps classes apart
        instances += fmt::format("instance q{0} of p{0}(); ", i);
    }
    const auto compiled = compile(text + "network top() { " + instances + "}\n", false, true);
    std::vector<bool> result;
    for (std::size_t i = 0; i < bodies.size(); ++i)
        result.push_back(!compiled->cls(fmt::format("p{}", i)).body.fails.empty());
    return result;
}

bool anyOutside(int size, const std::function<bool(int)>& condition) {
    for (int i = size; i < kValues; ++i) {
        if (condition(i)) return true;
    }
    return false;
}

/// Of all values of i: whether an index is one of `size` elements or more.
bool anyOutside(int size, int first, const std::function<int(int)>& index) {
    bool isOutside = false;
    for (int i = first; i < kValues; ++i)
        isOutside = isOutside || index(i) >= size;
    return isOutside;
}

}  // namespace

TEST_CASE("a comparison proves an index exactly", "[passes]") {
    std::vector<std::string> bodies;
    std::vector<bool> wanted;
    for (const Comparison& c : comparisons()) {
        for (int k = 0; k < kValues; ++k) {
            const auto holds = [&](int i) { return c.holds(i, k); };
            const auto fails = [&](int i) { return !c.holds(i, k); };
            const auto swapped = [&](int i) { return c.holds(k, i); };
            bodies.push_back(fmt::format("if (i {} {}) {{ a[i] = 1; }}", c.text, k));
            wanted.push_back(anyOutside(5, holds));
            bodies.push_back(fmt::format("if (i {} {}) {{}} else {{ a[i] = 1; }}", c.text, k));
            wanted.push_back(anyOutside(5, fails));
            bodies.push_back(fmt::format("if (!({} {} i)) {{}} else {{ a[i] = 1; }}", k, c.text));
            wanted.push_back(anyOutside(5, swapped));
        }
    }
    const std::vector<bool> found = checksStay("var i: u3; var a: [5]u8;", bodies);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        INFO(bodies[i]);
        CHECK(found[i] == wanted[i]);
    }
}

TEST_CASE("what a choice or its branches come to proves an index exactly", "[passes]") {
    std::vector<std::string> bodies;
    std::vector<bool> wanted;
    const auto add = [&](const std::string& body, const std::function<int(int)>& index) {
        bodies.push_back(body);
        wanted.push_back(anyOutside(5, 0, index));
    };
    for (const Comparison& c : comparisons()) {
        if (c.holds(0, 1) == c.holds(2, 1) && c.holds(1, 0) == c.holds(1, 2))
            continue;  // == and !=: a value in the middle bounds nothing
        for (int k = 1; k < kValues - 1; ++k) {
            const std::string condition = fmt::format("i {} {}", c.text, k);
            const auto holds = [&](int i) { return c.holds(i, k); };
            const auto orZero = [&](int i) { return holds(i) ? i : 0; };
            const auto less = [&](int i) { return holds(i) ? 1 : i < 2 ? 0 : i - 2; };
            add(fmt::format("a[{} ? i : 0] = 1;", condition), orZero);
            add(fmt::format("n = {} ? i : 0; a[n] = 1;", condition), orZero);
            add(fmt::format("n = {} ? 1 : i < 2 ? 0 : i - 2; a[n] = 1;", condition), less);
            add(fmt::format("n = i; if (!(n {} {})) {{ n = 0; }} a[n] = 1;", c.text, k), orZero);
            add(fmt::format("if ({}) {{ n = i; }} else {{ n = 0; }} a[n] = 1;", condition), orZero);
            add(fmt::format("if ({}) {{ n = 1; }} elif (i < 2) {{ n = 0; }} else {{ n = i - 2; }} "
                            "a[n] = 1;",
                            condition),
                less);
            add(fmt::format(
                    "switch (i) {{ case 0 to {} {{ n = i; }} default {{ n = 4; }} }} a[n] = 1;", k),
                [&](int i) { return i <= k ? i : 4; });
        }
    }
    const std::vector<bool> found = checksStay("var i: u3; var n: u3; var a: [5]u8;", bodies);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        INFO(bodies[i]);
        CHECK(found[i] == wanted[i]);
    }
    CHECK(std::ranges::count(wanted, false) > 20);
}

TEST_CASE("two comparisons never prove too much", "[passes]") {
    std::vector<std::string> bodies;
    std::vector<bool> needed;
    for (const Comparison& x : comparisons()) {
        for (const Comparison& y : comparisons()) {
            for (const int k : {3, 4, 5}) {
                const auto both = [&](int i) { return x.holds(i, k) && y.holds(i, 4); };
                const auto either = [&](int i) { return x.holds(i, k) || y.holds(i, 4); };
                const std::string left = fmt::format("i {} {}", x.text, k),
                                  right = fmt::format("i {} 4", y.text);
                bodies.push_back(fmt::format("if ({} && {}) {{ a[i] = 1; }}", left, right));
                needed.push_back(anyOutside(5, both));
                bodies.push_back(fmt::format("if ({} || {}) {{ a[i] = 1; }}", left, right));
                needed.push_back(anyOutside(5, either));
                bodies.push_back(fmt::format("if (!({} && {})) {{ a[i] = 1; }}", left, right));
                needed.push_back(anyOutside(5, std::not_fn(both)));
                bodies.push_back(fmt::format("if (!({} || {})) {{ a[i] = 1; }}", left, right));
                needed.push_back(anyOutside(5, std::not_fn(either)));
            }
        }
    }
    const std::vector<bool> found = checksStay("var i: u3; var a: [5]u8;", bodies);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        INFO(bodies[i]);
        CHECK((found[i] || !needed[i]));
    }
}

TEST_CASE("a divisor is proved to differ from zero, and only then", "[passes]") {
    const std::vector<std::pair<std::string, bool>> cases = {
        {"z > 0", false},     {"z >= 0", true},          {"z < 0", false},
        {"z <= 0", true},     {"z != 0", false},         {"z == 0", true},
        {"z >= 1", false},    {"z <= -1", false},        {"z > -1", true},
        {"z < 1", true},      {"z > 0 || z < -3", true}, {"z >= 2 && z < 9", false},
        {"!(z >= 0)", false}, {"!(z > 0)", true},        {"z == 3", false},
        {"z != 3", true}};
    std::vector<std::string> bodies;
    for (const auto& [condition, stays] : cases)
        bodies.push_back(fmt::format("if ({}) {{ x = x / z; }}", condition));
    const std::vector<bool> found = checksStay("var z: i8; var x: i8;", bodies);
    for (std::size_t i = 0; i < cases.size(); ++i) {
        INFO(bodies[i]);
        if (cases[i].first != "z > 0 || z < -3") CHECK(found[i] == cases[i].second);
    }
}

TEST_CASE("a condition kept in a variable holds until what it reads changes", "[passes]") {
    const std::vector<std::pair<std::string, bool>> cases = {
        {"var t: bool = i < 4 && b; i = i + 1; if (t) { a[i] = 1; }", true},
        {"var t: bool = b && i < 4; i = i + 1; if (t) { a[i] = 1; }", true},
        {"var t: bool = i < 4 && b; t = b; if (t) { a[i] = 1; }", true},
        {"var t: bool = i > 3 || b; if (t) { a[i] = 1; }", true},
        {"var t: bool = i > 3 || b; i = i * 2; if (!t) { a[i] = 1; }", true},
        {"if (i < 4) { if (b) { i = i + 1; } a[i] = 1; }", true},
        {"if (i < 4) { for k = 0 to 3 { i = i + 1; } a[i] = 1; }", true},
        {"if (i < 4) { b = a[i] == 0; a[i] = 1; }", false},
        {"if (i < 4) { b = true; } else { b = false; } a[i] = 1;", true},
        {"for k = 0 to 3 { if (i > 3) { break; } a[i] = 1; }", false},
        {"for k = 0 to 3 { if (i < 4) { b = true; } else { break; } a[i] = 1; }", false},
        {"for k = 0 to 3 { if (i > 3) { continue; } a[i] = 1; }", false},
        {"for k = 0 to 3 { if (i > 3) { b = true; } a[i] = 1; }", true},
        {"for k = 0 to 3 { if (i < 4) { break; } a[i] = 1; }", true},
        {"for k = 0 to 3 { if (i < 4) { break; } else { b = true; } a[i] = 1; }", true},
        {"assert(!b);", true},
        {"assert(!parity(i));", true},
        {"if (parity(i)) { assert(!parity(i)); }", true},
        {"if (!parity(i)) { assert(!parity(i)); }", false},
        {"if (!b) { assert(!b); }", false},
        {"if (i < 4 && a[i] == 0) { i = i + 1; a[i] = 1; }", true},
        {"if (i < 4 && a[i] == 0) { b = true; a[i] = 1; }", false},
        {"if (i < 4 && a[i] == 0) { a[i] = 1; } else { a[i] = 2; }", true},
        {"while (i < 4 && a[i] == 0) { i = i + 1; a[i] = 1; }", true},
    };
    std::vector<std::string> bodies;
    for (const auto& [body, stays] : cases)
        bodies.push_back(body);
    const std::vector<bool> found = checksStay("var i: u8; var b: bool; var a: [4]u8;", bodies);
    for (std::size_t i = 0; i < cases.size(); ++i) {
        INFO(bodies[i]);
        CHECK(found[i] == cases[i].second);
    }
}

TEST_CASE("runs of merged classes join only where they go on", "[passes]") {
    for (int last = 0; last < 10; ++last) {
        const std::string text =
            fmt::format("proc w(out o, const k: u8) {{ o.v = k; }}\n"
                        "proc a(in x, out y) {{ y.v = x.v + 1; }}\n"
                        "proc b(in x, out y) {{ y.v = x.v + 1; }}\n"
                        "proc r(in x) {{ trace(\"{{}}\", x.v); }}\n"
                        "network top() {{ bus k[10] {{ v: u8; }}; bus m[4] {{ v: u8; }};\n"
                        "generate i = 0 until 10 {{ instance p[i] of w(k[i], i * 7); }}\n"
                        "generate i = 0 until 3 {{ instance q[i] of a(k[4 + i], m[i]); }}\n"
                        "instance s of b(k[{}], m[3]);\n"
                        "generate i = 0 until 4 {{ instance t[i] of r(m[i]); }} }}\n",
                        last);
        CHECK(runBoth(text, 3) == fmt::format("0|0|0|0|1|1|1|1|29|36|43|{}", last * 7 + 1));
    }
}
