#pragma once

#include "lower/body/context.h"

namespace smec::lower {

class Parts;
class Scalars;

/// Calls of functions. Arguments are stored to the types of the parameters.
class Calls {
public:
    Calls(const BodyContext& in, Scalars& scalars, Parts& parts)
        : context_(in.context),
          shape_(in.shape),
          source_(in.source),
          builder_(in.builder),
          writer_(in.writer),
          numbers_(in.numbers),
          scalars_(scalars),
          parts_(parts) {}

    Part callForPart(const hir::CallExpr& node, const hir::Expr& expr);
    ir::Call prepareCall(const hir::CallExpr& node);

private:
    Context& context_;
    const ClassShape& shape_;
    const hir::Body& source_;
    ir::Builder& builder_;
    Writer& writer_;
    Numbers& numbers_;
    Scalars& scalars_;
    Parts& parts_;
};

}  // namespace smec::lower
