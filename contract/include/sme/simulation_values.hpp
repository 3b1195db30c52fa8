#pragma once

// What simulations of sme/simulation.hpp take and give: values of every type as bytes of
// sme/simulation.h, and the exception.

#include <sme/simulation.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace sme::embed {

/// Whatever goes wrong: its text (`what()`), a status of C, and the next cycle. Of a failed assertion
/// the text is what the simulator says of it, and the status is SME_BAD_DATA.
class Error : public std::runtime_error {
public:
    /// The next cycle is 0 where there is no simulation yet.
    Error(const std::string& message, sme_status status, std::uint64_t cycle = 0)
        : std::runtime_error(message), status_(status), cycle_(cycle) {}
    /// What kind of error it is.
    sme_status status() const { return status_; }
    /// The next cycle of the simulation when it happened.
    std::uint64_t cycle() const { return cycle_; }

private:
    sme_status status_;
    std::uint64_t cycle_;
};

// ---------------------------------------------------------------- values

/// An integer of `Bits` bits, more than 64. It compares, and can be made of any integer; it does
/// not calculate.
template <unsigned Bits, bool Signed>
class Wide {
public:
    /// How many words of 64 bits it has.
    static constexpr std::size_t kLimbs = (Bits + 63) / 64;
    /// These words, the lowest first, in two's complement, the top one extended.
    std::array<std::uint64_t, kLimbs> limbs{};

    /// 0.
    constexpr Wide() = default;
    /// The same number, in two's complement.
    template <typename Int, typename = std::enable_if_t<std::is_integral_v<Int>>>
    constexpr Wide(Int value) {  // NOLINT: an integer is one of these
        limbs[0] = static_cast<std::uint64_t>(value);
        for (std::size_t i = 1; i < kLimbs; ++i)
            limbs[i] = value < Int{} ? ~std::uint64_t{0} : 0;
    }
    /// Of all its words.
    constexpr explicit Wide(const std::array<std::uint64_t, kLimbs>& of) : limbs(of) {}

    /// Whether it is below 0.
    constexpr bool isNegative() const { return Signed && (limbs[kLimbs - 1] >> 63) != 0; }
    constexpr bool operator==(const Wide& other) const {
        for (std::size_t i = 0; i < kLimbs; ++i)
            if (limbs[i] != other.limbs[i]) return false;
        return true;
    }
    constexpr bool operator!=(const Wide& other) const { return !(*this == other); }
    constexpr bool operator<(const Wide& other) const {
        if (isNegative() != other.isNegative()) return isNegative();
        for (std::size_t i = kLimbs; i-- > 0;)
            if (limbs[i] != other.limbs[i]) return limbs[i] < other.limbs[i];
        return false;
    }
    /// All its digits, "0x…".
    std::string hex() const {
        static constexpr char kDigits[] = "0123456789abcdef";
        std::string text = "0x";
        for (std::size_t i = kLimbs; i-- > 0;)
            for (unsigned bit = 64; bit != 0; bit -= 4)
                text += kDigits[(limbs[i] >> (bit - 4)) & 15];
        return text;
    }
};

/// How values of T lie in the bytes of sme/simulation.h. Structs of generated headers have
/// forEachMember.
template <typename T, typename = void>
struct Stored {
    static constexpr std::size_t kBytes = [] {
        std::size_t bytes = 0;
        T value{};
        T::forEachMember(
            value, [&](auto& member) { bytes += Stored<std::decay_t<decltype(member)>>::kBytes; });
        return bytes;
    }();
    static T read(const std::byte* bytes) {
        T value{};
        T::forEachMember(value, [&](auto& member) {
            using Member = Stored<std::decay_t<decltype(member)>>;
            member = Member::read(bytes);
            bytes += Member::kBytes;
        });
        return value;
    }
    static void write(const T& value, std::byte* bytes) {
        T::forEachMember(value, [&](const auto& member) {
            using Member = Stored<std::decay_t<decltype(member)>>;
            Member::write(member, bytes);
            bytes += Member::kBytes;
        });
    }
};

template <typename T>
struct Stored<T, std::enable_if_t<std::is_arithmetic_v<T> || std::is_enum_v<T>>> {
    static constexpr std::size_t kBytes = sizeof(T);
    static T read(const std::byte* bytes) {
        T value;
        std::memcpy(&value, bytes, sizeof value);
        return value;
    }
    static void write(T value, std::byte* bytes) { std::memcpy(bytes, &value, sizeof value); }
};

template <unsigned Bits, bool Signed>
struct Stored<Wide<Bits, Signed>> {
    using T = Wide<Bits, Signed>;
    static constexpr std::size_t kBytes = 8 * T::kLimbs;
    static T read(const std::byte* bytes) {
        T value;
        std::memcpy(value.limbs.data(), bytes, kBytes);
        return value;
    }
    static void write(const T& value, std::byte* bytes) {
        std::memcpy(bytes, value.limbs.data(), kBytes);
    }
};

template <typename T, std::size_t N>
struct Stored<std::array<T, N>> {
    static constexpr std::size_t kBytes = N * Stored<T>::kBytes;
    static std::array<T, N> read(const std::byte* bytes) {
        std::array<T, N> value{};
        for (T& element : value) {
            element = Stored<T>::read(bytes);
            bytes += Stored<T>::kBytes;
        }
        return value;
    }
    static void write(const std::array<T, N>& value, std::byte* bytes) {
        for (const T& element : value) {
            Stored<T>::write(element, bytes);
            bytes += Stored<T>::kBytes;
        }
    }
};

}  // namespace sme::embed
