#include "cli/checkpoints.h"

#include <cstring>

#include "engine/state_bytes.h"
#include "formats/shard_manifest.h"
#include "output/output_file.h"

namespace sme {

std::uint64_t Checkpoints::next(std::uint64_t cycle) const {
    constexpr std::uint64_t kNever = ~std::uint64_t{0};
    if (every_ == 0 || cycle > kNever - every_) return kNever;
    return (cycle / every_ + 1) * every_;
}

FileProblem cannotKeep(const std::string& path, const std::string& why) {
    return {3, "cannot write the checkpoint '" + path + "': " + why};
}

FileProblem Checkpoints::keep(Run& run) const {
    std::optional<std::vector<KeptTrace>> traces = run.keepTraces();
    if (!traces) return {};
    const CheckpointFile file{descriptor_ < 0 ? std::vector<WrittenOutput>()
                                              : markStandardOutput(descriptor_),
                              std::move(*traces), toBytes(run.engine().model(), run.snapshot())};
    const bool replacesShards = standsForShards(path_);
    const int why = writeOutput(path_, toText(file), Durability::Synced);
    if (why != 0) return cannotKeep(path_, std::strerror(why));
    if (replacesShards) removeShards(behindLinks(path_), 0);
    return {};
}

}  // namespace sme
