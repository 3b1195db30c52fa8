#pragma once

#include <cstdint>
#include <map>

#include "codegen/cpp/decide/body_info.h"
#include "ir/ir.h"

namespace smec::codegen::cpp {

/// Scalar variables that an output is equal to after every activation, since the body ends with
/// `output = variable`: the output's local by the variable's.
std::map<std::uint32_t, std::uint32_t> publishedState(const ir::Body& body, const BodyInfo& info);

}  // namespace smec::codegen::cpp
