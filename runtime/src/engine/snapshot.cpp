#include "engine/snapshot.h"

#include <span>
#include <utility>

namespace sme {

std::uint64_t* placesOf(const Model& model, const Objects& list, std::byte* state) {
    return reinterpret_cast<std::uint64_t*>(state + model.planes[list.plane].offset);
}

ForeignObject::Functions functionsOf(const Objects& list) {
    return {list.release, list.copy, list.save};
}

/// visit(place) of each object that is outside.
template <typename Visit>
void OutsideObjects::forEachPlace(const Visit& visit) {
    for (const Objects& list : std::span(model_.objects, model_.objectCount)) {
        if (!ForeignObject::areOutside(functionsOf(list))) continue;
        std::uint64_t* places = placesOf(model_, list, arena_.state());
        for (std::uint32_t i = 0; i < model_.planes[list.plane].instances; ++i)
            visit(places[i]);
    }
}

OutsideObjects::OutsideObjects(const Model& model, Arena& arena) : model_(model), arena_(arena) {
    std::size_t count = 0;
    forEachPlace([&](std::uint64_t&) { ++count; });
    objects_.reserve(count);
    forEachPlace([&](std::uint64_t& place) { objects_.push_back(std::exchange(place, 0)); });
}

OutsideObjects::~OutsideObjects() {
    auto next = objects_.begin();
    forEachPlace([&](std::uint64_t& place) { place = *next++; });
}

Snapshot snapshotOf(const Model& model, const Arena& arena, std::uint64_t cycle,
                    std::vector<std::byte> memory) {
    Snapshot snapshot{model.hash, cycle, activationsIn(cycle, model),
                      arena.copy(std::move(memory))};
    std::byte* copied = snapshot.memory.data() + 2 * model.clockedBytes;
    for (std::uint32_t i = 0; i < model.objectCount; ++i) {
        const Objects& list = model.objects[i];
        const ForeignObject::Functions functions = functionsOf(list);
        const bool areOutside = ForeignObject::areOutside(functions);
        std::uint64_t* places = placesOf(model, list, copied);
        for (std::uint32_t instance = 0; instance < model.planes[list.plane].instances;
             ++instance) {
            const std::uint64_t object = std::exchange(places[instance], 0);
            if (object != 0 && !areOutside)
                snapshot.objects.push_back({i, instance, ForeignObject::copyOf(object, functions)});
        }
    }
    return snapshot;
}

void putBack(const Snapshot& snapshot, const Model& model, Arena& arena) {
    arena.assign(snapshot.memory);
    for (const Snapshot::Object& kept : snapshot.objects)
        placesOf(model, model.objects[kept.list], arena.state())[kept.instance] =
            kept.object.copy();
}

}  // namespace sme
