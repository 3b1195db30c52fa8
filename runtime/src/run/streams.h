#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "run/block.h"
#include "trace/expectation.h"
#include "trace/input.h"
#include "trace/rows.h"
#include "trace/traces.h"

namespace sme {

/// What comes into a run and goes out of it cycle by cycle: rows of inputs, rows that are expected,
/// traces. Thread 0 calls. The engine and the sinks outlive it.
///
/// Rows of files are read while the cycle before runs. Live ones, of pipes, are read when all that
/// the cycle before said is written out, so that whoever writes them may answer to that.
class Streams {
public:
    Streams(Engine& engine, TextSink& out, TextSink& err) : engine_(engine), out_(out), err_(err) {}
    Streams(const Streams&) = delete;
    Streams& operator=(const Streams&) = delete;

    void drive(Rows rows);
    void expect(Rows rows);
    /// Throws Error. Those of `kept` go on.
    void trace(const std::vector<std::string>& paths, TraceColumns columns,
               const TraceSelection& selection, std::span<const KeptTrace> kept);
    /// Not 0: nobody waits for rows any more.
    void watch(const std::atomic<std::uint32_t>* request) { request_ = request; }
    /// Where there are rows, live ones most of all: the run ends with the last of them.
    void endWithRows() { endsWithRows_ = true; }

    /// Cycles that run from now on are of this block; null: of none. It outlives them.
    void setBlock(CycleRows* block) { block_ = block; }

    /// Whether it writes inputs of files and nothing else.
    bool onlyDrives() const { return !expectation_ && !traces_ && !block_ && !hasLiveRows(); }
    /// The first cycle from `cycle` on that it looks at, or has inputs for; ~0: none.
    std::uint64_t nextWanted(std::uint64_t cycle) const {
        if (input_ || expectation_ || block_ || hasLiveRows()) return cycle;
        return traces_ ? traces_->nextWanted(cycle) : ~std::uint64_t{0};
    }
    /// Whether cycles may be undone after it has seen them.
    bool bearsUndo() const {
        return !block_ && !hasLiveRows() && (!traces_ || traces_->bearsUndo());
    }
    /// The next cycles may be undone; then one of the other two (engine/observer.h).
    void goAhead();
    void confirm();
    void undo();
    bool isTraced() const { return traces_ != nullptr; }
    bool isEmpty() const { return !input_ && !expectation_ && !traces_ && !block_; }
    /// Whether something is looked at that changes while a cycle runs.
    bool needsPause() const;
    bool hasLiveRows() const { return inputRows_.isLive() || expectRows_.isLive(); }
    /// Cycles of the rows; nothing where there are none, or nobody knows.
    std::optional<std::uint64_t> cyclesOfRows() const;

    // All return CycleFlag bits that end the run.

    /// Before a cycle that is the first one after a pause; `until` is the first one that is not to
    /// run.
    std::uint32_t begin(std::uint64_t cycle, std::uint64_t until);
    /// While a cycle runs: the inputs of the next one.
    std::uint32_t driveNext(std::uint64_t cycle) {
        if (block_) block_->drive(cycle + 1);
        return input_ && !inputRows_.isLive() ? flagsOf(input_->drive(cycle + 1)) : 0;
    }
    /// After a cycle and all its output, where there are live rows: waits for those of the next
    /// one.
    std::uint32_t awaitRows(std::uint64_t cycle) { return cycle < until_ ? takeRows(cycle) : 0; }
    /// What is read in the cycle: compared and written. Returns CycleFlag bits.
    std::uint32_t look(std::uint64_t cycle);
    /// Between cycles, before `next`: what will have changed when look() is asked for it.
    void keep(std::uint64_t next);
    /// In a pause: the inputs that files have for `cycle`, until release().
    void showNext(std::uint64_t cycle) {
        if (input_ && !inputRows_.isLive()) input_->drive(cycle);
    }
    /// After the last cycle before a pause.
    void release();
    /// How far the traces are written, all of it synced; nothing where one cannot be, as finish()
    /// will say.
    std::optional<std::vector<KeptTrace>> keepTraces() {
        return traces_ ? traces_->keptTraces() : std::vector<KeptTrace>();
    }
    /// Ends traces and writes them out.
    FileProblem finish();

    /// Why rows ended the run.
    FileProblem problem() const {
        return inputRows_.problem() ? inputRows_.problem() : expectRows_.problem();
    }

    /// Null: nothing drives.
    InputDriver* input() { return input_.get(); }
    /// Null: nothing is expected.
    Expectation* expectation() { return expectation_.get(); }

private:
    static std::uint32_t flagsOf(Rows::Found found);
    std::uint32_t takeRows(std::uint64_t cycle);
    bool isRowFor(std::uint64_t cycle) const;
    LineReader::Waiting waiting();

    Engine& engine_;
    TextSink& out_;
    TextSink& err_;
    const std::atomic<std::uint32_t>* request_ = nullptr;
    bool endsWithRows_ = false;
    std::uint64_t until_ = 0;
    Rows inputRows_;
    Rows expectRows_;
    std::unique_ptr<InputDriver> input_;
    std::unique_ptr<Expectation> expectation_;
    std::unique_ptr<Traces> traces_;
    CycleRows* block_ = nullptr;
};

}  // namespace sme
