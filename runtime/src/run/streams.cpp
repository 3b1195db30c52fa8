#include "run/streams.h"

#include <algorithm>

#include "output/error.h"

namespace sme {

void Streams::drive(Rows rows) {
    inputRows_ = std::move(rows);
    input_ = std::make_unique<InputDriver>(engine_, inputRows_);
}

void Streams::expect(Rows rows, TextSink& err) {
    expectRows_ = std::move(rows);
    expectation_ = std::make_unique<Expectation>(engine_, expectRows_, err);
}

void Streams::trace(const std::vector<std::string>& paths, TraceColumns columns,
                    const TraceSelection& selection, TextSink& out,
                    std::span<const KeptTrace> kept) {
    auto traces = std::make_unique<Traces>(engine_, std::move(columns), selection);
    for (const std::string& path : paths)
        throwIfAny(traces->open(path, out, kept));
    traces_ = std::move(traces);
}

bool Streams::needsPause() const {
    return (traces_ && traces_->needsPause())
           || (expectation_ && expectation_->sampler().needsPause());
}

std::optional<std::uint64_t> Streams::cyclesOfRows() const {
    if (!input_ && !expectation_) return std::nullopt;
    return std::max(inputRows_.count(), expectRows_.count());
}

void Streams::begin(std::uint64_t cycle) {
    if (input_) input_->drive(cycle);
    keep(cycle);
}

std::uint32_t Streams::look(std::uint64_t cycle) {
    if (expectation_) expectation_->check(cycle);
    return !traces_ || traces_->row(cycle) ? 0 : std::uint32_t{kNoOutput};
}

void Streams::keep(std::uint64_t next) {
    if (traces_) traces_->keep(next);
    if (expectation_) expectation_->sampler().snapshot();
}

void Streams::release() {
    if (input_) input_->release();
}

FileProblem Streams::finish() {
    if (!traces_) return {};
    const std::unique_ptr<Traces> done = std::move(traces_);
    return done->finish();
}

}  // namespace sme
