// How the printers of C++ write lines.

#include <catch2/catch.hpp>

#include <sstream>

#include "codegen/cpp/print/text.h"

using namespace smec::codegen::cpp;

namespace {

std::size_t longestLine(const std::string& text) {
    std::istringstream lines(text);
    std::size_t longest = 0;
    for (std::string line; std::getline(lines, line);)
        longest = std::max(longest, line.size());
    return longest;
}

std::string listOf(int count, const std::string& item) {
    std::string list;
    for (int i = 0; i < count; ++i)
        list += (i == 0 ? "" : ", ") + item;
    return list;
}

std::string without(std::string text, const std::string& part) {
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at))
        text.erase(at, part.size());
    return text;
}

}  // namespace

TEST_CASE("long lines are broken after commas", "[codegen][text]") {
    Writer out;
    out.open("f({})", listOf(40, "argument"));
    out.line("g({});", listOf(40, "argument"));
    out.close();
    CHECK(longestLine(out.text()) <= Writer::kColumns);
    CHECK(out.text().find("argument,\n    argument") != std::string::npos);
    CHECK(out.text().find("argument,\n        argument") != std::string::npos);
    const std::string arguments = listOf(40, "argument");
    CHECK(without(without(out.text(), "\n"), " ")
          == without("f(" + arguments + "){g(" + arguments + ");}", " "));
}

TEST_CASE("lines that fit are left alone", "[codegen][text]") {
    Writer out;
    out.line("{}", std::string(Writer::kColumns, 'x'));
    out.line("a, b");
    CHECK(out.text() == std::string(Writer::kColumns, 'x') + "\na, b\n");
}

TEST_CASE("long strings go on in another one, never within an escape", "[codegen][text]") {
    for (std::size_t shift = 0; shift < 8; ++shift) {
        std::string text(shift, 'x');
        for (int i = 0; i < 80; ++i)
            text += "\n\"?\\7";
        const std::string literal = stringLiteral(text);
        Writer out;
        out.line("{{{}, 1}},", literal);
        CHECK(longestLine(out.text()) <= Writer::kColumns);
        CHECK(without(without(out.text(), "\"\n    \""), "\n   ") == "{" + literal + ", 1},\n");
    }
}

TEST_CASE("commas in strings and comments are no places to break at", "[codegen][text]") {
    Writer out;
    const std::string words = listOf(30, "word");
    out.line("f({}, 1);", stringLiteral(words));
    CHECK(without(out.text(), "\"\n    \"") == "f(\"" + words + "\", 1);\n");
    Writer row;
    row.line("{{1, 2}},  // {}", words);
    CHECK(longestLine(row.text()) <= Writer::kColumns);
    CHECK(without(row.text(), "\n    //") == "{1, 2}, " + words + "\n");
    Writer comment;
    comment.line("// {}", words);
    CHECK(longestLine(comment.text()) <= Writer::kColumns);
    CHECK(without(comment.text(), "\n//") == "// " + words + "\n");
}

TEST_CASE("what cannot be broken stays whole", "[codegen][text]") {
    Writer out;
    const std::string name(200, 'n');
    out.line("{}", name);
    out.lineDirective("#line 7 \"a.sme\"", LongLines::Keep);
    out.line("f({});", listOf(40, "argument"));
    out.lineDirective("#line 9 \"foreign.cpp\"", LongLines::Break);
    out.line("f({});", listOf(40, "argument"));
    std::istringstream lines(out.text());
    std::string line;
    std::getline(lines, line);
    CHECK(line == name);
    std::getline(lines, line);
    std::getline(lines, line);
    CHECK(line == "f(" + listOf(40, "argument") + ");");
    std::getline(lines, line);
    std::getline(lines, line);
    CHECK(line.size() <= Writer::kColumns);
}
