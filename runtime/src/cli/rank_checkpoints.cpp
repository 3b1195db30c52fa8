#include "cli/rank_checkpoints.h"

#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <span>

#include "cli/rank_bytes.h"
#include "engine/state_bytes.h"
#include "output/error.h"
#include "output/output_file.h"
#include "sme/state_format.h"

namespace sme {
namespace {

/// Other than any before: never 0.
std::uint64_t newNumber() {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    const auto ns = std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
    return static_cast<std::uint64_t>(ns) | 1;
}

}  // namespace

/// How a rank got on; the text of what is wrong follows, if anything is.
struct RankCheckpoints::Shard {
    bool isGood = false;
    std::uint64_t bytes = 0;
    std::uint64_t footer = 0;
    std::uint64_t hash = 0;
};

const StatePart& RankCheckpoints::part() {
    if (!part_)
        part_ = std::make_unique<StatePart>(model_, seat_.residence, seat_.transport.rank());
    return *part_;
}

std::optional<CheckpointFile> RankCheckpoints::resume(const std::string& path, Run& run) {
    if (!standsForShards(path)) return std::nullopt;
    ShardManifest manifest;
    {
        const std::string text = textOfCheckpoint(path);
        const auto bytes = std::as_bytes(std::span(text));
        if (!isManifest(bytes)) return std::nullopt;
        manifest = manifestOf(bytes);
    }
    StateReader in(manifest.head);
    const StateHead head = in.begin();
    if (head.hash != model_.hash || manifest.skeleton != part().skeleton()) return std::nullopt;
    run.restorePart(head.cycle, head.seed,
                    [&](Arena& arena) { part().read(manifest, folderOfShards(path), arena); });
    resumed_ = manifest.checkpoint;
    return CheckpointFile{std::move(manifest.traces), {}};
}

bool RankCheckpoints::isAgreed(bool isGood) const {
    return valueIn<bool>(seat_.transport.broadcast(bytesIn(isGood)));
}

bool RankCheckpoints::keep(Checkpoints& checkpoints, Run& run, bool isWanted,
                           FileProblem& problem) {
    const std::uint64_t number = begin(checkpoints, run, isWanted);
    if (number == 0) return true;
    const std::string file = behindLinks(checkpoints.path());
    std::string why;
    const Shard own = writeShard(file, number, run, why);
    std::vector<std::byte> report(sizeof own + why.size());
    std::memcpy(report.data(), &own, sizeof own);
    std::memcpy(report.data() + sizeof own, why.data(), why.size());
    const std::vector<std::vector<std::byte>> reports = seat_.transport.gather(report);
    if (seat_.isFirst()) {
        problem = judge(file, reports);
        if (problem)
            problem = cannotKeep(checkpoints.path(), problem.message);
        else
            problem = writeManifest(checkpoints, run);
    }
    const bool isGood = isAgreed(!problem);
    if (!isGood) unlink(shardName(file, number, seat_.transport.rank()).c_str());
    if (isGood && seat_.isFirst()) removeShards(file, number);
    return isGood;
}

/// The number of the state, on all ranks; 0: none is kept.
std::uint64_t RankCheckpoints::begin(const Checkpoints& checkpoints, Run& run, bool isWanted) {
    manifest_ = {};
    if (seat_.isFirst() && isWanted) {
        std::optional<std::vector<KeptTrace>> traces = run.keepTraces();
        if (traces) {
            manifest_.checkpoint = newNumber();
            manifest_.traces = std::move(*traces);
            checkpoints.syncPrinted();
        }
    }
    return valueIn<std::uint64_t>(seat_.transport.broadcast(bytesIn(manifest_.checkpoint)));
}

RankCheckpoints::Shard RankCheckpoints::writeShard(const std::string& path, std::uint64_t number,
                                                   const Run& run, std::string& why) {
    const unsigned rank = seat_.transport.rank();
    try {
        ShardWriter shard(shardName(path, number, rank), number, rank);
        const ShardMark mark = part().write(shard, run.engine().arena(), run.cycle());
        if (shard.problem() == 0) return {true, mark.bytes, mark.footer, mark.hash};
        why = std::strerror(shard.problem());
    } catch (const std::bad_alloc&) {
        why = "out of memory";
    } catch (const std::exception& problem) {
        why = problem.what();
    }
    return {};
}

/// What is wrong with any shard.
FileProblem RankCheckpoints::judge(const std::string& path,
                                   const std::vector<std::vector<std::byte>>& shards) {
    const std::string beside = path.substr(path.find_last_of('/') + 1);
    for (unsigned rank = 0; rank < shards.size(); ++rank) {
        const auto shard = valueIn<Shard>(shards[rank]);
        const std::string who = rank == 0 ? "" : "rank " + std::to_string(rank) + ": ";
        if (!shard.isGood) {
            const auto text = std::span(shards[rank]).subspan(sizeof shard);
            return {3, who + std::string(reinterpret_cast<const char*>(text.data()), text.size())};
        }
        struct stat file {};
        const bool isSeen = stat(shardName(path, manifest_.checkpoint, rank).c_str(), &file) == 0
                            && static_cast<std::uint64_t>(file.st_size) == shard.bytes;
        if (!isSeen)
            return {3,
                    who + "what it wrote is not there for rank 0; all ranks need one file system"};
        manifest_.shards.push_back(
            {shardName(beside, manifest_.checkpoint, rank), shard.bytes, shard.footer, shard.hash});
    }
    return {};
}

FileProblem RankCheckpoints::writeManifest(Checkpoints& checkpoints, const Run& run) {
    try {
        Snapshot place{model_.hash, run.cycle(), activationsIn(run.cycle(), model_),
                       std::vector<std::byte>(1)};
        place.seed = run.engine().state().seed();
        manifest_.head = headOfState(model_, place);
        manifest_.skeleton = part().skeleton();
        const FileProblem problem = checkpoints.write(toText(manifest_));
        manifest_.skeleton = {};
        return problem;
    } catch (const std::bad_alloc&) {
        return cannotKeep(checkpoints.path(), "out of memory");
    }
}

}  // namespace sme
