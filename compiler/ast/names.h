#pragma once

#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <variant>
#include <vector>

#include "ast/fields.h"
#include "source/overloaded.h"

namespace smec::ast {

template <typename Visit>
class NameWalker {
public:
    NameWalker(const Module& module, Visit& visit) : module_(module), visit_(visit) {}

    template <typename T>
    void run(const T& root) {
        walk(root);
        while (!pending_.empty()) {
            const ExprId id = pending_.back();
            pending_.pop_back();
            walk(module_[id].node);
        }
    }

private:
    void walk(ExprId id) {
        if (id.valid()) pending_.push_back(id);
    }
    void walk(const Name& name) { visit_(std::string_view(name.text)); }
    void walk(const NamedType& type) {
        if (!type.path.empty()) visit_(std::string_view(type.path.front().text));
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
        static_assert((Node<T> && ...));  // else a new kind would be passed over
        smec::visit([&](const auto& one) { walk(one); }, node);
    }
    /// What has no members is no node: operators, flags, identifiers, text.
    template <typename T>
    void walk(const T& node) {
        if constexpr (Node<T>)
            std::apply([&](const auto&... member) { (walk(member), ...); }, fields(node));
    }

    const Module& module_;
    Visit& visit_;
    std::vector<ExprId> pending_;  ///< expressions go on a list: a long chain does not recurse
};

/// Calls `visit` with the text of every name that the expressions and types in `node` mention: of
/// `a.b.c` only `a`. What is declared does not count. `node` is any node, an ExprId, or a vector or
/// optional of such. The texts live as long as the module.
template <typename T, typename Visit>
void forEachName(const Module& module, const T& node, Visit visit) {
    NameWalker<Visit>(module, visit).run(node);
}

}  // namespace smec::ast
