#include "trace/traced_memory.h"

#include <algorithm>

namespace sme {

TracedMemory::TracedMemory(const Engine& engine, const std::vector<Ref>& refs)
    : TracedMemory(engine, placesOf(engine.model(), refs)) {}

TracedMemory::TracedMemory(const Engine& engine, std::vector<Place> places)
    : engine_(engine),
      places_(std::move(places)),
      groups_(groupsOf(engine.model(), places_)),
      single_(scalarsIn(Single, kAnyGroup, places_), groups_.back().combinational.endWord()),
      variables_(scalarsIn(Variables, kAnyGroup, places_), single_.endWord()),
      needsPause_(!single_.isEmpty() || !variables_.isEmpty()
                  || std::ranges::any_of(groups_, [](const OfGroup& memory) {
                         return !memory.combinational.isEmpty();
                     })) {}

TracedMemory::OfGroup::OfGroup(ClockGroup number, const std::vector<Place>& places,
                               std::uint32_t firstWord)
    : group(number),
      clocked(scalarsIn(Clocked, number, places), firstWord, WatchedMemory::Past::Given),
      given(scalarsIn(Given, number, places), clocked.endWord()),
      combinational(scalarsIn(Combinational, number, places), given.endWord()) {}

/// The words of one come behind those of the one in front.
std::vector<TracedMemory::OfGroup> TracedMemory::groupsOf(const Model& model,
                                                          const std::vector<Place>& places) {
    std::vector<OfGroup> groups;
    const unsigned count = clockGroups(model);
    for (unsigned group = 0; group < count; ++group)
        groups.emplace_back(static_cast<ClockGroup>(group), places,
                            groups.empty() ? 0 : groups.back().combinational.endWord());
    return groups;
}

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
                          plane.group,
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

std::vector<WatchedMemory::Scalar> TracedMemory::scalarsIn(Watched as, ClockGroup group,
                                                           const std::vector<Place>& places) {
    std::vector<WatchedMemory::Scalar> scalars;
    for (const Place& place : places) {
        const bool isIts = place.as == as && (group == kAnyGroup || place.group == group);
        if (isIts) scalars.push_back(place.scalar);
    }
    return scalars;
}

TraceImage TracedMemory::image() const {
    TraceImage image{{}, variables_.endWord()};
    for (const Place& place : places_)
        image.offsets.push_back(memoryOf(place).placeOf(place.scalar.offset));
    return image;
}

const WatchedMemory& TracedMemory::memoryOf(const Place& place) const {
    const OfGroup& memory = groups_[place.group];
    switch (place.as) {
    case Clocked: return memory.clocked;
    case Given: return memory.given;
    case Combinational: return memory.combinational;
    case Single: return single_;
    case Variables: break;
    }
    return variables_;
}

}  // namespace sme
