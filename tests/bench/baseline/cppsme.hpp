// A simulator in the style of C++SME: objects with a virtual step(), a bus of one int with a read
// and a write slot, and two barriers a cycle, on a condition variable, one after the steps and one
// after the propagation. Processes and buses are handed out by an atomic queue (m1: a thread takes
// the next one) or by static queues (m2: each thread has its own, of equal length, the last one the
// rest).
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace cppsme {

class Bus {
public:
    explicit Bus(int initial = 0) : read_(initial) {}
    int read() const { return read_; }
    void write(int value) { written_ = value; }
    void propagate() { read_ = written_; }

private:
    int read_, written_ = 0;
};

class Process {
public:
    virtual ~Process() = default;
    virtual void step() = 0;
};

/// A barrier for the threads of a run, which sleep at it.
class Barrier {
public:
    /// `after` is called by the last thread that arrives, before the others go on.
    template <typename After>
    void wait(unsigned threads, After&& after) {
        std::unique_lock lock(mutex_);
        const unsigned round = round_;
        if (++arrived_ == threads) {
            arrived_ = 0;
            ++round_;
            after();
            all_.notify_all();
            return;
        }
        all_.wait(lock, [&] { return round != round_; });
    }

private:
    std::mutex mutex_;
    std::condition_variable all_;
    unsigned arrived_ = 0, round_ = 0;
};

/// Hands out the numbers below `size`, one at a time, to whoever asks.
class AtomicQueue {
public:
    template <typename Do>
    void work(std::size_t size, Do&& act) {
        for (std::size_t i; (i = next_.fetch_add(1)) < size;)
            act(i);
    }
    void refill() { next_ = 0; }

private:
    std::atomic<std::size_t> next_ = 0;
};

enum class Model { AtomicQueue, StaticQueues };

class Network {
public:
    Bus& addBus(int initial = 0) { return *buses_.emplace_back(std::make_unique<Bus>(initial)); }

    template <typename P, typename... Args>
    P& add(Args&&... args) {
        auto process = std::make_unique<P>(std::forward<Args>(args)...);
        P& added = *process;
        processes_.push_back(std::move(process));
        return added;
    }

    /// Seconds of the cycles, without the start and end of the threads.
    double run(std::uint64_t cycles, unsigned threads, Model model) {
        std::vector<std::thread> others;
        for (unsigned t = 1; t < threads; ++t)
            others.emplace_back([=, this] { simulate(cycles, t, threads, model); });
        simulate(cycles, 0, threads, model);
        for (std::thread& other : others)
            other.join();
        return std::chrono::duration<double>(end_ - start_).count();
    }

private:
    using Clock = std::chrono::steady_clock;

    void simulate(std::uint64_t cycles, unsigned thread, unsigned threads, Model model) {
        barrier_.wait(threads, [&] { start_ = Clock::now(); });
        for (std::uint64_t k = 0; k < cycles; ++k) {
            phase(processes_, toStep_, thread, threads, model, [](Process& p) { p.step(); });
            barrier_.wait(threads, [&] { toStep_.refill(); });
            phase(buses_, toPropagate_, thread, threads, model, [](Bus& b) { b.propagate(); });
            barrier_.wait(threads, [&] { toPropagate_.refill(); });
        }
        if (thread == 0) end_ = Clock::now();
    }

    template <typename T, typename Do>
    static void phase(const std::vector<std::unique_ptr<T>>& things, AtomicQueue& queue,
                      unsigned thread, unsigned threads, Model model, Do&& act) {
        if (model == Model::AtomicQueue) {
            queue.work(things.size(), [&](std::size_t i) { act(*things[i]); });
            return;
        }
        const std::size_t share = things.size() / threads, first = share * thread;
        const std::size_t after = thread + 1 == threads ? things.size() : first + share;
        for (std::size_t i = first; i < after; ++i)
            act(*things[i]);
    }

    std::vector<std::unique_ptr<Bus>> buses_;
    std::vector<std::unique_ptr<Process>> processes_;
    AtomicQueue toStep_, toPropagate_;
    Barrier barrier_;
    Clock::time_point start_, end_;
};

}  // namespace cppsme
