#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace sme {

/// A descriptor that is closed at the end of its life; -1: none.
class Descriptor {
public:
    Descriptor() = default;
    explicit Descriptor(int number) : number_(number) {}
    ~Descriptor() { close(); }
    Descriptor(Descriptor&& other) noexcept : number_(other.release()) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        if (this != &other) {
            close();
            number_ = other.release();
        }
        return *this;
    }
    int number() const { return number_; }
    explicit operator bool() const { return number_ >= 0; }
    void close();

private:
    int release() {
        const int number = number_;
        number_ = -1;
        return number;
    }
    int number_ = -1;
};

/// Where a rank listens, as all ranks tell each other: bytes that go through MPI.
struct WatchAddress {
    static constexpr std::size_t kMost = 8;
    using Ip = std::array<std::uint8_t, 16>;  ///< of IPv6, or of IPv4 as IPv6 writes it

    std::uint16_t port = 0;  ///< 0: it does not
    std::uint16_t count = 0;
    std::array<Ip, kMost> ips{};
};

/// Seconds after which a machine that does not answer at all counts as ended. Whoever is only slow or
/// stopped has a system that answers.
inline constexpr unsigned kSilence = 60;

/// A socket that listens on all interfaces; none where there is no network. Writes its address.
Descriptor listenAnywhere(WatchAddress& address);
/// Begins a connection with each address; with one of this machine through the loopback interface, too.
std::vector<Descriptor> callAll(const WatchAddress& address, bool isHere);
/// Who called; none when there is nobody, or no room (errno).
Descriptor acceptFrom(const Descriptor& listener);
/// Of a connection that was begun: 0, or the number of what is wrong.
int problemOf(const Descriptor& socket);

}  // namespace sme
