#include "sema/lone_elements.h"

#include <map>

#include "source/overloaded.h"

namespace smec::sema {

namespace {

/// How many declarations make elements of each name.
using Counts = std::map<std::string_view, std::size_t>;

void count(const std::vector<ast::Decl>& decls, Counts& counts) {
    for (const ast::Decl& decl : decls)
        smec::visit(
            Overloaded{[&](const ast::InstanceDecl& n) { ++counts[n.name.text]; },
                       [&](const ast::GenerateFor& n) { count(n.body, counts); },
                       [&](const ast::GenerateIf& n) {
                           count(n.yes, counts);
                           count(n.no, counts);
                       },
                       [](const AnyOf<ast::Import, ast::ConstDecl, ast::EnumDecl, ast::TypeDecl,
                                      ast::FuncDecl, ast::ExternFunc, ast::BusDecl, ast::VarDecl,
                                      ast::ProcDecl, ast::NetworkDecl> auto&) {}},
            decl.node);
}

/// The number in the one index of an instance; null for other indices.
const ast::Integer* literalIndex(const ast::Module& module, const ast::InstanceDecl& instance) {
    if (instance.indices.size() != 1) return nullptr;
    const auto* literal = std::get_if<ast::IntLiteral>(&module[instance.indices[0]].node);
    return literal ? &literal->value : nullptr;
}

void warn(Reporter& reporter, const ast::Module& module, const ast::NetworkDecl& network) {
    Counts counts;
    count(network.decls, counts);
    for (const ast::Decl& decl : network.decls) {
        const auto* instance = std::get_if<ast::InstanceDecl>(&decl.node);
        if (!instance || counts[instance->name.text] != 1) continue;
        const ast::Integer* index = literalIndex(module, *instance);
        if (!index || *index == 0) continue;
        const std::string number = index->str();
        reporter.report(DiagId::LoneElement, instance->name.range, instance->name.text, number,
                        number, number, number, instance->name.text);
    }
}

}  // namespace

void warnOfLoneElements(Reporter& reporter, const ast::Module& module) {
    for (const ast::Decl& decl : module.decls)
        if (const auto* network = std::get_if<ast::NetworkDecl>(&decl.node))
            warn(reporter, module, *network);
}

}  // namespace smec::sema
