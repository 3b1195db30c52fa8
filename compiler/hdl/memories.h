#pragma once

#include <functional>
#include <optional>

#include "diag/diagnostics.h"
#include "hdl/hdl.h"

namespace smec::hdl {

/// `note` says why; `places`: as many as set it in one cycle.
struct WhyRegisters {
    DiagId note;
    std::size_t places = 0;
};

/// Why synthesis makes registers, not block RAM, of a memory of a clocked process; nothing where it
/// makes block RAM: one write in a cycle, and reads through registers. A read may also be used at
/// once where its address is a register, which then goes into the RAM. `isRegister`: whether an
/// input of the module comes from one.
std::optional<WhyRegisters> whyRegisters(const Module& module, SignalId memory,
                                         const std::function<bool(SignalId)>& isRegister);

}  // namespace smec::hdl
