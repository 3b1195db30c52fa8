#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "hir/design.h"

/// Places in bodies as numbers, for states of processes that wait.
namespace smec::interp {

/// The blocks of a body in the order of its text, and the loops that they are rounds of.
struct Blocks {
    struct Entry {
        const hir::Block* block;
        const hir::For* countLoop = nullptr;
        const hir::While* whileLoop = nullptr;
        SourceRange range{};
    };
    explicit Blocks(const hir::Block& body);

    std::vector<Entry> all;
    std::unordered_map<const hir::Block*, std::uint32_t> numbers;
};

/// Tells a body from others in which the same numbers mean something else.
std::uint64_t markOf(const hir::Design& design, const hir::Specialisation& spec);

}  // namespace smec::interp
