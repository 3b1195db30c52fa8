#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "output/file_problem.h"

namespace sme {

/// Comma-separated values: rows end in LF or CRLF, cells may stand in double quotes (doubled
/// inside), blanks around cells are dropped, a byte order mark and empty lines at the end are
/// ignored.
class CsvReader {
public:
    struct Cell {
        std::string_view text;
        std::uint32_t column;  ///< 1, 2, …: byte in its line
    };

    explicit CsvReader(std::string path) : path_(std::move(path)) {}

    /// Loads the file. Status 3 when it cannot be read.
    FileProblem open();
    /// Reads the next row into `cells`, whose texts live as long as the reader; false at the end or
    /// after a problem.
    bool next(std::vector<Cell>& cells);
    std::uint32_t line() const { return line_; }  ///< of the row read last

    const std::string& path() const { return path_; }
    const FileProblem& problem() const { return problem_; }
    /// `path:line:column: error: message`, status 1.
    FileProblem error(std::uint32_t column, const std::string& message) const;

private:
    Cell quoted();
    Cell plain();
    void skipBlanks();
    bool onlyEmptyLinesLeft() const;
    std::uint32_t columnOf(std::size_t at) const {
        return static_cast<std::uint32_t>(at - lineStart_) + 1;
    }

    std::string path_;
    std::string content_;
    std::size_t at_ = 0;
    std::size_t lineStart_ = 0;
    std::uint32_t line_ = 0;
    std::uint32_t linesInRow_ = 0;  ///< a quoted cell may hold line ends
    FileProblem problem_;
};

}  // namespace sme
