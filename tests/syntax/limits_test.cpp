#include <random>

#include <catch2/catch.hpp>

#include "ast/equal.h"
#include "syntax/support.h"

// Input of any kind ends in a diagnostic, in time and memory in proportion to its size: what takes longer runs into the
// limit of time that every test has.

using namespace smec;
using test::Parsed;
using test::repeated;

namespace {

std::string firstMessage(const std::string& text) {
    Parsed parsed(text);
    std::string out = parsed.diagnostics.all().empty() ? "" : parsed.messages().front();
    CHECK(render(parsed.diagnostics, parsed.sources, {}).size() < 100000);
    return out;
}

}  // namespace

TEST_CASE("100,000 nested brackets of any kind") {
    const std::string tooDeep = "nested more than 256 levels deep [nesting-too-deep]";
    CHECK(firstMessage("const x = " + repeated("(", 100000) + "1" + repeated(")", 100000) + ";")
          == "1:267 " + tooDeep);
    CHECK(firstMessage("const x = " + repeated("[", 100000)) == "1:267 " + tooDeep);
    CHECK(firstMessage("const x = " + repeated("f(", 100000)) == "1:524 " + tooDeep);
    CHECK(firstMessage("const x = " + repeated("a[", 100000)) == "1:524 " + tooDeep);
    CHECK(firstMessage("proc p() " + repeated("{", 100000)) == "1:266 " + tooDeep);
    CHECK(firstMessage("proc p() { " + repeated("if (a) {", 100000)).ends_with(tooDeep));
    CHECK(
        firstMessage("network n() { " + repeated("generate if (a) {", 100000)).ends_with(tooDeep));
}

TEST_CASE("100,000 operators that nest without brackets") {
    const std::string tooDeep = "nested more than 256 levels deep [nesting-too-deep]";
    CHECK(firstMessage("const x = " + repeated("-", 100000) + "1;").ends_with(tooDeep));
    CHECK(firstMessage("const x = " + repeated("a ? b : ", 100000) + "1;").ends_with(tooDeep));
    CHECK(firstMessage("const x = " + repeated("a ? ", 100000) + "1;").ends_with(tooDeep));
    CHECK(firstMessage("const x = a" + repeated(".b", 100000) + ";").ends_with(tooDeep));
    CHECK(firstMessage("const x = a" + repeated("[0]", 100000) + ";").ends_with(tooDeep));
    CHECK(firstMessage("proc p() { a" + repeated("[0]", 100000) + " = 1; }").ends_with(tooDeep));
    CHECK(firstMessage("const x: " + repeated("[1]", 100000) + "u8 = 1;").ends_with(tooDeep));
}

TEST_CASE("256 levels are fine") {
    CHECK(firstMessage("const x = " + repeated("(", 256) + "1" + repeated(")", 256) + ";").empty());
    CHECK_FALSE(
        firstMessage("const x = " + repeated("(", 257) + "1" + repeated(")", 257) + ";").empty());
    CHECK(firstMessage("const x = " + repeated("-", 256) + "1;").empty());
    CHECK_FALSE(firstMessage("const x = " + repeated("-", 257) + "1;").empty());
    CHECK(firstMessage("const x = " + repeated("a ? b : ", 256) + "1;").empty());
    CHECK_FALSE(firstMessage("const x = " + repeated("a ? b : ", 257) + "1;").empty());
}

TEST_CASE("what nests too deep does not spoil the next declaration") {
    Parsed parsed("proc p() { x = " + repeated("(", 1000)
                  + "1; }\nproc q() { x = ((1)); }\nconst c = ((2));\n");
    CHECK(parsed.messages().size() == 1);
    CHECK(parsed.module.decls.size() == 2);
}

TEST_CASE("a chain of 100,000 terms") {
    std::string chain = "a";
    for (const char* op : {" + b", " * c", " << d", " && e", " == f"})
        chain += repeated(op, 20000);
    Parsed parsed("const x = " + chain + ";");
    REQUIRE(parsed.messages().empty());
    CHECK(parsed.module.exprs.size() == 200001);
    std::string printed = ast::print(parsed.module);
    CHECK(printed == "const x = " + chain + ";\n");
    CHECK(ast::equal(parsed.module, Parsed(printed).module));
    CHECK(ast::dump(parsed.module).size() < 2000000);
}

TEST_CASE("100,000 branches, cases, arguments, elements, statements, declarations") {
    CHECK(firstMessage("proc p() { if (a) { } " + repeated("elif (a) { } ", 100000) + "}").empty());
    CHECK(firstMessage("proc p() { switch a { " + repeated("case 1 { } ", 100000) + "} }").empty());
    CHECK(
        firstMessage("network n() { instance a of p(" + repeated("b, ", 100000) + "c); }").empty());
    CHECK(firstMessage("const x = [" + repeated("1, ", 100000) + "1];").empty());
    CHECK(firstMessage("proc p() { " + repeated("x = 1; ", 100000) + "}").empty());
    CHECK(firstMessage("network n() { " + repeated("bus b: t; ", 100000) + "}").empty());
    CHECK(firstMessage(repeated("const x = 1;\n", 100000)).empty());
}

TEST_CASE("a line of 10 MB") {
    const std::size_t size = 10'000'000;
    CHECK(firstMessage("//" + std::string(size, 'x')).empty());
    CHECK(firstMessage("/*" + std::string(size, '*') + "/").empty());
    CHECK(firstMessage("const x = " + std::string(size, 'a') + ";").empty());
    CHECK(firstMessage("const x = 1" + std::string(size, ' ') + "*;")
              .ends_with("unexpected ';'; expected an expression [syntax]"));
    CHECK(
        firstMessage("const x = " + std::string(size, '9') + ";").ends_with("[integer-too-large]"));
    CHECK(firstMessage("const x = 0x" + std::string(size, 'F') + ";")
              .ends_with("[integer-too-large]"));
    CHECK(firstMessage("const x = f(\"" + std::string(size, '\\')).ends_with("[unclosed-string]"));
    CHECK(firstMessage(std::string(size, ';'))
              .ends_with("unexpected ';'; expected a declaration [syntax]"));
    CHECK(firstMessage(std::string(size, 'a')).ends_with("expected a declaration [syntax]"));
}

TEST_CASE("a declaration of millions of tokens is refused, not swallowed") {
    CHECK(firstMessage("const x = [" + repeated("1,", 2'100'000) + "1];")
              .find("more than 4194304 tokens")
          != std::string::npos);
}

TEST_CASE("binary junk") {
    std::mt19937 random(1);
    for (std::size_t size : {1, 10, 1000, 1000000}) {
        std::string junk(size, '\0');
        for (char& c : junk)
            c = static_cast<char>(random());
        firstMessage(junk);
    }
    CHECK(firstMessage(std::string(1000000, '\0'))
          == "1:1 control character 0x00 [control-character]");
    CHECK(firstMessage(std::string(1000000, '\xFF')) == "1:1 byte 0xFF is not UTF-8 [bad-byte]");
}

TEST_CASE("lexical and syntax errors are bounded in number") {
    CHECK(Parsed(std::string(100000, '\0')).diagnostics.errorCount() <= 20);
    CHECK(Parsed(repeated("const x = ;\n", 100000)).diagnostics.errorCount() <= 200);
}

TEST_CASE("token soup neither crashes nor hangs") {
    const std::vector<std::string> words = {
        "proc",   "network",  "p",     "(",     ")",      "{",    "}",        "[",     "]",
        ";",      ",",        ":",     ".",     "=",      "in",   "out",      "const", "var",
        "u8",     "1",        "+",     "*",     "-",      "?",    "if",       "else",  "for",
        "to",     "until",    "wait",  "stop",  "hold",   "bus",  "instance", "of",    "type",
        "struct", "generate", "\"s\"", "'U",    "switch", "case", "default",  "trace", "\n",
        "func",   "extern",   "sim",   "delay", "import", "from", "enum",     "range", "cover",
        "assert", "0x1",      "1.5"};
    std::mt19937 random(7);
    for (int round = 0; round < 300; ++round) {
        std::string text;
        for (int i = 0; i < 200; ++i)
            text += words[random() % words.size()] + " ";
        Parsed parsed(text);
        render(parsed.diagnostics, parsed.sources, {});
        ast::Module& module = parsed.module;
        CHECK(ast::equal(module, Parsed(ast::print(module)).module));
    }
}

TEST_CASE("good source with one token changed") {
    const std::string source =
        "type t: bus { a: u8; flip b: bool = true; };\n"
        "proc p(in x: t, [n] out y, const k: u8 = 3)\n    var v: [4]u8 = [1, 2, 3, 4];\n{\n"
        "    if (x.a == 1) { v[0] = k ? 1 : v[7:4]; } elif (!x.b) { wait until (x.a); } else { "
        "stop(1); }\n"
        "    for i = 0 until 4 { switch i { case 1, 2 { trace(\"{}\", i); } default { } } }\n}\n"
        "network n() { delay 2 bus b[3]: t; generate i = 0 to 2 { instance q[i] of p(b[i], k: 2); "
        "} }\n";
    REQUIRE(Parsed(source).messages().empty());
    const std::string replacements = "(){}[];:,.=+*?!a1\"'@ ";
    for (std::size_t at = 0; at < source.size(); ++at) {
        std::string text = source;
        text[at] = replacements[at % replacements.size()];
        Parsed parsed(text);
        CHECK(ast::equal(parsed.module, Parsed(ast::print(parsed.module)).module));
    }
}

TEST_CASE("a generated design of 2 MB") {
    std::string text;
    for (int i = 0; i < 7000; ++i)
        text += fmt::format(
            "proc stage_{0}(in x, out y, const gain: i16 = {0})\n    const k: [4]i16 = [1, {0}, 3, "
            "-4];\n"
            "    var acc: i32 = 0;\n{{\n    acc = acc + x.v * k[{1}] + (x.w >> 2) * gain;\n"
            "    if (x.valid && n != {0}) {{\n        y.v = i32(acc & 0xFFFF_0000) ^ x.v;\n"
            "        y.valid = true;\n    }} else {{\n        y.v = x.v + {0};\n    }}\n}}\n",
            i, i % 4);
    Parsed parsed(text);
    CHECK(parsed.messages().empty());
    CHECK(parsed.module.decls.size() == 7000);
}

TEST_CASE("a declaration of millions of tokens is refused") {
    std::string text = "const a: u8 = 1";
    for (int i = 0; i < 2'200'000; ++i)
        text += "+1";
    Parsed parsed(text + ";");
    REQUIRE(parsed.messages().size() == 1);
    CHECK(parsed.messages().front().find("[declaration-too-long]") != std::string::npos);
}
