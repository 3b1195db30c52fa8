#include "trace/csv.h"

#include <cstring>

namespace sme {
namespace {

bool isBlank(char c) { return c == ' ' || c == '\t'; }

void skipBlanks(std::string_view line, std::size_t& at) {
    while (at < line.size() && isBlank(line[at]))
        ++at;
}

CsvReader::Cell plainCell(std::string_view line, std::size_t& at) {
    const std::size_t start = at;
    while (at < line.size() && line[at] != ',')
        ++at;
    std::size_t end = at;
    while (end > start && isBlank(line[end - 1]))
        --end;
    return {line.substr(start, end - start), start + 1};
}

}  // namespace

FileProblem CsvReader::error(std::uint64_t column, const std::string& message) const {
    return {1, name_ + ":" + std::to_string(lines_.line()) + ":" + std::to_string(column)
                   + ": error: " + message};
}

CsvReader::Next CsvReader::noRow(LineReader::Next why) {
    if (why == LineReader::Next::End) return Next::End;
    if (why == LineReader::Next::Interrupted) return Next::Interrupted;
    if (why == LineReader::Next::TooLong) {
        constexpr std::size_t kMiB = std::size_t{1} << 20;
        problem_ = error(1, "this line is longer than "
                                + std::to_string(LineReader::kLongestLine / kMiB) + " MiB");
    } else {
        problem_ = {3, "cannot read '" + name_ + "': " + std::strerror(lines_.problem())};
    }
    return Next::Problem;
}

CsvReader::Next CsvReader::next(std::vector<Cell>& cells) {
    cells.clear();
    unquoted_.clear();
    problem_ = {};
    std::string_view line;
    if (const LineReader::Next found = lines_.next(line); found != LineReader::Next::Line)
        return noRow(found);
    for (std::size_t at = 0;; ++at) {
        skipBlanks(line, at);
        const bool isQuoted = at < line.size() && line[at] == '"';
        cells.push_back(isQuoted ? quoted(line, at) : plainCell(line, at));
        if (problem_) return Next::Problem;
        skipBlanks(line, at);
        if (at >= line.size()) return Next::Row;
        if (line[at] == ',') continue;
        problem_ = error(at + 1, "expected ',' or the end of the line");
        return Next::Problem;
    }
}

/// From the opening quotation mark at `at` on; leaves `at` after the closing one.
CsvReader::Cell CsvReader::quoted(std::string_view line, std::size_t& at) {
    const std::size_t column = at + 1;
    unquoted_.reserve(line.size());  // it must not move: cells point into it
    const std::size_t start = unquoted_.size();
    for (++at; at < line.size(); ++at) {
        if (line[at] == '"') {
            ++at;
            if (at >= line.size() || line[at] != '"')  // two of them stand for one
                return {std::string_view(unquoted_).substr(start), column};
        }
        unquoted_.push_back(line[at]);
    }
    problem_ = error(column, "this quotation mark is not closed");
    return {{}, column};
}

}  // namespace sme
