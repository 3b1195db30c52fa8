#pragma once

#include <cstdint>
#include <vector>

#include "sme/model.h"

namespace sme {

/// What a step of a simulation goes through: Model::stages.
class Stages {
public:
    explicit Stages(const Model& model) : list_(model.stages, model.stages + model.stageCount) {}

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

private:
    std::vector<Stage> list_;
};

}  // namespace sme
