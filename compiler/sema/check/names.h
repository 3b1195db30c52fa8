#pragma once

#include "sema/check/context.h"

namespace smec::sema {

class BusPaths;
class WrittenTypes;

/// Names, and what they stand for here.
class Names {
public:
    Names(const CheckContext& in, BusPaths& busPaths, WrittenTypes& writtenTypes)
        : reporter_(in.core.reporter),
          types_(in.core.types()),
          hints_(in.core.hints),
          typeSymbols_(in.core.typeSymbols),
          constantSymbols_(in.core.constantSymbols),
          modules_(in.core.modules),
          scope_(in.scope),
          module_(in.module),
          mode_(in.mode),
          paths_(in.paths),
          uses_(in.uses),
          build_(in.build),
          ports_(in.ports),
          locals_(in.locals),
          nesting_(in.nesting),
          busPaths_(busPaths),
          writtenTypes_(writtenTypes) {}

    Operand name(ast::ExprId id, const std::string& text, SourceRange range);
    Operand symbolOperand(Symbol& symbol, SourceRange range, ast::ExprId id);
    Operand enumMember(Symbol& symbol, const ast::Identifier& member, SourceRange range);
    void reportUnknown(std::string_view name, SourceRange range);
    /// A module-level name, `alias.name`, or null; reports only an unknown name after an alias.
    Symbol* symbolAt(ast::ExprId id, bool& failed);
    Operand notConstant(std::string_view what, std::string_view name, SourceRange range);

private:
    bool reportElsewhere(std::string_view name, SourceRange range);
    std::string nearName(std::string_view name);
    Operand constantSymbol(Symbol& symbol, ast::ExprId id, SourceRange range);
    Operand bareEnumMember(const std::string& text, SourceRange range, bool& found);
    Operand readVar(hir::VarId var, SourceRange range);

    Reporter& reporter_;
    hir::TypeTable& types_;
    Hints& hints_;
    TypeSymbols& typeSymbols_;
    ConstantSymbols& constantSymbols_;
    const ModuleScopes& modules_;
    const Scope& scope_;
    const ast::Module& module_;
    const CheckMode mode_;
    PathResolver* paths_;
    ConstantUses& uses_;
    BodyBuilder& build_;
    Ports& ports_;
    Locals& locals_;
    Nesting& nesting_;
    BusPaths& busPaths_;
    WrittenTypes& writtenTypes_;
};

}  // namespace smec::sema
