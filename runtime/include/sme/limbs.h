#pragma once

// Arithmetic on rows of n 64-bit limbs, least significant first, modulo 2^(64 n): what the numbers
// of sme/wide.h are made of. Few limbs are worked on in place; beyond kInlineLimbs all lengths share
// one loop.

#include <sme/kernel.h>

/// Loops over few limbs become straight-line code at -O2 too.
#if defined(__clang__)
#define SME_UNROLL
#else
#define SME_UNROLL _Pragma("GCC unroll 8")
#endif

namespace sme {

namespace limbs {

inline constexpr unsigned kInlineLimbs = 8;
inline constexpr unsigned kInlineFactor = 5;  // of multiply, whose code grows with the square

SME_INLINE void addInline(u64* r, const u64* x, const u64* y, unsigned n) {
    u64 carry = 0;
    SME_UNROLL
    for (unsigned i = 0; i < n; ++i) {
        const u128 sum = u128(x[i]) + y[i] + carry;
        r[i] = static_cast<u64>(sum);
        carry = static_cast<u64>(sum >> 64);
    }
}
SME_INLINE void subtractInline(u64* r, const u64* x, const u64* y, unsigned n) {
    u64 borrow = 0;
    SME_UNROLL
    for (unsigned i = 0; i < n; ++i) {
        const u128 difference = u128(x[i]) - y[i] - borrow;
        r[i] = static_cast<u64>(difference);
        borrow = static_cast<u64>(difference >> 64) & 1;
    }
}
/// r is all 0 before, and is neither x nor y.
SME_INLINE void multiplyInline(u64* r, const u64* x, const u64* y, unsigned n) {
    SME_UNROLL
    for (unsigned i = 0; i < n; ++i) {
        u64 carry = 0;
        SME_UNROLL
        for (unsigned k = 0; i + k < n; ++k) {
            const u128 sum = u128(x[i]) * y[k] + r[i + k] + carry;
            r[i + k] = static_cast<u64>(sum);
            carry = static_cast<u64>(sum >> 64);
        }
    }
}
/// By any number of places.
SME_INLINE void shiftLeftInline(u64* r, const u64* x, unsigned n, u64 places) {
    const u64 whole = places / 64, bits = places % 64;
    SME_UNROLL
    for (unsigned i = 0; i < n; ++i) {
        const u64 high = i >= whole ? x[i - whole] : 0;
        const u64 low = i > whole ? x[i - whole - 1] : 0;
        r[i] = (high << bits) | ((low >> 1) >> (63 - bits));
    }
}
/// The m low limbs of x shifted by any number of places; above x lies `fill`.
SME_INLINE void shiftRightInline(u64* r, unsigned m, const u64* x, unsigned n, u64 fill,
                                 u64 places) {
    const u64 whole = places / 64, bits = places % 64;
    SME_UNROLL
    for (unsigned i = 0; i < m; ++i) {
        const u64 low = i + whole < n ? x[i + whole] : fill;
        const u64 high = i + whole + 1 < n ? x[i + whole + 1] : fill;
        r[i] = (low >> bits) | ((high << 1) << (63 - bits));
    }
}

[[gnu::noinline]] constexpr void add(u64* r, const u64* x, const u64* y, unsigned n) {
    addInline(r, x, y, n);
}
[[gnu::noinline]] constexpr void subtract(u64* r, const u64* x, const u64* y, unsigned n) {
    subtractInline(r, x, y, n);
}
/// Limbs up to the highest that is not 0.
constexpr unsigned used(const u64* x, unsigned n) {
    while (n > 0 && x[n - 1] == 0)
        --n;
    return n;
}
[[gnu::noinline]] constexpr void multiply(u64* r, const u64* x, const u64* y, unsigned n) {
    const unsigned yUsed = used(y, n);
    for (unsigned i = 0; i < n; ++i) {
        if (x[i] == 0) continue;
        u64 carry = 0;
        unsigned k = 0;
        for (; k < yUsed && i + k < n; ++k) {
            const u128 sum = u128(x[i]) * y[k] + r[i + k] + carry;
            r[i + k] = static_cast<u64>(sum);
            carry = static_cast<u64>(sum >> 64);
        }
        if (i + k < n) r[i + k] = carry;  // nothing was added there yet
    }
}
[[gnu::noinline]] constexpr void shiftLeft(u64* r, const u64* x, unsigned n, u64 places) {
    shiftLeftInline(r, x, n, places);
}
[[gnu::noinline]] constexpr void shiftRight(u64* r, unsigned m, const u64* x, unsigned n, u64 fill,
                                            u64 places) {
    shiftRightInline(r, m, x, n, fill, places);
}

/// rest -= factor * y at its m + 1 low limbs; whether the result is negative.
constexpr bool subtractProduct(u64* rest, const u64* y, u64 factor, unsigned m) {
    u64 carry = 0, borrow = 0;
    for (unsigned i = 0; i < m; ++i) {
        const u128 product = u128(factor) * y[i] + carry;
        carry = static_cast<u64>(product >> 64);
        const u128 difference = u128(rest[i]) - static_cast<u64>(product) - borrow;
        rest[i] = static_cast<u64>(difference);
        borrow = static_cast<u64>(difference >> 64) & 1;
    }
    const u128 difference = u128(rest[m]) - carry - borrow;
    rest[m] = static_cast<u64>(difference);
    return (difference >> 64) != 0;
}

/// Divides `rest`, of `left` limbs, by one limb; the remainder is left in its lowest.
constexpr void divideByLimb(u64* quotient, u64* rest, u64 y, unsigned left) {
    u64 carried = 0;
    for (; left-- > 0;) {
        const u128 dividend = (u128(carried) << 64) | rest[left];
        quotient[left] = static_cast<u64>(dividend / y);
        carried = static_cast<u64>(dividend % y);
        rest[left] = 0;
    }
    rest[0] = carried;
}

/// By fewer than 64 bits, n limbs in place.
constexpr void shiftUp(u64* x, unsigned n, u64 shift) {
    for (unsigned i = n; i-- > 0;)
        x[i] = (x[i] << shift) | (i == 0 ? 0 : (x[i - 1] >> 1) >> (63 - shift));
}

/// x += y, n limbs; the carry goes into x[n].
constexpr void addBack(u64* x, const u64* y, unsigned n) {
    u64 carry = 0;
    for (unsigned i = 0; i < n; ++i) {
        const u128 sum = u128(x[i]) + y[i] + carry;
        x[i] = static_cast<u64>(sum);
        carry = static_cast<u64>(sum >> 64);
    }
    x[n] += carry;
}

/// Unsigned division of schoolbooks (Knuth, The Art of Computer Programming 2, 4.3.1, algorithm D).
/// `rest`, of n + 1 limbs, holds the dividend and then the remainder; y, not 0, is destroyed;
/// `quotient`, of n limbs, is all 0 before.
[[gnu::noinline]] constexpr void divide(u64* quotient, u64* rest, u64* y, unsigned n) {
    const unsigned m = used(y, n);
    const unsigned left = used(rest, n);
    if (left < m) return;
    if (m == 1) return divideByLimb(quotient, rest, y[0], left);
    const auto shift = static_cast<u64>(__builtin_clzll(y[m - 1]));
    shiftUp(y, m, shift);
    rest[left] = 0;
    shiftUp(rest, left + 1, shift);
    for (unsigned j = left - m + 1; j-- > 0;) {
        const u128 top = (u128(rest[j + m]) << 64) | rest[j + m - 1];
        u128 digit = top / y[m - 1], over = top % y[m - 1];
        while ((digit >> 64) != 0 || digit * y[m - 2] > ((over << 64) | rest[j + m - 2])) {
            --digit;
            over += y[m - 1];
            if ((over >> 64) != 0) break;
        }
        if (subtractProduct(rest + j, y, static_cast<u64>(digit), m)) {  // one too many
            --digit;
            addBack(rest + j, y, m);
        }
        quotient[j] = static_cast<u64>(digit);
    }
    for (unsigned i = 0; i < m; ++i)
        rest[i] = (rest[i] >> shift) | ((rest[i + 1] << 1) << (63 - shift));
}

}  // namespace limbs

}  // namespace sme
