#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "interp/activation.h"

namespace smec::interp {

/// `index` where it is below `length`.
std::optional<std::uint64_t> positionBelow(const Value& index, std::uint64_t length);
/// Of `width` bits from `low` on, where one lies outside: that one.
Value bitOutside(const Value& low, std::uint32_t width);
/// Fails unless checks are off. `subject`: what is indexed.
void outOfRange(const Settings& settings, const Value& index, std::uint64_t length,
                const std::string& subject, SourceRange range);
/// Where the field of an element of a port lies among those of the design.
std::uint32_t fieldIndex(const Activation& on, std::uint32_t port, std::uint32_t field,
                         std::uint64_t element);
TypeId fieldType(const Activation& on, std::uint32_t port, std::uint32_t field);

}  // namespace smec::interp
