#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace smec::driver {

// `smec bench --model-ranks` without processes and files: what a cycle would take on ranks that are
// not here.

/// What a simulator with `--report ranks:N` measured and counted (runtime/src/run/rank_figures.h).
struct RankFigures {
    struct Level {
        double messages = 0;
        double bytes = 0;
    };
    std::string design;
    unsigned processors = 1;
    unsigned ranks = 1;
    double processes = 0;       ///< of the dearest rank
    double received = 0;        ///< elements that it reads of others
    bool agrees = false;        ///< ranks ask each other after each cycle
    std::vector<Level> levels;  ///< after which something crosses
    double alone = 0;           ///< seconds in which it computes a cycle
    double together = 0;        ///< beside other ranks of the same machine
    double exchange = 0;        ///< seconds, through memory
    double few = 0;             ///< each byte of the first `fewBytes`
    double fewBytes = 0;
    double byte = 0;  ///< each one after these

    double messages() const;
    double bytes() const;
};
/// None: that is not its text.
std::optional<RankFigures> readRankFigures(const std::string& output);

/// What is between ranks; seconds.
struct Link {
    const char* name;
    double latency;  ///< of a small message
    double message;  ///< each further one that a rank sends at the same time
    double byte;     ///< of the largest sum that a rank sends or receives
    bool isMemory;   ///< ranks share processors' memory and caches
    double few = 0;  ///< more of each of the first `fewBytes`
    double fewBytes = 0;

    double ofBytes(double bytes) const { return bytes * byte + std::min(bytes, fewBytes) * few; }
};
/// As it was measured.
Link memoryLink(const RankFigures& figures);
const std::vector<Link>& networkLinks();

/// Seconds of all exchanges of a cycle.
double exchangeSeconds(const RankFigures& figures, const Link& link);
/// Seconds of a cycle: the dearest rank computes, then exchanges.
double cycleSeconds(const RankFigures& figures, const Link& link);

/// Ranks that exchange every so many cycles only, and compute what they would be sent in between
/// themselves.
struct Superstep {
    unsigned cycles = 1;
    double seconds = 0;  ///< of a cycle
};
/// The best one. Where combinational processes cross there is none but one cycle.
Superstep bestSuperstep(const RankFigures& figures, const Link& link);

struct RankRow {
    RankFigures figures;
    double measured = 0;  ///< seconds of a cycle on so many ranks of this machine; 0: not measured
};
struct RankPrediction {
    std::string file;
    bool isWeak = false;        ///< the design grows with the ranks
    std::vector<RankRow> rows;  ///< by ranks
};

std::string rankTable(const RankPrediction& prediction);
std::string rankJson(const RankPrediction& prediction);

}  // namespace smec::driver
