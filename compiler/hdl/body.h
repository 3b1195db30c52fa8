#pragma once

#include <functional>
#include <string>
#include <vector>

#include "hdl/hdl.h"
#include "hdl/messages.h"
#include "source/source_manager.h"

namespace smec::hdl {

/// A body without calls, loops but those with constant bounds, early exits, traces, stops, and what
/// only these had a use for. Reports what cannot be brought into that form; the body is unusable then.
ir::Body straightBody(const ir::Design& design, const ir::Class& cls, Messages& messages);

/// The module of a class, and what its ports and parameters stand for.
struct Process {
    Module module;
    std::vector<SignalId> inputs, outputs;                    ///< by number in the class
    std::vector<std::pair<SignalId, std::uint32_t>> columns;  ///< parameter, column
    std::vector<std::pair<SignalId, ir::PlaneId>> initials;   ///< parameter, plane
    /// Parameter, value in each instance.
    std::vector<std::pair<SignalId, std::vector<Integer>>> arguments;
};

/// Of a class whose body is straight. `sameAs[i]`: the output that input i reads back, or -1.
Process makeProcess(const ir::Design& design, const ir::Class& cls,
                    const std::vector<std::int64_t>& sameAs, const SourceManager& sources);

}  // namespace smec::hdl
