#pragma once

#include <vector>

#include "codegen/cpp/decide/body_info.h"

namespace smec::codegen::cpp {

/// By expression. `intervals`: of the same body.
std::vector<ExprFacts> factsOf(const ir::Body& body, const std::vector<ir::Interval>& intervals);

CounterWord counterOf(const ir::For& loop, const std::vector<ir::Interval>& intervals);

}  // namespace smec::codegen::cpp
