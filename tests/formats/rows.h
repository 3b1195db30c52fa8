#pragma once

#include <numeric>
#include <vector>

#include "formats/trace_writer.h"

/// A row in which everything may have changed.
inline void rowOf(sme::TraceWriter& writer, const std::vector<const std::byte*>& values,
                  std::uint64_t cycle) {
    std::vector<std::uint32_t> all(values.size());
    std::iota(all.begin(), all.end(), 0U);
    writer.row({values, all}, cycle);
}
