#pragma once

#include "lower/body/stores.h"
#include "lower/body/switches.h"
#include "lower/body/texts.h"
#include "lower/body/wait_machine.h"

namespace smec::lower {

/// Statements that stay whole.
class Statements {
public:
    Statements(const BodyContext& in, Scalars& scalars, Parts& parts, Stores& stores,
               WaitMachine& waits, Switches& switches, Texts& texts)
        : context_(in.context),
          shape_(in.shape),
          source_(in.source),
          function_(in.function),
          builder_(in.builder),
          writer_(in.writer),
          variables_(in.variables),
          numbers_(in.numbers),
          scalars_(scalars),
          parts_(parts),
          stores_(stores),
          waits_(waits),
          switches_(switches),
          texts_(texts) {}

    void statements(const hir::Block& block);
    void statement(const hir::Stmt& stmt);
    void countRound(SourceRange range);

private:
    void lower(const hir::InitVar& node, SourceRange range);
    void lower(const hir::If& node, SourceRange range);
    void lower(const hir::For& node, SourceRange range);
    void lower(const hir::While& node, SourceRange range);
    void lower(const hir::Break& node, SourceRange range);
    void lower(const hir::Continue& node, SourceRange range);
    void lower(const hir::Return& node, SourceRange range);
    void lower(const hir::Cover& node, SourceRange range);
    void lower(const hir::Stop& node, SourceRange range);
    void lower(const hir::Wait& node, SourceRange range);
    void lower(const hir::WaitUntil& node, SourceRange range);
    std::optional<std::uint64_t> roundsOf(ir::LoopKind kind, ir::ExprId from, ir::ExprId to) const;

    void lower(const hir::Assign& node, SourceRange range) { stores_.assign(node, range); }
    void lower(const hir::Switch& node, SourceRange range) { switches_.lower(node, range); }
    void lower(const hir::Trace& node, SourceRange range) { texts_.lower(node, range); }
    void lower(const hir::Assert& node, SourceRange range) { texts_.lower(node, range); }
    void loopBody(const hir::Block& body);
    const WaitMachine::Loop* waitLoop() const;

    Context& context_;
    const ClassShape& shape_;
    const hir::Body& source_;
    const hir::Function* function_;
    ir::Builder& builder_;
    Writer& writer_;
    Variables& variables_;
    Numbers& numbers_;
    Scalars& scalars_;
    Parts& parts_;
    Stores& stores_;
    WaitMachine& waits_;
    Switches& switches_;
    Texts& texts_;
    std::uint32_t structuredLoops_ = 0;  ///< loops that stay whole around the statement
};

}  // namespace smec::lower
