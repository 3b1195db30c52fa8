#pragma once

#include "lower/body/context.h"

namespace smec::lower {

class Parts;
class Scalars;
class SourceTexts;

/// Stores to places, and copies of structs and arrays.
class Stores {
public:
    Stores(const BodyContext& in, Scalars& scalars, Parts& parts, SourceTexts& sourceTexts)
        : context_(in.context),
          source_(in.source),
          body_(in.body),
          builder_(in.builder),
          writer_(in.writer),
          numbers_(in.numbers),
          scalars_(scalars),
          parts_(parts),
          sourceTexts_(sourceTexts) {}

    void storeValue(const Part& to, hir::ExprId value, SourceRange range);
    void storeLiteral(const Part& to, hir::ExprId value, SourceRange range);
    void storeDefault(const Part& to, SourceRange range);
    void copy(Part to, Part from, SourceRange range);
    void assign(const hir::Assign& node, SourceRange range);

private:
    void assignAggregate(const hir::Assign& node, SourceRange range);
    bool storeDirectly(const hir::Assign& node);
    void storeScalar(const Part& to, ir::ExprId value, SourceRange range);
    bool reads(const ir::Block& block, const std::vector<ir::LocalId>& locals) const;
    void copyLeaf(const Part& to, const Part& from, std::uint32_t leaf, SourceRange range);
    bool copyWhole(const Part& to, const Part& from, std::uint32_t leaf, SourceRange range);
    void copyElements(const Part& to, const Part& from, std::uint32_t leaf, SourceRange range);
    /// Up to the first bit or slice; `steps` becomes its number (or that of all steps).
    Part target(const hir::Place& place, std::size_t& steps);
    bool follow(Part& to, const hir::Place& place, std::size_t number);
    ir::ExprId replaceBits(const Part& to, ir::ExprId& inside, const hir::Place& place,
                           std::size_t step, ir::ExprId value);
    ir::ExprId withBits(ir::ExprId old, const ir::Scalar& type, const hir::SliceStep& slice,
                        ir::ExprId value);
    ir::ExprId withBits(ir::ExprId old, ir::ExprId low, std::uint32_t width, ir::ExprId value);
    bool isLiteral(hir::ExprId id) const;

    Context& context_;
    const hir::Body& source_;
    ir::Body& body_;
    ir::Builder& builder_;
    Writer& writer_;
    Numbers& numbers_;
    Scalars& scalars_;
    Parts& parts_;
    SourceTexts& sourceTexts_;
};

}  // namespace smec::lower
