// sme/wide.h against Boost.Multiprecision: random numbers with long runs of equal bits and all
// lengths, in words that are worked on in place and in longer ones.

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>
#include <random>

#include <boost/multiprecision/cpp_int.hpp>

#include <sme/kernel.h>
#include <sme/wide.h>

#include "support/sanitizers.h"

using namespace sme::words;

namespace {

/// Sanitizers look at memory and at undefined operations, for which fewer numbers do; the answers of
/// all are compared without them.
#ifdef SMEC_ADDRESS_SANITIZER
constexpr unsigned kShare = 8;
#else
constexpr unsigned kShare = 1;
#endif

using Exact = boost::multiprecision::cpp_int;

Exact power(unsigned bits) { return Exact(1) << bits; }

Exact modulo(const Exact& x, unsigned bits, bool isSigned) {
    Exact r = x % power(bits);
    if (r < 0) r += power(bits);
    return isSigned && bit_test(r, bits - 1) ? Exact(r - power(bits)) : r;
}

/// floor(x / 2^n)
Exact shiftedRight(const Exact& x, unsigned n) {
    return x >= 0 ? Exact(x >> n) : Exact(-((-x - 1) >> n) - 1);
}

template <typename T>
Exact exact(const T& x) {
    Exact r = 0;
    for (unsigned i = T::kLimbs; i-- > 0;)
        r = (r << 64) | x.limb[i];
    return x.isNegative() ? Exact(r - power(sme::bitsOf<T>)) : r;
}

template <typename T>
T wide(const Exact& x) {
    const Exact pattern = modulo(x, sme::bitsOf<T>, false);
    T r{};
    for (unsigned i = 0; i < T::kLimbs; ++i)
        r.limb[i] = static_cast<u64>((pattern >> (64 * i)) & ~u64(0));
    return r;
}

class Numbers {
public:
    explicit Numbers(unsigned seed) : random_(seed) {}
    unsigned below(unsigned count) { return static_cast<unsigned>(random_() % count); }

    /// A pattern of up to `bits` bits.
    Exact pattern(unsigned bits) {
        const unsigned length = 1 + below(bits);
        Exact r = 0;
        for (unsigned done = 0; done < length;) {
            const unsigned run = below(3) == 0 ? 1 + below(130) : 64;
            const u64 piece = below(3) == 0 ? 0 : below(2) == 0 ? ~u64(0) : random_();
            for (unsigned part = 0; part < run; part += 64)
                r = (r << std::min(64u, run - part)) | (piece >> (64 - std::min(64u, run - part)));
            done += run;
        }
        return r & (power(length) - 1);
    }
    template <typename T>
    T number() {
        constexpr unsigned kBits = sme::bitsOf<T>;
        const Exact x = pattern(kBits);
        return wide<T>(below(2) == 0 ? x : Exact(-x));
    }

private:
    std::mt19937_64 random_;
};

/// Counts, not assertions: there are hundreds of thousands of comparisons.
struct Tally {
    unsigned wrong = 0;
    std::string first;
    void expect(bool good, const char* what) {
        if (!good && wrong++ == 0) first = what;
    }
};

template <typename T>
void arithmetic(Numbers& numbers, Tally& tally) {
    constexpr unsigned kBits = sme::bitsOf<T>;
    constexpr bool kSigned = T(-1) < T(0);
    const T a = numbers.number<T>(), b = numbers.number<T>();
    const Exact x = exact(a), y = exact(b);
    const auto same = [&](const T& got, const Exact& wanted, const char* what) {
        tally.expect(exact(got) == modulo(wanted, kBits, kSigned), what);
    };
    same(a + b, x + y, "+");
    same(a - b, x - y, "-");
    same(a * b, x * y, "*");
    same(-a, -x, "negation");
    same(~a, -x - 1, "~");
    if (y != 0) {
        same(a / b, x / y, "/");
        same(a % b, x % y, "%");
    }
    const Exact p = modulo(x, kBits, false), q = modulo(y, kBits, false);
    same(a & b, p & q, "&");
    same(a | b, p | q, "|");
    same(a ^ b, p ^ q, "^");
    tally.expect((a < b) == (x < y) && (a <= b) == (x <= y) && (a == b) == (x == y)
                     && (a != b) == (x != y) && (a > b) == (x > y) && (a >= b) == (x >= y),
                 "comparison");
    same(sme::divide(a, b), y == 0 ? Exact(0) : Exact(x / y), "divide");
    same(sme::modulo(a, b), y == 0 ? x : Exact(x % y), "modulo");
    same(sme::absolute(a), abs(x), "absolute");
    same(sme::minimum(a, b), std::min(x, y), "minimum");
    same(sme::maximum(a, b), std::max(x, y), "maximum");
    T next = a;
    same(++next, x + 1, "++");
    next = a;
    same(--next, x - 1, "--");
}

template <typename T>
void shifts(Numbers& numbers, Tally& tally) {
    constexpr unsigned kBits = sme::bitsOf<T>;
    constexpr bool kSigned = T(-1) < T(0);
    const T a = numbers.number<T>();
    const Exact x = exact(a);
    const unsigned n = numbers.below(kBits), far = numbers.below(3 * kBits);
    tally.expect(exact(a << n) == modulo(x << n, kBits, kSigned), "<<");
    tally.expect(exact(a >> n) == shiftedRight(x, n), ">>");
    tally.expect(exact(sme::shiftLeft(a, far)) == modulo(x << far, kBits, kSigned), "shiftLeft");
    tally.expect(exact(sme::shiftRight(a, u64(far))) == shiftedRight(x, far), "shiftRight");
    tally.expect(exact(sme::shiftRight(a, u192(u64(far)))) == shiftedRight(x, far),
                 "shiftRight by a long number");
    const Exact down = shiftedRight(x, far);
    tally.expect(sme::bitsFrom<u32>(a, far) == static_cast<u32>(modulo(down, 32, false)),
                 "bitsFrom u32");
    tally.expect(sme::bitsFrom<u64>(a, u8(far))
                     == static_cast<u64>(modulo(shiftedRight(x, far % 256), 64, false)),
                 "bitsFrom u64");
    const u128 part = sme::bitsFrom<u128>(a, far);
    tally.expect((Exact(static_cast<u64>(part >> 64)) << 64 | Exact(static_cast<u64>(part)))
                     == modulo(down, 128, false),
                 "bitsFrom u128");
    tally.expect(exact(sme::bitsFrom<i192>(a, far)) == modulo(down, 192, true), "bitsFrom i192");
}

template <typename T>
void bits(Numbers& numbers, Tally& tally) {
    constexpr unsigned kBits = sme::bitsOf<T>;
    constexpr bool kSigned = T(-1) < T(0);
    const T a = numbers.number<T>();
    const Exact x = exact(a), pattern = modulo(x, kBits, false);
    unsigned count = 0;
    for (unsigned i = 0; i < kBits; ++i)
        count += bit_test(pattern, i) ? 1 : 0;
    tally.expect(sme::popcount(a) == count && sme::parity(a) == (count % 2 == 1), "bits counted");
    tally.expect(a.usedBits() == (pattern == 0 ? 0 : msb(pattern) + 1), "usedBits");
    tally.expect(exact(sme::signExtend<kBits - 63>(a)) == modulo(x, kBits - 63, true),
                 "signExtend of one bit in the top limb");
    tally.expect(exact(sme::signExtend<kBits - 1>(a)) == modulo(x, kBits - 1, true), "signExtend");
    tally.expect(exact(sme::signExtend<100>(a)) == modulo(x, 100, true), "signExtend to 100");
    tally.expect(exact(sme::zeroExtend<kBits - 13>(a)) == modulo(x, kBits - 13, false),
                 "zeroExtend");
    tally.expect(exact(sme::zeroExtend<64>(a)) == modulo(x, 64, false), "zeroExtend to a limb");
    const unsigned low = numbers.below(kBits), high = low + numbers.below(kBits - low + 1);
    tally.expect(exact(T::ones(high, low)) == modulo(power(high) - power(low), kBits, kSigned),
                 "ones");
    tally.expect(exact(u1024(a)) == modulo(x, 1024, false), "longer or shorter");
    tally.expect(exact(i192(a)) == modulo(x, 192, true), "shorter");
    tally.expect(Exact(u64(a)) == modulo(x, 64, false) && Exact(i8(a)) == modulo(x, 8, true),
                 "to words");
    tally.expect(exact(T(i32(a))) == modulo(Exact(i32(a)), kBits, kSigned)
                     && exact(T(i128(a))) == modulo(modulo(x, 128, true), kBits, kSigned),
                 "from words");
    tally.expect(sme::within(a, 100) == (x >= 0 && x < 100 ? static_cast<u64>(x) : 0), "within");
}

/// The float nearest to x, ties to even.
template <typename F>
F nearest(const Exact& x) {
    constexpr unsigned kDigits = std::numeric_limits<F>::digits;
    const Exact magnitude = abs(x);
    if (magnitude == 0) return 0;
    const unsigned used = msb(magnitude) + 1;
    const unsigned drop = used > kDigits ? used - kDigits : 0;
    Exact kept = magnitude >> drop;
    const Exact rest = magnitude - (kept << drop), half = drop == 0 ? Exact(1) : power(drop - 1);
    if (drop != 0 && (rest > half || (rest == half && bit_test(kept, 0)))) ++kept;
    const F result = std::ldexp(static_cast<F>(static_cast<u64>(kept)), static_cast<int>(drop));
    return x < 0 ? -result : result;
}

template <typename T, unsigned Width>
void floats(Numbers& numbers, Tally& tally) {
    constexpr bool kSigned = T(-1) < T(0);
    const T a = numbers.number<T>();
    const Exact x = exact(a);
    tally.expect(f64(a) == nearest<f64>(x), "to f64");
    tally.expect(f32(a) == nearest<f32>(x), "to f32");

    const int exponent = static_cast<int>(numbers.below(std::min(Width + 60, 1000u))) - 30;
    const f64 number =
        std::ldexp(f64(i64(numbers.pattern(60)) * (numbers.below(2) == 0 ? 1 : -1)), exponent - 50);
    const f64 whole = std::trunc(number);
    int places = 0;
    const f64 digits = std::frexp(whole, &places);
    Exact wanted = static_cast<i64>(std::ldexp(digits, 53));
    wanted = places >= 53 ? Exact(wanted << (places - 53)) : Exact(wanted / power(53 - places));
    const Exact low = kSigned ? Exact(-power(Width - 1)) : Exact(0);
    const Exact high = (kSigned ? power(Width - 1) : power(Width)) - 1;
    wanted = std::min(std::max(wanted, low), high);
    tally.expect(exact(sme::toWideInteger<Width, kSigned>(number)) == wanted, "from f64");
}

template <unsigned Bits>
void all(unsigned rounds) {
    Numbers numbers(Bits);
    Tally tally;
    for (unsigned i = 0; i < rounds / kShare; ++i) {
        arithmetic<sme::Unsigned<Bits>>(numbers, tally);
        arithmetic<sme::Signed<Bits>>(numbers, tally);
        shifts<sme::Unsigned<Bits>>(numbers, tally);
        shifts<sme::Signed<Bits>>(numbers, tally);
        bits<sme::Unsigned<Bits>>(numbers, tally);
        bits<sme::Signed<Bits>>(numbers, tally);
        floats<sme::Unsigned<Bits>, Bits - 17>(numbers, tally);
        floats<sme::Signed<Bits>, Bits>(numbers, tally);
    }
    INFO(Bits << " bits, first: " << tally.first);
    CHECK(tally.wrong == 0);
}

}  // namespace

TEST_CASE("long integers compute what exact arithmetic says", "[wide][fuzz]") {
    all<192>(80000);
    all<256>(80000);
    all<320>(10000);
    all<512>(8000);
    all<576>(8000);
    all<1088>(2000);
    all<4096>(200);
}

TEST_CASE("the digits of a long division are corrected", "[wide]") {
    // From Knuth's exercises: an estimate that is two too large, and one that needs the sum back.
    const Exact base = power(64);
    const std::pair<Exact, Exact> cases[] = {
        {(base / 2) * base * base, (base / 2) * base + 1},
        {(base * base * base * (base / 2)) + base * base - 1, (base / 2) * base * base + base - 1},
        {base * base * base - 1, base * base - 1},
        {(base - 2) * base * base * base, (base - 1) * base * base + 1},
        {power(255), power(191) + 1},
        {power(256) - 1, power(65) - 1},
    };
    for (const auto& [x, y] : cases) {
        CHECK(exact(wide<u256>(x) / wide<u256>(y)) == x / y);
        CHECK(exact(wide<u256>(x) % wide<u256>(y)) == x % y);
    }
}

TEST_CASE("the longest integers", "[wide]") {
    using U = sme::Unsigned<65536>;
    Numbers numbers(1);
    const U a = numbers.number<U>(), b = numbers.number<U>() >> 100000;
    const Exact x = exact(a), y = exact(b);
    CHECK(exact(a * b) == modulo(x * y, 65536, false));
    CHECK(exact(a / (b + U(1))) == x / (y + 1));
    CHECK(exact(a - b) == modulo(x - y, 65536, false));
    CHECK(exact(U::ones(65536)) == power(65536) - 1);
    CHECK(f64(a) == std::numeric_limits<f64>::infinity());
}
