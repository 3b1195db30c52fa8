// Entries of the hierarchy, before lz4: a scope is FE kind name 0 component 0, the end of one FF, a
// variable its kind, direction, name 0, length and the variable it repeats (0: none), an attribute FC
// kind subkind text 0 number. A file's attribute has its name and a number; that of a place in it,
// before a scope, has the number as text, and the line. An enum's attribute has its table as text, as in
// "lamp 2 OFF ON 0 1", and a number; without text it says of which enum the next variable is.

#include "fst/hierarchy.h"

#include <lz4.h>

#include <map>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "formats/scalar.h"
#include "formats/trace_scopes.h"
#include "fst/bytes.h"

namespace sme::fst {
namespace {

enum class Entry : std::uint8_t {
    Real = 3,
    Wire = 16,
    Attribute = 252,
    Scope = 254,
    EndOfScope = 255
};
enum class ScopeKind : std::uint8_t { Module = 0, Generate = 5, Struct = 6 };
constexpr char kMiscellaneous = 0;  // a kind of attributes
// of these
constexpr char kFile = 3;
constexpr char kPlaceInFile = 4;
constexpr char kEnumTable = 7;

/// Readers have buffers for texts of attributes.
constexpr std::size_t kLongestText = 65'000;

ScopeKind kindOf(const TraceScope& scope) {
    switch (scope.kind) {
    case TraceScope::Kind::Instance: return ScopeKind::Module;
    case TraceScope::Kind::Struct: return ScopeKind::Struct;
    case TraceScope::Kind::Array: return ScopeKind::Generate;
    }
    return ScopeKind::Module;
}

std::string bitsOf(std::uint32_t width, const std::byte* at) {
    std::string bits;
    for (std::uint32_t bit = width; bit-- > 0;)
        bits.push_back((static_cast<unsigned>(at[bit / 8]) >> (bit % 8) & 1u) != 0 ? '1' : '0');
    return bits;
}

/// The table of an enum as text; empty where it is longer than readers take.
std::string tableOf(const Type& type) {
    std::string text = std::string(type.name) + ' ' + std::to_string(type.count);
    for (std::uint32_t i = 0; i < type.count; ++i)
        text.append(1, ' ').append(type.members[i].name);
    for (std::uint32_t i = 0; i < type.count; ++i)
        text.append(1, ' ').append(
            bitsOf(type.width, reinterpret_cast<const std::byte*>(storedValue(type.members[i]))));
    return text.size() <= kLongestText ? text : "";
}

/// Writes entries as visitScopes goes along.
class HierarchyWriter {
public:
    explicit HierarchyWriter(const TraceDescription& description) : description_(description) {
        for (const TraceSource& source : description.sources)
            sources_.emplace(source.path, &source);
    }

    void clock() { variable(Entry::Wire, clockName(description_), 1); }
    void enter(const TraceScope& scope) {
        lengths_.push_back(path_.size());
        if (!path_.empty()) path_.push_back('.');
        path_.append(scope.name);
        if (const auto source = sources_.find(path_); source != sources_.end())
            placeInFile(*source->second);
        open(scope.name, kindOf(scope));
    }
    void leave() {
        path_.resize(lengths_.back());
        lengths_.pop_back();
        close();
    }
    /// A scope that is on no path: the top.
    void open(const std::string& text, ScopeKind kind) {
        entry(Entry::Scope);
        entries_.push_back(static_cast<char>(kind));
        name(text);
        name("");
        ++scopes_;
    }
    void close() { entry(Entry::EndOfScope); }
    void show(std::size_t signal, const std::string& leaf) {
        const Type& type = *description_.signals[signal].type;
        const ValueShape shape = shapeOf(type);
        if (shape.form == ValueShape::Form::Real) return variable(Entry::Real, leaf, 64);
        if (type.kind == Kind::Enum) enumOf(type);
        // an index at the end of a name would be read as a bit of a vector
        const bool hasRange = type.width > 1 || leaf.ends_with(']');
        variable(Entry::Wire,
                 hasRange ? leaf + " [" + std::to_string(type.width - 1) + ":0]" : leaf,
                 type.width);
    }

    Hierarchy finish() const;

private:
    void entry(Entry kind) { entries_.push_back(static_cast<char>(kind)); }
    void name(std::string_view text) { entries_.append(text).push_back('\0'); }
    void attribute(char subkind, const std::string& text, std::uint64_t number) {
        entry(Entry::Attribute);
        entries_.push_back(kMiscellaneous);
        entries_.push_back(subkind);
        name(text);
        appendVarint(entries_, number);
    }
    void placeInFile(const TraceSource& source) {
        const auto [known, isNew] = files_.emplace(source.file, files_.size() + 1);
        if (isNew) attribute(kFile, source.file, known->second);
        std::string number;
        appendVarint(number, known->second);
        attribute(kPlaceInFile, number, source.line);
    }
    void enumOf(const Type& type) {
        const std::string table = tableOf(type);
        if (table.empty()) return;
        const auto [known, isNew] = enums_.emplace(table, enums_.size() + 1);
        if (isNew) attribute(kEnumTable, table, known->second);
        attribute(kEnumTable, "", known->second);
    }
    void variable(Entry kind, std::string_view text, std::uint32_t width) {
        entry(kind);
        entries_.push_back(0);  // no direction
        name(text);
        appendVarint(entries_, kind == Entry::Real ? sizeof(double) : width);
        appendVarint(entries_, 0);
        appendVarint(widths_, kind == Entry::Real ? 0 : width);
        ++variables_;
    }

    const TraceDescription& description_;
    std::string entries_;
    std::string widths_;
    std::map<std::string, std::uint64_t> enums_;                        ///< numbers by table
    std::map<std::string, std::uint64_t> files_;                        ///< by name
    std::unordered_map<std::string_view, const TraceSource*> sources_;  ///< by path
    std::string path_;                                                  ///< of the scope at hand
    std::vector<std::size_t> lengths_;                                  ///< of the paths around it
    std::uint64_t scopes_ = 0;
    std::uint64_t variables_ = 0;
};

Hierarchy HierarchyWriter::finish() const {
    std::string numbers;
    appendNumber(numbers, widths_.size());
    appendNumber(numbers, variables_);
    std::string tree;
    appendNumber(tree, entries_.size());
    const int size = static_cast<int>(entries_.size());
    std::string small(static_cast<std::size_t>(LZ4_compressBound(size)), '\0');
    const int length =
        LZ4_compress_default(entries_.data(), small.data(), size, static_cast<int>(small.size()));
    tree.append(small, 0, static_cast<std::size_t>(length));
    // one that is longer than what it says is taken for packed
    return {numbers + packed(widths_), tree, numbers + zlibOf(widths_), scopes_, variables_};
}

}  // namespace

Hierarchy hierarchyOf(const TraceDescription& description) {
    HierarchyWriter writer(description);
    writer.open(description.design, ScopeKind::Module);
    if (description.time.showsClock) writer.clock();
    visitScopes(description, writer);
    writer.close();
    return writer.finish();
}

}  // namespace sme::fst
