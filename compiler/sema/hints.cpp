#include "sema/hints.h"

#include <fmt/format.h>

#include "syntax/foreign_types.h"

namespace smec::sema {

std::string Hints::suggestion(const Scope& scope, std::string_view name,
                              std::vector<std::string> more) {
    if (reporter_.isQuiet() || !reporter_.mayAdvise()) return "";
    if (std::string hint = syntax::nameHint(name); !hint.empty()) return hint;
    std::vector<std::string> candidates = scope.visibleNames();
    candidates.insert(candidates.end(), std::make_move_iterator(more.begin()),
                      std::make_move_iterator(more.end()));
    std::string nearest = nearestName(name, candidates);
    return nearest.empty() ? "" : "; did you mean '" + nearest + "'?";
}

void Hints::reportUnknownType(const Scope& scope, std::string_view name, SourceRange range) {
    const auto hint = [&] {
        if (const std::string native = syntax::nativeType(name); !native.empty())
            return "; write '" + native + "'";
        return importHint(scope.module(), name, NameKind::Type, suggestion(scope, name));
    };
    reporter_.reportUnknownWith(hint, DiagId::UnknownType, range, name);
}

std::string hintAmong(std::string_view name, const std::vector<std::string>& names) {
    constexpr std::size_t kFew = 6;
    const std::string nearest = nearestName(name, names);
    if (!nearest.empty()) return "; did you mean '" + nearest + "'?";
    if (names.empty() || names.size() > kFew) return "";
    std::string text = "; it has '" + names.front() + "'";
    for (std::size_t i = 1; i < names.size(); ++i)
        text += (i + 1 < names.size() ? ", '" : " and '") + names[i] + "'";
    return text;
}

namespace {

bool isOf(const Symbol& symbol, NameKind kind) {
    switch (kind) {
    case NameKind::Entity: return std::holds_alternative<EntitySymbol>(symbol.node);
    case NameKind::Function: return std::holds_alternative<FuncSymbol>(symbol.node);
    case NameKind::Type: return std::holds_alternative<TypeSymbol>(symbol.node);
    case NameKind::Value: return std::holds_alternative<ConstSymbol>(symbol.node);
    }
    return false;
}

}  // namespace

std::string Hints::importHint(ModuleId from, std::string_view name, NameKind kind,
                              std::string near) {
    if (reporter_.isQuiet() || !reporter_.mayAdvise()) return near;
    const Scope& scope = modules_.scope(from);
    for (const ast::Decl& decl : modules_.module(from).decls) {
        const auto* import = std::get_if<ast::Import>(&decl.node);
        if (!import || !import->names.empty()) continue;
        const std::string& alias = (import->alias ? *import->alias : import->path.back()).text;
        const Symbol* symbol = scope.findHere(alias);
        const auto* imported = symbol ? std::get_if<ModuleSymbol>(&symbol->node) : nullptr;
        if (!imported || !imported->module.valid()) continue;
        const Symbol* found = modules_.exported(imported->module, name);
        if (found && isOf(*found, kind)) return fmt::format("; write '{}.{}'", alias, name);
    }
    if (!near.empty()) return near;
    const std::string module = library_.moduleOf(name, kind);
    return module.empty() ? "" : fmt::format("; write 'from {} import {};' first", module, name);
}

}  // namespace smec::sema
