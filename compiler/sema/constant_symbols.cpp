#include "sema/check/constant_checker.h"

// Named constants are evaluated when first asked for. Sizes, indices and bounds are mostly small
// sums and products of names: those are computed here directly; everything else goes through the
// checker.

namespace smec::sema {

namespace {

TypedValue typedValue(const Operand& operand) {
    if (!operand.unsized) return {operand.value(), operand.type};
    return {operand.value(), operand.integer() < 0 ? hir::TypeTable::kInt : hir::TypeTable::kUint};
}

}  // namespace

bool ConstantSymbols::evaluate(Symbol& symbol) {
    ConstSymbol& constant = std::get<ConstSymbol>(symbol.node);
    using State = ConstSymbol::State;
    if (!constant.decl) return constant.value.value.valid();
    if (constant.state == State::Done) return true;
    if (constant.state == State::Failed) return false;
    if (constant.state == State::Busy) {
        core_.reporter.report(DiagId::ConstantCycle, symbol.range, symbol.name);
        return false;
    }
    constant.state = State::Busy;
    ConstantChecker checker(core_, *constant.scope);
    bool ok = false;
    if (constant.decl->type) {
        hir::TypeId type = checker.resolveType(*constant.decl->type);
        auto value = checker.constantFor(constant.decl->value,
                                         {type, "constant '" + symbol.name + "'", true, true});
        ok = value && !core_.types().isError(type);
        if (ok) constant.value = {std::move(*value), type};
    } else {
        Operand operand = checker.constant(constant.decl->value, "constant '" + symbol.name + "'");
        ok = operand.isConstant();
        if (ok) constant.value = typedValue(operand);
    }
    constant.perInstance = checker.dependsOnInstance();
    // Another scope may be tried quietly; what fails there is evaluated and reported again when it
    // is needed.
    constant.state = ok                         ? State::Done
                     : core_.reporter.isQuiet() ? State::Unevaluated
                                                : State::Failed;
    return ok;
}

namespace {

using Small = std::optional<std::int64_t>;

Small small(const hir::Integer& value) {
    constexpr std::int64_t kLimit = std::int64_t{1} << 62;
    if (value.backend().size() > 1 || value > kLimit || value < -kLimit) return std::nullopt;
    return value.convert_to<std::int64_t>();
}

Small combine(ast::BinaryOp op, std::int64_t left, std::int64_t right) {
    std::int64_t result = 0;
    switch (op) {
    case ast::BinaryOp::Add: return __builtin_add_overflow(left, right, &result) ? Small() : result;
    case ast::BinaryOp::Sub: return __builtin_sub_overflow(left, right, &result) ? Small() : result;
    case ast::BinaryOp::Mul: return __builtin_mul_overflow(left, right, &result) ? Small() : result;
    case ast::BinaryOp::Div: return right == 0 || right == -1 ? Small() : left / right;
    case ast::BinaryOp::Mod: return right == 0 || right == -1 ? Small() : left % right;
    case ast::BinaryOp::Shl:
    case ast::BinaryOp::Shr:
    case ast::BinaryOp::Lt:
    case ast::BinaryOp::Gt:
    case ast::BinaryOp::Le:
    case ast::BinaryOp::Ge:
    case ast::BinaryOp::Eq:
    case ast::BinaryOp::Ne:
    case ast::BinaryOp::And:
    case ast::BinaryOp::Xor:
    case ast::BinaryOp::Or:
    case ast::BinaryOp::LogicalAnd:
    case ast::BinaryOp::LogicalOr: break;
    }
    return std::nullopt;
}

}  // namespace

std::optional<std::int64_t> ConstantSymbols::quickName(const ast::Name& name, const Scope& scope) {
    Symbol* symbol = scope.find(name.text);
    ConstSymbol* constant = symbol ? std::get_if<ConstSymbol>(&symbol->node) : nullptr;
    if (!constant || (constant->decl && constant->state != ConstSymbol::State::Done))
        return std::nullopt;
    symbol->used = true;
    const hir::Integer* value = std::get_if<hir::Integer>(&constant->value.value.data);
    return value && core_.types().isInteger(constant->value.type) ? small(*value) : std::nullopt;
}

std::optional<std::int64_t> ConstantSymbols::quick(ExprRef ref, const Scope& scope) {
    const auto& node = core_.modules.expr(ref).node;
    if (const auto* literal = std::get_if<ast::IntLiteral>(&node)) return small(literal->value);
    if (const auto* name = std::get_if<ast::Name>(&node)) return quickName(*name, scope);
    if (const auto* paren = std::get_if<ast::Paren>(&node))
        return quick({ref.module, paren->inner}, scope);
    if (const auto* binary = std::get_if<ast::Binary>(&node)) {
        if (binary->op > ast::BinaryOp::Sub) return std::nullopt;
        Small left = quick({ref.module, binary->left}, scope);
        Small right = left ? quick({ref.module, binary->right}, scope) : std::nullopt;
        return right ? combine(binary->op, *left, *right) : std::nullopt;
    }
    return std::nullopt;
}

}  // namespace smec::sema
