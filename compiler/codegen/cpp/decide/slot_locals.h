#pragma once

#include <cstdint>
#include <vector>

#include "codegen/cpp/decide/body_info.h"
#include "codegen/cpp/decide/kernel_plan.h"
#include "ir/ir.h"

namespace smec::codegen::cpp {

/// Which of a class's outputs and variables the body touches; the rest is neither loaded nor
/// stored.
struct SlotLocals {
    std::vector<std::uint32_t> outputs;  ///< local per output slot, UINT32_MAX when never written
    std::vector<std::uint32_t> state;    ///< local per state slot, UINT32_MAX when unused
};
SlotLocals slotLocalsOf(const ir::Class& cls, const BodyInfo& info);

/// Of Class::state: where a log of it is.
std::uint32_t logSlot(const ir::Class& cls, const ir::Log& log);

}  // namespace smec::codegen::cpp
