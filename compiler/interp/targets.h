#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "interp/expressions.h"

namespace smec::interp {

/// Stores: the value wraps to the type of the place; an index outside fails (or, unchecked, the
/// store does nothing).
class Targets {
public:
    Targets(const Activation& on, Expressions& expressions) : on_(on), expressions_(expressions) {}

    void assign(const hir::Place& place, Value value);

private:
    struct Bits {
        std::uint64_t high, low;
    };
    /// Where the steps so far lead. No slot: an index was outside of its range and checks are off;
    /// what follows is evaluated, and nothing is stored.
    struct Spot {
        Value* slot;
        TypeId type;
        std::optional<Bits> bits{};  ///< of the slot, which nothing follows
    };
    /// A step with the place in front of it, which messages name.
    struct Step {
        const hir::Place& place;
        std::size_t number;
    };
    Spot root(const hir::VarId& var, const hir::Place& place);
    Spot root(const hir::FieldRef& field, const hir::Place& place);
    void follow(const hir::MemberStep& member, const Step& at, Spot& spot);
    void follow(const hir::IndexStep& index, const Step& at, Spot& spot);
    void follow(const hir::BitStep& bit, const Step& at, Spot& spot);
    void follow(const hir::SliceStep& slice, const Step& at, Spot& spot);
    void follow(const hir::IndexedSliceStep& part, const Step& at, Spot& spot);
    void outside(const Value& index, std::uint64_t length, const Step& at, SourceRange range) const;
    std::string textBefore(const Step& at) const;

    const Activation& on_;
    Expressions& expressions_;
};

}  // namespace smec::interp
