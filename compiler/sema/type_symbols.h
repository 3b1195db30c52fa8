#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sema/context.h"

namespace smec::sema {

struct Core;
class ConstantChecker;

/// Named types, resolved when first asked for.
class TypeSymbols {
public:
    explicit TypeSymbols(Core& core) : core_(core) {}

    /// Resolves the symbol when that was not done yet; false after an error.
    bool resolve(Symbol& symbol);
    /// The symbol that a written type names; reports and returns null when there is none. Not for
    /// built-in types.
    Symbol* named(const std::vector<ast::Identifier>& path, const Scope& scope);

    struct EnumHit {
        const Symbol* symbol;
        const hir::EnumMember* member;
        hir::TypeId type;
    };
    /// Enum members of this name that are visible without qualification.
    std::vector<EnumHit> enumMembers(const Scope& scope, std::string_view name);

private:
    Symbol* exported(const ModuleSymbol& from, const std::vector<ast::Identifier>& path);
    bool resolveEnum(Symbol& symbol);
    bool resolveDeclared(Symbol& symbol);
    bool resolveStruct(Symbol& symbol, const ast::StructType& node, ConstantChecker& checker);
    bool resolveAlias(Symbol& symbol, const ast::AliasType& node, ConstantChecker& checker);

    Core& core_;
};

/// Members of the enums visible from here.
std::vector<std::string> memberNames(const Scope& scope);

/// What a symbol is, for messages: "a type", "a variable".
std::string_view kindOf(const Symbol& symbol);

/// u8, i3, bool, f64, uint …; `isReserved` is set for words of that form, also when the width is
/// wrong.
std::optional<hir::TypeId> builtinType(hir::TypeTable& types, std::string_view name,
                                       bool& isReserved);

}  // namespace smec::sema
