#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "codegen/cpp/decide/model_plan.h"

namespace smec::codegen::cpp {

/// The names of a design as a tree: what a typed header has members for. Elements of an array are
/// one node, which has whatever one of them has; so it grows with the names that are written, not
/// with the instances that there are.
struct NameTree {
    struct Node {
        std::vector<std::pair<std::string, std::uint32_t>> children;  ///< in source order
        std::unordered_map<std::string, std::size_t> places;          ///< in `children`
        std::optional<std::uint32_t> element;                         ///< a node
        std::uint64_t elements = 0;                                   ///< one more than the last
        std::optional<std::uint32_t> type;  ///< row of ModelPlan::types: a field or variable
        bool isMixed = false;  ///< of elements whose types have none in common: no member
    };
    std::vector<Node> nodes;  ///< [0] is the design
};

NameTree buildNameTree(const ir::Design& design, const ModelPlan& model);

}  // namespace smec::codegen::cpp
