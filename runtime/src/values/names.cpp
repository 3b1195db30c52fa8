#include "values/names.h"

#include <algorithm>
#include <charconv>
#include <cstring>

#include "values/instances.h"
#include "values/value.h"

namespace sme {
namespace {

constexpr std::size_t kMostSuggestions = 200'000;  // names looked at for a suggestion

/// Takes a decimal number without leading zeros off the front of `text`.
bool takeNumber(std::string_view& text, std::uint64_t& number) {
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (problem != std::errc()) return false;
    const auto digits = static_cast<std::size_t>(end - text.data());
    if (digits > 1 && text.front() == '0') return false;
    text.remove_prefix(digits);
    return true;
}

bool holdsStructs(const Model& model, std::uint32_t type) {
    while (model.types[type].kind == Kind::Array)
        type = model.types[type].element;
    return model.types[type].kind == Kind::Struct;
}

/// Finds the bytes of a part of a value in several pieces.
Ref located(const Model& model, Ref ref) {
    if (!ref.run->leaves || !isInOnePiece(model, ref)) return ref;
    const LeafPlace& place = ref.run->leaves[ref.leaf];
    ref.plane = place.elements ? place.elements[ref.index] : place.plane;
    ref.element = static_cast<std::uint64_t>(place.start + std::int64_t{ref.number} * place.stride);
    ref.offset = place.elements ? 0 : ref.index * model.types[ref.type].bytes;
    return ref;
}

/// The first kMostSuggestions names of a model.
template <typename Visit>
void forSomeNames(const Model& model, Visit visit) {
    std::size_t seen = 0;
    std::string name;
    for (std::uint32_t index = 0; index < model.nameRunCount && seen < kMostSuggestions; ++index) {
        const NameRun& run = model.names[index];
        for (std::uint32_t i = 0; i < run.count && seen < kMostSuggestions; ++i, ++seen) {
            name.clear();
            appendRunName(name, run.prefix, run.suffix, run.index + i);
            visit(name);
        }
    }
}

}  // namespace

bool isInOnePiece(const Model& model, const Ref& ref) {
    if (!ref.run->leaves) return true;
    if (holdsStructs(model, ref.type)) return false;
    return model.types[ref.type].kind != Kind::Array || !ref.run->leaves[ref.leaf].elements;
}

Ref elementOf(const Model& model, Ref array, std::uint64_t index) {
    const Type& type = model.types[array.type];
    array.type = type.element;
    array.index = array.index * type.count + index;
    array.offset += index * model.types[type.element].bytes;
    return located(model, array);
}

Ref memberOf(const Model& model, Ref structure, std::uint32_t member) {
    const StructMember& field = model.types[structure.type].fields[member];
    structure.type = field.type;
    structure.leaf += field.leaf;
    structure.offset += field.offset;
    return located(model, structure);
}

Ref refOf(const Model& model, const NameRun& run, std::uint32_t i) {
    const std::int64_t element = std::int64_t{run.start} + std::int64_t{i} * run.stride;
    const std::uint32_t type = run.leaves ? run.type : model.planes[run.plane].type;
    return {run.plane, static_cast<std::uint64_t>(element), 0, type, run.flags, &run, i};
}

NameTable::NameTable(const Model& model) : model_(model) {
    runs_.reserve(model.nameRunCount);
    for (std::uint32_t i = 0; i < model.nameRunCount; ++i)
        runs_.emplace(model.names[i].prefix, &model.names[i]);
}

std::optional<Ref> NameTable::find(std::string_view path) const {
    if (const auto ref = findWhole(path)) return ref;
    for (const std::string& name : withField(path)) {
        if (const auto ref = findWhole(name)) return ref;
    }
    return std::nullopt;
}

std::optional<Ref> NameTable::findWhole(std::string_view path) const {
    for (std::size_t length = path.size() + 1; length-- > 0;) {
        const auto [begin, end] = runs_.equal_range(path.substr(0, length));
        for (auto run = begin; run != end; ++run) {
            if (const auto ref = findInRun(*run->second, path.substr(length))) return ref;
        }
    }
    return std::nullopt;
}

std::optional<Ref> NameTable::findInRun(const NameRun& run, std::string_view rest) const {
    std::uint64_t number = run.index;
    if (run.suffix) {
        const std::string_view suffix = run.suffix;
        if (!takeNumber(rest, number) || !rest.starts_with(suffix)) return std::nullopt;
        if (number < run.index || number - run.index >= run.count) return std::nullopt;
        rest.remove_prefix(suffix.size());
    }
    return descend(refOf(model_, run, static_cast<std::uint32_t>(number - run.index)), rest);
}

std::optional<Ref> NameTable::descend(Ref ref, std::string_view rest) const {
    while (!rest.empty()) {
        const Type& type = model_.types[ref.type];
        const char first = rest.front();
        rest.remove_prefix(1);
        if (first == '[' && type.kind == Kind::Array) {
            std::uint64_t index = 0;
            if (!takeNumber(rest, index) || index >= type.count || !rest.starts_with(']'))
                return std::nullopt;
            rest.remove_prefix(1);
            ref = elementOf(model_, ref, index);
            continue;
        }
        if (first != '.' || type.kind != Kind::Struct) return std::nullopt;
        const std::string_view member = rest.substr(0, rest.find_first_of(".["));
        const StructMember* end = type.fields + type.count;
        const StructMember* found =
            std::find_if(type.fields, end, [&](const StructMember& m) { return member == m.name; });
        if (found == end) return std::nullopt;
        rest.remove_prefix(member.size());
        ref = memberOf(model_, ref, static_cast<std::uint32_t>(found - type.fields));
    }
    return ref;
}

void NameTable::forEach(const std::function<void(std::string&, const Ref&)>& visit) const {
    std::string name;
    for (std::uint32_t index = 0; index < model_.nameRunCount; ++index) {
        const NameRun& run = model_.names[index];
        for (std::uint32_t i = 0; i < run.count; ++i) {
            name.clear();
            appendRunName(name, run.prefix, run.suffix, run.index + i);
            visit(name, refOf(model_, run, i));
        }
    }
}

std::string NameTable::suggest(std::string_view path) const {
    // A name that ends in what was asked for is what was meant, whatever the distance.
    const std::string tail = "." + std::string(path);
    Nearest nearest(path);
    std::string longer;
    forSomeNames(model_, [&](const std::string& name) {
        nearest.consider(name);
        if (longer.empty() && name.ends_with(tail)) longer = name;
    });
    return longer.empty() ? nearest.best() : longer;
}

std::string NameTable::hint(std::string_view path) const {
    NamesBelow below(path);
    forSomeNames(model_, [&](const std::string& name) { below.consider(name); });
    const std::string list = below.text();
    return list.empty() ? didYouMean(suggest(path)) : list;
}

std::size_t editDistance(std::string_view a, std::string_view b, std::size_t limit) {
    const std::size_t difference = a.size() > b.size() ? a.size() - b.size() : b.size() - a.size();
    if (difference > limit) return limit + 1;
    std::vector<std::size_t> before(b.size() + 1);
    std::vector<std::size_t> above(b.size() + 1);
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j)
        above[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        std::size_t least = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            row[j] = std::min(
                {above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
            const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
            least = std::min(least, row[j]);
        }
        if (least > limit) return limit + 1;
        std::swap(before, above);
        std::swap(above, row);
    }
    return std::min(above[b.size()], limit + 1);
}

void Nearest::consider(std::string_view candidate) {
    if (limit_ == 0) return;
    const std::size_t distance = editDistance(word_, candidate, limit_);
    if (distance > limit_) return;
    best_ = candidate;
    limit_ = distance == 0 ? 0 : distance - 1;  // the first of equals wins
}

std::string didYouMean(const std::string& suggestion) {
    return suggestion.empty() ? std::string() : "; did you mean '" + suggestion + "'?";
}

}  // namespace sme
