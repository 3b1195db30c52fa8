#pragma once

#include <vector>

#include "engine/engine.h"
#include "formats/trace_files.h"
#include "trace/watched_memory.h"
#include "values/names.h"

namespace sme {

/// The scalars of a trace in the memory of a run: fields as the processes see them, variables as they
/// are before the body runs.
class TracedMemory {
public:
    TracedMemory(const Engine& engine, const std::vector<Ref>& refs);

    /// Where each of the refs is in the image that what is found is words of.
    TraceImage image() const;

    /// Whether values must be taken while all threads stand still: variables, which bodies change
    /// in place, and combinational fields, which exist only after their level.
    bool needsPause() const { return needsPause_; }
    /// Variables that changed; between two cycles.
    template <typename Found>
    void compareVariables(Found& found) {
        variables_.compare(engine_.arena().state(), found);
    }
    /// Fields that changed as they are read in `cycle`: during it, or right after it where
    /// needsPause().
    template <typename Found>
    void compareFields(std::uint64_t cycle, Found& found) {
        clocked_.compare(engine_.arena().slotReadIn(cycle), found);
        combinational_.compare(engine_.arena().slot(cycle), found);
        single_.compare(engine_.arena().state(), found);
    }

private:
    enum Region { Clocked, Combinational, Single, Variables };
    struct Place {
        Region region;
        WatchedMemory::Scalar scalar;
    };
    TracedMemory(const Engine& engine, std::vector<Place> places);
    static std::vector<Place> placesOf(const Model& model, const std::vector<Ref>& refs);
    static std::vector<WatchedMemory::Scalar> scalarsIn(Region region,
                                                        const std::vector<Place>& places);

    const Engine& engine_;
    std::vector<Place> places_;  ///< of the refs
    WatchedMemory clocked_, combinational_, single_, variables_;
    bool needsPause_;
};

}  // namespace sme
