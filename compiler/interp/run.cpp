// Each cycle: inputs, combinational processes, then what is read in the cycle is seen by traces and
// comparisons, then the clocked processes, the propagation, and the output of the cycle in its
// order.

#include "interp/run.h"

#include <utility>

namespace smec::interp {

const NameTable& Run::names() const {
    if (!names_) names_ = std::make_unique<NameTable>(simulation_.design());
    return *names_;
}

sme::LineReader::Waiting Run::waiting() {
    const auto pause = [this] {
        if (traces_) traces_->flush();
        output_.flush();
    };
    return {pause, [this] { return simulation_.mustEnd(); }};
}

void Run::drive(const std::string& path) {
    input_ = std::make_unique<InputFile>(simulation_, names(), path, waiting());
}

void Run::expect(const std::string& path) {
    expect_ = std::make_unique<ExpectFile>(simulation_, names(), path, waiting());
}

bool Run::awaitRows() {
    const std::uint64_t now = simulation_.cycle();
    const bool drives = input_ && input_->rows().seek(now);
    return (expect_ && expect_->rows().seek(now)) || drives;
}

void Run::trace(const std::vector<std::string>& paths, TraceColumns columns,
                const sme::TraceSelection& selection, std::span<const sme::KeptTrace> kept) {
    auto traces =
        std::make_unique<Traces>(simulation_.design(), sources_, std::move(columns), selection);
    traces->open(paths, output_, kept);
    const std::unique_ptr<Traces> before = std::exchange(traces_, std::move(traces));
    if (before) before->close();  // only now: the new one may be refused
}

void Run::endTraces() {
    const std::unique_ptr<Traces> ended = std::move(traces_);
    if (ended) ended->close();
}

void Run::replay(bool isTraced) {
    if (input_) input_->apply(simulation_, simulation_.cycle());
    isTraced = isTraced && traces_;
    if (isTraced) traces_->sample().lookBefore(simulation_);
    simulation_.runCombinational();
    if (isTraced) {
        traces_->sample().lookDuring(simulation_);
        traces_->row(simulation_);
    }
    simulation_.runClocked();
    simulation_.propagate();
    simulation_.takeMessages();
    simulation_.goOn();
}

void Run::cycle(Sample* records) {
    const std::uint64_t now = simulation_.cycle();
    if (input_) input_->apply(simulation_, now);
    if (records) records->lookBefore(simulation_);
    if (expect_) expect_->sample().lookBefore(simulation_);
    if (traces_) traces_->sample().lookBefore(simulation_);
    simulation_.runCombinational();
    if (records) records->lookDuring(simulation_);
    look();
    simulation_.runClocked();
    simulation_.propagate();
    output_.write(simulation_.takeMessages(), now);
}

void Run::look() {
    if (expect_) {
        expect_->sample().lookDuring(simulation_);
        output_.note(expect_->check(simulation_));
    }
    if (traces_) {
        traces_->sample().lookDuring(simulation_);
        traces_->row(simulation_);
    }
}

void Run::releaseInputs() {
    if (input_) input_->release(simulation_);
}

}  // namespace smec::interp
