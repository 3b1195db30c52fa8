#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "output/log.h"

namespace sme {

/// What the threads of a rank had to say about one cycle, for another one.
std::vector<std::byte> packLogs(std::span<ThreadLog* const> logs, std::uint64_t cycle);

/// The logs in such bytes.
std::vector<CycleLog> unpackLogs(std::span<const std::byte> bytes);

}  // namespace sme
