#pragma once

// What generated kernels include, and nothing else: machine words, typed access to the regions, and
// the operations of the language that C++ leaves undefined or does not have. All of it is total: no
// value of an operand is undefined behaviour.

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <sme/model.h>

namespace sme {

/// The machine words by their names in the language, where they are reserved; no name of a design
/// hides them.
namespace words {
using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i8 = std::int8_t;
using i16 = std::int16_t;
using i32 = std::int32_t;
using i64 = std::int64_t;
using f32 = float;
using f64 = double;
__extension__ typedef unsigned __int128 u128;
__extension__ typedef __int128 i128;
}  // namespace words
using namespace words;

#define SME_INLINE [[gnu::always_inline]] inline constexpr
#define SME_INLINE_RUN [[gnu::always_inline]] inline

/// The inner loop of a class: a function of its own, so that its restrict pointers count, and
/// optimised for loops whatever the unit's flags (-O2 of g++ 12 vectorises only loops of known
/// length).
#if defined(__GNUC__) && !defined(__clang__) && defined(__OPTIMIZE__)
#define SME_LOOP [[gnu::noinline]] __attribute__((optimize("O3")))
#else
#define SME_LOOP [[gnu::noinline]]
#endif
/// A loop without branches. Many comparisons of one value with constants would become a shift of a
/// 64-bit mask by it, which is no vector code. SME_LONG_LANES: in one that chooses often, conditions that are
/// known on some paths would become choices between conditions, of which no vector code is made either.
#if defined(__GNUC__) && !defined(__clang__) && defined(__OPTIMIZE__)
#define SME_LANES [[gnu::noinline]] __attribute__((optimize("O3", "no-tree-reassoc")))
#define SME_LONG_LANES \
    [[gnu::noinline]] __attribute__((optimize("O3", "no-tree-reassoc", "no-tree-pre")))
#else
#define SME_LANES [[gnu::noinline]]
#define SME_LONG_LANES [[gnu::noinline]]
#endif
/// A loop that looks whether the checks of all its instances hold before any of them is run, and
/// goes on after one that does not: its arithmetic wraps.
#if defined(__GNUC__) && !defined(__clang__) && defined(__OPTIMIZE__)
#define SME_CHECKS [[gnu::noinline]] __attribute__((optimize("O3", "wrapv", "no-tree-reassoc")))
inline constexpr bool kLooksAhead = true;
#else
#define SME_CHECKS [[gnu::noinline]]
inline constexpr bool kLooksAhead = false;
#endif
/// Bytes of the vectors that g++ makes of loops, and whether it makes some of a loop around
/// another.
#if defined(__AVX512F__)
inline constexpr u64 kVectorBytes = 64;
#elif defined(__AVX__)
inline constexpr u64 kVectorBytes = 32;
#else
inline constexpr u64 kVectorBytes = 16;
#endif
#if defined(__GNUC__) && !defined(__clang__) && defined(__OPTIMIZE__)
inline constexpr bool kFillsVectors = true;
#else
inline constexpr bool kFillsVectors = false;
#endif

/// What the last instances of a loop read and write, and copies of the first of them, as many as a
/// vector holds.
template <typename T, u64 kLanes>
struct Filled {
    Filled(const T* from, u64 count) {
        for (u64 i = 0; i < kLanes; ++i)
            values[i] = from[i < count ? i : 0];
    }
    void store(T* to, u64 count) const {
        for (u64 i = 0; i < count; ++i)
            to[i] = values[i];
    }
    T values[kLanes];
};

/// Whether values are all alike.
template <typename T>
SME_CHECKS bool areEqual(const T* values, u64 count) {
    u8 differ = 0;
    for (u64 i = 0; i < count; ++i)
        differ |= u8(values[i] != values[0]);
    return differ == 0;
}

/// Instances looked at before they are run; their fields stay in the first-level cache.
inline constexpr u32 kAhead = 1024;
#define SME_BLOCK [[gnu::noinline]]

/// a != b and a == b. With the operators g++ 12 loses the sign test in
/// ((x >> 63) != 0) != (((y >> k) & 1) != 0) when it turns the second half into a bit test.
SME_INLINE bool differ(bool a, bool b) { return a ? !b : b; }
SME_INLINE bool same(bool a, bool b) { return a ? b : !b; }
/// The same in lanes: of a choice between conditions g++ 12 makes no vector code.
SME_INLINE bool differInLanes(bool a, bool b) { return u8(a) + u8(b) == 1; }
SME_INLINE bool sameInLanes(bool a, bool b) { return u8(a) + u8(b) != 1; }

/// Properties of words; __int128 is left out of the standard's in strict mode.
template <typename T>
inline constexpr bool isSignedWord = T(-1) < T(0);
template <typename T>
inline constexpr unsigned bitsOf = 8 * sizeof(T);

// clang-format off
/// The smallest word of at least `Bits` bits (at most 128).
template <unsigned Bytes, bool Signed> struct WordOfBytes;
template <> struct WordOfBytes<1, false> { using type = u8; };
template <> struct WordOfBytes<1, true> { using type = i8; };
template <> struct WordOfBytes<2, false> { using type = u16; };
template <> struct WordOfBytes<2, true> { using type = i16; };
template <> struct WordOfBytes<4, false> { using type = u32; };
template <> struct WordOfBytes<4, true> { using type = i32; };
template <> struct WordOfBytes<8, false> { using type = u64; };
template <> struct WordOfBytes<8, true> { using type = i64; };
template <> struct WordOfBytes<16, false> { using type = u128; };
template <> struct WordOfBytes<16, true> { using type = i128; };
template <typename T> struct UnsignedOf { using type = typename WordOfBytes<sizeof(T), false>::type; };
template <unsigned Bits, bool Signed>
using WordOf = typename WordOfBytes<(Bits <= 8 ? 1 : Bits <= 16 ? 2 : Bits <= 32 ? 4 : Bits <= 64 ? 8 : 16), Signed>::type;
// clang-format on

// ---------------------------------------------------------------- storage

/// Elements of one type in a region. Every place of a region is only ever accessed as one type.
template <typename T>
SME_INLINE_RUN const T* at(const std::byte* region, u64 offset) {
    return reinterpret_cast<const T*>(region + offset);
}
template <typename T>
SME_INLINE_RUN T* at(std::byte* region, u64 offset) {
    return reinterpret_cast<T*>(region + offset);
}
/// An element whose slot differs between instances: `code` is twice its index, plus one in the slot
/// being written (fields that are visible in the same cycle).
template <typename T>
SME_INLINE_RUN const T* pick(const std::byte* read, const std::byte* write, u64 code) {
    return reinterpret_cast<const T*>((code & 1) != 0 ? write : read) + (code >> 1);
}
template <typename T>
SME_INLINE_RUN const T* pick(const Slots& slots, u64 code) {
    return pick<T>(slots.read, slots.write, code);
}

/// Bit 0, for vector code. Of (x & 1) != 0 g++ 12 makes a conversion to bool, which it does not
/// vectorise beside words of another length.
template <typename T>
SME_INLINE_RUN bool isOdd(T x) {
    return T(x | T(~T(1))) == T(~T(0));
}

/// A select without control flow, for loops where that of many would grow together until the C++
/// compiler finds no vector code. The mask is chosen between constants, so that a comparison of
/// vectors is the mask already; that of a narrower word is not worth being unpacked to 64 bits,
/// where a bool less one is made of it.
template <typename T>
SME_INLINE_RUN T choose(bool condition, T yes, T no) {
    if constexpr (std::is_same_v<T, bool>) {
        return bool((condition & yes) | (!condition & no));
    } else if constexpr (std::is_floating_point_v<T>) {
        using Bits = WordOf<bitsOf<T>, false>;
        return __builtin_bit_cast(T, choose<Bits>(condition, __builtin_bit_cast(Bits, yes),
                                                  __builtin_bit_cast(Bits, no)));
    } else {
        const T isNot = sizeof(T) > 4 ? T(T(condition) - T(1)) : condition ? T(0) : T(~T(0));
        return T(yes ^ ((yes ^ no) & isNot));
    }
}

/// The first row whose instances end after `begin`, of a table of rows {first instance, count, …}
/// of `width` words that covers all instances in ascending order.
SME_INLINE const u32* firstSegment(const u32* table, u32 rows, u32 width, u32 begin) {
    u32 low = 0;
    while (rows > 1) {
        const u32 half = rows / 2;
        const bool later = table[u64(low + half) * width] <= begin;
        low = later ? low + half : low;
        rows = later ? rows - half : half;
    }
    return table + u64(low) * width;
}

/// How many rows of a table, ascending by their first word, begin before an instance.
SME_INLINE u32 rowsBefore(const u32* table, u32 rows, u32 width, u32 instance) {
    u32 low = 0;
    while (rows > 0) {
        const u32 half = rows / 2;
        const bool later = table[u64(low + half) * width] < instance;
        low = later ? low + half + 1 : low;
        rows = later ? rows - half - 1 : half;
    }
    return low;
}

template <typename T>
SME_INLINE_RUN void copyArray(T* to, const T* from, u64 length) {
    __builtin_memmove(to, from, length * sizeof(T));
}
/// What `log` tells that `to` lacks of `from`; then it tells nothing. Its first word is how many
/// indices follow; where there are more than it has room for, all is copied.
template <typename T>
SME_INLINE_RUN void replay(T* to, const T* from, u64 length, u32* log, u32 logLength) {
    const u32 count = log[0];
    log[0] = 0;
    if (count + u64{2} > logLength) return copyArray(to, from, length);
    for (u32 i = 1; i <= count; ++i) {
        if (log[i] < length) to[log[i]] = from[log[i]];  // a state may come from anywhere
    }
}
/// The same of a log that is not counted: elements may have been taken over before.
template <typename T>
SME_INLINE_RUN void replayEach(T* to, const T* from, u64 length, const u32* log, u32 logLength) {
    for (u32 i = 0; i < logLength; ++i) {
        if (log[i] < length) to[log[i]] = from[log[i]];
    }
}
template <typename T>
SME_INLINE_RUN void fillArray(T* to, u64 length, T value) {
    for (u64 i = 0; i < length; ++i)
        to[i] = value;
}
/// An index as it is where it is in range, else 0. Checks stand in front of every use; this keeps
/// what is evaluated early in bounds.
template <typename T>
SME_INLINE u64 within(T index, u64 length) {
    return typename UnsignedOf<T>::type(index) < length ? u64(index) : 0;
}

// ---------------------------------------------------------------- integers

/// x·2^n modulo the word, for any n ≥ 0.
template <typename T, typename N>
SME_INLINE T shiftLeft(T x, N n) {
    using U = typename WordOfBytes<(sizeof(T) < 4 ? 4 : sizeof(T)), false>::type;
    return typename UnsignedOf<N>::type(n) < bitsOf<T> ? T(U(x) << u32(n)) : T(0);
}
/// floor(x / 2^n), for any n ≥ 0.
template <typename T, typename N>
SME_INLINE T shiftRight(T x, N n) {
    return typename UnsignedOf<N>::type(n) < bitsOf<T> ? T(x >> u32(n)) : (x < T(0) ? T(-1) : T(0));
}
/// Truncating; a divisor of 0 gives 0 (checks stand in front), and the result fits the word.
template <typename T>
SME_INLINE T divide(T x, T y) {
    return y == T(0) ? T(0) : T(x / y);
}
/// The remainder has the sign of x. A divisor of -1 is no case for the processor: it cannot divide
/// the lowest number by it.
template <typename T>
SME_INLINE T modulo(T x, T y) {
    if (y == T(0)) return x;
    if (T(-1) < T(0) && y == T(-1)) return T(0);
    return T(x % y);
}
template <typename T>
SME_INLINE T absolute(T x) {
    return x < T(0) ? T(-x) : x;
}
template <typename T>
SME_INLINE T minimum(T x, T y) {
    return y < x ? y : x;
}
template <typename T>
SME_INLINE T maximum(T x, T y) {
    return x < y ? y : x;
}
/// The low `Width` bits of x as a two's complement number.
template <unsigned Width, typename T>
SME_INLINE auto signExtend(T x) {
    using U = typename UnsignedOf<T>::type;
    using S = typename WordOfBytes<sizeof(T), true>::type;
    constexpr unsigned kSpare = bitsOf<T> - Width;
    return S(S(U(U(x) << kSpare)) >> kSpare);
}
template <typename T>
SME_INLINE u32 popcount(T x) {
    if constexpr (sizeof(T) == 16) {
        return u32(__builtin_popcountll(u64(x)) + __builtin_popcountll(u64(x >> 64)));
    } else {
        return u32(__builtin_popcountll(u64(x)));
    }
}
template <typename T>
SME_INLINE bool parity(T x) {
    if constexpr (sizeof(T) == 16) {
        return __builtin_parityll(u64(x) ^ u64(x >> 64)) != 0;
    } else {
        return __builtin_parityll(u64(x)) != 0;
    }
}
SME_INLINE u128 word128(u64 high, u64 low) { return (u128(high) << 64) | low; }

// ---------------------------------------------------------------- floats

SME_INLINE u32 bitsOfFloat(f32 x) { return __builtin_bit_cast(u32, x); }
SME_INLINE u64 bitsOfFloat(f64 x) { return __builtin_bit_cast(u64, x); }

/// Every NaN becomes the positive quiet one without payload: stored, printed and hashed values have
/// one form.
SME_INLINE f32 canonical(f32 x) { return x == x ? x : __builtin_bit_cast(f32, 0x7fc00000u); }
SME_INLINE f64 canonical(f64 x) {
    return x == x ? x : __builtin_bit_cast(f64, 0x7ff8000000000000ull);
}
/// The same without control flow, which g++ 12 removes from innermost loops alone.
template <typename T>
SME_INLINE_RUN T canonicalInLanes(T x) {
    return choose<T>(x == x, x, canonical(T(__builtin_nan(""))));
}

/// copyArray of floats that gives NaNs their one form.
template <typename T>
SME_INLINE_RUN void copyCanonical(T* to, const T* from, u64 length) {
    for (u64 i = 0; i < length; ++i)
        to[i] = canonical(from[i]);
}

template <typename F>
SME_INLINE F powerOfTwo(unsigned exponent) {
    F x = 1;
    for (unsigned i = 0; i < exponent; ++i)
        x = x * F(2);
    return x;
}
/// Truncates toward zero, saturates at the ends of a `Width`-bit number; NaN gives 0.
template <unsigned Width, bool Signed, typename F>
SME_INLINE auto toInteger(F x) {
    using T = WordOf<Width, Signed>;
    using U = typename UnsignedOf<T>::type;
    constexpr unsigned kBits = Signed ? Width - 1 : Width;      // of the magnitude
    constexpr bool kReachable = kBits < 128 || sizeof(F) == 8;  // 2^128 is no f32
    constexpr F kLimit =
        kReachable ? powerOfTwo<F>(kReachable ? kBits : 0) : F(__builtin_huge_val());
    constexpr U kMost = kBits == 0 ? U(0) : U(U(~U(0)) >> (kBits == 0 ? 0 : bitsOf<U> - kBits));
    if (x != x) return T(0);
    if (x >= kLimit) return T(kMost);
    if constexpr (Signed) {
        return x <= -kLimit ? T(-T(kMost) - 1) : T(x);
    } else {
        return x >= F(1) ? T(x) : T(0);
    }
}

// ---------------------------------------------------------------- arguments of traces and failures

template <typename T>
SME_INLINE Arg argument(T x) {
    if constexpr (isSignedWord<T>) {
        return {u64(x), u64(i128(x) >> 64)};
    } else {
        return {u64(x), u64(u128(x) >> 64)};
    }
}
SME_INLINE Arg argument(bool x) { return {x ? 1u : 0u, 0}; }
SME_INLINE Arg argument(f32 x) { return {bitsOfFloat(canonical(x)), 0}; }
SME_INLINE Arg argument(f64 x) { return {bitsOfFloat(canonical(x)), 0}; }
/// A value that is shown by its type: enums, integers over 128 bits.
template <typename T>
SME_INLINE_RUN Arg argumentAt(const T* x) {
    return {reinterpret_cast<u64>(x), 0};
}
SME_INLINE Arg argument(const Arg& x) { return x; }

/// trace() and fail() for long bodies, of which g++ compiles each place: no array to fill there, only
/// registers.
template <typename... T>
[[gnu::noinline]] void traceValues(const Thread& thread, const Slots& slots, u32 cls, u32 site,
                                   u32 instance, T... values) {
    const Arg args[] = {argument(values)...};
    trace(thread, slots, cls, site, instance, args);
}
template <typename... T>
[[gnu::noinline, gnu::cold]] void failValues(const Thread& thread, const Slots& slots, u32 cls,
                                             u32 site, u32 instance, T... values) {
    const Arg args[] = {argument(values)...};
    fail(thread, slots, cls, site, instance, args);
}

}  // namespace sme
