#pragma once

#include <cstddef>
#include <cstdint>

#include "sme/model.h"

namespace sme {

/// The memory of a clock group in one of its activations: the two slots of the Clocked region, and the
/// State region.
struct Slots {
    std::byte* read;   ///< that the activation before wrote
    std::byte* write;  ///< that this one writes
    std::byte* state;
};

/// Of an activation with that number.
inline Slots slotsAt(std::byte* even, std::byte* odd, std::byte* state, std::uint64_t activation) {
    return (activation & 1) == 0 ? Slots{odd, even, state} : Slots{even, odd, state};
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
