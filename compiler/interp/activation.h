#pragma once

#include <string>

#include "interp/context.h"

namespace smec::interp {

/// What a body runs on: a process's own body, or a function's that is called from it.
struct Activation {
    Context& context;
    Process& process;
    const PreparedBody& prepared;
    Value* vars;  ///< parallel to Body::vars

    const hir::Body& body() const { return *prepared.body; }
    TypeId typeOf(hir::ExprId id) const { return body()[id].type; }
    const TypeFacts& factsOf(hir::ExprId id) const { return context.types[typeOf(id).index]; }
    /// An expression as it stands in the source.
    std::string sourceText(hir::ExprId id) const {
        return std::string(context.sources.text(body()[id].range));
    }
};

}  // namespace smec::interp
