#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "codegen/cpp/decide/kernel_plan.h"
#include "codegen/cpp/decide/program.h"
#include "plan/plan.h"

namespace smec::codegen::cpp {

/// How the steps of a block that is all work of a design read what they drive. Variables are those of
/// a function: what a step of another one reads goes through memory.
class BlockFields {
public:
    BlockFields(const Program& program, const plan::Kernel& kernel);

    /// Whether there are cycles that nobody observes.
    bool isUnobserved() const { return isUnobserved_; }
    /// Of a kept field: where the variable lies that it publishes, which has its value until the
    /// step that drives it has run.
    std::optional<AtElement> variableOf(ir::PlaneId plane, std::uint32_t element) const;
    /// Whether a field is stored for those alone who look between cycles: steps that read it have it
    /// from a variable.
    bool isForLookers(ir::PlaneId plane, std::uint32_t element) const;
    /// Whether it has such a variable.
    bool isOfBlock(ir::PlaneId plane, std::uint32_t element) const;

private:
    enum Use : std::uint8_t { kWritten = 1, kReadByStep = 2, kReadInMemory = 4, kReadLater = 8 };

    /// A step of the `function`th function.
    struct Place {
        std::uint32_t instance;
        std::uint32_t function;
    };

    void forEachStep(const plan::Kernel& kernel,
                     void (BlockFields::*note)(const plan::InstanceRef& step,
                                               std::uint32_t function));
    void noteWrites(const plan::InstanceRef& step, std::uint32_t function);
    void noteReads(const plan::InstanceRef& step, std::uint32_t function);
    void notePublished(const ir::Class& cls, const BodyInfo& info);
    void note(const ir::Connection& connection, Place reader, Use use);
    Use useOf(const ir::Plane& plane, std::uint32_t writer, std::uint32_t reader, Use use) const;

    const Program& program_;
    bool isUnobserved_;
    std::vector<std::optional<ir::PlaneId>> variables_;  ///< that fields publish, by plane
    std::vector<std::vector<std::uint8_t>> uses_;        ///< of Use, by plane and element
    std::vector<std::vector<std::uint32_t>> writers_;    ///< functions, by plane and element
};

}  // namespace smec::codegen::cpp
