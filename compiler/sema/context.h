#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "ast/ast.h"
#include "diag/diagnostics.h"
#include "hir/design.h"
#include "sema/program.h"
#include "sema/scope.h"

namespace smec::sema {

/// A bus's fields, resolved: an interned shape and one default per field.
struct ResolvedBus {
    hir::ShapeId shape;
    std::vector<hir::Value> defaults;
};

/// A port handed to checkProcess: parameters first, in order, then own buses, in order.
struct PortInput {
    std::string name;
    SourceRange range;
    hir::PortOrigin origin = hir::PortOrigin::Parameter;
    bool isOut = false;  ///< parameters: declared out
    bool isArray = false;
    std::vector<std::uint64_t> dimensions;
    hir::ShapeId shape;
    std::vector<hir::ShapeId> elementShapes{};  ///< as in hir::Port
};

/// How the value of an instance constant decides whether another instance may share the
/// specialisation.
enum class SiteUse : std::uint8_t {
    Value,  ///< it shapes a type, a loop bound, a narrowing, a label …: must be equal
    Width,  ///< an unsized leaf: its smallest type must be equal
    Free    ///< any value; `fits` etc. were checked and must hold for the other instance too
};
/// The operand type that a constant right operand gave to e % c, e / c, e >> c or e & c, and what
/// it was computed from.
struct Narrowing {
    hir::BinaryOp op;
    hir::TypeId joined;      ///< operand type without narrowing: the cap
    hir::Integer low, high;  ///< exact interval of e
    bool unbounded = false;  ///< the interval is beyond all limits
    hir::TypeId result;
};
/// A maximal constant expression of a body that depends on the const parameters of the instance,
/// and what the check relied on.
struct ConstantSite {
    ExprRef expr;  ///< evaluated in the instance's process scope
    SiteUse use = SiteUse::Free;
    hir::Value representative;        ///< its value in the instance that was checked
    std::optional<hir::TypeId> fits;  ///< the value must fit this type
    bool nonZero = false;
    bool nonNegative = false;
    std::optional<std::uint64_t> below;  ///< must be an index below this
    hir::TypeId type;  ///< type by which it counts: its operand type, by value when `unsized`
    bool unsized = false;
    std::optional<Narrowing> narrowing;    ///< must lead to the same operand type again
    std::vector<hir::Value> distinctFrom;  ///< the other labels of the switch
    std::uint32_t constant = UINT32_MAX;   ///< its column in hir::Specialisation::constants; none
                                           ///< when only its shape matters
};

/// A checked process with what is needed to decide whether other instances share it.
struct CheckedProcess {
    hir::Specialisation spec;
    std::vector<ConstantSite> sites;
    std::vector<ExprRef> references;  ///< paths behind the ports of origin Reference, in port order
    std::vector<hir::Value>
        initials;  ///< of the Process variables, in the instance that was checked
    std::vector<bool>
        initialDepends;  ///< parallel: the initialiser is evaluated anew for each instance
    std::vector<hir::TypeId> initialTypes;  ///< parallel
    std::uint32_t columns = 0;  ///< spec.constants.size(), also when `spec` was moved away
};

/// What one program may cost.
struct Limits {
    std::uint64_t steps = 10'000'000;               ///< of one constant evaluation
    std::uint64_t leaves = std::uint64_t{1} << 24;  ///< values in an array
};

/// What options change in the language, for the user's own files.
struct Rules {
    bool unwrittenHold = false;  ///< --unwritten hold: clocked fields keep their values
    bool narrows = false;        ///< --smeil: a store that narrows wraps, with a warning
};

/// One compilation's checking: types, constants and bodies. Owns the module scopes. Writes types,
/// shapes, functions and interned values into the design under construction. Not thread-safe.
class Context {
public:
    Context(const Program& program, const SourceManager& sources, Diagnostics& diagnostics,
            hir::Design& design, const Rules& rules, const Limits& limits = {});
    ~Context();

    const Program& program() const { return program_; }
    Diagnostics& diagnostics() { return diagnostics_; }
    hir::Design& design() { return design_; }
    const ast::Expr& expr(ExprRef ref) const;

    /// Builds the scopes of all modules (declarations, imports), reports duplicates and unknown
    /// imports, and checks what can be checked without instances: module-level constants, types,
    /// functions (all bodies).
    void checkModules();
    const Scope& moduleScope(ModuleId module) const;

    /// Adds the const, type, enum and func declarations of an entity or generate body to `scope`
    /// (lazily evaluated); reports duplicates. Buses, instances, variables and ports are added by
    /// others.
    void declare(Scope& scope, const std::vector<ast::Decl>& decls);

    /// Evaluates what `declare` added (constants, types, functions), so that mistakes in what
    /// nobody uses are reported too.
    void checkDeclarations(const Scope& scope, const std::vector<ast::Decl>& decls);

    /// Warns of imports, and names of networks and module level, that nothing uses. `hasTop`: the
    /// main file is no library.
    void warnUnused(bool hasTop);
    /// Warns of what was so in every instance checked so far: conditions, casts, indices, loops.
    void reportVerdicts();

    /// Adds a symbol and reports a duplicate (also reserved names). Adding the same declaration
    /// twice is no error.
    Symbol* add(Scope& scope, Symbol symbol);

    // ---- unknown names
    /// Whether nothing was said of the name in this declaration of a module yet.
    bool isNews(SourceRange use, std::string_view name);
    /// "; write 'from std.fifo import fifo;' first": how to get at a process or network of this
    /// name; `near`: the suggestion of a name near to it. Else nothing.
    std::string importHint(ModuleId from, std::string_view entity, std::string near);

    // ---- constants. Each reports what is wrong and returns nothing then.
    std::optional<TypedValue> constant(ExprRef expr, const Scope& scope);
    /// The value, checked to fit `target` ("x = value" rules for constants) and converted (integer
    /// constant to float, scalar fill of arrays, too many array initialisers dropped with a
    /// warning, 'U gives the default).
    std::optional<hir::Value> constantFor(ExprRef expr, const Scope& scope, hir::TypeId target,
                                          std::string_view what);
    /// A non-negative size or index; `what` names it in messages ("array size").
    std::optional<std::uint64_t> size(ExprRef expr, const Scope& scope, std::string_view what);
    std::optional<hir::Integer> integer(ExprRef expr, const Scope& scope, std::string_view what);
    std::optional<bool> condition(ExprRef expr, const Scope& scope);
    /// All of them, of the module of `scope`.
    std::optional<std::vector<std::uint64_t>> sizes(const std::vector<ast::ExprId>& exprs,
                                                    const Scope& scope, std::string_view what);

    // ---- types
    hir::TypeId resolveType(const ast::TypeExpr& type, const Scope& scope);
    /// A bus type by name (typed ports, `bus b: t;`).
    std::optional<ResolvedBus> resolveBusType(const ast::TypeExpr& type, const Scope& scope);
    /// The fields of `bus b { … }` with the bus's own `hold` and delay applied.
    std::optional<ResolvedBus> resolveBus(const ast::BusDecl& bus, const Scope& scope);
    hir::ShapeId internShape(hir::BusShape shape);

    // ---- processes
    /// Checks a body for one representative instance. `scope` is the instance's process scope: its
    /// const parameters (perInstance), port parameters (PortSymbol, numbered as `ports`), declared
    /// names, and own buses (BusSymbol) and inner instances (InstanceSymbol), all added by elab;
    /// variables are not. Its parent is the module scope.
    CheckedProcess checkProcess(const ast::ProcDecl& process, ModuleId module, Scope& scope,
                                const std::vector<PortInput>& ports, PathResolver& paths);

    /// True when the instance with this scope can share `checked`; fills `constants` with the
    /// values of its columns.
    bool matches(const CheckedProcess& checked, const Scope& scope,
                 std::vector<hir::Value>& constants);

    /// Initial values of the process variables for the instance with this scope, in order of the
    /// Process variables.
    std::vector<hir::Value> initialValues(const ast::ProcDecl& process,
                                          const CheckedProcess& checked, const Scope& scope);

    std::uint32_t internValue(const hir::Value& value);
    std::uint32_t internString(std::string_view text);

private:
    struct Impl;
    const Program& program_;
    Diagnostics& diagnostics_;
    hir::Design& design_;
    std::unique_ptr<Impl> impl_;
};

}  // namespace smec::sema
