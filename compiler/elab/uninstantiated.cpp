#include "elab/uninstantiated.h"

#include <algorithm>
#include <set>

#include "elab/names_used.h"
#include "elab/scopes.h"
#include "elab/top.h"

namespace smec::elab {

namespace {

/// Paths out of a body that stands in no network: unknown, silently.
class NoPaths : public sema::PathResolver {
public:
    std::optional<sema::ResolvedPath> resolveBus(sema::ExprRef, const sema::Scope&, bool) override {
        return std::nullopt;
    }
};

/// Makes up one instance of a process in the design of `context` and checks its body.
class Synthetic {
public:
    Synthetic(sema::Context& context, const Entity& entity, std::int64_t number)
        : context_(context), entity_(entity), number_(number) {}

    void check() {
        const ast::ProcDecl& process = *entity_.process;
        sema::Scope scope(&context_.moduleScope(entity_.module), entity_.module);
        context_.declare(scope, process.decls);
        if (!addConstants(scope) || !addPorts(scope) || !addBuses(scope)) return;
        forEachInstance(process.decls, [&](const ast::InstanceDecl& instance) {
            if (instance.name.text != "_" && !scope.findHere(instance.name.text))
                add(scope, instance.name, sema::InstanceSymbol{});
        });
        NoPaths paths;
        context_.checkProcess(process, entity_.module, scope, inputs_, paths);
    }

private:
    sema::Symbol* add(sema::Scope& scope, const ast::Identifier& name,
                      decltype(sema::Symbol::node) node) {
        sema::Symbol symbol;
        symbol.name = name.text;
        symbol.range = name.range;
        symbol.node = std::move(node);
        return context_.add(scope, std::move(symbol));
    }

    bool addConstants(sema::Scope& scope) {
        for (const ConstParam& param : entity_.constants) {
            sema::ConstSymbol symbol;
            symbol.perInstance = true;
            symbol.state = sema::ConstSymbol::State::Done;
            const auto value = valueOf(*param.ast, scope);
            if (!value) return false;
            symbol.value = *value;
            add(scope, param.ast->name, std::move(symbol));
        }
        return true;
    }

    std::optional<sema::TypedValue> valueOf(const ast::Param& param, const sema::Scope& scope) {
        const sema::ExprRef expr{entity_.module, param.defaultValue};
        if (!param.type) {
            if (param.defaultValue.valid()) return context_.constant(expr, scope);
            return sema::TypedValue{hir::Value{hir::Integer(number_)}, hir::TypeTable::kUint};
        }
        const hir::TypeId type = context_.resolveType(*param.type, scope);
        const hir::TypeTable& types = context_.design().types;
        if (types.isError(type)) return std::nullopt;
        if (!param.defaultValue.valid()) {
            const bool isNumber = types.isInteger(type) && types.minimum(type) <= number_
                                  && types.maximum(type) >= number_;
            return sema::TypedValue{isNumber ? hir::Value{hir::Integer(number_)}
                                             : hir::defaultValue(types, type),
                                    type};
        }
        auto value = context_.constantFor(
            expr, scope, type,
            fmt::format("parameter '{}' of '{}'", param.name.text, entity_.name));
        return value ? std::optional(sema::TypedValue{std::move(*value), type}) : std::nullopt;
    }

    bool addPorts(sema::Scope& scope) {
        for (const PortParam& port : entity_.ports) {
            const auto resolved = context_.resolveBusType(*port.ast->type, scope);
            if (!resolved) return false;
            const auto dimensions = context_.sizes(port.ast->dimensions, scope, "array port size");
            if (!dimensions) return false;
            const bool isArray = !dimensions->empty();
            const auto number = static_cast<std::uint32_t>(inputs_.size());
            add(scope, port.ast->name,
                sema::PortSymbol{number, resolved->shape, isArray, *dimensions});
            inputs_.push_back({port.ast->name.text, port.ast->name.range,
                               hir::PortOrigin::Parameter, port.isOut, isArray, *dimensions,
                               resolved->shape});
        }
        return true;
    }

    bool addBuses(sema::Scope& scope) {
        hir::Design& design = context_.design();
        for (const ast::BusDecl* bus : entity_.buses) {
            const auto resolved = context_.resolveBus(*bus, scope);
            if (!resolved) return false;
            const auto dimensions = context_.sizes(bus->dimensions, scope, "bus array size");
            if (!dimensions) return false;
            add(scope, bus->name,
                sema::BusSymbol{static_cast<std::uint32_t>(design.busGroups.size())});
            design.busGroups.push_back(
                {bus->name.text, *dimensions, {}, {0}, 0, bus->name.range, false, 0});
            inputs_.push_back({bus->name.text, bus->name.range, hir::PortOrigin::Own, true,
                               !dimensions->empty(), *dimensions, resolved->shape});
        }
        return true;
    }

    sema::Context& context_;
    const Entity& entity_;
    std::int64_t number_;
    std::vector<sema::PortInput> inputs_;
};

/// A context whose design is thrown away.
class Scratch {
public:
    Scratch(const Tree& tree, std::int64_t number)
        : context_(tree.context.program(), tree.sources, diagnostics_, design_,
                   sema::Rules{false, tree.options.rules.narrows}, tree.options.limits),
          number_(number) {
        context_.checkModules();
        context_.reportVerdicts();
    }
    /// What is wrong with one instance of a process.
    std::vector<Diagnostic> check(const Entity& entity) {
        const auto before = static_cast<std::ptrdiff_t>(diagnostics_.all().size());
        Synthetic(context_, entity, number_).check();
        context_.reportVerdicts();
        return {diagnostics_.all().begin() + before, diagnostics_.all().end()};
    }

private:
    Diagnostics diagnostics_;
    hir::Design design_;
    sema::Context context_;
    std::int64_t number_;
};

/// The bodies of processes without instances.
class BodyChecker {
public:
    explicit BodyChecker(Tree& tree) : tree_(tree) {}

    void check(const Entity& entity) {
        const bool isTyped = std::ranges::all_of(entity.ports, [](const PortParam& port) {
            return port.ast->type && std::ranges::all_of(port.ast->dimensions, &ast::ExprId::valid);
        });
        if (!isTyped) return;
        const std::vector<Diagnostic> found = scratch(first_, 1).check(entity);
        const auto isFree = [](const ConstParam& param) {
            return !param.ast->defaultValue.valid();
        };
        if (found.empty() || std::ranges::none_of(entity.constants, isFree))
            return repeat(found, found);
        repeat(found, scratch(second_, 8).check(entity));
    }

private:
    Scratch& scratch(std::unique_ptr<Scratch>& scratch, std::int64_t number) {
        if (!scratch) scratch = std::make_unique<Scratch>(tree_, number);
        return *scratch;
    }

    /// What both lists hold.
    void repeat(const std::vector<Diagnostic>& found, const std::vector<Diagnostic>& other) {
        for (const Diagnostic& entry : found) {
            const auto same = [&](const Diagnostic& twin) {
                return twin.id == entry.id && twin.range == entry.range
                       && twin.message == entry.message;
            };
            if (std::ranges::any_of(other, same)) tree_.diagnostics.repeat(entry);
        }
    }

    Tree& tree_;
    std::unique_ptr<Scratch> first_, second_;
};

/// The entities named by instance declarations, in chosen branches or not.
std::set<const void*> named(const Tree& tree) {
    std::set<const void*> result;
    const sema::Program& program = tree.context.program();
    for (std::uint32_t i = 0; i < program.modules.size(); ++i) {
        const auto note = [&](const ast::InstanceDecl& instance) {
            const sema::EntitySymbol* symbol = entityNamed(tree, {i}, instance.entity);
            if (symbol && symbol->process) result.insert(symbol->process);
            if (symbol && symbol->network) result.insert(symbol->network);
        };
        for (const ast::Decl& decl : program.modules[i].ast.decls) {
            if (const auto* network = std::get_if<ast::NetworkDecl>(&decl.node))
                forEachInstance(network->decls, note);
            if (const auto* process = std::get_if<ast::ProcDecl>(&decl.node))
                forEachInstance(process->decls, note);
        }
    }
    return result;
}

/// Names that are declared twice in the header or inside.
void checkNames(Tree& tree, const Entity& entity) {
    sema::Scope scope(&tree.context.moduleScope(entity.module), entity.module);
    for (const ast::Param& param : *entity.params)
        addSymbol(tree, scope, param.name, failedSymbol());
    tree.context.declare(scope, *entity.decls);
    for (const ast::BusDecl* bus : entity.buses)
        addSymbol(tree, scope, bus->name, failedSymbol());
}

}  // namespace

void checkUninstantiated(Tree& tree, const Entity* top, bool warn) {
    std::set<const void*> made;
    for (const Node& node : tree.nodes) {
        if (node.entity->process) made.insert(node.entity->process);
        if (node.entity->network) made.insert(node.entity->network);
    }
    const std::set<const void*> mentioned = named(tree);
    BodyChecker bodies(tree);
    const sema::Program& program = tree.context.program();
    for (std::uint32_t i = 0; i < program.modules.size(); ++i) {
        if (i != 0 && program.modules[i].fromStandardLibrary) continue;
        for (const ast::Decl& decl : program.modules[i].ast.decls) {
            const auto* process = std::get_if<ast::ProcDecl>(&decl.node);
            const auto* network = std::get_if<ast::NetworkDecl>(&decl.node);
            const bool isMade = made.contains(process) || made.contains(network);
            if ((process || network) && !isMade)
                checkNames(tree, tree.entities.of({process, network, {i}}));
            if (process && !made.contains(process))
                bodies.check(tree.entities.of({process, nullptr, {i}}));
            if (!warn || i != 0) continue;
            if (process && !mentioned.contains(process)) {
                tree.diagnostics.report(DiagId::Uninstantiated, process->name.range, "process",
                                        process->name.text);
            }
            const bool isTop =
                network && (!tree.options.top.empty() || (top && top->network == network));
            if (network && !isTop && !mentioned.contains(network)) {
                tree.diagnostics.report(DiagId::Uninstantiated, network->name.range, "network",
                                        network->name.text);
            }
        }
    }
}

}  // namespace smec::elab
