// A run from the options to the exit status. Each cycle: inputs, combinational processes, then what
// is read in the cycle is seen by traces and comparisons, then the clocked processes, the
// propagation, and the output of the cycle in its order.

#include "interp/interpreter.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fstream>
#include <memory>

#include <fmt/format.h>

#include "interp/files.h"
#include "interp/hash.h"
#include "interp/interrupt.h"
#include "interp/names.h"
#include "interp/options.h"
#include "interp/report.h"
#include "interp/simulation.h"
#include "source/one_line.h"
#include "source/output_file.h"

namespace smec::interp {

namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* kNeverEnds = "this design never ends by itself (it has no stop, assertion or "
                                   "run-time check, and there is no --input); "
                                   "say how long to run with --cycles N";

constexpr int kNobodyReads = 128 + SIGPIPE;  // as of a program that does not ignore it

RunError cannotPrint(const Output& output) {
    return {kFileSystem,
            fmt::format("cannot write standard output: {}", std::strerror(output.problem()))};
}

Settings settingsOf(const Options& options, const ForeignCode* foreign) {
    Settings settings{options.seed, options.loopLimit, options.unchecked,
                      std::nullopt, foreign,           &InterruptScope::signal()};
    constexpr double kForever = 1e9;
    if (options.timeout && *options.timeout < kForever) {
        const std::chrono::duration<double> seconds(*options.timeout);
        settings.deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(seconds);
    }
    return settings;
}

class Run {
public:
    Run(const hir::Design& design, const SourceManager& sources, const Options& options,
        const ForeignCode* foreign, Output& output);
    int execute();

private:
    void openFiles();
    /// How long to run, and why not longer.
    struct Length {
        std::uint64_t cycles;
        const char* reason;
    };
    Length length() const;
    void writeEnding() const;
    void cycle();
    void look();
    void showProgress();
    int sayCutOff(const std::string& where);
    void printResults();
    int finish();

    const Options& options_;
    Simulation simulation_;
    Output& output_;
    std::unique_ptr<NameTable> names_;  ///< only where an option needs names
    std::unique_ptr<InputFile> input_;
    std::unique_ptr<ExpectFile> expect_;
    std::vector<std::unique_ptr<TraceFile>> traces_;
    std::size_t traced_ = 0;  ///< columns
    std::vector<Part> prints_;
    InterruptScope interrupts_;
    bool cutOff_ = false;  ///< by --timeout or a signal
    Clock::time_point start_;
    double seconds_ = 0;
    Clock::time_point lastProgress_ = Clock::now();
};

Run::Run(const hir::Design& design, const SourceManager& sources, const Options& options,
         const ForeignCode* foreign, Output& output)
    : options_(options),
      simulation_(design, sources, settingsOf(options, foreign)),
      output_(output) {
    const bool needsNames = !options.input.empty() || !options.expect.empty()
                            || !options.traces.empty() || !options.prints.empty();
    if (needsNames) openFiles();
}

void Run::openFiles() {
    names_ = std::make_unique<NameTable>(simulation_.design());
    for (const std::string& path : options_.prints) {
        auto part = names_->find(path);
        if (!part)
            throw RunError{kUsage, "--print: no field or variable '" + path + "'"
                                       + names_->didYouMean(path)};
        prints_.push_back(std::move(*part));
    }
    if (!options_.input.empty())
        input_ = std::make_unique<InputFile>(simulation_, *names_, options_.input);
    if (!options_.expect.empty())
        expect_ = std::make_unique<ExpectFile>(simulation_, *names_, options_.expect);
    if (options_.traces.empty()) return;
    const std::vector<Part> parts = TraceFile::select(simulation_.design(), *names_, options_);
    if (parts.empty())
        output_.note("smec: warning: no field of this design is exposed, so that the trace is "
                     "empty; see --trace-all\n");
    traced_ = parts.size() * options_.traces.size();
    for (const std::string& path : options_.traces)
        traces_.push_back(std::make_unique<TraceFile>(parts, path, options_, output_));
}

Run::Length Run::length() const {
    constexpr std::uint64_t kFewestCycles = 100;
    if (options_.cycles) return {*options_.cycles, "cycles"};
    Length length{UINT64_MAX, "limit"};
    if (input_ || expect_)
        length = {std::max(input_ ? input_->rows() : 0, expect_ ? expect_->rows() : 0), "input"};
    if (options_.mostCycles && *options_.mostCycles < length.cycles)
        length = {*options_.mostCycles, "limit"};
    const std::uint64_t values =
        std::max(kFewestCycles, options_.mostValues / std::max<std::size_t>(traced_, 1));
    if (values < length.cycles) length = {values, "values"};
    return length;
}

/// "WORD CYCLES STATUS"
void Run::writeEnding() const {
    if (options_.ending.empty()) return;
    const char* reason = simulation_.hasFailed() ? "failure"
                         : simulation_.ended()   ? "stop"
                         : cutOff_               ? "cut"
                                                 : length().reason;
    std::ofstream(options_.ending)
        << fmt::format("{} {} {}\n", reason, simulation_.cycle(), simulation_.status());
}

void Run::cycle() {
    const std::uint64_t now = simulation_.cycle();
    if (input_) input_->apply(simulation_, now);
    if (expect_) expect_->sample().lookBefore(simulation_);
    for (const auto& trace : traces_)
        trace->sample().lookBefore(simulation_);
    simulation_.runCombinational();
    look();
    simulation_.runClocked();
    simulation_.propagate();
    output_.write(simulation_.takeMessages(), now);
    if (options_.progress) showProgress();
}

void Run::look() {
    if (expect_) {
        expect_->sample().lookDuring(simulation_);
        output_.note(expect_->check(simulation_));
    }
    for (const auto& trace : traces_) {
        trace->sample().lookDuring(simulation_);
        trace->row(simulation_);
    }
}

void Run::showProgress() {
    if (Clock::now() - lastProgress_ < std::chrono::seconds(1)) return;
    lastProgress_ = Clock::now();
    output_.note(fmt::format("cycle {}\n", simulation_.cycle()));
}

int Run::execute() {
    const std::uint64_t cycles = length().cycles;
    start_ = Clock::now();
    try {
        while (simulation_.cycle() < cycles && !simulation_.ended() && !cutOff_
               && output_.problem() == 0) {
            cycle();
            cutOff_ = simulation_.mustEnd();
        }
    } catch (const CutOff&) {
        output_.write(simulation_.takeMessages(), simulation_.cycle());
        return sayCutOff(fmt::format("within cycle {}", simulation_.cycle()));
    }
    seconds_ = std::chrono::duration<double>(Clock::now() - start_).count();
    if (input_) input_->release(simulation_);
    printResults();
    return finish();
}

/// Why the run did not go on; the exit status.
int Run::sayCutOff(const std::string& where) {
    const int signal = InterruptScope::signal();
    output_.note((signal ? "smec: interrupted " : "smec: error: time limit reached ") + where
                 + "\n");
    return signal ? 128 + signal : kLimit;
}

void Run::printResults() {
    const TypeTable& types = simulation_.design().types;
    for (std::size_t i = 0; i < prints_.size(); ++i) {
        const hir::Value value = toHir(types, prints_[i].type, valueOf(simulation_, prints_[i]));
        output_.line(options_.prints[i] + ": " + hir::toString(types, prints_[i].type, value));
    }
    if (options_.checksum) output_.line(fmt::format("{:016x}", checksum(simulation_)));
}

int Run::finish() {
    const std::uint64_t cycles = simulation_.cycle();
    for (const auto& trace : traces_)
        trace->close();
    writeEnding();
    output_.flush();
    if (output_.problem() == EPIPE) return kNobodyReads;
    if (output_.problem() != 0) throw cannotPrint(output_);
    int status = simulation_.status();
    if (expect_) {
        output_.note(expect_->verdict(cutOff_ ? UINT64_MAX : cycles));
        if (!expect_->good(cutOff_ ? UINT64_MAX : cycles)) status = kFailure;
    }
    if (cutOff_ && !simulation_.ended() && status == 0) {
        status = sayCutOff(fmt::format("behind cycle {}", cycles - 1));
    }
    output_.note(coverReport(simulation_));
    if (!options_.quiet) output_.note(summary(cycles, simulation_.processCount(), seconds_));
    return status;
}

void checkEnd(const hir::Design& design, const Options& options) {
    if (options.cycles || options.mostCycles || options.timeout || !options.input.empty()
        || !options.expect.empty())
        return;
    for (const hir::Specialisation& spec : design.specs) {
        if (spec.body.canStop || spec.body.canFail) return;
    }
    throw RunError{kUsage, kNeverEnds};
}

/// What is read is not written.
void checkFiles(const Options& options) {
    InputFiles inputs;
    for (const std::string* input : {&options.input, &options.expect})
        inputs.add(*input);
    try {
        for (const std::string& trace : options.traces)
            if (trace != "-") findOutput(trace, inputs);
    } catch (const FileError& error) {
        throw RunError{error.isMisuse ? kUsage : kFileSystem, error.message};
    }
}

int runWith(const hir::Design& design, const SourceManager& sources,
            const std::vector<std::string>& arguments, const ForeignCode* foreign, Output& output) {
    const Options options = parseOptions(arguments);
    if (options.list) {
        output.put(listing(design));
        output.flush();
        if (output.problem() == EPIPE) return kNobodyReads;
        if (output.problem() != 0) throw cannotPrint(output);
        return 0;
    }
    checkEnd(design, options);
    checkFiles(options);
    return Run(design, sources, options, foreign, output).execute();
}

}  // namespace

int run(const hir::Design& design, const SourceManager& sources,
        const std::vector<std::string>& arguments, const ForeignCode* foreign) {
    Output output;
    try {
        return runWith(design, sources, arguments, foreign, output);
    } catch (const RunError& error) {
        output.note((error.status == kFailure ? "" : "smec: error: ") + onOneLine(error.message)
                    + "\n");  // a place in a file stands for itself
        return error.status;
    }
}

}  // namespace smec::interp
