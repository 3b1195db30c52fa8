#include "schedule/choices.h"

#include <algorithm>
#include <iterator>

namespace sme {

std::string describe(const Scheduling& scheduling) {
    const auto nameOf = [](const auto& choices, auto value) {
        const auto found = std::find_if(std::begin(choices), std::end(choices),
                                        [&](const auto& each) { return each.value == value; });
        return std::string(found == std::end(choices) ? "" : found->name);
    };
    const std::string chunks = ", chunks " + nameOf(kChunks, scheduling.chunk.scheme);
    switch (scheduling.model) {
    case ModelKind::WorkList: return "m1" + chunks;
    case ModelKind::Static: return "m2, slices " + nameOf(kOrchestrations, scheduling.orchestrate);
    case ModelKind::Stealing:
        return "m3" + chunks + ", queues " + nameOf(kLayouts, scheduling.queues) + ", victims "
               + nameOf(kVictims, scheduling.victim);
    }
    return {};
}

}  // namespace sme
