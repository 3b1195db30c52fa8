#include "schedule/choices.h"

#include <algorithm>
#include <iterator>

namespace sme {
namespace {

/// Bits: choices that a scheduler has beside its name.
struct Takes {
    enum : unsigned { Slices = 1, Chunks = 2, Queues = 4 };
};

unsigned choicesOf(ModelKind model) {
    constexpr unsigned kChoices[] = {
#define SCHEDULER(NAME, KIND, TAKES, WORDS) TAKES,
#include "sme/schedulers.def"
    };
    return kChoices[static_cast<unsigned>(model)];
}

}  // namespace

std::string describe(const Scheduling& scheduling) {
    const auto nameOf = [](const auto& choices, auto value) {
        const auto found = std::find_if(std::begin(choices), std::end(choices),
                                        [&](const auto& each) { return each.value == value; });
        return std::string(found == std::end(choices) ? "" : found->name);
    };
    const unsigned choices = choicesOf(scheduling.model);
    std::string text = nameOf(kModels, scheduling.model);
    if (choices & Takes::Slices)
        text += ", slices " + nameOf(kOrchestrations, scheduling.orchestrate);
    if (choices & Takes::Chunks) text += ", chunks " + nameOf(kChunks, scheduling.chunk.scheme);
    if (choices & Takes::Queues)
        text += ", queues " + nameOf(kLayouts, scheduling.queues) + ", victims "
                + nameOf(kVictims, scheduling.victim);
    return text;
}

}  // namespace sme
