#pragma once

#include <cstdint>
#include <map>

#include "codegen/cpp/decide/body_info.h"
#include "ir/ir.h"

namespace smec::codegen::cpp {

/// Scalar outputs that are equal to a variable after every activation that does not fail, since the
/// body ends with `output = variable`: the variable's local by the output's.
std::map<std::uint32_t, std::uint32_t> publishedVariables(const ir::Body& body,
                                                          const BodyInfo& info);

}  // namespace smec::codegen::cpp
