#pragma once

#include <cstdint>
#include <span>

#include <sme/outside_world.h>

namespace sme {

/// The functions of an OutsideWorld as members of a class that inherits this:
///
///     bool given(cycle, caller, values)     give()
///     void taken(cycle, caller, values)     take()
///
/// What they throw ends the program: exceptions are of one C++ compiler, too.
template <typename Mine>
class OutsideMember : public OutsideWorld {
public:
    using Values = std::span<const Value>;

protected:
    explicit OutsideMember(bool all = false) : OutsideWorld{give, take, all} {}

private:
    static bool give(OutsideWorld* self, std::uint64_t cycle, const Caller* caller,
                     const Value* values, std::size_t count) noexcept {
        return static_cast<Mine*>(self)->given(cycle, *caller, Values(values, count));
    }
    static void take(OutsideWorld* self, std::uint64_t cycle, const Caller* caller,
                     const Value* values, std::size_t count) noexcept {
        static_cast<Mine*>(self)->taken(cycle, *caller, Values(values, count));
    }
};

}  // namespace sme
