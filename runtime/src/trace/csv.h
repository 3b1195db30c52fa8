#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "formats/line_reader.h"
#include "output/file_problem.h"

namespace sme {

/// Comma-separated values, a row a line: cells may stand in double quotes (doubled inside), blanks
/// around cells are dropped.
class CsvReader {
public:
    struct Cell {
        std::string_view text;
        std::uint64_t column;  ///< 1, 2, …: byte in its line
    };
    enum class Next : std::uint8_t { Row, End, Interrupted, Problem };

    /// The first next() tells when the file cannot be read. `name` is what messages call it.
    CsvReader(std::string name, const std::string& path, LineReader::Waiting waiting)
        : name_(std::move(name)), lines_(path, std::move(waiting)) {}

    /// Reads the next row into `cells`, whose texts last until the next call.
    Next next(std::vector<Cell>& cells);

    LineReader& lines() { return lines_; }
    const LineReader& lines() const { return lines_; }
    const FileProblem& problem() const { return problem_; }
    /// `name:line:column: error: message` of the row read last, status 1.
    FileProblem error(std::uint64_t column, const std::string& message) const;

private:
    Next noRow(LineReader::Next why);
    Cell quoted(std::string_view line, std::size_t& at);

    std::string name_;
    LineReader lines_;
    std::string unquoted_;  ///< texts of the row's quoted cells
    FileProblem problem_;
};

}  // namespace sme
