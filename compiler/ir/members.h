#pragma once

#include <cstdint>
#include <tuple>

/// The members of a struct as a list, each with the contents that it belongs to.
namespace smec::ir {

/// What counts. Where something stands in the source never does.
struct Contents {
    /// What things are called, and whether they have names at all.
    bool names = true;
    /// Which of many something is: numbers of instances and planes, initial values, values of
    /// columns, connections. Without, planes count as what they are.
    bool instances = true;
    /// Values of integer constants in bodies, and what is known of locals and columns.
    bool constants = true;
    /// In which order a body has its expressions. Without, bodies count as tidy() makes them, so that it does not matter in
    /// which order the compiler of this compiler evaluates arguments.
    bool order = true;
};

enum class Counts : std::uint8_t { Always, WithNames, WithInstances, WithConstants };

inline bool counts(const Contents& contents, Counts when) {
    switch (when) {
    case Counts::Always: return true;
    case Counts::WithNames: return contents.names;
    case Counts::WithInstances: return contents.instances;
    case Counts::WithConstants: return contents.constants;
    }
    return true;
}

template <typename T>
struct Member {
    const T& value;
    Counts when;
};

template <typename... T>
std::tuple<Member<T>...> always(const T&... members) {
    return {Member<T>{members, Counts::Always}...};
}
template <typename... T>
std::tuple<Member<T>...> withNames(const T&... members) {
    return {Member<T>{members, Counts::WithNames}...};
}
template <typename... T>
std::tuple<Member<T>...> withInstances(const T&... members) {
    return {Member<T>{members, Counts::WithInstances}...};
}
template <typename... T>
std::tuple<Member<T>...> withConstants(const T&... members) {
    return {Member<T>{members, Counts::WithConstants}...};
}

}  // namespace smec::ir
