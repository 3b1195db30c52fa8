#pragma once

#include "lower/body/context.h"

namespace smec::lower {

class Scalars;
class WaitMachine;

/// switch: labels where they can be listed, comparisons where not.
class Switches {
public:
    Switches(const BodyContext& in, Scalars& scalars, WaitMachine& waits)
        : shape_(in.shape),
          source_(in.source),
          body_(in.body),
          builder_(in.builder),
          writer_(in.writer),
          numbers_(in.numbers),
          scalars_(scalars),
          waits_(waits) {}

    void lower(const hir::Switch& node, SourceRange range);

private:
    void switchOnComparisons(const hir::Switch& node, ir::ExprId subject, SourceRange range,
                             std::size_t next);
    void switchOnLabels(const hir::Switch& node, ir::ExprId subject, SourceRange range);
    ir::ExprId matches(const hir::SwitchCase& choice, ir::ExprId subject);
    bool isCompared(const hir::SwitchCase& choice) const;
    std::vector<ir::Integer> listed(const hir::SwitchCase& choice) const;

    const ClassShape& shape_;
    const hir::Body& source_;
    ir::Body& body_;
    ir::Builder& builder_;
    Writer& writer_;
    Numbers& numbers_;
    Scalars& scalars_;
    WaitMachine& waits_;
};

}  // namespace smec::lower
