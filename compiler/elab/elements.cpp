#include "elab/elements.h"

#include <algorithm>
#include <bit>

// Elements nearly always come in ascending order and without gaps, so that a list serves as its own
// index. Others (a generate over columns around one over rows) get a hash table.

namespace smec::elab {

namespace {

bool isBefore(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) {
    return std::ranges::lexicographical_compare(a, b);
}

std::size_t slotOf(const Tree& tree, const NamedInstances& named,
                   std::span<const std::uint64_t> indices) {
    std::uint64_t hash = 0x9E3779B97F4A7C15ull;
    for (const std::uint64_t index : indices) {
        hash = (hash ^ index) * 0xFF51AFD7ED558CCDull;
        hash ^= hash >> 32;
    }
    const std::size_t mask = named.slots.size() - 1;
    std::size_t slot = hash & mask;
    while (named.slots[slot] != kNone
           && !std::ranges::equal(indicesOf(tree, named.slots[slot]), indices))
        slot = (slot + 1) & mask;
    return slot;
}

void rehash(const Tree& tree, NamedInstances& named) {
    named.slots.assign(std::max<std::size_t>(64, std::bit_ceil(named.nodes.size() * 4)), kNone);
    for (const NodeId node : named.nodes)
        named.slots[slotOf(tree, named, indicesOf(tree, node))] = node;
}

}  // namespace

std::span<const std::uint64_t> indicesOf(const Tree& tree, NodeId node) {
    const Node& entry = tree.nodes[node];
    return std::span(tree.design.indices).subspan(entry.firstIndex, entry.indexCount);
}

NodeId findElement(const Tree& tree, const NamedInstances& named,
                   std::span<const std::uint64_t> indices) {
    if (!named.isAscending) return named.slots[slotOf(tree, named, indices)];
    const auto equal = [&](NodeId node) {
        return std::ranges::equal(indicesOf(tree, node), indices);
    };
    if (indices.size() == 1 && !named.nodes.empty()) {
        const std::uint64_t offset = indices[0] - indicesOf(tree, named.nodes.front())[0];
        if (offset < named.nodes.size() && equal(named.nodes[offset])) return named.nodes[offset];
    }
    const auto less = [&](NodeId node, std::span<const std::uint64_t> key) {
        return isBefore(indicesOf(tree, node), key);
    };
    const auto found = std::lower_bound(named.nodes.begin(), named.nodes.end(), indices, less);
    return found != named.nodes.end() && equal(*found) ? *found : kNone;
}

NodeId addElement(const Tree& tree, NamedInstances& named, NodeId node) {
    const auto indices = indicesOf(tree, node);
    if (named.isAscending
        && (named.nodes.empty() || isBefore(indicesOf(tree, named.nodes.back()), indices))) {
        named.nodes.push_back(node);
        return kNone;
    }
    const NodeId known = findElement(tree, named, indices);
    if (known != kNone) return known;
    named.isAscending = false;
    named.nodes.push_back(node);
    if (named.slots.size() < named.nodes.size() * 2) {
        rehash(tree, named);
    } else {
        named.slots[slotOf(tree, named, indices)] = node;
    }
    return kNone;
}

}  // namespace smec::elab
