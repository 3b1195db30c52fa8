#include "interp/csv.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <optional>
#include <unordered_set>

#include <fmt/format.h>

#include "diag/diagnostics.h"
#include "formats/number_text.h"
#include "interp/context.h"
#include "source/one_line.h"

namespace smec::interp {

namespace {

RunError misfit(const std::string& place, std::size_t column, const std::string& message) {
    return {kFailure, fmt::format("{}:{}: error: {}", place, column, message), true};
}

RunError noValue(const TypeTable& types, TypeId type, const std::string& text) {
    return {kFailure, fmt::format("{} is no value of {}", quotedWord(text), types.name(type))};
}

bool isBlank(char c) { return c == ' ' || c == '\t'; }

/// From the opening quotation mark at `at` on; leaves `at` after the closing one.
CsvCell quotedCell(const std::string& line, std::size_t& at, const std::string& place) {
    CsvCell cell{"", at + 1};
    for (++at; at < line.size(); ++at) {
        if (line[at] == '"') {
            ++at;
            if (at >= line.size() || line[at] != '"') return cell;  // two of them stand for one
        }
        cell.text += line[at];
    }
    throw misfit(place, cell.column, "this quotation mark is not closed");
}

CsvCell plainCell(const std::string& line, std::size_t& at) {
    const std::size_t start = at;
    at = std::min(line.find(',', at), line.size());
    std::size_t end = at;
    while (end > start && isBlank(line[end - 1]))
        --end;
    return {line.substr(start, end - start), start + 1};
}

/// Nothing: it is none. One that is too long is larger than any value of so many bits.
std::optional<Integer> readInteger(const std::string& text, std::uint32_t width, bool takesBools) {
    std::vector<std::uint64_t> limbs((width + 63) / 64 + 1);
    const sme::NumberRead read =
        takesBools ? sme::readNumberOrBool(text, limbs) : sme::readNumber(text, limbs);
    if (read == sme::NumberRead::NoNumber) return std::nullopt;
    const Integer beyond = Integer(1) << static_cast<unsigned>(64 * limbs.size());
    if (read == sme::NumberRead::TooLong) return beyond;
    Integer value;
    import_bits(value, limbs.begin(), limbs.end(), 64, false);
    return limbs.back() >> 63 != 0 ? Integer(value - beyond) : value;
}

Value parseInteger(const TypeTable& types, TypeId type, const std::string& text) {
    const std::optional<Integer> value = readInteger(text, widthOf(types, type), true);
    if (!value) throw noValue(types, type, text);
    if (*value < types.minimum(type) || *value > types.maximum(type)) {
        throw RunError{kFailure,
                       fmt::format("{} does not fit into {}", quotedWord(text), types.name(type))};
    }
    return number(*value);
}

Value parseEnum(const TypeTable& types, TypeId type, const std::string& text) {
    const auto& enumeration = std::get<hir::EnumType>(types[type]);
    const std::optional<Integer> value = readInteger(text, widthOf(types, type), false);
    for (const hir::EnumMember& member : enumeration.members) {
        if (member.name == text || (value && member.value == *value)) return number(member.value);
    }
    throw RunError{kFailure,
                   fmt::format("{} is no member of enum '{}'", quotedWord(text), enumeration.name)};
}

template <typename Float>
Value parseFloat(const TypeTable& types, TypeId type, const std::string& text) {
    Float value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc{} && end == text.data() + text.size()) return real(value);
    throw noValue(types, type, text);
}

std::string firstLeaf(const TypeTable& types, const Part& part) {
    Root whole;
    whole.name = part.name;
    whole.type = part.type;
    return leavesOf(types, whole).front().name;
}

/// The leaf that a column names.
Part columnPart(const hir::Design& design, const NameTable& names, CsvRows::Use use,
                const std::string& place, const CsvCell& cell) {
    const auto part = names.find(cell.text);
    if (!part) {
        const char* what = use == CsvRows::Use::Input ? "input" : "name";
        throw misfit(place, cell.column,
                     fmt::format("unknown {} {}{}", what, quotedWord(cell.text),
                                 names.didYouMean(cell.text)));
    }
    if (design.types.as<hir::ArrayType>(part->type)
        || design.types.as<hir::StructType>(part->type)) {
        throw misfit(place, cell.column,
                     fmt::format("'{}' is of type {}; give each element a column, '{}' first",
                                 cell.text, design.types.name(part->type),
                                 firstLeaf(design.types, *part)));
    }
    if (use == CsvRows::Use::Input && !part->root.isInput) {
        throw misfit(place, cell.column, fmt::format("'{}' is no exposed input", cell.text));
    }
    return *part;
}

}  // namespace

std::vector<CsvCell> splitCsvLine(const std::string& line, const std::string& place) {
    std::vector<CsvCell> cells;
    for (std::size_t at = 0;; ++at) {
        while (at < line.size() && isBlank(line[at]))
            ++at;
        const bool quoted = at < line.size() && line[at] == '"';
        cells.push_back(quoted ? quotedCell(line, at, place) : plainCell(line, at));
        while (at < line.size() && isBlank(line[at]))
            ++at;
        if (at >= line.size()) return cells;
        if (line[at] != ',') throw misfit(place, at + 1, "expected ',' or the end of the line");
    }
}

Value parseScalar(const TypeTable& types, TypeId type, const std::string& text) {
    if (types.isInteger(type)) return parseInteger(types, type, text);
    if (types.as<hir::EnumType>(type)) return parseEnum(types, type, text);
    if (const auto* real = types.as<hir::FloatType>(type)) {
        return real->width == 32 ? parseFloat<float>(types, type, text)
                                 : parseFloat<double>(types, type, text);
    }
    if (types.as<hir::BoolType>(type)) {
        const std::optional<Integer> value = readInteger(text, 1, true);
        if (value && (*value == 0 || *value == 1)) return small(*value == 1);
    }
    throw noValue(types, type, text);
}

// ---------------------------------------------------------------- rows

CsvRows::CsvRows(const std::string& path, const hir::Design& design, const NameTable& names,
                 Use use, sme::LineReader::Waiting waiting)
    : design_(design),
      path_(path == "-" ? "standard input" : onOneLine(path)),
      lines_(path, std::move(waiting)) {
    if (!readLine()) throw misfit(path_ + ":1", 1, "the file is empty; expected a header");
    readHeader(names, use);
    if (isLive()) return;
    const sme::LineReader::Place first = lines_.place();
    while (next()) {}
    lines_.seek(first);
    next_ = 0;
}

std::string CsvRows::place() const { return fmt::format("{}:{}", path_, lines_.line()); }

/// False at the end.
bool CsvRows::readLine() {
    std::string_view line;
    switch (lines_.next(line)) {
    case sme::LineReader::Next::Line: line_ = line; return true;
    case sme::LineReader::Next::End: return false;
    case sme::LineReader::Next::Interrupted: throw CutOff{};
    case sme::LineReader::Next::TooLong:
        throw misfit(
            place(), 1,
            fmt::format("this line is longer than {} MiB", sme::LineReader::kLongestLine >> 20));
    case sme::LineReader::Next::Failed: break;
    }
    throw RunError{kFileSystem,
                   fmt::format("cannot read '{}': {}", path_, std::strerror(lines_.problem()))};
}

void CsvRows::readHeader(const NameTable& names, Use use) {
    const std::vector<CsvCell> cells = splitCsvLine(line_, place());
    if (cells.front().text != "cycle") {
        const bool isSeparated = cells.front().text.find_first_of(";\t|") != std::string::npos;
        throw misfit(
            place(), cells.front().column,
            fmt::format("the first column is {}; {}", quotedWord(cells.front().text),
                        isSeparated ? "columns are separated by commas" : "expected 'cycle'"));
    }
    std::unordered_set<std::string> seen;
    for (std::size_t i = 1; i < cells.size(); ++i) {
        Part part = columnPart(design_, names, use, place(), cells[i]);
        if (!seen.insert(part.name).second)
            throw misfit(place(), cells[i].column,
                         fmt::format("two columns are called '{}'", part.name));
        columns_.push_back(std::move(part));
    }
}

bool CsvRows::next() {
    if (!readLine()) {
        if (!count_) count_ = next_;
        return false;
    }
    readRow();
    ++next_;
    return true;
}

void CsvRows::readRow() {
    const std::vector<CsvCell> cells = splitCsvLine(line_, place());
    if (cells.front().text != std::to_string(next_)) {
        throw misfit(
            place(), cells.front().column,
            fmt::format("cycle {} where {} comes next", quotedWord(cells.front().text), next_));
    }
    if (cells.size() != columns_.size() + 1) {
        throw misfit(
            place(), 1,
            fmt::format("{} values, but the header names {}", cells.size(), columns_.size() + 1));
    }
    values_.clear();
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        try {
            values_.push_back(parseScalar(design_.types, columns_[i].type, cells[i + 1].text));
        } catch (const RunError& error) {
            throw misfit(place(), cells[i + 1].column,
                         fmt::format("{} ('{}')", error.message, columns_[i].name));
        }
    }
}

bool CsvRows::seek(std::uint64_t cycle) {
    if (count_ && cycle >= *count_) return false;
    const bool isChecked = count_.has_value() && !isLive();
    try {
        while (next_ <= cycle) {
            if (next()) continue;
            if (isChecked) throw hasChanged();
            return false;
        }
    } catch (const RunError&) {
        if (isChecked) throw hasChanged();
        throw;
    }
    if (isChecked && next_ == *count_ && lines_.hasChanged()) throw hasChanged();
    return true;
}

RunError CsvRows::hasChanged() const {
    return {kFileSystem, fmt::format("'{}' has changed since the run began", path_)};
}

void CsvRows::readOn() {
    while (!count_ && next()) {}
}

}  // namespace smec::interp
