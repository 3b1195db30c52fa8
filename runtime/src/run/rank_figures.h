#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/rank_plan.h"
#include "run/run_options.h"
#include "sme/model.h"

namespace sme {

/// What an exchange through the memory of this machine takes, beside the copying on both sides.
struct MemoryLink {
    double seconds = 0;        ///< both ways at once, a few bytes
    double secondsOfFew = 0;   ///< each further one of the first target::kFewLines
    double secondsOfByte = 0;  ///< each one after these: processors fetch them ahead
};

/// What one of several ranks does in a cycle, measured without the others.
struct RankFigures {
    /// What the rank with most sends or receives when a level is done.
    struct Level {
        std::uint64_t messages = 0;
        std::uint64_t bytes = 0;
        bool operator==(const Level&) const = default;
    };
    unsigned ranks = 1;
    unsigned rank = 0;            ///< the dearest one, which was measured
    std::uint64_t processes = 0;  ///< that it runs
    std::uint64_t received = 0;   ///< elements that it reads of others
    bool agrees = false;          ///< whether ranks ask each other after each cycle
    std::vector<Level> levels;    ///< after which something crosses
    double alone = 0;             ///< seconds a cycle
    double together = 0;          ///< the same while others of the ranks run beside it
    unsigned beside = 0;          ///< so many
};

/// By level, what crosses; levels after which nothing does are left out.
std::vector<RankFigures::Level> levelsOf(const Model& model, const std::vector<Crossing>& crossings,
                                         unsigned ranks);

/// Runs the dearest of `ranks` ranks, with one thread, with exchanges that reach nobody. Throws Error
/// where it ends by itself.
RankFigures measureRank(const Model& model, const RunOptions& options, unsigned ranks);

MemoryLink measureMemoryLink();

/// A JSON object on lines of its own.
std::string toJson(const Model& model, const RankFigures& figures, const MemoryLink& link);

}  // namespace sme
