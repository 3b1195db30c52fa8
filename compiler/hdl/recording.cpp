#include "hdl/recording.h"

#include "ir/arithmetic.h"

namespace smec::hdl {

namespace {

void set(std::string& digits, std::uint64_t bit) {
    char& digit = digits[digits.size() - 1 - bit / 4];
    const int value = (digit <= '9' ? digit - '0' : digit - 'a' + 10) | 1 << (bit % 4);
    digit = "0123456789abcdef"[value];
}

}  // namespace

std::string hexLines(const Design& design, const Recording& recording) {
    std::uint64_t width = 0;
    for (const std::uint32_t probe : recording.probes)
        width += design.probes[probe].type.width;
    std::string text;
    for (const std::vector<Integer>& row : recording.rows) {
        std::string digits((width + 3) / 4, '0');
        std::uint64_t low = 0;
        for (std::size_t i = 0; i < row.size(); ++i) {
            const Type type = design.probes[recording.probes[i]].type;
            const Integer bits = ir::wrapInteger(row[i], type.width, false);
            for (std::uint32_t b = 0; b < type.width; ++b)
                if (bit_test(bits, b)) set(digits, low + b);
            low += type.width;
        }
        text += digits.empty() ? "0" : digits;
        text += '\n';
    }
    return text;
}

}  // namespace smec::hdl
