#include "cli/ranks.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <exception>
#include <fstream>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include <sme/fnv1a.h>

#include "cli/cli.h"
#include "cli/exit_status.h"
#include "cli/rank_bytes.h"
#include "cli/rank_seat.h"
#include "engine/rank_metis.h"
#include "engine/ranks_in_process.h"
#include "output/error.h"
#include "output/output_file.h"
#include "run/rank_figures.h"
#include "schedule/machine.h"

namespace sme {
namespace {

/// Threads start and are waited for, whatever happens in between.
class Threads {
public:
    ~Threads() {
        for (std::thread& thread : threads_)
            thread.join();
    }
    template <typename Function>
    void start(Function function) {
        threads_.emplace_back(std::move(function));
    }

private:
    std::vector<std::thread> threads_;
};

/// How many of a machine's ranks share the processors of this one: launchers bind each to some of
/// those that they have themselves.
unsigned ranksOnOwn(unsigned ranksHere) {
    cpu_set_t own;
    cpu_set_t launchers;
    if (sched_getaffinity(0, sizeof own, &own) != 0) return ranksHere;
    if (sched_getaffinity(getppid(), sizeof launchers, &launchers) != 0) return ranksHere;
    const auto of = static_cast<unsigned>(CPU_COUNT(&own));
    const auto all = static_cast<unsigned>(CPU_COUNT(&launchers));
    return of < all ? (ranksHere * of + all - 1) / all : ranksHere;
}

/// Those of a rank, where each has its part of the processors.
Options optionsOfRank(const Options& options, const Machine& machine, unsigned ranksHere,
                      std::optional<unsigned> rankHere) {
    Options own = options;
    own.ranksHere = ranksHere;
    own.rankHere = rankHere.value_or(0) % ranksHere;
    // two on one processor would wait for each other
    if (!rankHere && own.scheduling.bind == Bind::Auto) own.scheduling.bind = Bind::None;
    if (own.threads == 0) own.threads = std::max(1u, machine.processors / ranksHere);
    return own;
}

/// Of what ranks must have in common.
class Fingerprint {
public:
    void add(std::string_view text) { value_ = fnv1aStep(fnv1a(text, value_), text.size()); }
    void addFile(const std::string& path) {
        std::ifstream file(path, std::ios::binary);
        std::vector<char> block(1 << 16);
        while (file.read(block.data(), static_cast<std::streamsize>(block.size())),
               file.gcount() > 0)
            add({block.data(), static_cast<std::size_t>(file.gcount())});
    }
    std::uint64_t value() const { return value_; }

private:
    std::uint64_t value_ = kFnv1aStart;
};

std::uint64_t fingerprintOf(const Model& model, const Options& options,
                            const std::vector<std::string>& arguments) {
    Fingerprint print;
    print.add(std::to_string(model.hash));
    print.add(model.compiler);
    for (const std::string& argument : arguments)
        print.add(argument);
    for (const std::string& file : {options.input, options.resume})
        if (!file.empty() && !isStream(file)) print.addFile(file);  // a pipe is refused later
    return print.value();
}

/// What is wrong with them is the problem, unless there is one already.
RankChoices choicesOrDefaults(std::string& problem) {
    try {
        return choicesOfEnvironment();
    } catch (const Error& wrong) {
        if (problem.empty()) problem = wrong.what();
        return {};
    }
}

const Metis* metisOrNone(Transport& transport, const Model& model, CutWay way,
                         std::string& problem) {
    try {
        return metisOfRanks(transport, model, way);
    } catch (const Error& wrong) {
        if (problem.empty()) problem = wrong.what();
        return nullptr;
    }
}

/// Where the ranks cannot meet, a problem of the arguments is said before that.
std::unique_ptr<MpiLibrary> openMpi(const Launcher& launcher, const std::string& problem) {
    try {
        return std::make_unique<MpiLibrary>(launcher);
    } catch (const NoMpi&) {
        if (!problem.empty()) throw NoMpi(ErrorKind::Usage, problem);
        throw;
    }
}

/// What a rank was called for.
struct Call {
    std::uint64_t arguments = 0;
    bool tells = false;
};

/// Where any rank was called to tell something (--help): what all of them end with. No rank waits for
/// one that told and went.
std::optional<int> tellTogether(Transport& transport, const CommandLine& line, TextSink& err) {
    constexpr int kRuns = -1;
    Fingerprint print;
    for (const std::string& argument : line.arguments)
        print.add(argument);
    const Call own{print.value(), static_cast<bool>(line.tells)};
    const std::vector<std::vector<std::byte>> calls = transport.gather(bytesIn(own));
    int status = kRuns;
    for (std::size_t rank = 0; rank < calls.size() && transport.rank() == 0; ++rank) {
        const auto call = valueIn<Call>(calls[rank]);
        if (call.tells && status == kRuns) status = kGood;
        if (call.tells == own.tells && (!own.tells || call.arguments == own.arguments)) continue;
        err.write(line.program + ": error: rank " + std::to_string(rank)
                  + " has other options than rank 0: one of them only tells something and ends\n");
        err.flush();
        status = 2;
        break;
    }
    if (status == kGood) status = line.tells();
    status = valueIn<int>(transport.broadcast(bytesIn(status)));
    return status == kRuns ? std::nullopt : std::optional(status);
}

}  // namespace

void checkRanks(const Model& model, const Options& options) {
    const auto refuse = [](const std::string& what) {
        wrongUsage(what + " does not go with several ranks (--ranks)");
    };
    if (options.reportFactored > 0) refuse("--report factored");
    if (!options.scheduleTrace.empty()) refuse("--schedule-trace");
    if (options.adapt > 0) refuse("--adapt");
    if (!options.costs.empty()) refuse("--costs");
    if (needsTimes(options.scheduling)) refuse("a plan that follows measured times");
    if (!options.ownThreads.empty()) refuse("--own-thread");
    if (!options.memories.empty()) refuse("--memory");
    if (options.input == "-") refuse("--input from standard input");
    if (options.expect == "-") refuse("--expect from standard input");
    if ((model.flags & kHasSerial) != 0) refuse("a design that calls 'extern serial' functions");
}

int reportRank(const Model& model, const Options& options, TextSink& out) {
    const auto refuse = [](const std::string& what) {
        wrongUsage(what
                   + " does not go with --report ranks:N, which runs a part of the design, alone");
    };
    if (!options.input.empty()) refuse("--input");
    if (!options.expect.empty()) refuse("--expect");
    if (!options.traces.empty()) refuse("--trace");
    if (options.checksum) refuse("--checksum");
    if (!options.prints.empty()) refuse("--print");
    if (!options.checkpoint.path.empty() || !options.resume.empty())
        refuse("--checkpoint or --resume");
    if (options.ranks > 1 || options.ranksByMpi) refuse("--ranks");
    checkRanks(model, options);
    checkOptions(model, options);
    out.write(toJson(model, measureRank(model, options, options.reportRanks), measureMemoryLink()));
    out.flush();
    return out.problem() == 0 ? kGood : kFiles;
}

int runRanksInProcess(const Model& model, const Options& options, const std::string& program,
                      TextSink& out, TextSink& err) {
    const Machine machine = inspectMachine();
    const RankChoices choices = choicesOfEnvironment();
    const RankPlan plan =
        planRanks(model, options.ranks, choices.cut, metisOfProcess(model, choices.cut));
    const Options first = optionsOfRank(options, machine, options.ranks, 0);
    RanksInProcess all(options.ranks, options.ranks * first.threads <= machine.processors);
    NoSink nowhere;
    const auto run = [&](unsigned rank) {
        RankSeat seat(all.of(rank), plan, model, choices.overlap);
        seat.sharesProcess = true;
        TextSink& ownOut = rank == 0 ? out : nowhere;
        TextSink& ownErr = rank == 0 ? err : nowhere;
        const Options own = optionsOfRank(options, machine, options.ranks, rank);
        return Cli(model, own, program, ownOut, ownErr, &seat).run();
    };
    const auto runOther = [&](unsigned rank) {
        try {
            run(rank);
        } catch (const std::bad_alloc&) {
            all.of(rank).abandon("out of memory");
        } catch (const std::exception& problem) {
            all.of(rank).abandon(problem.what());
        }
    };
    Threads threads;
    try {
        for (unsigned rank = 1; rank < options.ranks; ++rank)
            threads.start([&, rank] { runOther(rank); });
        return run(0);
    } catch (...) {
        all.of(0).abandon("rank 0 has ended");
        throw;
    }
}

int runRankOfMpi(const Model& model, const Options& options, const CommandLine& line,
                 const Launcher& launcher, TextSink& out, TextSink& err) {
    const std::unique_ptr<MpiLibrary> mpi = openMpi(launcher, line.problem);
    Transport& transport = mpi->transport();
    if (transport.size() == 1) return Cli(model, options, line.program, out, err).run();
    try {
        if (const std::optional<int> status = tellTogether(transport, line, err)) return *status;
        std::string problem = line.problem;
        const RankChoices choices = choicesOrDefaults(problem);
        const Metis* const metis = metisOrNone(transport, model, choices.cut, problem);
        const RankPlan plan = planRanks(model, transport.size(), choices.cut, metis);
        RankSeat seat(transport, plan, model, choices.overlap);
        seat.problem = problem;
        seat.fingerprint = fingerprintOf(model, options, line.arguments);
        // of a part of the processors, which ranks have which of them is not known
        const unsigned here = ranksOnOwn(launcher.sizeHere);
        const std::optional<unsigned> place =
            here == launcher.sizeHere ? launcher.rankHere : std::nullopt;
        const Options own = optionsOfRank(options, inspectMachine(), here, place);
        return Cli(model, own, line.program, out, err, &seat).run();
    } catch (const std::bad_alloc&) {
        transport.abandon("out of memory");
        throw;
    } catch (const std::exception& problem) {
        transport.abandon(problem.what());
        throw;
    }
}

}  // namespace sme
