#pragma once

#include <string>
#include <variant>
#include <vector>

#include "lower/context.h"

namespace smec::lower {

/// A value, or a part of one, where it lies: the leaves of `type` after `leaf`, at `indices`.
///   trail[k].x  ->  root: the locals of trail; leaf 0; indices {k}
struct Part {
    struct Locals {
        const std::vector<ir::LocalId>* leaves;
    };
    struct Inputs {
        std::uint32_t first;
    };
    struct Fixed {
        const hir::Value* value;
        std::string name{};  ///< in the source, where it has one
    };
    struct PerInstance {
        const ConstantSource* constant;
    };
    std::variant<Locals, Inputs, Fixed, PerInstance> root;
    hir::TypeId rootType;
    hir::TypeId type;
    std::uint32_t leaf = 0;
    std::vector<ir::ExprId> indices;
    ir::ExprId element{};  ///< of an array port with several elements
    ir::ExprId inside{};   ///< unchecked: whether every index is in range (those that are not were
                           ///< replaced by 0); invalid: all are
};

inline const std::vector<ir::LocalId>& localsOf(const Part& part) {
    return *std::get<Part::Locals>(part.root).leaves;
}

}  // namespace smec::lower
