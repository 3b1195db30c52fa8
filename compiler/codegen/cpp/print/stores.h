#pragma once

#include "codegen/cpp/print/expression.h"

namespace smec::codegen::cpp {

/// Whether the statement declares what it sets.
inline bool isDeclaredBy(const BodyInfo& info, const ir::Stmt& stmt, ir::LocalId local) {
    return info.locals[local.index].declaredBy == stmt.id;
}

/// Prints the statements that set locals.
class Stores {
public:
    Stores(const BodyInfo& info, const Leaves& leaves, Expressions& expr, Writer& out)
        : info_(info), leaves_(leaves), expr_(expr), out_(out) {}

    void print(const ir::Set& s, const ir::Stmt& stmt);
    void print(const ir::CopyArray& s);
    void print(const ir::FillArray& s);

private:
    Value stored(ir::ExprId id, ir::LocalId to) const;
    const std::string& nameOfLocal(ir::LocalId id) const { return leaves_.locals[id.index].name; }

    const BodyInfo& info_;
    const Leaves& leaves_;
    Expressions& expr_;
    Writer& out_;
};

}  // namespace smec::codegen::cpp
