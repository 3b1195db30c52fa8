#pragma once

#include "lower/body/writer.h"

namespace smec::lower {

/// Constants, and values brought to a type, after the checks they need.
class Numbers {
public:
    Numbers(Context& context, ir::Body& body, Writer& writer)
        : context_(context), body_(body), builder_(writer.builder()), writer_(writer) {}

    ir::ExprId integer(const ir::Integer& value) { return builder_.constant(value); }
    std::uint32_t widthOf(hir::TypeId type) const;
    ir::ExprId constantOf(const hir::Value& value, hir::TypeId type);
    ir::ExprId constantOf(const ir::Constant& value, ir::ExprType type);
    /// Whether it is one of low … high.
    ir::ExprId within(ir::ExprId value, const ir::Integer& low, const ir::Integer& high);
    /// The first of some bits of an integer, after its check; `inside`: whether all of them are
    /// there, which without checks it may be asked.
    struct FirstBit {
        ir::ExprId index;
        ir::ExprId inside;
    };
    FirstBit firstBit(ir::ExprId index, std::uint32_t width, std::uint32_t bits,
                      const std::string& subject, SourceRange range);
    /// What the type holds after the value was stored: wrapped; ranged: fails outside.
    ir::ExprId fit(ir::ExprId value, hir::TypeId type, SourceRange range);
    ir::ExprId castToFloat(ir::ExprId value, ir::ExprType to);

private:
    Context& context_;
    ir::Body& body_;
    ir::Builder& builder_;
    Writer& writer_;
};

}  // namespace smec::lower
