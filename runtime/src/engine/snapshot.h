#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/arena.h"
#include "engine/slots.h"
#include "sme/foreign_object.h"
#include "sme/model.h"

namespace sme {

/// The state of a simulation between two cycles: all that its next cycles depend on, and nothing of
/// how they are run, so that it suits every plan and number of threads. Planes hold the whole of
/// it: what a body keeps at a `wait`, a delay line's values, generators of random(), counts of
/// `cover` are variables, hidden ones among them. The position in an input file is the cycle.
struct Snapshot {
    std::uint64_t design = 0;  ///< Model::hash
    std::uint64_t cycle = 0;   ///< the next one to run
    /// How often each clock group was activated before that: which of its slots in the memory is which.
    std::vector<std::uint64_t> activations{};
    /// Both slots of the Clocked region and the State region, as in the arena, one after the
    /// other. Empty: the initial values, before cycle 0.
    std::vector<std::byte> memory{};
    /// Objects of extern processes, whose places in the memory are 0. Those that can neither be
    /// copied nor saved are none of a state: they are outside, and go on as they are.
    struct Object {
        std::uint32_t list;  ///< of Model::objects
        std::uint32_t instance;
        ForeignObject object;
    };
    std::vector<Object> objects{};
    /// --seed, by which random() goes on; nothing: that of whoever goes on from here.
    std::optional<std::uint64_t> seed{};
};

/// The state before cycle 0. Costs nothing.
inline Snapshot initialState(const Model& model) {
    return {model.hash, 0, activationsIn(0, model)};
}

/// Where a list of objects is in a state region.
std::uint64_t* placesOf(const Model& model, const Objects& list, std::byte* state);
ForeignObject::Functions functionsOf(const Objects& list);

/// Takes the objects that states do not hold out of an arena, and puts them back at its end.
class OutsideObjects {
public:
    OutsideObjects(const Model& model, Arena& arena);
    ~OutsideObjects();
    OutsideObjects(const OutsideObjects&) = delete;
    OutsideObjects& operator=(const OutsideObjects&) = delete;

private:
    template <typename Visit>
    void forEachPlace(const Visit& visit);

    const Model& model_;
    Arena& arena_;
    std::vector<std::uint64_t> objects_;
};

/// Its memory is made of `memory`.
Snapshot snapshotOf(const Model& model, const Arena& arena, std::uint64_t cycle,
                    std::vector<std::byte> memory = {});
/// The memory of a snapshot that is not the initial state, with copies of its objects.
void putBack(const Snapshot& snapshot, const Model& model, Arena& arena);

}  // namespace sme
