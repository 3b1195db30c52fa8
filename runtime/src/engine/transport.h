#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sme {

/// Bytes for another rank, or of it.
struct Parcel {
    unsigned rank;
    std::byte* data;
    std::size_t bytes;
};

/// Carries what processes of this rank and processes of others read of one another where they have
/// no memory in common (engine/mailboxes.h), and what ranks agree about. One rank is the default and costs nothing: the engine asks size() once, before a
/// run. All ranks call the same functions in the same order, each from one thread at a time. What
/// cannot be carried throws std::exception, on all ranks sooner or later.
class Transport {
public:
    virtual ~Transport() = default;
    virtual unsigned rank() const = 0;
    virtual unsigned size() const = 0;
    /// Whether all ranks ask one another as often as this one says: one of them.
    virtual bool setsPace() const { return rank() == 0; }
    /// Memory that ranks of one machine have in common, `bytes` of it from this rank, more or less
    /// from others: by rank, where what each gave starts, at a cache line and all zero; null for
    /// those on other machines, and for all where there is no such memory. It lasts as long as the
    /// transport.
    virtual std::vector<std::byte*> share(std::size_t bytes) = 0;
    /// An exchange that is repeated: for each other rank one parcel at most each way, at the same
    /// places every time, of as many bytes as the other side says. Returns its number.
    virtual std::size_t prepare(std::span<const Parcel> sends,
                                std::span<const Parcel> receives) = 0;
    /// Begins to carry the parcels of a prepared exchange. Ranks without parcels need not call.
    virtual void start(std::size_t number) = 0;
    /// Whether all is carried, of a started exchange; carries on with it.
    virtual bool isDone(std::size_t number) = 0;
    /// Returns when the received parcels of a started exchange may be read and the sent ones
    /// written.
    virtual void finish(std::size_t number) = 0;
    /// The union of the bits of all ranks.
    virtual std::uint64_t reduce(std::uint64_t bits) = 0;
    /// On rank 0 what each rank gave, by rank; on others nothing.
    virtual std::vector<std::vector<std::byte>> gather(std::span<const std::byte> bytes) = 0;
    /// On all ranks what rank 0 gave.
    virtual std::vector<std::byte> broadcast(std::span<const std::byte> bytes) = 0;
    /// This rank cannot go on: the others get an error with this text where they wait for it.
    virtual void abandon(const std::string& why) = 0;
    /// What there is between the ranks, for reports: "threads of one process", "Open MPI 4.1.4".
    virtual const char* name() const = 0;
};

}  // namespace sme
