#include "diag/diagnostics.h"

#include <set>

#include <catch2/catch.hpp>

using namespace smec;

namespace {
const FileId kFile{0};
}

TEST_CASE("every diagnostic has data, and names are unique and kebab-case") {
    std::set<std::string_view> names;
    for (std::size_t i = 0; i < static_cast<std::size_t>(DiagId::Count); ++i) {
        const DiagInfo& d = info(static_cast<DiagId>(i));
        INFO(d.text);
        CHECK_FALSE(d.text.empty());
        CHECK((!d.text.ends_with('.') || d.text.ends_with("...")));
        if (d.severity == Severity::Note) {
            CHECK(d.name.empty());
            continue;
        }
        INFO(d.name);
        CHECK(names.insert(d.name).second);
        CHECK_FALSE(d.name.empty());
        CHECK(d.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-")
              == std::string_view::npos);
    }
}

TEST_CASE("messages are formatted and errors counted") {
    Diagnostics diagnostics;
    CHECK_FALSE(diagnostics.hasErrors());
    diagnostics.report(DiagId::CannotRead, {}, "a.sme", "no such file");
    diagnostics.report(DiagId::UniqueWord, {kFile, 0, 1});
    CHECK(diagnostics.errorCount() == 1);
    REQUIRE(diagnostics.all().size() == 2);
    CHECK(diagnostics.all()[0].message == "cannot read 'a.sme': no such file");
    CHECK(diagnostics.all()[1].severity == Severity::Warning);
}

TEST_CASE("messages of any length are cut in the middle, between characters") {
    for (const std::string letter : {"a", "\u00e9", "\u4e2d", "\xBF"}) {
        std::string name;
        for (int i = 0; i < 10'000; ++i)
            name += letter;
        Diagnostics diagnostics;
        diagnostics.report(DiagId::DuplicateName, {kFile, 0, 1}, name)
            .note(DiagId::DeclaredHere, {kFile, 0, 1}, name);
        const Diagnostic& only = diagnostics.all().front();
        CHECK(only.message.size() < 11'000);
        if (letter == "\xBF") continue;
        CHECK(only.message.size() < 2'100);
        CHECK(only.message.find(letter + " ... " + letter) != std::string::npos);
        CHECK(only.notes[0].message.ends_with(letter + "' is declared here"));
    }
}

TEST_CASE("the same message at the same place is kept once") {
    Diagnostics diagnostics;
    for (int i = 0; i < 3; ++i)
        diagnostics.report(DiagId::GivenTwice, {kFile, 1, 2}, "hold")
            .note(DiagId::DeclaredHere, {kFile, 0, 1}, "x");
    diagnostics.report(DiagId::GivenTwice, {kFile, 1, 3}, "hold");
    diagnostics.report(DiagId::GivenTwice, {kFile, 1, 2}, "flip");
    diagnostics.report(DiagId::GivenTwice, {FileId{1}, 1, 2}, "hold");
    diagnostics.report(DiagId::SyntaxError, {kFile, 1, 2}, "'hold' is given twice");
    CHECK(diagnostics.errorCount() == 5);
    REQUIRE(diagnostics.all().size() == 5);
    CHECK(diagnostics.all()[0].notes.size() == 1);
    CHECK(diagnostics.all()[0].notes[0].message == "'x' is declared here");
}

TEST_CASE("of millions of one kind some are kept and the rest is counted") {
    constexpr std::size_t kMany = 300'000;
    Diagnostics diagnostics;
    for (std::size_t i = 0; i < kMany; ++i)
        diagnostics.report(DiagId::GivenTwice, {kFile, 1, 2}, i);
    diagnostics.report(DiagId::GivenTwice, {kFile, 2, 3}, "elsewhere");
    CHECK(diagnostics.all().size() == Diagnostics::kMostAtPlace + 1);
    CHECK(diagnostics.all().back().message.find("elsewhere") != std::string::npos);
    CHECK(diagnostics.errorCount() == kMany + 1);
    CHECK(diagnostics.unkept(DiagId::GivenTwice) == kMany - Diagnostics::kMostAtPlace);
    for (std::uint32_t i = 0; i < kMany; ++i)
        diagnostics.report(DiagId::DuplicateName, {kFile, i, i + 1}, "x");
    CHECK(diagnostics.unkept(DiagId::DuplicateName) == kMany - Diagnostics::kMostOfKind);
    CHECK(diagnostics.errorCount() == 2 * kMany + 1);
    Diagnostics again;
    for (std::size_t i = 0; i < kMany; ++i)
        again.repeat(diagnostics.all().front());
    CHECK(again.errorCount() == 1);  // the same one
    again.countUnkept(diagnostics);
    CHECK(again.unkept(DiagId::GivenTwice) == diagnostics.unkept(DiagId::GivenTwice));
    CHECK(again.errorCount()
          == 1 + diagnostics.unkept(DiagId::GivenTwice)
                 + diagnostics.unkept(DiagId::DuplicateName));
}

TEST_CASE("warnings that are off are not counted, whatever their number") {
    WarningOptions options;
    options.disabled = {"unique"};
    Diagnostics diagnostics(options);
    for (std::uint32_t i = 0; i < 100'000; ++i)
        diagnostics.report(DiagId::UniqueWord, {kFile, i, i + 1});
    CHECK(diagnostics.unkept(DiagId::UniqueWord) == 0);
    CHECK_FALSE(diagnostics.hasErrors());
}

TEST_CASE("warnings can be turned off or into errors") {
    auto severityUnder = [](WarningOptions options) {
        Diagnostics diagnostics(std::move(options));
        diagnostics.report(DiagId::UniqueWord, {kFile, 0, 1}).note(DiagId::DeclaredHere, {}, "x");
        return diagnostics.all().empty() ? std::string("none")
               : diagnostics.hasErrors() ? std::string("error")
                                         : std::string("warning");
    };
    CHECK(severityUnder({}) == "warning");
    CHECK(severityUnder({{"unique"}, false, {}}) == "none");
    CHECK(severityUnder({{"other"}, false, {}}) == "warning");
    CHECK(severityUnder({{}, true, {}}) == "error");
    CHECK(severityUnder({{}, false, {"unique"}}) == "error");
    CHECK(severityUnder({{}, false, {"other"}}) == "warning");
    CHECK(severityUnder({{"unique"}, true, {}}) == "none");
}

TEST_CASE("errors cannot be turned off") {
    Diagnostics diagnostics({{"syntax"}, false, {}});
    diagnostics.report(DiagId::SyntaxError, {kFile, 0, 1}, "x");
    CHECK(diagnostics.hasErrors());
}

TEST_CASE("notes go to their own diagnostic") {
    Diagnostics diagnostics;
    Diagnostics::Handle first = diagnostics.report(DiagId::SyntaxError, {kFile, 0, 1}, "first");
    for (int i = 0; i < 100; ++i)
        diagnostics.report(DiagId::SyntaxError, {kFile, 1, 2}, std::to_string(i))
            .note(DiagId::DeclaredHere, {}, "y");
    first.note(DiagId::DeclaredHere, {}, "a").note(DiagId::DeclaredHere, {}, "b");
    CHECK(diagnostics.all()[0].notes.size() == 2);
    CHECK(diagnostics.all()[50].notes.size() == 1);
}
