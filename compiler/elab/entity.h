#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "sema/context.h"

namespace smec::elab {

enum class EntityKind : std::uint8_t { Process, Network };

/// A bus parameter of an entity.
struct PortParam {
    const ast::Param* ast;
    bool isOut = false;
    bool depends = false;  ///< its type or size mentions declarations of the entity
};

/// A const parameter. `depends`: its type or default mentions other parameters or declarations of
/// the entity, so that it is evaluated in the scope of each instance; else `type` and `fallback`
/// are the same for all instances.
struct ConstParam {
    const ast::Param* ast;
    bool depends = false;
    bool resolved = false;  ///< `type` and `fallback` were computed
    hir::TypeId type;       ///< kError for an untyped parameter or after an error
    bool failed = false;
    std::optional<sema::TypedValue> fallback;  ///< value of the default
};

/// What all instances of a process or network have in common: found once per declaration.
struct Entity {
    EntityKind kind = EntityKind::Process;
    std::string_view name;
    SourceRange range;
    sema::ModuleId module;
    const ast::ProcDecl* process = nullptr;
    const ast::NetworkDecl* network = nullptr;
    const std::vector<ast::Param>* params = nullptr;
    const std::vector<ast::Decl>* decls = nullptr;

    std::vector<PortParam> ports;
    std::vector<ConstParam> constants;
    std::vector<const ast::BusDecl*> buses;  ///< declared directly in it, in order
    bool hasInterior = false;                ///< holds instances or generates
    bool isReusable =
        true;  ///< its scope holds nothing but values, so that one serves all instances
    bool constantsNeedPorts = false;   ///< a const parameter's type or default mentions a port
    bool structureNeedsPorts = false;  ///< buses, bounds or constants mention a port
    bool busesDepend = false;          ///< buses mention parameters or declarations of the entity
    bool initialsDepend = false;       ///< so do initial values of the process variables
    std::unordered_set<std::string_view> locals;  ///< names of its parameters and declarations

    /// A port's type or size mentions a declaration of the entity: then the constants come first.
    bool portsDepend() const;
    bool isProcess() const { return kind == EntityKind::Process; }
};

/// Entities by declaration.
class EntityTable {
public:
    explicit EntityTable(const sema::Program& program) : program_(program) {}

    Entity& of(const sema::EntitySymbol& symbol);

private:
    void describe(Entity& entity) const;
    void describeParams(Entity& entity, const ast::Module& module) const;

    const sema::Program& program_;
    std::unordered_map<const void*, std::unique_ptr<Entity>> entities_;
};

}  // namespace smec::elab
