#pragma once

#include <vector>

#include "engine/engine.h"
#include "values/names.h"

namespace sme {

/// Scalars as they are read during a cycle, for rows that are expected: fields as the processes see
/// them, variables as they are before the body runs.
class Sampler {
public:
    Sampler(const Engine& engine, std::vector<Ref> columns);

    /// Whether values must be taken while all threads stand still: variables, which bodies change
    /// in place, and combinational fields, which exist only after their level.
    bool needsPause() const { return needsPause_; }
    /// Keeps the variables; between two cycles, before the one that will be asked for.
    void snapshot();
    /// Column `index` in `cycle`: during it, or right after it where needsPause().
    const std::byte* at(std::size_t index, std::uint64_t cycle) const;
    std::uint32_t typeIndex(std::size_t index) const { return columns_[index].type; }
    const Model& model() const { return engine_.model(); }
    std::size_t size() const { return columns_.size(); }

private:
    static constexpr std::size_t kLive = ~std::size_t{0};

    const Engine& engine_;
    std::vector<Ref> columns_;
    std::vector<std::size_t> kept_;  ///< place in snapshot_, or kLive
    std::vector<std::byte> snapshot_;
    bool needsPause_ = false;
};

}  // namespace sme
