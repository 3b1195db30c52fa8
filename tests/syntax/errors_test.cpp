#include <catch2/catch.hpp>

#include "syntax/support.h"

using namespace smec;
using test::Parsed;
using Messages = std::vector<std::string>;

namespace {

struct Expectation {
    const char* text;
    const char* message;
};

void check(const std::vector<Expectation>& expectations) {
    for (const Expectation& expectation : expectations) {
        INFO(expectation.text);
        CHECK(Parsed(expectation.text).messages() == Messages{expectation.message});
    }
}

}  // namespace

TEST_CASE("errors in expressions") {
    check({
        {"proc p() {\n    n = 3 +* 4;\n    n = 5;\n}",
         "2:12 unexpected '*'; expected an expression [syntax]"},
        {"proc p() { x = ; }", "1:16 unexpected ';'; expected an expression [syntax]"},
        {"proc p() { x = (a + b; }", "1:22 unexpected ';'; expected ')' [syntax]"},
        {"proc p() { x = a[1; }", "1:19 unexpected ';'; expected '+:', ':' or ']' [syntax]"},
        {"proc p() { x = [1, 2; }", "1:21 unexpected ';'; expected ',' or ']' [syntax]"},
        {"proc p() { x = a ? b; }", "1:21 unexpected ';'; expected ':' [syntax]"},
        {"proc p() { x = y.; }", "1:18 unexpected ';'; expected a name [syntax]"},
        {"proc p() { x = f(a b); }", "1:20 unexpected 'b'; expected ',' or ')' [syntax]"},
        {"proc p() { x = a == ; }", "1:21 unexpected ';'; expected an expression [syntax]"},
        {"const x: [] u8 = 1;", "1:11 unexpected ']'; expected an expression [syntax]"},
    });
}

TEST_CASE("a missing '}' comes with the place of its '{'") {
    const auto notes = [](const std::string& text) {
        Messages found;
        const Parsed parsed(text);
        for (const Diagnostic& error : parsed.diagnostics.all())
            for (const Note& note : error.notes) {
                const LineColumn at = parsed.sources.position(note.range.file, note.range.begin);
                found.push_back(fmt::format("{}:{} {}", at.line, at.column, note.message));
            }
        return found;
    };
    const std::string open = " this '{' is not closed";
    const std::string perhaps = " perhaps this '{' lacks its '}'; the next one stands further left";
    CHECK(notes("network top() {\n    bus b { v: u8; };\n") == Messages{"1:15" + open});
    CHECK(notes("proc p()\n{\n    n = 1;\nproc q() { }") == Messages{"2:1" + open});
    CHECK(notes("proc p()\n{\n    if (a) {\n        n = 1;\n    m = 1;\n}\nproc q() { }")
          == Messages{"3:12" + perhaps});
    CHECK(notes("proc p()\n{\n    if (a) {\n        if (b) {\n            n = 1;\n    }\n}\n")
          == Messages{"4:16" + perhaps});
    CHECK(notes("func f(x: u8): u8 {\n    return x;\n\nproc p() { }") == Messages{"1:19" + open});
    CHECK(notes("proc p() { if (a) { n = 1; }\n") == Messages{"1:10" + open});
    CHECK(notes("proc p() { n = 5 +; }").empty());
    CHECK(notes("proc p() { } }").empty());
}

TEST_CASE("errors in statements") {
    check({
        {"proc p() { n = 5 m = 6; }", "1:18 unexpected 'm'; expected ';' [syntax]"},
        {"proc p() { n = 5 }", "1:17 expected ';' after '5' [syntax]"},
        {"proc p() { if n == 1 { } }",
         "1:15 a condition stands in parentheses; write 'if (...) { ... }' [other-language]"},
        {"proc p() { if (n = 1) { } }", "1:18 unexpected '='; write '==' to compare [syntax]"},
        {"proc p() { if (x) y = 1; }",
         "1:19 the body of 'if' stands in '{' and '}' [other-language]"},
        {"proc p() { if (a) { } else if (b) { } }", "1:28 unexpected 'if'; write 'elif' [syntax]"},
        {"proc p() { i++; }", "1:12 the language has no 'i++'; write 'i += 1' [other-language]"},
        {"proc p() { f(x); }", "1:13 unexpected '('; a call is no statement [syntax]"},
        {"proc p() { x == 1; }", "1:14 '==' compares; write '=' to assign [other-language]"},
        {"proc p() { x = 1;; }", "1:18 unexpected ';'; expected a statement or '}' [syntax]"},
        {"proc p() { trace(x); }",
         "1:18 a trace starts with a text; write 'trace(\"{}\", x);' [other-language]"},
        {"proc p() { wait 3 +* 4; }", "1:20 unexpected '*'; expected an expression [syntax]"},
        {"proc p() { wait }", "1:16 expected ';' after 'wait' [syntax]"},
        {"proc p() { cover(x); }", "1:19 unexpected ')'; expected ',' [syntax]"},
        {"proc p() { switch x { y = 1; } }",
         "1:23 unexpected 'y'; expected 'case', 'default' or '}' [syntax]"},
        {"proc p() { for i = 0 { } }",
         "1:22 unexpected '{'; expected 'to', 'downto' or 'until' [syntax]"},
        {"proc p() { for (i = 0; i < 3; i++) { } }",
         "1:12 a 'for' counts over a range; write 'for i = 0 until 3 { ... }' [other-language]"},
        {"proc p() { const x: u8 = 1; }",
         "1:12 unexpected 'const'; declarations stand in front of the body [syntax]"},
        {"proc p() { assert(x, y); }", "1:12 'assert' takes a condition and then a text, or a text "
                                       "and then a condition [assert-form]"},
        {"proc p() { assume(\"x\"); }", "1:12 'assume' takes a condition and then a text, or a "
                                        "text and then a condition [assert-form]"},
        {"func f(): u8 { switch x { default { } default { } } }",
         "1:39 'default' is given twice [given-twice]"},
    });
}

TEST_CASE("errors in declarations") {
    check({
        {"proc p(x) { }", "1:8 a parameter starts with 'in', 'out' or 'const'; write 'in x', 'out "
                          "x' or 'const x: u8' [other-language]"},
        {"proc p(in x out y) { }", "1:13 unexpected 'out'; expected ':', ',' or ')' [syntax]"},
        {"proc p(in x,) { }", "1:13 unexpected ')'; expected a parameter [syntax]"},
        {"proc p { }",
         "1:8 parentheses stand after the name, also with nothing in them; write 'proc p() {' "
         "[other-language]"},
        {"proc p() var x; { }", "1:14 a variable has a type; write 'var x: u8;' [other-language]"},
        {"proc p() var x: u8 = 1 { }", "1:24 unexpected '{'; expected 'range' or ';' [syntax]"},
        {"async p() { }", "1:7 unexpected 'p'; expected 'proc' [syntax]"},
        {"network n() { instance a p(); }", "1:26 unexpected 'p'; expected 'of' [syntax]"},
        {"network n() { x = 1; }", "1:15 a network has no statements; it connects processes, whose "
                                   "bodies have them [other-language]"},
        {"network n() { bus b { }; }", "1:23 unexpected '}'; expected a name [syntax]"},
        {"type t = u8;", "1:8 a type stands after a ':'; write 'type t: ...;' [other-language]"},
        {"enum e { };", "1:10 unexpected '}'; expected a name [syntax]"},
        {"import \"x\";",
         "1:8 a module is named without quotes; write 'import x;' [other-language]"},
        {"extern foo;", "1:8 unexpected 'foo'; expected 'func', 'proc' or 'serial' [syntax]"},
        {"extern func f(x: u8): u8;", "1:25 unexpected ';'; expected 'from' or 'range' [syntax]"},
        {"x = 3;", "1:1 statements stand in the body of a process [other-language]"},
        {"proc p() { }}", "1:13 unexpected '}'; expected a declaration [syntax]"},
        {"const x: v(3) = 1;", "1:10 'v' takes no argument as a type; only u(...), i(...) and "
                               "type(...) do [type-argument]"},
        {"type t: struct { flip x: u8; };",
         "1:18 'flip' has no meaning in front of a field of a struct [field-modifier]"},
        {"network n() { hold hold bus b { v: u8; }; }", "1:20 'hold' is given twice [given-twice]"},
        {"network n() { delay 1 delay 2 bus b { v: u8; }; }",
         "1:23 'delay' is given twice [given-twice]"},
        {"network n() { unique unique bus b { v: u8; }; }",
         "1:22 'unique' is given twice [given-twice]"},
        {"proc p() var d: u8 range 0 to 3 = 1 range 0 to 3; { }",
         "1:37 'range' is given twice [given-twice]"},
    });
}

TEST_CASE("declarations in the wrong place") {
    check({
        {"var x: u8;",
         "1:1 a variable cannot stand outside of processes and networks; declare it in a process "
         "[misplaced-declaration]"},
        {"bus b { v: u8; }",
         "1:1 a bus cannot stand outside of processes and networks; declare it in a network or a "
         "process [misplaced-declaration]"},
        {"instance a of b();",
         "1:1 an instance cannot stand outside of processes and networks; declare it in a network "
         "or a process [misplaced-declaration]"},
        {"generate if (x) { }",
         "1:1 a 'generate' cannot stand outside of processes and networks; write it in a network "
         "or a process [misplaced-declaration]"},
        {"network n() { var x: u8; }", "1:15 a variable cannot stand in a network; declare it in a "
                                       "process [misplaced-declaration]"},
        {"proc p() generate if (a) { var x: u8; } { }",
         "1:28 a variable cannot stand in a 'generate'; declare it in a process "
         "[misplaced-declaration]"},
        {"network n() { proc p() { } }", "1:15 a process cannot stand in a network; declare it in "
                                         "front of it, and make instances of it [other-language]"},
        {"proc p() import a; { }", "1:10 an import cannot stand in a process; write it at the top "
                                   "of the file [other-language]"},
    });
}

TEST_CASE("what is missing at the end of a line is reported there") {
    check({
        {"proc p() {\n    x = y\n    y = 3;\n}", "2:10 expected ';' after 'y' [syntax]"},
        {"import a.b\n\nproc p() { }", "1:11 expected ';' after 'b' [syntax]"},
        {"const x = 3", "1:12 expected ';' after '3' [syntax]"},
        {"proc p() { x = f(1)   // call\n}", "1:20 expected ';' after ')' [syntax]"},
    });
}

TEST_CASE("the end of the file") {
    check({
        {"proc p() {\n  x = 1;\n",
         "3:1 unexpected end of file; expected a statement or '}' [syntax]"},
        {"proc p()", "1:9 unexpected end of file; expected a declaration or '{' [syntax]"},
        {"network n() {", "1:14 unexpected end of file; expected a declaration or '}' [syntax]"},
        {"const x = (", "1:12 unexpected end of file; expected an expression [syntax]"},
        {"sim", "1:4 unexpected end of file; expected 'proc' [syntax]"},
    });
}

TEST_CASE("long tokens are clipped in messages") {
    std::string name = test::repeated("long_name_", 20);
    CHECK(
        Parsed("const x = 1 " + name + ";").messages()
        == Messages{"1:13 unexpected 'long_name_long_name_long_name_...'; expected ';' [syntax]"});
    CHECK(Parsed("const x = 1 \"" + test::repeated("\u00e6\t", 20) + "\";").messages()
          == Messages{"1:13 unexpected '\"" + test::repeated("\u00e6?", 14)
                      + "\u00e6...'; expected ';' [syntax]"});
}

TEST_CASE("one error for each broken declaration, and the good ones are kept") {
    Parsed parsed("const a = ;\n"
                  "const b = 1;\n"
                  "proc p() { x = ; y = ; }\n"
                  "proc q() { x = 1; }\n"
                  "network n() { instance a p(); } network m() { bus b: t; }\n"
                  "func f() { return 1; }\n"
                  "const c = 1;\n"
                  "enum e { A, };\n"
                  "type t: u8;\n");
    CHECK(parsed.messages()
          == Messages{"1:11 unexpected ';'; expected an expression [syntax]",
                      "3:16 unexpected ';'; expected an expression [syntax]",
                      "3:22 unexpected ';'; expected an expression [syntax]",
                      "5:26 unexpected 'p'; expected 'of' [syntax]",
                      "6:10 a function has a result; write its type after the parameters, as in "
                      "': u8' [other-language]",
                      "8:13 unexpected '}'; expected a name [syntax]"});
    CHECK(parsed.module.decls.size() == 5);
}

TEST_CASE("an unclosed brace does not hide the next process") {
    Parsed parsed(
        "proc p() {\n    if (x) { y = 1;\n}\n\nasync proc q() { x = ; }\n\nnetwork n() { }\n");
    CHECK(parsed.messages()
          == Messages{"5:1 unexpected 'async'; expected a statement or '}' [syntax]",
                      "5:22 unexpected ';'; expected an expression [syntax]"});
    CHECK(parsed.module.decls.size() == 1);
}

TEST_CASE("declarations inside of a broken process are not taken for items") {
    Parsed parsed("proc p()\n    const k: u8 = ;\n    const l: u8 = 1;\n    var x: u8;\n    enum e "
                  "{ A }\n{\n    x = 1;\n}\n"
                  "const outside = 1;\n");
    CHECK(parsed.messages() == Messages{"2:19 unexpected ';'; expected an expression [syntax]"});
    CHECK(parsed.module.decls.size() == 1);
}

TEST_CASE("what follows from a syntax error is not reported again") {
    const auto only = [](const std::string& text, const std::string& place) {
        const Messages found = Parsed(text).messages();
        CAPTURE(text, found);
        REQUIRE(found.size() == 1);
        CHECK(found[0].starts_with(place));
    };
    only("proc p() {\n    if (a) x = 1; }\n    y = 2;\n}\nproc q() { }\n", "2:12 ");
    only("proc p() {\n    if a) { x = 1; } else { x = 2; }\n    y = 2;\n}\n", "2:8 ");
    only("proc p() {\n    if (a { x = 1; } elif (b) { x = 2; } else { x = 3; }\n}\n", "2:11 ");
    only("proc p() {\n    else { x = 1; }\n    y = 2;\n}\n", "2:5 ");
    only("proc p() {\n    x = 1;\n    } y = 2;\n}\nproc q() { }\n", "3:7 ");
    only("proc p()\n    var n u8;\n    var m: u8;\n{\n    n = m;\n}\n", "2:9 ");
    only("proc p()\n    var n: u8\n{\n    n = m;\n}\n", "2:14 ");
    only("proc p()\n    bus b v: u8; };\n{\n    n = m;\n}\n", "2:11 ");
    only("proc p()\n    var n: u8;\n    n = m;\n}\nproc q() { }\n", "3:5 ");
    only("network n() {\n    instance a of p(b, c;\n    bus b { v: u8; };\n}\n", "2:25 ");
    only("network n() {\n    generate i = 0 until 4\n        instance a of p(b);\n    }\n}\n", "");
    only("network n() {\n    bus b { v u8; };\n    bus c { v: u8; };\n}\n", "2:13 ");
    only("proc p() {\n    switch x { case 1 { y = 1; }\n    z = 2;\n}\n", "3:5 ");
}

TEST_CASE("errors in neighbouring statements are all reported") {
    CHECK(
        Parsed(
            "proc p() {\n    x = ;\n    y = 1 +;\n    if (z { a = ; }\n    b = 2;\n    c = [;\n}\n")
            .messages()
            .size()
        == 4);
}

TEST_CASE("what follows from a lexical error is not reported again") {
    CHECK(Parsed("proc p() { x = 'ab'; }").messages().size() == 1);
    CHECK(Parsed("proc p() { x # 1; }").messages().size() == 1);
    CHECK(Parsed("proc p() { x = 1; /* }").messages().size() == 1);
}
