#pragma once

#include <cstdint>
#include <optional>

#include "codegen/cpp/decide/kernel_plan.h"
#include "codegen/cpp/decide/program.h"
#include "plan/plan.h"
#include "plan/steps.h"

namespace smec::codegen::cpp {

/// How the steps of a block reach what they drive, by its upkeep (plan::Upkeep). Variables are those of a
/// function.
class BlockFields {
public:
    BlockFields(const Program& program, const plan::Kernel& kernel)
        : program_(program), kernel_(kernel) {}

    /// Whether there are cycles that nobody observes.
    bool isUnobserved() const { return kernel_.isUnobserved; }
    /// Of a mirror: where its variable lies, which has its value until the step that drives it has run.
    std::optional<AtElement> variableOf(ir::PlaneId plane, std::uint32_t element) const;
    /// Whether a field is stored for those alone who look between cycles: steps that read it have it
    /// from a variable.
    bool isForLookers(ir::PlaneId plane, std::uint32_t element) const;
    /// Whether it has a variable of the block.
    bool isOfBlock(ir::PlaneId plane, std::uint32_t element) const;
    /// Whether that outlives the cycle.
    bool isKept(ir::PlaneId plane, std::uint32_t element) const;

private:
    /// nullptr: none of that kind.
    template <typename T>
    const T* upkeepOf(ir::PlaneId plane, std::uint32_t element) const {
        return std::get_if<T>(&plan::upkeepOf(program_.plan.storage, {plane.index, element}));
    }

    const Program& program_;
    const plan::Kernel& kernel_;
};

}  // namespace smec::codegen::cpp
