#pragma once

#include <cstdint>

#include "../runtime/test_models.h"

namespace sme::test {

/// 61 processes whose work differs by a factor of 60, and moves: process i does (i + cycle / 8) mod
/// 60 rounds of a generator over what its neighbour sent. Granularity 4. Traces now and then.
class Uneven : public ModelBuilder {
public:
    static constexpr std::uint32_t kCount = 61;
    Uneven();
};

/// 50 processes that wait 1 to 7 cycles between two steps, each a state and a counter; a reader of
/// all of them (indivisible) in the same level, and a combinational process in front of both.
class Waiting : public ModelBuilder {
public:
    static constexpr std::uint32_t kCount = 50;
    Waiting();
};

}  // namespace sme::test
