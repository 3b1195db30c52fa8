#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "trace/csv.h"
#include "values/names.h"

namespace sme {

/// A CSV file of values over cycles (docs/language.md, "Inputs, waveforms and comparisons"): header = `cycle` and names of scalars, row k = cycle
/// k. One row is in memory.
///
/// A file is checked as a whole when it is opened, so that a mistake in row 1,000,000 does not cost
/// a run, and then read once more, row by row. What can be read only once, a pipe, is live: its
/// rows are read when their cycles come.
class Rows {
public:
    struct Column {
        Ref ref;
        std::string name;
        std::uint32_t offset;  ///< in a row
        std::uint32_t bytes;
    };
    enum class Use : std::uint8_t { Input, Expectation };
    enum class Found : std::uint8_t { Row, End, Interrupted, Problem };

    /// Reads the header, and checks all rows of a file. Input: every column must be an exposed
    /// input. Throws Error; false when `waiting` ended it.
    bool open(const std::string& path, const NameTable& names, Use use,
              LineReader::Waiting waiting);
    void setWaiting(LineReader::Waiting waiting) {
        reader_->lines().setWaiting(std::move(waiting));
    }

    bool isLive() const { return reader_ && !reader_->lines().isFile(); }
    /// Live: not known before the end was found.
    std::optional<std::uint64_t> count() const { return count_; }
    const std::vector<Column>& columns() const { return columns_; }
    const std::string& path() const { return path_; }

    /// Goes to the row of a cycle. Live rows go forward only.
    Found seek(std::uint64_t cycle);
    /// All that comes, up to the end.
    Found readOn();
    const FileProblem& problem() const { return problem_; }
    // Of the row that was found:
    const std::byte* values() const { return data_.data(); }
    std::uint64_t line() const { return reader_->lines().line(); }

private:
    FileProblem readHeader(const NameTable& names, Use use);
    FileProblem addColumn(const CsvReader::Cell& cell, const NameTable& names, Use use);
    Found checkAll();
    Found next();
    FileProblem readCells();
    Found fail(FileProblem problem, std::uint64_t cycle);
    void remember();
    void goBackTo(std::uint64_t cycle);

    const Model* model_ = nullptr;
    std::string path_;
    std::unique_ptr<CsvReader> reader_;
    std::vector<CsvReader::Cell> cells_;
    std::vector<Column> columns_;
    std::vector<std::byte> data_;
    std::uint64_t next_ = 0;              ///< the cycle of the row that is read next
    std::optional<std::uint64_t> count_;  ///< rows in all
    FileProblem problem_;
    std::uint64_t problemAt_ = 0;  ///< the cycle whose row it is

    /// Where the rows of cycles 0, spacing_, 2 spacing_, … are.
    std::vector<LineReader::Place> places_;
    std::uint64_t spacing_ = 1;
};

}  // namespace sme
