#include "codegen/verilog/wide.h"

#include <algorithm>

#include "ir/arithmetic.h"

namespace smec::codegen::verilog {

namespace {

constexpr std::uint64_t kWord = 32;

std::uint64_t wordsOf(std::uint64_t bits) { return (bits + kWord - 1) / kWord; }

}  // namespace

bool isSpoilt(const hdl::Integer& value, std::uint64_t width) {
    if (width <= kSafe) return false;
    const hdl::Integer bits = ir::wrapInteger(value, static_cast<std::uint32_t>(width), false);
    const std::uint64_t used = ir::bitLength(bits);
    return used > kSafe && wordsOf(used) < wordsOf(width);
}

// Odd ones first:  1 3 0 2
std::vector<Part> partsOf(std::uint64_t width) {
    const std::uint64_t count = std::max<std::uint64_t>(4, (width + kSafe - 1) / kSafe);
    const std::uint64_t each = (width + count - 1) / count;
    std::vector<Part> parts;
    for (const std::uint64_t first : {1U, 0U})
        for (std::uint64_t low = first * each; low < width; low += 2 * each)
            parts.push_back({low, std::min(each, width - low)});
    return parts;
}

}  // namespace smec::codegen::verilog
