#include "interp/checkpoint.h"

#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "formats/shard_manifest.h"
#include "interp/options.h"
#include "interp/state_bytes.h"
#include "sme/state_format.h"
#include "source/output_file.h"

namespace smec::interp {

void keepCheckpoint(const std::string& path, Run& run) {
    run.output().flush();
    std::optional<std::vector<sme::KeptTrace>> traces = run.keepTraces();
    if (!traces) return;
    const Simulation& simulation = run.simulation();
    const sme::CheckpointFile file{sme::markStandardOutput(STDOUT_FILENO), std::move(*traces),
                                   toBytes(simulation, simulation.snapshot())};
    const bool replacesShards = sme::standsForShards(path);
    try {
        writeOutput(path, sme::toText(file), {}, Durability::Synced);
    } catch (const FileError& error) {
        throw RunError{kFileSystem, error.message};
    }
    if (replacesShards) sme::removeShards(std::filesystem::canonical(path).string(), 0);
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

void cutOutput(const sme::CheckpointFile& resumed) {
    if (const int why = sme::cutStandardOutput(STDOUT_FILENO, resumed))
        throw RunError{kFileSystem,
                       fmt::format("cannot cut back standard output: {}", std::strerror(why))};
}

}  // namespace smec::interp
