#include "rtl/terms.h"

#include <algorithm>

#include <fmt/format.h>

namespace smec::rtl {
namespace {

constexpr std::uint32_t kNoWidth = UINT32_MAX;  // more than anything may be stored in

std::uint32_t bitsOf(const ast::Integer& value) {
    return value == 0 ? 1 : static_cast<std::uint32_t>(msb(value)) + 1;
}

}  // namespace

Term Terms::constant(const ast::Integer& value, std::uint32_t width) {
    Term term;
    term.isBool = width == 1;
    term.value = value;
    term.id = term.isBool ? tree_.boolean(value != 0) : tree_.integer(value);
    term.width = term.isBool ? 1 : bitsOf(value);
    term.isExact = term.isPrimary = term.isLiteral = true;
    return term;
}

Term Terms::variable(ast::ExprId id, std::uint32_t width) {
    return {.id = id,
            .isBool = width == 1,
            .width = width,
            .isSigned = false,
            .isExact = true,
            .isPrimary = true,
            .isLiteral = false,
            .value = 0,
            .asSigned = {}};
}

Term Terms::signedVariable(ast::ExprId id, std::uint32_t width) {
    Term number = variable(id, width);
    number.isBool = false;
    number.isSigned = true;
    Term bits = width == 1 ? boolean(ast::BinaryOp::Ne, number, this->number(constant(0, 2)))
                           : cast(number, width, false);
    bits.asSigned = id;
    return bits;
}

Term Terms::bits(const Term& variable_, std::uint32_t offset, std::uint32_t width) {
    if (variable_.isBool) return variable_;
    if (offset == 0 && width == variable_.width) return variable_;
    const ast::ExprId whole = variable_.asSigned.valid() ? variable_.asSigned : variable_.id;
    const ast::ExprId id = width == 1 ? tree_.index(whole, tree_.integer(offset))
                                      : tree_.slice(whole, offset + width - 1, offset);
    return variable(id, width);
}

Term Terms::cat(const std::vector<Term>& parts) {
    std::vector<ast::ExprId> arguments;
    std::uint32_t width = 0;
    for (const Term& part : parts) {
        arguments.push_back(part.id);
        width += part.width;
    }
    return variable(tree_.call("cat", arguments), width);
}

Term Terms::element(const std::vector<Term>& elements, const Term& index, std::uint32_t width) {
    std::vector<ast::ExprId> list;
    for (const Term& element : elements)
        list.push_back(width == 1 ? truth(element).id : element.id);
    return variable(tree_.index(tree_.add(ast::ArrayLiteral{std::move(list)}), index.id), width);
}

Term Terms::cast(const Term& term, std::uint32_t width, bool isSigned) {
    Term made =
        variable(tree_.call(fmt::format("{}{}", isSigned ? 'i' : 'u', width), {term.id}), width);
    made.isBool = false;
    made.isSigned = isSigned;
    return made;
}

Term Terms::number(const Term& term) {
    if (!term.isBool) return term;
    Term made = term;
    if (!term.isLiteral) {
        made = cast(term, 1, false);
        made.asSigned = term.asSigned;
        return made;
    }
    made.isBool = false;
    made.id = tree_.integer(term.value != 0 ? 1 : 0);
    return made;
}

Term Terms::sized(const Term& term, std::uint32_t width) {
    const Term whole = number(term);
    if (!whole.isLiteral && whole.isExact && !whole.isSigned && whole.width == width) return whole;
    return cast(whole, width, false);
}

Term Terms::asSigned(const Term& term, std::uint32_t width) {
    if (term.asSigned.valid() && term.width == width) {
        Term made = variable(term.asSigned, width);
        made.isBool = false;
        made.isSigned = true;
        return made;
    }
    return cast(number(term), width, true);
}

Term Terms::exact(const Term& term, std::uint32_t width) {
    if (term.isBool) return term;
    if (term.isExact && !term.isSigned && term.width <= width)
        return width == 1 ? truth(term) : term;
    const Term made = cast(term, width, false);
    return width == 1 ? truth(made) : made;
}

Term Terms::truth(const Term& term) {
    if (term.isBool) return term;
    return boolean(ast::BinaryOp::Ne, term, number(constant(0, 2)));
}

ast::ExprId Terms::stored(const Term& term, std::uint32_t width) {
    if (width == 1) return exact(term, 1).id;
    const Term whole = number(term);
    return whole.isSigned || whole.width > width ? cast(whole, width, false).id : whole.id;
}

ast::ExprId Terms::storedSigned(const Term& term, std::uint32_t width) {
    if (term.isLiteral) return tree_.wordValue(term.value, width, true);
    const bool isOne = term.isSigned && term.isExact && term.width <= width;
    return isOne ? term.id : asSigned(term, width).id;
}

Term Terms::binary(ast::BinaryOp op, const Term& left, const Term& right) {
    Term term;
    term.id = tree_.binary(op, operand(left), operand(right));
    term.isSigned = left.isSigned || right.isSigned;
    const auto widthIn = [&](const Term& side) {
        return side.width + (term.isSigned && !side.isSigned ? 1 : 0);
    };
    const bool isShift = op == ast::BinaryOp::Shl || op == ast::BinaryOp::Shr;
    if (isShift) term.isSigned = left.isSigned;
    term.width = isShift ? left.width : std::max(widthIn(left), widthIn(right));
    // a constant has to fit by its value, so that it must be cut where it is stored
    if (left.isLiteral && right.isLiteral) term.width = kNoWidth;
    term.isExact = op == ast::BinaryOp::Shr || op == ast::BinaryOp::And || op == ast::BinaryOp::Or
                   || op == ast::BinaryOp::Xor;
    return term;
}

Term Terms::boolean(ast::BinaryOp op, const Term& left, const Term& right) {
    Term term;
    term.id = tree_.binary(op, operand(left), operand(right));
    term.isBool = term.isExact = true;
    term.width = 1;
    return term;
}

Term Terms::negated(const Term& truth_) {
    return variable(tree_.unary(ast::UnaryOp::Not, operand(truth_)), 1);
}

Term Terms::conditional(const Term& condition, const Term& yes, const Term& no,
                        std::uint32_t width) {
    const Term first = width == 1 ? exact(yes, 1) : number(yes);
    const Term second = width == 1 ? exact(no, 1) : number(no);
    const auto loose = [&](const Term& side) {
        return std::holds_alternative<ast::Conditional>(tree_.module()[side.id].node)
                   ? tree_.paren(side.id)
                   : side.id;
    };
    Term term;
    term.id = tree_.conditional(loose(condition), loose(first), second.id);
    term.isBool = width == 1;
    term.isSigned = first.isSigned || second.isSigned;
    const auto widthIn = [&](const Term& side) {
        return side.width + (term.isSigned && !side.isSigned ? 1 : 0);
    };
    term.width = term.isBool ? 1 : std::max(widthIn(first), widthIn(second));
    term.isExact = first.isExact && second.isExact;
    return term;
}

Term Terms::test(std::string_view function, const Term& operand_) {
    return variable(tree_.call(function, {operand_.id}), 1);
}

}  // namespace smec::rtl
