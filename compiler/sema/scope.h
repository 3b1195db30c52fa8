#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include "ast/ast.h"
#include "hir/design.h"
#include "sema/program.h"

namespace smec::sema {

class Scope;

struct ExprRef {
    ModuleId module;
    ast::ExprId expr;
};

/// A constant value with the type by which it counts. `type`: kUint or kInt for unsized integers
/// (they count by value; kInt when negative), else the declared type.
struct TypedValue {
    hir::Value value;
    hir::TypeId type;
};

/// A constant, evaluated when first asked for (order of declarations does not matter; a cycle is an
/// error).
struct ConstSymbol {
    const ast::ConstDecl* decl =
        nullptr;  ///< null for parameters, generate indices and the like: `value` is set then
    const Scope* scope = nullptr;  ///< where decl's expressions are looked up
    enum class State : std::uint8_t { Unevaluated, Busy, Done, Failed } state = State::Unevaluated;
    bool perInstance = false;  ///< a const parameter of the process, or computed from one
    TypedValue value;
};
struct TypeSymbol {  ///< alias, struct, bus type or enum; resolved when first asked for
    const ast::TypeDecl* decl = nullptr;
    const ast::EnumDecl* enumDecl = nullptr;
    const Scope* scope = nullptr;
    enum class State : std::uint8_t { Unresolved, Busy, Done, Failed } state = State::Unresolved;
    hir::TypeId type;                   ///< alias (of a value type), struct, enum
    std::optional<hir::ShapeId> shape;  ///< bus type (or alias of one)
    std::vector<hir::Value> defaults;   ///< of a bus type's fields
    std::vector<ExprRef>
        dependencies;  ///< constants of the instance on which it depends, in `scope`
};
struct FuncSymbol {
    const ast::FuncDecl* decl = nullptr;
    const ast::ExternFunc* external = nullptr;
    const Scope* scope = nullptr;
};
struct EntitySymbol {  ///< exactly one of the two is set
    const ast::ProcDecl* process = nullptr;
    const ast::NetworkDecl* network = nullptr;
    ModuleId module;
};
struct ModuleSymbol {
    ModuleId module;
};  ///< import … as name; module invalid: an import that failed, of a module or of a name in one
struct VarSymbol {
    const ast::VarDecl* decl = nullptr;
    hir::VarId var;
};
/// Of the process being checked, or a network's (then an index into elab's own table). Elab adds
/// the port parameters of processes and networks to their scopes and fills in what is connected, so
/// that len(x) and type(x.field) work in structure too.
struct PortSymbol {
    std::uint32_t port = 0;
    hir::ShapeId shape = {};  ///< invalid: not known yet
    bool isArray = false;
    std::vector<std::uint64_t> dimensions = {};  ///< of an array port
};
struct BusSymbol {
    std::uint32_t group = 0;
};  ///< hir::BusGroup
struct InstanceSymbol {
    std::uint32_t handle = 0;
};  ///< elab's own number of a (possibly indexed) instance name

struct Symbol {
    std::string name;
    SourceRange range;  ///< of the declaring identifier
    mutable bool used = false;
    std::variant<ConstSymbol, TypeSymbol, FuncSymbol, EntitySymbol, ModuleSymbol, VarSymbol,
                 PortSymbol, BusSymbol, InstanceSymbol>
        node;
};

/// A name whose import failed. It could have been anything, so that nothing is said of its uses.
inline bool isUnimported(const Symbol& symbol) {
    const auto* from = std::get_if<ModuleSymbol>(&symbol.node);
    return from && !from->module.valid();
}

/// What elab knows about a path that leaves the scope: `a.ping`, `s.status`, `outer.inst.bus`,
/// `w[3].status`.
struct ResolvedPath {
    hir::ShapeId shape;
    std::vector<std::uint64_t> dimensions;  ///< empty: one bus
    std::vector<hir::BusId> buses;          ///< row-major
    bool ownedByChild = false;              ///< a bus of an instance inside this process
};

/// Answers for the instance whose body or declarations are being checked. Implemented by elab.
class PathResolver {
public:
    virtual ~PathResolver() = default;
    /// `path`: a Name / Member / Index chain whose root is no symbol of the process. Reports
    /// (unless `quiet`) and returns nothing when it names no bus. Indices are constant expressions
    /// evaluated in `scope`.
    virtual std::optional<ResolvedPath> resolveBus(ExprRef path, const Scope& scope,
                                                   bool quiet) = 0;
    /// Whether an instance that a path may start from has this name.
    virtual bool isInstance(std::string_view) const { return false; }
};

/// Names of one level, with a link to the level around it. Symbols have stable addresses. Lazily
/// evaluated symbols are written through `const Scope&` by sema only (mutable storage of caches).
class Scope {
public:
    /// `paths`: answers for constant expressions here and in the scopes inside (`len(src)`,
    /// `type(x.v)`); null: what the scope around has.
    Scope(const Scope* parent, ModuleId module, std::unique_ptr<PathResolver> paths = nullptr)
        : parent_(parent), module_(module), paths_(std::move(paths)) {}

    /// Adds a symbol; returns the one already there (and adds nothing) when the name is taken in
    /// this very scope.
    Symbol* add(Symbol symbol, Symbol** existing = nullptr);
    /// Makes a symbol of another scope visible here under its own name (`from … import`); false
    /// when the name is taken.
    bool share(Symbol& symbol);
    Symbol* findHere(std::string_view name) const;
    /// Looks outwards.
    Symbol* find(std::string_view name) const;
    const Scope* parent() const { return parent_; }
    ModuleId module() const { return module_; }
    /// Null: paths to buses are errors.
    PathResolver* paths() const { return paths_ || !parent_ ? paths_.get() : parent_->paths(); }
    /// Names visible from here, for suggestions.
    std::vector<std::string> visibleNames() const;
    /// The enums of this very scope: their members are visible without qualification.
    const std::vector<Symbol*>& enums() const { return enums_; }

private:
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view name) const {
            return std::hash<std::string_view>()(name);
        }
    };
    void index(Symbol& symbol);

    const Scope* parent_;
    ModuleId module_;
    std::unique_ptr<PathResolver> paths_;
    std::unordered_map<std::string, Symbol*, Hash, std::equal_to<>> symbols_;
    std::vector<std::unique_ptr<Symbol>> owned_;
    std::vector<Symbol*> enums_;
};

}  // namespace smec::sema
