#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "formats/names.h"
#include "sme/model.h"

namespace sme {

/// A value that has a name: a field, a variable, or a part of one. If it is stored in one piece,
/// its bytes lie at `offset` within element `element` of `plane`.
struct Ref {
    std::uint32_t plane;
    std::uint64_t element;
    std::uint64_t offset;
    std::uint32_t type;
    std::uint32_t flags;  ///< NameFlags
    const NameRun* run;
    std::uint32_t number;     ///< within the run
    std::uint32_t leaf = 0;   ///< of a value in several pieces: the first leaf of the part
    std::uint64_t index = 0;  ///< and the part's place within that leaf, in parts
};

bool isInOnePiece(const Model& model, const Ref& ref);
Ref elementOf(const Model& model, Ref array, std::uint64_t index);
Ref memberOf(const Model& model, Ref structure, std::uint32_t member);

/// Of what has one slot: whether a cycle shows what it was before its processes ran. So do variables
/// and held arrays; of other fields it is what they became.
inline bool isReadBefore(const Plane& plane, std::uint32_t flags) {
    return (flags & kVariable) != 0 || plane.hold;
}

/// Calls visit(scalar, name) for each scalar of a value, in order of members and indices. `name`
/// grows and shrinks after what it holds already.
template <typename Visit>
void forEachScalar(const Model& model, const Ref& ref, std::string& name, const Visit& visit) {
    const Type& type = model.types[ref.type];
    const std::size_t length = name.size();
    if (type.kind == Kind::Struct) {
        for (std::uint32_t i = 0; i < type.count; ++i) {
            name.append(1, '.').append(type.fields[i].name);
            forEachScalar(model, memberOf(model, ref, i), name, visit);
            name.resize(length);
        }
    } else if (type.kind == Kind::Array) {
        for (std::uint32_t i = 0; i < type.count; ++i) {
            name.append(1, '[').append(std::to_string(i)).append(1, ']');
            forEachScalar(model, elementOf(model, ref, i), name, visit);
            name.resize(length);
        }
    } else {
        visit(ref, name);
    }
}

/// visit(ref, bytes) for the parts of a value that lie in one piece, in the order of the value: they
/// follow one another in a value put together.
template <typename Visit>
void forEachPiece(const Model& model, const Ref& ref, const Visit& visit) {
    const Type& type = model.types[ref.type];
    if (isInOnePiece(model, ref)) {
        visit(ref, type.bytes);
        return;
    }
    for (std::uint32_t i = 0; i < type.count; ++i)
        forEachPiece(model,
                     type.kind == Kind::Struct ? memberOf(model, ref, i) : elementOf(model, ref, i),
                     visit);
}

/// The names of a model. Looks up and lists; holds nothing per name, for there may be millions.
class NameTable {
public:
    explicit NameTable(const Model& model);

    /// The value called `path`: a whole field or variable, or a part like `b.v[2]` or `p.acc.x`. The
    /// name of a bus alone is its field `v`: `b` and `b[2]`, if nothing else is called so.
    std::optional<Ref> find(std::string_view path) const;
    /// The same, but for names that are written out.
    std::optional<Ref> findWhole(std::string_view path) const;
    /// Calls visit(name, ref) for every field and variable, in source order. `name` may be appended
    /// to by the visitor as long as it restores it.
    void forEach(const std::function<void(std::string& name, const Ref& ref)>& visit) const;
    /// The existing name that looks most like `path`; empty when none does.
    std::string suggest(std::string_view path) const;
    /// What to say of a path that is no value: which ones it has, or the nearest name; or nothing.
    std::string hint(std::string_view path) const;

    const Model& model() const { return model_; }

private:
    std::optional<Ref> findInRun(const NameRun& run, std::string_view path) const;
    std::optional<Ref> descend(Ref ref, std::string_view rest) const;

    const Model& model_;
    std::unordered_multimap<std::string_view, const NameRun*> runs_;  ///< by prefix
};

Ref refOf(const Model& model, const NameRun& run, std::uint32_t i);

/// How many letters must be added, removed, changed or swapped with their neighbour; `limit` + 1
/// when more than `limit`.
std::size_t editDistance(std::string_view a, std::string_view b, std::size_t limit);

/// The candidate nearest to `word`, empty when none is near.
class Nearest {
public:
    explicit Nearest(std::string_view word) : word_(word), limit_(1 + word.size() / 3) {}
    void consider(std::string_view candidate);
    const std::string& best() const { return best_; }

private:
    std::string_view word_;
    std::size_t limit_;
    std::string best_;
};

/// "; did you mean 'X'?" or nothing.
std::string didYouMean(const std::string& suggestion);

}  // namespace sme
