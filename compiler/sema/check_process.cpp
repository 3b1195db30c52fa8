#include <algorithm>

#include "sema/checker.h"
#include "sema/flow.h"
#include "sema/operand_types.h"

// Whole bodies: of processes for one representative instance, and of functions.

namespace smec::sema {

using hir::TypeId;
using hir::TypeTable;

// ---------------------------------------------------------------- functions

hir::Function Checker::function(const ast::FuncDecl& decl) {
    hir::Function result;
    functionName_ = decl.name.text;
    for (const ast::FuncParam& param : decl.params) {
        TypeId type = resolveType(param.type);
        bool isTwice = std::any_of(locals_.begin(), locals_.end(), [&](const Local& known) {
            return known.name == param.name.text;
        });
        declare(param.name, type, hir::VarKind::Param);
        if (isTwice) result_ = TypeTable::kError;
    }
    result_ = resolveType(decl.result);
    result.name = decl.name.text;
    result.range = decl.name.range;
    result.paramCount = static_cast<std::uint32_t>(decl.params.size());
    result.result = result_;
    std::uint64_t errorsBefore = core_.errors();
    body_.statements = block(decl.body);
    if (core_.errors() == errorsBefore) judgeReachable(body_.statements);
    for (const Local& param : locals_)
        if (!param.used && !param.name.starts_with('_'))
            core_.report(DiagId::Unused, param.range, "parameter", param.name);
    if (canFallOff(body_, body_.statements) && !core_.types().isError(result_))
        core_.report(DiagId::ReturnMissing, decl.name.range, decl.name.text);
    // Every use of the instance's constants shaped this version.
    dependencies_.insert(dependencies_.end(), touched_.begin(), touched_.end());
    auto less = [](const ExprRef& a, const ExprRef& b) { return a.expr.index < b.expr.index; };
    auto same = [](const ExprRef& a, const ExprRef& b) { return a.expr == b.expr; };
    std::sort(dependencies_.begin(), dependencies_.end(), less);
    dependencies_.erase(std::unique(dependencies_.begin(), dependencies_.end(), same),
                        dependencies_.end());
    result.body = std::move(body_);
    return result;
}

// ---------------------------------------------------------------- processes

void Checker::addPorts(const std::vector<PortInput>& inputs) {
    for (const PortInput& input : inputs) {
        hir::Port port;
        port.name = input.name;
        port.origin = input.origin;
        port.shape = input.shape;
        port.isArray = input.isArray;
        port.dimensions = input.dimensions;
        port.elementShapes = input.elementShapes;
        if (input.isArray && port.dimensions.empty()) port.dimensions = {1};
        for (std::uint64_t size : port.dimensions)
            port.elements *= static_cast<std::uint32_t>(size);
        port.range = input.range;
        const hir::BusShape& shape = core_.design.shapes[input.shape.index];
        bool hasFlip = std::any_of(shape.fields.begin(), shape.fields.end(),
                                   [](const hir::FieldShape& field) { return field.flip; });
        port.canWrite = input.origin != hir::PortOrigin::Parameter || input.isOut || hasFlip;
        port.fields.resize(shape.fields.size());
        portNames_.emplace(input.name, static_cast<std::uint32_t>(ports_.size()));
        ports_.push_back(std::move(port));
        isOut_.push_back(input.isOut);
        elementUses_.emplace_back(ports_.back().fields.size());
    }
}

void Checker::addVariables(const ast::ProcDecl& decl, Scope& scope, CheckedProcess& result) {
    for (const ast::Decl& one : decl.decls) {
        const ast::VarDecl* var = std::get_if<ast::VarDecl>(&one.node);
        if (!var) continue;
        hir::VarId id{static_cast<std::uint32_t>(body_.vars.size())};
        Symbol* symbol =
            core_.add(scope, Symbol{var->name.text, var->name.range, false, VarSymbol{var, id}});
        if (VarSymbol* own = std::get_if<VarSymbol>(&symbol->node); own && own->decl == var)
            own->var = id;
        auto port = portNames_.find(var->name.text);
        if (port != portNames_.end())
            core_.report(DiagId::DuplicateName, var->name.range, var->name.text)
                .note(DiagId::FirstDeclared, ports_[port->second].range, var->name.text);
        TypeId type = resolveType(var->type);
        body_.vars.push_back({var->name.text, var->name.range, hir::VarKind::Process, type});
    }
    std::size_t next = 0;
    for (const ast::Decl& one : decl.decls)
        if (const ast::VarDecl* var = std::get_if<ast::VarDecl>(&one.node))
            initialValue(*var, body_.vars[next++].type, result);
}

void Checker::initialValue(const ast::VarDecl& decl, TypeId type, CheckedProcess& result) {
    hir::Value value = hir::defaultValue(core_.types(), type);
    bool depends = false;
    if (decl.init.valid()) {
        Operand checked;
        auto given =
            constantFor(decl.init, {type, "'" + decl.name.text + "'", true, false}, &checked);
        if (given) value = std::move(*given);
        depends = given && checked.perInstance && checked.siteSafe;
        if (given && checked.perInstance && !checked.siteSafe) dependOn(checked);
    }
    result.initials.push_back(std::move(value));
    result.initialDepends.push_back(depends);
    result.initialTypes.push_back(type);
}

void Checker::finishPorts() {
    for (std::size_t i = 0; i < ports_.size(); ++i) {
        for (std::size_t f = 0; f < ports_[i].fields.size() && ports_[i].isArray; ++f) {
            FieldUses& uses = elementUses_[i][f];
            ports_[i].fields[f].readElements = uses.reads.finish(ports_[i].elements);
            ports_[i].fields[f].writtenElements = uses.writes.finish(ports_[i].elements);
        }
    }
}

/// Values that shaped something become sites without a column.
void Checker::finishSites(CheckedProcess& result) {
    std::unordered_set<std::uint32_t> seen;
    std::vector<ExprRef> shaping;
    shaping.swap(dependencies_);
    for (const ExprRef& ref : shaping) {
        if (!seen.insert(ref.expr.index).second) continue;
        std::size_t mark = touched_.size();
        Checker checker(core_, *scope_, Mode::Constant);
        Core::Quiet quiet(core_);
        Operand operand = checker.constant(ref.expr, "a constant");
        touched_.resize(mark);
        if (!operand.isConstant()) continue;
        ConstantSite site;
        site.expr = ref;
        site.use = SiteUse::Value;
        site.representative = operand.value();
        site.type = operand.type;
        site.unsized = operand.unsized;
        result.sites.push_back(std::move(site));
    }
    result.sites.insert(result.sites.end(), std::make_move_iterator(sites_.begin()),
                        std::make_move_iterator(sites_.end()));
}

CheckedProcess Checker::process(const ast::ProcDecl& decl, Scope& scope,
                                const std::vector<PortInput>& inputs, PathResolver& paths) {
    CheckedProcess result;
    paths_ = &paths;
    kind_ = static_cast<hir::ProcKind>(decl.kind);
    process_ = &decl;
    addPorts(inputs);
    addVariables(decl, scope, result);
    core_.checkDeclarations(scope, decl.decls);
    std::uint64_t errorsBefore = core_.errors();
    if (decl.external)
        foreignBody(decl, result);
    else
        body_.statements = block(decl.body);
    if (core_.errors() == errorsBefore) {
        judgeReachable(body_.statements);
        judgeAssertions();
    }
    if (!body_.statements.empty()
        && std::holds_alternative<hir::Wait>(body_.statements.back().node))
        core_.report(DiagId::TrailingWait, body_.statements.back().range);
    if (!decl.external) warnUnused(decl);
    finishPorts();
    finishSites(result);
    hir::Specialisation& spec = result.spec;
    spec.name = decl.name.text;
    spec.range = decl.name.range;
    spec.kind = kind_;
    spec.ports = std::move(ports_);
    result.columns = static_cast<std::uint32_t>(columns_.size());
    spec.constants = std::move(columns_);
    spec.body = std::move(body_);
    result.references = std::move(referencePaths_);
    return result;
}

}  // namespace smec::sema
