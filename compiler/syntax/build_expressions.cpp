#include <cstdint>
#include <string>
#include <utility>

#include "source/utf8.h"
#include "syntax/builder.h"
#include "syntax/literals.h"
#include "syntax/text.h"

// The grammar hands over operands and operators as two flat lists. They are combined by operator
// precedence with two stacks:
//
//     a + b * c - d      values a, b, c   operators +, *     at '-': combine b*c, then a+..., then
//     go on
//
// so that a chain of any length costs no recursion. `c ? x : d ? y : e` cuts the lists at each `?`;
// the pieces are combined from the right.

namespace smec::syntax {

namespace {

using P = grammar::SmeParser;

struct OperatorInfo {
    ast::BinaryOp op;
    int precedence;  // higher binds tighter
};

OperatorInfo infoOf(std::size_t type) {
    using enum ast::BinaryOp;
    switch (type) {
    case P::Star: return {Mul, 8};
    case P::Slash: return {Div, 8};
    case P::Percent: return {Mod, 8};
    case P::Plus: return {Add, 7};
    case P::Minus: return {Sub, 7};
    case P::ShiftLeft: return {Shl, 6};
    case P::ShiftRight: return {Shr, 6};
    case P::Less: return {Lt, 5};
    case P::Greater: return {Gt, 5};
    case P::LessEqual: return {Le, 5};
    case P::GreaterEqual: return {Ge, 5};
    case P::Equal: return {Eq, 4};
    case P::NotEqual: return {Ne, 4};
    case P::Ampersand: return {And, 3};
    case P::Caret: return {Xor, 3};
    case P::Pipe: return {Or, 3};
    case P::LogicalAnd: return {LogicalAnd, 2};
    default: return {LogicalOr, 1};
    }
}

constexpr int kAll = 0;  // below every precedence

ast::UnaryOp unaryOf(std::size_t type) {
    switch (type) {
    case P::Plus: return ast::UnaryOp::Plus;
    case P::Minus: return ast::UnaryOp::Minus;
    case P::Bang: return ast::UnaryOp::Not;
    default: return ast::UnaryOp::Complement;
    }
}

}  // namespace

ast::ExprId Builder::add(SourceRange range, decltype(ast::Expr::node) node) {
    module_.exprs.push_back({range, std::move(node)});
    return {static_cast<std::uint32_t>(module_.exprs.size() - 1)};
}

// False, with an error, where `levels` more would nest too deep.
bool Builder::deeper(std::size_t levels, SourceRange range) {
    if (depth_ + levels <= kMaxNesting) return true;
    diagnostics_.report(DiagId::NestingTooDeep, range, kMaxNesting);
    return false;
}

ast::ExprId Builder::optionalExpression(P::ExpressionContext* context) {
    return context ? expression(*context) : ast::ExprId();
}

std::vector<ast::ExprId> Builder::expressions(const std::vector<P::ExpressionContext*>& contexts) {
    std::vector<ast::ExprId> out;
    out.reserve(contexts.size());
    for (P::ExpressionContext* context : contexts)
        out.push_back(expression(*context));
    return out;
}

ast::ExprId Builder::expression(P::ExpressionContext& context) {
    if (context.rest.empty()) return operand(*context.first);

    std::size_t valuesBase = values_.size();
    std::size_t opsBase = operators_.size();
    std::size_t depthBefore = depth_;
    std::vector<ast::Conditional> conditionals;  // `no` still open
    const Token* op = next(context.first->stop);
    values_.push_back(operand(*context.first));
    for (P::OperandContext* right : context.rest) {
        if (op->getType() == P::Question) {
            reduceWhile(opsBase, kAll);
            if (!deeper(1, rangeOf(op))) break;
            ++depth_;
            conditionals.push_back(
                {values_.back(), expression(*context.branches[conditionals.size()]), {}});
            values_.pop_back();
        } else {
            reduceWhile(opsBase, infoOf(op->getType()).precedence);
            operators_.push_back(op);
        }
        values_.push_back(operand(*right));
        op = next(right->stop);
    }
    reduceWhile(opsBase, kAll);
    ast::ExprId result = values_.back();
    values_.resize(valuesBase);
    depth_ = depthBefore;
    for (; !conditionals.empty(); conditionals.pop_back()) {
        ast::Conditional& conditional = conditionals.back();
        conditional.no = result;
        result =
            add(cover(module_[conditional.condition].range, module_[result].range), conditional);
    }
    return result;
}

// Combines the operators that bind at least as tight as `precedence`.
void Builder::reduceWhile(std::size_t opsBase, int precedence) {
    while (operators_.size() > opsBase
           && infoOf(operators_.back()->getType()).precedence >= precedence) {
        ast::ExprId right = values_.back();
        values_.pop_back();
        values_.back() = reduce(values_.back(), operators_.back(), right);
        operators_.pop_back();
    }
}

ast::ExprId Builder::reduce(ast::ExprId left, const Token* op, ast::ExprId right) {
    SourceRange range = cover(module_[left].range, module_[right].range);
    if (op->getType() == P::Caret) warnAboutPower(left, right);
    return add(range, ast::Binary{infoOf(op->getType()).op, left, right, rangeOf(op)});
}

/// 2 ^ 3 and 10 ^ 3 in decimal: who combines bits writes hexadecimal or binary numbers.
void Builder::warnAboutPower(ast::ExprId left, ast::ExprId right) {
    const SourceRange leftRange = module_[left].range;
    const SourceRange rightRange = module_[right].range;
    const std::string_view base = textOf(leftRange);
    const std::string_view exponent = textOf(rightRange);
    const bool isSmall = !exponent.empty() && exponent.size() <= 3
                         && exponent.find_first_not_of("0123456789") == std::string_view::npos;
    if ((base != "2" && base != "10") || !isSmall) return;
    const int value = std::stoi(std::string(base)) ^ std::stoi(std::string(exponent));
    diagnostics_.report(DiagId::PowerOperator, cover(leftRange, rightRange), base, exponent, value);
}

ast::ExprId Builder::operand(P::OperandContext& context) {
    std::size_t prefixes = context.inner->start->getTokenIndex() - context.start->getTokenIndex();
    std::size_t levels =
        prefixes + context.suffixes.size() + (context.inner->group || context.inner->array);
    if (!deeper(levels, rangeOf(context.start))) return add(rangeOf(context), ast::Undefined{});
    depth_ += levels;
    ast::ExprId id = primary(*context.inner);
    for (P::SuffixContext* suffix : context.suffixes)
        id = suffixed(*suffix, id);
    id = prefixed(context, id);
    depth_ -= levels;
    return id;
}

ast::ExprId Builder::primary(P::PrimaryContext& context) {
    if (context.literal) return literal(context.literal);
    if (context.name) {
        ast::Identifier name = identifier(*context.name);
        return add(name.range, ast::Name{std::move(name.text)});
    }
    if (context.group) {
        ast::ExprId inner = expression(*context.group->inner);
        return add(rangeOf(context), ast::Paren{inner});
    }
    std::vector<ast::ExprId> elements = expressions(context.array->elements);
    return add(rangeOf(context), ast::ArrayLiteral{std::move(elements)});
}

ast::ExprId Builder::prefixed(P::OperandContext& context, ast::ExprId inner) {
    for (std::size_t i = context.inner->start->getTokenIndex();
         i-- > context.start->getTokenIndex();) {
        const Token* prefix = tokens_.get(i);
        SourceRange range = cover(rangeOf(prefix), module_[inner].range);
        inner = add(range, ast::Unary{unaryOf(prefix->getType()), inner});
    }
    return inner;
}

ast::ExprId Builder::suffixed(P::SuffixContext& context, ast::ExprId base) {
    if (!context.call) return accessed(context, base);
    SourceRange range = cover(module_[base].range, rangeOf(context));
    std::vector<ast::Argument> list = arguments(context.arguments);
    return add(range, ast::Call{base, std::move(list)});
}

template <typename Context>
ast::ExprId Builder::accessed(Context& context, ast::ExprId base) {
    SourceRange range = cover(module_[base].range, rangeOf(context));
    if (context.member) return add(range, ast::Member{base, identifier(*context.member)});
    if (context.star) return add(range, ast::Star{base});
    ast::ExprId index = expression(*context.index);
    if (context.width)
        return add(range, ast::IndexedSlice{base, index, expression(*context.width)});
    if (!context.low) return add(range, ast::Index{base, index});
    ast::ExprId low = expression(*context.low);
    return add(range, ast::Slice{base, index, low});
}
template ast::ExprId Builder::accessed(P::AccessorContext&, ast::ExprId);

ast::ExprId Builder::literal(const Token* token) {
    switch (token->getType()) {
    case P::Integer: return integerLiteral(token);
    case P::Float: return floatLiteral(token);
    case P::Character: return characterLiteral(token);
    case P::String: return stringLiteral(token);
    case P::True: return add(rangeOf(token), ast::BoolLiteral{true});
    case P::False: return add(rangeOf(token), ast::BoolLiteral{false});
    default: return add(rangeOf(token), ast::Undefined{});
    }
}

ast::ExprId Builder::integerLiteral(const Token* token) {
    std::optional<ast::Integer> value = parseInteger(textOf(token));
    if (!value) diagnostics_.report(DiagId::IntegerTooLarge, rangeOf(token), kMaxIntegerBits);
    return add(rangeOf(token), ast::IntLiteral{value ? std::move(*value) : ast::Integer()});
}

ast::ExprId Builder::floatLiteral(const Token* token) {
    std::optional<double> value = parseFloat(textOf(token));
    if (!value) diagnostics_.report(DiagId::FloatTooLarge, rangeOf(token), clip(textOf(token)));
    return add(rangeOf(token), ast::FloatLiteral{value.value_or(0)});
}

ast::ExprId Builder::stringLiteral(const Token* token) {
    return add(rangeOf(token), ast::StringLiteral{stringValue(token)});
}

ast::ExprId Builder::characterLiteral(const Token* token) {
    const ParsedString parsed = parseCharacter(textOf(token));
    if (parsed.badEscape)
        reportEscape(token, *parsed.badEscape, "a character", "\\', \\\", \\\\, \\n or \\t");
    return add(rangeOf(token),
               ast::CharacterLiteral{static_cast<std::uint8_t>(parsed.value.front())});
}

std::string Builder::stringValue(const Token* token) {
    ParsedString parsed = parseString(textOf(token));
    if (parsed.badEscape)
        reportEscape(token, *parsed.badEscape, "a string", "\\\", \\\\, \\n or \\t");
    return std::move(parsed.value);
}

void Builder::reportEscape(const Token* token, std::size_t offset, std::string_view where,
                           std::string_view known) {
    SourceRange range = rangeOf(token);
    range.begin += static_cast<std::uint32_t>(offset);
    std::string_view escape =
        text_.substr(range.begin, 1 + characterLength(text_, range.begin + 1));
    range.end = range.begin + static_cast<std::uint32_t>(escape.size());
    diagnostics_.report(DiagId::BadEscape, range, clip(escape), where, known);
}

ast::ExprId Builder::nameOf(P::QualifiedNameContext& context) {
    ast::ExprId id;
    for (ast::Identifier& part : path(context)) {
        if (!id.valid())
            id = add(part.range, ast::Name{std::move(part.text)});
        else
            id = add(cover(module_[id].range, part.range), ast::Member{id, std::move(part)});
    }
    return id;
}

std::vector<ast::Argument> Builder::arguments(const std::vector<P::ArgumentContext*>& contexts) {
    std::vector<ast::Argument> out;
    out.reserve(contexts.size());
    for (P::ArgumentContext* context : contexts) {
        std::optional<ast::Identifier> name;
        if (context->name) name = identifier(*context->name);
        out.push_back({std::move(name), expression(*context->value)});
    }
    return out;
}

}  // namespace smec::syntax
