#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/residence.h"
#include "engine/slots.h"
#include "engine/target.h"
#include "sme/model.h"

namespace sme {

/// The memory of a simulation, with the objects of extern processes: two slots of the Clocked
/// region and the State region, in one mapping, each at a cache line.
///
/// Ownership: in an activation a kernel reads one slot of its clock group, writes its own elements of the
/// other and its own elements of the state; the runtime writes the planes of exposed inputs. Nobody else
/// touches anything until the barrier that ends the cycle.
class Arena {
public:
    /// Throws std::bad_alloc. The memory is all zero and not touched yet. Interleaved: its pages go
    /// to the memory nodes in turn, else to the node of the thread that touches them first.
    explicit Arena(const Model& model, bool isInterleaved = false);
    ~Arena();
    Arena(const Arena&) = delete;
    Arena& operator=(const Arena&) = delete;

    /// Of a clock group in a cycle.
    Slots slots(std::uint64_t cycle, ClockGroup group) const {
        return slotsIn(cycle, activationIn(cycle, group), slots_, state_);
    }
    std::byte* state() const { return state_; }
    /// Wherever a plane lies: both slots, or the state.
    std::span<std::byte* const> regionsOf(const Plane& plane) const;

    /// Gives every plane its initial values, in both slots: share `part` of `parts` of the
    /// instances of each that are here, so that the thread that will run about these instances is the first to
    /// touch their pages. With a residence, only of what it says.
    void initialise(unsigned part, unsigned parts, const Residence* residence = nullptr);
    /// The same for some elements of a plane.
    void initialise(std::uint32_t plane, ElementRange range);

    /// Before initialise(): huge pages only where a rank has all of one, for an element that it reads
    /// of another rank would take a whole one else.
    void settle(const Residence& residence);

    /// As new: all zero, objects released. initialise() follows.
    void clear();

    /// Both slots and the state, one after the other. Where objects are, there are their addresses.
    /// In `memory`, whatever that is, to need no other.
    std::vector<std::byte> copy(std::vector<std::byte> memory = {}) const;
    /// What copy() gave, with objects of its own; those that were here are released.
    void assign(std::span<const std::byte> memory);

    /// Whether the place of pages matters: more memory than caches hold.
    bool isBig() const { return bytes_ >= target::kBigMemory; }

private:
    void releaseObjects();

    const Model& model_;
    std::byte* base_ = nullptr;
    std::size_t bytes_ = 0;
    std::byte* slots_[2] = {nullptr, nullptr};
    std::byte* state_ = nullptr;
};

/// The initial value of one element of a plane; null when it is all zero.
const std::byte* initialValue(const Model& model, const Plane& plane, std::uint64_t element);

}  // namespace sme
