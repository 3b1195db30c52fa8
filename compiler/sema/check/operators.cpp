#include "sema/check/operators.h"

#include "ast/spelling.h"
#include "sema/check/expressions.h"
#include "sema/check/judgements.h"
#include "sema/operand_types.h"

namespace smec::sema {

using hir::TypeId;
using hir::TypeTable;

namespace {

/// The branch that a constant condition chooses, or none.
std::optional<bool> decided(const Operand& condition) {
    if (!condition.isConstant() || !std::holds_alternative<bool>(condition.value().data))
        return std::nullopt;
    return condition.value().boolean();
}

}  // namespace

Operand Operators::checkSide(ast::ExprId id, bool isUnevaluated) {
    const Depth::Inside inside = nesting_.unevaluated.enterIf(isUnevaluated);
    return expressions_.check(id);
}

Operand Operators::unary(ast::UnaryOp op, Operand operand, SourceRange range) {
    if (operand.isError()) return operand;
    TypeTable& types = types_;
    if (!operandsAreValues(reporter_, operand, operand)) return {};
    bool isBool = operand.type == TypeTable::kBool;
    if (types.isInteger(operand.type) && op != ast::UnaryOp::Not)
        return unaryInteger(op, std::move(operand), range);
    bool isFloatSign =
        types.isFloat(operand.type) && (op == ast::UnaryOp::Plus || op == ast::UnaryOp::Minus);
    if (!isFloatSign && !(isBool && op == ast::UnaryOp::Not)) {
        bool isNumber = types.isInteger(operand.type);
        const char* wants = op == ast::UnaryOp::Not          ? "bool"
                            : op == ast::UnaryOp::Complement ? "an integer"
                                                             : "a number";
        const char* hint = op == ast::UnaryOp::Not && isNumber        ? "; write '== 0'"
                           : op == ast::UnaryOp::Complement && isBool ? "; write '!'"
                                                                      : "";
        reporter_.report(DiagId::OperatorType, range, spelling(op), wants,
                         typeName(types_, operand), hint);
        return {};
    }
    if (op == ast::UnaryOp::Plus) return operand;
    hir::UnaryOp kind = op == ast::UnaryOp::Not ? hir::UnaryOp::Not : hir::UnaryOp::Negate;
    if (operand.isConstant()) {
        Operand result = build_.constantOperand(
            foldUnary(types, kind, operand.value(), operand.type).value, operand.type, range);
        result.floatLiteral = operand.floatLiteral;
        merge(result, operand);
        return result;
    }
    return build_.valueOperand(build_.emit(operand.type, range, hir::UnaryExpr{kind, operand.id}),
                               operand.type, range);
}

Operand Operators::unaryInteger(ast::UnaryOp op, Operand operand, SourceRange range) {
    if (op == ast::UnaryOp::Plus) {
        operand.symbol = nullptr;
        return operand;
    }
    hir::UnaryOp kind = op == ast::UnaryOp::Minus ? hir::UnaryOp::Negate : hir::UnaryOp::Complement;
    bool isSigned = types_.as<hir::IntType>(operand.type)->isSigned;
    if (operand.isConstant()) {
        // ~ of an unsized constant is -x-1: as of a signed type.
        TypeId type = operand.unsized && !isSigned
                          ? types_.integer(widthOf(types_, operand.type) + 1, true)
                          : operand.type;
        Folded folded = foldUnary(types_, kind, operand.value(), type);
        if (!folded.ok()) return fail(folded.failure, range, operand);
        Operand result = operand.unsized
                             ? build_.unsizedConstant(folded.value.integer(), range)
                             : build_.constantOperand(std::move(folded.value), operand.type, range);
        merge(result, operand);
        return result;
    }
    Interval interval = negate(operand.interval);
    if (kind == hir::UnaryOp::Complement) {
        interval = isSigned ? apply(hir::BinaryOp::Sub, interval, Interval::of(1))
                            : intervalOf(types_, operand.type);
    }
    hir::ExprId id = build_.emit(operand.type, range, hir::UnaryExpr{kind, operand.id});
    return build_.integerValue(id, operand.type, range, std::move(interval), operand.wide);
}

/// The condition in front of a '?'; in error where it is no bool.
Operand Operators::test(ast::ExprId id) {
    Operand test = expressions_.check(id);
    if (test.isError() || test.type == TypeTable::kBool) return test;
    if (operandsAreValues(reporter_, test, test))
        reporter_.report(DiagId::ConditionType, test.range, typeName(types_, test),
                         types_.isInteger(test.type) ? "; write '!= 0'" : "");
    return {};
}

Operand Operators::conditional(const ast::Conditional& node, SourceRange range) {
    Operand test = this->test(node.condition);
    std::optional<bool> choice = decided(test);
    Operand yes, no;
    if (choice != false) yes = expressions_.check(node.yes);
    no = checkSide(node.no, choice == true && yes.isConstant());
    if (choice == false) yes = checkSide(node.yes, no.isConstant());
    adaptUndefined(yes, no);
    if (test.isError() || yes.isError() || no.isError() || !operandsAreValues(reporter_, yes, no))
        return {};
    adaptFloats(yes, no);
    TypeTable& types = types_;
    bool areIntegers = types.isInteger(yes.type) && types.isInteger(no.type);
    if (!areIntegers && yes.declared != no.declared) {
        reporter_.report(DiagId::BranchTypes, range, typeName(types_, yes), typeName(types_, no));
        return {};
    }
    TypeId type = areIntegers ? joined(types, yes.type, no.type) : yes.declared;
    if (choice && yes.isConstant() && no.isConstant()) {
        const Operand& chosen = *choice ? yes : no;
        bool unsized = yes.unsized && no.unsized;
        Operand result = unsized ? build_.unsizedConstant(chosen.integer(), range)
                                 : build_.constantOperand(chosen.value(), type, range);
        result.floatLiteral = yes.floatLiteral && no.floatLiteral;
        for (const Operand* part : {&test, &yes, &no})
            merge(result, *part);
        return result;
    }
    hir::ExprId condition = build_.use(test), first = build_.leaf(yes), second = build_.leaf(no);
    hir::ExprId id = build_.emit(type, range, hir::ConditionalExpr{condition, first, second});
    if (!areIntegers) return build_.valueOperand(id, type, range);
    return build_.integerValue(id, type, range, unite(yes.interval, no.interval),
                               yes.wide || no.wide);
}

Operand Operators::fail(Failure failure, SourceRange range, const Operand& substitute) {
    if (nesting_.unevaluated) return substitute;
    reporter_.reportFailure(failure, range, {});
    return {};
}

}  // namespace smec::sema
