// The libFuzzer target of the table of C functions: `./sme fuzz --calls` builds and runs it.

#include <cstddef>
#include <cstdint>

#include "fuzz/calls.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    smec::test::checkCalls({data, size});
    return 0;
}
