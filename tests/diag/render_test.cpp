#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "diag/diagnostics.h"

using namespace smec;

namespace {

struct Fixture {
    SourceManager sources;
    Diagnostics diagnostics;
    FileId file;

    explicit Fixture(std::string text = "proc p()\n    var x: u8;\n{\n    x = wide;\n}\n")
        : file(sources.add("dir/a.sme", std::move(text))) {}

    Diagnostics::Handle report(std::uint32_t begin, std::uint32_t end,
                               const std::string& message = "message") {
        return diagnostics.report(DiagId::SyntaxError, {file, begin, end}, message);
    }
    std::string text(std::size_t limit = 20) const {
        return render(diagnostics, sources, {false, false, limit});
    }
};

std::vector<nlohmann::json> parseLines(const std::string& text) {
    std::vector<nlohmann::json> out;
    for (std::size_t begin = 0; begin < text.size();) {
        std::size_t end = text.find('\n', begin);
        out.push_back(nlohmann::json::parse(text.substr(begin, end - begin)));
        begin = end + 1;
    }
    return out;
}

}  // namespace

TEST_CASE("text: place, message, id, line and caret range") {
    Fixture f;
    f.report(34, 38);
    CHECK(f.text()
          == "dir/a.sme:4:9: error: message [syntax]\n"
             "    x = wide;\n"
             "        ^~~~\n");
}

TEST_CASE("text: notes in the same form, without an id") {
    Fixture f;
    f.report(34, 38)
        .note(DiagId::DeclaredHere, {f.file, 17, 18}, "x")
        .note(DiagId::DeclaredHere, {}, "y");
    CHECK(f.text()
          == "dir/a.sme:4:9: error: message [syntax]\n"
             "    x = wide;\n"
             "        ^~~~\n"
             "dir/a.sme:2:9: note: 'x' is declared here\n"
             "    var x: u8;\n"
             "        ^\n"
             "note: 'y' is declared here\n");
}

TEST_CASE("text: without a place") {
    Fixture f;
    f.diagnostics.report(DiagId::CannotRead, {}, "b.sme", "it is a directory");
    CHECK(f.text() == "error: cannot read 'b.sme': it is a directory [cannot-read]\n");
}

TEST_CASE("text: warnings print their name; -Werror makes them errors") {
    SourceManager sources;
    FileId file = sources.add("a.sme", "unique bus");
    Diagnostics plain;
    plain.report(DiagId::UniqueWord, {file, 0, 6});
    CHECK(render(plain, sources, {})
              .starts_with("a.sme:1:1: warning: 'unique' has no effect [unique]\n"));
    Diagnostics strict({{}, true, {}});
    strict.report(DiagId::UniqueWord, {file, 0, 6});
    CHECK(render(strict, sources, {})
              .starts_with("a.sme:1:1: error: 'unique' has no effect [unique]\n"));
}

TEST_CASE("text: sorted by file and place; equal places keep their order") {
    Fixture f;
    FileId other = f.sources.add("b.sme", "x");
    f.diagnostics.report(DiagId::SyntaxError, {other, 0, 1}, "5");
    f.diagnostics.report(DiagId::SyntaxError, {}, "6");
    f.report(30, 31, "3");
    f.report(30, 32, "4");
    f.report(2, 3, "2");
    f.report(0, 9, "1");
    std::string text = f.text();
    std::size_t last = 0;
    for (const char* message : {": 1 [", ": 2 [", ": 3 [", ": 4 [", ": 5 [", ": 6 ["}) {
        std::size_t at = text.find(message);
        REQUIRE(at != std::string::npos);
        CHECK(at >= last);
        last = at;
    }
}

TEST_CASE("text: a range of several lines is marked to the end of its first") {
    Fixture f;
    f.report(13, 38);
    CHECK(f.text()
          == "dir/a.sme:2:5: error: message [syntax]\n"
             "    var x: u8;\n"
             "    ^~~~~~~~~~\n");
}

TEST_CASE("text: empty ranges, the end of a line and the end of the file") {
    Fixture f("ab\ncd");
    f.report(1, 1, "in");
    f.report(2, 2, "line end");
    f.report(5, 5, "file end");
    f.report(900, 1000, "far after");
    CHECK(f.text()
          == "dir/a.sme:1:2: error: in [syntax]\nab\n ^\n"
             "dir/a.sme:1:3: error: line end [syntax]\nab\n  ^\n"
             "dir/a.sme:2:3: error: file end [syntax]\ncd\n  ^\n"
             "dir/a.sme:2:3: error: far after [syntax]\ncd\n  ^\n");
    Fixture empty("");
    empty.report(0, 0);
    CHECK(empty.text() == "dir/a.sme:1:1: error: message [syntax]\n\n^\n");
}

TEST_CASE("text: tabs are expanded, characters are one cell") {
    Fixture f("\tx\t= \"\u00e6\u00f8\u00e5\" + y;");
    f.report(5, 13, "string");
    f.report(16, 17, "y");
    CHECK(f.text()
          == "dir/a.sme:1:6: error: string [syntax]\n"
             "    x   = \"\u00e6\u00f8\u00e5\" + y;\n"
             "          ^~~~~\n"
             "dir/a.sme:1:14: error: y [syntax]\n"
             "    x   = \"\u00e6\u00f8\u00e5\" + y;\n"
             "                  ^\n");
}

TEST_CASE("text: bytes that cannot be shown are replaced") {
    Fixture f("a\x1b[31m \xff b");
    f.report(9, 10);
    CHECK(f.text()
          == "dir/a.sme:1:10: error: message [syntax]\na\uFFFD[31m \uFFFD b\n         ^\n");
}

TEST_CASE("text: a long line is cut to a window around the mark") {
    Fixture f(std::string(5'000'000, 'a') + "XYZ" + std::string(5'000'000, 'b'));
    f.report(5'000'000, 5'000'003);
    f.report(0, 2, "start");
    f.report(10'000'003, 10'000'003, "end");
    f.report(10, 9'000'000, "long");
    std::string text = f.text();
    CHECK(text.size() < 2000);
    std::string left(80, 'a');
    CHECK(text.find("\n..." + left + "XYZ" + std::string(77, 'b') + "...\n" + std::string(83, ' ')
                    + "^~~\n")
          != std::string::npos);
    CHECK(text.find("start [syntax]\n" + left + "...\n^~\n") != std::string::npos);
    CHECK(
        text.find("end [syntax]\n..." + std::string(80, 'b') + "\n" + std::string(83, ' ') + "^\n")
        != std::string::npos);
}

TEST_CASE("text: a window never cuts a character") {
    std::string line;
    for (int i = 0; i < 1000; ++i)
        line += "\u20ac";
    for (std::uint32_t at = 1500; at < 1530; at += 3) {
        Fixture f(line);
        f.report(at, at + 3);
        CHECK(f.text().find("\uFFFD") == std::string::npos);
    }
}

TEST_CASE("the number of errors shown is limited, warnings are not counted") {
    Fixture f(std::string(100, 'x'));
    for (std::uint32_t i = 0; i < 25; ++i)
        f.report(i, i + 1, std::to_string(i));
    f.diagnostics.report(DiagId::UniqueWord, {f.file, 50, 51});
    std::string text = f.text();
    CHECK(text.find("error: 19 [") != std::string::npos);
    CHECK(text.find("error: 20 [") == std::string::npos);
    CHECK(text.find("warning:") != std::string::npos);
    CHECK(text.ends_with("too many errors; 5 more not shown\n"));
    CHECK(f.text(25).find("too many") == std::string::npos);
    CHECK(f.text(0).find("too many") == std::string::npos);  // no limit
    CHECK(parseLines(render(f.diagnostics, f.sources, {true, false, 20})).size() == 22);
}

TEST_CASE("what was counted alone is told, whatever the limit") {
    Fixture f(std::string(100, 'x'));
    for (std::size_t i = 0; i < 5'000; ++i) {
        f.report(60, 61, std::to_string(i));
        f.diagnostics.report(DiagId::Unused, {f.file, 1, 2}, "variable", i);
    }
    const std::string text = f.text(20);
    CHECK(text.find("and 4980 more [unused]\n") != std::string::npos);
    CHECK(text.ends_with("too many errors; 4980 more not shown\n"));
    CHECK(f.text(0).find("and 4000 more [unused]\n") != std::string::npos);
    CHECK(f.text(0).ends_with("too many errors; 4000 more not shown\n"));
    const std::vector<nlohmann::json> lines =
        parseLines(render(f.diagnostics, f.sources, {true, false, 0}));
    REQUIRE(lines.size() == 2'002);
    CHECK(lines.back()["message"] == "too many errors; 4000 more not shown");
}

TEST_CASE("warnings of one kind are limited like errors") {
    const auto fill = [](Fixture& f) {
        for (std::uint32_t i = 0; i < 30; ++i)
            f.diagnostics.report(DiagId::UniqueWord, {f.file, i, i + 1});
        f.diagnostics.report(DiagId::Unreachable, {f.file, 50, 51});
        f.report(60, 61, "wrong");
    };
    Fixture f(std::string(100, 'x'));
    fill(f);
    std::string text = f.text(20);
    CHECK(text.find("[unreachable]") != std::string::npos);
    CHECK(text.ends_with("and 10 more [unique]\n"));
    CHECK(f.text(0).find("more [") == std::string::npos);
    const std::vector<nlohmann::json> lines =
        parseLines(render(f.diagnostics, f.sources, {true, false, 20}));
    REQUIRE(lines.size() == 23);
    CHECK(lines.back()["id"] == "too-many-warnings");
    CHECK(lines.back()["message"] == "and 10 more [unique]");

    Fixture strict(std::string(100, 'x'));  // with -Werror they do not take the place of errors
    WarningOptions options;
    options.allErrors = true;
    strict.diagnostics = Diagnostics(options);
    fill(strict);
    text = strict.text(20);
    CHECK(text.find("error: wrong") != std::string::npos);
    CHECK(text.ends_with("and 10 more [unique]\n"));
}

TEST_CASE("colour") {
    Fixture f;
    f.report(34, 38).note(DiagId::DeclaredHere, {f.file, 17, 18}, "x");
    std::string text = render(f.diagnostics, f.sources, {false, true, 20});
    CHECK(text.find("\x1b[1;31merror: \x1b[0m") != std::string::npos);
    CHECK(text.find("\x1b[1;36mnote: \x1b[0m") != std::string::npos);
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\x1b')
            i = text.find('m', i);
        else
            plain += text[i];
    }
    CHECK(plain == f.text());
}

TEST_CASE("JSON: one object a line") {
    Fixture f;
    f.report(34, 38, "say \"\xff\"")
        .note(DiagId::DeclaredHere, {f.file, 17, 18}, "x")
        .note(DiagId::DeclaredHere, {}, "y");
    f.diagnostics.report(DiagId::CannotRead, {}, "b.sme", "gone");
    std::string text = render(f.diagnostics, f.sources, {true, false, 20});
    CHECK(text.starts_with("{\"severity\":\"error\",\"id\":\"syntax\",\"message\":"));
    std::vector<nlohmann::json> lines = parseLines(text);
    REQUIRE(lines.size() == 2);
    CHECK(lines[0]["message"] == "say \"\\xff\"");
    CHECK(lines[0]["file"] == "dir/a.sme");
    CHECK(lines[0]["line"] == 4);
    CHECK(lines[0]["column"] == 9);
    CHECK(lines[0]["endLine"] == 4);
    CHECK(lines[0]["endColumn"] == 13);
    REQUIRE(lines[0]["notes"].size() == 2);
    CHECK(lines[0]["notes"][0]
          == nlohmann::json{{"message", "'x' is declared here"},
                            {"file", "dir/a.sme"},
                            {"line", 2},
                            {"column", 9}});
    CHECK(lines[0]["notes"][1]["file"] == "");
    CHECK(lines[1]["id"] == "cannot-read");
    CHECK(lines[1]["file"] == "");
    CHECK(lines[1]["line"] == 0);
    CHECK(lines[1]["notes"].empty());
}

TEST_CASE("nothing to say is nothing said") {
    Fixture f;
    CHECK(f.text().empty());
    CHECK(render(f.diagnostics, f.sources, {true, false, 20}).empty());
}
