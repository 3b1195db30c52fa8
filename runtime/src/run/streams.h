#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "trace/expectation.h"
#include "trace/input.h"
#include "trace/rows.h"
#include "trace/traces.h"

namespace sme {

/// What comes into a run and goes out of it cycle by cycle: rows of inputs, rows that are expected,
/// traces. Thread 0 calls. The engine outlives it.
class Streams {
public:
    explicit Streams(Engine& engine) : engine_(engine) {}
    Streams(const Streams&) = delete;
    Streams& operator=(const Streams&) = delete;

    void drive(Rows rows);
    void expect(Rows rows, TextSink& err);
    /// Throws Error. `out` is for a trace to standard output; those of `kept` go on.
    void trace(const std::vector<std::string>& paths, TraceColumns columns,
               const TraceSelection& selection, TextSink& out, std::span<const KeptTrace> kept);

    bool isEmpty() const { return !input_ && !expectation_ && !traces_; }
    /// Whether something is looked at that changes while a cycle runs.
    bool needsPause() const;
    /// Cycles of the rows; nothing where there are none.
    std::optional<std::uint64_t> cyclesOfRows() const;

    /// Before a cycle that is the first one after a pause.
    void begin(std::uint64_t cycle);
    /// While a cycle runs: the inputs of the next one.
    void driveNext(std::uint64_t cycle) {
        if (input_) input_->drive(cycle + 1);
    }
    /// What is read in the cycle: compared and written. Returns CycleFlag bits.
    std::uint32_t look(std::uint64_t cycle);
    /// Between cycles, before `next`: what will have changed when look() is asked for it.
    void keep(std::uint64_t next);
    /// After the last cycle before a pause.
    void release();
    /// How far the traces are written, all of it synced; nothing where one cannot be, as finish()
    /// will say.
    std::optional<std::vector<KeptTrace>> keepTraces() {
        return traces_ ? traces_->keptTraces() : std::vector<KeptTrace>();
    }
    /// Ends traces and writes them out.
    FileProblem finish();

    /// Null: nothing drives.
    InputDriver* input() { return input_.get(); }
    /// Null: nothing is expected.
    Expectation* expectation() { return expectation_.get(); }

private:
    Engine& engine_;
    Rows inputRows_;
    Rows expectRows_;
    std::unique_ptr<InputDriver> input_;
    std::unique_ptr<Expectation> expectation_;
    std::unique_ptr<Traces> traces_;
};

}  // namespace sme
