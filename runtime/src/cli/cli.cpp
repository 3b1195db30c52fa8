#include "cli/cli.h"

#include <algorithm>
#include <cerrno>
#include <cinttypes>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "cli/exit_status.h"
#include "cli/memories.h"
#include "formats/file_sink.h"
#include "formats/memory_file.h"
#include "output/output_file.h"
#include "report/cover.h"
#include "trace/checksum.h"
#include "trace/listing.h"
#include "values/words.h"

namespace sme {
namespace {

constexpr std::uint64_t kForever = ~std::uint64_t{0};

int statusOf(ErrorKind kind) {
    switch (kind) {
    case ErrorKind::Data:
    case ErrorKind::State: return 1;
    case ErrorKind::Usage: return 2;
    case ErrorKind::Files: return kFiles;
    case ErrorKind::Limit: return kLimit;
    case ErrorKind::Internal: return 70;
    }
    return 70;
}

}  // namespace

Cli::Cli(const Model& model, Options options, std::string program, TextSink& out, TextSink& err,
         RankSeat* seat)
    : model_(model),
      options_(std::move(options)),
      program_(std::move(program)),
      out_(out),
      err_(err),
      seat_(seat) {
    if (seat_) rankCheckpoints_.emplace(model_, *seat_);
    if (!seat_ || seat_->isFirst() || !seat_->sharesProcess) signals_.emplace();
}

int Cli::run() {
    if (options_.list) {
        out_.write(listNames(NameTable(model_)));
        return finish();
    }
    if (seat_) return runAsRank();
    try {
        if (!prepare()) {
            const int status = statusOfCutOff();
            err_.flush();
            return status;
        }
        startWatchdog();
        if (options_.reportFactored > 0)
            factored_ = run_->measureSpeedup(lastCycle(), options_.reportFactored);
        run_->measure();
        simulate();
    } catch (const Error& error) {
        const int status = complain(error);
        err_.flush();
        return status;
    }
    printResults();
    return finish();
}

// ---------------------------------------------------------------- before the run

/// False when somebody ended it.
bool Cli::prepare() {
    checkEnd();
    if (isFirst()) checkFiles();
    checkOptions(model_, options_);
    checkReports();
    checkCheckpoints();
    const bool needsNames = !options_.input.empty() || !options_.expect.empty()
                            || !options_.prints.empty() || !options_.traces.empty()
                            || !options_.memories.empty();
    if (needsNames) names_ = std::make_unique<NameTable>(model_);
    resolvePrints();
    makeRun();
    if (!options_.memories.empty()) loadMemories(*run_, *names_, options_.memories);
    if (!openRows()) return false;
    CheckpointFile resumed;
    if (!options_.resume.empty()) resumed = resume();
    openTraces(resumed);
    return true;
}

void Cli::checkEnd() const {
    const bool ends = options_.cycles || options_.timeout > 0 || !options_.input.empty()
                      || !options_.expect.empty() || (model_.flags & (kHasStop | kHasFailure)) != 0;
    if (ends) return;
    wrongUsage("this design never ends by itself (it has no stop, assertion or run-time "
               "check, and there is no --input); "
               "say how long to run with --cycles N");
}

void Cli::checkFiles() const {
    RunFiles files;
    if (options_.input == "-" && options_.expect == "-")
        wrongUsage("--input and --expect cannot both be standard input");
    for (const std::string& input : {options_.input, options_.expect})
        if (!input.empty()) files.addInput(input);
    for (const std::string& memory : options_.memories)
        if (const auto option = readMemoryOption(memory)) files.addInput(option->file);
    if (seat_ && isStream(options_.checkpoint.path))
        wrongUsage(
            "--checkpoint on several ranks (--ranks) needs a file: they write others beside it");
    const auto add = [&](const char* option, const std::string& path, Written how) {
        if (!path.empty() && path != "-") throwIfAny(files.addOutput(option, path, how));
    };
    // the state that it goes on from may be replaced by a later one
    add("--checkpoint", options_.checkpoint.path, Written::AtOnce);
    if (!options_.resume.empty()) files.addInput(options_.resume);
    add("--costs", options_.costs, Written::AtOnce);
    add("--schedule-trace", options_.scheduleTrace,
        isStandardOutput(options_.scheduleTrace) ? Written::Along : Written::AtOnce);
    if (std::ranges::count_if(options_.traces, isStandardOutput) > 1)
        wrongUsage("two of --trace name standard output");
    for (const std::string& trace : options_.traces)
        add("--trace", trace, Written::Along);
}

void Cli::checkReports() const {
    if (options_.reportFactored == 0) return;
    if ((model_.flags & kHasEffects) != 0)
        wrongUsage("--report factored runs a design several times, but this one calls "
                   "'extern serial' functions or 'extern' processes, which may not bear it");
    if (!options_.memories.empty())
        wrongUsage(
            "--report factored runs from the initial values of the source on; it does not go "
            "with --memory");
    if (options_.threads == 0) wrongUsage("--report factored needs --threads N");
}

void Cli::resolvePrints() {
    for (const std::string& path : options_.prints) {
        const auto ref = names_->find(path);
        if (!ref) wrongUsage("--print: no field or variable '" + path + "'" + names_->hint(path));
        prints_.push_back(*ref);
    }
}

bool Cli::openRows() {
    // relaxed: a wish for the end; nothing is handed over with it
    const LineReader::Waiting waiting{
        {}, [this] { return request_.load(std::memory_order_relaxed) != 0; }};
    Rows input, expected;
    if (!options_.input.empty()) {
        if (!input.open(options_.input, *names_, Rows::Use::Input, waiting)) return false;
        run_->drive(std::move(input));
    }
    if (!options_.expect.empty() && isFirst()) {
        if (!expected.open(options_.expect, *names_, Rows::Use::Expectation, waiting)) return false;
        if (expected.columns().empty())
            say("warning: --expect " + quotedWord(options_.expect)
                + " names no field or variable, so that nothing is compared");
        if (seat_) watchOnRanks(expected);
        run_->expect(std::move(expected));
    }
    if (!options_.cycles) run_->endWithRows();
    return true;
}

void Cli::makeRun() {
    const auto warn = [this](const std::string& message) { say("warning: " + message); };
    RunOptions options = options_;
    if (seat_) options.residence = &seat_->residence;
    if (seat_) options.whole = &model_;
    run_ = std::make_unique<Run>(seat_ ? seat_->own.model() : model_, std::move(options),
                                 RunSinks{out_, err_, warn});
    run_->watch(&request_);
    if (!options_.checkpoint.path.empty()) {
        const auto* standard = dynamic_cast<const FileSink*>(&out_);
        checkpoints_.emplace(options_.checkpoint.path, options_.checkpoint.every,
                             standard ? standard->descriptor() : -1);
    }
    const bool wantsWindow = options_.reportText || !options_.scheduleTrace.empty();
    if (wantsWindow && !seat_) run_->record(options_.scheduleWindow);
}

/// Whatever is wrong is found before anything is cut.
void Cli::openTraces(const CheckpointFile& resumed) {
    if (options_.traces.empty() || !isFirst()) {
        if (isFirst() && isSelective(options_.selection)) say(std::string("warning: ") + kNoTrace);
        return claimCheckpoint();
    }
    TraceColumns columns = selectColumns(*names_, options_.selection);
    const FilterNotes notes =
        notesOf(*names_, options_.selection, columns, options_.traces, "--trace-filter");
    if (!notes.refusal.empty()) wrongUsage(notes.refusal);
    for (const std::string& warning : notes.warnings)
        say("warning: " + warning);
    if (columns.signals.empty())
        say("warning: no field of this design is exposed, so that the trace is empty; see "
            "--trace-all");
    FileProblem problem;
    if (!options_.resume.empty())
        problem =
            whyNotContinued(model_, options_.traces, columns, options_.selection, resumed.traces);
    if (problem)
        throw Error(problem.status == 2 ? ErrorKind::Usage : ErrorKind::State,
                    whatResumes() + problem.message);
    claimCheckpoint();
    if (seat_) watchOnRanks(columns.refs);
    run_->trace(options_.traces, std::move(columns), options_.selection, resumed.traces);
}

std::uint64_t Cli::lastCycle() const {
    if (agreedLast_) return *agreedLast_;
    if (options_.cycles) return *options_.cycles;
    return run_->cyclesOfRows().value_or(kForever);
}

// ---------------------------------------------------------------- the run and its end

void Cli::startWatchdog() {
    if (options_.timeout <= 0 && !options_.progress) return;
    watchdog_ = std::make_unique<Watchdog>(request_, options_.timeout, options_.progress,
                                           run_->cycle(), lastCycle());
    if (options_.progress) run_->show(&watchdog_->cycle());
}

void Cli::simulate() {
    const std::uint64_t last = lastCycle();
    do {
        const std::uint64_t next = checkpoints_ ? checkpoints_->next(run_->cycle()) : last;
        ended_ = run_->advance(std::min(last, next));
        const bool isGood = seat_ ? keepTogether() : keepState();
        if (!isGood) break;
    } while (ended_ == 0 && run_->cycle() < last);
    run_->show(nullptr);
    watchdog_.reset();
}

/// Of what only a cycle tells, there is no value.
std::string Cli::lineOf(const std::string& path, const Ref& ref) {
    std::vector<std::byte> value(model_.types[ref.type].bytes);
    try {
        run_->value(ref, value.data());
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::Usage) throw;
        say("warning: --print '" + path + "': " + error.what());
        return path + ": unknown\n";
    }
    return printLine(model_, path, ref, value.data());
}

void Cli::printResults() {
    if (!prints_.empty()) {
        const Run::NextRow row(*run_);
        for (std::size_t i = 0; i < prints_.size(); ++i)
            out_.write(lineOf(options_.prints[i], prints_[i]));
    }
    if (!options_.checksum) return;
    char line[20];
    std::snprintf(line, sizeof line, "%016" PRIx64 "\n", sumOfState());
    out_.write(line);
}

std::uint64_t Cli::sumOfState() const { return seat_ ? sum_ : checksum(run_->engine()); }

Summary Cli::summary() const {
    Summary summary = run_->summary();
    summary.resumedAt = resumedAt_;
    if (seat_) addRanks(summary);
    if (options_.reportJson) summary.cover = coverCounts(run_->engine());
    return summary;
}

void Cli::writeReports() {
    if (!rankReports_.empty()) out_.write(rankTable());
    if (options_.reportText && run_->window())
        out_.write(profileText(run_->engine(), *run_->window())
                   + refusalsText(run_->engine().model()));
    if (options_.reportText && factored_) out_.write("\n");
    if (factored_ && !options_.reportJson) out_.write(toText(*factored_));
    if (options_.reportJson) out_.write(toJson(summary(), factored_ ? toJson(*factored_) : ""));
}

int Cli::finish() {
    FileProblem problem = checkpointProblem_;
    if (run_)
        if (const FileProblem traces = run_->finish(); !problem) problem = traces;
    if (!problem && run_ && run_->window() && !options_.scheduleTrace.empty())
        problem = writeScheduleTrace();
    const bool wantsWindow = !seat_ && (options_.reportText || !options_.scheduleTrace.empty());
    if (run_ && !options_.traces.empty() && options_.selection.start > 0
        && run_->cycle() <= options_.selection.start)
        say("warning: the run ended before cycle " + std::to_string(options_.selection.start)
            + " of --trace-start, so that the trace has no row");
    if (run_ && wantsWindow && !run_->window())
        say("warning: no cycle of --schedule-window was run, so that nothing was recorded");
    if (run_) writeReports();
    out_.flush();
    if (out_.problem() == EPIPE) return kNobodyReads;
    if (const int why = out_.problem())
        problem = {kFiles, std::string("cannot write standard output: ") + std::strerror(why)};
    int status = run_ ? statusOfRun() : kGood;
    if (problem) {
        say("error: " + problem.message);
        status = kFiles;
    }
    if (run_) err_.write(toText(coverCounts(run_->engine())));
    if (run_ && !options_.quiet) err_.write(toText(summary()));
    err_.flush();
    return status;
}

int Cli::statusOfRun() {
    const bool cutOff = (ended_ & kRequested) != 0;
    bool good = (ended_ & kFailed) == 0;
    Expectation* expectation = run_->expectation();
    const bool isWhole = !cutOff && (ended_ & kBadRow) == 0;
    if (expectation && !isWhole) good = good && expectation->good();
    if (expectation && isWhole) good = expectation->finish(run_->cycle()) && good;
    const FileProblem rows = run_->problemOfRows();
    if (rows.status == kFailure) err_.write(rows.message + "\n");
    if (rows.status == kFiles) say("error: " + rows.message);
    if (rows) return rows.status;
    if (ended_ & kNoMemory) say("error: out of memory");
    if (!good) return kFailure;
    if (ended_ & kNoMemory) return kLimit;
    if (ended_ & kStopped) return run_->stopStatus();
    return cutOff ? statusOfCutOff() : kGood;
}

int Cli::statusOfCutOff() {
    const std::uint32_t request = request_.load(std::memory_order_relaxed);  // the run is over
    const std::uint64_t cycles = run_ ? run_->cycle() : 0;
    const std::string where =
        cycles == 0 ? "before cycle 0" : "after cycle " + std::to_string(cycles - 1);
    if (request == kTimeLimit) {
        say("error: time limit reached " + where);
        return kLimit;
    }
    say("interrupted " + where);
    return 128 + static_cast<int>(request);
}

FileProblem Cli::writeScheduleTrace() const {
    const std::string events = traceEvents(model_, *run_->window());
    if (isStandardOutput(options_.scheduleTrace)) {
        out_.write(events);
        return {};
    }
    const int problem = writeOutput(options_.scheduleTrace, events);
    if (problem == 0) return {};
    return {kFiles, "cannot write '" + options_.scheduleTrace + "': " + reasonOf(problem)};
}

int Cli::complain(const Error& error) {
    switch (error.kind()) {
    case ErrorKind::Data: err_.write(onOneLine(error.what()) + "\n"); break;
    case ErrorKind::Internal:
        say(std::string("internal error: ") + error.what() + "; please report");
        break;
    default: say(std::string("error: ") + error.what());
    }
    return statusOf(error.kind());
}

void Cli::say(const std::string& message) {
    err_.write(onOneLine(program_ + ": " + message) + "\n");
}

}  // namespace sme
