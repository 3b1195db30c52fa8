#include "elab/entity.h"

#include <algorithm>

#include "ast/names.h"
#include "elab/names_used.h"
#include "source/overloaded.h"

namespace smec::elab {

namespace {

/// Name of a declaration, empty for generates.
std::string_view nameOf(const ast::Decl& decl) {
    return smec::visit(
        [](const auto& node) -> std::string_view {
            if constexpr (requires { node.name.text; }) {
                return node.name.text;
            } else {
                return {};
            }
        },
        decl.node);
}

/// True when one of the names that `walk` reports is in `names`.
template <typename Walk>
bool mentions(const std::unordered_set<std::string_view>& names, const Walk& walk) {
    bool found = false;
    walk([&](std::string_view name) { found = found || names.contains(name); });
    return found;
}

}  // namespace

bool Entity::portsDepend() const { return std::ranges::any_of(ports, &PortParam::depends); }

Entity& EntityTable::of(const sema::EntitySymbol& symbol) {
    const void* key = symbol.process;
    if (symbol.network) key = symbol.network;
    std::unique_ptr<Entity>& entity = entities_[key];
    if (entity) return *entity;
    entity = std::make_unique<Entity>();
    entity->module = symbol.module;
    const auto adopt = [&](EntityKind kind, const auto& decl) {
        entity->kind = kind;
        entity->name = decl.name.text;
        entity->range = decl.name.range;
        entity->params = &decl.params;
        entity->decls = &decl.decls;
    };
    if (symbol.process) adopt(EntityKind::Process, *symbol.process);
    if (symbol.network) adopt(EntityKind::Network, *symbol.network);
    entity->process = symbol.process;
    entity->network = symbol.network;
    describe(*entity);
    return *entity;
}

void EntityTable::describe(Entity& entity) const {
    const ast::Module& module = program_.modules[entity.module.index].ast;
    for (const ast::Decl& decl : *entity.decls) {
        const std::string_view name = nameOf(decl);
        const bool isVariable = std::holds_alternative<ast::VarDecl>(decl.node);
        if (!name.empty() && !isVariable) entity.locals.insert(name);
        if (const auto* bus = std::get_if<ast::BusDecl>(&decl.node)) entity.buses.push_back(bus);
        const bool isInner = std::holds_alternative<ast::InstanceDecl>(decl.node)
                             || std::holds_alternative<ast::GenerateFor>(decl.node)
                             || std::holds_alternative<ast::GenerateIf>(decl.node);
        const bool isValue = isVariable || std::holds_alternative<ast::BusDecl>(decl.node)
                             || std::holds_alternative<ast::ConstDecl>(decl.node);
        entity.hasInterior = entity.hasInterior || isInner;
        const bool isType = std::holds_alternative<ast::EnumDecl>(decl.node)
                            || std::holds_alternative<ast::TypeDecl>(decl.node);
        entity.isReusable = entity.isReusable && (isValue || isType);
    }
    describeParams(entity, module);
    const auto typeDepends = [&](const ast::Decl& decl) {
        return mentions(entity.locals, [&](const NameVisitor& visit) {
            namesInStructure(module, {&decl, 1}, visit);
        });
    };
    for (const ast::Decl& decl : *entity.decls) {
        const bool isType = std::holds_alternative<ast::EnumDecl>(decl.node)
                            || std::holds_alternative<ast::TypeDecl>(decl.node);
        if (isType && typeDepends(decl)) entity.isReusable = false;
        const auto depends = [&](const auto& walk) { return mentions(entity.locals, walk); };
        if (const auto* bus = std::get_if<ast::BusDecl>(&decl.node)) {
            entity.busesDepend |=
                depends([&](const NameVisitor& visit) { ast::forEachName(module, *bus, visit); });
        } else if (const auto* variable = std::get_if<ast::VarDecl>(&decl.node)) {
            entity.initialsDepend |= depends(
                [&](const NameVisitor& visit) { ast::forEachName(module, variable->init, visit); });
        }
    }
}

void EntityTable::describeParams(Entity& entity, const ast::Module& module) const {
    std::unordered_set<std::string_view> portNames;
    for (const ast::Param& param : *entity.params) {
        entity.locals.insert(param.name.text);
        if (param.kind == ast::ParamKind::Const) {
            entity.constants.push_back({&param, false, false, {}, false, std::nullopt});
        } else {
            entity.ports.push_back({&param, param.kind == ast::ParamKind::Out, false});
            portNames.insert(param.name.text);
        }
    }
    for (ConstParam& param : entity.constants) {
        const auto walk = [&](const NameVisitor& visit) {
            ast::forEachName(module, param.ast->type, visit);
            ast::forEachName(module, param.ast->defaultValue, visit);
        };
        param.depends = mentions(entity.locals, walk);
        entity.constantsNeedPorts |= mentions(portNames, walk);
    }
    for (PortParam& port : entity.ports) {
        port.depends = mentions(entity.locals, [&](const NameVisitor& visit) {
            ast::forEachName(module, port.ast->type, visit);
            ast::forEachName(module, port.ast->dimensions, visit);
        });
    }
    entity.structureNeedsPorts = mentions(portNames, [&](const NameVisitor& visit) {
        namesInStructure(module, *entity.decls, visit);
    });
}

}  // namespace smec::elab
