#include "sema/check/operators.h"

#include "ast/spelling.h"
#include "sema/check/expressions.h"
#include "sema/check/judgements.h"
#include "sema/operand_types.h"
#include "source/internal_error.h"
#include "syntax/foreign_types.h"

// Binary operators. Long chains lean to the left, so the left spine is walked in a loop.

namespace smec::sema {

using hir::TypeId;
using hir::TypeTable;
using hir::Value;
using Op = hir::BinaryOp;

namespace {

Op converted(ast::BinaryOp op) {
    switch (op) {
    case ast::BinaryOp::Mul: return Op::Mul;
    case ast::BinaryOp::Div: return Op::Div;
    case ast::BinaryOp::Mod: return Op::Mod;
    case ast::BinaryOp::Add: return Op::Add;
    case ast::BinaryOp::Sub: return Op::Sub;
    case ast::BinaryOp::Shl: return Op::Shl;
    case ast::BinaryOp::Shr: return Op::Shr;
    case ast::BinaryOp::Lt: return Op::Lt;
    case ast::BinaryOp::Gt: return Op::Gt;
    case ast::BinaryOp::Le: return Op::Le;
    case ast::BinaryOp::Ge: return Op::Ge;
    case ast::BinaryOp::Eq: return Op::Eq;
    case ast::BinaryOp::Ne: return Op::Ne;
    case ast::BinaryOp::And: return Op::And;
    case ast::BinaryOp::Xor: return Op::Xor;
    case ast::BinaryOp::Or: return Op::Or;
    case ast::BinaryOp::LogicalAnd: return Op::LogicalAnd;
    case ast::BinaryOp::LogicalOr: return Op::LogicalOr;
    }
    throw InternalError("an operator that bodies do not have");
}

std::string_view spelled(Op op) {
    switch (op) {
    case Op::Mul: return spelling(ast::BinaryOp::Mul);
    case Op::Div: return spelling(ast::BinaryOp::Div);
    case Op::Mod: return spelling(ast::BinaryOp::Mod);
    case Op::Add: return spelling(ast::BinaryOp::Add);
    case Op::Sub: return spelling(ast::BinaryOp::Sub);
    case Op::Shl: return spelling(ast::BinaryOp::Shl);
    case Op::Shr: return spelling(ast::BinaryOp::Shr);
    case Op::Lt: return spelling(ast::BinaryOp::Lt);
    case Op::Gt: return spelling(ast::BinaryOp::Gt);
    case Op::Le: return spelling(ast::BinaryOp::Le);
    case Op::Ge: return spelling(ast::BinaryOp::Ge);
    case Op::Eq: return spelling(ast::BinaryOp::Eq);
    case Op::Ne: return spelling(ast::BinaryOp::Ne);
    case Op::And: return spelling(ast::BinaryOp::And);
    case Op::Xor: return spelling(ast::BinaryOp::Xor);
    case Op::Or: return spelling(ast::BinaryOp::Or);
    case Op::LogicalAnd: return spelling(ast::BinaryOp::LogicalAnd);
    case Op::LogicalOr: return spelling(ast::BinaryOp::LogicalOr);
    }
    throw InternalError("an operator without a spelling");
}

bool isBitwise(ast::BinaryOp op) {
    return op == ast::BinaryOp::And || op == ast::BinaryOp::Or || op == ast::BinaryOp::Xor;
}
bool isBitwise(Op op) { return op == Op::And || op == Op::Or || op == Op::Xor; }
bool isComparison(ast::BinaryOp op) { return op >= ast::BinaryOp::Lt && op <= ast::BinaryOp::Ne; }

}  // namespace

void Operators::warnMixed(const ast::Binary& node) {
    if (!isBitwise(node.op)) return;
    for (ast::ExprId side : {node.left, node.right}) {
        const ast::Binary* inner = std::get_if<ast::Binary>(&module_[side].node);
        bool isMixed =
            inner && inner->op != node.op && (isBitwise(inner->op) || isComparison(inner->op));
        if (isMixed)
            reporter_.report(DiagId::MixedPrecedence, node.opRange, spelling(inner->op),
                             spelling(node.op));
    }
}

/// The type of `static_cast<u8>(x)`, which is an error already.
bool Operators::isTypeArgument(const ast::Binary& node) const {
    const auto* name = std::get_if<ast::Name>(&module_[node.right].node);
    return node.op == ast::BinaryOp::Lt && name && !syntax::nativeType(name->text).empty();
}

Operand Operators::binarySpine(ast::ExprId id) {
    std::vector<ast::ExprId> spine;
    ast::ExprId at = id;
    while (const auto* node = std::get_if<ast::Binary>(&module_[at].node)) {
        spine.push_back(at);
        at = node->left;
    }
    const std::uint32_t mark = uses_.mark();
    std::size_t siteBegin = uses_.siteCount(), named = uses_.named();
    Operand result = expressions_.check(at);
    for (; !spine.empty(); spine.pop_back()) {
        const ast::Expr& expr = module_[spine.back()];
        const ast::Binary& node = std::get<ast::Binary>(expr.node);
        warnMixed(node);
        bool isBool = result.isConstant() && result.type == TypeTable::kBool;
        bool isDecided = isBool
                         && ((node.op == ast::BinaryOp::LogicalAnd && !result.value().boolean())
                             || (node.op == ast::BinaryOp::LogicalOr && result.value().boolean()));
        const bool isTemplate = result.isError() && isTypeArgument(node);
        Operand right = isTemplate ? Operand{} : checkSide(node.right, isDecided);
        judgements_.comparison(node, result, right, named);
        result = binary(node.op, node.opRange, std::move(result), std::move(right), expr.range,
                        siteBegin);
        result.range = expr.range;
        uses_.enclose(result, spine.back(), mark);
    }
    return result;
}

/// 'U beside a value reads as the default of its type.
void Operators::adaptUndefined(Operand& left, Operand& right) {
    auto adapt = [&](Operand& undefined, const Operand& other) {
        if (undefined.kind != Operand::Kind::Undefined || !other.isValue()) return;
        TypeId type = other.isConstant() && other.unsized ? other.type : other.declared;
        undefined = build_.constantOperand(hir::defaultValue(types_, type), type, undefined.range);
    };
    adapt(left, right);
    adapt(right, left);
}

Operand Operators::binary(ast::BinaryOp written, SourceRange opRange, Operand left, Operand right,
                          SourceRange range, std::size_t siteBegin) {
    if (left.isError() || right.isError()) return {};
    adaptUndefined(left, right);
    if (!operandsAreValues(reporter_, left, right)) return {};
    Op op = converted(written);
    TypeTable& types = types_;
    if (op == Op::LogicalAnd || op == Op::LogicalOr)
        return logical(op, opRange, std::move(left), std::move(right), range);
    if (isComparison(written))
        return comparison(op, opRange, std::move(left), std::move(right), range);
    bool areIntegers = types.isInteger(left.type) && types.isInteger(right.type);
    if (areIntegers && (op == Op::Shl || op == Op::Shr))
        return shift(op, std::move(left), std::move(right), range, siteBegin);
    if (areIntegers) return arithmetic(op, std::move(left), std::move(right), range, siteBegin);
    bool areBools = left.type == TypeTable::kBool && right.type == TypeTable::kBool;
    if (areBools && isBitwise(op))
        return logical(op, opRange, std::move(left), std::move(right), range);
    bool isFloatOp = op == Op::Add || op == Op::Sub || op == Op::Mul || op == Op::Div;
    bool anyFloat = types.isFloat(left.type) || types.isFloat(right.type);
    if (isFloatOp && anyFloat && adaptFloats(left, right))
        return floats(op, std::move(left), std::move(right), range);
    auto isEnum = [&](const Operand& o) { return types.is<hir::EnumType>(o.type); };
    bool anyBool = left.type == TypeTable::kBool || right.type == TypeTable::kBool;
    const char* wants = isBitwise(op) ? "two integers or two bools"
                        : isFloatOp   ? "two integers or two floats"
                                      : "integers";
    const char* hint = anyFloat && !anyBool && isFloatOp ? "; cast one of them"
                       : anyBool && !isBitwise(op)       ? "; convert a bool with u1(...)"
                       : isEnum(left) || isEnum(right)   ? "; cast an enum to an integer first"
                                                         : "";
    reporter_.report(DiagId::OperatorTypes, range, spelled(op), wants, typeName(types_, left),
                     typeName(types_, right), hint);
    return {};
}

/// Beside a sized operand of & | ^, an unsized constant that is a bit pattern of its type takes
/// that type.
void Operators::adaptPatterns(Op op, Operand& left, Operand& right) {
    if (!isBitwise(op)) return;
    auto adapt = [&](Operand& constant, const Operand& other) {
        if (!constant.isConstant() || !constant.unsized || (other.isConstant() && other.unsized))
            return;
        if (!fitsPattern(types_, other.type, constant.integer())) return;
        const hir::IntType& type = *types_.as<hir::IntType>(other.type);
        hir::Integer pattern = hir::wrap(constant.integer(), type.width, type.isSigned);
        if (pattern == constant.integer() && constant.perInstance) return;
        if (constant.perInstance) uses_.dependOn(constant);
        Interval interval = Interval::of(
            pattern);  // a pattern still counts by its value where a later operator narrows
        constant = build_.constantOperand(Value{std::move(pattern)}, other.type, constant.range);
        constant.interval = std::move(interval);
    };
    adapt(left, right);
    adapt(right, left);
}

Operand Operators::foldIntegers(Op op, const Operand& left, const Operand& right, TypeId type,
                                bool unsized, SourceRange range) {
    Operand substitute = unsized ? build_.unsizedConstant(0, range)
                                 : build_.constantOperand(Value{hir::Integer(0)}, type, range);
    for (const Operand* part : {&left, &right})
        merge(substitute, *part);
    Folded folded = foldBinary(op, left.value(), right.value());
    if (!folded.ok() && folded.failure == Failure::NegativeShift && !nesting_.unevaluated) {
        reporter_.report(DiagId::NegativeShift, right.range, right.integer().str());
        return {};
    }
    if (!folded.ok()) return fail(folded.failure, range, substitute);
    Operand result = unsized ? build_.unsizedConstant(folded.value.integer(), range)
                             : build_.constantOperand(std::move(folded.value), type, range);
    for (const Operand* part : {&left, &right})
        merge(result, *part);
    return result;
}

/// The operand type that the constant on the right leaves; `cap` without it.
TypeId Operators::narrow(Op op, TypeId cap, const Operand& left, const Operand& right,
                         std::size_t siteBegin, SiteNeeds& needs) {
    const Interval& values = left.interval;
    const TypeId type = narrowed(types_, op, cap, values, right.integer());
    if (!left.isConstant()) uses_.upgradeSites(siteBegin);
    if (right.perInstance)
        needs.narrowing = Narrowing{op, cap, values.low, values.high, values.unbounded, type};
    return type;
}

Operand Operators::arithmetic(Op op, Operand left, Operand right, SourceRange range,
                              std::size_t siteBegin) {
    adaptPatterns(op, left, right);
    TypeTable& types = types_;
    bool isDivision = op == Op::Div || op == Op::Mod;
    bool unsized = left.isConstant() && right.isConstant() && left.unsized && right.unsized;
    TypeId type = joined(types, left.type, right.type);
    bool mayNarrow = (isDivision || op == Op::And) && right.isConstant()
                     && !types.as<hir::IntType>(left.type)->isSigned;
    bool canNarrow = mayNarrow && right.integer() > 0;
    SiteNeeds needs;
    if (canNarrow && !unsized) type = narrow(op, type, left, right, siteBegin, needs);
    if (left.isConstant() && right.isConstant())
        return foldIntegers(op, left, right, type, unsized, range);
    if (isDivision && right.isConstant() && right.integer() == 0) {
        reporter_.report(DiagId::DivisionByZero, right.range);
        return {};
    }
    needs.nonZero = isDivision;
    if (right.unsized) needs.use = SiteUse::Width;
    if (mayNarrow && !canNarrow && right.perInstance) needs.use = SiteUse::Value;
    if (isDivision) {
        if (!build_.demand(left, kAllBits) || !build_.demand(right, kAllBits)) return {};
        build_.body().canFail |=
            !right.isConstant()
            && (right.interval.unbounded || (right.interval.low <= 0 && right.interval.high >= 0));
    }
    // What narrows by the value of its right operand has no larger values for the next operator.
    const Interval divisor = canNarrow ? Interval::of(right.integer()) : right.interval;
    Interval interval = apply(op, left.interval, divisor);
    hir::ExprId first = build_.leaf(left), second = build_.use(right, std::move(needs));
    hir::ExprId id = build_.emit(type, range, hir::BinaryExpr{op, first, second});
    return build_.integerValue(id, type, range, std::move(interval),
                               !isDivision && (left.wide || right.wide));
}

Operand Operators::shift(Op op, Operand left, Operand right, SourceRange range,
                         std::size_t siteBegin) {
    TypeTable& types = types_;
    TypeId type = left.type;
    bool unsized = left.isConstant() && left.unsized;
    if (right.isConstant()) {
        bool canNarrow = op == Op::Shr && !unsized && right.integer() > 0
                         && !types.as<hir::IntType>(type)->isSigned;
        if (canNarrow) type = narrowed(types, op, type, left.interval, right.integer());
        if (canNarrow && !left.isConstant()) uses_.upgradeSites(siteBegin);
        if (left.isConstant()) return foldIntegers(op, left, right, type, unsized, range);
        if (right.integer() < 0) {
            reporter_.report(DiagId::NegativeShift, right.range, right.integer().str());
            return {};
        }
        right.interval = Interval::of(right.integer());
    } else {
        build_.body().canFail |= right.interval.unbounded || right.interval.low < 0;
        if (!build_.demand(right, kAllBits) || (op == Op::Shr && !build_.demand(left, kAllBits)))
            return {};
    }
    Interval interval = apply(op, left.interval, right.interval);
    SiteNeeds needs;
    needs.use = SiteUse::Value;  // how many bits are needed hangs on it
    hir::ExprId first = build_.leaf(left), second = build_.use(right, std::move(needs));
    hir::ExprId id = build_.emit(type, range, hir::BinaryExpr{op, first, second});
    return build_.integerValue(id, type, range, std::move(interval), left.wide);
}

/// A bool, or an enum, beside a number.
std::string Operators::equalityHint(Op op, const Operand& left, const Operand& right,
                                    std::string otherwise) {
    const auto number = [&](const Operand& operand) {
        const bool isKnown = operand.isConstant() && types_.isInteger(operand.type);
        return isKnown ? &operand.integer() : nullptr;
    };
    const hir::Integer* value = number(left) ? number(left) : number(right);
    const Operand& other = number(left) ? right : left;
    if (value && types_.is<hir::EnumType>(other.type))
        return memberHint(types_, other.type, *value);
    const bool mixesBool = (left.type == TypeTable::kBool) != (right.type == TypeTable::kBool);
    if (!mixesBool) return otherwise;
    if (!value || (*value != 0 && *value != 1)) return "; convert a bool with u1(...)";
    std::string text = reporter_.text(other.range);
    if ((*value == 1) != (op == Op::Eq))
        text = text.starts_with('(') || text.find(' ') == std::string::npos ? "!" + text
                                                                            : "!(" + text + ")";
    return "; a bool is a condition as it is, write '" + text + "'";
}

Operand Operators::comparison(Op op, SourceRange, Operand left, Operand right, SourceRange range) {
    TypeTable& types = types_;
    bool areIntegers = types.isInteger(left.type) && types.isInteger(right.type);
    bool anyFloat = types.isFloat(left.type) || types.isFloat(right.type);
    bool isEquality = op == Op::Eq || op == Op::Ne;
    bool isSymbolic = left.type == TypeTable::kBool || types.is<hir::EnumType>(left.type);
    bool ok = areIntegers || (anyFloat && adaptFloats(left, right))
              || (isEquality && isSymbolic && left.type == right.type);
    if (!ok) {
        const char* wants = isEquality ? "two numbers, bools or values of one enum" : "two numbers";
        std::string hint = anyFloat ? "; cast one of them" : "";
        if (isEquality)
            hint = equalityHint(op, left, right, std::move(hint));
        else if (left.type == TypeTable::kBool && types.isInteger(right.type))
            hint = "; write 'a < b && b < c'";
        reporter_.report(DiagId::OperatorTypes, range, spelled(op), wants, typeName(types_, left),
                         typeName(types_, right), hint);
        return {};
    }
    if (left.isConstant() && right.isConstant()) {
        Operand result = build_.constantOperand(foldBinary(op, left.value(), right.value()).value,
                                                TypeTable::kBool, range);
        for (const Operand* part : {&left, &right})
            merge(result, *part);
        return result;
    }
    build_.demand(left, kAllBits);
    build_.demand(right, kAllBits);
    hir::ExprId first = build_.leaf(left), second = build_.leaf(right);
    return build_.valueOperand(
        build_.emit(TypeTable::kBool, range, hir::BinaryExpr{op, first, second}), TypeTable::kBool,
        range);
}

Operand Operators::logical(Op op, SourceRange, Operand left, Operand right, SourceRange range) {
    if (left.type != TypeTable::kBool || right.type != TypeTable::kBool) {
        bool anyNumber = types_.isInteger(left.type) || types_.isInteger(right.type);
        bool isChoice = left.type == TypeTable::kBool && right.isConstant();
        reporter_.report(DiagId::OperatorTypes, range, spelled(op), "two bools",
                         typeName(types_, left), typeName(types_, right),
                         !anyNumber ? ""
                         : isChoice ? "; each side is a comparison, as in 'a == 1 || a == 2'"
                                    : "; write '!= 0'");
        return {};
    }
    if (left.isConstant() && right.isConstant()) {
        Operand result = build_.constantOperand(foldBinary(op, left.value(), right.value()).value,
                                                TypeTable::kBool, range);
        for (const Operand* part : {&left, &right})
            merge(result, *part);
        return result;
    }
    hir::ExprId first = build_.use(left), second = build_.use(right);
    return build_.valueOperand(
        build_.emit(TypeTable::kBool, range, hir::BinaryExpr{op, first, second}), TypeTable::kBool,
        range);
}

}  // namespace smec::sema
