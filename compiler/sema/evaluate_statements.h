#pragma once

#include "sema/evaluate.h"

namespace smec::sema {

enum class Flow : std::uint8_t { Next, Break, Continue, Return, Failed };

/// Runs the statements of a body that is evaluated.
class StatementEvaluator {
public:
    StatementEvaluator(const hir::Design& design, EvaluationSteps& steps, Evaluator& expressions)
        : design_(design), steps_(steps), expressions_(expressions) {}

    Flow run(EvaluatedBody& frame, const hir::Block& block);

private:
    Flow run(EvaluatedBody& frame, const hir::Stmt& statement);
    Flow init(EvaluatedBody& frame, const hir::InitVar& node, SourceRange range);
    Flow assign(EvaluatedBody& frame, const hir::Assign& node, SourceRange range);
    Flow loop(EvaluatedBody& frame, const hir::For& node, SourceRange range);
    Flow loop(EvaluatedBody& frame, const hir::While& node, SourceRange range);
    Flow choose(EvaluatedBody& frame, const hir::Switch& node);
    struct Target {
        hir::Value& value;
        hir::TypeId type;
    };
    bool write(EvaluatedBody& frame, Target target, const hir::Place& place, std::size_t step,
               hir::Value value);
    std::uint32_t widthOf(const Target& whole) const;
    bool writeBits(Target target, std::uint64_t low, std::uint64_t width,
                   const hir::Integer& value);
    Flow fail(Failure failure, SourceRange range);

    const hir::Design& design_;
    EvaluationSteps& steps_;
    Evaluator& expressions_;
};

}  // namespace smec::sema
