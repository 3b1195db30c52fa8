#pragma once

#include <cstddef>
#include <cstdint>

namespace sme::test {

/// Allocations of this thread until one fails, once; 0: none does.
extern thread_local std::uint64_t allocationsLeft;
/// Allocations of this thread of just so many bytes fail; 0: none does.
extern thread_local std::size_t failingBytes;

}  // namespace sme::test
