#include "trace/rows.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <unordered_set>

#include "output/error.h"
#include "values/value.h"
#include "values/words.h"

namespace sme {
namespace {

/// Why `ref` cannot be a column; empty when it can.
std::string whyNoColumn(const Model& model, std::string_view name, const Ref& ref, Rows::Use use) {
    if (!isScalar(model.types[ref.type])) {
        std::string first(name);
        for (std::uint32_t type = ref.type; !isScalar(model.types[type]);) {
            const Type& whole = model.types[type];
            const bool isArray = whole.kind == Kind::Array;
            first += isArray ? "[0]" : std::string(".") + whole.fields[0].name;
            type = isArray ? whole.element : whole.fields[0].type;
        }
        return quotedWord(name) + " is of type " + model.types[ref.type].name
               + "; give each element a column, " + quotedWord(first) + " first";
    }
    const bool isInput = model.planes[ref.plane].home == Home::Given && (ref.flags & kExposed) != 0;
    if (use == Rows::Use::Input && !isInput) return quotedWord(name) + " is no exposed input";
    return {};
}

}  // namespace

bool Rows::open(const std::string& path, const NameTable& names, Use use,
                LineReader::Waiting waiting) {
    model_ = &names.model();
    path_ = path == "-" ? "standard input" : onOneLine(path);
    reader_ = std::make_unique<CsvReader>(path_, path, std::move(waiting));
    const CsvReader::Next header = reader_->next(cells_);
    if (header == CsvReader::Next::Interrupted) return false;
    throwIfAny(header == CsvReader::Next::Problem ? reader_->problem() : readHeader(names, use));
    if (isLive()) return true;
    const Found found = checkAll();
    if (found == Found::Problem) throwIfAny(problem_);
    return found != Found::Interrupted;
}

Rows::Found Rows::checkAll() {
    Found found;
    do {
        remember();
        found = next();
    } while (found == Found::Row);
    if (found == Found::End) goBackTo(0);
    return found;
}

FileProblem Rows::readHeader(const NameTable& names, Use use) {
    if (cells_.empty()) return {1, path_ + ":1:1: error: the file is empty; expected a header"};
    if (cells_[0].text != "cycle") {
        const bool isSeparated = cells_[0].text.find_first_of(";\t|") != std::string_view::npos;
        return reader_->error(
            cells_[0].column,
            "the first column is " + quotedWord(cells_[0].text)
                + (isSeparated ? "; columns are separated by commas" : "; expected 'cycle'"));
    }
    std::unordered_set<std::string_view> seen;
    for (std::size_t i = 1; i < cells_.size(); ++i) {
        if (!seen.insert(cells_[i].text).second) {
            return reader_->error(cells_[i].column,
                                  "two columns are called " + quotedWord(cells_[i].text));
        }
        if (FileProblem problem = addColumn(cells_[i], names, use)) return problem;
    }
    return {};
}

FileProblem Rows::addColumn(const CsvReader::Cell& cell, const NameTable& names, Use use) {
    const auto ref = names.find(cell.text);
    if (!ref) {
        const char* what = use == Use::Input ? "unknown input " : "unknown name ";
        return reader_->error(cell.column,
                              what + quotedWord(cell.text) + didYouMean(names.suggest(cell.text)));
    }
    const std::string why = whyNoColumn(names.model(), cell.text, *ref, use);
    if (!why.empty()) return reader_->error(cell.column, why);
    const std::uint32_t bytes = names.model().types[ref->type].bytes;
    columns_.push_back(
        {*ref, std::string(cell.text), static_cast<std::uint32_t>(data_.size()), bytes});
    data_.resize(data_.size() + bytes);
    return {};
}

// ---------------------------------------------------------------- rows

Rows::Found Rows::seek(std::uint64_t cycle) {
    if (problem_ && cycle >= problemAt_) return Found::Problem;
    problem_ = {};
    if (count_ && cycle >= *count_) return Found::End;
    if (cycle + 1 == next_) return Found::Row;
    if (cycle < next_) {
        if (isLive()) return fail({3, "'" + path_ + "' cannot be read again; a file can"}, cycle);
        goBackTo(cycle);
    }
    Found found = Found::Row;
    while (next_ <= cycle && found == Found::Row)
        found = next();
    const bool isChecked = count_.has_value() && !isLive();
    const bool isWrong = found == Found::Problem || found == Found::End;
    const bool isLast = isChecked && next_ == *count_;
    if (isChecked && (isWrong || (isLast && reader_->lines().hasChanged())))
        return fail({3, "'" + path_ + "' has changed since the run began"}, cycle);
    return found;
}

Rows::Found Rows::readOn() {
    Found found = count_ || problem_ ? Found::End : Found::Row;
    while (found == Found::Row)
        found = next();
    return found;
}

Rows::Found Rows::next() {
    switch (reader_->next(cells_)) {
    case CsvReader::Next::Interrupted: return Found::Interrupted;
    case CsvReader::Next::Problem: return fail(reader_->problem(), next_);
    case CsvReader::Next::End: {
        if (!count_) count_ = next_;
        return Found::End;
    }
    case CsvReader::Next::Row: break;
    }
    if (FileProblem problem = readCells()) return fail(std::move(problem), next_);
    ++next_;
    return Found::Row;
}

FileProblem Rows::readCells() {
    char wanted[24];
    const std::string_view cycle(wanted, std::to_chars(wanted, std::end(wanted), next_).ptr);
    if (cells_[0].text != cycle) {
        return reader_->error(cells_[0].column, "cycle " + quotedWord(cells_[0].text) + " where "
                                                    + std::string(cycle) + " comes next");
    }
    if (cells_.size() != columns_.size() + 1) {
        return reader_->error(1, std::to_string(cells_.size()) + " values, but the header names "
                                     + std::to_string(columns_.size() + 1));
    }
    std::string why;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        const Column& column = columns_[i];
        const CsvReader::Cell& cell = cells_[i + 1];
        const Type& type = model_->types[column.ref.type];
        if (!parseScalar(type, cell.text, data_.data() + column.offset, why))
            return reader_->error(cell.column, why + " ('" + column.name + "')");
    }
    return {};
}

Rows::Found Rows::fail(FileProblem problem, std::uint64_t cycle) {
    problem_ = std::move(problem);
    problemAt_ = cycle;
    return Found::Problem;
}

/// Where the next row is. When there are many places every second one goes.
void Rows::remember() {
    constexpr std::size_t kMostPlaces = 4096;
    if (next_ % spacing_ != 0) return;
    places_.push_back(reader_->lines().place());
    if (places_.size() < kMostPlaces) return;
    for (std::size_t i = 0; 2 * i < places_.size(); ++i)
        places_[i] = places_[2 * i];
    places_.resize((places_.size() + 1) / 2);
    spacing_ *= 2;
}

void Rows::goBackTo(std::uint64_t cycle) {
    const std::size_t place = std::min<std::size_t>(cycle / spacing_, places_.size() - 1);
    reader_->lines().seek(places_[place]);
    next_ = place * spacing_;
}

}  // namespace sme
