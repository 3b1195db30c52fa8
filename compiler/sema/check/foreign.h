#pragma once

#include "sema/check/parts.h"

namespace smec::sema {

/// The body of an extern process: one call and what becomes of its result.
void addForeignBody(const CheckContext& in, ExpressionParts& parts, CheckedProcess& result);

}  // namespace smec::sema
