#pragma once

#include <memory>
#include <string>
#include <vector>

#include "interp/files.h"
#include "interp/interpreted_design.h"
#include "interp/names.h"
#include "interp/report.h"
#include "interp/simulation.h"
#include "interp/traces.h"

namespace smec::interp {

/// One run with its inputs and traces, for whoever owns it: the command line, a library. It takes
/// no signals, prints nothing but to its sinks, and there may be any number of them. Throws
/// RunError.
class Run {
public:
    Run(const InterpretedDesign& design, const Settings& settings, Sinks sinks)
        : sources_(design.sources),
          simulation_(design.design, design.sources, settings),
          output_(std::move(sinks)) {}

    /// Row k of the file is what the exposed inputs are in cycle k. Throws CutOff where the waiting
    /// for a pipe is ended.
    void drive(const std::string& path);
    /// Compares what is read in cycle k with row k.
    void expect(const std::string& path);
    /// Traces from the next cycle on, in place of those before; those of `kept` go on.
    void trace(const std::vector<std::string>& paths, TraceColumns columns,
               const sme::TraceSelection& selection, std::span<const sme::KeptTrace> kept = {});
    /// How far the traces are written, all of it synced; nothing where one cannot be, as
    /// endTraces() will say.
    std::optional<std::vector<sme::KeptTrace>> keepTraces() {
        return traces_ ? traces_->keep() : std::vector<sme::KeptTrace>();
    }
    /// Ends the traces and writes them out.
    void endTraces();
    /// Whether a trace cannot be written; endTraces() says why.
    bool hasBrokenTrace() const { return traces_ && traces_->isBroken(); }

    /// Whether there is a row for the next cycle. Waits for those of pipes, after all that was said
    /// is written out. Throws CutOff where that is ended.
    bool awaitRows();
    /// Runs one cycle, or throws CutOff within it. `records`: what else is looked at; null: nothing.
    void cycle(Sample* records = nullptr);
    /// Runs one cycle that has run before: nothing is printed. `isTraced`: traces take its row where
    /// they do not have it.
    void replay(bool isTraced);
    /// A row of inputs lasts its cycle: after the last one, the final state shows the defaults.
    void releaseInputs();
    /// `look()` while inputs are those of the next cycle as far as a file drives them.
    template <typename Look>
    void lookAhead(const Look& look) {
        if (!input_ || input_->rows().isLive()) return look();
        const std::vector<Value> before = input_->driven(simulation_);
        input_->apply(simulation_, simulation_.cycle());
        look();
        input_->putBack(simulation_, before);
    }

    Simulation& simulation() { return simulation_; }
    const Simulation& simulation() const { return simulation_; }
    Output& output() { return output_; }
    const NameTable& names() const;
    const SourceManager& sources() const { return sources_; }
    /// Null: nothing drives or is expected.
    const InputFile* input() const { return input_.get(); }
    const ExpectFile* expectation() const { return expect_.get(); }
    ExpectFile* expectation() { return expect_.get(); }

private:
    sme::LineReader::Waiting waiting();
    void look();

    const SourceManager& sources_;
    Simulation simulation_;
    Output output_;
    mutable std::unique_ptr<NameTable> names_;  ///< made for the first who asks
    std::unique_ptr<InputFile> input_;
    std::unique_ptr<ExpectFile> expect_;
    std::unique_ptr<Traces> traces_;
};

}  // namespace smec::interp
