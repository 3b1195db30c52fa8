#pragma once

#include <string>
#include <string_view>

namespace smec::driver {

/// A unified diff of two texts under one name, with three lines around each change; empty where
/// they are equal. Shortest but for texts with thousands of changed lines.
std::string lineDiff(std::string_view before, std::string_view after, std::string_view name);

}  // namespace smec::driver
