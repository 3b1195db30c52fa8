#include <algorithm>
#include <map>
#include <unordered_set>

#include "sema/check/constant_checker.h"
#include "sema/operand_types.h"
#include "source/overloaded.h"

namespace smec::sema {

using hir::TypeId;
using hir::TypeTable;

std::optional<TypeId> builtinType(TypeTable& types, std::string_view name, bool& isReserved) {
    static constexpr std::pair<std::string_view, TypeId> kFixed[] = {{"bool", TypeTable::kBool},
                                                                     {"int", TypeTable::kInt},
                                                                     {"uint", TypeTable::kUint},
                                                                     {"f32", TypeTable::kF32},
                                                                     {"f64", TypeTable::kF64}};
    isReserved = true;
    for (const auto& [word, type] : kFixed)
        if (name == word) return type;
    bool hasForm = name.size() > 1 && (name[0] == 'u' || name[0] == 'i')
                   && name.find_first_not_of("0123456789", 1) == std::string_view::npos;
    isReserved = hasForm;
    if (!hasForm || name[1] == '0' || name.size() > 6) return std::nullopt;
    std::uint32_t width = 0;
    for (char digit : name.substr(1))
        width = width * 10 + static_cast<std::uint32_t>(digit - '0');
    if (width > kMaxBits) return std::nullopt;
    return types.integer(width, name[0] == 'i');
}

std::string_view kindOf(const Symbol& symbol) {
    return smec::visit(
        Overloaded{[](const ConstSymbol&) { return "a constant"; },
                   [](const TypeSymbol&) { return "a type"; },
                   [](const FuncSymbol&) { return "a function"; },
                   [](const EntitySymbol& e) { return e.network ? "a network" : "a process"; },
                   [](const ModuleSymbol&) { return "a module"; },
                   [](const VarSymbol&) { return "a variable"; },
                   [](const PortSymbol&) { return "a port"; },
                   [](const BusSymbol&) { return "a bus"; },
                   [](const InstanceSymbol&) { return "an instance"; }},
        symbol.node);
}

// ---------------------------------------------------------------- declared types

namespace {

/// Whether a type of the same name stands further outside.
bool hidesType(const Symbol& symbol, const Scope& scope) {
    for (const Scope* at = &scope; at; at = at->parent()) {
        const Symbol* found = at->findHere(symbol.name);
        if (found && found != &symbol) return std::holds_alternative<TypeSymbol>(found->node);
    }
    return false;
}

}  // namespace

/// `module.type`
Symbol* TypeSymbols::exported(const ModuleSymbol& from, const std::vector<ast::Identifier>& path) {
    Symbol* symbol = core_.modules.exported(from.module, path[1].text);
    if (symbol) {
        symbol->used = true;
        return symbol;
    }
    core_.reporter.report(DiagId::UnknownImport, path[1].range, path[0].text, path[1].text,
                          core_.hints.suggestion(core_.modules.scope(from.module), path[1].text));
    return nullptr;
}

Symbol* TypeSymbols::named(const std::vector<ast::Identifier>& path, const Scope& scope) {
    Symbol* symbol = scope.find(path.front().text);
    if (!symbol) {
        core_.hints.reportUnknownType(scope, path.front().text, path.front().range);
        return nullptr;
    }
    symbol->used = true;
    if (isUnimported(*symbol)) return nullptr;
    if (path.size() > 1) {
        const ModuleSymbol* from = std::get_if<ModuleSymbol>(&symbol->node);
        if (!from || path.size() > 2) {
            core_.reporter.report(DiagId::NotAType, path.front().range, path.front().text,
                                  from ? "a module" : kindOf(*symbol));
            return nullptr;
        }
        symbol = exported(*from, path);
        if (!symbol) return nullptr;
    }
    if (std::holds_alternative<TypeSymbol>(symbol->node)) return symbol;
    if (path.size() == 1 && hidesType(*symbol, scope)) {
        core_.reporter.report(DiagId::HiddenType, symbol->range, symbol->name, symbol->name);
        return nullptr;
    }
    core_.reporter.report(DiagId::NotAType, path.back().range, path.back().text, kindOf(*symbol));
    return nullptr;
}

bool TypeSymbols::resolve(Symbol& symbol) {
    TypeSymbol& type = std::get<TypeSymbol>(symbol.node);
    using State = TypeSymbol::State;
    if (type.state == State::Done) return true;
    if (type.state == State::Failed) return false;
    if (type.state == State::Busy) {
        core_.reporter.report(DiagId::TypeCycle, symbol.range, symbol.name);
        return false;
    }
    type.state = State::Busy;
    bool ok = type.enumDecl ? resolveEnum(symbol) : resolveDeclared(symbol);
    type.state = ok ? State::Done : core_.reporter.isQuiet() ? State::Unresolved : State::Failed;
    return ok;
}

bool TypeSymbols::resolveEnum(Symbol& symbol) {
    TypeSymbol& type = std::get<TypeSymbol>(symbol.node);
    ConstantChecker checker(core_, *type.scope);
    hir::EnumType result{symbol.name, symbol.range, 1, false, {}};
    std::unordered_set<std::string_view> names;
    std::map<hir::Integer, std::string_view> values;
    hir::Integer next = 0;
    bool ok = true;
    for (const ast::EnumMember& member : type.enumDecl->members) {
        if (member.value.valid()) {
            auto value = checker.integer(member.value, "the value of an enum member");
            if (!value)
                ok = false;
            else
                next = *value;
        }
        const auto [same, isNewValue] = values.try_emplace(next, member.name.text);
        if (!names.insert(member.name.text).second) {
            core_.reporter.report(DiagId::MemberTwice, member.name.range, symbol.name,
                                  member.name.text);
            ok = false;
        } else if (!isNewValue) {
            core_.reporter.report(DiagId::EnumValueTwice, member.name.range, same->second,
                                  member.name.text, symbol.name, next.str());
            ok = false;
        }
        result.members.push_back({member.name.text, next++});
    }
    for (const hir::EnumMember& member : result.members)
        result.isSigned |= member.value < 0;
    for (const hir::EnumMember& member : result.members)
        result.width = std::max(result.width, hir::bitsFor(member.value)
                                                  + (result.isSigned && member.value >= 0 ? 1 : 0));
    type.dependencies = checker.dependencies();
    if (!ok || result.members.empty()) return false;
    type.type = core_.types().enumeration(std::move(result));
    return true;
}

bool TypeSymbols::resolveDeclared(Symbol& symbol) {
    TypeSymbol& type = std::get<TypeSymbol>(symbol.node);
    ConstantChecker checker(core_, *type.scope);
    bool ok = smec::visit(
        Overloaded{[&](const ast::AliasType& n) { return resolveAlias(symbol, n, checker); },
                   [&](const ast::StructType& n) { return resolveStruct(symbol, n, checker); },
                   [&](const ast::BusType& n) {
                       auto shape = core_.busTypes.shapeOf(n.fields, checker, type.defaults);
                       if (shape) type.shape = core_.busTypes.intern(std::move(*shape));
                       return shape.has_value();
                   }},
        type.decl->node);
    type.dependencies = checker.dependencies();
    return ok;
}

bool TypeSymbols::resolveAlias(Symbol& symbol, const ast::AliasType& node,
                               ConstantChecker& checker) {
    TypeSymbol& type = std::get<TypeSymbol>(symbol.node);
    const ast::NamedType* written = std::get_if<ast::NamedType>(&node.target.node);
    bool isReserved = false;
    bool isBuiltin =
        written && written->path.size() == 1
        && (builtinType(core_.types(), written->path[0].text, isReserved) || isReserved);
    if (written && !isBuiltin) {
        Symbol* target = named(written->path, *type.scope);
        if (!target || !resolve(*target)) return false;
        const TypeSymbol& other = std::get<TypeSymbol>(target->node);
        if (other.shape) {
            type.shape = other.shape;
            type.defaults = other.defaults;
            checker.dependOn(other);
            return true;
        }
    }
    type.type = checker.resolveType(node.target);
    return !core_.types().isError(type.type);
}

bool TypeSymbols::resolveStruct(Symbol& symbol, const ast::StructType& node,
                                ConstantChecker& checker) {
    hir::StructType result{symbol.name, symbol.range, {}};
    std::unordered_set<std::string_view> seen;
    bool ok = true;
    for (const ast::FieldDecl& field : node.fields) {
        if (field.hold || field.flip || field.init.valid())
            core_.reporter.report(DiagId::MemberProperty, field.range,
                                  field.hold   ? "hold"
                                  : field.flip ? "flip"
                                               : "=");
        if (!seen.insert(field.name.text).second) {
            core_.reporter.report(DiagId::MemberTwice, field.name.range, symbol.name,
                                  field.name.text);
            ok = false;
        }
        TypeId type = checker.resolveType(field.type);
        ok &= !core_.types().isError(type);
        result.members.push_back({field.name.text, type});
    }
    if (!ok) return false;
    TypeId type = core_.types().structure(std::move(result));
    if (core_.types().leafCount(type) > core_.limits.leaves) {
        core_.reporter.report(DiagId::ArrayTooLarge, symbol.range, core_.types().leafCount(type),
                              core_.limits.leaves);
        return false;
    }
    std::get<TypeSymbol>(symbol.node).type = type;
    return true;
}

std::vector<TypeSymbols::EnumHit> TypeSymbols::enumMembers(const Scope& from,
                                                           std::string_view name) {
    std::vector<EnumHit> hits;
    for (const Scope* scope = &from; scope; scope = scope->parent()) {
        for (Symbol* symbol : scope->enums()) {
            if (from.find(symbol->name) != symbol || !resolve(*symbol)) continue;
            hir::TypeId type = std::get<TypeSymbol>(symbol->node).type;
            const hir::EnumType* enumeration = core_.types().as<hir::EnumType>(type);
            if (!enumeration) continue;
            if (const auto number = enumeration->memberNamed(name))
                hits.push_back({symbol, &enumeration->members[*number], type});
        }
    }
    return hits;
}

std::vector<std::string> memberNames(const Scope& from) {
    std::vector<std::string> names;
    for (const Scope* scope = &from; scope; scope = scope->parent())
        for (const Symbol* symbol : scope->enums())
            for (const ast::EnumMember& member :
                 std::get<TypeSymbol>(symbol->node).enumDecl->members)
                names.push_back(member.name.text);
    return names;
}

}  // namespace smec::sema
