#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "interp/value.h"

/// Values as simulators keep them (sme/simulation.h).
namespace smec::interp {

std::size_t bytesOf(const TypeTable& types, TypeId type);
void appendBytes(const TypeTable& types, TypeId type, const Value& value,
                 std::vector<std::byte>& bytes);
/// Nothing where the bytes are no value of the type.
std::optional<Value> valueOfBytes(const TypeTable& types, TypeId type,
                                  std::span<const std::byte> bytes);
/// A type with all that makes two of one name differ; as the runtime writes it.
std::string shapeOf(const TypeTable& types, TypeId type);

}  // namespace smec::interp
