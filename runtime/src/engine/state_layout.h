#pragma once

// Where the values of a state are, for those who write and read states as bytes.

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "engine/snapshot.h"
#include "sme/model.h"
#include "values/names.h"

namespace sme {

/// A type with all that makes two of one name differ.
std::string shapeOf(const Model& model, std::uint32_t type);

/// The memory of a snapshot by plane and element.
class StateImage {
public:
    /// The model and the snapshot outlive it.
    StateImage(const Model& model, Snapshot& snapshot) : model_(model), snapshot_(snapshot) {}

    /// As it is read in the next cycle.
    std::byte* at(std::uint32_t index, std::uint64_t element) {
        const Plane& plane = model_.planes[index];
        return valueOf(model_, plane, element, slots(plane.group), Moment::Before);
    }
    /// `bytes` of an element, from `offset` on, wherever it lies.
    void set(std::uint32_t index, std::uint64_t element, std::uint64_t offset,
             const std::byte* value, std::size_t bytes) {
        const Plane& plane = model_.planes[index];
        Slots now = slots(plane.group);
        std::memcpy(valueOf(model_, plane, element, now, Moment::Before) + offset, value, bytes);
        std::swap(now.read, now.write);
        std::memcpy(valueOf(model_, plane, element, now, Moment::Before) + offset, value, bytes);
    }

private:
    Slots slots(ClockGroup group) {
        std::byte* const first = snapshot_.memory.data();
        return slotsIn(snapshot_.cycle, snapshot_.activations[group],
                       {first, first + model_.clockedBytes}, first + 2 * model_.clockedBytes);
    }

    const Model& model_;
    Snapshot& snapshot_;
};

/// Of the pieces together: structs are stored member by member, without gaps.
std::uint64_t bytesOfValue(const Model& model, std::uint32_t type);

/// All undriven fields of a run share one value, which nobody writes.
inline bool isKept(const NameRun& run) { return run.stride != 0 || run.count == 1; }

inline std::uint32_t typeOf(const Model& model, const NameRun& run) {
    return run.leaves ? run.type : model.planes[run.plane].type;
}

/// The model whose names are the hidden ones.
inline Model withHiddenNames(Model model) {
    model.names = model.hiddenNames;
    model.nameRunCount = model.hiddenNameCount;
    return model;
}

}  // namespace sme
