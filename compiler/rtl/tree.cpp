#include "rtl/tree.h"

#include <fmt/format.h>

namespace smec::rtl {

std::string wordName(std::uint64_t width, bool isSigned) {
    if (isSigned) return fmt::format("i{}", width);
    return width == 1 ? "bool" : fmt::format("u{}", width);
}

std::string wireName(std::uint64_t width, bool isSigned) {
    if (isSigned) return fmt::format("wire_i{}", width);
    return width == 1 ? "wire" : fmt::format("wire{}", width);
}

ast::TypeExpr Tree::word(std::uint64_t width, bool isSigned) {
    return named(wordName(width, isSigned));
}

ast::ExprId Tree::wordValue(const ast::Integer& value, std::uint32_t width, bool isSigned) {
    if (width == 1 && !isSigned) return boolean(value != 0);
    if (!isSigned) return integer(value);
    const ast::Integer all = ast::Integer(1) << width;
    const ast::Integer low = value % all;
    if (low < all / 2) return integer(low);
    return unary(ast::UnaryOp::Minus, integer(all - low));
}

}  // namespace smec::rtl
