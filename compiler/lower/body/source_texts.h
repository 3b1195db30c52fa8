#pragma once

#include "lower/body/context.h"

namespace smec::lower {

/// Expressions and places as reports name them.
class SourceTexts {
public:
    explicit SourceTexts(const BodyContext& in)
        : context_(in.context), shape_(in.shape), source_(in.source) {}

    std::string nameOf(hir::ExprId id) const;
    std::string subjectOf(hir::ExprId id) const;
    std::string placeText(const hir::Place& place, std::size_t steps) const;

private:
    std::string textOf(hir::ExprId id) const;  ///< source text, if at hand
    std::string stepText(const hir::PlaceStep& step, hir::TypeId& type) const;

    Context& context_;
    const ClassShape& shape_;
    const hir::Body& source_;
};

}  // namespace smec::lower
