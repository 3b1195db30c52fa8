#pragma once

#include "interp/context.h"

namespace smec::interp {

/// What a place of this type holds after `value` was stored: wrapped; where the type has a range,
/// it fails outside.
Value stored(const Context& context, Value value, TypeId type, SourceRange range);
/// `value` of type `from` as one of type `to`, where the source says so.
Value cast(const Context& context, Value value, TypeId from, TypeId to, SourceRange range);

}  // namespace smec::interp
