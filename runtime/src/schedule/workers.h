#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

namespace sme {

/// The threads of a simulation. Between jobs they sleep in the kernel. Thread 0 is whoever calls
/// run().
class Workers {
public:
    using Job = void (*)(void* argument, unsigned thread);

    /// Starts threads - 1 workers. Throws std::system_error when the system refuses.
    explicit Workers(unsigned threads);
    ~Workers();
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;

    unsigned threads() const { return static_cast<unsigned>(workers_->size()) + 1; }

    /// Runs job(argument, t) on every thread t and returns when all are done. Throws Error in a
    /// process that was forked off: threads stay where they are.
    void run(Job job, void* argument);
    /// False in a process that was forked off.
    bool areHere() const { return !mark_ || mark_->isHere(); }

private:
    void work(unsigned thread);
    void end();
    /// A byte that is 1, and 0 in a process that was forked off.
    class ForkMark {
    public:
        ForkMark();
        ~ForkMark();
        ForkMark(const ForkMark&) = delete;
        ForkMark& operator=(const ForkMark&) = delete;
        bool isHere() const { return *byte_ != 0; }

    private:
        volatile char* byte_;
    };

    std::unique_ptr<std::vector<std::thread>> workers_ =
        std::make_unique<std::vector<std::thread>>();
    std::optional<ForkMark> mark_;  ///< where there are workers
    Job job_ =
        nullptr;  ///< written before generation_ is raised, read after: null ends the workers
    void* argument_ = nullptr;
    alignas(64) std::atomic<std::uint32_t> generation_{0};
    alignas(64) std::atomic<std::uint32_t> busy_{0};  ///< workers that have not finished the job
};

}  // namespace sme
