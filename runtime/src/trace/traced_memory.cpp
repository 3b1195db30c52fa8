#include "trace/traced_memory.h"

#include <algorithm>

namespace sme {

TracedMemory::TracedMemory(const Engine& engine, const std::vector<Ref>& refs)
    : TracedMemory(engine, placesOf(engine.model(), refs)) {}

TracedMemory::TracedMemory(const Engine& engine, std::vector<Place> places)
    : engine_(engine),
      places_(std::move(places)),
      clocked_(scalarsIn(Clocked, places_), 0, WatchedMemory::Past::Given),
      given_(scalarsIn(Given, places_), clocked_.endWord()),
      combinational_(scalarsIn(Combinational, places_), given_.endWord()),
      single_(scalarsIn(Single, places_), combinational_.endWord()),
      variables_(scalarsIn(Variables, places_), single_.endWord()),
      needsPause_(!combinational_.isEmpty() || !single_.isEmpty() || !variables_.isEmpty()) {}

TracedMemory::Watched TracedMemory::watchedAs(const Plane& plane, std::uint32_t flags) {
    switch (plane.home) {
    case Home::OneSlot: return isReadBefore(plane, flags) ? Variables : Single;
    case Home::WrittenSlot: return Combinational;
    case Home::Given: return Given;
    case Home::TwoSlots:
    case Home::Constant: break;
    }
    return Clocked;
}

std::vector<TracedMemory::Place> TracedMemory::placesOf(const Model& model,
                                                        const std::vector<Ref>& refs) {
    std::vector<Place> places;
    for (const Ref& ref : refs) {
        const Plane& plane = model.planes[ref.plane];
        const std::uint64_t element = ref.element * model.types[plane.type].bytes;
        places.push_back({watchedAs(plane, ref.flags),
                          {plane.offset + element + ref.offset, model.types[ref.type].bytes}});
    }
    const auto isGiven = [](Watched as) { return as == Clocked || as == Given; };
    if (std::all_of(places.begin(), places.end(),
                    [&](const Place& place) { return isGiven(place.as); })) {
        for (Place& place : places)
            place.as = Given;
    }
    return places;
}

std::vector<WatchedMemory::Scalar> TracedMemory::scalarsIn(Watched as,
                                                           const std::vector<Place>& places) {
    std::vector<WatchedMemory::Scalar> scalars;
    for (const Place& place : places) {
        if (place.as == as) scalars.push_back(place.scalar);
    }
    return scalars;
}

TraceImage TracedMemory::image() const {
    const WatchedMemory* const memories[] = {&clocked_, &given_, &combinational_, &single_,
                                             &variables_};
    TraceImage image{{}, variables_.endWord()};
    for (const Place& place : places_)
        image.offsets.push_back(memories[place.as]->placeOf(place.scalar.offset));
    return image;
}

}  // namespace sme
