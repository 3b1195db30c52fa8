#pragma once

#include "interp/expressions.h"
#include "interp/targets.h"

namespace smec::interp {

enum class Outcome : std::uint8_t { Finished, Waiting, Returned };

/// Runs the statements of one body. Throws Failure where the activation fails.
class Machine {
public:
    /// `function`: whose body it is; null: the process's own.
    Machine(const Activation& on, const hir::Function* function) : on_(on), function_(function) {}
    Machine(const Machine&) = delete;
    Machine& operator=(const Machine&) = delete;

    /// Goes on at the top frame until the body ends, waits or (functions) returns.
    Outcome run(std::vector<Frame>& frames);
    bool holds(hir::ExprId condition) { return expressions_.holds(condition); }
    const Value& result() const { return result_; }  ///< after Returned

private:
    // Each says whether execution of the frames goes on.
    enum class Flow : std::uint8_t { Next, Wait, Return };
    Flow execute(const hir::Assign&, const hir::Stmt&);
    Flow execute(const hir::InitVar&, const hir::Stmt&);
    Flow execute(const hir::If&, const hir::Stmt&);
    Flow execute(const hir::For&, const hir::Stmt&);
    Flow execute(const hir::While&, const hir::Stmt&);
    Flow execute(const hir::Switch&, const hir::Stmt&);
    Flow execute(const hir::Break&, const hir::Stmt&);
    Flow execute(const hir::Continue&, const hir::Stmt&);
    Flow execute(const hir::Return&, const hir::Stmt&);
    Flow execute(const hir::Trace&, const hir::Stmt&);
    Flow execute(const hir::Assert&, const hir::Stmt&);
    Flow execute(const hir::Cover&, const hir::Stmt&);
    Flow execute(const hir::Stop&, const hir::Stmt&);
    Flow execute(const hir::Wait&, const hir::Stmt&);
    Flow execute(const hir::WaitUntil&, const hir::Stmt&);
    void enter(const hir::Block& block);
    bool startRound(Frame& frame);
    bool startRound(Frame& frame, const hir::For& loop);
    void countRound(SourceRange loop);
    void leaveToLoop();
    std::string text(const hir::Text& text);

    const Activation on_;
    const hir::Function* function_;
    Expressions expressions_{on_};
    Targets targets_{on_, expressions_};
    std::vector<Frame>* frames_ = nullptr;
    Value result_;
};

}  // namespace smec::interp
