#pragma once

#include <cstdint>
#include <vector>

#include "sme/model.h"

namespace sme {

/// One activation of a clock group: levels of combinational work, then its clocked level.
struct Stage {
    ClockGroup group;
    std::uint32_t first;    ///< level
    std::uint32_t clocked;  ///< level, the last one

    bool operator==(const Stage&) const = default;
};

/// What a step of a simulation, a cycle, goes through: stages one after the other, and all levels of a
/// model in their order. Today there is one stage, of the only group.
class Stages {
public:
    explicit Stages(const Model& model) : list_{{kOnlyGroup, 0, model.levels - 1}} {}

    auto begin() const { return list_.begin(); }
    auto end() const { return list_.end(); }
    /// Whether all levels work on the same slots.
    bool isOne() const { return list_.size() == 1; }
    /// Levels of a step: behind all but the last one, threads meet before they go on.
    std::uint32_t levels() const { return list_.back().clocked + 1; }
    const Stage& of(std::uint32_t level) const {
        auto stage = list_.begin();
        while (stage->clocked < level)
            ++stage;
        return *stage;
    }
    bool isClocked(std::uint32_t level) const { return of(level).clocked == level; }
    /// They have numbers from 0.
    ClockGroup groups() const { return kOnlyGroup + 1; }

private:
    std::vector<Stage> list_;
};

}  // namespace sme
