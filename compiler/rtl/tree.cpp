#include "rtl/tree.h"

#include <fmt/format.h>

namespace smec::rtl {

std::string wordName(std::uint64_t width) {
    return width == 1 ? "bool" : fmt::format("u{}", width);
}

std::string wireName(std::uint64_t width) {
    return width == 1 ? "wire" : fmt::format("wire{}", width);
}

ast::TypeExpr Tree::word(std::uint64_t width) { return named(wordName(width)); }

}  // namespace smec::rtl
