#include <catch2/catch.hpp>

#include "checked.h"

using namespace smec;
using test::Checked;

namespace {

/// The errors of a process with these declarations and statements; the body starts on line 5.
std::vector<std::string> errors(const std::string& statements, const std::string& module = "",
                                Severity severity = Severity::Error) {
    Checked checked(
        "type s: bus { v: u8; on: bool; p: [2]u8; flip ready: bool; }; " + module
        + "\n"
          "enum state { IDLE, RUN }; enum colour { RED, BLUE };\n"
          "sim proc p(in x: s, out y: s, [3] in xs: s) var a: u8; var w: u16; var i: i8; var f: "
          "bool; var t: [3]u8; var c: state; var d: f64;\n"
          "{\n"
        + statements
        + "\na = w[7:0] + u8(i) + u1(f) + t[0] + u8(c) + u8(d) + xs[0].v; y.v = x.v; }\n");
    checked.all();
    return checked.messages(severity);
}

void expect(const std::string& statements, const std::string& text,
            const std::string& module = "") {
    std::vector<std::string> found = errors(statements, module);
    CAPTURE(statements, found);
    REQUIRE(found.size() == 1);
    CHECK(found[0].find(text) != std::string::npos);
}

void expectWarning(const std::string& statements, const std::string& text) {
    std::vector<std::string> found = errors(statements, "", Severity::Warning);
    CAPTURE(statements, found);
    REQUIRE(found.size() == 1);
    CHECK(found[0].find(text) != std::string::npos);
}

void accept(const std::string& statements) {
    std::vector<std::string> found = errors(statements);
    CAPTURE(statements, found);
    CHECK(found.empty());
}

}  // namespace

TEST_CASE("storing") {
    expect("a = w;", "5: cannot assign u16 to 'a' of type u8; cast with u8(...)");
    expect("a = 300;", "5: 300 does not fit 'a' of type u8, which holds 0 to 255");
    expect("i = i + 200;", "cannot assign i9 to 'i' of type i8");
    expect("f = a;", "cannot assign u8 to 'f' of type bool; write '!= 0'");
    expect("a = f;", "cannot assign bool to 'a' of type u8; convert with u8(...)");
    expect("c = colour.RED;", "cannot assign colour to 'c' of type state");
    expect("d = a;", "cannot assign u8 to 'd' of type f64; cast with f64(...)");
    expect("t = 1;", "cannot assign 1 to 't' of type [3]u8");
    accept("a = a + 1; w = a * a; i = -3; d = 1; d = d * 2; c = RUN; t = [1, 2, 3];");
}

TEST_CASE("operators") {
    expect("a = a + f;", "operator '+' takes two integers or two floats, not u8 and bool");
    expect("f = a && f;", "operator '&&' takes two bools, not u8 and bool; write '!= 0'");
    expect("f = !a;", "operator '!' takes bool, not u8; write '== 0'");
    expect("f = c == colour.RED;", "not state and colour");
    expect("f = c < RUN;", "operator '<' takes two numbers, not state and state");
    expect("d = d + a;", "not f64 and u8; cast one of them");
    expect("d = d % 2.0;", "operator '%'");
    expect("if (a) { a = 1; }", "a condition must be bool, not u8; write '!= 0'");
    accept("f = f & (a > 3) ^ true; a = f ? 1 : 2; d = d / 0.0;");
}

TEST_CASE("constant failures, also in dead code") {
    expect("if (false) { a = a / 0; }", "division by zero");
    expect("a = a << -1;", "shift count -1 is negative");
    expect("a = t[3];", "index 3 is out of range; 't' has 3 elements");
    expect("f = a[8];", "index 8 is out of range; 'a' has 8 bits");
    expect("a = u8(w[9:16]);", "slice [9:16]");
    expect("a = u8(a[3:4]);", "slice [3:4] is empty");
    expect("wait 0;", "'wait' takes at least 1 cycle, not 0");
}

TEST_CASE("names") {
    expect("a = b;", "unknown name 'b'");
    expect("a = x.w;", "bus 'x' has no field 'w'");
    expect("f = RED == BLUE && RED2 == RED;", "unknown name 'RED2'; did you mean 'RED'");
    expect("a = A;", "'A' is a member of enum", "enum one { A }; enum two { A };");
    expect("a = IDLE;", "cannot assign state");
    expect("a = foo(1);", "unknown function 'foo'");
}

TEST_CASE("directions") {
    expect("x.v = 1;", "cannot write field 'v' of input 'x'");
    expect("y.ready = true;", "cannot write flip field 'ready' of output 'y'");
    expect("xs[0].v = 1;", "input 'xs'");
    accept("x.ready = y.ready; a = y.v; y = x;");
}

TEST_CASE("statements") {
    expect("break;", "'break' outside of a loop");
    expect("for k = 0 to 3 { k = 2; }", "cannot assign to loop variable 'k'");
    expect("const_ = 1;", "unknown name");
    expect("limit = 1;", "cannot assign to constant 'limit'", "const limit: u8 = 1;");
    expect("return 1;", "'return' outside of a function");
    expect("switch a { case 1 {} case 2, 1 {} default {} }", "label 1 stands twice");
    expect("switch a { case 256 {} default {} }", "label 256 does not fit");
    expect("trace(\"{} {}\", a);", "2 placeholders, but 1 argument is given");
    expect("trace(\"{:x}\", f);", "takes integers, not bool");
    expect("stop(300);", "300 does not fit");
}

TEST_CASE("endless loops wait on every way round") {
    expect("while (true) { a = 1; }", "endless loop");
    expect("while (true) { if (f) { wait; } }", "endless loop");
    expect("while (true) { if (f) { continue; } wait; }", "endless loop");
    expect("while (true) { while (f) { wait; } }", "endless loop");
    accept("while (true) { wait; }");
    accept("while (true) { if (f) { wait; } else { break; } }");
    accept("while (true) { for k = 0 to 3 { wait; } }");
    accept("while (true) { switch c { case IDLE { wait; } case RUN { break; } } }");
    accept("while (true) { wait until (x.on); }");
}

TEST_CASE("functions") {
    expect("a = g(1);", "calls itself", "func g(n: u8): u8 { return g(n); }");
    expect("a = g(1);", "may end without 'return'",
           "func g(n: u8): u8 { if (n > 1) { return 1; } }");
    expect("a = g(1, 2);", "'g' takes 1 argument, but 2 are given",
           "func g(n: u8): u8 { return n; }");
    expect("a = g(w);", "cannot assign u16 to parameter 'n' of 'g'",
           "func g(n: u8): u8 { return n; }");
    expect("a = 1;", "a function cannot 'wait'", "func g(n: u8): u8 { wait; return n; }");
}

TEST_CASE("intermediates of more than 65,536 bits") {
    expect("f = (a << cycle()) > 3;", "more than 65536 bits");
    accept("a = a << cycle(); f = ((a << cycle()) & 0xFF) > 3;");
    accept("a = u8(a << cycle());");
}

TEST_CASE("warnings") {
    expectWarning("a = a | a & 1;", "'|' and '&' are mixed");
    expectWarning("f = f & a == 1;", "'==' and '&' are mixed");
    expectWarning("for k = 0 to a { }", "'to' counts down");
    expectWarning("switch c { case IDLE {} }", "does not cover 'RUN'");
    expectWarning("y.v += 1;", "'+='");
    expectWarning("{ var q: u8 = 3; }", "variable 'q' is never used");
}

TEST_CASE("no consequences of an error") {
    expect("a = b + 1; a = a;", "unknown name 'b'");
    expect("var q: u9999999; q = 3; a = q + 1;", "u9999999");
    expect("for k = b to 3 { a = k; }", "unknown name 'b'");
}
