#include "source/source_manager.h"

#include <catch2/catch.hpp>

#include "source/utf8.h"

using namespace smec;

namespace {

struct Place {
    std::uint32_t line;
    std::uint32_t column;
    bool operator==(const Place&) const = default;
};

Place placeOf(const SourceManager& sources, FileId file, std::uint32_t offset) {
    LineColumn at = sources.position(file, offset);
    return {at.line, at.column};
}

}  // namespace

TEST_CASE("positions count lines and characters from 1") {
    SourceManager sources;
    FileId file = sources.add("a.sme", "ab\n\n\tc\u00e6d\n");
    CHECK(placeOf(sources, file, 0) == Place{1, 1});
    CHECK(placeOf(sources, file, 2) == Place{1, 3});
    CHECK(placeOf(sources, file, 3) == Place{2, 1});
    CHECK(placeOf(sources, file, 4) == Place{3, 1});
    CHECK(placeOf(sources, file, 5) == Place{3, 2});
    CHECK(placeOf(sources, file, 8) == Place{3, 4});  // after the two bytes of one character
    CHECK(placeOf(sources, file, 10) == Place{4, 1});
    CHECK(placeOf(sources, file, 1000) == Place{4, 1});
}

TEST_CASE("lines come without their endings") {
    SourceManager sources;
    FileId file = sources.add("a.sme", "one\r\ntwo\n\nlast");
    CHECK(sources.line(file, 1) == "one");
    CHECK(sources.line(file, 2) == "two");
    CHECK(sources.line(file, 3).empty());
    CHECK(sources.line(file, 4) == "last");
    CHECK(sources.line(file, 5).empty());
    CHECK(sources.line(file, 0).empty());
}

TEST_CASE("a byte order mark is not part of the first line") {
    SourceManager sources;
    FileId file = sources.add("a.sme", "\xEF\xBB\xBFxy\nz");
    CHECK(sources.line(file, 1) == "xy");
    CHECK(placeOf(sources, file, 3) == Place{1, 1});
    CHECK(placeOf(sources, file, 4) == Place{1, 2});
}

TEST_CASE("an empty file has one empty line") {
    SourceManager sources;
    FileId file = sources.add("empty.sme", "");
    CHECK(placeOf(sources, file, 0) == Place{1, 1});
    CHECK(sources.line(file, 1).empty());
}

TEST_CASE("files keep their path and text while others are added") {
    SourceManager sources;
    FileId first = sources.add("first.sme", "abc");
    std::string_view text = sources.text(first);
    for (int i = 0; i < 1000; ++i)
        sources.add("other.sme", "x");
    CHECK(sources.path(first) == "first.sme");
    CHECK(text == "abc");
    CHECK(sources.text(first).data() == text.data());
    CHECK(sources.fileCount() == 1001);
}

TEST_CASE("the text of a range is clipped to the file") {
    SourceManager sources;
    FileId file = sources.add("a.sme", "abcdef");
    CHECK(sources.text(SourceRange{file, 1, 3}) == "bc");
    CHECK(sources.text(SourceRange{file, 4, 100}) == "ef");
    CHECK(sources.text(SourceRange{file, 3, 3}).empty());
    CHECK(sources.text(SourceRange{file, 100, 200}).empty());
    CHECK(sources.text(SourceRange{file, 4, 2}).empty());
}

TEST_CASE("columns count characters, wherever they lie in a long line") {
    const std::string letters = "a\u00e6\u20ac\U0001F600";
    std::string line;
    for (int i = 0; i < 100; ++i)
        line += letters;
    SourceManager sources;
    const FileId file = sources.add("a.sme", "x\n" + line + "\n");
    std::uint32_t column = 1;
    for (std::uint32_t at = 0; at < line.size(); ++column) {
        const LineColumn found = sources.position(file, 2 + at);
        CHECK(found.line == 2);
        CHECK(found.column == column);
        CHECK(sources.lineNumber(file, 2 + at) == 2);
        at += static_cast<std::uint32_t>(characterLength(line, at));
    }
    CHECK(sources.lineNumber(file, 0) == 1);
    CHECK(sources.lineNumber(file, 100000) == 3);
}

TEST_CASE("cover joins ranges of one file") {
    FileId a{0};
    FileId b{1};
    CHECK(cover({a, 3, 5}, {a, 1, 4}) == SourceRange{a, 1, 5});
    CHECK(cover({a, 1, 2}, {a, 8, 9}) == SourceRange{a, 1, 9});
    CHECK(cover({a, 3, 5}, {b, 1, 9}) == SourceRange{a, 3, 5});
    CHECK(cover({}, {b, 1, 9}) == SourceRange{b, 1, 9});
    CHECK(cover({a, 3, 5}, {}) == SourceRange{a, 3, 5});
    CHECK_FALSE(cover({}, {}).valid());
}

TEST_CASE("characters of UTF-8") {
    CHECK(characterLength("a", 0) == 1);
    CHECK(characterLength("\u00e6", 0) == 2);
    CHECK(characterLength("\u20ac", 0) == 3);
    CHECK(characterLength("\U0001F600", 0) == 4);
    CHECK(characterLength("x\u00e6", 1) == 2);
    for (const char* bad : {"\x80", "\xC3", "\xC0\x80", "\xC1\xBF", "\xE0\x80\x80", "\xED\xA0\x80",
                            "\xF0\x80\x80\x80", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF",
                            "\xE2\x82", "\xC3x"}) {
        CHECK(characterLength(bad, 0) == 0);
    }
}
