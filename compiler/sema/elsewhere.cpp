#include "sema/elsewhere.h"

#include "ast/fields.h"
#include "source/overloaded.h"

namespace smec::sema {

namespace {

bool contains(SourceRange outer, SourceRange inner) {
    return outer.begin <= inner.begin && inner.end <= outer.end;
}

/// Walks through the statements of a body; expressions declare nothing.
class LocalSearch {
public:
    LocalSearch(SourceRange use, std::string_view name) : use_(use), name_(name) {}

    std::optional<ElsewhereLocal> run(const ast::Decl& decl) {
        if (const auto* func = std::get_if<ast::FuncDecl>(&decl.node)) body(func->body);
        if (const auto* network = std::get_if<ast::NetworkDecl>(&decl.node)) inside(network->decls);
        if (const auto* process = std::get_if<ast::ProcDecl>(&decl.node)) {
            inside(process->decls);
            body(process->body);
        }
        return found_;
    }

private:
    void inside(const std::vector<ast::Decl>& decls) {
        for (const ast::Decl& decl : decls)
            if (const auto* func = std::get_if<ast::FuncDecl>(&decl.node)) body(func->body);
    }

    void body(const ast::Block& block) {
        if (contains(block.range, use_)) walk(block);
    }

    void declared(const ast::Identifier& variable, const ast::Block& block, bool isLoop) {
        if (variable.text != name_ || (found_ && found_->isBelow)) return;
        const bool isAround = contains(block.range, use_);
        if (isAround && variable.range.begin < use_.begin) return;  // in its own initialiser
        found_ = ElsewhereLocal{variable.range, isAround, isLoop};
    }

    void walk(const ast::Block& block) {
        for (const ast::Stmt& statement : block.statements) {
            if (const auto* var = std::get_if<ast::VarDecl>(&statement.node))
                declared(var->name, block, false);
            if (const auto* loop = std::get_if<ast::For>(&statement.node))
                declared(loop->variable, loop->body, true);
            walk(statement.node);
        }
    }
    template <typename T>
    void walk(const std::optional<T>& node) {
        if (node) walk(*node);
    }
    template <typename T>
    void walk(const std::vector<T>& nodes) {
        for (const T& node : nodes)
            walk(node);
    }
    template <typename... T>
    void walk(const std::variant<T...>& node) {
        static_assert((ast::Node<T> && ...));  // else a new kind would be passed over
        smec::visit([&](const auto& one) { walk(one); }, node);
    }
    template <typename T>
    void walk(const T& node) {
        if constexpr (ast::Node<T>)
            std::apply([&](const auto&... member) { (walk(member), ...); }, ast::fields(node));
    }

    const SourceRange use_;
    const std::string_view name_;
    std::optional<ElsewhereLocal> found_;
};

}  // namespace

std::optional<ElsewhereLocal> localElsewhere(const ast::Decl& decl, SourceRange use,
                                             std::string_view name) {
    return LocalSearch(use, name).run(decl);
}

}  // namespace smec::sema
