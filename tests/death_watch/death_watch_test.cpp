// Ranks of one process whose watches are connected by sockets. Strange ones speak by bare sockets:
// they close them without a word, as the system does with those of a process that is killed.

#include "death_watch.h"

#include <catch2/catch.hpp>

#include <poll.h>
#include <sys/socket.h>

#include <memory>
#include <optional>
#include <set>

using namespace sme;

namespace {

constexpr WatchSecret kSecret{{{1, 2, 3}, {4, 5, 6}}};
using Nodes = std::vector<std::string>;
constexpr std::chrono::hours kLong{1};  // what is waited for comes, or the test does not end
constexpr DeathWatch::Limits kPatient{kLong, kLong, kLong};
constexpr DeathWatch::Limits kAtOnce{std::chrono::milliseconds(0), kLong, kLong};

/// What watches did.
class Record {
public:
    DeathWatch::Actions actionsOf(unsigned rank) {
        return {[this, rank](const std::string& what) {
                    const std::lock_guard lock(mutex_);
                    told_.push_back(std::to_string(rank) + ": " + what);
                },
                [this] {
                    const std::lock_guard lock(mutex_);
                    ++ended_;
                    changed_.notify_all();
                }};
    }
    void awaitEnds(unsigned count) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return ended_ >= count; });
    }
    std::vector<std::string> told() {
        const std::lock_guard lock(mutex_);
        return told_;
    }
    void awaitTold() {
        while (told().empty())
            std::this_thread::yield();
    }
    unsigned ended() {
        const std::lock_guard lock(mutex_);
        return ended_;
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<std::string> told_;
    unsigned ended_ = 0;
};

/// Ranks of a run; those that are strange listen, and do nothing else by themselves.
struct Fleet {
    Fleet(Nodes all, std::vector<unsigned> strange, DeathWatch::Limits limits)
        : nodes(std::move(all)), addresses(nodes.size()), watches(nodes.size()) {
        for (unsigned rank = 0; rank < nodes.size(); ++rank) {
            if (std::ranges::count(strange, rank) > 0) {
                listener = listenAnywhere(addresses[rank]);
                continue;
            }
            watches[rank] =
                std::make_unique<DeathWatch>(rank, nodes, record.actionsOf(rank), limits);
            addresses[rank] = watches[rank]->address();
        }
    }
    void begin() {
        for (const auto& watch : watches)
            if (watch) watch->begin(addresses, kSecret);
    }
    void awaitConnected(unsigned others) {
        while (watches[0]->connected() < others)
            std::this_thread::yield();
    }
    /// All that are left notice; then they end.
    void awaitEnds() {
        for (const auto& watch : watches)
            if (watch) CHECK(watch->awaitNotice(kLong));
        record.awaitTold();
        watches.clear();
    }

    Nodes nodes;
    Record record;
    std::vector<WatchAddress> addresses;
    std::vector<std::unique_ptr<DeathWatch>> watches;
    Descriptor listener;  ///< of the strange one
};

void awaitEvent(const Descriptor& socket, short event) {
    pollfd wanted{socket.number(), event, 0};
    REQUIRE(poll(&wanted, 1, -1) == 1);
}

template <typename T>
void say(const Descriptor& socket, const T& what) {
    awaitEvent(socket, POLLOUT);
    REQUIRE(send(socket.number(), &what, sizeof what, MSG_NOSIGNAL) == sizeof what);
}

/// The next that the other side says; none: it closed.
template <typename T>
std::optional<T> heard(const Descriptor& socket) {
    T what;
    std::size_t count = 0;
    while (count < sizeof what) {
        awaitEvent(socket, POLLIN);
        const ssize_t more =
            recv(socket.number(), reinterpret_cast<char*>(&what) + count, sizeof what - count, 0);
        if (more <= 0) return std::nullopt;
        count += static_cast<std::size_t>(more);
    }
    return what;
}

Descriptor calls(const WatchAddress& address) { return std::move(callAll(address, true).front()); }

/// A rank that has joined by one connection.
Descriptor join(unsigned rank, const WatchAddress& address) {
    Descriptor socket = calls(address);
    say(socket, WatchGreeting{kSecret[0], {WatchWord::Hello, rank}});
    const auto answer = heard<WatchGreeting>(socket);
    REQUIRE(answer);
    REQUIRE(answer->secret == kSecret[1]);
    REQUIRE(answer->frame.word == WatchWord::Welcome);
    return socket;
}

/// Of ranks that call the strange one: those that are not yet there.
std::vector<Descriptor> answer(const Descriptor& listener, unsigned rank,
                               std::set<unsigned> wanted) {
    std::vector<Descriptor> joined;
    while (!wanted.empty()) {
        awaitEvent(listener, POLLIN);
        Descriptor socket = acceptFrom(listener);
        const auto greeting = heard<WatchGreeting>(socket);
        if (!greeting || wanted.erase(greeting->frame.rank) == 0) continue;  // by another address
        say(socket, WatchGreeting{kSecret[1], {WatchWord::Welcome, rank}});
        joined.push_back(std::move(socket));
    }
    return joined;
}

const Nodes kTwoByTwo{"a", "a", "b", "b"};

}  // namespace

TEST_CASE("all ranks are connected, each two once, and many with two of different machines") {
    for (const Nodes& nodes : {Nodes{"a", "b"}, Nodes(3, "a"), kTwoByTwo, Nodes(40, "a"),
                               Nodes{"a", "a", "a", "b", "b", "b", "c", "c", "c"}}) {
        for (const unsigned fan : {1u, 2u, 3u, 256u}) {
            const WatchLinks links(nodes, fan);
            CHECK(nodes[links.deputy()] == (nodes.back() == "a" ? "a" : "b"));
            std::set<std::pair<unsigned, unsigned>> edges;
            for (unsigned rank = 0; rank < nodes.size(); ++rank) {
                for (const unsigned called : links.calledBy(rank)) {
                    CHECK(links.isCalled(called));
                    CHECK(edges.insert(std::minmax(rank, called)).second);
                }
                CHECK((rank == 0 || links.parent(rank) < rank));  // so that all reach rank 0
            }
            for (unsigned rank = 1; rank < nodes.size() && fan == 256; ++rank)
                for (const unsigned root : {0u, links.deputy()})
                    CHECK((rank == root || edges.contains(std::minmax(rank, root))));
        }
    }
}

TEST_CASE("a rank that is killed ends all others, and rank 0 tells which it was") {
    Fleet fleet(kTwoByTwo, {3}, kPatient);
    fleet.begin();
    {
        const Descriptor first = join(3, fleet.addresses[0]);
        const Descriptor deputy = join(3, fleet.addresses[2]);
        fleet.awaitConnected(3);
        CHECK(fleet.watches[0]->unwatched() == 0);
    }
    fleet.awaitEnds();
    CHECK(fleet.record.ended() == 3);
    CHECK(fleet.record.told() == std::vector<std::string>{"0: rank 3 on b has ended"});
}

TEST_CASE("of rank 0 its deputy tells, on another machine") {
    Fleet fleet(kTwoByTwo, {0}, kPatient);
    fleet.begin();
    answer(fleet.listener, 0, {1, 2, 3});
    fleet.awaitEnds();
    CHECK(fleet.record.told() == std::vector<std::string>{"2: rank 0 on a has ended"});
}

TEST_CASE("where rank 0 ends before it could tell, its deputy does, and of the first one") {
    Fleet fleet(kTwoByTwo, {0}, kPatient);
    fleet.watches[3].reset();
    fleet.begin();
    std::vector<Descriptor> first = answer(fleet.listener, 0, {1, 2});
    join(3, fleet.addresses[2]);
    REQUIRE(fleet.watches[2]->awaitNotice(kLong));
    CHECK(fleet.record.told().empty());
    first.clear();
    fleet.awaitEnds();
    CHECK(fleet.record.told() == std::vector<std::string>{"2: rank 3 on b has ended"});
}

TEST_CASE("where rank 0 does not tell in time, its deputy does") {
    Fleet fleet(kTwoByTwo, {0}, kAtOnce);
    fleet.watches[3].reset();
    fleet.begin();
    const std::vector<Descriptor> first = answer(fleet.listener, 0, {1, 2});
    join(3, fleet.addresses[2]);
    fleet.record.awaitEnds(2);
    fleet.watches.clear();
    CHECK(fleet.record.told() == std::vector<std::string>{"2: rank 3 on b has ended"});
}

TEST_CASE("trees of several levels hand on who is there and who has ended") {
    DeathWatch::Limits limits = kPatient;
    limits.fan = 2;
    Fleet fleet({"a", "a", "a", "a", "b", "b", "b", "b", "c", "c", "c", "c"}, {11}, limits);
    fleet.begin();
    const WatchLinks links(fleet.nodes, 2);
    {
        std::vector<Descriptor> sockets;
        for (const unsigned called : links.calledBy(11))
            sockets.push_back(join(11, fleet.addresses[called]));
        fleet.awaitConnected(11);
    }
    fleet.awaitEnds();
    CHECK(fleet.record.ended() == 11);
    CHECK(fleet.record.told() == std::vector<std::string>{"0: rank 11 on c has ended"});
}

TEST_CASE("an orderly end is none that others notice") {
    Fleet fleet(kTwoByTwo, {}, kPatient);
    fleet.begin();
    fleet.awaitConnected(3);
    for (const unsigned rank : {2, 3, 1, 0})
        fleet.watches[rank].reset();
    CHECK(fleet.record.ended() == 0);
    CHECK(fleet.record.told().empty());
}

TEST_CASE("rank 0 stays until others have left, and sees what happens meanwhile") {
    Fleet fleet(kTwoByTwo, {3}, kPatient);
    fleet.begin();
    Descriptor third = join(3, fleet.addresses[0]);
    fleet.awaitConnected(3);
    fleet.watches[1].reset();
    fleet.watches[2].reset();
    std::thread leaving([&] { fleet.watches[0]->leave(); });
    third.close();
    leaving.join();
    CHECK(fleet.record.told() == std::vector<std::string>{"0: rank 3 on b has ended"});
    CHECK(fleet.record.ended() == 1);
}

TEST_CASE("ranks may leave before they are connected") {
    for (int round = 0; round < 20; ++round) {
        Fleet fleet(kTwoByTwo, {}, kPatient);
        fleet.begin();
        std::vector<std::thread> threads;
        for (const auto& watch : fleet.watches)
            threads.emplace_back([&] { watch->leave(); });
        for (std::thread& thread : threads)
            thread.join();
        CHECK(fleet.record.ended() == 0);
        CHECK(fleet.record.told().empty());
    }
}

TEST_CASE("a rank that has left and comes by another way is no new one") {
    Fleet fleet(kTwoByTwo, {3}, kPatient);
    fleet.begin();
    {
        const Descriptor third = join(3, fleet.addresses[0]);
        say(third, WatchFrame{WatchWord::Left, 3});
    }
    const Descriptor late = calls(fleet.addresses[0]);
    say(late, WatchGreeting{kSecret[0], {WatchWord::Hello, 3}});
    CHECK_FALSE(heard<char>(late));
    while (!fleet.watches.empty())  // rank 0 stays until the others have left
        fleet.watches.pop_back();
    CHECK(fleet.record.ended() == 0);
}

TEST_CASE("strangers who connect are sent away, and mean nothing") {
    Fleet fleet(kTwoByTwo, {3}, kPatient);
    fleet.begin();
    const WatchAddress& address = fleet.addresses[0];
    calls(address);
    const WatchGreeting none{{9}, {WatchWord::Hello, 3}};
    const WatchGreeting half{kSecret[1], {WatchWord::Hello, 3}};
    const WatchGreeting tooMany{kSecret[0], {WatchWord::Hello, 4}};
    const WatchGreeting ownRank{kSecret[0], {WatchWord::Hello, 0}};
    const WatchGreeting noGreeting{kSecret[0], {WatchWord::Ended, 3}};
    for (const WatchGreeting& greeting : {none, half, tooMany, ownRank, noGreeting}) {
        const Descriptor stranger = calls(address);
        say(stranger, greeting);
        CHECK_FALSE(heard<char>(stranger));
    }
    Descriptor third = join(3, address);
    const Descriptor second = calls(address);
    say(second, WatchGreeting{kSecret[0], {WatchWord::Hello, 3}});  // there is one already
    CHECK_FALSE(heard<char>(second));
    say(third, WatchFrame{WatchWord::Ended, 77});
    fleet.awaitConnected(3);
    CHECK(fleet.record.ended() == 0);
    third.close();
    fleet.awaitEnds();
    CHECK(fleet.record.told() == std::vector<std::string>{"0: rank 3 on b has ended"});
}

TEST_CASE("who answers with another secret is not the rank that was called") {
    Fleet fleet({"a", "a"}, {0}, kPatient);
    fleet.begin();
    awaitEvent(fleet.listener, POLLIN);
    const Descriptor called = acceptFrom(fleet.listener);
    REQUIRE(heard<WatchGreeting>(called));
    say(called, WatchGreeting{kSecret[0], {WatchWord::Welcome, 0}});
    CHECK_FALSE(heard<char>(called));
    CHECK(fleet.record.ended() == 0);
}

TEST_CASE("a rank that has told why it ends ends the others, who tell nothing") {
    Fleet fleet(kTwoByTwo, {}, kAtOnce);
    fleet.begin();
    fleet.awaitConnected(3);
    fleet.watches[3]->giveUp();
    fleet.record.awaitEnds(3);
    fleet.watches.clear();
    CHECK(fleet.record.told().empty());
}

TEST_CASE("ranks that cannot be connected go on, and are counted") {
    Fleet fleet(kTwoByTwo, {3}, {std::chrono::milliseconds(0), std::chrono::milliseconds(0)});
    for (WatchAddress& address : fleet.addresses)
        address = {};
    fleet.begin();
    CHECK(fleet.watches[0]->unwatched() == 3);
    CHECK_FALSE(fleet.watches[0]->awaitNotice(std::chrono::milliseconds(0)));
    fleet.watches[1]->giveUp();
    for (const auto& watch : fleet.watches)
        if (watch) watch->leave();
    CHECK(fleet.record.ended() == 0);
}
