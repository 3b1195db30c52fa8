#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/checkpoints.h"
#include "cli/rank_seat.h"
#include "engine/state_part.h"

namespace sme {

/// States of several ranks: each writes its shard, then rank 0 the manifest, which stands for them.
/// Whoever is killed leaves the state before, or the new one, whole; shards that no manifest means
/// go with the next state.
class RankCheckpoints {
public:
    /// They outlive it.
    RankCheckpoints(const Model& model, RankSeat& seat) : model_(model), seat_(seat) {}

    /// Takes this rank's part of a state in shards; nothing where the file is no such state, or one
    /// whose values have other places. Throws BadState and std::system_error.
    std::optional<CheckpointFile> resume(const std::string& path, Run& run);

    /// The number of the state in shards that resume() took; 0: none.
    std::uint64_t resumed() const { return resumed_; }

    /// All ranks call; `isWanted` counts on rank 0. Whether the run can go on is the same on all,
    /// and rank 0 has what is wrong.
    bool keep(Checkpoints& checkpoints, Run& run, bool isWanted, FileProblem& problem);

private:
    struct Shard;

    const StatePart& part();
    std::uint64_t begin(const Checkpoints& checkpoints, Run& run, bool isWanted);
    Shard writeShard(const std::string& path, std::uint64_t number, const Run& run,
                     std::string& why);
    FileProblem judge(const std::string& path, const std::vector<std::vector<std::byte>>& shards);
    FileProblem writeManifest(Checkpoints& checkpoints, const Run& run);
    bool isAgreed(bool isGood) const;

    const Model& model_;
    RankSeat& seat_;
    std::unique_ptr<StatePart> part_;
    std::uint64_t resumed_ = 0;
    ShardManifest manifest_;  ///< on rank 0, of the state that is being written
};

}  // namespace sme
