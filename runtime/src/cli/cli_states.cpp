// --checkpoint and --resume.

#include <system_error>

#include "cli/cli.h"
#include "cli/exit_status.h"
#include "engine/state_bytes.h"
#include "sme/state_format.h"

namespace sme {

void Cli::checkCheckpoints() const {
    if (options_.resumesEdited && options_.resume.empty())
        wrongUsage("--resume-edited needs --resume FILE");
    const bool isWanted = !options_.checkpoint.path.empty() || !options_.resume.empty();
    if (!isWanted) return;
    for (std::uint32_t i = 0; i < model_.objectCount; ++i)
        if (const Objects& list = model_.objects[i]; list.save(0) == 0)
            wrongUsage(std::string(options_.resume.empty() ? "--checkpoint" : "--resume")
                       + ": objects of the extern process '" + list.process
                       + "' cannot be kept in a file; their class has no save() and load()");
    if (options_.reportFactored > 0 && !options_.resume.empty())
        wrongUsage("--report factored runs from cycle 0 on; it does not go with --resume");
    if (!options_.memories.empty() && !options_.resume.empty())
        wrongUsage("--memory does not go with --resume: the state has what memories hold");
    if (options_.seed != 0 && !options_.resume.empty())
        wrongUsage("--seed does not go with --resume: the state has its random numbers");
}

/// Before anything is written; no state is kept where another run keeps its own.
void Cli::claimCheckpoint() {
    if (checkpoints_ && isFirst()) throwIfAny(checkpoints_->claim());
}

std::string Cli::whatResumes() const { return "--resume '" + options_.resume + "': "; }

CheckpointFile Cli::resume() {
    CheckpointFile file;
    const std::string what = whatResumes();
    try {
        file = restore();
    } catch (const Error& problem) {
        const bool mayBeEdited = problem.kind() == ErrorKind::State && !options_.resumesEdited;
        throw Error(problem.kind(),
                    what + problem.what()
                        + (mayBeEdited ? "; --resume-edited takes over what matches" : ""));
    } catch (const BadState& problem) {
        throw Error(ErrorKind::State, what + problem.what());
    } catch (const std::system_error& problem) {
        throw Error(ErrorKind::Files, what + "it cannot be read: " + problem.code().message());
    }
    resumedAt_ = run_->cycle();
    const std::uint64_t wanted = lastCycle();
    if (wanted < run_->cycle())
        wrongUsage(what + "the state is that before cycle " + std::to_string(run_->cycle())
                   + ", and the run ends after " + std::to_string(wanted) + " cycles");
    return file;
}

CheckpointFile Cli::restore() {
    if (rankCheckpoints_)
        if (std::optional<CheckpointFile> part = rankCheckpoints_->resume(options_.resume, *run_))
            return std::move(*part);
    CheckpointFile file = readCheckpoint(options_.resume);
    if (options_.resumesEdited)
        goOnEdited(file.state);
    else
        run_->restore(fromBytes(model_, file.state));
    return file;
}

/// Takes over what matches, and tells what does not.
void Cli::goOnEdited(std::span<const std::byte> state) {
    const TakenOver taken = takeOver(model_, state);
    run_->restore(taken.snapshot);
    if (!taken.differences.empty())
        say("warning: --resume-edited: " + listed(taken.differences, kMostListed));
}

/// Whether the run can go on.
bool Cli::keepState() {
    if (keepsState()) checkpointProblem_ = checkpoints_->keep(*run_);
    return !checkpointProblem_;
}

/// After a failure the file stays as it is: from there the run leads to the failure again.
bool Cli::keepsState() const {
    if (!checkpoints_ || (ended_ & (kFailed | kNoMemory)) != 0) return false;
    out_.flush();
    return out_.problem() == 0;
}

}  // namespace sme
