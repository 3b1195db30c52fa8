#pragma once

#include <optional>

#include "ir/ir.h"

namespace smec::ir {

/// A connection of which some instances have no driver, and instance i of the others reads element
/// `first` + i * `stride` of one plane. `first` may be negative, and what the formula gives for an
/// instance without driver outside the plane.
struct Border {
    PlaneId plane;
    std::int64_t first = 0;
    std::int64_t stride = 0;
    Constant value;  ///< what all instances without driver read
};
/// Of a field that is a scalar and not combinational; nothing for connections of another form.
std::optional<Border> borderOf(const Design& design, const Input& input,
                               const Connection& connection);

}  // namespace smec::ir
