#include "cli/checkpoints.h"

#include <cerrno>

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

FileProblem Checkpoints::claim() {
    if (isStream(path_)) return {};
    const int why = claim_.take(behindLinks(path_));
    if (why == 0) return {};
    return cannotKeep(path_, why == EBUSY ? "another run keeps its state there" : reasonOf(why));
}

void Checkpoints::syncPrinted() const {
    if (descriptor_ >= 0) syncStandardOutput(descriptor_);
}

FileProblem Checkpoints::write(std::string_view text) {
    const int why = isStream(path_) ? writeOutput(path_, text) : claim_.replace(text);
    if (why == 0) return {};
    return cannotKeep(path_, why == EBUSY ? "another run keeps its state there" : reasonOf(why));
}

FileProblem Checkpoints::keep(Run& run) {
    std::optional<std::vector<KeptTrace>> traces = run.keepTraces();
    if (!traces) return {};
    syncPrinted();
    const CheckpointFile file{std::move(*traces), toBytes(run.engine().model(), run.snapshot())};
    const bool replacesShards = standsForShards(path_);
    if (const FileProblem problem = write(toText(file))) return problem;
    if (replacesShards) removeShards(behindLinks(path_), 0);
    return {};
}

}  // namespace sme
