#include "driver/verify/verify_engines.h"

#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "driver/compile/option_words.h"
#include "driver/hardware/hardware.h"
#include "driver/system/exit_status.h"
#include "driver/system/files.h"
#include "driver/verify/target.h"

namespace smec::driver {
namespace fs = std::filesystem;

namespace {

/// Measures wall time into the row.
class Stopwatch {
public:
    explicit Stopwatch(VerifyRow& row) : row_(row) {}
    ~Stopwatch() {
        const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start_;
        row_.seconds = passed.count();
    }
    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;

private:
    VerifyRow& row_;
    const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

std::string firstLine(const std::string& text) { return text.substr(0, text.find('\n')); }

/// How many cycles the others are to run: more than a design does that ends by itself.
std::uint64_t cyclesAfter(const std::optional<std::uint64_t>& asked, const RunEnding& ending) {
    if (asked) return *asked;
    return ending.isOfDesign() ? ending.cycles + 1 : ending.cycles;
}

/// The number of the first line that differs, from 1 on, and both lines; 0: none.
std::size_t firstDifferentLine(const fs::path& expected, const fs::path& got, std::string& wanted,
                               std::string& found) {
    std::ifstream first(expected), second(got);
    for (std::size_t number = 1;; ++number) {
        const bool isWanted = static_cast<bool>(std::getline(first, wanted)),
                   isFound = static_cast<bool>(std::getline(second, found));
        if (!isWanted && !isFound) return 0;
        if (!isWanted) wanted = "nothing";
        if (!isFound) found = "nothing";
        if (isWanted != isFound || wanted != found) return number;
    }
}

}  // namespace

std::string firstComplaint(const std::string& output) {
    std::istringstream lines(output);
    std::string first;
    for (std::string line; std::getline(lines, line);) {
        if (first.empty()) first = line;
        for (const char* word : {"error", "Error", "ERROR", "fatal"})
            if (line.find(word) != std::string::npos) return line;
    }
    return first;
}

ProcessResult Engines::run(const std::vector<std::string>& words, const fs::path& folder,
                           const fs::path& outputFile) const {
    if (interrupts_.signal() != 0) return {};
    if (request_.compile.verbose) fmt::print(stderr, "{}\n", fmt::join(words, " "));
    return runGuarded({.words = words,
                       .folder = folder,
                       .outputFile = outputFile,
                       .scratch = scratch_,
                       .limit = std::chrono::seconds(request_.verify.seconds)},
                      interrupts_);
}

std::string Engines::endOf(const ProcessResult& result) const {
    if (result.overMemory) return memoryMessage("it");
    if (!result.started) return "cannot be started";
    if (!result.timedOut) return {};
    return fmt::format("no end after {} s", request_.verify.seconds);
}

ReferenceRun Engines::interpret(VerifyRow& row, std::string& messages) const {
    const Stopwatch stopwatch(row);
    ReferenceRun reference;
    reference.trace = scratch_ / "reference.csv";
    reference.output = scratch_ / "reference.txt";
    std::vector<std::string> words = referenceCommand(
        request_.compile, request_.hardware, {reference.trace, scratch_ / "reference.ending"});
    words.insert(words.end(), request_.runArguments.begin(), request_.runArguments.end());
    words.emplace_back("--checksum");
    const ProcessResult result = run(words, {}, reference.output);
    reference.status = result.status;
    reference.errors = fromFirstError(result.output);
    reference.ending = readEnding(scratch_ / "reference.ending");
    row.remark = describe(reference.ending);
    const std::string end = endOf(result);
    messages = result.overMemory ? "smec: error: " + memoryMessage("the interpreter") + "\n"
               : !end.empty()    ? "smec: error: the interpreter has " + end + "\n"
                                 : result.output;
    // Where there is nothing to run it writes nothing.
    const TraceComparison own =
        compareTraces(reference.trace, reference.trace, target::kDifferencesListed);
    if (own.problem.empty() && end.empty()) messages.clear();
    row.cycles = own.cycles;
    row.fields = own.fields;
    return reference;
}

ProcessResult Engines::compile() const {
    const CompileOptions& options = request_.compile;
    std::vector<std::string> words{fs::read_symlink("/proc/self/exe").string(),
                                   "compile",
                                   options.files[0],
                                   "-o",
                                   simulator().string(),
                                   "-q"};
    const std::vector<std::string> more = optionWords(options);
    words.insert(words.end(), more.begin(), more.end());
    return run(words, {}, {});
}

/// Whether it ended as the reference did; else how not.
std::string Engines::disagreement(const ProcessResult& result, const fs::path& output,
                                  const ReferenceRun& reference) const {
    if (result.signal != 0) return fmt::format("signal {}", result.signal);
    if (result.status != reference.status)
        return fmt::format("status {} instead of {}; {}", result.status, reference.status,
                           firstLine(fromFirstError(result.output)));
    if (fromFirstError(result.output) != reference.errors)
        return fmt::format("it says '{}' instead of '{}'", firstLine(fromFirstError(result.output)),
                           firstLine(reference.errors));
    std::string wanted, found;
    const std::size_t line = firstDifferentLine(reference.output, output, wanted, found);
    if (line == 0) return {};
    return fmt::format("line {} of what the design prints is '{}' instead of '{}'", line, found,
                       wanted);
}

/// A run without traces: how its end differs, if it does.
std::string Engines::disagreementUnseen(const std::vector<std::string>& words,
                                        const ReferenceRun& reference) const {
    const fs::path output = scratch_ / (words[2] + "-unseen.txt");
    const ProcessResult result = run(words, {}, output);
    if (!result.started) return "cannot be started again";
    std::string found = endOf(result);
    if (found.empty()) found = disagreement(result, output, reference);
    return found.empty() ? found : "without traces: " + found;
}

void Engines::simulate(const std::string& model, unsigned threads, const ReferenceRun& reference,
                       VerifyRow& row) const {
    const Stopwatch stopwatch(row);
    const std::string name = fmt::format("{}-{}", model, threads);
    const fs::path trace = scratch_ / (name + ".csv"), output = scratch_ / (name + ".txt");
    std::vector<std::string> words{
        simulator().string(),
        "--model",
        model,
        "--threads",
        std::to_string(threads),
        "--oversubscribe",
        "--cycles",
        std::to_string(cyclesAfter(request_.hardware.cycles, reference.ending))};
    const std::string& input = request_.hardware.input;
    if (!input.empty()) words.insert(words.end(), {"--input", input});
    words.insert(words.end(), {"--quiet", "--checksum"});
    words.insert(words.end(), request_.runArguments.begin(), request_.runArguments.end());
    std::vector<std::string> traced = words;
    traced.insert(traced.end(), {"--trace", trace.string(), "--trace-all"});
    const ProcessResult result = run(traced, {}, output);
    if (row.remark = endOf(result); !row.remark.empty()) return;
    const TraceComparison compared =
        compareTraces(reference.trace, trace, target::kDifferencesListed);
    row.cycles = compared.cycles;
    row.fields = compared.fields;
    row.first = compared.first;
    row.different = compared.different;
    row.remark = compared.different != 0 ? "" : disagreement(result, output, reference);
    if (!compared.problem.empty()) {
        if (row.remark.empty()) row.remark = compared.problem;
        return;
    }
    // what nobody sees is left out by one thread alone
    if (compared.different == 0 && row.remark.empty() && threads == 1)
        row.remark = disagreementUnseen(words, reference);
    const bool isEqual = compared.different == 0 && row.remark.empty();
    row.outcome = isEqual ? Outcome::Agrees : Outcome::Differs;
}

void Engines::runBench(const BenchTool& tool, const fs::path& folder, VerifyRow& row) const {
    const Stopwatch stopwatch(row);
    std::string printed;
    for (const std::vector<std::string>& command : tool.commands) {
        const ProcessResult result = run(command, folder, {});
        printed = result.output;
        std::ofstream(scratch_ / (tool.name + ".log"), std::ios::app) << printed;
        if (result.overMemory || result.timedOut) {
            row.remark = endOf(result);
            return;
        }
        if (!result.started || result.status != 0) break;
    }
    readBench(printed, row);
    if (row.outcome == Outcome::Failed && row.remark.empty()) row.remark = firstComplaint(printed);
}

}  // namespace smec::driver
