#include "lower/paths.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace smec::lower {

namespace {

/// Adds "[value]" to a path, or cuts it there.
void addIndex(std::uint64_t value, std::size_t cut, std::size_t& next, Paths::Split& out) {
    std::string& text = out.suffix ? *out.suffix : out.prefix;
    text += '[';
    if (next++ == cut) {
        out.index = value;
        out.suffix = "]";
        return;
    }
    text += std::to_string(value) + "]";
}

std::string& tailOf(Paths::Split& split) { return split.suffix ? *split.suffix : split.prefix; }

}  // namespace

Paths::Paths(const hir::Design& design) : design_(design) {
    struct Hash {
        std::size_t
        operator()(const std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>& key) const {
            const auto [a, b, c] = key;
            return ((a * 0x9E3779B97F4A7C15U) ^ b) * 0x9E3779B97F4A7C15U + c;
        }
    };
    std::unordered_map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t, Hash>
        known;
    signatures_.reserve(design.instances.size());
    for (const hir::Instance& instance : design.instances) {
        const std::uint32_t parent =
            instance.parent.valid() ? signatures_[instance.parent.index] : UINT32_MAX;
        const auto number = static_cast<std::uint32_t>(known.size());
        const auto [it, added] =
            known.try_emplace({parent, instance.name, instance.indexCount}, number);
        signatures_.push_back(it->second);
    }
}

void Paths::indices(hir::InstanceId id, std::vector<std::uint64_t>& out) const {
    const std::size_t begin = out.size();
    for (; id.valid(); id = design_.instances[id.index].parent) {
        const hir::Instance& instance = design_.instances[id.index];
        for (std::uint32_t i = instance.indexCount; i-- > 0;)
            out.push_back(design_.indices[instance.firstIndex + i]);
    }
    std::reverse(out.begin() + static_cast<std::ptrdiff_t>(begin), out.end());
}

void Paths::indices(hir::BusId id, std::vector<std::uint64_t>& out) const {
    const hir::Bus& bus = design_.buses[id.index];
    const hir::BusGroup& group = design_.busGroups[bus.group];
    indices(bus.owner, out);
    out.insert(out.end(), group.scope.begin(), group.scope.end());
    std::uint64_t rest = bus.element;
    out.resize(out.size() + group.dimensions.size());
    for (std::size_t i = 0; i < group.dimensions.size(); ++i) {
        const std::uint64_t size = group.dimensions[group.dimensions.size() - 1 - i];
        out[out.size() - 1 - i] = size ? rest % size : 0;
        rest = size ? rest / size : 0;
    }
}

void Paths::append(hir::InstanceId id, std::size_t cut, std::size_t& next, Split& out) const {
    const hir::Instance& instance = design_.instances[id.index];
    if (instance.parent.valid()) append(instance.parent, cut, next, out);
    if (id == design_.top) return;
    if (!tailOf(out).empty()) tailOf(out) += '.';
    tailOf(out) += design_.strings[instance.name];
    for (std::uint32_t i = 0; i < instance.indexCount; ++i)
        addIndex(design_.indices[instance.firstIndex + i], cut, next, out);
}

Paths::Split Paths::split(hir::InstanceId id, std::optional<std::size_t> cut) const {
    Split result;
    std::size_t next = 0;
    append(id, cut.value_or(SIZE_MAX), next, result);
    return result;
}

Paths::Split Paths::split(hir::BusId id, std::optional<std::size_t> cut) const {
    const hir::Bus& bus = design_.buses[id.index];
    Split result;
    std::size_t next = 0;
    if (bus.owner.valid()) append(bus.owner, cut.value_or(SIZE_MAX), next, result);
    if (!tailOf(result).empty()) tailOf(result) += '.';
    tailOf(result) += design_.busGroups[bus.group].name;
    std::vector<std::uint64_t> all;
    indices(id, all);
    while (next < all.size())
        addIndex(all[next], cut.value_or(SIZE_MAX), next, result);
    return result;
}

void IndexRun::start(const std::vector<std::uint64_t>& indices) {
    last_ = indices;
    position_.reset();
    count_ = 1;
}

bool IndexRun::extend(const std::vector<std::uint64_t>& indices) {
    if (count_ == 0 || indices.size() != last_.size()) return false;
    std::optional<std::size_t> differs;
    for (std::size_t i = 0; i < indices.size(); ++i) {
        if (indices[i] == last_[i]) continue;
        if (differs || indices[i] != last_[i] + 1) return false;
        differs = i;
    }
    if (!differs || (position_ && position_ != differs)) return false;
    position_ = differs;
    last_[*differs] = indices[*differs];
    ++count_;
    return true;
}

}  // namespace smec::lower
