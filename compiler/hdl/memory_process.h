#pragma once

#include <optional>
#include <vector>

#include "hdl/hdl.h"

namespace smec::hdl {

/// The body of a clocked process in two, since a reset that acts at once has no place in what sets
/// a memory.
struct MemoryProcess {
    Block memories;            ///< what sets memories, and the locals that it needs
    Block rest;                ///< all but what sets memories
    std::vector<bool> locals;  ///< by SignalId: those of `memories`
};

/// Nothing where the process sets no memory, or one by an array that it sets at once.
std::optional<MemoryProcess> memoryProcess(const Module& module);

/// Whether something else may go into the register of a read than the word of the memory: one that
/// the same activation has set, or what the register gets where a branch with the read is not
/// taken. Yosys moves no register with an asynchronous reset after such a choice into a RAM.
bool isChosenAgainst(const Module& module, SignalId memory);

}  // namespace smec::hdl
