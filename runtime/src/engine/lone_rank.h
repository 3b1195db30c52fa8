#pragma once

#include <vector>

#include "engine/transport.h"

namespace sme {

/// A rank whose others are not there: what it sends goes nowhere, and what it reads of them stays as
/// it is at the start. For measurements of what one rank does.
class LoneRank final : public Transport {
public:
    LoneRank(unsigned rank, unsigned ranks) : rank_(rank), size_(ranks) {}

    unsigned rank() const override { return rank_; }
    unsigned size() const override { return size_; }
    bool setsPace() const override { return true; }
    const char* name() const override { return "one rank alone"; }

    std::vector<std::byte*> share(std::size_t) override {
        return std::vector<std::byte*>(size_, nullptr);
    }
    std::size_t prepare(std::span<const Parcel>, std::span<const Parcel>) override {
        return prepared_++;
    }
    void start(std::size_t) override {}
    bool isDone(std::size_t) override { return true; }
    void finish(std::size_t) override {}
    std::uint64_t reduce(std::uint64_t bits) override { return bits; }
    std::vector<std::vector<std::byte>> gather(std::span<const std::byte> bytes) override {
        std::vector<std::vector<std::byte>> gathered(rank_ == 0 ? size_ : 0);
        if (rank_ == 0) gathered[0].assign(bytes.begin(), bytes.end());
        return gathered;
    }
    std::vector<std::byte> broadcast(std::span<const std::byte> bytes) override {
        return {bytes.begin(), bytes.end()};
    }
    void abandon(const std::string&) override {}

private:
    const unsigned rank_;
    const unsigned size_;
    std::size_t prepared_ = 0;
};

}  // namespace sme
