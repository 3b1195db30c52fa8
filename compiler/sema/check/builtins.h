#pragma once

#include "sema/check/context.h"

namespace smec::sema {

class Constants;
class Conversions;
class Expressions;
class Names;

/// Whether a built-in function is called with that many arguments by place; reports when not.
bool takes(Reporter& reporter, std::string_view name, const ast::Call& node, std::size_t count,
           SourceRange range);

/// Calls of built-in functions.
class Builtins {
public:
    Builtins(const CheckContext& in, Names& names, Expressions& expressions,
             Conversions& conversions, Constants& constants)
        : reporter_(in.core.reporter),
          types_(in.core.types()),
          mode_(in.mode),
          kind_(in.kind),
          build_(in.build),
          ports_(in.ports),
          nesting_(in.nesting),
          names_(names),
          expressions_(expressions),
          conversions_(conversions),
          constants_(constants) {}

    Operand builtinCall(const std::string& name, const ast::Call& node, SourceRange range,
                        bool& known);

private:
    Operand integerArgument(std::string_view name, ast::ExprId argument, bool boolToo = false);
    Operand foldOrEmit(hir::Builtin builtin, std::vector<Operand> arguments, std::uint32_t count,
                       hir::TypeId type, Interval interval, SourceRange range);
    Operand lengthOf(const ast::Call& node, SourceRange range);
    Operand clog2(const ast::Call& node, SourceRange range);
    Operand concatenation(const ast::Call& node, SourceRange range);
    Operand repetition(const ast::Call& node, SourceRange range);
    Operand extreme(hir::Builtin builtin, const ast::Call& node, SourceRange range);
    Operand bitCount(hir::Builtin builtin, const ast::Call& node, SourceRange range);
    Operand clock(hir::Builtin builtin, const ast::Call& node, SourceRange range);

    Reporter& reporter_;
    hir::TypeTable& types_;
    const CheckMode mode_;
    const hir::ProcKind kind_;
    BodyBuilder& build_;
    Ports& ports_;
    Nesting& nesting_;
    Names& names_;
    Expressions& expressions_;
    Conversions& conversions_;
    Constants& constants_;
};

}  // namespace smec::sema
