#include "ast/equal.h"

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "ast/fields.h"
#include "source/overloaded.h"

// Declarations and statements are compared by recursion, which their nesting bounds. Pairs of
// expressions go on a list and are compared one node at a time, so that a long chain of operators
// does not recurse.

namespace smec::ast {

namespace {

class Comparer {
public:
    Comparer(const Module& a, const Module& b) : a_(a), b_(b) {}

    bool run() {
        if (!same(a_.decls, b_.decls)) return false;
        while (!pending_.empty()) {
            auto [x, y] = pending_.back();
            pending_.pop_back();
            if (!same(a_[x].node, b_[y].node)) return false;
        }
        return true;
    }

private:
    bool same(ExprId x, ExprId y) {
        if (x.valid() && y.valid()) pending_.emplace_back(x, y);
        return x.valid() == y.valid();
    }

    bool same(const Identifier& x, const Identifier& y) { return x.text == y.text; }

    template <typename T>
        requires(!Node<T>)
    bool same(const T& x, const T& y) {
        return x == y;
    }

    template <Node T>
    bool same(const T& x, const T& y) {
        auto xs = fields(x);
        auto ys = fields(y);
        return [&]<std::size_t... i>(std::index_sequence<i...>) {
            return (same(std::get<i>(xs), std::get<i>(ys)) && ...);
        }(std::make_index_sequence<std::tuple_size_v<decltype(xs)>>());
    }

    template <typename T>
    bool same(const std::optional<T>& x, const std::optional<T>& y) {
        return x.has_value() == y.has_value() && (!x || same(*x, *y));
    }

    template <typename T>
    bool same(const std::vector<T>& x, const std::vector<T>& y) {
        if (x.size() != y.size()) return false;
        for (std::size_t i = 0; i < x.size(); ++i)
            if (!same(x[i], y[i])) return false;
        return true;
    }

    template <typename... T>
    bool same(const std::variant<T...>& x, const std::variant<T...>& y) {
        if (x.index() != y.index()) return false;
        return smec::visit([&]<typename N>(const N& node) { return same(node, std::get<N>(y)); },
                           x);
    }

    const Module& a_;
    const Module& b_;
    std::vector<std::pair<ExprId, ExprId>> pending_;
};

}  // namespace

bool equal(const Module& a, const Module& b) { return Comparer(a, b).run(); }

}  // namespace smec::ast
