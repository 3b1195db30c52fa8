#pragma once

#include "sema/check/context.h"

namespace smec::sema {

class Constants;
class Expressions;
class Judgements;

/// Bits of an integer, numbered from 0.
struct BitRange {
    std::uint32_t high;
    std::uint32_t low;
};

/// Bits from `low` on, which may be known only while the simulation runs.
struct IndexedBits {
    Operand low;
    std::uint32_t width;
    /// Nothing where the first bit may differ from instance to instance, or later.
    std::optional<BitRange> known() const;
};

/// Indices and bounds of slices, tested against what they select from.
class Indices {
public:
    Indices(const CheckContext& in, Expressions& expressions, Constants& constants,
            Judgements& judgements)
        : reporter_(in.core.reporter),
          types_(in.core.types()),
          module_(in.module),
          uses_(in.uses),
          build_(in.build),
          nesting_(in.nesting),
          expressions_(expressions),
          constants_(constants),
          judgements_(judgements) {}

    /// An index below `count`, tested when it is constant.
    std::optional<Operand> checked(ast::ExprId expr, std::uint64_t count, const std::string& what,
                                   std::string_view unit);
    hir::ExprId use(Operand& index, std::uint64_t count);
    std::optional<BitRange> sliceBounds(const ast::Slice& node, std::uint32_t width,
                                        const std::string& what);
    std::optional<IndexedBits> indexedBits(const ast::IndexedSlice& node, std::uint32_t width,
                                           const std::string& what);

private:
    /// An integer, as an index has to be.
    std::optional<Operand> value(ast::ExprId expr);

    Reporter& reporter_;
    hir::TypeTable& types_;
    const ast::Module& module_;
    ConstantUses& uses_;
    BodyBuilder& build_;
    Nesting& nesting_;
    Expressions& expressions_;
    Constants& constants_;
    Judgements& judgements_;
};

}  // namespace smec::sema
