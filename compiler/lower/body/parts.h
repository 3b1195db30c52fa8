#pragma once

#include "lower/body/context.h"

namespace smec::lower {

class Calls;
class Scalars;
class SourceTexts;
class Stores;

/// Values that have parts: variables, fields, constants and results, and what lies in them.
class Parts {
public:
    Parts(const BodyContext& in, Scalars& scalars, SourceTexts& sourceTexts, Calls& calls,
          Stores& stores)
        : context_(in.context),
          shape_(in.shape),
          source_(in.source),
          builder_(in.builder),
          writer_(in.writer),
          variables_(in.variables),
          numbers_(in.numbers),
          scalars_(scalars),
          sourceTexts_(sourceTexts),
          calls_(calls),
          stores_(stores) {}

    Part part(hir::ExprId id);
    Part variable(hir::VarId var);
    Part field(std::uint32_t port, std::uint32_t field, hir::ExprId element, bool written,
               SourceRange range);
    Part element(Part base, ir::ExprId index, SourceRange range, const std::string& subject);
    Part member(Part base, std::uint32_t member);
    Part elementAt(const Part& base, std::uint64_t index);
    Part ownPart(hir::ExprId id);
    const Leaf& leafOf(const Part& part, std::uint32_t offset);
    std::uint64_t remaining(const Part& part,
                            const Leaf& leaf) const;  ///< elements of the leaf within the part
    /// Place of the part's first element within the leaf; invalid for scalars.
    ir::ExprId offsetOf(const Part& part, const Leaf& leaf);

    ir::ExprId read(const Part& part, std::uint32_t leaf = 0, ir::ExprId within = {});
    /// Of an array or struct that is evaluated next: the place that it goes to. Returns the one
    /// before.
    SourceRange storeAt(SourceRange place) { return std::exchange(storedAt_, place); }

private:
    ir::ExprId usedIndex(const hir::Port& port, const hir::ElementSet& used, ir::ExprId element);
    void selectElement(Part& part, const hir::Port& port, const hir::ElementSet& used,
                       hir::ExprId element, SourceRange range);
    /// The index, in range after a check; unchecked: 0 where it is not, and `inside` says so.
    ir::ExprId indexBelow(ir::ExprId index, std::uint64_t count, SourceRange range,
                          const std::string& subject, ir::ExprId& inside);
    ir::ExprId shortIndex(ir::ExprId index);
    Part constant(const hir::Value& value, hir::ExprId id) const;
    Part materialise(hir::ExprId id);
    ir::ExprId readFixed(const Part::Fixed& root, const Part& part, std::uint32_t leaf,
                         ir::ExprId index);
    ir::ExprId readPerInstance(const ConstantSource& constant, std::uint32_t leaf,
                               ir::ExprType type, ir::ExprId index);

    Context& context_;
    const ClassShape& shape_;
    const hir::Body& source_;
    ir::Builder& builder_;
    Writer& writer_;
    Variables& variables_;
    Numbers& numbers_;
    Scalars& scalars_;
    SourceTexts& sourceTexts_;
    Calls& calls_;
    Stores& stores_;
    SourceRange storedAt_{};
};

}  // namespace smec::lower
