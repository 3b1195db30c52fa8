#include "interp/checkpoint.h"

#include <unistd.h>

#include <cstring>
#include <system_error>

#include <fmt/format.h>

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
    try {
        writeOutput(path, sme::toText(file), {}, Durability::Synced);
    } catch (const FileError& error) {
        throw RunError{kFileSystem, error.message};
    }
}

sme::CheckpointFile resume(const std::string& path, Run& run) {
    const auto fail = [&](int status, const std::string& why) {
        return RunError{status, fmt::format("--resume '{}': {}", path, why)};
    };
    sme::CheckpointFile file;
    try {
        file = sme::readCheckpoint(path);
        run.simulation().restore(fromBytes(run.simulation(), file.state));
    } catch (const RunError& error) {
        throw fail(error.status, error.message);
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
