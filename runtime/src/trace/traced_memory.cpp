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

std::vector<TracedMemory::Place> TracedMemory::placesOf(const Model& model,
                                                        const std::vector<Ref>& refs) {
    std::vector<Place> places;
    for (const Ref& ref : refs) {
        const Plane& plane = model.planes[ref.plane];
        const bool isSingle = plane.region == sme::Region::State;
        const bool isVariable = isSingle && isReadBefore(plane, ref.flags);
        const Region region = isVariable              ? Variables
                              : isSingle              ? Single
                              : plane.isCombinational ? Combinational
                              : plane.isInput         ? Given
                                                      : Clocked;
        const std::uint64_t element = ref.element * model.types[plane.type].bytes;
        places.push_back(
            {region, {plane.offset + element + ref.offset, model.types[ref.type].bytes}});
    }
    const auto isGiven = [](Region region) { return region == Clocked || region == Given; };
    if (std::all_of(places.begin(), places.end(),
                    [&](const Place& place) { return isGiven(place.region); })) {
        for (Place& place : places)
            place.region = Given;
    }
    return places;
}

std::vector<WatchedMemory::Scalar> TracedMemory::scalarsIn(Region region,
                                                           const std::vector<Place>& places) {
    std::vector<WatchedMemory::Scalar> scalars;
    for (const Place& place : places) {
        if (place.region == region) scalars.push_back(place.scalar);
    }
    return scalars;
}

TraceImage TracedMemory::image() const {
    const WatchedMemory* const memories[] = {&clocked_, &given_, &combinational_, &single_,
                                             &variables_};
    TraceImage image{{}, variables_.endWord()};
    for (const Place& place : places_)
        image.offsets.push_back(memories[place.region]->placeOf(place.scalar.offset));
    return image;
}

}  // namespace sme
