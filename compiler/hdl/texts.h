#pragma once

#include <string>
#include <utility>
#include <vector>

#include "hdl/module_builder.h"

namespace smec::hdl {

/// The text of a trace or assertion, taken apart: what stands between its placeholders, and how
/// each of these shows its value, whose `value` is left to the caller.
std::pair<std::vector<std::string>, std::vector<Shown>> textOf(const ir::TraceSite& site,
                                                               const std::vector<ir::Enum>& enums);

/// A number as {:x} and {:b} show it, without a sign: a negative one in two's complement of `bits`
/// or, if that is too narrow, of as many bits as it needs. `value` is used many times.
ExprId pattern(ModuleBuilder& builder, ExprId value, std::uint32_t bits);

}  // namespace smec::hdl
