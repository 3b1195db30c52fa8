// A command line on several ranks. Rank 0 has the files, the standard streams and the clock; others
// run their share, and end as it says.
//
//   all: prepare ─> rank 0: what went wrong anywhere? ─> all: what it traces, how long ─> run
//        ─> the state, what ranks did ─> rank 0: results, reports ─> all: its status

#include <algorithm>
#include <cinttypes>
#include <cstring>
#include <span>
#include <type_traits>

#include "cli/cli.h"
#include "cli/exit_status.h"
#include "cli/rank_bytes.h"
#include "cli/ranks.h"
#include "engine/rank_state.h"
#include "schedule/machine.h"
#include "trace/checksum.h"
#include "values/printf_text.h"

namespace sme {
namespace {

constexpr int kGoesOn = -1;

/// How it went before the run: a fixed part, and then the text.
struct Prepared {
    std::uint64_t fingerprint = 0;
    std::uint64_t cut = 0;    ///< number of the shares of all ranks
    std::uint64_t state = 0;  ///< number of one in shards that it goes on from
    std::uint64_t cycle = 0;
    bool isInterrupted = false;
    bool hasError = false;
    ErrorKind kind = ErrorKind::Internal;
};

/// What rank 0 tells all before the run; what it watches follows.
struct Orders {
    int status = kGoesOn;
    std::uint64_t lastCycle = 0;
};

/// What keeps ranks from sharing out a design: a piece that is clearly more than a rank's part.
std::string largestPiece(const Model& model, std::size_t ranks) {
    const Work* largest = nullptr;
    double all = 0;
    const auto costOfAll = [](const Work& work) { return work.cost * work.count; };
    for (const Work& work : std::span(model.work, model.workCount)) {
        all += costOfAll(work);
        if (isWhole(work) && (!largest || costOfAll(work) > costOfAll(*largest))) largest = &work;
    }
    constexpr double kClearlyMore = 1.1;
    const double most = largest ? costOfAll(*largest) : 0;
    if (most * static_cast<double>(ranks) <= kClearlyMore * all) return "";
    return printfText("'%s' is %.1f%% of the cost and cannot be cut, so that ranks take this part "
                      "of the time of one at least\n",
                      largest->name, 100 * most / all);
}

}  // namespace

int Cli::runAsRank() {
    const std::optional<int> early = startTogether();
    if (early) return *early;
    try {
        if (seat_->isFirst()) startWatchdog();
        simulate();
        gatherResults();
    } catch (const Error& error) {
        seat_->transport.abandon(error.what());
        const int status = complain(error);
        err_.flush();
        return status;
    }
    int status = kGood;
    if (seat_->isFirst()) {
        printResults();
        status = finish();
    }
    return valueIn<int>(seat_->transport.broadcast(bytesIn(status)));
}

// ---------------------------------------------------------------- before the run

/// The status where ranks end before the first cycle; all have the same.
std::optional<int> Cli::startTogether() {
    Transport& transport = seat_->transport;
    Prepared own{seat_->fingerprint, numberOf(model_, seat_->plan.shares)};
    std::string text;
    try {
        if (!seat_->problem.empty()) wrongUsage(seat_->problem);
        checkRanks(model_, options_);
        own.isInterrupted = !prepare();
        if (run_) own.cycle = run_->cycle();
        if (rankCheckpoints_) own.state = rankCheckpoints_->resumed();
        if (run_ && run_->hasLiveRows())
            wrongUsage("rows of a pipe do not go with several ranks (--ranks); give a file");
    } catch (const Error& error) {
        own.hasError = true;
        own.kind = error.kind();
        text = error.what();
    }
    std::vector<std::byte> report(sizeof own + text.size());
    std::memcpy(report.data(), &own, sizeof own);
    std::memcpy(report.data() + sizeof own, text.data(), text.size());
    const std::vector<std::vector<std::byte>> reports = transport.gather(report);

    std::vector<std::byte> orders;
    if (seat_->isFirst()) {
        Orders first;
        first.status = judge(reports);
        if (first.status == kGoesOn) first.lastCycle = lastCycle();
        const std::span<const std::byte> head = bytesIn(first);
        orders.assign(head.begin(), head.end());
        const auto watched = std::as_bytes(std::span(watched_));
        orders.insert(orders.end(), watched.begin(), watched.end());
    }
    return follow(transport.broadcast(orders));
}

/// What rank 0 makes of all reports: a status, or kGoesOn.
int Cli::judge(const std::vector<std::vector<std::byte>>& reports) {
    const auto first = valueIn<Prepared>(reports[0]);
    for (std::size_t rank = 0; rank < reports.size(); ++rank) {
        const auto report = valueIn<Prepared>(reports[rank]);
        int status = kGoesOn;
        if (report.hasError) {
            const auto text = std::span(reports[rank]).subspan(sizeof report);
            const std::string message(reinterpret_cast<const char*>(text.data()), text.size());
            const bool isOwn = rank == 0 || seat_->sharesProcess;
            status = complain(Error(
                report.kind, isOwn ? message : "rank " + std::to_string(rank) + ": " + message));
        } else if (report.isInterrupted) {
            status = statusOfCutOff();
        } else if (report.fingerprint != seat_->fingerprint) {
            status = complain(Error(ErrorKind::Usage,
                                    "rank " + std::to_string(rank)
                                        + " runs another design or version, or has other options "
                                          "or another input file than rank 0"));
        } else if (report.cut != first.cut) {
            status = complain(
                Error(ErrorKind::Usage, "rank " + std::to_string(rank)
                                            + " cuts the design in another way than rank 0; "
                                              "SME_RANKS_CUT has to be the same on all"));
        } else if (report.state != first.state || report.cycle != first.cycle) {
            status = complain(
                Error(ErrorKind::State, whatResumes() + "rank " + std::to_string(rank)
                                            + " goes on from another state than rank 0; the file "
                                              "changed meanwhile"));
        }
        if (status == kGoesOn) continue;
        err_.flush();
        return status;
    }
    return kGoesOn;
}

/// Connects with the other ranks, or returns the status.
std::optional<int> Cli::follow(std::span<const std::byte> bytes) {
    const auto orders = valueIn<Orders>(bytes);
    if (orders.status != kGoesOn) return orders.status;
    agreedLast_ = orders.lastCycle;
    std::vector<Crossing> crossings = seat_->plan.crossings;
    const auto watched = bytes.subspan(sizeof orders);
    const std::size_t planned = crossings.size();
    crossings.resize(planned + watched.size() / sizeof(Crossing));
    if (!watched.empty()) std::memcpy(&crossings[planned], watched.data(), watched.size());
    unite(crossings);
    run_->connect(seat_->transport, halosOf(model_, crossings, seat_->transport.rank()),
                  &seat_->cut);
    return std::nullopt;
}

/// Rank 0 sees these values in every cycle, whoever writes them.
void Cli::watchOnRanks(std::span<const Ref> refs) {
    const auto watch = [&](const Ref& piece, std::size_t) {
        const unsigned owner = seat_->plan.owners.rankOf(piece.plane, piece.element);
        if (owner != 0)
            watched_.push_back({model_.levels - 1, owner, 0, piece.plane, piece.element, 1});
    };
    for (const Ref& ref : refs) {
        if (ref.run)
            forEachPiece(model_, ref, watch);
        else  // where a process waits: it has no name in the model
            watch(ref, 0);
    }
    unite(watched_);
}

void Cli::watchOnRanks(const Rows& expected) {
    std::vector<Ref> refs;
    for (const Rows::Column& column : expected.columns())
        refs.push_back(column.ref);
    watchOnRanks(refs);
}

// ---------------------------------------------------------------- during and after the run

/// keepState() on rank 0, of the state of all. Whether the run can go on is the same on all.
bool Cli::keepTogether() {
    if (!checkpoints_ || (ended_ & (kFailed | kNoMemory)) != 0) return true;
    const bool isWanted = seat_->isFirst() && keepsState();
    return rankCheckpoints_->keep(*checkpoints_, *run_, isWanted, checkpointProblem_);
}

void Cli::gatherResults() {
    Transport& transport = seat_->transport;
    if ((ended_ & kRequested) != 0) {
        // the signal may have come to another rank alone; relaxed: the run is over
        const std::uint32_t own = request_.load(std::memory_order_relaxed);
        for (const std::vector<std::byte>& other : transport.gather(bytesIn(own))) {
            std::uint32_t none = 0;
            request_.compare_exchange_strong(none, valueIn<std::uint32_t>(other),
                                             std::memory_order_relaxed);
        }
    }
    collectShown();
    if (options_.checksum) {
        const std::uint64_t own = checksumOf(run_->engine(), seat_->plan.owners, transport.rank());
        for (const std::vector<std::byte>& part : transport.gather(bytesIn(own)))
            sum_ += valueIn<std::uint64_t>(part);
    }
    if (!options_.reportText) return;
    for (const std::vector<std::byte>& report : transport.gather(bytesIn(ownReport())))
        rankReports_.push_back(valueIn<RankReport>(report));
}

/// What --print names, and covers. What is combinational rank 0 makes of all that it may depend on.
void Cli::collectShown() {
    std::vector<Shown> shown;
    for (std::uint32_t i = 0; i < model_.coverCount; ++i) {
        const std::uint32_t plane = model_.covers[i].plane;
        shown.push_back({plane, {0, model_.planes[plane].instances}});
    }
    bool needsAll = false;
    const auto show = [&](const Ref& piece, std::size_t) {
        needsAll |= model_.planes[piece.plane].home == Home::WrittenSlot;
        shown.push_back({piece.plane, {piece.element, piece.element + 1}});
    };
    for (const Ref& ref : prints_)
        forEachPiece(model_, ref, show);
    const std::span objects(model_.objects, model_.objectCount);
    for (std::uint32_t plane = 0; needsAll && plane < model_.planeCount; ++plane) {
        const auto holdsThem = [&](const Objects& list) { return list.plane == plane; };
        if (std::ranges::none_of(objects, holdsThem))  // addresses of another process
            shown.push_back({plane, {0, model_.planes[plane].instances}});
    }
    if (!shown.empty()) run_->collect(seat_->transport, seat_->plan.owners, shown);
}

RankReport Cli::ownReport() const {
    const RankLink& link = run_->engine().ranks()->link();
    RankReport report;
    const unsigned rank = seat_->transport.rank();
    report.processes = stepsPerCycle(run_->engine().model());
    report.cost = costsOf(model_, seat_->plan.shares)[rank];
    report.bytesSent = link.exchange().bytesSent();
    report.neighbours = link.exchange().neighbours();
    report.waited = link.secondsWaited();
    report.exchanges = link.exchange().times();
    report.hidden = link.exchange().timesHidden();
    report.memory = peakMemory();
    return report;
}

/// Their processes are those of one process; what else it says is of rank 0.
void Cli::addRanks(Summary& summary) const {
    summary.stepsPerCycle = stepsPerCycle(model_);
    summary.threads += ", on each of " + std::to_string(seat_->transport.size())
                       + " ranks: " + seat_->transport.name();
}

/// A line for each rank.
std::string Cli::rankTable() const {
    std::string text =
        "rank   processes      cost  bytes a cycle  neighbours  waiting  hidden       memory\n";
    double all = 0;
    for (const RankReport& report : rankReports_)
        all += report.cost;
    const double seconds = run_->summary().seconds;
    for (std::size_t rank = 0; rank < rankReports_.size(); ++rank) {
        const RankReport& report = rankReports_[rank];
        text += printfText(
            "%4zu%12" PRIu64 "%9.1f%%%15" PRIu64 "%12" PRIu64 "%8.1f%%%7.1f%%%9.1f MiB\n", rank,
            report.processes, all > 0 ? 100 * report.cost / all : 0, report.bytesSent,
            report.neighbours, seconds > 0 ? 100 * report.waited / seconds : 0,
            report.exchanges > 0
                ? 100 * static_cast<double>(report.hidden) / static_cast<double>(report.exchanges)
                : 0,
            static_cast<double>(report.memory) / (1 << 20));
    }
    text += largestPiece(model_, rankReports_.size());
    const AheadPace& pace = run_->engine().ranks()->pace();
    if (pace.cyclesAhead() + pace.timesUndone() > 0)
        text += printfText("%" PRIu64 " cycles ran ahead of the answer whether anything happened; "
                           "%" PRIu64 " times something did\n",
                           pace.cyclesAhead(), pace.timesUndone());
    return text;
}

}  // namespace sme
