#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/owners.h"
#include "sme/model.h"

namespace sme {

/// Elements [first, end) of a plane.
struct ElementRange {
    std::uint64_t first;
    std::uint64_t end;
    bool operator==(const ElementRange&) const = default;
};

/// What a rank holds of the whole design: what its processes write, and what none does. Beside that
/// comes what it reads of other ranks (Engine::connect). The rest of its arena is never touched, so
/// that it takes addresses but no memory.
class Residence {
public:
    Residence(const Model& model, const Owners& owners, unsigned rank);

    std::span<const ElementRange> of(std::uint32_t plane) const { return ranges_[plane]; }

private:
    std::vector<std::vector<ElementRange>> ranges_;
};

/// Those of elements [first, end) of a plane that a rank writes.
std::vector<ElementRange> ownedIn(const Model& model, const Owners& owners, unsigned rank,
                                  std::uint32_t plane, ElementRange range);

}  // namespace sme
