#pragma once

// Integers of more than 128 bits: a fixed number of 64-bit limbs, least significant first, in two's
// complement. As they lie in memory, see sme::Type. Arithmetic is modulo 2^Bits; units of a design
// that has such numbers include this header.

#include <sme/kernel.h>

namespace sme {

template <unsigned Bits, bool IsSigned>
struct Wide;
template <unsigned Bits>
using Unsigned = Wide<Bits, false>;
template <unsigned Bits>
using Signed = Wide<Bits, true>;

template <typename T>
inline constexpr bool isWide = false;
template <unsigned Bits, bool IsSigned>
inline constexpr bool isWide<Wide<Bits, IsSigned>> = true;

template <unsigned Bits, bool IsSigned>
struct Wide {
    static_assert(Bits % 64 == 0);
    static constexpr unsigned kLimbs = Bits / 64;
    u64 limb[kLimbs];

    Wide() = default;

    template <typename T>
        requires(!isWide<T>)
    constexpr Wide(T x) : limb{} {
        limb[0] = static_cast<u64>(x);
        const bool isNegative = x < T(0);
        for (unsigned i = 1; i < kLimbs; ++i)
            limb[i] = isNegative ? ~u64(0) : 0;
        if constexpr (sizeof(T) == 16) limb[1] = static_cast<u64>(static_cast<u128>(x) >> 64);
    }
    template <unsigned Other, bool OtherSigned>
    constexpr explicit Wide(const Wide<Other, OtherSigned>& x) : limb{} {
        const u64 fill = x.isNegative() ? ~u64(0) : 0;
        for (unsigned i = 0; i < kLimbs; ++i)
            limb[i] = i < Other / 64 ? x.limb[i] : fill;
    }
    static constexpr Wide of(const u64 (&limbs)[kLimbs]) {
        Wide x{};
        for (unsigned i = 0; i < kLimbs; ++i)
            x.limb[i] = limbs[i];
        return x;
    }

    template <typename T>
        requires(!isWide<T>)
    constexpr explicit operator T() const {
        if constexpr (T(0.5) != T(0) && T(3) / T(2) != T(1)) {
            return toFloat<T>();
        } else if constexpr (sizeof(T) == 16) {
            return static_cast<T>(word128(limb[1], limb[0]));
        } else {
            return static_cast<T>(limb[0]);
        }
    }

    constexpr bool isNegative() const { return IsSigned && static_cast<i64>(limb[kLimbs - 1]) < 0; }

    constexpr Wide operator~() const {
        Wide r{};
        for (unsigned i = 0; i < kLimbs; ++i)
            r.limb[i] = ~limb[i];
        return r;
    }
    constexpr Wide operator-() const { return ~*this + Wide(1); }
    friend constexpr Wide operator+(const Wide& x, const Wide& y) {
        Wide r{};
        u128 carry = 0;
        for (unsigned i = 0; i < kLimbs; ++i) {
            carry += u128(x.limb[i]) + y.limb[i];
            r.limb[i] = static_cast<u64>(carry);
            carry >>= 64;
        }
        return r;
    }
    friend constexpr Wide operator-(const Wide& x, const Wide& y) {
        Wide r{};
        u64 borrow = 0;
        for (unsigned i = 0; i < kLimbs; ++i) {
            const u128 difference = u128(x.limb[i]) - y.limb[i] - borrow;
            r.limb[i] = static_cast<u64>(difference);
            borrow = static_cast<u64>(difference >> 64) & 1;
        }
        return r;
    }
    friend constexpr Wide operator*(const Wide& x, const Wide& y) {
        Wide r{};
        for (unsigned i = 0; i < kLimbs; ++i) {
            u128 carry = 0;
            for (unsigned k = 0; i + k < kLimbs; ++k) {
                carry += u128(x.limb[i]) * y.limb[k] + r.limb[i + k];
                r.limb[i + k] = static_cast<u64>(carry);
                carry >>= 64;
            }
        }
        return r;
    }
    friend constexpr Wide operator&(const Wide& x, const Wide& y) {
        Wide r{};
        for (unsigned i = 0; i < kLimbs; ++i)
            r.limb[i] = x.limb[i] & y.limb[i];
        return r;
    }
    friend constexpr Wide operator|(const Wide& x, const Wide& y) {
        Wide r{};
        for (unsigned i = 0; i < kLimbs; ++i)
            r.limb[i] = x.limb[i] | y.limb[i];
        return r;
    }
    friend constexpr Wide operator^(const Wide& x, const Wide& y) {
        Wide r{};
        for (unsigned i = 0; i < kLimbs; ++i)
            r.limb[i] = x.limb[i] ^ y.limb[i];
        return r;
    }

    /// By fewer than `Bits` places.
    template <typename N>
    constexpr Wide operator<<(N places) const {
        const u64 count = static_cast<u64>(places);
        const u64 limbs = count / 64, bits = count % 64;
        Wide r{};
        for (unsigned i = kLimbs; i-- > limbs;) {
            r.limb[i] = limb[i - limbs] << bits;
            if (bits != 0 && i > limbs) r.limb[i] |= limb[i - limbs - 1] >> (64 - bits);
        }
        return r;
    }
    template <typename N>
    constexpr Wide operator>>(N places) const {
        const u64 count = static_cast<u64>(places);
        const u64 limbs = count / 64, bits = count % 64;
        const u64 fill = isNegative() ? ~u64(0) : 0;
        Wide r{};
        for (unsigned i = 0; i < kLimbs; ++i) {
            const u64 low = i + limbs < kLimbs ? limb[i + limbs] : fill;
            const u64 high = i + limbs + 1 < kLimbs ? limb[i + limbs + 1] : fill;
            r.limb[i] = bits == 0 ? low : (low >> bits) | (high << (64 - bits));
        }
        return r;
    }

    friend constexpr bool operator==(const Wide& x, const Wide& y) {
        u64 difference = 0;
        for (unsigned i = 0; i < kLimbs; ++i)
            difference |= x.limb[i] ^ y.limb[i];
        return difference == 0;
    }
    friend constexpr bool operator<(const Wide& x, const Wide& y) {
        if (x.isNegative() != y.isNegative()) return x.isNegative();
        for (unsigned i = kLimbs; i-- > 0;) {
            if (x.limb[i] != y.limb[i]) return x.limb[i] < y.limb[i];
        }
        return false;
    }
    friend constexpr bool operator<=(const Wide& x, const Wide& y) { return !(y < x); }

    /// Truncating, by anything but 0.
    friend constexpr Wide operator/(const Wide& x, const Wide& y) {
        Wide rest{};
        const Wide quotient = divideMagnitudes(magnitude(x), magnitude(y), rest);
        return x.isNegative() != y.isNegative() ? -quotient : quotient;
    }
    friend constexpr Wide operator%(const Wide& x, const Wide& y) {
        Wide rest{};
        divideMagnitudes(magnitude(x), magnitude(y), rest);
        return x.isNegative() ? -rest : rest;
    }

    constexpr u32 usedBits() const {
        for (unsigned i = kLimbs; i-- > 0;) {
            if (limb[i] != 0) return i * 64 + 64 - static_cast<u32>(__builtin_clzll(limb[i]));
        }
        return 0;
    }

private:
    static constexpr Wide magnitude(const Wide& x) { return x.isNegative() ? -x : x; }

    static constexpr bool isBelow(const Wide& x, const Wide& y) {
        for (unsigned i = kLimbs; i-- > 0;) {
            if (x.limb[i] != y.limb[i]) return x.limb[i] < y.limb[i];
        }
        return false;
    }

    static constexpr Wide divideMagnitudes(const Wide& x, const Wide& y, Wide& rest) {
        Wide quotient{};
        rest = Wide{};
        if (y.usedBits() <= 64) {
            u128 carried = 0;
            for (unsigned i = kLimbs; i-- > 0;) {
                carried = (carried << 64) | x.limb[i];
                quotient.limb[i] = static_cast<u64>(carried / y.limb[0]);
                carried %= y.limb[0];
            }
            rest.limb[0] = static_cast<u64>(carried);
            return quotient;
        }
        for (u32 bit = x.usedBits(); bit-- > 0;) {
            const bool top = (rest.limb[kLimbs - 1] >> 63) != 0;
            rest = rest << 1u;
            rest.limb[0] |= (x.limb[bit / 64] >> (bit % 64)) & 1;
            if (!top && isBelow(rest, y)) continue;
            rest = rest - y;
            quotient.limb[bit / 64] |= u64(1) << (bit % 64);
        }
        return quotient;
    }

    /// Rounds once: the top 64 bits, the last of them sticky, then an exact scaling.
    template <typename F>
    constexpr F toFloat() const {
        const Wide x = magnitude(*this);
        const u32 used = x.usedBits();
        const u32 drop = used > 64 ? used - 64 : 0;
        u64 top = (x >> drop).limb[0];
        if (drop != 0 && !((x >> drop) << drop == x)) top |= 1;
        F result = static_cast<F>(top);
        for (u32 i = 0; i < drop && result < F(__builtin_huge_val()); ++i)
            result = result * F(2);
        return isNegative() ? -result : result;
    }
};

// ---------------------------------------------------------------- the helpers of kernel.h for such
// numbers

/// A count of places, at most 2^64 - 1.
template <typename N>
SME_INLINE u64 placesOf(const N& n) {
    if constexpr (isWide<N>) {
        return n.usedBits() > 64 ? ~u64(0) : n.limb[0];
    } else {
        return u128(n) > ~u64(0) ? ~u64(0) : u64(n);
    }
}
template <typename T, typename N>
    requires(isWide<T> || isWide<N>)
constexpr T shiftLeft(T x, N n) {
    const u64 places = placesOf(n);
    return places < bitsOf<T> ? T(x << places) : T(0);
}
template <typename T, typename N>
    requires(isWide<T> || isWide<N>)
constexpr T shiftRight(T x, N n) {
    const u64 places = placesOf(n);
    return places < bitsOf<T> ? T(x >> places) : (x < T(0) ? T(-1) : T(0));
}
template <typename T>
    requires isWide<T>
constexpr u64 within(T index, u64 length) {
    return !index.isNegative() && index < T(length) ? index.limb[0] : 0;
}
template <unsigned Width, typename T>
    requires isWide<T>
constexpr auto signExtend(T x) {
    constexpr unsigned kSpare = bitsOf<T> - Width;
    return Signed<bitsOf<T>>(x << kSpare) >> kSpare;
}
template <typename T>
    requires isWide<T>
constexpr u32 popcount(T x) {
    u32 count = 0;
    for (unsigned i = 0; i < T::kLimbs; ++i)
        count += static_cast<u32>(__builtin_popcountll(x.limb[i]));
    return count;
}
template <typename T>
    requires isWide<T>
constexpr bool parity(T x) {
    return (popcount(x) & 1) != 0;
}

/// As toInteger, of more than 128 bits.
template <unsigned Width, bool IsSigned, typename F>
constexpr auto toWideInteger(F x) {
    using T = Wide<(Width + 63) / 64 * 64, IsSigned>;
    constexpr unsigned kBits = IsSigned ? Width - 1 : Width;
    const T most = T(~(Unsigned<bitsOf<T>>(-1) << kBits));
    if (x != x) return T(0);
    const bool isNegative = x < F(0);
    F magnitude = isNegative ? -x : x;
    u32 places = 0;
    while (places <= kBits && magnitude >= F(18446744073709551616.0)) {
        magnitude = magnitude / F(2);
        ++places;
    }
    if (places > kBits) return isNegative ? (IsSigned ? T(-most - T(1)) : T(0)) : most;
    if (isNegative && !IsSigned) return T(0);
    const T whole = shiftLeft(T(static_cast<u64>(magnitude)), places);
    const bool isTooLarge = T(static_cast<u64>(magnitude)).usedBits() + places > kBits;
    if (isTooLarge) return isNegative ? T(-most - T(1)) : most;
    return isNegative ? -whole : whole;
}

}  // namespace sme
