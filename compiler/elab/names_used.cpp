#include "elab/names_used.h"

#include "ast/names.h"
#include "source/overloaded.h"

namespace smec::elab {

void namesInStructure(const ast::Module& module, std::span<const ast::Decl> decls,
                      const NameVisitor& visit) {
    const auto mentioned = [&](const auto& node) { ast::forEachName(module, node, visit); };
    for (const ast::Decl& decl : decls) {
        smec::visit(
            Overloaded{[&](const AnyOf<ast::ConstDecl, ast::EnumDecl, ast::TypeDecl,
                                       ast::BusDecl> auto& node) { mentioned(node); },
                       [&](const ast::InstanceDecl& node) { mentioned(node.indices); },
                       [&](const ast::GenerateFor& node) {
                           mentioned(node.from);
                           mentioned(node.to);
                           namesInStructure(module, node.body, visit);
                       },
                       [&](const ast::GenerateIf& node) {
                           mentioned(node.condition);
                           namesInStructure(module, node.yes, visit);
                           namesInStructure(module, node.no, visit);
                       },
                       [](const AnyOf<ast::Import, ast::FuncDecl, ast::ExternFunc, ast::VarDecl,
                                      ast::ProcDecl, ast::NetworkDecl> auto&) {}},
            decl.node);
    }
}

void forEachInstance(const std::vector<ast::Decl>& decls,
                     const std::function<void(const ast::InstanceDecl&)>& visit) {
    for (const ast::Decl& decl : decls) {
        smec::visit(
            Overloaded{[&](const ast::InstanceDecl& instance) { visit(instance); },
                       [&](const ast::GenerateFor& loop) { forEachInstance(loop.body, visit); },
                       [&](const ast::GenerateIf& choice) {
                           forEachInstance(choice.yes, visit);
                           forEachInstance(choice.no, visit);
                       },
                       [](const AnyOf<ast::Import, ast::ConstDecl, ast::EnumDecl, ast::TypeDecl,
                                      ast::FuncDecl, ast::ExternFunc, ast::BusDecl, ast::VarDecl,
                                      ast::ProcDecl, ast::NetworkDecl> auto&) {}},
            decl.node);
    }
}

}  // namespace smec::elab
