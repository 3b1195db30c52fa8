#include "watch_sockets.h"

#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace sme {
namespace {

constexpr std::uint8_t kMapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF};
constexpr int kKind = SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK;
constexpr int kPatience = 512;  // callers that wait to be accepted

WatchAddress::Ip mapped(const in_addr& ip) {
    WatchAddress::Ip all{};
    std::memcpy(all.data(), kMapped, sizeof kMapped);
    std::memcpy(all.data() + sizeof kMapped, &ip, sizeof ip);
    return all;
}

bool isMapped(const WatchAddress::Ip& ip) {
    return std::memcmp(ip.data(), kMapped, sizeof kMapped) == 0;
}

void set(int socket, int level, int option, int value) {
    setsockopt(socket, level, option, &value, sizeof value);
}

/// A machine that is gone sends no end: the system asks it now and then.
void watchSilence(int socket) {
    constexpr int kPause = 10;
    set(socket, SOL_SOCKET, SO_KEEPALIVE, 1);
    set(socket, IPPROTO_TCP, TCP_KEEPIDLE, kPause);
    set(socket, IPPROTO_TCP, TCP_KEEPINTVL, kPause);
    set(socket, IPPROTO_TCP, TCP_KEEPCNT, static_cast<int>(kSilence) / kPause - 1);
    set(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, static_cast<int>(kSilence) * 1000);
    set(socket, IPPROTO_TCP, TCP_NODELAY, 1);
}

/// Those of interfaces that are up, but for the loopback one and addresses of one link.
void addOwnIps(WatchAddress& address) {
    ifaddrs* all = nullptr;
    if (getifaddrs(&all) != 0) return;
    for (const ifaddrs* each = all; each && address.count < WatchAddress::kMost;
         each = each->ifa_next) {
        if (!each->ifa_addr || (each->ifa_flags & IFF_UP) == 0
            || (each->ifa_flags & IFF_LOOPBACK) != 0)
            continue;
        if (each->ifa_addr->sa_family == AF_INET) {
            sockaddr_in at{};
            std::memcpy(&at, each->ifa_addr, sizeof at);
            address.ips[address.count++] = mapped(at.sin_addr);
        } else if (each->ifa_addr->sa_family == AF_INET6) {
            sockaddr_in6 at{};
            std::memcpy(&at, each->ifa_addr, sizeof at);
            if (IN6_IS_ADDR_LINKLOCAL(&at.sin6_addr)) continue;
            std::memcpy(address.ips[address.count++].data(), &at.sin6_addr, sizeof at.sin6_addr);
        }
    }
    freeifaddrs(all);
}

template <typename Address>
Descriptor call(const Address& to) {
    Descriptor socket(::socket(reinterpret_cast<const sockaddr&>(to).sa_family, kKind, 0));
    if (!socket) return {};
    watchSilence(socket.number());
    const int failed = connect(socket.number(), reinterpret_cast<const sockaddr*>(&to), sizeof to);
    return failed == 0 || errno == EINPROGRESS ? std::move(socket) : Descriptor();
}

Descriptor call(const WatchAddress::Ip& ip, std::uint16_t port) {
    if (isMapped(ip)) {
        sockaddr_in to{};
        to.sin_family = AF_INET;
        to.sin_port = htons(port);
        std::memcpy(&to.sin_addr, ip.data() + sizeof kMapped, sizeof to.sin_addr);
        return call(to);
    }
    sockaddr_in6 to{};
    to.sin6_family = AF_INET6;
    to.sin6_port = htons(port);
    std::memcpy(&to.sin6_addr, ip.data(), sizeof to.sin6_addr);
    return call(to);
}

/// By both versions of IP where there are both.
Descriptor bound() {
    Descriptor both(socket(AF_INET6, kKind, 0));
    sockaddr_in6 any6{};
    any6.sin6_family = AF_INET6;
    if (both) set(both.number(), IPPROTO_IPV6, IPV6_V6ONLY, 0);
    if (both && bind(both.number(), reinterpret_cast<sockaddr*>(&any6), sizeof any6) == 0)
        return both;
    Descriptor old(socket(AF_INET, kKind, 0));
    sockaddr_in any{};
    any.sin_family = AF_INET;
    if (old && bind(old.number(), reinterpret_cast<sockaddr*>(&any), sizeof any) == 0) return old;
    return {};
}

}  // namespace

void Descriptor::close() {
    if (number_ >= 0) ::close(number_);
    number_ = -1;
}

Descriptor listenAnywhere(WatchAddress& address) {
    Descriptor listener = bound();
    sockaddr_in6 own{};  // the port stands at one place in both
    socklen_t length = sizeof own;
    if (!listener || listen(listener.number(), kPatience) != 0
        || getsockname(listener.number(), reinterpret_cast<sockaddr*>(&own), &length) != 0)
        return {};
    address.port = ntohs(own.sin6_port);
    addOwnIps(address);
    return listener;
}

std::vector<Descriptor> callAll(const WatchAddress& address, bool isHere) {
    std::vector<Descriptor> calls;
    const auto add = [&](const WatchAddress::Ip& ip) {
        Descriptor socket = call(ip, address.port);
        if (socket) calls.push_back(std::move(socket));
    };
    if (address.port == 0) return calls;
    if (isHere) add(mapped({htonl(INADDR_LOOPBACK)}));
    for (std::size_t i = 0; i < std::min<std::size_t>(address.count, WatchAddress::kMost); ++i)
        add(address.ips[i]);
    return calls;
}

Descriptor acceptFrom(const Descriptor& listener) {
    Descriptor socket(accept4(listener.number(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (socket) watchSilence(socket.number());
    return socket;
}

int problemOf(const Descriptor& socket) {
    int problem = 0;
    socklen_t length = sizeof problem;
    if (getsockopt(socket.number(), SOL_SOCKET, SO_ERROR, &problem, &length) != 0) return errno;
    return problem;
}

}  // namespace sme
