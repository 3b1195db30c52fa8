// The libFuzzer target: `./sme fuzz` builds and runs it.

#include <cstddef>
#include <cstdint>

#include "fuzz/front_end.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    smec::test::checkFrontEnd({reinterpret_cast<const char*>(data), size});
    return 0;
}
