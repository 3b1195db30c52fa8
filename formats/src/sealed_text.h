#pragma once

#include "formats/kept_trace.h"
#include "sme/state_format.h"

namespace sme {

/// What checkpoints say about traces.
void writeTraces(StateWriter& out, const std::vector<KeptTrace>& traces);
std::vector<KeptTrace> readTraces(StateReader& in);

/// A file of a mark, a version, the hash of the rest, and the rest, packed.
std::string sealed(std::string_view mark, std::uint32_t version, std::span<const std::byte> rest);
/// The rest, unpacked. Throws BadState.
std::vector<std::byte> unsealed(std::string_view mark, std::uint32_t version,
                                std::span<const std::byte> bytes);
bool startsWith(std::span<const std::byte> bytes, std::string_view mark);

}  // namespace sme
