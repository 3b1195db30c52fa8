#pragma once

#include "sema/evaluation.h"

namespace smec::sema {

/// Runs checked functions on constants. One object is one constant evaluation: its steps are
/// counted together.
class Evaluator {
public:
    Evaluator(const hir::Design& design, std::uint64_t maxSteps)
        : design_(design), steps_(maxSteps) {}

    /// The arguments already have the parameters' types. Empty after a failure; see `failure` and
    /// `where`.
    std::optional<hir::Value> call(hir::FunctionId function, std::vector<hir::Value> arguments);
    /// An expression over the given variables (loop variables of a body) and constants of the
    /// instance.
    std::optional<hir::Value> expression(const hir::Body& body, hir::ExprId expr,
                                         std::vector<hir::Value>& vars,
                                         const ConstantValues& constants);

    Failure failure() const { return steps_.failure(); }
    SourceRange where() const { return steps_.where(); }

    // For statements. Nothing after a failure.
    std::optional<hir::Value> eval(EvaluatedBody& frame, hir::ExprId id);
    /// As a variable of that type holds it.
    std::optional<hir::Value> stored(hir::Value value, hir::TypeId type, SourceRange range);
    /// An index below `size`.
    std::optional<std::uint64_t> index(EvaluatedBody& frame, hir::ExprId id, std::uint64_t size,
                                       SourceRange range);

private:
    std::optional<hir::Value> eval(EvaluatedBody& frame, const hir::Expr& expr);
    std::optional<hir::Value> chain(EvaluatedBody& frame, const hir::BinaryExpr& top,
                                    SourceRange range);
    std::optional<hir::Value> element(EvaluatedBody& frame, const hir::ArrayElement& node,
                                      SourceRange range);
    std::optional<hir::Value> bit(EvaluatedBody& frame, const hir::BitSelect& node,
                                  SourceRange range);
    std::optional<hir::Value> slice(EvaluatedBody& frame, const hir::SliceSelect& node);
    std::optional<hir::Value> slice(EvaluatedBody& frame, const hir::IndexedSliceSelect& node,
                                    SourceRange range);
    std::optional<hir::Value> unary(EvaluatedBody& frame, const hir::UnaryExpr& node,
                                    const hir::Expr& expr);
    std::optional<hir::Value> cast(EvaluatedBody& frame, const hir::CastExpr& node,
                                   const hir::Expr& expr);
    std::optional<hir::Value> list(EvaluatedBody& frame, const std::vector<hir::ExprId>& ids,
                                   hir::TypeId type);
    std::optional<hir::Value> callOf(EvaluatedBody& frame, const hir::CallExpr& node);
    std::optional<hir::Value> builtin(EvaluatedBody& frame, const hir::BuiltinExpr& node,
                                      SourceRange range);
    const hir::Design& design_;
    EvaluationSteps steps_;
};

}  // namespace smec::sema
