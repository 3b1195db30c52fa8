#pragma once

#include <functional>
#include <unordered_map>

#include "hir/design.h"
#include "sema/fold.h"

namespace smec::sema {

/// Runs checked functions on constants. One object is one constant evaluation: its steps are
/// counted together.
class Evaluator {
public:
    Evaluator(const hir::Design& design, std::uint64_t maxSteps)
        : design_(design), maxSteps_(maxSteps) {}

    /// The arguments already have the parameters' types. Empty after a failure; see `failure` and
    /// `where`.
    std::optional<hir::Value> call(hir::FunctionId function, std::vector<hir::Value> arguments);
    using Constants = std::unordered_map<std::uint32_t, hir::Value>;
    /// An expression over the given variables (loop variables of a body) and constants of the
    /// instance.
    std::optional<hir::Value> expression(const hir::Body& body, hir::ExprId expr,
                                         std::vector<hir::Value>& vars, const Constants& constants);

    Failure failure() const { return failure_; }
    SourceRange where() const { return where_; }

private:
    enum class Flow : std::uint8_t { Next, Break, Continue, Return, Failed };
    struct Frame {
        const hir::Body& body;
        std::vector<hir::Value>& vars;
        hir::Value result;
        const Constants* constants = nullptr;
    };

    bool step(SourceRange range) { return spend(1, range); }
    bool spend(std::uint64_t steps, SourceRange range);
    std::nullopt_t fail(Failure failure, SourceRange range);
    Flow failFlow(Failure failure, SourceRange range);

    std::optional<hir::Value> eval(Frame& frame, hir::ExprId id);
    std::optional<hir::Value> eval(Frame& frame, const hir::Expr& expr);
    std::optional<hir::Value> chain(Frame& frame, const hir::BinaryExpr& top, SourceRange range);
    std::optional<hir::Value> element(Frame& frame, const hir::ArrayElement& node,
                                      SourceRange range);
    std::optional<hir::Value> bit(Frame& frame, const hir::BitSelect& node, SourceRange range);
    std::optional<hir::Value> slice(Frame& frame, const hir::SliceSelect& node);
    std::optional<hir::Value> slice(Frame& frame, const hir::IndexedSliceSelect& node,
                                    SourceRange range);
    std::optional<hir::Value> unary(Frame& frame, const hir::UnaryExpr& node,
                                    const hir::Expr& expr);
    std::optional<hir::Value> cast(Frame& frame, const hir::CastExpr& node, const hir::Expr& expr);
    std::optional<hir::Value> list(Frame& frame, const std::vector<hir::ExprId>& ids,
                                   hir::TypeId type);
    std::optional<hir::Value> callOf(Frame& frame, const hir::CallExpr& node);
    std::optional<hir::Value> builtin(Frame& frame, const hir::BuiltinExpr& node,
                                      SourceRange range);
    std::optional<hir::Value> stored(hir::Value value, hir::TypeId type, SourceRange range);
    std::optional<std::uint64_t> index(Frame& frame, hir::ExprId id, std::uint64_t size,
                                       SourceRange range);

    Flow run(Frame& frame, const hir::Block& block);
    Flow run(Frame& frame, const hir::Stmt& statement);
    Flow init(Frame& frame, const hir::InitVar& node, SourceRange range);
    Flow assign(Frame& frame, const hir::Assign& node, SourceRange range);
    Flow loop(Frame& frame, const hir::For& node, SourceRange range);
    Flow loop(Frame& frame, const hir::While& node, SourceRange range);
    Flow choose(Frame& frame, const hir::Switch& node);
    struct Target {
        hir::Value& value;
        hir::TypeId type;
    };
    bool write(Frame& frame, Target target, const hir::Place& place, std::size_t step,
               hir::Value value);
    bool writeBits(Frame& frame, Target target, const hir::PlaceStep& step, hir::Value value);

    const hir::Design& design_;
    const std::uint64_t maxSteps_;
    std::uint64_t steps_ = 0;
    Failure failure_ = Failure::None;
    SourceRange where_;
};

}  // namespace smec::sema
