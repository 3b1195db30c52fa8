#include "rtl/unused_inputs.h"

#include <string_view>
#include <unordered_set>

#include "ast/names.h"

namespace smec::rtl {
namespace {

using Mentioned = std::unordered_set<std::string_view>;

Mentioned mentionedIn(const ast::Module& module, const ast::Decl& decl) {
    Mentioned mentioned;
    const auto add = [&](std::string_view name) { mentioned.insert(name); };
    if (const auto* network = std::get_if<ast::NetworkDecl>(&decl.node)) {
        ast::forEachName(module, network->decls, add);
    } else if (const auto* proc = std::get_if<ast::ProcDecl>(&decl.node)) {
        ast::forEachName(module, proc->decls, add);
        ast::forEachName(module, proc->body, add);
    }
    return mentioned;
}

std::vector<ast::Param>* paramsOf(ast::Decl& decl) {
    if (auto* network = std::get_if<ast::NetworkDecl>(&decl.node)) return &network->params;
    if (auto* proc = std::get_if<ast::ProcDecl>(&decl.node)) return &proc->params;
    return nullptr;
}

}  // namespace

void nameUnusedInputs(ast::Module& module, Interface& own, Names& names) {
    ast::Decl& decl = module.decls.back();
    std::vector<ast::Param>* params = paramsOf(decl);
    if (!params) return;
    const Mentioned mentioned = mentionedIn(module, decl);
    std::map<std::string, std::string, std::less<>> renamed;
    for (ast::Param& param : *params) {
        const std::string& name = param.name.text;
        if (param.kind != ast::ParamKind::In || mentioned.contains(name) || name[0] == '_')
            continue;
        renamed[name] = names.take("_" + name);
    }
    for (ast::Param& param : *params)
        if (const auto found = renamed.find(param.name.text); found != renamed.end())
            param.name.text = found->second;
    for (auto& [port, name] : own.parameters)
        if (const auto found = renamed.find(name); found != renamed.end()) name = found->second;
}

}  // namespace smec::rtl
