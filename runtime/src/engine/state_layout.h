#pragma once

// Where the values of a state are, for those who write and read states as bytes.

#include <cstring>
#include <string>
#include <vector>

#include "sme/model.h"
#include "values/names.h"

namespace sme {

/// A type with all that makes two of one name differ.
std::string shapeOf(const Model& model, std::uint32_t type);

/// The memory of a snapshot by plane and element.
class StateImage {
public:
    StateImage(const Model& model, std::vector<std::byte>& memory, std::uint64_t cycle)
        : model_(model), memory_(memory), cycle_(cycle) {}

    /// As it is read in the next cycle.
    std::byte* at(std::uint32_t index, std::uint64_t element) {
        const Plane& plane = model_.planes[index];
        const std::uint64_t slot = plane.region == Region::State ? 2 : (cycle_ + 1) & 1;
        return inSlot(plane, element, slot);
    }
    void set(std::uint32_t index, std::uint64_t element, std::uint64_t offset,
             const std::byte* value, std::size_t bytes) {
        const Plane& plane = model_.planes[index];
        if (plane.region == Region::State) {
            std::memcpy(inSlot(plane, element, 2) + offset, value, bytes);
            return;
        }
        for (const std::uint64_t slot : {0, 1})
            std::memcpy(inSlot(plane, element, slot) + offset, value, bytes);
    }

private:
    std::byte* inSlot(const Plane& plane, std::uint64_t element, std::uint64_t slot) {
        return memory_.data() + slot * model_.clockedBytes + plane.offset
               + element * model_.types[plane.type].bytes;
    }

    const Model& model_;
    std::vector<std::byte>& memory_;
    const std::uint64_t cycle_;
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
