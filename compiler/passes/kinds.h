#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ir/ir.h"
#include "passes/key.h"

/// What several kinds of processes have in common, so that one class can be made of them.
namespace smec::passes {

/// Classes whose bodies differ in integer constants at most, and one body for all of them.
struct Kind {
    std::vector<ir::ClassId> members;
    ir::Body body;                    ///< constants that differ are columns
    std::vector<ir::Column> columns;  ///< the classes' own and those; without values
    /// Of the columns after the classes' own: the value in each member.
    std::vector<std::vector<ir::Constant>> constants;
};
/// Nothing where a constant is longer than 64 bits.
std::optional<Kind> kindOf(const ir::Design& design, std::vector<ir::ClassId> members);

/// Inputs, outputs or variables of all kinds side by side, those of one form at one place.
struct SideBySide {
    struct Donor {
        std::uint32_t kind;
        std::uint32_t own;
    };
    std::vector<Donor> donors;                       ///< of each place a kind that has it
    std::vector<std::vector<std::uint32_t>> places;  ///< by kind and own number
    static constexpr std::uint32_t kNone = UINT32_MAX;
    /// The kind's own number of what stands at a place, or kNone.
    std::uint32_t ownAt(std::uint32_t kind, std::uint32_t place) const;
};
/// By form and name where possible, else in order. `forms`: by kind and own number.
SideBySide sideBySide(const std::vector<std::vector<std::pair<Key, std::string>>>& forms);

/// How a class of several kinds is laid out. A column more than the kinds have tells the kind.
struct Layout {
    SideBySide inputs, outputs, state;
    std::vector<std::uint32_t> firstColumn;  ///< by kind
    std::uint32_t kindColumn = 0;
};
Layout layOut(const ir::Design& design, const std::vector<Kind>& kinds);
/// Does what the instance's kind does.
ir::Body bodyOf(const std::vector<Kind>& kinds, const Layout& layout);

}  // namespace smec::passes
