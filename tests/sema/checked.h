#pragma once

#include <memory>
#include <string>
#include <vector>

#include "hir/design.h"
#include "sema/context.h"
#include "syntax/parse.h"

namespace smec::test {

/// A module checked without elab: ports get the shapes of their bus types, const parameters the
/// values of their defaults.
class Checked {
public:
    explicit Checked(std::string text, std::string file = "/nowhere/test.sme") {
        FileId id = sources.add(file, std::move(text));
        program.modules.push_back({syntax::parse(sources, id, diagnostics), file, false, {}});
        context =
            std::make_unique<sema::Context>(program, sources, diagnostics, design, sema::Rules{});
        context->checkModules();
        for (const ast::Decl& decl : program.modules[0].ast.decls)
            if (const ast::ProcDecl* process = std::get_if<ast::ProcDecl>(&decl.node))
                processes.push_back(process);
    }

    /// The process scope of an instance whose const parameters have these values; missing ones take
    /// their defaults.
    std::unique_ptr<sema::Scope> scopeOf(const ast::ProcDecl& process,
                                         const std::vector<int>& values = {}) {
        auto scope = std::make_unique<sema::Scope>(&context->moduleScope({0}), sema::ModuleId{0});
        std::size_t next = 0;
        for (const ast::Param& param : process.params) {
            if (param.kind != ast::ParamKind::Const) continue;
            sema::ConstSymbol symbol;
            symbol.perInstance = true;
            symbol.state = sema::ConstSymbol::State::Done;
            symbol.value.type =
                param.type ? context->resolveType(*param.type, *scope) : hir::TypeTable::kUint;
            if (next < values.size())
                symbol.value.value = hir::Value{hir::Integer(values[next])};
            else
                symbol.value.value = *context->constantFor({{0}, param.defaultValue}, *scope,
                                                           symbol.value.type, "a parameter");
            ++next;
            context->add(*scope, {param.name.text, param.name.range, false, symbol});
        }
        context->declare(*scope, process.decls);
        return scope;
    }

    std::vector<sema::PortInput> portsOf(const ast::ProcDecl& process) {
        std::vector<sema::PortInput> ports;
        for (const ast::Param& param : process.params) {
            if (param.kind == ast::ParamKind::Const) continue;
            auto bus = context->resolveBusType(*param.type, context->moduleScope({0}));
            sema::PortInput port{param.name.text,
                                 param.range,
                                 hir::PortOrigin::Parameter,
                                 param.kind == ast::ParamKind::Out,
                                 !param.dimensions.empty(),
                                 {},
                                 {}};
            if (bus) port.shape = bus->shape;
            for (const ast::ExprId size : param.dimensions)
                port.dimensions.push_back(
                    size.valid() ? *context->size({{0}, size}, context->moduleScope({0}), "size")
                                 : 1);
            ports.push_back(port);
        }
        return ports;
    }

    sema::CheckedProcess check(std::size_t number = 0, const std::vector<int>& values = {}) {
        scopes.push_back(scopeOf(*processes.at(number), values));
        return context->checkProcess(*processes[number], {0}, *scopes.back(),
                                     portsOf(*processes[number]), noPaths);
    }

    Checked& all() {
        for (std::size_t i = 0; i < processes.size(); ++i)
            check(i);
        return *this;
    }

    /// "3: message", one per error or warning.
    std::vector<std::string> messages(Severity severity = Severity::Error) const {
        std::vector<std::string> result;
        for (const Diagnostic& one : diagnostics.all())
            if (one.severity == severity)
                result.push_back(
                    std::to_string(sources.position(one.range.file, one.range.begin).line) + ": "
                    + one.message);
        return result;
    }

    SourceManager sources;
    Diagnostics diagnostics;
    sema::Program program;
    hir::Design design;
    std::unique_ptr<sema::Context> context;
    std::vector<const ast::ProcDecl*> processes;
    std::vector<std::unique_ptr<sema::Scope>> scopes;

private:
    struct NoPaths : sema::PathResolver {
        std::optional<sema::ResolvedPath> resolveBus(sema::ExprRef, const sema::Scope&,
                                                     bool) override {
            return std::nullopt;
        }
    };
    NoPaths noPaths;
};

}  // namespace smec::test
