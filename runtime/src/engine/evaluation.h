#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/arena.h"
#include "engine/snapshot.h"
#include "output/log.h"
#include "schedule/stages.h"
#include "sme/no_calls.h"

namespace sme {

/// What combinational processes make of the present inputs, beside a run whose memory stays as it
/// is: the moment of docs/semantics.md. Whoever stands in one kernel with one of them runs, too, on
/// copies of variables that nobody sees. One thread runs it.
class Evaluation {
public:
    /// The model outlives it. Throws std::bad_alloc.
    explicit Evaluation(const Model& model);
    Evaluation(const Evaluation&) = delete;
    Evaluation& operator=(const Evaluation&) = delete;

    /// Of a run, whose memory is in `arena`, before `cycle`. What fails there or traces says nothing.
    /// Throws Error where they call what must not be called, and std::bad_alloc.
    void run(const Setup& setup, const Arena& arena, std::uint64_t cycle);

    /// An element of a combinational plane, as the last run() left it.
    const std::byte* at(std::uint32_t plane, std::uint64_t element) const {
        const Plane& its = model_.planes[plane];
        return valueOf(model_, its, element, scratch_.slots(0, its.group), Moment::Within);
    }

private:
    struct Range {
        std::uint64_t offset;
        std::uint64_t bytes;
    };
    std::vector<bool> combinationalClasses() const;
    void findWork(std::vector<bool>& runs);
    void findVariables(const std::vector<bool>& runs);

    const Model& model_;
    const Stages stages_;
    Arena scratch_;  ///< of cycle 0; of the state what those processes have that run
    InstanceIndex instances_;
    ThreadLog log_;
    const std::vector<bool> isCombinational_;  ///< by class
    NoCalls outside_;
    std::vector<const Work*> works_;
    std::vector<Range> variables_;
    std::vector<Range> objects_;  ///< of extern processes, which are not called
};

}  // namespace sme
