#include "run/streams.h"

#include <algorithm>

#include "output/error.h"

namespace sme {

/// Who drives a run from outside has seen all that was said when the run waits for it.
LineReader::Waiting Streams::waiting() {
    const auto pause = [this] {
        if (traces_) traces_->flush();
        out_.flush();
        err_.flush();
    };
    // relaxed: a wish for the end; nothing is handed over with it
    return {pause, [this] { return request_ && request_->load(std::memory_order_relaxed) != 0; }};
}

void Streams::drive(Rows rows) {
    inputRows_ = std::move(rows);
    inputRows_.setWaiting(waiting());
    input_ = std::make_unique<InputDriver>(engine_, inputRows_);
}

void Streams::expect(Rows rows) {
    expectRows_ = std::move(rows);
    expectRows_.setWaiting(waiting());
    expectation_ = std::make_unique<Expectation>(engine_, expectRows_, err_);
}

void Streams::trace(const std::vector<std::string>& paths, TraceColumns columns,
                    const TraceSelection& selection, std::span<const KeptTrace> kept) {
    auto traces = std::make_unique<Traces>(engine_, std::move(columns), selection);
    throwIfAny(traces->open(paths, out_, kept));
    const FileProblem before = finish();  // only now: the new one may be refused
    traces_ = std::move(traces);
    throwIfAny(before);
}

bool Streams::needsPause() const {
    return (block_ && block_->needsPause()) || (traces_ && traces_->needsPause())
           || (expectation_ && expectation_->sampler().needsPause());
}

std::optional<std::uint64_t> Streams::cyclesOfRows() const {
    if ((!input_ && !expectation_) || hasLiveRows()) return std::nullopt;
    return std::max(inputRows_.count(), expectRows_.count());
}

std::uint32_t Streams::begin(std::uint64_t cycle, std::uint64_t until) {
    until_ = until;
    std::uint32_t ends = 0;
    if (hasLiveRows() && cycle < until)
        ends = takeRows(cycle);
    else if (input_ && !inputRows_.isLive())
        ends = flagsOf(input_->drive(cycle));
    if (block_) block_->drive(cycle);
    keep(cycle);
    return ends;
}

std::uint32_t Streams::flagsOf(Rows::Found found) {
    if (found == Rows::Found::Problem) return kBadRow;
    return found == Rows::Found::Interrupted ? std::uint32_t{kRequested} : 0;
}

/// A file's row has been there since the cycle before, if the expected one is a pipe's.
std::uint32_t Streams::takeRows(std::uint64_t cycle) {
    std::uint32_t ends = 0;
    if (input_) ends |= flagsOf(input_->drive(cycle));
    if (ends == 0 && expectation_) ends |= flagsOf(expectRows_.seek(cycle));
    if (ends == 0 && endsWithRows_ && !isRowFor(cycle)) ends = kRowsEnd;
    return ends;
}

bool Streams::isRowFor(std::uint64_t cycle) const {
    const auto has = [&](const Rows& rows) { return !rows.count() || cycle < *rows.count(); };
    return (input_ && has(inputRows_)) || (expectation_ && has(expectRows_));
}

std::uint32_t Streams::look(std::uint64_t cycle) {
    if (block_) block_->look(cycle);
    std::uint32_t ends = expectation_ ? flagsOf(expectation_->check(cycle)) : 0;
    if (expectation_ && expectation_->hasToTell()) ends |= kHasOutput;
    if (!traces_) return ends;
    if (!traces_->row(cycle)) ends |= kNoOutput;
    return traces_->isTooMuch() ? ends | kHasOutput : ends;
}

void Streams::keep(std::uint64_t next) {
    if (block_) block_->keep(next);
    if (traces_) traces_->keep(next);
    if (expectation_) expectation_->sampler().snapshot();
}

void Streams::goAhead() {
    if (traces_) traces_->goAhead();
    if (expectation_) expectation_->beQuiet(true);
}

void Streams::confirm() {
    if (traces_) traces_->confirm();
    if (expectation_) expectation_->beQuiet(false);
}

void Streams::undo() {
    if (traces_) traces_->undo();
    if (!expectation_) return;
    expectation_->beQuiet(false);
    expectation_->sampler().snapshot();
}

void Streams::release() {
    if (input_) input_->release();
    if (block_) block_->release();
}

FileProblem Streams::finish() {
    if (!traces_) return {};
    const std::unique_ptr<Traces> done = std::move(traces_);
    return done->finish();
}

}  // namespace sme
