#pragma once

#include <cstdint>
#include <optional>

#include "interp/activation.h"

namespace smec::interp {

/// Evaluates the expressions of a body in the order of the language: left to right, and only what
/// is needed. Throws Failure where the activation fails.
class Expressions {
public:
    explicit Expressions(const Activation& on) : on_(on) {}

    Value evaluate(hir::ExprId id);
    bool holds(hir::ExprId condition);
    /// The element of an array port that an index names; nothing where it lies outside and checks
    /// are off.
    std::optional<std::uint64_t> portElement(std::uint32_t port, hir::ExprId element,
                                             SourceRange range);

private:
    // The value is found where it lies (variables, read slots, constants) or made in `scratch`.
    const Value& look(hir::ExprId id, Value& scratch);
    const Value& look(const hir::Constant&, const hir::Expr&, Value& scratch);
    const Value& look(const hir::InstanceConstant&, const hir::Expr&, Value& scratch);
    const Value& look(const hir::ReadVar&, const hir::Expr&, Value& scratch);
    const Value& look(const hir::ReadField&, const hir::Expr&, Value& scratch);
    const Value& look(const hir::ArrayElement&, const hir::Expr&, Value& scratch);
    const Value& look(const hir::BitSelect&, const hir::Expr&, Value& scratch);
    const Value& look(const hir::SliceSelect&, const hir::Expr&, Value& scratch);
    const Value& look(const hir::IndexedSliceSelect&, const hir::Expr&, Value& scratch);
    const Value& look(const hir::StructMemberOf&, const hir::Expr&, Value& scratch);
    const Value& look(const hir::UnaryExpr&, const hir::Expr&, Value& scratch);
    const Value& look(const hir::BinaryExpr&, const hir::Expr&, Value& scratch);
    const Value& look(const hir::ConditionalExpr&, const hir::Expr&, Value& scratch);
    const Value& look(const hir::CastExpr&, const hir::Expr&, Value& scratch);
    const Value& look(const hir::MakeArray&, const hir::Expr&, Value& scratch);
    const Value& look(const hir::MakeStruct&, const hir::Expr&, Value& scratch);
    const Value& look(const hir::CallExpr&, const hir::Expr&, Value& scratch);
    const Value& look(const hir::BuiltinExpr&, const hir::Expr&, Value& scratch);
    Value apply(const hir::BinaryExpr& binary, const hir::Expr& expr, Value left);

    const Activation& on_;
};

}  // namespace smec::interp
