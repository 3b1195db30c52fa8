#pragma once

// States of designs as bytes, for all who write and read them. Numbers are little-endian as in
// memory, texts are length and bytes, values as in sme/simulation.h:
//
//   mark, version, hash, design, cycle, clock groups, seed, initial?
//   clock groups:    how many there are, and how often each was activated
//   runs of names:   prefix, suffix?, suffix, index, count, shape, bytes of a value, count values
//   objects of extern processes: path, length, what their class saves
//   bodies:          prefix, suffix?, suffix, index, count, hash: of processes that hide something
//   runs of names that states alone know, as above, without a shape: what these hide, and what is
//                    delayed in fields
//
// All goes by path, so that it suits whoever can run the design. docs/semantics.md says what the hidden
// values are and which moment they are of.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sme {

inline constexpr std::string_view kStateMark = "smestate";
inline constexpr std::uint32_t kStateVersion = 8;

/// Bytes that are no state of the design.
class BadState : public std::runtime_error {
public:
    explicit BadState(const std::string& why) : std::runtime_error("the state " + why) {}
};

/// What comes first.
struct StateHead {
    std::uint64_t hash;  ///< Model::hash; 0 where the writer knows none
    std::string design;
    std::uint64_t cycle;
    /// How often each clock group was activated before that cycle.
    std::vector<std::uint64_t> activations;
    std::uint64_t seed;  ///< of random()
    bool isInitial;      ///< the state before cycle 0; nothing follows
};

/// "'b.v' is gone, 'c.v' is new and 3 more"
inline std::string listed(const std::vector<std::string>& differences, std::size_t most) {
    std::string text;
    for (std::size_t i = 0; i < differences.size() && i < most; ++i)
        text.append(i == 0 ? "" : ", ").append(differences[i]);
    if (differences.size() > most)
        text.append(" and " + std::to_string(differences.size() - most) + " more");
    return text;
}
inline constexpr std::size_t kMostListed = 8;

/// What is different about a value that a state and a design both have.
inline std::string otherType(const std::string& path, const std::string& was,
                             const std::string& is) {
    const auto name = [](const std::string& shape) {
        return shape.substr(0, shape.find_first_of(" /"));
    };
    if (name(was) == name(is)) return "'" + path + "' has another type of the name " + name(is);
    return "'" + path + "' was a " + name(was) + " and is a " + name(is);
}

class StateWriter {
public:
    template <typename T>
    void number(T value) {
        raw(reinterpret_cast<const std::byte*>(&value), sizeof value);
    }
    void text(std::string_view text) {
        number(static_cast<std::uint32_t>(text.size()));
        raw(reinterpret_cast<const std::byte*>(text.data()), text.size());
    }
    void raw(const std::byte* data, std::size_t size) {
        bytes_.insert(bytes_.end(), data, data + size);
    }
    void reserve(std::size_t size) { bytes_.reserve(size); }
    void begin(const StateHead& head) {
        raw(reinterpret_cast<const std::byte*>(kStateMark.data()), kStateMark.size());
        number(kStateVersion);
        number(head.hash);
        text(head.design);
        number(head.cycle);
        number(static_cast<std::uint32_t>(head.activations.size()));
        for (const std::uint64_t count : head.activations)
            number(count);
        number(head.seed);
        number<std::uint8_t>(head.isInitial);
    }
    std::vector<std::byte> take() { return std::move(bytes_); }

private:
    std::vector<std::byte> bytes_;
};

class StateReader {
public:
    /// `first`: where the bytes stand in what complaints call the state.
    explicit StateReader(std::span<const std::byte> bytes, std::uint64_t first = 0)
        : bytes_(bytes), end_(first + bytes.size()) {}

    template <typename T>
    T number() {
        T value;
        std::memcpy(&value, raw(sizeof value), sizeof value);
        return value;
    }
    std::string text() {
        const auto size = number<std::uint32_t>();
        return {reinterpret_cast<const char*>(raw(size)), size};
    }
    const std::byte* raw(std::size_t size) {
        if (size > bytes_.size()) throw BadState("is cut off" + place());
        const std::byte* data = bytes_.data();
        bytes_ = bytes_.subspan(size);
        return data;
    }
    bool isAtEnd() const { return bytes_.empty(); }
    std::span<const std::byte> rest() const { return bytes_; }
    /// Of the next byte.
    std::uint64_t offset() const { return end_ - bytes_.size(); }
    /// " at byte N"
    std::string place() const { return " at byte " + std::to_string(offset()); }
    [[noreturn]] void failAsDamaged() const { throw BadState("is damaged" + place()); }

    StateHead begin() {
        if (bytes_.size() < kStateMark.size()
            || std::memcmp(raw(kStateMark.size()), kStateMark.data(), kStateMark.size()) != 0)
            throw BadState("is none: it does not start like one");
        const auto version = number<std::uint32_t>();
        if (version != kStateVersion)
            throw BadState("has version " + std::to_string(version) + "; this program reads "
                           + std::to_string(kStateVersion));
        StateHead head;
        head.hash = number<std::uint64_t>();
        head.design = text();
        head.cycle = number<std::uint64_t>();
        for (auto groups = number<std::uint32_t>(); groups > 0; --groups)
            head.activations.push_back(number<std::uint64_t>());
        // designs have one group, which no cycle leaves out
        if (head.activations != std::vector{head.cycle}) failAsDamaged();
        head.seed = number<std::uint64_t>();
        head.isInitial = number<std::uint8_t>() != 0;
        return head;
    }

private:
    std::span<const std::byte> bytes_;
    std::uint64_t end_;
};

}  // namespace sme
