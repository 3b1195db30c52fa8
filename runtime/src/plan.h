#pragma once

#include <cstdint>
#include <vector>

#include "sme/model.h"

namespace sme {

/// A piece of work: instances [begin, end) of one kernel.
struct Unit {
    Kernel kernel;
    std::uint32_t begin;
    std::uint32_t end;
    std::uint32_t work;  ///< index into Model::work
};

enum class ModelKind : std::uint8_t { WorkList, Static };
enum class ChunkScheme : std::uint8_t { Static, SelfScheduling, Guided };
enum class Orchestrate : std::uint8_t { Even, Thesis };

/// The work of one level in its order, as one list of process instances that may be cut at legal
/// places: multiples of a work's granularity, and its ends.
class LevelList {
public:
    /// A place between two instances: before `instance` of work `work`. An end of a work is
    /// instance 0 of the next.
    struct Place {
        std::uint32_t work;
        std::uint32_t instance;
        bool operator==(const Place&) const = default;
    };

    LevelList(const Model& model, std::uint32_t level);

    std::uint64_t steps() const { return steps_; }  ///< process instances
    double cost() const { return cost_; }
    std::uint64_t pieces() const;  ///< in how many the list could be cut

    Place begin() const { return {first_, 0}; }
    Place end() const { return {last_, 0}; }
    /// The legal place nearest to `cost` from the start; ties go up.
    Place nearestToCost(double cost) const;
    Place nearestToSteps(std::uint64_t steps) const;
    /// The first legal place at least `steps` process instances behind `from`; the end when there
    /// are fewer.
    Place advance(Place from, std::uint64_t steps) const;
    std::uint64_t stepsBefore(Place place) const;
    /// Appends the units between two places.
    void append(Place from, Place to, std::vector<Unit>& units) const;

private:
    Place legal(std::uint32_t work, double instance) const;

    const Model& model_;
    std::uint32_t first_ = 0;  ///< works [first_, last_)
    std::uint32_t last_ = 0;
    std::uint64_t steps_ = 0;
    double cost_ = 0;
    std::vector<std::uint64_t> stepsAt_;  ///< before work first_ + i
    std::vector<double> costAt_;
};

/// The units of every thread at one level, fixed: model m2. Even: equal static costs. Thesis:
/// floor(p / t) process instances each and the remainder to the last thread.
std::vector<std::vector<Unit>> slice(const LevelList& list, unsigned threads, Orchestrate how);

/// The sizes of successive chunks for `total` process instances and `threads` threads, before cuts
/// are moved to legal places.
class ChunkSizes {
public:
    ChunkSizes(ChunkScheme scheme, std::uint64_t total, unsigned threads);
    /// The next size, of `left` instances not handed out yet (at least 1): between 1 and `left`.
    std::uint64_t next(std::uint64_t left);

private:
    ChunkScheme scheme_;
    unsigned threads_;
    std::uint64_t handedOut_ = 0;  ///< chunks so far
};

/// A list cut into chunks: model m1. Chunk i is units [starts[i], starts[i + 1]).
struct ChunkTable {
    std::vector<Unit> units;
    std::vector<std::uint32_t> starts;
    std::uint32_t chunks() const { return static_cast<std::uint32_t>(starts.size()) - 1; }
};
ChunkTable cutIntoChunks(const LevelList& list, unsigned threads, ChunkScheme scheme);

}  // namespace sme
