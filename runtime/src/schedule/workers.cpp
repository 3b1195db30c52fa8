#include "schedule/workers.h"

#include "schedule/no_signals.h"
#include "schedule/wait.h"

namespace sme {

Workers::Workers(unsigned threads) {
    const NoSignals guard;
    try {
        workers_.reserve(threads);
        for (unsigned thread = 1; thread < threads; ++thread) {
            workers_.emplace_back([this, thread] { work(thread); });
        }
    } catch (...) {
        end();
        throw;
    }
}

Workers::~Workers() { end(); }

void Workers::end() {
    job_ = nullptr;
    generation_.fetch_add(1, std::memory_order_release);  // publishes job_
    futexWakeAll(generation_);
    for (std::thread& worker : workers_)
        worker.join();
    workers_.clear();
}

void Workers::run(Job job, void* argument) {
    job_ = job;
    argument_ = argument;
    // relaxed: published by the release below
    busy_.store(static_cast<std::uint32_t>(workers_.size()), std::memory_order_relaxed);
    if (!workers_.empty()) {
        generation_.fetch_add(
            1, std::memory_order_release);  // pairs with the acquire in work(): the job is visible
        futexWakeAll(generation_);
    }
    job(argument, 0);
    // acquire: pairs with the release below, everything the workers did is visible to the caller
    while (const std::uint32_t left = busy_.load(std::memory_order_acquire))
        futexWait(busy_, left);
}

void Workers::work(unsigned thread) {
    for (std::uint32_t seen = 0;; ++seen) {
        // One generation at a time: run() does not start the next before this worker has finished.
        while (generation_.load(std::memory_order_acquire) == seen)
            futexWait(generation_, seen);
        if (!job_) return;
        job_(argument_, thread);
        if (busy_.fetch_sub(1, std::memory_order_acq_rel) == 1) futexWakeAll(busy_);
    }
}

}  // namespace sme
