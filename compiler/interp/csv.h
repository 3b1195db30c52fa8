#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "formats/line_reader.h"
#include "interp/names.h"
#include "interp/options.h"

/// Tables of values by cycle: docs/language.md, "Inputs, waveforms and comparisons".
namespace smec::interp {

struct CsvCell {
    std::string text;
    std::size_t column;  ///< 1-based, in bytes
};
/// The cells of one line. Blanks around a cell and quotation marks around its text do not belong to
/// it. Throws RunError; `place` is "path:line".
std::vector<CsvCell> splitCsvLine(const std::string& line, const std::string& place);

/// A scalar as text: whole numbers as formats/number_text.h reads them, true, false, 0 and 1 for bools
/// and integers alike, floats, enum members by name or number. Throws RunError.
Value parseScalar(const TypeTable& types, TypeId type, const std::string& text);

/// A file whose first column is `cycle`, counting up from 0; the others are leaves of the design.
/// One row is in memory. A file is checked as a whole when it is opened; of a pipe, which is live,
/// each row is read and checked when its cycle comes.
///
/// Throws RunError: 3 when it cannot be read, 1 with a place in it when it does not fit the design;
/// CutOff when the waiting for a pipe is ended.
class CsvRows {
public:
    enum class Use : std::uint8_t { Input, Expectation };

    CsvRows(const std::string& path, const hir::Design& design, const NameTable& names, Use use,
            sme::LineReader::Waiting waiting);

    const std::string& path() const { return path_; }
    const std::vector<Part>& columns() const { return columns_; }
    bool isLive() const { return !lines_.isFile(); }
    /// Of a pipe: not known before its end was found.
    std::optional<std::uint64_t> count() const { return count_; }

    /// Goes on to the row of a cycle, which is not before that of the last call. False: there is
    /// none.
    bool seek(std::uint64_t cycle);
    /// All that comes, up to the end.
    void readOn();
    const std::vector<Value>& values() const { return values_; }
    std::uint64_t line() const { return lines_.line(); }

private:
    std::string place() const;
    void readHeader(const NameTable& names, Use use);
    bool readLine();
    bool next();
    void readRow();
    RunError hasChanged() const;

    const hir::Design& design_;
    std::string path_;
    sme::LineReader lines_;
    std::string line_;
    std::vector<Part> columns_;
    std::vector<Value> values_;  ///< parallel to `columns_`
    std::uint64_t next_ = 0;     ///< the cycle of the row that is read next
    std::optional<std::uint64_t> count_;
};

}  // namespace smec::interp
