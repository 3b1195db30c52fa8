#include "sema/scope.h"

#include <algorithm>

namespace smec::sema {

void Scope::index(Symbol& symbol) {
    const TypeSymbol* type = std::get_if<TypeSymbol>(&symbol.node);
    if (type && type->enumDecl) enums_.push_back(&symbol);
}

Symbol* Scope::add(Symbol symbol, Symbol** existing) {
    if (Symbol* known = findHere(symbol.name)) {
        if (existing) *existing = known;
        return known;
    }
    Symbol& added = *owned_.emplace_back(std::make_unique<Symbol>(std::move(symbol)));
    symbols_.emplace(added.name, &added);
    index(added);
    return &added;
}

bool Scope::share(Symbol& symbol) {
    auto [place, isNew] = symbols_.try_emplace(symbol.name, &symbol);
    if (isNew) index(symbol);
    return isNew || place->second == &symbol;
}

Symbol* Scope::findHere(std::string_view name) const {
    auto found = symbols_.find(name);
    return found == symbols_.end() ? nullptr : found->second;
}

Symbol* Scope::find(std::string_view name) const {
    for (const Scope* scope = this; scope; scope = scope->parent_)
        if (Symbol* symbol = scope->findHere(name)) return symbol;
    return nullptr;
}

std::vector<std::string> Scope::visibleNames() const {
    std::vector<std::string> names;
    for (const Scope* scope = this; scope; scope = scope->parent_)
        for (const auto& [name, symbol] : scope->symbols_)
            names.push_back(name);
    std::sort(names.begin(), names.end());  // suggestions must not depend on hashing
    return names;
}

}  // namespace smec::sema
