#include "trace/listing.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "values/format.h"
#include "values/value.h"

namespace sme {
namespace {

const char* kindOf(const Model& model, const Ref& ref) {
    if (ref.flags & kVariable) return "variable";
    if ((ref.flags & kExposed) == 0) return "field";
    return model.planes[ref.plane].home == Home::Given ? "exposed input" : "exposed output";
}

void column(std::string& out, const std::string& text, std::size_t width) {
    out.append(text);
    out.append(width > text.size() ? width - text.size() + 2 : 2, ' ');
}

}  // namespace

std::string listNames(const NameTable& names) {
    struct Row {
        std::string name;
        Ref ref;
    };
    const Model& model = names.model();
    std::vector<Row> rows;
    std::size_t nameWidth = 4;
    std::size_t typeWidth = 4;
    names.forEach([&](const std::string& name, const Ref& ref) {
        rows.push_back({name, ref});
        nameWidth = std::max(nameWidth, name.size());
        typeWidth = std::max(typeWidth, std::string_view(model.types[ref.type].name).size());
    });
    std::stable_sort(rows.begin(), rows.end(),
                     [](const Row& a, const Row& b) { return naturalLess(a.name, b.name); });
    std::string text;
    column(text, "name", nameWidth);
    column(text, "type", typeWidth);
    text.append("bits   kind\n");
    for (const Row& row : rows) {
        column(text, row.name, nameWidth);
        column(text, model.types[row.ref.type].name, typeWidth);
        column(text, std::to_string(totalBits(model, row.ref.type)), 5);
        text.append(kindOf(model, row.ref)).push_back('\n');
    }
    return text;
}

std::vector<std::byte> finalValue(const Engine& engine, const Ref& ref) {
    std::vector<std::byte> value(engine.model().types[ref.type].bytes);
    std::byte* at = value.data();
    forEachPiece(engine.model(), ref, [&](const Ref& piece, std::size_t bytes) {
        std::memcpy(at, engine.final(piece.plane, piece.element) + piece.offset, bytes);
        at += bytes;
    });
    return value;
}

std::string printLine(const Model& model, const std::string& path, const Ref& ref,
                      const std::byte* value) {
    std::string line = path + ": ";
    appendValue(line, model, ref.type, value, {});
    line.push_back('\n');
    return line;
}

}  // namespace sme
