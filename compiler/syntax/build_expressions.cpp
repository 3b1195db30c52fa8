#include "syntax/build_expressions.h"

#include "syntax/build_literals.h"

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

bool ExpressionBuilder::mayNest(std::size_t levels, SourceRange range) {
    if (depth_ + levels <= kMaxNesting) return true;
    in_.diagnostics.report(DiagId::NestingTooDeep, range, kMaxNesting);
    return false;
}

ast::ExprId ExpressionBuilder::optional(P::ExpressionContext* context) {
    return context ? expression(*context) : ast::ExprId();
}

std::vector<ast::ExprId>
ExpressionBuilder::list(const std::vector<P::ExpressionContext*>& contexts) {
    std::vector<ast::ExprId> out;
    out.reserve(contexts.size());
    for (P::ExpressionContext* context : contexts)
        out.push_back(expression(*context));
    return out;
}

ast::ExprId ExpressionBuilder::expression(P::ExpressionContext& context) {
    if (context.rest.empty()) return operand(*context.first);

    std::size_t valuesBase = values_.size();
    std::size_t opsBase = operators_.size();
    std::size_t depthBefore = depth_;
    std::vector<ast::Conditional> conditionals;  // `no` still open
    const Token* op = in_.next(context.first->stop);
    values_.push_back(operand(*context.first));
    for (P::OperandContext* right : context.rest) {
        if (op->getType() == P::Question) {
            reduceWhile(opsBase, kAll);
            if (!mayNest(1, in_.rangeOf(op))) break;
            ++depth_;
            conditionals.push_back(
                {values_.back(), expression(*context.branches[conditionals.size()]), {}});
            values_.pop_back();
        } else {
            reduceWhile(opsBase, infoOf(op->getType()).precedence);
            operators_.push_back(op);
        }
        values_.push_back(operand(*right));
        op = in_.next(right->stop);
    }
    reduceWhile(opsBase, kAll);
    ast::ExprId result = values_.back();
    values_.resize(valuesBase);
    depth_ = depthBefore;
    return chosen(conditionals, result);
}

// Closes what is open in `c ? x : d ? y : last`.
ast::ExprId ExpressionBuilder::chosen(std::vector<ast::Conditional>& open, ast::ExprId last) {
    for (; !open.empty(); open.pop_back()) {
        ast::Conditional& conditional = open.back();
        conditional.no = last;
        last = in_.add(cover(in_.module[conditional.condition].range, in_.module[last].range),
                       conditional);
    }
    return last;
}

// Combines the operators that bind at least as tight as `precedence`.
void ExpressionBuilder::reduceWhile(std::size_t opsBase, int precedence) {
    while (operators_.size() > opsBase
           && infoOf(operators_.back()->getType()).precedence >= precedence) {
        ast::ExprId right = values_.back();
        values_.pop_back();
        values_.back() = reduce(values_.back(), operators_.back(), right);
        operators_.pop_back();
    }
}

ast::ExprId ExpressionBuilder::reduce(ast::ExprId left, const Token* op, ast::ExprId right) {
    SourceRange range = cover(in_.module[left].range, in_.module[right].range);
    if (op->getType() == P::Caret) warnAboutPower(left, right);
    return in_.add(range, ast::Binary{infoOf(op->getType()).op, left, right, in_.rangeOf(op)});
}

/// 2 ^ 3 and 10 ^ 3 in decimal: who combines bits writes hexadecimal or binary numbers.
void ExpressionBuilder::warnAboutPower(ast::ExprId left, ast::ExprId right) {
    const SourceRange leftRange = in_.module[left].range;
    const SourceRange rightRange = in_.module[right].range;
    const std::string_view base = in_.textOf(leftRange);
    const std::string_view exponent = in_.textOf(rightRange);
    const bool isSmall = !exponent.empty() && exponent.size() <= 3
                         && exponent.find_first_not_of("0123456789") == std::string_view::npos;
    if ((base != "2" && base != "10") || !isSmall) return;
    const int value = std::stoi(std::string(base)) ^ std::stoi(std::string(exponent));
    in_.diagnostics.report(DiagId::PowerOperator, cover(leftRange, rightRange), base, exponent,
                           value);
}

ast::ExprId ExpressionBuilder::operand(P::OperandContext& context) {
    std::size_t prefixes = context.inner->start->getTokenIndex() - context.start->getTokenIndex();
    std::size_t levels =
        prefixes + context.suffixes.size() + (context.inner->group || context.inner->array);
    if (!mayNest(levels, in_.rangeOf(context.start)))
        return in_.add(in_.rangeOf(context), ast::Undefined{});
    depth_ += levels;
    ast::ExprId id = primary(*context.inner);
    for (P::SuffixContext* suffix : context.suffixes)
        id = suffixed(*suffix, id);
    id = prefixed(context, id);
    depth_ -= levels;
    return id;
}

ast::ExprId ExpressionBuilder::primary(P::PrimaryContext& context) {
    if (context.literal) return buildLiteral(in_, context.literal);
    if (context.name) {
        ast::Identifier name = in_.identifier(*context.name);
        return in_.add(name.range, ast::Name{std::move(name.text)});
    }
    if (context.group) {
        ast::ExprId inner = expression(*context.group->inner);
        return in_.add(in_.rangeOf(context), ast::Paren{inner});
    }
    std::vector<ast::ExprId> elements = list(context.array->elements);
    return in_.add(in_.rangeOf(context), ast::ArrayLiteral{std::move(elements)});
}

ast::ExprId ExpressionBuilder::prefixed(P::OperandContext& context, ast::ExprId inner) {
    for (std::size_t i = context.inner->start->getTokenIndex();
         i-- > context.start->getTokenIndex();) {
        const Token* prefix = in_.tokens.get(i);
        SourceRange range = cover(in_.rangeOf(prefix), in_.module[inner].range);
        inner = in_.add(range, ast::Unary{unaryOf(prefix->getType()), inner});
    }
    return inner;
}

ast::ExprId ExpressionBuilder::suffixed(P::SuffixContext& context, ast::ExprId base) {
    if (!context.call) return accessed(context, base);
    SourceRange range = cover(in_.module[base].range, in_.rangeOf(context));
    std::vector<ast::Argument> list = arguments(context.arguments);
    return in_.add(range, ast::Call{base, std::move(list)});
}

template <typename Context>
ast::ExprId ExpressionBuilder::accessed(Context& context, ast::ExprId base) {
    SourceRange range = cover(in_.module[base].range, in_.rangeOf(context));
    if (context.member) return in_.add(range, ast::Member{base, in_.identifier(*context.member)});
    if (context.star) return in_.add(range, ast::Star{base});
    ast::ExprId index = expression(*context.index);
    if (context.width)
        return in_.add(range, ast::IndexedSlice{base, index, expression(*context.width)});
    if (!context.low) return in_.add(range, ast::Index{base, index});
    ast::ExprId low = expression(*context.low);
    return in_.add(range, ast::Slice{base, index, low});
}

ast::ExprId ExpressionBuilder::target(P::AssignmentStatementContext& context) {
    ast::Identifier name = in_.identifier(*context.target);
    ast::ExprId target = in_.add(name.range, ast::Name{std::move(name.text)});
    if (!mayNest(context.accessors.size(), in_.rangeOf(context.start))) return target;
    for (P::AccessorContext* accessor : context.accessors)
        target = accessed(*accessor, target);
    return target;
}

ast::ExprId ExpressionBuilder::nameOf(P::QualifiedNameContext& context) {
    ast::ExprId id;
    for (ast::Identifier& part : in_.path(context)) {
        if (!id.valid())
            id = in_.add(part.range, ast::Name{std::move(part.text)});
        else
            id = in_.add(cover(in_.module[id].range, part.range), ast::Member{id, std::move(part)});
    }
    return id;
}

std::vector<ast::Argument>
ExpressionBuilder::arguments(const std::vector<P::ArgumentContext*>& contexts) {
    std::vector<ast::Argument> out;
    out.reserve(contexts.size());
    for (P::ArgumentContext* context : contexts) {
        std::optional<ast::Identifier> name;
        if (context->name) name = in_.identifier(*context->name);
        out.push_back({std::move(name), expression(*context->value)});
    }
    return out;
}

}  // namespace smec::syntax
