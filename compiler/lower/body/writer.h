#pragma once

#include <deque>
#include <utility>

#include "ir/builder.h"
#include "lower/context.h"

namespace smec::lower {

/// Rounds of loops between constants that one activation may do uncounted: the default of
/// --loop-limit.
inline constexpr std::uint64_t kUncountedRounds = 1'000'000'000;

/// What a body does beside computing.
struct Effects {
    bool usesOwner = false;  ///< has sites, or calls a function that does
    bool mayFail = false;
    bool mayTrace = false;
};

inline ir::FailSite failSite(ir::FailureKind kind, SourceRange range, std::string subject = {}) {
    return {kind, range, {}, false, std::move(subject)};
}

/// Writes the body that is made: the statements of the block at hand, temporaries, and the checks
/// and traces, which belong to the class. Expressions come from its builder.
class Writer {
public:
    /// `sites`: the class's body, which owns the traces and failures.
    Writer(Context& context, ir::Body& body, ir::Body& sites, const ir::Leaves& leaves);
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;

    ir::Builder& builder() { return builder_; }
    ir::Body& sites() { return sites_; }
    Effects& effects() { return effects_; }
    /// Loops that are to be counted, and what temporaries keep, are known only when all is lowered.
    void finish();

    // ---- statements
    ir::Block* block() { return block_; }
    void writeTo(ir::Block* block) { block_ = block; }
    void emit(SourceRange range, decltype(ir::Stmt::node) node) {
        block_->push_back({range, std::move(node)});
    }
    void set(SourceRange range, ir::LocalId local, ir::ExprId index, ir::ExprId value) {
        emit(range, ir::Set{local, index, value});
    }
    template <typename F>
    ir::Block capture(F&& fill) {
        ir::Block inner;
        ir::Block* outer = std::exchange(block_, &inner);
        fill();
        block_ = outer;
        return inner;
    }

    // ---- temporaries
    ir::LocalId temp(const ir::Scalar& type, const std::string& name = "t");
    /// A temporary that holds the values of both.
    ir::LocalId tempFor(ir::ExprId a, ir::ExprId b);
    /// Stored in a temporary, unless it is a constant.
    ir::ExprId held(ir::ExprId value, SourceRange range);
    std::vector<ir::LocalId>& tempsFor(hir::TypeId type);

    // ---- checks and traces
    std::uint32_t addSite(ir::FailSite site);
    std::uint32_t addTrace(ir::TraceSite site);
    void check(ir::ExprId ok, ir::FailSite site, std::vector<ir::ExprId> args, SourceRange range);
    ir::ArgFormat numberFormat(ir::ExprId value) const;

private:
    void limitLoops();
    void narrowLongTemps();
    bool narrow(ir::LocalId local, std::uint32_t width);

    Context& context_;
    ir::Body& body_;
    ir::Body& sites_;
    ir::Leaves leaves_;
    ir::Builder builder_;
    ir::Block* block_;
    std::deque<std::vector<ir::LocalId>> temps_;  ///< of aggregates
    std::vector<ir::LocalId> longTemps_;  ///< scalars of many bits that no declaration asks for
    Effects effects_;
};

}  // namespace smec::lower
