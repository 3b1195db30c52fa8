#include "sema/module_scopes.h"

#include <algorithm>

namespace smec::sema {

ModuleScopes::ModuleScopes(const Program& program) : program_(program) {
    for (std::uint32_t i = 0; i < program.modules.size(); ++i)
        scopes_.push_back(std::make_unique<Scope>(nullptr, ModuleId{i}));
}

Symbol* ModuleScopes::exported(ModuleId id, std::string_view name) const {
    Symbol* symbol = scope(id).findHere(name);
    const bool isOwn = symbol && symbol->range.file == module(id).file
                       && !std::holds_alternative<ModuleSymbol>(symbol->node);
    return isOwn ? symbol : nullptr;
}

const ast::Decl* ModuleScopes::declarationAt(SourceRange place) const {
    for (const Program::Entry& entry : program_.modules) {
        if (entry.ast.file != place.file) continue;
        const auto& decls = entry.ast.decls;
        const auto next = std::upper_bound(
            decls.begin(), decls.end(), place.begin,
            [](std::uint32_t at, const ast::Decl& decl) { return at < decl.range.begin; });
        return next == decls.begin() ? nullptr : &*std::prev(next);
    }
    return nullptr;
}

}  // namespace smec::sema
