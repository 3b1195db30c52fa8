#include "sema/unused.h"

#include <algorithm>
#include <string_view>
#include <unordered_set>

#include "ast/names.h"
#include "source/overloaded.h"

// Unused names, judged by text: a name that occurs nowhere in the process, network or module but
// where it is declared. Module level counts in the main file alone, since others exist to be
// imported. Buses are left to the warnings about fields.

namespace smec::sema {

namespace {

using Names = std::unordered_set<std::string_view>;

template <typename... T>
Names namesIn(const ast::Module& module, const T&... nodes) {
    Names names;
    (ast::forEachName(module, nodes, [&](std::string_view name) { names.insert(name); }), ...);
    return names;
}

/// Of the declarations of one level.
class Judge {
public:
    Judge(Reporter& reporter, Names names) : reporter_(reporter), names_(std::move(names)) {}

    void params(const std::vector<ast::Param>& params) {
        for (const ast::Param& param : params)
            name(param.name, param.kind == ast::ParamKind::Const ? "constant" : "port");
    }

    void decl(const ast::Decl& decl) {
        smec::visit(
            Overloaded{
                [&](const ast::VarDecl& n) { name(n.name, "variable"); },
                [&](const ast::ConstDecl& n) { name(n.name, "constant"); },
                [&](const ast::FuncDecl& n) { name(n.name, "function"); },
                [&](const ast::ExternFunc& n) { name(n.name, "function"); },
                [&](const ast::TypeDecl& n) { name(n.name, "type"); },
                [&](const ast::EnumDecl& n) { enumeration(n); },
                [](const AnyOf<ast::Import, ast::BusDecl, ast::InstanceDecl, ast::GenerateFor,
                               ast::GenerateIf, ast::ProcDecl, ast::NetworkDecl> auto&) {}},
            decl.node);
    }

    void import(const ast::Import& import, const std::vector<const ast::EnumDecl*>& enums) {
        if (import.names.empty()) name(import.alias ? *import.alias : import.path.back(), "import");
        for (const ast::Identifier& taken : import.names) {
            const auto isEnum = [&](const ast::EnumDecl* one) {
                return one->name.text == taken.text && mentionsMember(*one);
            };
            if (std::none_of(enums.begin(), enums.end(), isEnum)) name(taken, "import");
        }
    }

private:
    void name(const ast::Identifier& name, std::string_view what) {
        if (!names_.contains(name.text) && !name.text.starts_with('_'))
            reporter_.report(DiagId::Unused, name.range, what, name.text);
    }

    void enumeration(const ast::EnumDecl& decl) {
        if (!mentionsMember(decl)) name(decl.name, "enum");
    }

    bool mentionsMember(const ast::EnumDecl& decl) const {
        return std::any_of(
            decl.members.begin(), decl.members.end(),
            [&](const ast::EnumMember& member) { return names_.contains(member.name.text); });
    }

    Reporter& reporter_;
    Names names_;
};

}  // namespace

void UnusedNames::warn(const ast::Module& module, const ast::ProcDecl& decl) {
    if (!seen_.insert(&decl).second) return;
    Judge judge(reporter_, namesIn(module, decl.params, decl.decls, decl.body));
    judge.params(decl.params);
    for (const ast::Decl& one : decl.decls)
        judge.decl(one);
}

void UnusedNames::warn(ModuleId id, bool isMain) {
    const ast::Module& text = modules_.module(id);
    std::vector<const ast::EnumDecl*> enums;
    for (const Program::Entry& entry : modules_.program().modules)
        for (const ast::Decl& decl : entry.ast.decls)
            if (const auto* one = std::get_if<ast::EnumDecl>(&decl.node)) enums.push_back(one);
    Judge judge(reporter_, namesIn(text, text.decls));
    for (const ast::Decl& decl : text.decls) {
        if (const auto* import = std::get_if<ast::Import>(&decl.node)) judge.import(*import, enums);
        if (isMain) judge.decl(decl);
        const auto* network = std::get_if<ast::NetworkDecl>(&decl.node);
        if (!network) continue;
        Judge inside(reporter_, namesIn(text, network->params, network->decls));
        inside.params(network->params);
        for (const ast::Decl& one : network->decls)
            inside.decl(one);
    }
}

}  // namespace smec::sema
