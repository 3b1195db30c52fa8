#pragma once

#include <optional>

#include "ir/ir.h"

namespace smec::ir {

class Builder;

/// An expression that is already in the body, or is built of smaller ones, and has the value of this
/// one; nothing: it stays as it is.
std::optional<ExprId> simplify(Builder& build, const Expr& expr);

}  // namespace smec::ir
