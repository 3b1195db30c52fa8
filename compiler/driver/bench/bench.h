#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace smec::driver {

// `smec bench` without processes and files: lists, the choice of cycles, reports, table, JSON.

/// The curves of a factored speedup, each against T_s; from linear to actual each gives up one more
/// ideal. The simulator's report uses these names, too.
enum class Curve : std::uint8_t {
    Linear,
    Elision,
    Maximal,
    IdleSpecific,
    InflationSpecific,
    Actual,
    Count
};
inline constexpr std::size_t kCurveCount = static_cast<std::size_t>(Curve::Count);
inline constexpr std::array<const char*, kCurveCount> kCurveNames{
    "linear", "elision", "maximal", "idleSpecific", "inflationSpecific", "actual"};

/// Of several runs; seconds.
struct Spread {
    double mean = 0;
    double lowest = 0;
    double highest = 0;
    double median = 0;  ///< what all figures are made of
    double width() const { return highest - lowest; }
};

/// Where a figure may lie, by the lowest and the highest times of what it is made of.
struct Range {
    double low = 0;
    double high = 0;
};

/// What is lost of all processor time. A difference of measured times is below 0 where it is less
/// than these spread; then nothing is known of it but that.
struct Loss {
    double share = 0;  ///< of all processor time
    double noise = 0;  ///< by which it may be wrong
    bool isKnown() const { return share >= 0; }
};

/// One model on one number of threads.
struct BenchRow {
    std::string model;
    unsigned threads = 1;  ///< asked for
    unsigned running = 1;  ///< that shared the work: P in the formulas
    std::uint64_t cycles = 0;
    double stepsPerCycle = 0;
    Spread sequential;     ///< T_s
    Spread elided;         ///< T_elision
    Spread one;            ///< T_1
    Spread parallel;       ///< T_P
    Spread idle;           ///< I_P, of all threads
    Spread untimed;        ///< T_P without measuring idle time
    double inflation = 0;  ///< F_P = P T_P - I_P - T_1
    std::array<double, kCurveCount> speedups{};
    double others = 0;  ///< how many of the processors other programs used meanwhile
    std::string plan;   ///< the model's parameters; empty on one thread
    std::string diagnosis;

    double speedup(Curve curve) const { return speedups[static_cast<std::size_t>(curve)]; }
    /// Of what stands under the T_s, which has its own in Linear.
    Range range(Curve curve) const;
    Loss overhead() const;  ///< T_1 - T_s
    Loss idling() const;    ///< I_P, which is measured, and no difference
    Loss inflated() const;  ///< F_P
    double nsPerStep() const;
    double stepsPerSecond() const;
};

struct BenchResult {
    std::string file;
    std::string design;
    unsigned repeats = 1;
    unsigned processors = 1;
    std::vector<std::string> options;  ///< of the simulator, as passed on
    std::vector<BenchRow> rows;        ///< by model, then by threads
};

/// 1, 2, 4, … and `processors`.
std::vector<unsigned> defaultThreads(unsigned processors);

/// What to try next when `cycles` cycles take `seconds` on one thread.
struct CycleChoice {
    std::uint64_t cycles = 1;
    bool isFinal = false;  ///< good enough to measure with
};
/// Grows at least twofold, until a run is long enough to tell how many cycles take 0.3 s.
CycleChoice nextCycles(std::uint64_t cycles, double seconds);
/// At most `cycles`, and as many as take about a second when `tried` cycles take `seconds`.
std::uint64_t boundedCycles(std::uint64_t cycles, std::uint64_t tried, double seconds);

/// What a simulator with `--report json` printed.
struct SimulatorReport {
    std::string design;
    std::uint64_t cycles = 0;
    double seconds = 0;
    unsigned processors = 1;
    std::optional<BenchRow> row;  ///< with `--report json,factored`; without model and threads
};
/// The report is the last thing on standard output, after what the design itself prints. None: it
/// is not there.
std::optional<SimulatorReport> readReport(const std::string& output);

/// The table with the diagnosis of each model on most threads.
std::string benchTable(const BenchResult& result);

/// A JSON object; docs/tools.md describes it.
std::string benchJson(const BenchResult& result);

}  // namespace smec::driver
