#pragma once

#include <cstdint>
#include <string>
#include <vector>

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

/// A scalar as text: decimal integers, true and false, floats, enum members by name or number.
/// Throws RunError.
Value parseScalar(const TypeTable& types, TypeId type, const std::string& text);

/// A file whose first column is `cycle`, counting up from 0; the others are leaves of the design.
struct CsvTable {
    enum class Use : std::uint8_t { Input, Expectation };

    std::string path;
    std::vector<Part> columns;
    std::vector<std::vector<Value>> rows;  ///< parallel to `columns`
    std::vector<std::size_t> lines;        ///< of the rows, for messages
};
/// Throws RunError: 3 when the file cannot be read, 1 with a place in it when it does not fit the
/// design.
CsvTable readCsv(const std::string& path, const hir::Design& design, const NameTable& names,
                 CsvTable::Use use);

}  // namespace smec::interp
