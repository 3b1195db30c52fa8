#pragma once

#include <functional>
#include <string>
#include <vector>

#include "hdl/hdl.h"
#include "source/source_manager.h"

namespace smec::hdl {

/// What hardware cannot do, at its place.
struct Complaint {
    SourceRange range;
    std::string what;
    bool isLeftOut = false;  ///< only left out: the rest is as it was
    std::string memory{};    ///< an array that becomes registers; `what` says why
};
inline bool isUnusable(const std::vector<Complaint>& complaints) {
    for (const Complaint& complaint : complaints)
        if (!complaint.isLeftOut && complaint.memory.empty()) return true;
    return false;
}

/// A body without calls, loops but those with constant bounds, early exits, traces, stops and
/// counters of `cover`. Adds complaints for what cannot be brought into that form; the body is
/// unusable then.
ir::Body straightBody(const ir::Design& design, const ir::Class& cls,
                      std::vector<Complaint>& complaints);

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
