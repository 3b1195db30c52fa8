#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hdl/hdl.h"

namespace smec::hdl {

/// An instance before it has its name: an element of an array of instances, or one alone.
struct Member {
    Instance instance;
    std::string base;  ///< of the array
    /// In each direction; nothing where a loop stands for it.
    std::vector<std::optional<std::uint64_t>> indices{};
    std::vector<std::uint32_t> children{};  ///< nodes of the tree, in the order of the loops
};

/// Puts a loop in place of each run of at least three neighbours in an array whose connections and
/// arguments grow evenly: along the last index first, then likewise loops along the others.
std::vector<Member> withLoops(std::vector<Member> members);

}  // namespace smec::hdl
