// What leaving a body and coming back costs without a compiler's help: swapcontext, and a second
// thread that is handed the turn. Prints ns per round trip: by swapcontext (of processor time), by
// a thread that spins, and by one that sleeps on a condition variable (of wall time).
#include <ucontext.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <ctime>
#include <mutex>
#include <thread>
#include <vector>

namespace {

ucontext_t scheduler, process;
unsigned long work = 0;

void body() {
    while (true) {
        ++work;
        swapcontext(&process, &scheduler);
    }
}

template <typename Round>
double nsPerRound(long rounds, Round round) {
    const auto start = std::chrono::steady_clock::now();
    for (long i = 0; i < rounds; ++i)
        round();
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
    return took.count() / double(rounds);
}

double contexts() {
    std::vector<char> stack(64 * 1024);
    getcontext(&process);
    process.uc_stack.ss_sp = stack.data();
    process.uc_stack.ss_size = stack.size();
    process.uc_link = nullptr;
    makecontext(&process, body, 0);
    constexpr long kRounds = 300'000;
    const std::clock_t start = std::clock();
    for (long i = 0; i < kRounds; ++i)
        swapcontext(&scheduler, &process);
    return double(std::clock() - start) * 1e9 / CLOCKS_PER_SEC / kRounds;
}

double spinning() {
    std::atomic<int> turn{0};
    std::thread other([&] {
        while (true) {
            int now = 0;
            while ((now = turn.load(std::memory_order_acquire)) == 0) {}
            if (now < 0) return;
            ++work;
            turn.store(0, std::memory_order_release);
        }
    });
    const double ns = nsPerRound(300'000, [&] {
        turn.store(1, std::memory_order_release);
        while (turn.load(std::memory_order_acquire) != 0) {}
    });
    turn.store(-1, std::memory_order_release);
    other.join();
    return ns;
}

double sleeping() {
    std::mutex mutex;
    std::condition_variable changed;
    int turn = 0;
    std::thread other([&] {
        std::unique_lock lock(mutex);
        while (true) {
            changed.wait(lock, [&] { return turn != 0; });
            if (turn < 0) return;
            ++work;
            turn = 0;
            changed.notify_one();
        }
    });
    const double ns = nsPerRound(30'000, [&] {
        std::unique_lock lock(mutex);
        turn = 1;
        changed.notify_one();
        changed.wait(lock, [&] { return turn == 0; });
    });
    {
        const std::lock_guard lock(mutex);
        turn = -1;
    }
    changed.notify_one();
    other.join();
    return ns;
}

}  // namespace

int main() {
    const double context = contexts(), spin = spinning(), sleep = sleeping();
    std::printf("%.2f %.2f %.2f %lu\n", context, spin, sleep, work);
}
