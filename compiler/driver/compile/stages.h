#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace smec::driver {

/// What may stand after --emit, for completion: "ir", "ir-after=fold", "help".
std::vector<std::string> stageNames();
/// All of them with what they show, a line each.
std::string stageList();
/// What is wrong with a stage; empty: nothing.
std::string problemOfStage(const std::string& stage);

/// "ir-after=fold:2": the IR behind the second run of a pass.
struct PassRun {
    std::string pass;
    std::uint32_t run = 1;
};
/// Absent where the stage is another one.
std::optional<PassRun> passRunOf(const std::string& stage);

}  // namespace smec::driver
