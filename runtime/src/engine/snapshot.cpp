#include "engine/snapshot.h"

#include "output/error.h"

namespace sme {
namespace {

[[noreturn]] void refuseToCopy(const Objects& list) {
    throw Error(ErrorKind::Usage,
                std::string("the state has objects of the extern process '") + list.process
                    + "', whose class has neither a copy constructor nor save() and load()");
}

}  // namespace

std::uint64_t* placesOf(const Model& model, const Objects& list, std::byte* state) {
    return reinterpret_cast<std::uint64_t*>(state + model.planes[list.plane].offset);
}

std::uint64_t copyOfObject(const Objects& list, std::uint64_t object) {
    std::uint64_t made = list.copy(object);
    if (made == 0) made = list.save(object);
    if (made == 0) refuseToCopy(list);
    return made;
}

Snapshot snapshotOf(const Model& model, const Arena& arena, std::uint64_t cycle) {
    Snapshot snapshot{model.hash, cycle, arena.copy()};
    std::byte* copied = snapshot.memory.data() + 2 * model.clockedBytes;
    for (std::uint32_t i = 0; i < model.objectCount; ++i) {
        const Objects& list = model.objects[i];
        std::uint64_t* places = placesOf(model, list, copied);
        for (std::uint32_t instance = 0; instance < model.planes[list.plane].instances;
             ++instance) {
            const std::uint64_t object = std::exchange(places[instance], 0);
            if (object == 0) continue;
            std::optional<ForeignObject> copy =
                ForeignObject::copyOf(object, {list.release, list.copy, list.save});
            if (!copy) refuseToCopy(list);
            snapshot.objects.push_back({i, instance, std::move(*copy)});
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
