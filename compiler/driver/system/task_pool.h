#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace smec::driver {

/// Runs tasks on a few threads, in the order in which they came. A task may add others.
class TaskPool {
public:
    explicit TaskPool(unsigned threads);
    /// Waits for the tasks.
    ~TaskPool();
    TaskPool(const TaskPool&) = delete;
    TaskPool& operator=(const TaskPool&) = delete;

    void add(std::function<void()> task);
    /// Until all are done. Throws what the first of them threw that failed.
    void wait();

private:
    void work();

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::function<void()>> tasks_;
    std::size_t running_ = 0;
    bool isClosed_ = false;
    std::exception_ptr failure_;
    std::vector<std::thread> threads_;
};

}  // namespace smec::driver
