#pragma once

#include <cstdint>
#include <vector>

#include "codegen/cpp/decide/program.h"
#include "plan/plan.h"

namespace smec::codegen::cpp {

/// How the steps of a block that is the whole design read what they drive.
class BlockFields {
public:
    BlockFields(const Program& program, const plan::Kernel& kernel);

    /// Whether a field is stored for those alone who look between cycles: steps that read it have it
    /// from a variable.
    bool isForLookers(ir::PlaneId plane, std::uint32_t element) const;
    /// Whether it has such a variable.
    bool isOfBlock(ir::PlaneId plane, std::uint32_t element) const;

private:
    enum Use : std::uint8_t { kWritten = 1, kReadByStep = 2, kReadInMemory = 4 };

    void note(const plan::InstanceRef& step);
    void note(const ir::Connection& connection, std::uint32_t instance, Use use);

    const Program& program_;
    bool isQuiet_;
    std::vector<std::vector<std::uint8_t>> uses_;  ///< of Use, by plane and element
};

}  // namespace smec::codegen::cpp
