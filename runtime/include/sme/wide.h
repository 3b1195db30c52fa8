#pragma once

// Integers of more than 128 bits: a fixed number of 64-bit limbs, least significant first, in two's
// complement. As they lie in memory, see sme::Type. Arithmetic is modulo 2^Bits; units of a design
// that has such numbers include this header.

#include <sme/kernel.h>
#include <sme/limbs.h>

namespace sme {

// ---------------------------------------------------------------- the numbers

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
    static constexpr bool kInline = kLimbs <= limbs::kInlineLimbs;
    u64 limb[kLimbs];

    Wide() = default;

    template <typename T>
        requires(!isWide<T>)
    constexpr Wide(T x) : limb{} {
        limb[0] = static_cast<u64>(x);
        const bool isNegative = x < T(0);
        SME_UNROLL
        for (unsigned i = 1; i < kLimbs; ++i)
            limb[i] = isNegative ? ~u64(0) : 0;
        if constexpr (sizeof(T) == 16) limb[1] = static_cast<u64>(static_cast<u128>(x) >> 64);
    }
    template <unsigned Other, bool OtherSigned>
    constexpr explicit Wide(const Wide<Other, OtherSigned>& x) : limb{} {
        const u64 fill = x.isNegative() ? ~u64(0) : 0;
        SME_UNROLL
        for (unsigned i = 0; i < kLimbs; ++i)
            limb[i] = i < Other / 64 ? x.limb[i] : fill;
    }
    /// From its low limbs; those above are 0.
    template <unsigned N>
    static constexpr Wide of(const u64 (&low)[N]) {
        static_assert(N <= kLimbs);
        Wide x{};
        for (unsigned i = 0; i < N; ++i)
            x.limb[i] = low[i];
        return x;
    }
    /// Bits low … high - 1 are 1, the others 0.
    static constexpr Wide ones(unsigned high, unsigned low = 0) {
        Wide x{};
        SME_UNROLL
        for (unsigned i = 0; i < kLimbs; ++i) {
            const u64 below = high >= 64 * (i + 1) ? ~u64(0)
                              : high > 64 * i      ? (u64(1) << (high - 64 * i)) - 1
                                                   : 0;
            const u64 spare = low >= 64 * (i + 1) ? ~u64(0)
                              : low > 64 * i      ? (u64(1) << (low - 64 * i)) - 1
                                                  : 0;
            x.limb[i] = below & ~spare;
        }
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
    constexpr u64 fill() const { return isNegative() ? ~u64(0) : 0; }

    constexpr Wide operator~() const {
        Wide r{};
        SME_UNROLL
        for (unsigned i = 0; i < kLimbs; ++i)
            r.limb[i] = ~limb[i];
        return r;
    }
    constexpr Wide operator-() const { return Wide{} - *this; }
    friend constexpr Wide operator+(const Wide& x, const Wide& y) {
        Wide r{};
        if constexpr (kInline)
            limbs::addInline(r.limb, x.limb, y.limb, kLimbs);
        else
            limbs::add(r.limb, x.limb, y.limb, kLimbs);
        return r;
    }
    friend constexpr Wide operator-(const Wide& x, const Wide& y) {
        Wide r{};
        if constexpr (kInline)
            limbs::subtractInline(r.limb, x.limb, y.limb, kLimbs);
        else
            limbs::subtract(r.limb, x.limb, y.limb, kLimbs);
        return r;
    }
    friend constexpr Wide operator*(const Wide& x, const Wide& y) {
        Wide r{};
        if constexpr (kLimbs <= limbs::kInlineFactor)
            limbs::multiplyInline(r.limb, x.limb, y.limb, kLimbs);
        else
            limbs::multiply(r.limb, x.limb, y.limb, kLimbs);
        return r;
    }
    friend constexpr Wide operator&(const Wide& x, const Wide& y) {
        Wide r{};
        SME_UNROLL
        for (unsigned i = 0; i < kLimbs; ++i)
            r.limb[i] = x.limb[i] & y.limb[i];
        return r;
    }
    friend constexpr Wide operator|(const Wide& x, const Wide& y) {
        Wide r{};
        SME_UNROLL
        for (unsigned i = 0; i < kLimbs; ++i)
            r.limb[i] = x.limb[i] | y.limb[i];
        return r;
    }
    friend constexpr Wide operator^(const Wide& x, const Wide& y) {
        Wide r{};
        SME_UNROLL
        for (unsigned i = 0; i < kLimbs; ++i)
            r.limb[i] = x.limb[i] ^ y.limb[i];
        return r;
    }
    constexpr Wide& operator++() { return *this = *this + Wide(1); }
    constexpr Wide& operator--() { return *this = *this - Wide(1); }

    /// By 0 places or more; beyond the limbs nothing is left.
    template <typename N>
    constexpr Wide operator<<(N places) const {
        Wide r{};
        if constexpr (kInline)
            limbs::shiftLeftInline(r.limb, limb, kLimbs, static_cast<u64>(places));
        else
            limbs::shiftLeft(r.limb, limb, kLimbs, static_cast<u64>(places));
        return r;
    }
    template <typename N>
    constexpr Wide operator>>(N places) const {
        Wide r{};
        if constexpr (kInline)
            limbs::shiftRightInline(r.limb, kLimbs, limb, kLimbs, fill(), static_cast<u64>(places));
        else
            limbs::shiftRight(r.limb, kLimbs, limb, kLimbs, fill(), static_cast<u64>(places));
        return r;
    }

    friend constexpr bool operator==(const Wide& x, const Wide& y) {
        u64 difference = 0;
        SME_UNROLL
        for (unsigned i = 0; i < kLimbs; ++i)
            difference |= x.limb[i] ^ y.limb[i];
        return difference == 0;
    }
    friend constexpr bool operator<(const Wide& x, const Wide& y) {
        constexpr u64 kTop = u64(IsSigned) << 63;  // with it flipped, the order is that of patterns
        if constexpr (kInline) {
            u64 borrow = 0;
            SME_UNROLL
            for (unsigned i = 0; i < kLimbs; ++i) {
                const u64 flip = i + 1 == kLimbs ? kTop : 0;
                const u128 difference = u128(x.limb[i] ^ flip) - (y.limb[i] ^ flip) - borrow;
                borrow = static_cast<u64>(difference >> 64) & 1;
            }
            return borrow != 0;
        } else {
            unsigned i = kLimbs - 1;
            while (i > 0 && x.limb[i] == y.limb[i])
                --i;
            const u64 flip = i + 1 == kLimbs ? kTop : 0;
            return (x.limb[i] ^ flip) < (y.limb[i] ^ flip);
        }
    }
    friend constexpr bool operator>(const Wide& x, const Wide& y) { return y < x; }
    friend constexpr bool operator<=(const Wide& x, const Wide& y) { return !(y < x); }
    friend constexpr bool operator>=(const Wide& x, const Wide& y) { return !(x < y); }

    /// Truncating, by anything but 0.
    friend constexpr Wide operator/(const Wide& x, const Wide& y) {
        Wide quotient{};
        divideMagnitudes(x, y, quotient);
        return x.isNegative() != y.isNegative() ? -quotient : quotient;
    }
    friend constexpr Wide operator%(const Wide& x, const Wide& y) {
        Wide quotient{};
        const Wide rest = divideMagnitudes(x, y, quotient);
        return x.isNegative() ? -rest : rest;
    }

    constexpr u32 usedBits() const {
        const unsigned n = limbs::used(limb, kLimbs);
        return n == 0 ? 0 : n * 64 - static_cast<u32>(__builtin_clzll(limb[n - 1]));
    }

private:
    static constexpr Wide magnitude(const Wide& x) { return x.isNegative() ? -x : x; }

    /// The remainder of |x| / |y|; `quotient` is 0 before.
    static constexpr Wide divideMagnitudes(const Wide& x, const Wide& y, Wide& quotient) {
        Wide<Bits + 64, false> rest(static_cast<Unsigned<Bits>>(magnitude(x)));
        Wide divisor = magnitude(y);
        limbs::divide(quotient.limb, rest.limb, divisor.limb, kLimbs);
        return Wide(rest);
    }

    /// Rounds once: the top 64 bits, the last of them sticky, then an exact scaling.
    template <typename F>
    constexpr F toFloat() const {
        const Wide x = magnitude(*this);
        const u32 bits = x.usedBits();
        const u32 drop = bits > 64 ? bits - 64 : 0;
        const Unsigned<Bits> kept = Unsigned<Bits>(x) >> drop;
        u64 top = kept.limb[0];
        if (drop != 0 && !(kept << drop == Unsigned<Bits>(x))) top |= 1;
        F result = static_cast<F>(top);
        for (u32 i = 0; i < drop && result < F(__builtin_huge_val()); ++i)
            result = result * F(2);
        return isNegative() ? -result : result;
    }
};

namespace words {
// clang-format off
using u192 = Unsigned<192>; using i192 = Signed<192>;
using u256 = Unsigned<256>; using i256 = Signed<256>;
using u320 = Unsigned<320>; using i320 = Signed<320>;
using u384 = Unsigned<384>; using i384 = Signed<384>;
using u448 = Unsigned<448>; using i448 = Signed<448>;
using u512 = Unsigned<512>; using i512 = Signed<512>;
using u576 = Unsigned<576>; using i576 = Signed<576>;
using u640 = Unsigned<640>; using i640 = Signed<640>;
using u704 = Unsigned<704>; using i704 = Signed<704>;
using u768 = Unsigned<768>; using i768 = Signed<768>;
using u832 = Unsigned<832>; using i832 = Signed<832>;
using u896 = Unsigned<896>; using i896 = Signed<896>;
using u960 = Unsigned<960>; using i960 = Signed<960>;
using u1024 = Unsigned<1024>; using i1024 = Signed<1024>;
// clang-format on
}  // namespace words

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
/// The low bits of floor(x / 2^n), for any n ≥ 0, without the rest of it.
template <typename To, unsigned Bits, bool IsSigned, typename N>
constexpr To bitsFrom(const Wide<Bits, IsSigned>& x, N n) {
    constexpr unsigned kCount = (bitsOf<To> + 63) / 64;
    u64 low[kCount]{};
    limbs::shiftRightInline(low, kCount, x.limb, Bits / 64, x.fill(), placesOf(n));
    if constexpr (isWide<To>) {
        return To::of(low);
    } else if constexpr (kCount == 2) {
        return static_cast<To>(word128(low[1], low[0]));
    } else {
        return static_cast<To>(low[0]);
    }
}
template <typename T>
    requires isWide<T>
constexpr u64 within(T index, u64 length) {
    return !index.isNegative() && index < T(length) ? index.limb[0] : 0;
}
template <unsigned Width, typename T>
    requires isWide<T>
constexpr auto signExtend(T x) {
    constexpr unsigned kTop = (Width - 1) / 64, kSpare = 64 * (kTop + 1) - Width;
    Signed<bitsOf<T>> r(x);
    const i64 top = static_cast<i64>(r.limb[kTop] << kSpare) >> kSpare;
    r.limb[kTop] = static_cast<u64>(top);
    SME_UNROLL
    for (unsigned i = kTop + 1; i < T::kLimbs; ++i)
        r.limb[i] = top < 0 ? ~u64(0) : 0;
    return r;
}
/// The low `Width` bits of x.
template <unsigned Width, typename T>
    requires isWide<T>
constexpr T zeroExtend(T x) {
    constexpr unsigned kTop = (Width - 1) / 64, kSpare = 64 * (kTop + 1) - Width;
    x.limb[kTop] &= ~u64(0) >> kSpare;
    SME_UNROLL
    for (unsigned i = kTop + 1; i < T::kLimbs; ++i)
        x.limb[i] = 0;
    return x;
}
template <typename T>
    requires isWide<T>
constexpr u32 popcount(T x) {
    u32 count = 0;
    SME_UNROLL
    for (unsigned i = 0; i < T::kLimbs; ++i)
        count += static_cast<u32>(__builtin_popcountll(x.limb[i]));
    return count;
}
template <typename T>
    requires isWide<T>
constexpr bool parity(T x) {
    u64 all = 0;
    SME_UNROLL
    for (unsigned i = 0; i < T::kLimbs; ++i)
        all ^= x.limb[i];
    return __builtin_parityll(all) != 0;
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
