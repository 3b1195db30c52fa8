#include <unordered_set>

#include "sema/anew.h"
#include "sema/check/bodies.h"
#include "sema/check/constant_checker.h"
#include "sema/check/foreign.h"
#include "sema/flow.h"

// Whole bodies: processes, for one representative instance.

namespace smec::sema {

using hir::TypeId;

namespace {

class ProcessChecker {
public:
    ProcessChecker(Core& core, Scope& scope, const ast::ProcDecl& decl, PathResolver& paths)
        : core_(core),
          scope_(scope),
          decl_(decl),
          state_(core, scope, CheckMode::Process, &decl, &paths),
          expressions_(state_.context),
          statements_(state_.context, expressions_, {}) {}

    CheckedProcess run(const std::vector<PortInput>& ports);

private:
    void addVariables();
    void initialValue(const ast::VarDecl& decl, TypeId type);
    void checkBody();
    void finishSites();

    Core& core_;
    Scope& scope_;
    const ast::ProcDecl& decl_;
    CheckState state_;
    ExpressionParts expressions_;
    StatementParts statements_;
    CheckedProcess result_;
};

void ProcessChecker::addVariables() {
    const std::vector<hir::Variable>& vars = state_.build.body().vars;
    for (const ast::Decl& one : decl_.decls) {
        const ast::VarDecl* var = std::get_if<ast::VarDecl>(&one.node);
        if (!var) continue;
        hir::VarId id{static_cast<std::uint32_t>(vars.size())};
        Symbol* symbol = core_.declarations.add(
            scope_, Symbol{var->name.text, var->name.range, false, VarSymbol{var, id}});
        if (VarSymbol* own = std::get_if<VarSymbol>(&symbol->node); own && own->decl == var)
            own->var = id;
        if (auto port = state_.ports.find(var->name.text))
            core_.reporter.report(DiagId::DuplicateName, var->name.range, var->name.text)
                .note(DiagId::FirstDeclared, state_.ports[*port].range, var->name.text);
        TypeId type = expressions_.writtenTypes.resolve(var->type);
        state_.build.addVariable({var->name.text, var->name.range, hir::VarKind::Process, type});
    }
    std::size_t next = 0;
    for (const ast::Decl& one : decl_.decls)
        if (const ast::VarDecl* var = std::get_if<ast::VarDecl>(&one.node))
            initialValue(*var, vars[next++].type);
}

void ProcessChecker::initialValue(const ast::VarDecl& decl, TypeId type) {
    hir::Value value = hir::defaultValue(core_.types(), type);
    bool depends = false;
    if (decl.init.valid()) {
        Operand checked;
        auto given = expressions_.constants.constantFor(
            decl.init, {type, "'" + decl.name.text + "'", true, false}, &checked);
        if (given) value = std::move(*given);
        depends = given && checked.perInstance && checked.siteSafe;
        if (given && checked.perInstance && !checked.siteSafe) state_.uses.dependOn(checked);
    }
    result_.initials.push_back(std::move(value));
    result_.initialDepends.push_back(depends);
    result_.initialTypes.push_back(type);
}

/// Values that shaped something become sites without a column.
void ProcessChecker::finishSites() {
    std::unordered_set<std::uint32_t> seen;
    for (const ExprRef& ref : state_.uses.takeDependencies()) {
        if (!seen.insert(ref.expr.index).second) continue;
        ConstantChecker checker(core_, scope_);
        Reporter::Quiet quiet(core_.reporter);
        Operand operand = checker.constant(ref.expr, "a constant");
        if (!operand.isConstant()) continue;
        ConstantSite site;
        site.expr = ref;
        site.use = SiteUse::Value;
        site.representative = operand.value();
        site.type = operand.type;
        site.unsized = operand.unsized;
        result_.sites.push_back(std::move(site));
    }
    std::vector<ConstantSite> sites = state_.uses.takeSites();
    result_.sites.insert(result_.sites.end(), std::make_move_iterator(sites.begin()),
                         std::make_move_iterator(sites.end()));
}

void ProcessChecker::checkBody() {
    hir::Body& body = state_.build.body();
    std::uint64_t errorsBefore = core_.reporter.errors();
    if (decl_.external)
        addForeignBody(state_.context, expressions_, result_);
    else
        body.statements = statements_.statements.block(decl_.body);
    if (core_.reporter.errors() == errorsBefore) {
        judgeReachable(core_.reporter, body, body.statements);
        judgeAssertions(core_.reporter, body);
    }
    if (!body.statements.empty() && std::holds_alternative<hir::Wait>(body.statements.back().node))
        core_.reporter.report(DiagId::TrailingWait, body.statements.back().range);
}

CheckedProcess ProcessChecker::run(const std::vector<PortInput>& inputs) {
    for (const PortInput& input : inputs)
        state_.ports.add(input);
    addVariables();
    checkDeclarations(core_, scope_, decl_.decls);
    checkBody();
    if (!decl_.external) {
        core_.unused.warn(state_.context.module, decl_);
        warnStartsAnew(core_.reporter, core_.types(), state_.context.module, scope_, decl_);
    }
    finishSites();
    hir::Specialisation& spec = result_.spec;
    spec.name = decl_.name.text;
    spec.range = decl_.name.range;
    spec.kind = state_.context.kind;
    spec.ports = state_.ports.take();
    spec.constants = state_.uses.takeColumns();
    result_.columns = static_cast<std::uint32_t>(spec.constants.size());
    spec.body = std::move(state_.build.body());
    result_.references = state_.ports.takeReferences();
    return std::move(result_);
}

}  // namespace

CheckedProcess checkProcess(Core& core, Scope& scope, const ast::ProcDecl& decl,
                            const std::vector<PortInput>& ports, PathResolver& paths) {
    return ProcessChecker(core, scope, decl, paths).run(ports);
}

}  // namespace smec::sema
