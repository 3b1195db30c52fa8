// Rank 2 of four is killed; its system closes its connections with rank 0 and with the deputy:
//
//   2 ─(closed)─> 0: notices, tells the user, sends "2 has ended" and "told" to 1, 3
//   2 ─(closed)─> 1, the deputy: notices, waits for "told", or tells it where rank 0 ends, too
//   all: after the grace time each ends its own process
//
// A rank that leaves says so first. It stays until those have left which it ties to rank 0.

#include "death_watch.h"

#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <system_error>

#include "schedule/no_signals.h"

namespace sme {
namespace {

constexpr std::size_t kStrangers = 300;  // at a time

void listenTo(const Descriptor& poll, int number, std::uint32_t events, int operation) {
    epoll_event event{};
    event.events = events;
    event.data.fd = number;
    epoll_ctl(poll.number(), operation, number, &event);
}

/// The next whole `T` of what has come.
template <typename T>
std::optional<T> next(std::string& bytes) {
    if (bytes.size() < sizeof(T)) return std::nullopt;
    T value;
    std::memcpy(&value, bytes.data(), sizeof value);
    bytes.erase(0, sizeof value);
    return value;
}

}  // namespace

DeathWatch::DeathWatch(unsigned rank, std::vector<std::string> nodes, Actions actions,
                       Limits limits)
    : rank_(rank),
      nodes_(std::move(nodes)),
      links_(nodes_, limits.fan),
      actions_(std::move(actions)),
      limits_(limits),
      met_(nodes_.size()),
      known_(nodes_.size()) {
    if (links_.isCalled(rank_)) listener_ = listenAnywhere(address_);
}

// ---------------------------------------------------------------- called by other threads

void DeathWatch::begin(std::span<const WatchAddress> all, const WatchSecret& secret) {
    secret_ = secret;
    began_ = Clock::now();
    poll_ = Descriptor(epoll_create1(EPOLL_CLOEXEC));
    wake_ = Descriptor(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    if (!poll_ || !wake_) return;
    listenTo(poll_, wake_.number(), EPOLLIN, EPOLL_CTL_ADD);
    if (listener_) listenTo(poll_, listener_.number(), EPOLLIN, EPOLL_CTL_ADD);
    for (const unsigned called : links_.calledBy(rank_))
        for (Descriptor& socket : callAll(all[called], nodes_[called] == nodes_[rank_]))
            add({std::move(socket), Stage::Calls, true, called});
    const NoSignals none;
    try {
        thread_ = std::thread([this] { watch(); });
    } catch (const std::system_error&) {
        peers_.clear();
        listener_.close();
    }
}

bool DeathWatch::awaitNotice(std::chrono::milliseconds most) {
    std::unique_lock lock(mutex_);
    return thread_.joinable() && changed_.wait_for(lock, most, [this] { return isNoticed_; });
}

void DeathWatch::giveUp() {
    if (!thread_.joinable()) return;
    givesUp_.store(true);
    eventfd_write(wake_.number(), 1);
    hasGivenUp_.wait(false);
}

void DeathWatch::leave() {
    if (!thread_.joinable()) return;
    isLeaving_.store(true);
    eventfd_write(wake_.number(), 1);
    thread_.join();
    peers_.clear();
    listener_.close();
}

unsigned DeathWatch::unwatched() const {
    if (thread_.joinable() && Clock::now() < began_ + limits_.greeting) return 0;
    return static_cast<unsigned>(nodes_.size()) - 1 - connected();
}

// ---------------------------------------------------------------- the thread

void DeathWatch::watch() {
    pthread_setname_np(pthread_self(), "sme_watch");
    constexpr int kEvents = 64;
    epoll_event events[kEvents];
    while (!isOver()) {
        // in the order in which they came
        const int count = epoll_wait(poll_.number(), events, kEvents, wait());
        for (int i = 0; i < count; ++i)
            handle(events[i].data.fd);
        dropLate();
    }
    hasGivenUp_.store(true);
    hasGivenUp_.notify_all();
}

/// Whether nothing is left to watch.
bool DeathWatch::isOver() {
    const auto now = Clock::now();
    if (isNoticed_) {
        const bool isLate = now >= deadline_;
        if (!isLate && !isLeaving_.load()) return false;
        tell(isLate);
        actions_.end();
        return true;
    }
    if (!isLeaving_.load()) return false;
    if (leavesUntil_ == Clock::time_point{}) leavesUntil_ = now + limits_.leaving;
    if (isAwaited() && now < leavesUntil_) return false;
    const WatchFrame left{WatchWord::Left, rank_};
    for (const auto& [number, peer] : peers_)
        if (peer.isCalled || peer.stage == Stage::Joined) send(peer, &left, sizeof left);
    return true;
}

/// Milliseconds until something is to be done that nobody asks for.
int DeathWatch::wait() const {
    auto first = Clock::time_point::max();
    if (isNoticed_) first = deadline_;
    if (leavesUntil_ != Clock::time_point{}) first = std::min(first, leavesUntil_);
    for (const auto& [number, peer] : peers_)
        if (peer.stage < Stage::Joined) first = std::min(first, peer.until);
    if (first == Clock::time_point::max()) return -1;
    const auto rest = std::chrono::ceil<std::chrono::milliseconds>(first - Clock::now());
    return static_cast<int>(std::max<std::int64_t>(0, rest.count()));
}

void DeathWatch::handle(int number) {
    if (number == wake_.number()) return obey();
    if (number == listener_.number()) return accept();
    const auto found = peers_.find(number);
    if (found == peers_.end()) return;
    if (found->second.stage != Stage::Calls) return receive(number);
    if (problemOf(found->second.socket) == 0)
        greet(found->second);
    else
        peers_.erase(found);
}

void DeathWatch::obey() {
    eventfd_t count = 0;
    eventfd_read(wake_.number(), &count);
    if (!givesUp_.load() || hasGivenUp_.load()) return;
    isTold_ = true;
    send({WatchWord::GaveUp, rank_}, -1);
    hasGivenUp_.store(true);
    hasGivenUp_.notify_all();
}

/// One at a time, so that those that are there can say who they are.
void DeathWatch::accept() {
    Descriptor socket = acceptFrom(listener_);
    if (!socket && (errno == EMFILE || errno == ENFILE)) listener_.close();
    const auto strangers = std::ranges::count_if(peers_, [](const auto& each) {
        return each.second.stage == Stage::Greets && !each.second.isCalled;
    });
    if (socket && static_cast<std::size_t>(strangers) < kStrangers) add({std::move(socket)});
}

void DeathWatch::add(Peer peer) {
    const int number = peer.socket.number();
    const bool calls = peer.stage == Stage::Calls;
    peer.until = Clock::now() + limits_.greeting;
    peers_.insert_or_assign(number, std::move(peer));
    listenTo(poll_, number, calls ? EPOLLOUT : EPOLLIN, EPOLL_CTL_ADD);
}

void DeathWatch::greet(Peer& peer) {
    peer.stage = Stage::Greets;
    listenTo(poll_, peer.socket.number(), EPOLLIN, EPOLL_CTL_MOD);
    const WatchGreeting greeting{secret_[0], {WatchWord::Hello, rank_}};
    send(peer, &greeting, sizeof greeting);
}

void DeathWatch::receive(int number) {
    char bytes[4096];
    for (;;) {
        const ssize_t count = recv(number, bytes, sizeof bytes, MSG_DONTWAIT);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0 && errno == EAGAIN) return;
        if (count <= 0) {
            const bool isSilent = count < 0 && errno == ETIMEDOUT;
            return lose(number, isSilent ? WatchWord::Silent : WatchWord::Ended);
        }
        peers_.at(number).bytes.append(bytes, static_cast<std::size_t>(count));
        if (!take(number)) return;
    }
}

/// What is whole of what has come. Whether the connection is still there.
bool DeathWatch::take(int number) {
    for (auto found = peers_.find(number); found != peers_.end(); found = peers_.find(number)) {
        Peer& peer = found->second;
        if (peer.stage == Stage::Greets) {
            const auto greeting = next<WatchGreeting>(peer.bytes);
            if (!greeting) return true;
            if (welcome(number, *greeting)) continue;
            peers_.erase(number);
            return false;
        }
        const auto frame = next<WatchFrame>(peer.bytes);
        if (!frame) return true;
        hear(*frame, number);
    }
    return false;
}

/// Whether it is one of those that this rank is to be connected with, for the first time.
bool DeathWatch::welcome(int number, const WatchGreeting& greeting) {
    Peer& peer = peers_.at(number);
    const WatchFrame wanted{peer.isCalled ? WatchWord::Welcome : WatchWord::Hello, peer.rank};
    if (greeting.secret != secret_[peer.isCalled ? 1 : 0] || greeting.frame.word != wanted.word)
        return false;
    const unsigned rank = greeting.frame.rank;
    if (rank >= nodes_.size() || met_[rank]) return false;
    if (peer.isCalled ? rank != wanted.rank : std::ranges::count(links_.calledBy(rank), rank_) == 0)
        return false;
    if (!peer.isCalled) {
        const WatchGreeting answer{secret_[1], {WatchWord::Welcome, rank_}};
        send(peer, &answer, sizeof answer);
    }
    join(number, rank);
    return true;
}

void DeathWatch::join(int number, unsigned rank) {
    Peer& peer = peers_.at(number);
    peer.stage = Stage::Joined;
    peer.rank = rank;
    met_[rank] = true;
    const auto tellIt = [&](const WatchFrame& frame) { send(peer, &frame, sizeof frame); };
    if (isNoticed_) tellIt(notice_);
    if (isTold_) tellIt({WatchWord::Told, notice_.rank});
    if (hasGivenUp_.load()) tellIt({WatchWord::GaveUp, rank_});
    if (!peer.isCalled) {
        if (links_.parent(rank) == rank_) learn(rank);
        return;
    }
    std::erase_if(peers_, [&](const auto& each) {  // other ways to it
        return each.second.isCalled && each.second.rank == rank && each.first != number;
    });
    for (unsigned below = 0; rank == links_.parent(rank_) && below < known_.size(); ++below)
        if (known_[below]) tellIt({WatchWord::Joined, below});
}

void DeathWatch::hear(const WatchFrame& frame, int from) {
    if (frame.rank >= nodes_.size()) return;
    switch (frame.word) {
    case WatchWord::Joined: return learn(frame.rank);
    case WatchWord::Ended:
    case WatchWord::Silent:
    case WatchWord::GaveUp: return notice(frame, from);
    case WatchWord::Told:
        if (!isTold_) send(frame, from);
        isTold_ = true;
        return;
    case WatchWord::Left:
        peers_.at(from).stage = Stage::Left;
        isFirstGone_ = isFirstGone_ || frame.rank == 0;
        return;
    case WatchWord::Hello:
    case WatchWord::Welcome: return;
    }
}

void DeathWatch::lose(int number, WatchWord how) {
    const Peer peer = std::move(peers_.at(number));
    peers_.erase(number);
    if (peer.stage != Stage::Joined) return;
    isFirstGone_ = isFirstGone_ || peer.rank == 0;
    notice({how, peer.rank}, -1);
    tell(false);
}

void DeathWatch::dropLate() {
    const auto now = Clock::now();
    std::erase_if(peers_, [&](const auto& each) {
        return each.second.stage < Stage::Joined && each.second.until <= now;
    });
}

// ---------------------------------------------------------------- what all are told

/// The first one counts: those that follow ended because of it.
void DeathWatch::notice(const WatchFrame& frame, int from) {
    if (isNoticed_) return;
    notice_ = frame;
    isTold_ = isTold_ || frame.word == WatchWord::GaveUp;
    deadline_ = Clock::now() + limits_.grace;
    {
        const std::lock_guard lock(mutex_);
        isNoticed_ = true;
    }
    changed_.notify_all();
    tell(false);
    send(frame, from);
}

/// Where it is for this rank to tell: rank 0 does, its deputy where that has ended or takes long.
void DeathWatch::tell(bool isLate) {
    const bool isOwn =
        rank_ == 0 || (rank_ == links_.deputy() && (isLate || isFirstGone_ || notice_.rank == 0));
    if (!isNoticed_ || isTold_ || !isOwn) return;
    const std::string who = "rank " + std::to_string(notice_.rank) + " on " + nodes_[notice_.rank];
    actions_.tell(who
                  + (notice_.word == WatchWord::Silent
                         ? " has not answered for " + std::to_string(kSilence) + " s"
                         : " has ended"));
    isTold_ = true;
    send({WatchWord::Told, notice_.rank}, -1);
}

void DeathWatch::learn(unsigned rank) {
    if (known_[rank]) return;
    known_[rank] = true;
    knownCount_.fetch_add(1);
    const WatchFrame frame{WatchWord::Joined, rank};
    if (rank_ == 0) return;
    if (const Peer* parent = joined(links_.parent(rank_))) send(*parent, &frame, sizeof frame);
}

DeathWatch::Peer* DeathWatch::joined(unsigned rank) {
    const auto found = std::ranges::find_if(peers_, [&](const auto& each) {
        return each.second.stage >= Stage::Joined && each.second.rank == rank;
    });
    return found == peers_.end() ? nullptr : &found->second;
}

/// Whether somebody is tied to rank 0 by this rank.
bool DeathWatch::isAwaited() const {
    return std::ranges::any_of(peers_, [&](const auto& each) {
        const Peer& peer = each.second;
        return peer.stage == Stage::Joined && !peer.isCalled && links_.parent(peer.rank) == rank_;
    });
}

void DeathWatch::send(const WatchFrame& frame, int except) {
    for (const auto& [number, peer] : peers_)
        if (peer.stage == Stage::Joined && number != except) send(peer, &frame, sizeof frame);
}

/// Little, which always has room; where the other one is gone, that is seen when it is read.
void DeathWatch::send(const Peer& peer, const void* bytes, std::size_t count) {
    [[maybe_unused]] const ssize_t sent =
        ::send(peer.socket.number(), bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT);
}

}  // namespace sme
