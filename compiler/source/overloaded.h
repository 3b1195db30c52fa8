#pragma once

#include <cstddef>
#include <type_traits>
#include <variant>

namespace smec {

/// For `visit`: one lambda per alternative, no catch-all.
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

/// `std::visit` of one variant that is no temporary, as a `switch`. The library's own makes, of more than five
/// alternatives, a table of functions that are compiled each by itself.
template <std::size_t First = 0, typename Visitor, typename Variant>
constexpr decltype(auto) visit(Visitor&& visitor, Variant& variant) {
    constexpr std::size_t kLeft = std::variant_size_v<std::remove_const_t<Variant>> - First;
#define SMEC_ALTERNATIVE(n)                                    \
    case First + n:                                            \
        if constexpr (n < kLeft)                               \
            return visitor(*std::get_if<First + n>(&variant)); \
        else                                                   \
            __builtin_unreachable();
    switch (variant.index()) {
        SMEC_ALTERNATIVE(0)
        SMEC_ALTERNATIVE(1)
        SMEC_ALTERNATIVE(2)
        SMEC_ALTERNATIVE(3)
        SMEC_ALTERNATIVE(4)
        SMEC_ALTERNATIVE(5)
        SMEC_ALTERNATIVE(6)
        SMEC_ALTERNATIVE(7)
        SMEC_ALTERNATIVE(8)
        SMEC_ALTERNATIVE(9)
    default:
        if constexpr (kLeft > 10)
            return visit<First + 10>(visitor, variant);
        else
            throw std::bad_variant_access();
    }
#undef SMEC_ALTERNATIVE
}

}  // namespace smec
