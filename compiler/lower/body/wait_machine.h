#pragma once

#include <unordered_map>

#include "lower/body/context.h"

namespace smec::lower {

class Scalars;
class Statements;

/// A body that waits becomes a state machine: what holds a wait is taken apart into states.
class WaitMachine {
public:
    /// States of a loop that was taken apart.
    struct Loop {
        std::uint32_t next, after;
    };
    WaitMachine(const BodyContext& in, Scalars& scalars, Statements& statements)
        : context_(in.context),
          shape_(in.shape),
          source_(in.source),
          body_(in.body),
          builder_(in.builder),
          writer_(in.writer),
          variables_(in.variables),
          numbers_(in.numbers),
          scalars_(scalars),
          statements_(statements) {}

    void runStates();
    void goTo(std::uint32_t state, SourceRange range);  ///< within the activation
    void takeApart(const hir::Block& block);
    void takeApart(const hir::Stmt& stmt);
    void takeApart(const hir::While& node, SourceRange range);
    void takeApart(const hir::For& node, SourceRange range);
    void takeApart(const hir::Wait& node, std::uint32_t after, SourceRange range);
    void takeApart(const hir::WaitUntil& node, std::uint32_t after, SourceRange range);
    void branch(const hir::Block& block, SourceRange range);
    /// The innermost loop that is being taken apart; null outside of all.
    const Loop* loop() const { return loops_.empty() ? nullptr : &loops_.back(); }

private:
    struct Branch {
        std::uint32_t state;
        const hir::Block* block;
    };
    /// A loop that counts; `body`: the state that begins a round.
    struct Counting {
        ir::LocalId var, last;
        hir::TypeId type;  ///< of both
        std::uint32_t body;
        SourceRange range;
    };
    void start(const hir::For& node, const Counting& loop);
    void advance(hir::LoopKind kind, const Counting& loop);
    void roundWith(ir::ExprId value, const Counting& loop);
    void enter(std::uint32_t state) { writer_.writeTo(&states_[state]); }
    std::uint32_t narrowHidden(ir::LocalId id, const ir::Integer& most);
    std::uint32_t newState();
    void reserveWaits();
    void closeUnreached();
    void leaveFor(std::uint32_t state, SourceRange range);  ///< the next activation begins there
    void takeChoiceApart(const hir::Stmt& stmt);

    Context& context_;
    const ClassShape& shape_;
    const hir::Body& source_;
    ir::Body& body_;
    ir::Builder& builder_;
    Writer& writer_;
    Variables& variables_;
    Numbers& numbers_;
    Scalars& scalars_;
    Statements& statements_;
    std::deque<ir::Block> states_;
    std::unordered_map<const hir::Stmt*, std::uint32_t> afterWaits_;  ///< states
    ir::Integer mostWait_ = 0;                 ///< largest value of Variables::waitCount
    std::vector<ir::ExprId> fewerWaits_;       ///< where it counts down
    std::vector<Loop> loops_;                  ///< taken apart, innermost last
    std::vector<Branch>* branches_ = nullptr;  ///< of the choice being taken apart
};

}  // namespace smec::lower
