#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "sme/model.h"

namespace sme {

/// Of an activation with that number, which is the cycle it falls into.
inline Slots slotsAt(std::byte* even, std::byte* odd, std::byte* state, std::uint64_t activation) {
    return (activation & 1) == 0 ? Slots{odd, even, state, activation}
                                 : Slots{even, odd, state, activation};
}

/// Those of the next activation.
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
