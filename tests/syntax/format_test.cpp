#include <algorithm>
#include <filesystem>
#include <random>
#include <sstream>

#include <catch2/catch.hpp>

#include "ast/equal.h"
#include "support/golden.h"
#include "support/sanitizers.h"
#include "syntax/format.h"
#include "syntax/support.h"

// Formatting changes no tree and loses no comment, and what is formatted stays as it is: for every
// file of the repository, and for variants of them with line breaks, comments and blank lines at
// odd places. What it looks like stands in tests/golden/format/NAME.txt (SMEC_UPDATE_GOLDEN=1 writes them).

namespace fs = std::filesystem;
using namespace smec;

namespace {

const fs::path kRoot = SMEC_SOURCE_DIR;

/// Of each file. Many times slower under sanitizers.
#ifdef SMEC_ADDRESS_SANITIZER
constexpr unsigned kVariants = 2;
#else
constexpr unsigned kVariants = 8;
#endif

std::vector<fs::path> sourcesBelow(const fs::path& folder) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (entry.path().extension() == ".sme") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

std::vector<fs::path> allSources() {
    std::vector<fs::path> files;
    for (const char* folder : {"examples", "stdlib", "tests"}) {
        const std::vector<fs::path> found = sourcesBelow(kRoot / folder);
        files.insert(files.end(), found.begin(), found.end());
    }
    return files;
}

std::optional<std::string> formatted(const std::string& text) {
    SourceManager sources;
    Diagnostics diagnostics;
    return syntax::format(sources, sources.add("test.sme", text), diagnostics);
}

/// The words of all comments, which formatting keeps; the space around them it may change.
std::vector<std::string> comments(const test::Parsed& parsed) {
    std::vector<std::string> all;
    for (const ast::Comment& comment : parsed.module.comments) {
        std::istringstream text{std::string(parsed.sources.text(comment.range))};
        std::string words;
        for (std::string word; text >> word;)
            words += word + ' ';
        all.push_back(words);
    }
    return all;
}

void checkFormatting(const std::string& text) {
    const std::optional<std::string> once = formatted(text);
    REQUIRE(once);
    test::Parsed before(text);
    test::Parsed after(*once);
    CHECK(ast::equal(before.module, after.module));
    CHECK(comments(before) == comments(after));
    const std::optional<std::string> twice = formatted(*once);
    REQUIRE(twice);
    CHECK(*twice == *once);
}

/// The text with white space and comments put between some of its tokens.
std::string disturbed(const std::string& text, unsigned seed) {
    test::Parsed parsed(text);
    std::vector<bool> inComment(text.size() + 1, false);
    for (const ast::Comment& comment : parsed.module.comments)
        std::fill(inComment.begin() + comment.range.begin, inComment.begin() + comment.range.end,
                  true);
    const std::vector<std::string> extras{
        "\n",           "\n\n\n", " // x\n",     " /* y */ ", "\n/* z\n   z */\n",
        "\n  // own\n", "  \t ",  " /* end */\n"};
    std::mt19937 random(seed);
    std::string out;
    bool inString = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '"' && !inComment[i] && (i == 0 || text[i - 1] != '\\'))
            inString = !inString;
        const bool between = text[i] == ' ' || text[i] == '\n';
        if (between && !inComment[i] && !inString && random() % 8 == 0)
            out += extras[random() % extras.size()];
        out += text[i];
    }
    return out;
}

}  // namespace

TEST_CASE("formatting keeps trees and comments of every source, and is idempotent") {
    std::size_t count = 0;
    for (const fs::path& path : allSources()) {
        INFO(path);
        const std::string text = test::readFile(path);
        if (test::Parsed(text).diagnostics.hasErrors()) {
            CHECK_FALSE(formatted(text));
            continue;
        }
        checkFormatting(text);
        ++count;
    }
    CHECK(count > 300);
}

TEST_CASE("so it does with comments and line breaks at odd places") {
    for (const fs::path& path : allSources()) {
        INFO(path);
        const std::string text = test::readFile(path);
        if (text.size() > 8000 || test::Parsed(text).diagnostics.hasErrors()) continue;
        for (unsigned seed = 1; seed <= kVariants; ++seed) {
            INFO(seed);
            const std::string odd = disturbed(text, seed);
            if (test::Parsed(odd).diagnostics.hasErrors()) continue;
            CAPTURE(odd);
            checkFormatting(odd);
        }
    }
}

TEST_CASE("formatted text is as in golden/format") {
    const std::vector<fs::path> files = sourcesBelow(kRoot / "tests" / "syntax" / "format");
    CHECK(files.size() >= 8);
    for (const fs::path& path : files) {
        INFO(path);
        const std::optional<std::string> text = formatted(test::readFile(path));
        REQUIRE(text);
        test::checkGolden("format/" + path.stem().string() + ".txt", *text);
    }
}

TEST_CASE("lines are at most 100 columns wide where they can be broken") {
    for (const fs::path& path : allSources()) {
        const std::optional<std::string> text = formatted(test::readFile(path));
        if (!text) continue;
        INFO(path);
        std::istringstream lines(*text);
        for (std::string line; std::getline(lines, line);) {
            const std::string code = line.substr(0, line.find("//"));
            const bool breakable =
                code.find(", ") != std::string::npos && code.find('"') == std::string::npos;
            if (breakable && code.find_first_not_of(' ') != std::string::npos)
                CHECK(code.substr(0, code.find_last_not_of(' ') + 1).size() <= 100);
        }
    }
}

TEST_CASE("a file with errors is not formatted") {
    SourceManager sources;
    Diagnostics diagnostics;
    CHECK_FALSE(syntax::format(sources, sources.add("a.sme", "proc p( {"), diagnostics));
    CHECK(diagnostics.errorCount() == 1);
}

TEST_CASE("odd texts are formatted too") {
    CHECK(formatted("") == "");
    CHECK(formatted("\n\n \t\n") == "");
    CHECK(formatted("// only a comment") == "// only a comment\n");
    CHECK(formatted("\xEF\xBB\xBF"
                    "const a: u8 = 1;\r\n")
          == "const a: u8 = 1;\n");
    CHECK(formatted("const a:u8=1;\r\n/* x\r\n y */\r\n") == "const a: u8 = 1;\n/* x\n y */\n");
}

// Else it runs into the limit of time that every test has.
TEST_CASE("formatting takes time in proportion to the size") {
    const std::string table =
        "const t: [200000]u32 = [" + test::repeated("0x1234, ", 199999) + "7];\n";
    CHECK(formatted(table));
    CHECK(formatted("proc p() { " + test::repeated("trace(\"{}\", 1 + 2);", 20000) + " }\n"));
    CHECK(formatted("const n = " + test::repeated("1 + ", 50000) + "1;\n"));
    const std::string deep = "proc p() { " + test::repeated("if (true) { ", 200) + "stop; "
                             + test::repeated("}", 200) + " }\n";
    CHECK(formatted(deep));
    CHECK(formatted("const n = " + test::repeated("(1 + ", 250) + "1" + test::repeated(")", 250)
                    + ";\n"));
}
