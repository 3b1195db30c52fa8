#pragma once

#include <vector>

#include "hdl/hdl.h"

namespace smec::hdl {

/// Of each signal of a module: whether nobody in it reads some of its bits. Assertions, which are
/// no hardware, read nothing. Linters say so of inputs, registers, wires and locals.
std::vector<bool> unreadSignals(const Design& design, const Module& module);
/// The same of a process.
std::vector<bool> unreadOfProcess(const Module& process);

}  // namespace smec::hdl
