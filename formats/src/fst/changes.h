#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fst/bytes.h"
#include "sme/state_format.h"

namespace sme::fst {

/// The changes of a while, by variable, until they are written as a block.
class Changes {
public:
    explicit Changes(std::vector<ValueShape> shapes);

    /// What follows happens at a time, which is later than those before.
    void at(std::uint64_t time);
    /// A value as it is stored, of variable 0, 1, ...
    void change(std::size_t variable, const std::byte* value);

    bool isEmpty() const { return times_ == 0; }
    /// Of what has been noted.
    std::uint64_t bytes() const { return bytes_; }
    /// Whether there is no room for another cycle.
    bool isFull() const;
    std::uint64_t lastTime() const { return last_; }

    /// All that has been noted, as a block. `frame`: the values before, a character a bit and eight
    /// bytes a real.
    std::string block(const std::string& frame) const;
    /// Forgets it.
    void clear();
    /// All that has been noted, for read() of one with the same shapes.
    void write(StateWriter& out) const;
    void read(StateReader& in);
    /// About how long a block can get, without its frame.
    std::uint64_t longestBlock() const;

private:
    /// The changes of a variable: each is how many times it is after the one before (in the lowest
    /// bits what kind of value comes) and the value, its first bit first.
    struct List {
        std::vector<std::uint8_t> bytes;  ///< more than `size`, so that none is added one by one
        std::uint32_t size = 0;
        std::uint32_t time = 0;  ///< of its last change
    };
    std::uint8_t* room(List& list, std::size_t most);
    void appendLists(std::string& out, std::string& index) const;
    void appendTimes(std::string& out) const;
    /// The variable that has the very same changes, by the end of the list; or itself.
    std::vector<std::uint32_t> sameAs() const;

    std::vector<ValueShape> shapes_;
    std::vector<List> lists_;
    std::uint64_t mostBytes_;  ///< of a block
    std::string timeTable_;
    std::uint64_t times_ = 0;
    std::uint64_t first_ = 0;
    std::uint64_t last_ = 0;
    std::uint64_t bytes_ = 0;
};

}  // namespace sme::fst
