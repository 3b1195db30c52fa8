#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "watch_links.h"
#include "watch_sockets.h"
#include "watch_words.h"

namespace sme {

/// How a rank sees that another one has ended, whatever MPI and its launcher do: connections, whose
/// end the system tells, and a thread that sleeps until then. It hands the notice on, so that all
/// ranks end; one of them tells it. Ranks that cannot be connected go on unwatched.
class DeathWatch {
public:
    struct Actions {
        std::function<void(const std::string& what)> tell;
        std::function<void()> end;  ///< of this rank
    };
    struct Limits {
        /// Before it ends, so that the launcher sees first who was the first to end.
        std::chrono::milliseconds grace{1000};
        std::chrono::milliseconds greeting{10'000};
        std::chrono::milliseconds leaving{10'000};
        unsigned fan = WatchLinks::kFan;
    };

    /// `nodes`: by rank, the name of its machine.
    DeathWatch(unsigned rank, std::vector<std::string> nodes, Actions actions, Limits limits);
    ~DeathWatch() { leave(); }
    DeathWatch(const DeathWatch&) = delete;
    DeathWatch& operator=(const DeathWatch&) = delete;

    /// Where this rank listens.
    const WatchAddress& address() const { return address_; }
    /// `all`: by rank, its address. Does not wait for connections.
    void begin(std::span<const WatchAddress> all, const WatchSecret& secret);
    /// Whether another rank has ended, which is known at the latest after `most`.
    bool awaitNotice(std::chrono::milliseconds most);
    /// This rank has told why it ends: others need not.
    void giveUp();
    /// The orderly end: waits for those that it ties to the others, and ends the thread.
    void leave();
    /// Of rank 0: how many others are connected, by others too.
    unsigned connected() const { return knownCount_.load(); }
    /// Of rank 0: how many ranks could not be connected; 0 while that is tried.
    unsigned unwatched() const;

private:
    using Clock = std::chrono::steady_clock;
    enum class Stage : std::uint8_t { Calls, Greets, Joined, Left };
    struct Peer {
        Descriptor socket;
        Stage stage = Stage::Greets;
        bool isCalled = false;  ///< by this rank
        unsigned rank = 0;      ///< of one that called: known once it has joined
        Clock::time_point until{};
        std::string bytes{};  ///< that came and are no whole frame
    };
    void watch();
    bool isOver();
    int wait() const;
    void handle(int number);
    void obey();
    void accept();
    void greet(Peer& peer);
    void receive(int number);
    bool take(int number);
    bool welcome(int number, const WatchGreeting& greeting);
    void join(int number, unsigned rank);
    void hear(const WatchFrame& frame, int from);
    void lose(int number, WatchWord how);
    void dropLate();
    void notice(const WatchFrame& frame, int from);
    void tell(bool isLate);
    void learn(unsigned rank);
    Peer* joined(unsigned rank);
    bool isAwaited() const;
    void add(Peer peer);
    void send(const WatchFrame& frame, int except);
    static void send(const Peer& peer, const void* bytes, std::size_t count);

    const unsigned rank_;
    const std::vector<std::string> nodes_;
    const WatchLinks links_;
    const Actions actions_;
    const Limits limits_;
    WatchSecret secret_{};
    WatchAddress address_;
    Descriptor listener_;
    Descriptor poll_;
    Descriptor wake_;
    std::map<int, Peer> peers_;  ///< by descriptor
    std::vector<bool> met_;      ///< by rank: once connected; what comes later is another way to it
    std::vector<bool> known_;    ///< by rank: whether it has joined, below this one
    WatchFrame notice_{};
    Clock::time_point began_{};
    Clock::time_point deadline_{};  ///< after a notice
    Clock::time_point leavesUntil_{};
    bool isTold_ = false;
    bool isFirstGone_ = false;  ///< rank 0
    std::atomic<unsigned> knownCount_{0};
    std::atomic<bool> isLeaving_{false};
    std::atomic<bool> givesUp_{false};
    std::atomic<bool> hasGivenUp_{false};
    std::mutex mutex_;
    std::condition_variable changed_;
    bool isNoticed_ = false;  ///< written by the thread, guarded by mutex_
    std::thread thread_;      ///< last: it uses all of the above
};

}  // namespace sme
