#pragma once

#include <type_traits>

namespace smec {

/// For `std::visit`: one lambda per alternative, no catch-all.
template <typename... Ts>
struct Overloaded : Ts... {
    using Ts::operator()...;
};
template <typename... Ts>
Overloaded(Ts...) -> Overloaded<Ts...>;

/// What a visitor takes for "all others alike": the kinds are listed, so that a new one is none of
/// them and asks for a decision.
template <typename T, typename... Kinds>
concept AnyOf = (std::is_same_v<std::remove_cvref_t<T>, Kinds> || ...);

}  // namespace smec
