// Lines of files and pipes.

#include "formats/line_reader.h"

#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include <catch2/catch.hpp>

using namespace sme;

namespace {

/// A file that goes when the test does.
class ScratchFile {
public:
    explicit ScratchFile(const std::string& content) {
        const int file = mkstemp(path.data());
        REQUIRE(file >= 0);
        REQUIRE(write(file, content.data(), content.size())
                == static_cast<ssize_t>(content.size()));
        close(file);
    }
    ~ScratchFile() { unlink(path.c_str()); }
    ScratchFile(const ScratchFile&) = delete;
    ScratchFile& operator=(const ScratchFile&) = delete;
    std::string path = "/tmp/sme-lines-XXXXXX";
};

std::string rest(LineReader& reader) {
    std::string text;
    std::string_view line;
    while (reader.next(line) == LineReader::Next::Line)
        text += std::to_string(reader.line()) + ":" + std::string(line) + "|";
    return text;
}

std::string linesOf(const std::string& content) {
    const ScratchFile file(content);
    LineReader reader(file.path);
    return rest(reader);
}

}  // namespace

TEST_CASE("lines: ends, a byte order mark, blank lines") {
    CHECK(linesOf("").empty());
    CHECK(linesOf("a") == "1:a|");
    CHECK(linesOf("a\r\n\nb\n") == "1:a|2:|3:b|");
    CHECK(linesOf("\n \t\na\n\n\r\n  ") == "1:|2:|3:a|");
    CHECK(linesOf("\xEF\xBB\xBF"
                  "a\n\xEF\xBB\xBF")
          == "1:a|2:\xEF\xBB\xBF|");
    CHECK(linesOf(std::string("a\0b\n", 4)) == std::string("1:a\0b|", 6));
    const std::string longLine(3'000'000, 'x');
    CHECK(linesOf("a\n" + longLine + "\nb\n") == "1:a|2:" + longLine + "|3:b|");
}

TEST_CASE("lines: a place is found again, and changes are noticed") {
    const ScratchFile file("a\nb\n\nc\n");
    LineReader reader(file.path);
    std::string_view line;
    REQUIRE(reader.next(line) == LineReader::Next::Line);
    const LineReader::Place place = reader.place();
    CHECK(rest(reader) == "2:b|3:|4:c|");
    reader.seek(place);
    CHECK(rest(reader) == "2:b|3:|4:c|");
    CHECK(reader.isFile());
    CHECK_FALSE(reader.hasChanged());
    std::ofstream(file.path, std::ios::app) << "d\n";
    CHECK(reader.hasChanged());
}

TEST_CASE("lines: a line without end, and what cannot be read") {
    std::string_view line;
    LineReader endless("/dev/zero");
    CHECK_FALSE(endless.isFile());
    CHECK(endless.next(line) == LineReader::Next::TooLong);
    CHECK(endless.line() == 1);
    LineReader none("/no/such/file");
    CHECK(none.next(line) == LineReader::Next::Failed);
    CHECK(none.problem() == ENOENT);
    LineReader folder("/tmp");
    CHECK(folder.next(line) == LineReader::Next::Failed);
}

TEST_CASE("lines: of a pipe, when they are there") {
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    int pauses = 0;
    bool isOver = false;
    const auto pause = [&] {
        ++pauses;
        isOver = pauses == 2;
        if (pauses == 1) REQUIRE(write(ends[1], "b\n", 2) == 2);
    };
    LineReader reader("/dev/fd/" + std::to_string(ends[0]), {pause, [&] { return isOver; }});
    REQUIRE(write(ends[1], "a\n", 2) == 2);
    std::string_view line;
    REQUIRE(reader.next(line) == LineReader::Next::Line);
    CHECK((line == "a" && pauses == 0));
    REQUIRE(reader.next(line) == LineReader::Next::Line);
    CHECK((line == "b" && pauses == 1));
    CHECK(reader.next(line) == LineReader::Next::Interrupted);
    isOver = false;
    close(ends[1]);
    CHECK(reader.next(line) == LineReader::Next::End);
    close(ends[0]);
}
