#pragma once

// What the generated wrappers around C++ that a design names with `extern` are made of. Included by
// foreign.cpp only, which is compiled with exceptions.

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <initializer_list>
#include <istream>
#include <mutex>
#include <ostream>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include <sme/foreign_object.h>
#include <sme/model.h>
#include <sme/outside_world.h>
#include <sme/wide.h>

namespace sme::foreign {

// ---------------------------------------------------------------- signatures

/// What two arithmetic types must have in common to be passed for each other: `long` and `long
/// long` are alike where they have one size, `char` is an 8-bit integer.
template <typename T>
constexpr int kindOf() {
    using Plain = std::remove_cv_t<T>;
    if constexpr (std::is_same_v<Plain, bool>) {
        return 1;
    } else if constexpr (std::is_same_v<Plain, char>) {
        return 10 * int(sizeof(T)) + 2;
    } else if constexpr (std::is_enum_v<Plain>) {
        return kindOf<std::underlying_type_t<Plain>>();
    } else if constexpr (std::is_integral_v<Plain>) {
        return 10 * int(sizeof(T)) + (std::is_signed_v<Plain> ? 3 : 4);
    } else if constexpr (std::is_floating_point_v<Plain>) {
        return 10 * int(sizeof(T)) + 5;
    } else {
        return 0;
    }
}

template <typename Declared, typename Actual>
constexpr bool isAlike() {
    if constexpr (std::is_pointer_v<Declared> && std::is_pointer_v<Actual>) {
        using From = std::remove_pointer_t<Declared>;
        using To = std::remove_pointer_t<Actual>;
        return std::is_const_v<To> && isAlike<std::remove_cv_t<From>, std::remove_cv_t<To>>();
    } else if constexpr (std::is_reference_v<Actual>) {
        using Referred = std::remove_reference_t<Actual>;
        return std::is_const_v<Referred> && isAlike<Declared, std::remove_cv_t<Referred>>();
    } else {
        constexpr int kind = kindOf<Actual>();
        constexpr bool isByte =
            kind == 10 + 2 && sizeof(Declared) == 1 && !std::is_same_v<Declared, bool>;
        return isByte || (kind != 0 && kind == kindOf<Declared>());
    }
}

template <typename Declared>
struct Signature;
template <typename R, typename... A>
struct Signature<R(A...)> {
    template <typename R2, typename... A2>
    static constexpr bool matches() {
        if constexpr (sizeof...(A) != sizeof...(A2)) {
            return false;
        } else {
            return isAlike<R, R2>() && (isAlike<A, A2>() && ...);
        }
    }
};

/// Whether a function is as `Declared`, R(A...), says. The second form takes an overloaded one: the
/// declaration chooses.
template <typename Declared, typename R, typename... A>
constexpr bool check(R (*)(A...), int) {
    return Signature<Declared>::template matches<R, A...>();
}
template <typename Declared>
constexpr bool check(Declared*, long) {
    return true;
}

template <typename To, typename From>
To passAs(From value) {
    if constexpr (std::is_pointer_v<From>) {
        return reinterpret_cast<To>(value);
    } else {
        return static_cast<To>(value);
    }
}
template <typename Declared, typename R, typename... A, typename... T>
R call(int, R (*function)(A...), T... arguments) {
    return function(passAs<std::remove_cvref_t<A>>(arguments)...);
}
template <typename Declared, typename... T>
auto call(long, Declared* function, T... arguments) {
    return function(arguments...);
}

// ---------------------------------------------------------------- objects of extern processes

/// A class whose objects can be kept in a file: what save() writes, load() reads into a new one.
template <typename T>
concept Saves = requires(const T& kept, T& made, std::ostream& out, std::istream& in) {
    kept.save(out);
    made.load(in);
};

/// Null where there is none yet, or only what one has saved.
template <typename Object>
Object* objectAt(std::uint64_t object) {
    return isSaved(object) ? nullptr : reinterpret_cast<Object*>(object);
}

/// A copy of an object of an extern process; 0 where its class has no copy constructor.
template <typename Object>
std::uint64_t copied([[maybe_unused]] std::uint64_t object) {
    if (isSaved(object)) return savedObject(bytesOfSaved(object));
    if constexpr (std::is_copy_constructible_v<Object>)
        return reinterpret_cast<std::uint64_t>(new Object(*reinterpret_cast<Object*>(object)));
    else
        return 0;
}

template <typename Object>
void released(std::uint64_t object) {
    if (isSaved(object))
        freeSaved(object);
    else
        delete reinterpret_cast<Object*>(object);
}

/// What an object saves, and its ports; 0 where its class does not.
template <typename Body, typename... Ports>
std::uint64_t saved([[maybe_unused]] const Body& body, [[maybe_unused]] const Ports&... ports) {
    if constexpr (Saves<Body>) {
        std::ostringstream out;
        (out.write(reinterpret_cast<const char*>(&ports), sizeof ports), ...);
        body.save(out);
        if (!out) throw std::runtime_error("save() failed");
        return savedObject(out.str());
    } else {
        return 0;
    }
}

/// Gives a new object what another one has saved, if there is something.
template <typename Body, typename... Ports>
void loadSaved(std::uint64_t object, [[maybe_unused]] Body& body,
               [[maybe_unused]] Ports&... ports) {
    if (!isSaved(object)) return;
    if constexpr (Saves<Body>) {
        std::istringstream in{std::string(bytesOfSaved(object))};
        (in.read(reinterpret_cast<char*>(&ports), sizeof ports), ...);
        body.load(in);
        if (in.fail()) throw std::runtime_error("load() did not find what save() wrote");
    }
    freeSaved(object);
}

/// Held during the calls of `serial` functions.
inline std::mutex& serial() {
    static std::mutex mutex;
    return mutex;
}

// ---------------------------------------------------------------- calls that must not be made twice

using Caller = OutsideWorld::Caller;
using Values = std::span<const OutsideWorld::Value>;

/// Whether what was called gave this in this cycle before; it is not called then.
inline bool wasGiven(const Thread& thread, const Slots& slots, const Caller& caller,
                     Values values) {
    OutsideWorld* const outside = thread.outside;
    return outside && outside->give(outside, slots.cycle, &caller, values.data(), values.size());
}
inline void keep(const Thread& thread, const Slots& slots, const Caller& caller, Values values) {
    OutsideWorld* const outside = thread.outside;
    if (outside) outside->take(outside, slots.cycle, &caller, values.data(), values.size());
}

/// A call of a `serial` function, or what it gave in this cycle before.
template <typename Word, typename Call>
Word callOnce(const Thread& thread, const Slots& slots, const Caller& caller, const Call& call) {
    Word result{};
    const OutsideWorld::Value values[] = {{&result, sizeof result}};
    if (wasGiven(thread, slots, caller, values)) return result;
    const std::lock_guard lock(serial());
    result = call();
    keep(thread, slots, caller, values);
    return result;
}

/// Objects that no state can hold.
template <typename Body>
inline constexpr bool isOutside = !std::is_copy_constructible_v<Body> && !Saves<Body>;

/// Whether the outputs of such an object are those of this cycle before, or nobody looks at those
/// of any; it is not called then.
template <typename Body>
bool isGiven(const Thread& thread, const Slots& slots, const Caller& caller, Values outputs) {
    return thread.outside && (isOutside<Body> || thread.outside->givesAll)
           && wasGiven(thread, slots, caller, outputs);
}
template <typename Body>
void keepGiven([[maybe_unused]] const Thread& thread, [[maybe_unused]] const Slots& slots,
               [[maybe_unused]] const Caller& caller, [[maybe_unused]] Values outputs) {
    if constexpr (isOutside<Body>) keep(thread, slots, caller, outputs);
}

/// Ends the program: C++ that a process calls may not throw.
[[noreturn]] inline void threw(const char* name, const char* what) {
    std::fflush(stdout);
    std::fprintf(stderr, "%s threw an exception%s%s\n", name, *what ? ": " : "", what);
    std::fflush(stderr);
    std::_Exit(1);
}

// ---------------------------------------------------------------- values

/// An integer of `Width` bits out of a word that may hold more.
template <unsigned Width, typename Word, typename T>
Word wrapped(T value) {
    if constexpr (8 * sizeof(Word) == Width) {
        return static_cast<Word>(value);
    } else if constexpr (std::is_signed_v<Word>) {
        constexpr unsigned spare = 8 * sizeof(Word) - Width;
        using Pattern = std::make_unsigned_t<Word>;
        const auto pattern = static_cast<Pattern>(static_cast<Pattern>(value) << spare);
        return static_cast<Word>(static_cast<Word>(pattern) >> spare);
    } else {
        return static_cast<Word>(static_cast<Word>(value)
                                 & static_cast<Word>((Word(1) << Width) - 1));
    }
}

template <unsigned Width>
using Limbs = std::array<std::uint64_t, (Width + 63) / 64>;

/// Integers of more than 64 bits, least significant limb first, two's complement.
template <unsigned Width, typename Word>
Limbs<Width> limbsOf(const Word& value) {
    Limbs<Width> result;
    if constexpr (sizeof(Word) == 16) {
        result[0] = static_cast<std::uint64_t>(value);
        result[1] = static_cast<std::uint64_t>(value >> 64);
    } else {
        for (std::size_t i = 0; i < result.size(); ++i)
            result[i] = value.limb[i];
    }
    return result;
}

template <unsigned Width, bool IsSigned, typename Word>
Word fromLimbs(Limbs<Width> limbs) {
    constexpr unsigned spare = 64 * limbs.size() - Width;
    if constexpr (spare != 0) {
        const std::uint64_t top = limbs.back() << spare;
        limbs.back() = IsSigned
                           ? static_cast<std::uint64_t>(static_cast<std::int64_t>(top) >> spare)
                           : top >> spare;
    }
    if constexpr (sizeof(Word) == 16) {
        return static_cast<Word>((static_cast<u128>(limbs[1]) << 64) | limbs[0]);
    } else {
        Word result;
        const bool isNegative = IsSigned && (limbs.back() >> 63) != 0;
        for (std::size_t i = 0; i < Word::kLimbs; ++i)
            result.limb[i] = i < limbs.size() ? limbs[i]
                             : isNegative     ? ~std::uint64_t{0}
                                              : std::uint64_t{0};
        return result;
    }
}

}  // namespace sme::foreign
