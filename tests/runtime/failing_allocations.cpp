#include "failing_allocations.h"

#include <algorithm>
#include <cstdlib>
#include <new>

namespace sme::test {

thread_local std::uint64_t allocationsLeft = 0;
thread_local std::size_t failingBytes = 0;

}  // namespace sme::test

using sme::test::allocationsLeft;
using sme::test::failingBytes;

[[gnu::noinline]] void* operator new(std::size_t size) {
    if (allocationsLeft > 0 && --allocationsLeft == 0) throw std::bad_alloc();
    if (failingBytes > 0 && size == failingBytes) throw std::bad_alloc();
    if (void* memory = std::malloc(std::max<std::size_t>(size, 1))) return memory;
    throw std::bad_alloc();
}
/// As the library's own would; that of AddressSanitizer goes to no other.
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    return std::malloc(std::max<std::size_t>(size, 1));
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
