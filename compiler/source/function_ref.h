#pragma once

#include <concepts>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

namespace smec {

template <typename Signature>
class FunctionRef;

/// A function that is called while the call it is passed to runs, and is never kept: two pointers, no
/// copy of what it refers to. What takes one instead of a template parameter is compiled once.
/// (std::function_ref of C++26.)
template <typename Result, typename... Arguments>
class FunctionRef<Result(Arguments...)> {
public:
    template <typename F>
        requires(!std::same_as<std::remove_cvref_t<F>, FunctionRef>
                 && std::is_invocable_r_v<Result, F&, Arguments...>)
    // NOLINTNEXTLINE(google-explicit-constructor): a lambda is passed as it is
    FunctionRef(F&& function)
        : object_(const_cast<void*>(static_cast<const void*>(std::addressof(function)))),
          call_([](void* object, Arguments... arguments) -> Result {
              auto& target = *static_cast<std::remove_reference_t<F>*>(object);
              if constexpr (std::is_void_v<Result>)
                  std::invoke(target, std::forward<Arguments>(arguments)...);
              else
                  return std::invoke(target, std::forward<Arguments>(arguments)...);
          }) {}

    Result operator()(Arguments... arguments) const {
        return call_(object_, std::forward<Arguments>(arguments)...);
    }

private:
    void* object_;
    Result (*call_)(void*, Arguments...);
};

}  // namespace smec
