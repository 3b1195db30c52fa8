#pragma once

#include <memory>
#include <span>
#include <vector>

#include "engine/config.h"
#include "output/log.h"
#include "schedule/barrier.h"
#include "schedule/topology.h"
#include "schedule/workers.h"

namespace sme {

/// The threads of an engine, where they run, and where they meet. Between runs, unless said otherwise.
class Team {
public:
    explicit Team(const Model& model) : processors_(processorGroups()), instances_(model) {}
    ~Team();
    Team(const Team&) = delete;
    Team& operator=(const Team&) = delete;

    /// As many threads, for kernels that see `setup`, which outlives them. Throws std::bad_alloc and std::system_error.
    void configure(const EngineConfig& config, unsigned threads, const Setup& setup);
    /// Of calls of foreign code, from now on.
    void standBetween(OutsideWorld* outside);
    /// What threads had to say is lost.
    void forgetLogs();

    unsigned size() const { return static_cast<unsigned>(members_.size()); }
    Worker& operator[](unsigned thread) const { return *members_[thread]; }
    /// By thread; those of works with a thread of their own come last.
    const std::vector<std::unique_ptr<Worker>>& members() const { return members_; }
    std::span<ThreadLog* const> logs() const { return logs_; }
    Workers& workers() { return *workers_; }
    Barrier& barrier() { return *barrier_; }
    /// Those that threads may run on, whatever they are bound to.
    const ProcessorGroups& processors() const { return processors_; }

    /// Each thread, during a run, with its CycleFlag bits; returns those of all.
    std::uint32_t meet(Worker& worker, std::uint32_t level, std::uint32_t flags) const;

private:
    void make(unsigned threads, const Setup& setup);
    void bind(const EngineConfig& config);

    const ProcessorGroups processors_;
    const InstanceIndex instances_;
    std::vector<std::unique_ptr<Worker>> members_;
    std::vector<ThreadLog*> logs_;
    std::unique_ptr<Workers> workers_;
    std::unique_ptr<Barrier> barrier_;
    bool isBound_ = false;  ///< threads to processors
};

}  // namespace sme
