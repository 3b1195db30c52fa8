#include "interp/checkpoint.h"

#include <unistd.h>

#include <cerrno>
#include <system_error>

#include <fmt/format.h>

#include "formats/opened_output.h"
#include "formats/shard_manifest.h"
#include "interp/options.h"
#include "interp/state_bytes.h"
#include "sme/state_format.h"
#include "source/output_file.h"

namespace smec::interp {

void Checkpoint::throwIf(int why) const {
    if (why == 0) return;
    throw RunError{kFileSystem, fmt::format("cannot write the checkpoint '{}': {}", path_,
                                            why == EBUSY ? "another run keeps its state there"
                                                         : sme::reasonOf(why))};
}

void Checkpoint::claim() {
    if (!isStream(path_)) throwIf(claim_.take(sme::behindLinks(path_)));
}

void Checkpoint::keep(Run& run) {
    run.output().flush();
    std::optional<std::vector<sme::KeptTrace>> traces = run.keepTraces();
    if (!traces) return;
    sme::syncStandardOutput(STDOUT_FILENO);
    const Simulation& simulation = run.simulation();
    const sme::CheckpointFile file{std::move(*traces), toBytes(simulation, simulation.snapshot())};
    const bool replacesShards = sme::standsForShards(path_);
    if (!isStream(path_)) {
        throwIf(claim_.replace(sme::toText(file)));
    } else {
        const auto stream = sme::openToWrite(path_);
        stream->write(sme::toText(file));
        stream->flush();
        throwIf(stream->problem());
    }
    if (replacesShards) sme::removeShards(sme::behindLinks(path_), 0);
}

namespace {

/// Takes over what matches, and tells what does not.
void goOnEdited(Run& run, std::span<const std::byte> bytes) {
    const TakenOver taken = takeOver(run.simulation(), bytes);
    run.simulation().restore(taken.state);
    if (taken.differences.empty()) return;
    run.output().note("smec: warning: --resume-edited: "
                      + sme::listed(taken.differences, sme::kMostListed) + "\n");
}

}  // namespace

sme::CheckpointFile resume(const std::string& path, Run& run, bool isEdited) {
    const auto fail = [&](int status, const std::string& why) {
        return RunError{status, fmt::format("--resume '{}': {}", path, why)};
    };
    sme::CheckpointFile file;
    try {
        file = sme::readCheckpoint(path);
        if (isEdited)
            goOnEdited(run, file.state);
        else
            run.simulation().restore(fromBytes(run.simulation(), file.state));
    } catch (const RunError& error) {
        const bool mayBeEdited = error.status == kFailure && !isEdited;
        throw fail(error.status,
                   error.message
                       + (mayBeEdited ? "; --resume-edited takes over what matches" : ""));
    } catch (const sme::BadState& problem) {
        throw fail(kFailure, problem.what());
    } catch (const std::system_error& problem) {
        throw fail(kFileSystem, "it cannot be read: " + problem.code().message());
    }
    return file;
}

}  // namespace smec::interp
