#include "schedule/workers.h"

#include <sys/mman.h>
#include <unistd.h>

#include <new>

#include "output/error.h"
#include "schedule/no_signals.h"
#include "schedule/wait.h"

namespace sme {

Workers::ForkMark::ForkMark() {
    const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    void* page = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) throw std::bad_alloc();
    madvise(page, bytes, MADV_WIPEONFORK);
    byte_ = static_cast<volatile char*>(page);
    *byte_ = 1;
}
Workers::ForkMark::~ForkMark() {
    munmap(const_cast<char*>(byte_), static_cast<std::size_t>(sysconf(_SC_PAGESIZE)));
}

Workers::Workers(unsigned threads) {
    const NoSignals guard;
    if (threads > 1) mark_.emplace();
    try {
        workers_->reserve(threads);
        for (unsigned thread = 1; thread < threads; ++thread) {
            workers_->emplace_back([this, thread] { work(thread); });
        }
    } catch (...) {
        end();
        throw;
    }
}

Workers::~Workers() { end(); }

void Workers::end() {
    if (!areHere()) {
        workers_.release();  // none of them can be joined, nor given up, here
        return;
    }
    job_ = nullptr;
    generation_.fetch_add(1, std::memory_order_release);  // publishes job_
    futexWakeAll(generation_);
    for (std::thread& worker : *workers_)
        worker.join();
    workers_->clear();
}

void Workers::run(Job job, void* argument) {
    if (!areHere())
        throw Error(
            ErrorKind::Usage,
            "its threads are in the process that this one was forked from; make a simulation "
            "after fork, or one of a single thread");
    job_ = job;
    argument_ = argument;
    // relaxed: published by the release below
    busy_.store(static_cast<std::uint32_t>(workers_->size()), std::memory_order_relaxed);
    if (!workers_->empty()) {
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
