#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trace/csv.h"
#include "values/names.h"

namespace sme {

/// A CSV file of values over cycles (docs/language.md, "Inputs, waveforms and comparisons"): header = `cycle` and names of scalars, row k = cycle
/// k. Read and checked as a whole before the run, so that a mistake in row 1,000,000 does not cost
/// a run.
class Rows {
public:
    struct Column {
        Ref ref;
        std::string name;
        std::uint32_t offset;  ///< in a row
        std::uint32_t bytes;
    };
    enum class Use : std::uint8_t { Input, Expectation };

    /// Reads the file. Input: every column must be an exposed input.
    FileProblem load(const std::string& path, const NameTable& names, Use use);

    std::uint64_t count() const { return lines_.size(); }
    const std::vector<Column>& columns() const { return columns_; }
    const std::byte* row(std::uint64_t cycle) const { return data_.data() + cycle * rowBytes_; }
    const std::string& path() const { return path_; }
    std::uint32_t line(std::uint64_t cycle) const { return lines_[cycle]; }

private:
    FileProblem readHeader(CsvReader& reader, const NameTable& names, Use use);
    FileProblem addColumn(const CsvReader& reader, const CsvReader::Cell& cell,
                          const NameTable& names, Use use);
    FileProblem readRow(const CsvReader& reader, const Model& model,
                        const std::vector<CsvReader::Cell>& cells);

    std::string path_;
    std::vector<Column> columns_;
    std::vector<std::byte> data_;
    std::vector<std::uint32_t> lines_;  ///< in the file, per row
    std::size_t rowBytes_ = 0;
};

}  // namespace sme
