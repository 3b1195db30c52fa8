#pragma once

#include <concepts>
#include <cstdlib>
#include <type_traits>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/// What rewritten sources call in place of their operators and conditions (rewrite.py).
///
/// SMEC_MUTANT names the one mutant that is chosen. SMEC_MUTANT_SEEN names a file of one byte for
/// each mutant, in which bit 0 says that the place was reached and bit 1 that the mutant would have
/// come to another value there. It is mapped, so that a process that crashes has said so too.
namespace mutation {

struct State {
    int chosen = -1;
    unsigned char* seen = nullptr;
};

inline State readState() {
    State state;
    if (const char* number = std::getenv("SMEC_MUTANT")) state.chosen = std::atoi(number);
    if (const char* path = std::getenv("SMEC_MUTANT_SEEN")) {
        const int file = open(path, O_RDWR | O_CLOEXEC);
        struct stat status {};
        if (file >= 0 && fstat(file, &status) == 0) {
            void* bytes = mmap(nullptr, static_cast<std::size_t>(status.st_size),
                               PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
            if (bytes != MAP_FAILED) state.seen = static_cast<unsigned char*>(bytes);
        }
        if (file >= 0) close(file);
    }
    return state;
}

inline const State state = readState();

inline bool isChosen(int id) { return state.chosen == id; }

inline void note(int id, bool differs) {
    if (state.seen == nullptr) return;
    unsigned char& seen = state.seen[id];
    const unsigned char bits = differs ? 3 : 1;
    if ((seen & bits) != bits) seen = static_cast<unsigned char>(seen | bits);
}

/// Mutant `id`: the opposite.
inline bool condition(int id, bool value) {
    note(id, true);
    return value != isChosen(id);
}

/// `a && b`; mutants: `a || b`, `a`, `b`.
template <typename Right>
bool both(int id, bool left, Right right) {
    if (isChosen(id)) return left || right();
    if (isChosen(id + 1)) return left;
    if (isChosen(id + 2)) return right();
    const bool result = left && right();
    note(id, !left || !result);  // where the right side is not looked at, it is taken to differ
    note(id + 1, left && !result);
    note(id + 2, !left);
    return result;
}

/// `a || b`; mutants: `a && b`, `a`, `b`.
template <typename Right>
bool either(int id, bool left, Right right) {
    if (isChosen(id)) return left && right();
    if (isChosen(id + 1)) return left;
    if (isChosen(id + 2)) return right();
    const bool result = left || right();
    note(id, left || result);
    note(id + 1, !left && result);
    note(id + 2, left);
    return result;
}

/// A comparison; mutants: its opposite, and where there is a neighbour (`<` and `<=`) that.
#define SMEC_MUTATION_COMPARISON(name, op, neighbour)                             \
    template <typename A, typename B>                                             \
    bool name(int id, const A& a, const B& b) {                                   \
        if constexpr (requires { a neighbour b; }) {                              \
            if (isChosen(id)) return static_cast<bool>(a neighbour b);            \
        }                                                                         \
        const bool result = static_cast<bool>(a op b);                            \
        if constexpr (requires { a neighbour b; })                                \
            if (state.seen) note(id, static_cast<bool>(a neighbour b) != result); \
        if (isChosen(id + 1)) return !result;                                     \
        note(id + 1, true);                                                       \
        return result;                                                            \
    }
SMEC_MUTATION_COMPARISON(less, <, <=)
SMEC_MUTATION_COMPARISON(lessEqual, <=, <)
SMEC_MUTATION_COMPARISON(greater, >, >=)
SMEC_MUTATION_COMPARISON(greaterEqual, >=, >)
#undef SMEC_MUTATION_COMPARISON

template <typename A, typename B>
bool equal(int id, const A& a, const B& b) {
    return condition(id, static_cast<bool>(a == b));
}

template <typename A, typename B>
bool notEqual(int id, const A& a, const B& b) {
    return condition(id, static_cast<bool>(a != b));
}

/// What an expression of T is worth: Boost's expression templates are evaluated.
template <typename T>
struct Value {
    using type = std::decay_t<T>;
};
template <typename T>
    requires requires { typename std::decay_t<T>::result_type; }
struct Value<T> {
    using type = typename std::decay_t<T>::result_type;
};

template <typename T>
T choose(int id, T original, T mutated) {
    note(id, !(original == mutated));
    return isChosen(id) ? mutated : original;
}

/// Arithmetic; the mutant: the other operator.
#define SMEC_MUTATION_ARITHMETIC(name, op, other)                                  \
    template <typename A, typename B>                                              \
    auto name(int id, const A& a, const B& b) {                                    \
        using T = typename Value<decltype(a op b)>::type;                          \
        if (state.seen == nullptr && !isChosen(id)) return static_cast<T>(a op b); \
        return choose<T>(id, static_cast<T>(a op b), static_cast<T>(a other b));   \
    }                                                                              \
    template <typename A, typename B>                                              \
    A& name##To(int id, A& a, const B& b) {                                        \
        const A before = a;                                                        \
        a op## = b;                                                                \
        if (state.seen || isChosen(id)) {                                          \
            A mutated = before;                                                    \
            mutated other## = b;                                                   \
            a = choose<A>(id, a, mutated);                                         \
        }                                                                          \
        return a;                                                                  \
    }
SMEC_MUTATION_ARITHMETIC(plus, +, -)
SMEC_MUTATION_ARITHMETIC(minus, -, +)
SMEC_MUTATION_ARITHMETIC(times, *, +)
SMEC_MUTATION_ARITHMETIC(divided, /, *)
SMEC_MUTATION_ARITHMETIC(modulo, %, /)
SMEC_MUTATION_ARITHMETIC(shiftLeft, <<, >>)
SMEC_MUTATION_ARITHMETIC(shiftRight, >>, <<)
SMEC_MUTATION_ARITHMETIC(bitAnd, &, |)
SMEC_MUTATION_ARITHMETIC(bitOr, |, &)
#undef SMEC_MUTATION_ARITHMETIC

/// `a + 1`, `a - 1`; the mutant: `a`.
template <typename A>
auto plusOne(int id, const A& a) {
    using T = typename Value<decltype(a + 1)>::type;
    return choose<T>(id, static_cast<T>(a + 1), static_cast<T>(a));
}

template <typename A>
auto minusOne(int id, const A& a) {
    using T = typename Value<decltype(a - 1)>::type;
    return choose<T>(id, static_cast<T>(a - 1), static_cast<T>(a));
}

}  // namespace mutation
