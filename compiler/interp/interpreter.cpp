// A run from the options to the exit status.

#include "interp/interpreter.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fstream>
#include <memory>

#include <unistd.h>

#include <fmt/format.h>

#include "formats/memory_file.h"
#include "formats/progress_text.h"
#include "interp/checkpoint.h"
#include "interp/hash.h"
#include "interp/interrupt.h"
#include "interp/memories.h"
#include "interp/names.h"
#include "interp/options.h"
#include "sme/option_words.h"
#include "source/one_line.h"
#include "source/output_file.h"

namespace smec::interp {

namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* kNeverEnds = "this design never ends by itself (it has no stop, assertion or "
                                   "run-time check, and there is no --input); "
                                   "say how long to run with --cycles N";

constexpr int kNobodyReads = 128 + SIGPIPE;  // as of a program that does not ignore it

/// Why the run did not go on; the exit status.
int sayCutOff(const std::string& where) {
    const int signal = InterruptScope::signal();
    standardSinks().err((signal ? "smec: interrupted " : "smec: error: time limit reached ") + where
                        + "\n");
    return signal ? 128 + signal : kLimit;
}

/// The exit status. A place in a file stands for itself.
int complain(const RunError& error) {
    standardSinks().err((error.hasPlace ? "" : "smec: error: ") + onOneLine(error.message) + "\n");
    return error.status;
}

RunError cannotPrint(const Output& output) {
    return {kFileSystem,
            fmt::format("cannot write standard output: {}", std::strerror(output.problem()))};
}

Settings settingsOf(const Options& options, const InterpretedDesign& design) {
    Settings settings{options.seed,   options.loopLimit, design.unchecked,         std::nullopt,
                      design.foreign, design.states,     &InterruptScope::signal()};
    constexpr double kForever = 1e9;
    if (options.timeout && *options.timeout < kForever) {
        const std::chrono::duration<double> seconds(*options.timeout);
        settings.deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(seconds);
    }
    return settings;
}

/// The command line of a run.
class Cli {
public:
    Cli(const InterpretedDesign& design, const Options& options);
    int execute();

private:
    void openFiles();
    sme::CheckpointFile goOn();
    void openTraces(const sme::CheckpointFile& resumed);
    void claimCheckpoint();
    /// How long to run, and why not longer.
    struct Length {
        std::uint64_t cycles;
        const char* reason;
    };
    Length length() const;
    void writeEnding() const;
    bool isDue() const;
    bool goesOn(std::uint64_t cycles);
    bool hasRows();
    void showProgress();
    void hideProgress();
    std::string verdict(ExpectFile& expected);
    std::string textOf(const std::string& path, const Part& part);
    void printResults();
    int finish();

    const Options& options_;
    Run run_;
    Simulation& simulation_;
    Output& output_;
    std::size_t traced_ = 0;  ///< columns
    std::vector<Part> prints_;
    std::optional<Checkpoint> checkpoint_;
    InterruptScope interrupts_;
    bool cutOff_ = false;  ///< by --timeout or a signal
    std::optional<RunError> badRow_;
    Clock::time_point start_;
    double seconds_ = 0;
    Clock::time_point lastProgress_ = Clock::now();
    std::uint64_t firstCycle_ = 0;  ///< of this run
    bool hasBar_ = false;           ///< at the terminal
};

Cli::Cli(const InterpretedDesign& design, const Options& options)
    : options_(options),
      run_(design, settingsOf(options, design), standardSinks()),
      simulation_(run_.simulation()),
      output_(run_.output()) {
    if (!options.checkpoint.path.empty()) checkpoint_.emplace(options.checkpoint.path);
    openFiles();
}

void Cli::openFiles() {
    for (const std::string& path : options_.prints) {
        auto part = run_.names().find(path);
        if (!part)
            throw RunError{kUsage, "--print: no field or variable '" + path + "'"
                                       + run_.names().hint(path)};
        prints_.push_back(std::move(*part));
    }
    loadMemories(simulation_, run_.names(), options_.memories);
    if (!options_.input.empty()) run_.drive(options_.input);
    if (!options_.expect.empty()) run_.expect(options_.expect);
    if (run_.expectation() && run_.expectation()->rows().columns().empty())
        output_.note(fmt::format("smec: warning: --expect {} names no field or variable, so that "
                                 "nothing is compared\n",
                                 quotedWord(options_.expect)));
    sme::CheckpointFile resumed;
    if (!options_.resume.empty()) resumed = goOn();
    openTraces(resumed);
}

void Cli::claimCheckpoint() {
    if (checkpoint_) checkpoint_->claim();
}

/// Whatever is wrong is found before anything is cut.
void Cli::openTraces(const sme::CheckpointFile& resumed) {
    const sme::TraceSelection& selection = options_.selection;
    if (options_.traces.empty()) {
        if (isSelective(selection)) output_.note(fmt::format("smec: warning: {}\n", sme::kNoTrace));
        return claimCheckpoint();
    }
    TraceColumns columns =
        selectColumns(simulation_.design(), run_.sources(), run_.names(), selection);
    const sme::FilterNotes notes =
        notesOf(run_.names(), selection, columns, options_.traces, "--trace-filter");
    if (!notes.refusal.empty()) throw RunError{kUsage, notes.refusal};
    for (const std::string& warning : notes.warnings)
        output_.note(fmt::format("smec: warning: {}\n", warning));
    if (columns.signals.empty())
        output_.note("smec: warning: no field of this design is exposed, so that the trace is "
                     "empty; see --trace-all\n");
    traced_ = columns.parts.size() * options_.traces.size();
    try {
        if (!options_.resume.empty())
            checkContinued(simulation_.design(), options_.traces, columns, selection,
                           resumed.traces);
    } catch (const RunError& error) {
        throw RunError{error.status,
                       fmt::format("--resume '{}': {}", options_.resume, error.message)};
    }
    claimCheckpoint();
    run_.trace(options_.traces, std::move(columns), selection, resumed.traces);
}

sme::CheckpointFile Cli::goOn() {
    sme::CheckpointFile file = resume(options_.resume, run_, options_.resumesEdited);
    if (length().cycles < simulation_.cycle())
        throw RunError{kUsage, fmt::format("--resume '{}': the state is that before cycle {}, and "
                                           "the run ends after {} cycles",
                                           options_.resume, simulation_.cycle(), length().cycles)};
    return file;
}

Cli::Length Cli::length() const {
    constexpr std::uint64_t kFewestCycles = 100;
    if (options_.cycles) return {*options_.cycles, "cycles"};
    Length length{UINT64_MAX, "limit"};
    const InputFile* input = run_.input();
    const ExpectFile* expected = run_.expectation();
    const auto rows = [](const auto* file) {
        return file ? file->rows().count().value_or(UINT64_MAX) : 0;
    };
    if (input || expected) length = {std::max(rows(input), rows(expected)), "input"};
    if (options_.mostCycles && *options_.mostCycles < length.cycles)
        length = {*options_.mostCycles, "limit"};
    const std::uint64_t values =
        std::max(kFewestCycles, options_.mostValues / std::max<std::size_t>(traced_, 1));
    if (values < length.cycles) length = {values, "values"};
    return length;
}

/// "WORD CYCLES STATUS"
void Cli::writeEnding() const {
    if (options_.ending.empty()) return;
    const char* reason = simulation_.hasFailed() ? "failure"
                         : simulation_.ended()   ? "stop"
                         : cutOff_               ? "cut"
                                                 : length().reason;
    std::ofstream(options_.ending)
        << fmt::format("{} {} {}\n", reason, simulation_.cycle(), simulation_.status());
}

/// Whether a state is to be kept before the next cycle. The one at the end is not counted here.
bool Cli::isDue() const {
    const std::uint64_t every = options_.checkpoint.every;
    return every > 0 && simulation_.cycle() % every == 0 && !simulation_.ended();
}

/// Whether the rows say nothing against the next cycle.
bool Cli::hasRows() {
    try {
        return run_.awaitRows() || options_.cycles || (!run_.input() && !run_.expectation());
    } catch (const CutOff&) {
        cutOff_ = true;
    } catch (const RunError& error) {
        badRow_ = error;
    }
    return false;
}

bool Cli::goesOn(std::uint64_t cycles) {
    return simulation_.cycle() < cycles && !simulation_.ended() && !cutOff_
           && output_.problem() == 0 && !run_.hasBrokenTrace() && hasRows();
}

void Cli::showProgress() {
    if (Clock::now() - lastProgress_ < std::chrono::seconds(1)) return;
    lastProgress_ = Clock::now();
    const unsigned columns = sme::terminalColumns(STDERR_FILENO);
    hasBar_ = columns > 0;
    const std::uint64_t cycle = simulation_.cycle();
    if (!hasBar_) return output_.note(fmt::format("cycle {}\n", cycle));
    const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    const double rate = static_cast<double>(cycle - firstCycle_) / seconds;
    const sme::Progress progress{
        cycle, length().cycles, firstCycle_, seconds, rate, options_.timeout.value_or(0)};
    output_.note("\r" + sme::progressBar(progress, columns) + "\033[K");
}

void Cli::hideProgress() {
    if (hasBar_) output_.note("\r\033[K");
}

int Cli::execute() {
    const std::uint64_t cycles = length().cycles;
    start_ = Clock::now();
    firstCycle_ = simulation_.cycle();
    try {
        while (goesOn(cycles)) {
            run_.cycle();
            if (isDue()) checkpoint_->keep(run_);
            if (options_.progress) showProgress();
            cutOff_ = simulation_.mustEnd();
        }
    } catch (const CutOff&) {
        hideProgress();
        output_.write(simulation_.takeMessages(), simulation_.cycle());
        output_.flush();
        return sayCutOff(fmt::format("within cycle {}", simulation_.cycle()));
    }
    seconds_ = std::chrono::duration<double>(Clock::now() - start_).count();
    hideProgress();
    run_.releaseInputs();
    if (checkpoint_ && !simulation_.hasFailed() && output_.problem() == 0) checkpoint_->keep(run_);
    printResults();
    return finish();
}

/// What is wrong after all; the rows that are left of a pipe may be.
std::string Cli::verdict(ExpectFile& expected) {
    if (cutOff_ || badRow_) return expected.verdictOfPart();
    try {
        return expected.verdict(simulation_.cycle());
    } catch (const CutOff&) {
        cutOff_ = true;
    } catch (const RunError& error) {
        badRow_ = error;
    }
    return expected.verdictOfPart();
}

/// Of what only a cycle tells, there is no value.
std::string Cli::textOf(const std::string& path, const Part& part) {
    const TypeTable& types = simulation_.design().types;
    try {
        return hir::toString(types, part.type, toHir(types, part.type, shownOf(simulation_, part)));
    } catch (const RunError& error) {
        if (error.status != kUsage) throw;
        output_.note("smec: warning: --print '" + path + "': " + error.message + "\n");
        return "unknown";
    }
}

void Cli::printResults() {
    run_.lookAhead([&] {
        for (std::size_t i = 0; i < prints_.size(); ++i)
            output_.line(options_.prints[i] + ": " + textOf(options_.prints[i], prints_[i]));
    });
    if (options_.checksum) output_.line(fmt::format("{:016x}", checksum(simulation_)));
}

int Cli::finish() {
    const std::uint64_t cycles = simulation_.cycle();
    run_.endTraces();
    const std::uint64_t start = options_.selection.start;
    if (!options_.traces.empty() && start > 0 && cycles <= start)
        output_.note(
            fmt::format("smec: warning: the run ended before cycle {} of --trace-start, so "
                        "that the trace has no row\n",
                        start));
    writeEnding();
    output_.flush();
    if (output_.problem() == EPIPE) return kNobodyReads;
    if (output_.problem() != 0) throw cannotPrint(output_);
    int status = simulation_.status();
    if (ExpectFile* expected = run_.expectation()) {
        output_.note(verdict(*expected));
        if (!expected->good()) status = kFailure;
    }
    if (badRow_) status = complain(*badRow_);
    if (cutOff_ && !simulation_.ended() && status == 0)
        status =
            sayCutOff(cycles == 0 ? "before cycle 0" : fmt::format("after cycle {}", cycles - 1));
    output_.note(coverReport(simulation_));
    if (!options_.quiet)
        output_.note(summary(cycles, simulation_.network().processes.size(), seconds_));
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

/// What is read is not written, and what is written is written once.
void checkFiles(const Options& options) {
    InputFiles inputs;
    if (options.input == "-" && options.expect == "-")
        throw RunError{kUsage, "--input and --expect cannot both be standard input"};
    inputs.add("/dev/stdin");
    for (const std::string& input : {options.input, options.expect})
        if (!input.empty() && input != "-") inputs.add(input);
    for (const std::string& memory : options.memories)
        if (const auto option = sme::readMemoryOption(memory)) inputs.add(option->file);
    const std::string& checkpoint = options.checkpoint.path;
    OutputFiles outputs(inputs);
    try {
        if (!checkpoint.empty()) {
            outputs.add("--checkpoint", checkpoint);
            if (findOutput(checkpoint, {}).kind == OutputPlace::Kind::StandardOutput
                && !isStream(checkpoint))
                throw FileError{"--checkpoint: '" + checkpoint
                                    + "' is standard output, which it would replace",
                                true};
        }
        // the state that it goes on from may be replaced by a later one
        if (!options.resume.empty()) inputs.add(options.resume);
        for (const std::string& trace : options.traces)
            outputs.add("--trace", trace);
    } catch (const FileError& error) {
        throw RunError{error.isMisuse ? kUsage : kFileSystem, error.message};
    }
}

/// What is said instead of a run.
int say(const std::string& text) {
    Output output(standardSinks());
    output.put(text);
    output.flush();
    if (output.problem() == EPIPE) return kNobodyReads;
    if (output.problem() != 0) throw cannotPrint(output);
    return 0;
}

void checkCheckpoints(const InterpretedDesign& interpreted, const Options& options) {
    if (options.resumesEdited && options.resume.empty())
        throw RunError{kUsage, "--resume-edited needs --resume FILE"};
    if (options.resume.empty() && options.checkpoint.path.empty()) return;
    for (const hir::Specialisation& spec : interpreted.design.specs) {
        if (!spec.foreign.valid() || !interpreted.foreign) continue;
        const auto& save = interpreted.foreign->functions[spec.foreign.index].objects.save;
        if (!save || save(0) == 0)
            throw RunError{kUsage,
                           fmt::format("{}: objects of the extern process '{}' cannot be "
                                       "kept in a file; their class has no save() and load()",
                                       options.resume.empty() ? "--checkpoint" : "--resume",
                                       spec.name)};
    }
    if (!options.memories.empty() && !options.resume.empty())
        throw RunError{kUsage,
                       "--memory does not go with --resume: the state has what memories hold"};
    if (options.resume.empty() || options.seed == 0) return;
    throw RunError{kUsage, "--seed does not go with --resume: the state has its random numbers"};
}

int runWith(const InterpretedDesign& design, const std::vector<std::string>& arguments) {
    const Options options = parseOptions(arguments);
    if (options.help) return say(sme::optionHelp("smec run --interpret FILE.sme -- [options]"));
    if (options.version)
        return say(
            fmt::format("{}, interpreted by {}\n", design.design.topName, design.interpreter));
    if (options.list) return say(listing(design.design));
    checkEnd(design.design, options);
    checkFiles(options);
    checkCheckpoints(design, options);
    return Cli(design, options).execute();
}

}  // namespace

int run(const InterpretedDesign& design, const std::vector<std::string>& arguments) {
    try {
        return runWith(design, arguments);
    } catch (const RunError& error) {
        return complain(error);
    } catch (const CutOff&) {
        return sayCutOff("before cycle 0");
    }
}

}  // namespace smec::interp
