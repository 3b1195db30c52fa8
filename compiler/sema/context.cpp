#include "sema/context.h"

#include "sema/check/bodies.h"
#include "sema/check/constant_checker.h"
#include "sema/lone_elements.h"
#include "sema/operand_types.h"

namespace smec::sema {

using hir::TypeTable;
using hir::Value;

struct Context::Impl {
    Core core;
    Impl(const Program& program, const SourceManager& sources, Diagnostics& diagnostics,
         hir::Design& design, const Rules& rules, const Limits& limits)
        : core(program, sources, diagnostics, design, rules, limits) {}
};

Context::Context(const Program& program, const SourceManager& sources, Diagnostics& diagnostics,
                 hir::Design& design, const Rules& rules, const Limits& limits)
    : program_(program),
      diagnostics_(diagnostics),
      design_(design),
      impl_(std::make_unique<Impl>(program, sources, diagnostics, design, rules, limits)) {}

Context::~Context() = default;

const ast::Expr& Context::expr(ExprRef ref) const { return impl_->core.modules.expr(ref); }
void Context::checkModules() { sema::checkModules(impl_->core); }
const Scope& Context::moduleScope(ModuleId module) const {
    return impl_->core.modules.scope(module);
}
void Context::declare(Scope& scope, const std::vector<ast::Decl>& decls) {
    impl_->core.declarations.declare(scope, decls);
}
void Context::checkDeclarations(const Scope& scope, const std::vector<ast::Decl>& decls) {
    sema::checkDeclarations(impl_->core, scope, decls);
}
void Context::warnUnused(bool hasTop) {
    for (std::uint32_t i = 0; i < program_.modules.size(); ++i) {
        impl_->core.unused.warn({i}, i == 0 && hasTop);
        warnOfLoneElements(impl_->core.reporter, program_.modules[i].ast);
    }
}

void Context::reportVerdicts() { impl_->core.reporter.reportVerdicts(); }

bool Context::isNews(SourceRange use, std::string_view name) {
    return impl_->core.reporter.isNews(use, name);
}
std::string Context::importHint(ModuleId from, std::string_view entity, std::string near) {
    return impl_->core.hints.importHint(from, entity, NameKind::Entity, std::move(near));
}
Symbol* Context::add(Scope& scope, Symbol symbol) {
    return impl_->core.declarations.add(scope, std::move(symbol));
}
std::optional<ResolvedBus> Context::resolveBusType(const ast::TypeExpr& type, const Scope& scope) {
    return impl_->core.busTypes.resolve(type, scope);
}
std::optional<ResolvedBus> Context::resolveBus(const ast::BusDecl& bus, const Scope& scope) {
    return impl_->core.busTypes.resolve(bus, scope);
}
hir::ShapeId Context::internShape(hir::BusShape shape) {
    return impl_->core.busTypes.intern(std::move(shape));
}
std::uint32_t Context::internValue(const Value& value) { return impl_->core.pool.intern(value); }
std::uint32_t Context::internString(std::string_view text) { return impl_->core.pool.intern(text); }
hir::TypeId Context::resolveType(const ast::TypeExpr& type, const Scope& scope) {
    return ConstantChecker(impl_->core, scope).resolveType(type);
}

// ---------------------------------------------------------------- constants

std::optional<TypedValue> Context::constant(ExprRef expr, const Scope& scope) {
    ConstantChecker checker(impl_->core, scope);
    Operand operand = checker.constant(expr.expr, "this expression");
    if (!operand.isConstant()) return std::nullopt;
    if (!operand.unsized) return TypedValue{operand.value(), operand.declared};
    return TypedValue{operand.value(), operand.integer() < 0 ? TypeTable::kInt : TypeTable::kUint};
}

namespace {

bool fitsConstant(const TypeTable& types, hir::TypeId target, const hir::Integer& value) {
    if (target == TypeTable::kInt) return true;
    return target == TypeTable::kUint ? value >= 0 : fits(types, target, value);
}

}  // namespace

std::optional<Value> Context::constantFor(ExprRef expr, const Scope& scope, hir::TypeId target,
                                          std::string_view what) {
    if (design_.types.isInteger(target)) {
        std::optional<std::int64_t> value = impl_->core.constantSymbols.quick(expr, scope);
        if (value && fitsConstant(design_.types, target, *value))
            return Value{hir::Integer(*value)};
    }
    return ConstantChecker(impl_->core, scope)
        .constantFor(expr.expr, {target, std::string(what), true, true});
}

std::optional<std::uint64_t> Context::size(ExprRef expr, const Scope& scope,
                                           std::string_view what) {
    std::optional<std::int64_t> value = impl_->core.constantSymbols.quick(expr, scope);
    if (value && *value >= 0) return static_cast<std::uint64_t>(*value);
    return ConstantChecker(impl_->core, scope).size(expr.expr, what);
}

std::optional<hir::Integer> Context::integer(ExprRef expr, const Scope& scope,
                                             std::string_view what) {
    if (std::optional<std::int64_t> value = impl_->core.constantSymbols.quick(expr, scope))
        return hir::Integer(*value);
    return ConstantChecker(impl_->core, scope).integer(expr.expr, what);
}

std::optional<std::vector<std::uint64_t>>
Context::sizes(const std::vector<ast::ExprId>& exprs, const Scope& scope, std::string_view what) {
    std::vector<std::uint64_t> result;
    for (const ast::ExprId expr : exprs) {
        const auto value = size({scope.module(), expr}, scope, what);
        if (!value) return std::nullopt;
        result.push_back(*value);
    }
    return result;
}

std::optional<bool> Context::condition(ExprRef expr, const Scope& scope) {
    ConstantChecker checker(impl_->core, scope);
    Operand operand = checker.constant(expr.expr, "a condition");
    if (!operand.isConstant()) return std::nullopt;
    if (operand.type == TypeTable::kBool) return operand.value().boolean();
    impl_->core.reporter.report(DiagId::ConditionType, operand.range,
                                design_.types.name(operand.declared),
                                design_.types.isInteger(operand.type) ? "; write '!= 0'" : "");
    return std::nullopt;
}

// ---------------------------------------------------------------- processes

CheckedProcess Context::checkProcess(const ast::ProcDecl& process, ModuleId, Scope& scope,
                                     const std::vector<PortInput>& ports, PathResolver& paths) {
    return sema::checkProcess(impl_->core, scope, process, ports, paths);
}

std::vector<Value> Context::initialValues(const ast::ProcDecl& process,
                                          const CheckedProcess& checked, const Scope& scope) {
    std::vector<Value> values = checked.initials;
    std::size_t next = 0;
    for (const ast::Decl& decl : process.decls) {
        const ast::VarDecl* var = std::get_if<ast::VarDecl>(&decl.node);
        if (!var) continue;
        std::size_t number = next++;
        if (number >= values.size() || !checked.initialDepends[number]) continue;
        ConstantChecker checker(impl_->core, scope);
        auto value = checker.constantFor(
            var->init, {checked.initialTypes[number], "'" + var->name.text + "'", true, false});
        if (value) values[number] = std::move(*value);
    }
    return values;
}

namespace {

/// The value of a site in another instance and the type by which it counts.
struct SiteValue {
    const Value* value = nullptr;  ///< `own` or the value of a named constant
    Value own;
    hir::TypeId type;
    bool unsized = false;
};

/// A plain name that needs no conversion.
bool lookUp(Core& core, const ConstantSite& site, const Scope& scope, SiteValue& result) {
    const ast::Name* name = std::get_if<ast::Name>(&core.modules.expr(site.expr).node);
    Symbol* symbol = name ? scope.find(name->text) : nullptr;
    ConstSymbol* constant = symbol ? std::get_if<ConstSymbol>(&symbol->node) : nullptr;
    if (!constant || (constant->decl && constant->state != ConstSymbol::State::Done)) return false;
    const TypedValue& typed = constant->value;
    const hir::Integer* integer = std::get_if<hir::Integer>(&typed.value.data);
    if (site.fits
        && !(integer && core.types().isInteger(typed.type) && core.types().isInteger(*site.fits)))
        return false;
    if (site.fits && !fits(core.types(), *site.fits, *integer)) return false;
    result.value = &typed.value;
    result.unsized = typed.type == TypeTable::kUint || typed.type == TypeTable::kInt;
    result.type = result.unsized ? typed.type : operandType(core.types(), typed.type);
    return true;
}

bool evaluateSite(Core& core, const ConstantSite& site, const Scope& scope, SiteValue& result) {
    Reporter::Quiet quiet(core.reporter);
    ConstantChecker checker(core, scope);
    if (site.fits) {
        auto value = checker.constantFor(site.expr.expr, {*site.fits, "", true, false});
        if (!value) return false;
        result.own = std::move(*value);
    } else {
        Operand operand = checker.constant(site.expr.expr, "a constant");
        if (!operand.isConstant()) return false;
        result.unsized = operand.unsized;
        result.type = operand.type;
        result.own = operand.value();
    }
    result.value = &result.own;
    return true;
}

bool numbersMatch(hir::TypeTable& types, const ConstantSite& site, const Value& value) {
    const hir::Integer* number = std::get_if<hir::Integer>(&value.data);
    if (!number) return true;
    if (site.nonZero && *number == 0) return false;
    if (site.nonNegative && *number < 0) return false;
    if (site.below && *number >= *site.below) return false;
    if (!site.narrowing) return true;
    const Narrowing& n = *site.narrowing;
    return *number > 0
           && narrowed(types, n.op, n.joined, {n.low, n.high, n.unbounded}, *number) == n.result;
}

bool siteMatches(hir::TypeTable& types, const ConstantSite& site, const SiteValue& found) {
    const Value& value = *found.value;
    if (site.use == SiteUse::Value && !(value == site.representative)) return false;
    if (!site.fits) {
        if (found.unsized != site.unsized) return false;
        if (found.unsized && smallestType(types, value.integer()) != site.type) return false;
        if (!found.unsized && found.type != site.type) return false;
    }
    for (const Value& other : site.distinctFrom)
        if (value == other) return false;
    return numbersMatch(types, site, value);
}

}  // namespace

bool Context::matches(const CheckedProcess& checked, const Scope& scope,
                      std::vector<Value>& constants) {
    constants.resize(checked.columns);
    for (const ConstantSite& site : checked.sites) {
        SiteValue found;
        if (!lookUp(impl_->core, site, scope, found)
            && !evaluateSite(impl_->core, site, scope, found))
            return false;
        if (!siteMatches(design_.types, site, found)) return false;
        if (site.constant != UINT32_MAX) constants[site.constant] = *found.value;
    }
    return true;
}

}  // namespace smec::sema
