#include "trace/rows.h"

#include <unordered_set>

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
    const bool isInput = model.planes[ref.plane].isInput && (ref.flags & kExposed) != 0;
    if (use == Rows::Use::Input && !isInput) return quotedWord(name) + " is no exposed input";
    return {};
}

}  // namespace

FileProblem Rows::load(const std::string& path, const NameTable& names, Use use) {
    path_ = onOneLine(path);
    CsvReader reader(path);
    if (FileProblem problem = reader.open()) return problem;
    if (FileProblem problem = readHeader(reader, names, use)) return problem;
    std::vector<CsvReader::Cell> cells;
    while (reader.next(cells)) {
        if (FileProblem problem = readRow(reader, names.model(), cells)) return problem;
    }
    return reader.problem();
}

FileProblem Rows::readHeader(CsvReader& reader, const NameTable& names, Use use) {
    std::vector<CsvReader::Cell> cells;
    if (!reader.next(cells)) {
        return reader.problem()
                   ? reader.problem()
                   : FileProblem{1, path_ + ":1:1: error: the file is empty; expected a header"};
    }
    if (cells[0].text != "cycle") {
        return reader.error(cells[0].column, "the first column is " + quotedWord(cells[0].text)
                                                 + "; expected 'cycle'");
    }
    std::unordered_set<std::string_view> seen;
    for (std::size_t i = 1; i < cells.size(); ++i) {
        if (!seen.insert(cells[i].text).second) {
            return reader.error(cells[i].column,
                                "two columns are called " + quotedWord(cells[i].text));
        }
        if (FileProblem problem = addColumn(reader, cells[i], names, use)) return problem;
    }
    return {};
}

FileProblem Rows::addColumn(const CsvReader& reader, const CsvReader::Cell& cell,
                            const NameTable& names, Use use) {
    const auto ref = names.find(cell.text);
    if (!ref) {
        const char* what = use == Use::Input ? "unknown input " : "unknown name ";
        return reader.error(cell.column,
                            what + quotedWord(cell.text) + didYouMean(names.suggest(cell.text)));
    }
    const std::string why = whyNoColumn(names.model(), cell.text, *ref, use);
    if (!why.empty()) return reader.error(cell.column, why);
    const std::uint32_t bytes = names.model().types[ref->type].bytes;
    columns_.push_back(
        {*ref, std::string(cell.text), static_cast<std::uint32_t>(rowBytes_), bytes});
    rowBytes_ += bytes;
    return {};
}

FileProblem Rows::readRow(const CsvReader& reader, const Model& model,
                          const std::vector<CsvReader::Cell>& cells) {
    const std::string wanted = std::to_string(count());
    if (cells[0].text != wanted) {
        return reader.error(cells[0].column, "cycle " + quotedWord(cells[0].text) + " where "
                                                 + wanted + " comes next");
    }
    if (cells.size() != columns_.size() + 1) {
        return reader.error(1, std::to_string(cells.size()) + " values, but the header names "
                                   + std::to_string(columns_.size() + 1));
    }
    data_.resize(data_.size() + rowBytes_);
    std::byte* row = data_.data() + data_.size() - rowBytes_;
    std::string why;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        const Column& column = columns_[i];
        const CsvReader::Cell& cell = cells[i + 1];
        if (!parseScalar(model.types[column.ref.type], cell.text, row + column.offset, why)) {
            return reader.error(cell.column, why + " ('" + column.name + "')");
        }
    }
    lines_.push_back(reader.line());
    return {};
}

}  // namespace sme
