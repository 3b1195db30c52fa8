#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "sme/model.h"
#include "values/parity.h"

namespace sme {

/// Clock groups have numbers from 0, and each is in a stage.
inline unsigned clockGroups(const Model& model) {
    unsigned groups = 0;
    for (const Stage& stage : std::span(model.stages, model.stageCount))
        groups = std::max(groups, stage.group + 1U);
    return groups;
}

/// How often a clock group has been activated before a cycle, which is the number of its activation in it.
/// Who has to know when groups are activated asks here: the only one is in every cycle.
constexpr std::uint64_t activationIn(std::uint64_t cycle, [[maybe_unused]] ClockGroup group) {
    return cycle;
}

/// The same of each group.
inline std::vector<std::uint64_t> activationsIn(std::uint64_t cycle, const Model& model) {
    std::vector<std::uint64_t> counts(clockGroups(model));
    for (unsigned group = 0; group < counts.size(); ++group)
        counts[group] = activationIn(cycle, static_cast<ClockGroup>(group));
    return counts;
}

/// Of a group in a cycle, where the regions begin there. Activation k writes slot k mod 2.
inline Slots slotsIn(std::uint64_t cycle, std::uint64_t activation, std::byte* const (&slots)[2],
                     std::byte* state) {
    const unsigned written = parityOf(activation);
    return {slots[1 - written], slots[written], state, cycle};
}

/// Those of the next activation, of a group that is activated in every cycle.
inline void advance(Slots& slots) {
    std::swap(slots.read, slots.write);
    ++slots.cycle;
}

/// Of which moment a value is (docs/semantics.md).
enum class Moment : std::uint8_t {
    Within,  ///< as processes read it in the activation of the slots
    Before   ///< between that activation and the one before it
};

/// The region that holds the values of a plane then. Fields that are stored once are read before they
/// are set, and so are what they were until the activation is over; variables are what their body
/// has come to.
inline std::byte* regionOf(const Plane& plane, const Slots& slots, Moment moment) {
    switch (plane.home) {
    case Home::OneSlot: return slots.state;
    case Home::WrittenSlot: return moment == Moment::Within ? slots.write : slots.read;
    case Home::TwoSlots:
    case Home::Given:
    case Home::Constant: break;
    }
    return slots.read;
}

/// An element of a plane.
inline std::byte* valueOf(const Model& model, const Plane& plane, std::uint64_t element,
                          const Slots& slots, Moment moment) {
    return regionOf(plane, slots, moment) + plane.offset + element * model.types[plane.type].bytes;
}

}  // namespace sme
