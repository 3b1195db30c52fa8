#pragma once

#include "lower/body/context.h"

namespace smec::lower {

class Parts;
class Scalars;

/// Texts of traces and assertions.
class Texts {
public:
    Texts(const BodyContext& in, Scalars& scalars, Parts& parts)
        : context_(in.context),
          source_(in.source),
          builder_(in.builder),
          writer_(in.writer),
          numbers_(in.numbers),
          scalars_(scalars),
          parts_(parts) {}

    void lower(const hir::Trace& node, SourceRange range);
    void lower(const hir::Assert& node, SourceRange range);

private:
    ir::TraceSite text(const hir::Text& text, std::vector<ir::ExprId>& args);
    std::optional<std::string> constantText(hir::ExprId id, const hir::FormatSpec& spec) const;
    void argument(hir::TypeId type, ir::ExprId value, const hir::FormatSpec& spec,
                  ir::TraceSite& site, std::vector<ir::ExprId>& args);
    void argument(const Part& part, const hir::FormatSpec& spec, ir::TraceSite& site,
                  std::vector<ir::ExprId>& args);
    ir::ArgFormat formatOf(hir::TypeId type, ir::ExprId value);

    Context& context_;
    const hir::Body& source_;
    ir::Builder& builder_;
    Writer& writer_;
    Numbers& numbers_;
    Scalars& scalars_;
    Parts& parts_;
};

}  // namespace smec::lower
