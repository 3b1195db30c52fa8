#pragma once

namespace smec {

/// For `std::visit`: one lambda per alternative, no catch-all.
template <typename... Ts>
struct Overloaded : Ts... {
    using Ts::operator()...;
};
template <typename... Ts>
Overloaded(Ts...) -> Overloaded<Ts...>;

}  // namespace smec
