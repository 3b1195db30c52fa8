#include "driver/system/task_pool.h"

#include <utility>

namespace smec::driver {

TaskPool::TaskPool(unsigned threads) {
    for (unsigned i = 0; i < threads; ++i)
        threads_.emplace_back([this] { work(); });
}

TaskPool::~TaskPool() {
    {
        const std::scoped_lock lock(mutex_);
        isClosed_ = true;
    }
    changed_.notify_all();
    for (std::thread& thread : threads_)
        thread.join();
}

void TaskPool::add(std::function<void()> task) {
    {
        const std::scoped_lock lock(mutex_);
        tasks_.push_back(std::move(task));
    }
    changed_.notify_all();
}

void TaskPool::wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return tasks_.empty() && running_ == 0; });
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void TaskPool::work() {
    std::unique_lock lock(mutex_);
    while (true) {
        // A running task may add others.
        changed_.wait(lock, [this] { return !tasks_.empty() || (isClosed_ && running_ == 0); });
        if (tasks_.empty()) return;
        const std::function<void()> task = std::move(tasks_.front());
        tasks_.pop_front();
        ++running_;
        lock.unlock();
        std::exception_ptr failure;
        try {
            task();
        } catch (...) {
            failure = std::current_exception();
        }
        lock.lock();
        --running_;
        if (failure && !failure_) failure_ = failure;
        changed_.notify_all();
    }
}

}  // namespace smec::driver
