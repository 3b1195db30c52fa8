#pragma once

#include <optional>

#include "codegen/cpp/generate.h"
#include "driver/compile/compile.h"
#include "driver/compile/explanation.h"

namespace smec::driver {

struct Generated {
    std::optional<codegen::cpp::SourceBundle> bundle;  ///< absent after errors, and when emitted
    bool emitted = false;  ///< --emit asked for a stage, which was printed
    Explanation explanation{};
};

/// The stages after the front end: the C++ of a checked design. Reports to `front.diagnostics`.
Generated generate(FrontEnd& front, const CompileOptions& options, Stats& stats);

}  // namespace smec::driver
