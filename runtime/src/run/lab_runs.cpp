// What a run asks of the laboratory.

#include "lab/adapter.h"
#include "lab/factored.h"
#include "run/inputs_only.h"
#include "run/run.h"
#include "run/translated.h"

namespace sme {

Factored Run::measureSpeedup(std::uint64_t until, unsigned repeats) {
    if (streams_->hasLiveRows())
        wrongUsage("--report factored runs a design several times, and the rows of a pipe come "
                   "once; give it a file");
    if (needsTimes(options_.scheduling)) measure();
    const Snapshot before = snapshot();
    InputsOnly inputs(streams_->input());
    return translated([&] {
        const Factored factored = measureFactored(*engine_, &inputs, until, repeats);
        engine_->restore(before);
        return factored;
    });
}

std::uint32_t Run::runAdapting(std::uint64_t until) {
    Adapter adapter(*engine_, *this, until, options_.adapt);
    const std::uint32_t ended = adapter.run();
    adapted_ = ", planned again " + std::to_string(adapter.plans())
               + (adapter.plans() == 1 ? " time" : " times");
    return ended;
}

}  // namespace sme
