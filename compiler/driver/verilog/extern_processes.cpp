#include "driver/verilog/extern_processes.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "driver/cache/checked_file.h"
#include "driver/cache/work_folder.h"
#include "driver/system/files.h"
#include "driver/verilog/extern_wires.h"
#include "rtl/names.h"
#include "rtl/tree.h"
#include "syntax/parse.h"

namespace smec::driver {
namespace fs = std::filesystem;

namespace {

/// Writes the network in place of the process, at the place of its name.
class NetworkMaker {
public:
    /// `text` is that of the whole file.
    NetworkMaker(sema::Program::Entry& entry, std::string_view text, const ExternProcess& process)
        : entry_(entry), text_(text), process_(process), range_(process.spec->range) {
        for (const Wire& wire : process.wires)
            buses_[&wire] = fresh(wire.name);
    }

    /// A name by which the declaration sees another module.
    std::string import(const std::string& what, sema::ModuleId module) {
        const std::string alias = fresh(process_.spec->name + "_" + what);
        ast::Import import;
        import.path = {name(alias)};
        added_.push_back({range_, std::move(import)});
        entry_.imports.push_back(module);
        return alias;
    }

    ast::NetworkDecl network(const ast::ProcDecl& process, const std::string& wires) {
        ast::NetworkDecl network{process.name, process.params, {}};
        for (const Wire& wire : process_.wires)
            network.decls.push_back(bus(buses_[&wire], wire.width, wire.isSigned));
        for (const FieldWires& field : byField(process_.wires)) {
            const std::string& port = process_.spec->ports[field[0]->port].name;
            ast::InstanceDecl carrier;
            carrier.name = name(fresh(carrierOf(field)));
            carrier.entity = member(wires, carrierOf(field));
            carrier.arguments.push_back({name(port), use(port)});
            for (const Wire* wire : field)
                carrier.arguments.push_back({name(wire->name), use(buses_[wire])});
            network.decls.push_back({range_, std::move(carrier)});
        }
        return network;
    }

    /// The module where the constants are these, else what `otherwise` says.
    std::vector<ast::Decl> choice(const ExternConstants& constants, const std::string& alias,
                                  const ExternModule& module, std::vector<ast::Decl> otherwise) {
        std::vector<ast::Decl> decls = instance(alias, module);
        if (constants.empty()) return decls;
        ast::GenerateIf choice{condition(constants), std::move(decls), std::move(otherwise)};
        std::vector<ast::Decl> list;
        list.push_back({range_, std::move(choice)});
        return list;
    }

    void finish(ast::Decl& decl, ast::NetworkDecl network) {
        decl.node = std::move(network);  // `decl` is one of those that move next
        std::ranges::move(added_, std::back_inserter(entry_.ast.decls));
    }

private:
    ast::Identifier name(const std::string& text) const { return {text, range_}; }
    ast::ExprId add(decltype(ast::Expr::node) node) {
        entry_.ast.exprs.push_back({range_, std::move(node)});
        return {static_cast<std::uint32_t>(entry_.ast.exprs.size() - 1)};
    }
    ast::ExprId use(const std::string& text) { return add(ast::Name{text}); }
    ast::ExprId member(const std::string& base, const std::string& text) {
        const ast::ExprId left = use(base);
        return add(ast::Member{left, name(text)});
    }
    /// A name that stands nowhere in the file.
    std::string fresh(const std::string& wanted) {
        std::string text = wanted;
        for (unsigned i = 2;
             text_.find(text) != std::string_view::npos || !taken_.insert(text).second; ++i)
            text = fmt::format("{}_{}", wanted, i);
        return text;
    }

    /// Without a place, so that nobody is warned of it.
    ast::Decl bus(const std::string& text, std::uint32_t width, bool isSigned) {
        ast::BusDecl decl{};
        decl.name = {text, {}};
        ast::TypeExpr type = rtl::Tree::word(width, isSigned);
        type.range = range_;
        decl.fields.push_back({range_, false, false, name("v"), std::move(type), {}});
        return {range_, std::move(decl)};
    }

    /// A port of no wire is the clock or the reset, which nothing hangs on.
    std::vector<ast::Decl> instance(const std::string& alias, const ExternModule& module) {
        std::vector<ast::Decl> decls;
        ast::InstanceDecl inner;
        inner.name = name(process_.spec->name);
        inner.entity = member(alias, module.entity);
        for (const auto& [port, width, isSigned] : module.ports) {
            const auto wire = std::ranges::find_if(
                process_.wires, [&](const Wire& one) { return rtl::spelled(one.name) == port; });
            const bool isWire = wire != process_.wires.end();
            const std::string bits = isWire ? buses_[&*wire] : fresh(port);
            if (!isWire) decls.push_back(bus(bits, width, isSigned));
            inner.arguments.push_back({name(port), use(bits)});
        }
        decls.push_back({range_, std::move(inner)});
        return decls;
    }

    ast::ExprId condition(const ExternConstants& constants) {
        ast::ExprId all;
        for (const ExternConstant& constant : constants) {
            const ast::ExprId left = use(constant.name);
            const ast::ExprId one =
                add(ast::Binary{ast::BinaryOp::Eq, left, literal(constant), range_});
            all = all.valid() ? add(ast::Binary{ast::BinaryOp::LogicalAnd, all, one, range_}) : one;
        }
        return all;
    }

    ast::ExprId literal(const ExternConstant& constant) {
        if (constant.isBool) return add(ast::BoolLiteral{constant.value != 0});
        if (constant.value >= 0) return add(ast::IntLiteral{constant.value});
        const ast::ExprId size = add(ast::IntLiteral{-constant.value});
        return add(ast::Paren{add(ast::Unary{ast::UnaryOp::Minus, size})});
    }

    sema::Program::Entry& entry_;
    const std::string_view text_;
    const ExternProcess& process_;
    const SourceRange range_;
    std::set<std::string> taken_;
    std::map<const Wire*, std::string> buses_;
    std::vector<ast::Decl> added_;
};

/// Where the declaration of a process stands: its module and its place there.
std::pair<std::size_t, std::size_t> placeOf(const sema::Program& program, SourceRange name) {
    for (std::size_t i = 0; i < program.modules.size(); ++i) {
        const std::vector<ast::Decl>& decls = program.modules[i].ast.decls;
        for (std::size_t k = 0; k < decls.size(); ++k) {
            const auto* process = std::get_if<ast::ProcDecl>(&decls[k].node);
            if (process && process->name.range == name) return {i, k};
        }
    }
    return {program.modules.size(), 0};
}

class Replacing {
public:
    Replacing(sema::Program& program, const hir::Design& design, const VerilogInput& options,
              SourceManager& sources, Diagnostics& diagnostics)
        : program_(program),
          design_(design),
          options_(options),
          sources_(sources),
          diagnostics_(diagnostics) {}

    void replace(ExternProcess process) {
        std::vector<ExternModule> modules;
        for (const ExternConstants& constants : process.constants) {
            auto made = importModule(design_, process, constants, options_, program_, sources_,
                                     diagnostics_);
            if (!made) return;
            modules.push_back(std::move(*made));
        }
        const sema::ModuleId wires = addWires(process);
        if (diagnostics_.hasErrors()) return;
        const auto [module, place] = placeOf(program_, process.spec->range);
        sema::Program::Entry& entry = program_.modules[module];
        NetworkMaker maker(entry, sources_.text(entry.ast.file), process);
        ast::Decl& decl = entry.ast.decls[place];
        ast::NetworkDecl network =
            maker.network(std::get<ast::ProcDecl>(decl.node), maker.import("wires", wires));
        std::vector<ast::Decl> inner;
        for (std::size_t i = modules.size(); i-- > 0;)
            inner = maker.choice(process.constants[i],
                                 maker.import(fmt::format("module_{}", i), modules[i].module),
                                 modules[i], std::move(inner));
        std::ranges::move(inner, std::back_inserter(network.decls));
        maker.finish(decl, std::move(network));
    }

private:
    /// As a file, for others read it again.
    sema::ModuleId addWires(const ExternProcess& process) {
        WiresModule wires = wiresModule(design_, process, program_, diagnostics_);
        const WorkFolder folder(options_.cache.written() / "wires", true);
        const std::string name =
            fmt::format("{}_{}.sme", process.spec->name, contentHash(wires.text).substr(0, 10));
        const fs::path path = folder.path() / name;
        clearWay(path);
        if (writeIfChanged(path, wires.text)) folder.record({name});
        const FileId file = sources_.add(path.string(), std::move(wires.text));
        std::error_code error;
        sema::Program::Entry entry{
            syntax::parse(sources_, file, diagnostics_), fs::absolute(path, error), true, {}};
        for (const auto& [alias, module] : wires.imports)
            entry.imports.push_back(module);
        program_.modules.push_back(std::move(entry));
        return {static_cast<std::uint32_t>(program_.modules.size() - 1)};
    }

    sema::Program& program_;
    const hir::Design& design_;
    const VerilogInput& options_;
    SourceManager& sources_;
    Diagnostics& diagnostics_;
};

}  // namespace

void importProcesses(sema::Program& program, const hir::Design& design, const VerilogInput& options,
                     SourceManager& sources, Diagnostics& diagnostics) {
    const std::vector<ExternProcess> processes = externProcesses(design, diagnostics);
    if (diagnostics.hasErrors()) return;
    Replacing replacing(program, design, options, sources, diagnostics);
    for (const ExternProcess& process : processes)
        replacing.replace(process);
}

}  // namespace smec::driver
