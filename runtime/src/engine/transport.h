#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sme {

/// Elements [first, first + count) of a plane that lives on several ranks: written by one, read by
/// the other.
struct PlaneRange {
    unsigned rank;  ///< the other side
    std::uint32_t plane;
    std::uint64_t first;
    std::uint64_t count;
};

/// What a rank sends and receives in each cycle. The lists of two ranks match, in order.
struct Halo {
    std::vector<PlaneRange> sends;
    std::vector<PlaneRange> receives;
};

/// Bytes of a plane's range in the memory of this rank.
struct Message {
    unsigned rank;
    std::byte* data;
    std::size_t bytes;
};

/// Carries what processes of this rank and processes of others read of one another. One rank in the
/// process is the default and costs nothing: the engine asks size() once, before a run. Thread 0
/// calls, between two cycles, while all other threads of the rank stand still.
class Transport {
public:
    virtual ~Transport() = default;
    virtual unsigned rank() const = 0;
    virtual unsigned size() const = 0;
    /// Sends and receives one cycle's ranges; returns when the received ones may be read and the
    /// sent ones written.
    virtual void exchange(std::span<const Message> sends, std::span<const Message> receives) = 0;
    /// The union of the CycleFlag bits of all ranks.
    virtual std::uint32_t reduce(std::uint32_t flags) = 0;
};

/// All processes are in this one.
class OneRank final : public Transport {
public:
    unsigned rank() const override { return 0; }
    unsigned size() const override { return 1; }
    void exchange(std::span<const Message>, std::span<const Message>) override {}
    std::uint32_t reduce(std::uint32_t flags) override { return flags; }
};

}  // namespace sme
