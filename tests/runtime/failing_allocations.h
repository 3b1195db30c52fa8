#pragma once

#include <cstdint>

namespace sme::test {

/// Allocations of this thread until one fails, once; 0: none does.
extern thread_local std::uint64_t allocationsLeft;

}  // namespace sme::test
