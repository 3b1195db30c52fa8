#include <catch2/catch.hpp>

#include "syntax/lexer.h"
#include "syntax/support.h"

using namespace smec;
using test::expression;
using test::Parsed;
using Messages = std::vector<std::string>;

TEST_CASE("integers: bases, separators, size") {
    CHECK(expression("0") == "0");
    CHECK(expression("007") == "7");
    CHECK(expression("1_000") == "1000");
    CHECK(expression("1__0") == "10");
    CHECK(expression("0xFf_0") == "4080");
    CHECK(expression("0o17") == "15");
    CHECK(expression("0b1010_0101") == "165");
    CHECK(expression("18446744073709551615") == "18446744073709551615");
    CHECK(expression("18446744073709551616") == "18446744073709551616");
    CHECK(expression("0x1_0000_0000_0000_0001") == "18446744073709551617");
    CHECK(expression("0o4000000000000000000001") == "36893488147419103233");
    CHECK(expression("0b1" + test::repeated("0", 64)) == "18446744073709551616");
}

TEST_CASE("integers have at most 65536 bits") {
    std::string most = "0x" + test::repeated("F", 16384);
    CHECK(expression(most).size() > 19000);
    CHECK(expression("0x1" + test::repeated("0", 16384))
          == "1:11 an integer of more than 65536 bits [integer-too-large]");
    CHECK(expression(test::repeated("9", 19729))
          == "1:11 an integer of more than 65536 bits [integer-too-large]");
    CHECK(expression("000" + test::repeated("9", 19728)).size() == 19728);
    CHECK(expression(test::repeated("0", 100000)) == "0");
}

TEST_CASE("malformed numbers") {
    CHECK(expression("5u8") == "1:11 malformed number '5u8'; write 'u8(5)' [malformed-number]");
    CHECK(expression("0x") == "1:11 malformed number '0x' [malformed-number]");
    CHECK(expression("0xFG") == "1:11 malformed number '0xFG' [malformed-number]");
    CHECK(expression("0b102") == "1:11 malformed number '0b102' [malformed-number]");
    CHECK(expression("0o8") == "1:11 malformed number '0o8' [malformed-number]");
    CHECK(expression("1_") == "1:11 malformed number '1_' [malformed-number]");
    CHECK(expression("0x_1") == "1:11 malformed number '0x_1' [malformed-number]");
    CHECK(expression("1.5f") == "1:11 malformed number '1.5f' [malformed-number]");
    CHECK(expression("1e5x") == "1:11 malformed number '1e5x' [malformed-number]");
    CHECK(expression(test::repeated("1x", 100))
          == "1:11 malformed number '1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x...' [malformed-number]");
}

TEST_CASE("characters") {
    CHECK(expression("'a'") == "'a'");
    CHECK(expression("'U'") == "'U'");
    CHECK(expression("'\"'") == R"('"')");
    CHECK(expression(R"('\"')") == R"('"')");
    CHECK(expression(R"('\'')") == R"('\'')");
    CHECK(expression(R"('\n' + '\\')") == R"((+ '\n' '\\'))");
    CHECK(expression("a == 'b' ? 'U : 'c'") == "(?: (== a 'b') 'U 'c')");
    const auto malformed = [](const std::string& text) {
        return "1:11 malformed character " + text
               + "; between single quotes stands one ASCII character or an escape "
                 "[malformed-character]";
    };
    CHECK(expression("''") == malformed("''"));
    CHECK(expression("'ab'") == malformed("'ab'"));
    CHECK(expression("'\xC3\xA9'") == malformed("'\xC3\xA9'"));
    CHECK(expression(R"('\q')")
          == R"(1:12 unknown escape '\q' in a character; write \', \", \\, \n or \t [bad-escape])");
}

TEST_CASE("floats") {
    CHECK(expression("1.5") == "1.5");
    CHECK(expression("2.0") == "2.0");
    CHECK(expression("2e-3") == "0.002");
    CHECK(expression("1_0.5_0E+1") == "105.0");
    CHECK(expression("1e300") == "1e+300");
    CHECK(expression("0.1") == "0.1");
    CHECK(expression("5e-324") == "5e-324");
    CHECK(expression("1e-400") == "0.0");
    CHECK(expression("0." + test::repeated("0", 400) + "1") == "0.0");
    CHECK(expression("1e-99999999999999999999") == "0.0");
    CHECK(expression("1e999") == "1:11 '1e999' is too large for an f64 [float-too-large]");
    CHECK(expression("1" + test::repeated("0", 400) + ".0")
              .ends_with("is too large for an f64 [float-too-large]"));
    CHECK(expression("1e99999999999999999999")
              .ends_with("is too large for an f64 [float-too-large]"));
    CHECK(expression("1.") == "1:13 unexpected ';'; expected a name [syntax]");
    CHECK(expression("1 .5") == "1:14 unexpected '5'; expected a name [syntax]");
}

TEST_CASE("strings and their escapes") {
    CHECK(expression(R"(f("a\"b\\c\nd\te"))") == R"((call f "a\"b\\c\nd\te"))");
    CHECK(expression("f(\"\")") == "(call f \"\")");
    CHECK(expression("f(\"// no /* comment\")") == "(call f \"// no /* comment\")");
    CHECK(expression("f(\"bl\u00e5b\u00e6r\")") == "(call f \"bl\u00e5b\u00e6r\")");
    CHECK(expression(R"(f("a\q"))")
          == "1:15 unknown escape '\\q' in a string; write \\\", \\\\, \\n or \\t [bad-escape]");
    CHECK(expression("f(\"a\\\u00e6\")").starts_with("1:15 unknown escape '\\\u00e6'"));
    Parsed open("proc p() {\n  trace(\"abc);\n}\nproc q() { x = ; }\n");
    CHECK(open.messages()
          == Messages{
              "4:16 unexpected ';'; expected an expression [syntax]",
              "2:9 this string is not closed; expected '\"' on the same line [unclosed-string]"});
    CHECK(Parsed("\"\\").messages().front().starts_with("1:1 this string is not closed"));
}

TEST_CASE("comments are kept beside the tree") {
    Parsed parsed("// a\r\nconst /* b */ x = 1; /* c\n*/ // d");
    CHECK(parsed.messages().empty());
    std::vector<std::string> texts;
    for (const ast::Comment& comment : parsed.module.comments)
        texts.emplace_back(parsed.sources.text(comment.range));
    CHECK(texts == std::vector<std::string>{"// a", "/* b */", "/* c\n*/", "// d"});
}

TEST_CASE("an unclosed comment is one error") {
    Parsed parsed("proc p() {\n  /* never closed **\n}\n");
    CHECK(parsed.messages()
          == Messages{"2:3 this comment is not closed; expected '*/' [unclosed-comment]"});
    CHECK(Parsed("/*/").messages().size() == 1);
    CHECK(Parsed("/**/").messages().empty());
}

TEST_CASE("bytes that are no text") {
    CHECK(Parsed("// \xE6\nconst x = 1;").messages()
          == Messages{"1:4 byte 0xE6 is not UTF-8 [bad-byte]"});
    CHECK(Parsed("const x = f(\"\xC0\x80\");").messages()
          == Messages{"1:14 byte 0xC0 is not UTF-8 [bad-byte]"});
    CHECK(Parsed("/* \xED\xA0\x80 */").messages()
          == Messages{"1:4 byte 0xED is not UTF-8 [bad-byte]"});
    CHECK(Parsed("const x = \xF5 1;").messages()
          == Messages{"1:11 byte 0xF5 is not UTF-8 [bad-byte]"});
    CHECK(Parsed(std::string("const x = \0 1;", 14)).messages()
          == Messages{"1:11 control character 0x00 [control-character]"});
    CHECK(Parsed("const x = \x7F 1; // \x1B[31m").messages()
          == Messages{"1:11 control character 0x7F [control-character]",
                      "1:19 control character 0x1B [control-character]"});
}

TEST_CASE("characters that are no token are left out") {
    Parsed parsed("const x = @ 1;\nconst y = \u00e6\u00f8 2;\n");
    CHECK(
        parsed.messages()
        == Messages{
            "1:11 unexpected character '@'; only comments and strings may hold it [bad-character]",
            "2:11 unexpected character '\u00e6'; only comments and strings may hold it "
            "[bad-character]",
            "2:12 unexpected character '\u00f8'; only comments and strings may hold it "
            "[bad-character]"});
    CHECK(parsed.module.decls.size() == 2);
}

TEST_CASE("a byte order mark and line ends of both kinds") {
    Parsed parsed("\xEF\xBB\xBF"
                  "const x = 1;\r\nconst y = *;\r\n");
    CHECK(parsed.messages() == Messages{"2:11 unexpected '*'; expected an expression [syntax]"});
    CHECK(Parsed("\xEF\xBB\xBF"
                 "const x = *;")
              .messages()
          == Messages{"1:11 unexpected '*'; expected an expression [syntax]"});
    CHECK(Parsed("").messages().empty());
    CHECK(Parsed("\n\n  \t").messages().empty());
}

TEST_CASE("operators are the longest that fit") {
    CHECK(expression("a<b>>c<<d") == "(< a (<< (>> b c) d))");
    CHECK(expression("a&&b&c") == "(&& a (& b c))");
    CHECK(expression("a!=!b") == "(!= a (! b))");
    CHECK(expression("a- -b") == "(- a (- b))");
    CHECK(expression("a--b") == "(- a (- b))");
    CHECK(test::statement("a>>=b;") == "Assign >>= a b");
    CHECK(test::statement("a=-b;") == "Assign = a (- b)");
}

TEST_CASE("reserved words are not names, and names may hold them") {
    for (const char* word :
         {"as",    "assert",   "async", "barrier", "break",  "bus",      "case",
          "const", "default",  "elif",  "else",    "enum",   "for",      "from",
          "func",  "generate", "if",    "import",  "in",     "instance", "of",
          "out",   "proc",     "range", "return",  "switch", "sync",     "network",
          "to",    "trace",    "var",   "while",   "true",   "false"}) {
        INFO(word);
        Parsed parsed(std::string("const ") + word + " = 1;");
        CHECK(parsed.messages()
              == Messages{fmt::format(
                  "1:7 unexpected '{}'; a reserved word cannot be a name [syntax]", word)});
        CHECK(Parsed(std::string("const ") + word + "_ = 1; const _" + word + " = 1;")
                  .messages()
                  .empty());
    }
}

TEST_CASE("names that cannot be declared") {
    auto declaring = [](const std::string& name) {
        std::vector<std::string> all = Parsed("const " + name + " = 1;").messages();
        return all.empty() ? std::string() : all.front();
    };
    CHECK(declaring("u8")
          == "1:7 'u8' cannot be declared; it is the name of a type [reserved-name]");
    CHECK(declaring("i3").find("name of a type") != std::string::npos);
    CHECK(declaring("u999999999").find("name of a type") != std::string::npos);
    for (const char* name : {"bool", "int", "uint", "f32", "f64"})
        CHECK(declaring(name).find("name of a type") != std::string::npos);
    CHECK(declaring("a__b")
          == "1:7 'a__b' cannot be declared; names with '__' are reserved [reserved-name]");
    CHECK(declaring("__").find("names with '__'") != std::string::npos);
    CHECK(declaring("_")
          == "1:7 '_' cannot be declared; only an instance can be anonymous [reserved-name]");
    for (const char* name : {"u", "i", "u8x", "ui8", "f16", "f", "x_", "_x", "x_y", "U8", "string"})
        CHECK(declaring(name).empty());
}

TEST_CASE("reserved names are found wherever something is declared") {
    const char* text =
        "import a as u1;\n"
        "enum u2 { u3 }\n"
        "type u4: struct { u5: u8; };\n"
        "func u6(u7: u8): u8 { var u8: u8; return 0; }\n"
        "proc u9(in u10) var u11: u8; bus u12 { u13: u8; } { for u14 = 0 to 1 { } }\n"
        "network u15() { instance u16 of p(); instance _ of p(); generate u17 = 0 to 1 { } }\n"
        "extern func u18(u19: u8) from \"x\";\n"
        "extern proc u20(in u21) cpp(\"x\");\n"
        "const u22 = 1;\n"
        "type u23: u8;\n";
    std::vector<std::string> messages = Parsed(text).messages();
    REQUIRE(messages.size() == 23);
    for (std::size_t i = 1; i <= 23; ++i) {
        std::string wanted = fmt::format("'u{}' cannot be declared", i);
        CHECK(std::any_of(messages.begin(), messages.end(), [&](const std::string& m) {
            return m.find(wanted) != std::string::npos;
        }));
    }
}
